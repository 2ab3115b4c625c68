"""Embedders behind an OpenAI-compatible server: OpenAI itself, vLLM, Ollama, llama.cpp, text-embeddings-inference."""

from collections.abc import Sequence
from typing import Final, Unpack

import openai
from pydantic import BaseModel

from triad.embedding.embedder import Embedder
from triad.models.server import Server
from triad.models.server_options import ServerOptions
from triad.text import writable

_BATCH: Final = 256  # texts of a request at first
_UNCUT: Final = 200  # characters up to which a text is not cut, whatever the server says of it
_REPLY_LIMIT: Final = 64_000_000  # bytes that a reply may have


class _Vector(BaseModel):
    embedding: list[float]
    index: int = 0


class _Reply(BaseModel):
    data: list[_Vector]


class OpenAIEmbedder(Embedder):
    """An embedder behind an OpenAI-compatible server.

    Servers differ in how many texts they take at once. A request that is refused is sent again in halves, and the
    embedder remembers the size. A single text that is refused is sent without its second half.

    Args:
        name: The model's name on the server.
        server: Address, key, timeout and retries: `triad.models.server_options.ServerOptions`.

    Raises:
        ConfigError: An option makes no sense, or there is no key where one is needed.
    """

    def __init__(self, name: str, **server: Unpack[ServerOptions]) -> None:
        self._model = name
        server.setdefault("timeout", 60.0)
        self._server = Server(name, limit=_REPLY_LIMIT, without="'fastembed:NAME' works", **server)
        self.name = f"openai:{name}@{self._server.address}"
        self._batch = _BATCH

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self._model!r}, base_url={self._server.address!r})"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text; the message of a `ModelError` says what to do."""
        # Nothing at all has no vector.
        readable = [writable(text) if text.strip() else "-" for text in texts]
        vectors: list[list[float]] = []
        batch = self._batch
        while len(vectors) < len(readable):
            vectors += self._some(readable[len(vectors) : len(vectors) + self._batch], batch)
        return vectors

    def close(self) -> None:
        """Close the connections to the server; the next call opens them again."""
        self._server.close()

    def _some(self, texts: list[str], batch: int) -> list[list[float]]:
        """Return the vectors of the first texts, of as many as the server takes; before, it took a batch of them."""
        with self._server.translated():
            while True:
                try:
                    embeddings = self._server.connect().embeddings.with_raw_response
                    reply = embeddings.create(model=self._model, input=texts, encoding_format="float")
                    break
                except openai.APIStatusError as error:
                    if error.status_code not in (400, 413, 422):
                        raise
                    alone = len(texts) == 1  # and so it is not refused for how many there are
                    self._batch = batch if alone else len(texts) // 2
                    if alone and len(texts[0]) <= _UNCUT:
                        raise
                    texts = [texts[0][: len(texts[0]) // 2]] if alone else texts[: len(texts) // 2]
        if (answer := self._server.read(_Reply, reply.content)) is None or len(answer.data) != len(texts):
            raise self._server.error("did not answer with a vector for each text; is it a model for embeddings?")
        return [one.embedding for one in sorted(answer.data, key=lambda one: one.index)]
