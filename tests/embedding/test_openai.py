"""Embedders behind a server that speaks OpenAI's protocol, on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.http_server import Handler, LocalServer
from triad.embedding import Embedder, open_embedder
from triad.errors import ModelError


class Server(LocalServer):
    """Gives the length of each text as its vector, of at most so many texts a request."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.most = 1_000
        self.longest = 10_000
        self.status = 200
        self.drop = 0
        self.rows: list[object] | None = None
        server = self

        class Protocol(Handler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append(body | {"path": self.path})
                texts = body["input"]
                refused = len(texts) > server.most or max(map(len, texts)) > server.longest
                status = 413 if refused else server.status
                rows = [{"object": "embedding", "index": at, "embedding": [len(text)]} for at, text in enumerate(texts)]
                # In no order, for the index says which is which.
                good: dict[str, Any] = {
                    "object": "list",
                    "model": "m",
                    "data": server.rows or rows[::-1][server.drop :],
                    "usage": {},
                }
                data = json.dumps(good if status == 200 else {"error": {"message": "too much"}}).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        super().__init__(Protocol)
        self.url = f"{self.address}/v1"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.fixture
def embedder(server: Server) -> Iterator[Embedder]:
    with open_embedder(f"openai:nomic@{server.url}", retries=0) as embedder:
        yield embedder


def test_texts_are_sent_in_one_request_and_come_back_in_order(server: Server, embedder: Embedder) -> None:
    assert embedder.embed(["a", "ccc", "bb"]) == [[1], [3], [2]]
    [request] = server.requests
    assert (request["path"], request["model"], request["input"]) == ("/v1/embeddings", "nomic", ["a", "ccc", "bb"])
    assert embedder.name == f"openai:nomic@{server.url}"


def test_no_text_is_no_request_and_a_blank_one_is_not_sent(server: Server, embedder: Embedder) -> None:
    assert embedder.embed([]) == []
    embedder.embed([" ", "a\ud800b"])
    assert [request["input"] for request in server.requests] == [["-", "a?b"]]


def test_a_server_that_takes_few_texts_is_sent_few_and_that_is_remembered(server: Server, embedder: Embedder) -> None:
    server.most = 40
    texts = ["x" * number for number in range(1, 101)]
    assert embedder.embed(texts) == [[number] for number in range(1, 101)]
    assert [len(request["input"]) for request in server.requests] == [100, 50, 25, 25, 25, 25]
    embedder.embed(texts[:30])
    assert [len(request["input"]) for request in server.requests[6:]] == [25, 5]


def test_a_text_that_is_too_long_is_cut_and_the_others_are_sent_together_as_before(
    server: Server, embedder: Embedder
) -> None:
    server.longest = 512
    assert embedder.embed(["a", "x" * 2_000, "bb", "ccc"]) == [[1], [500], [2], [3]]
    assert [len(request["input"]) for request in server.requests] == [4, 2, 1, 1, 1, 1, 2]
    server.longest = 1
    for long in ("x" * 2_000, "bb"):
        with pytest.raises(ModelError, match="refused the request with HTTP status 413"):
            embedder.embed(["a", long])
    server.longest = 512
    embedder.embed(["a", "b"])
    assert len(server.requests[-1]["input"]) == 2


def test_a_refusal_of_one_text_is_an_error(server: Server, embedder: Embedder) -> None:
    server.status = 400
    with pytest.raises(ModelError, match="refused the request with HTTP status 400: “too much”"):
        embedder.embed(["a", "b"])


def test_a_missing_vector_is_an_error(server: Server, embedder: Embedder) -> None:
    server.drop = 1
    with pytest.raises(ModelError, match="did not answer with a vector for each text"):
        embedder.embed(["a", "b"])


@pytest.mark.parametrize(
    "row", [5, None, {}, {"embedding": "abc", "index": 0}, {"embedding": [None]}, {"embedding": 5}]
)
def test_a_malformed_vector_is_an_error(server: Server, embedder: Embedder, row: object) -> None:
    server.rows = [row]
    with pytest.raises(ModelError, match="did not answer with a vector for each text"):
        embedder.embed(["a"])


def test_a_server_that_is_away_is_named(server: Server) -> None:
    with (
        open_embedder("openai:nomic@http://127.0.0.1:9/v1", retries=0) as embedder,
        pytest.raises(ModelError, match=r"model 'nomic' at http://127\.0\.0\.1:9/v1 cannot be reached"),
    ):
        embedder.embed(["a"])
