from __future__ import annotations

import base64
import json
import logging
import operator
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from elasticsearch import Elasticsearch
from loguru import logger

from tests.http_server import Handler, LocalServer
from tests.services import services
from tests.services.fixtures import index_name
from triad.embedding import Embedder
from triad.errors import ConfigError, ModelError, SearchError
from triad.questions import Kind
from triad.search import open_index
from triad.search.base import CLOSE, Entry, LabelIndex, Lookup
from triad.search.elastic import filling
from triad.search.elastic.client import parse_address
from triad.search.elastic.index import ElasticIndex
from triad.search.elastic.layout import VERSION, document, document_id
from triad.search.local import LocalIndex

EX = "http://example.org/"
SECRET = "s3cret/p@ss"
ENCODED = "s3cret%2Fp%40ss"


def person(name: str, popularity: int = 0, *aliases: str) -> Entry:
    return Entry(EX + name.replace(" ", "_"), "entity", name, aliases, popularity=popularity)


def labels(index: LabelIndex, text: str, **options: Any) -> list[str]:
    return [candidate.label for candidate in index.search(text, **options)]


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("USER", "PASSWORD", "API_KEY", "CA_FILE"):
        monkeypatch.delenv(f"ELASTICSEARCH_{name}", raising=False)


@pytest.fixture
def client(elasticsearch_url: str) -> Iterator[Elasticsearch]:
    with Elasticsearch(elasticsearch_url) as client:
        yield client


def indices(client: Elasticsearch, name: str) -> list[str]:
    """Return the indices whose names start with a name."""
    return sorted(client.indices.get(index=f"{name}*"))


@pytest.fixture
def name(elasticsearch_url: str) -> Iterator[str]:
    """A name for an index, of which nothing is left when the test ends."""
    with index_name(elasticsearch_url) as name:
        yield name


@pytest.fixture
def index(elasticsearch_url: str, name: str) -> Iterator[ElasticIndex]:
    with ElasticIndex(f"elasticsearch:{elasticsearch_url}/{name}") as index:
        yield index


# Addresses and credentials --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "hosts", "index"),
    [
        ("http://one/dbpedia", ("http://one:9200",), "dbpedia"),
        ("https://one:443,two:9201/dbpedia", ("https://one:443", "https://two:9201"), "dbpedia"),
        ("https://one:1,http://two:2/dbpedia", ("https://one:1", "http://two:2"), "dbpedia"),
        ("http://proxy:80/search/es/dbpedia", ("http://proxy:80/search/es",), "dbpedia"),
        ("http://[::1]:9200/a-b_1", ("http://[::1]:9200",), "a-b_1"),
    ],
)
def test_an_address_names_hosts_and_an_index(source: str, hosts: tuple[str, ...], index: str) -> None:
    address = parse_address(f"elasticsearch:{source}")
    assert (address.hosts, address.index) == (hosts, index)


@pytest.mark.parametrize(
    "source",
    ["", "dbpedia", "http://one", "http://one/", "ftp://one/dbpedia", "http://one:many/x", "http://one/DBpedia"],
)
def test_an_address_that_cannot_be_read_says_what_works(source: str) -> None:
    with pytest.raises(ConfigError, match="what works is 'elasticsearch:https://HOST:9200"):
        parse_address(f"elasticsearch:{source}")


def test_a_password_that_is_not_encoded_is_refused_and_not_shown() -> None:
    with pytest.raises(ConfigError, match="percent-encoded") as caught:
        open_index(f"elasticsearch:https://ann:{SECRET}@one/dbpedia")
    assert "s3cret" not in str(caught.value)
    assert "p@ss" not in str(caught.value)


def test_an_unknown_option_is_named_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"no option 'speed'; it takes api_key, ca_file, password"):
        open_index("elasticsearch:http://one/dbpedia", speed=3)


def authorization(source: str = "http://one/dbpedia", **options: Any) -> str | None:
    index = open_index(f"elasticsearch:{source}", **options)
    assert isinstance(index, ElasticIndex)
    return index._client._headers.get("authorization")


BASIC = "Basic YW5uOnMzY3JldC9wQHNz"


def test_credentials_come_from_options_then_the_address_then_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert authorization() is None
    monkeypatch.setenv("ELASTICSEARCH_API_KEY", "from-environment")
    assert authorization() == "ApiKey from-environment"
    assert authorization(f"http://ann:{ENCODED}@one/dbpedia") == BASIC
    assert authorization("http://bob:x@one/dbpedia", user="ann", password=SECRET) == BASIC
    assert authorization("http://bob:x@one/dbpedia", api_key="an-option") == "ApiKey an-option"


def test_user_and_password_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELASTICSEARCH_USER", "ann")
    with pytest.raises(ConfigError, match=r"the environment .* a user without a password"):
        authorization()
    monkeypatch.setenv("ELASTICSEARCH_PASSWORD", SECRET)
    assert authorization() == BASIC


def test_two_kinds_of_credentials_are_one_too_many() -> None:
    with pytest.raises(ConfigError, match="both an API key and a user"):
        authorization(user="ann", password=SECRET, api_key="key")


def test_a_certificate_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read the certificate of .*ca\.pem"):
        open_index("elasticsearch:https://one/dbpedia", ca_file=tmp_path / "ca.pem")


# A server of canned answers -------------------------------------------------------------------------------


class CannedServer(LocalServer):
    """Gives the same answers as often as it is asked, by the end of the path, and notes the requests."""

    def __init__(self, answers: Mapping[str, Callable[[bytes], tuple[int, Any]]], *, product: bool = True) -> None:
        server = self
        self.paths: list[str] = []

        class Protocol(Handler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                path = self.path.partition("?")[0]
                server.paths.append(path)
                answer: Any = next((answers[end] for end in answers if path.endswith(end)), lambda _: (200, {}))
                status, content = answer(body)
                data = content.encode() if isinstance(content, str) else json.dumps(content).encode()
                self.send_response(status)
                self.send_header("content-type", "text/html" if data.startswith(b"<") else "application/json")
                self.send_header("content-length", str(len(data)))
                if product:
                    self.send_header("x-elastic-product", "Elasticsearch")
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            do_POST = do_PUT = do_HEAD = do_DELETE = do_GET

        super().__init__(Protocol)
        self.url = self.address


@pytest.fixture
def canned() -> Iterator[Callable[..., CannedServer]]:
    servers: list[CannedServer] = []

    def start(answers: Mapping[str, Any], **options: Any) -> CannedServer:
        replies = {end: answer if callable(answer) else lambda _, a=answer: a for end, answer in answers.items()}
        servers.append(CannedServer(replies, **options))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


OWN = (200, {"labels": {"mappings": {"_meta": {"triad": {"version": VERSION}}}}})


def failure(status: int, kind: str, reason: str) -> tuple[int, dict[str, Any]]:
    cause = {"type": kind, "reason": reason}
    return status, {"error": {"root_cause": [cause], **cause}, "status": status}


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (failure(401, "security_exception", "unable to authenticate"), "refused the user and password"),
        (failure(403, "security_exception", "action is unauthorized"), "does not allow this"),
        (failure(404, "index_not_found_exception", "no such index"), "has no index of that name"),
        (failure(503, "search_phase_execution_exception", "all shards failed"), "it is red"),
        (failure(429, "es_rejected_execution_exception", "queue is full"), "more to do than it can"),
        (failure(400, "parsing_exception", "unknown query"), r"failed \(parsing_exception: “unknown query”\)"),
        ((502, "<html>Bad Gateway</html>"), "HTTP status 502"),
    ],
)
def test_what_a_server_refuses_is_a_sentence(canned: Callable[..., CannedServer], answer: Any, said: str) -> None:
    server = canned({"_mapping": OWN, "_msearch": answer})
    with open_index(f"elasticsearch:{server.url}/labels") as index, pytest.raises(SearchError, match=said) as caught:
        index.search("Ann")
    assert f"the index 'elasticsearch:{server.url}/labels' " in str(caught.value)


def test_a_search_that_fails_among_others_is_an_error(canned: Callable[..., CannedServer]) -> None:
    _, failed = failure(503, "no_shard_available_action_exception", "")
    server = canned({"_mapping": OWN, "_msearch": (200, {"responses": [{"hits": {"hits": []}}, failed]})})
    with open_index(f"elasticsearch:{server.url}/labels") as index, pytest.raises(SearchError, match="it is red"):
        index.search_many([Lookup("Ann"), Lookup("Bob")])


def hit(**fields: Any) -> dict[str, Any]:
    entry = {"iri": "urn:ann", "kind": "entity", "label": "Ann", "aliases": [], "description": "", "types": []}
    packed = json.dumps([*(entry | {"popularity": 1} | fields).values()])
    return {"fields": {"entry": [base64.b64encode(packed.encode()).decode()]}}


def hits(*found: Any) -> dict[str, Any]:
    return {"responses": [{"hits": {"hits": found}}]}


@pytest.mark.parametrize(
    ("mapping", "answer"),
    [
        ([], hits()),
        ({"labels": {"mappings": {"_meta": None}}}, hits()),
        (OWN[1], []),
        (OWN[1], {"responses": None}),
        (OWN[1], {"responses": []}),
        (OWN[1], {"responses": [{"hits": None}]}),
        (OWN[1], "[" * 100_000),
        (OWN[1], hits({"_id": "1"})),
        (OWN[1], hits({"fields": {"entry": ["%%%"]}})),
        (OWN[1], hits(hit(label=None))),
        (OWN[1], hits(hit(kind="monster"))),
        (OWN[1], hits(hit(popularity=-5))),
        (OWN[1], hits(hit(types=[5]))),
    ],
)
def test_an_answer_of_another_form_is_told(canned: Callable[..., CannedServer], mapping: Any, answer: Any) -> None:
    server = canned({"_mapping": (200, mapping), "_msearch": (200, answer)})
    with (
        open_index(f"elasticsearch:{server.url}/labels") as index,
        pytest.raises(SearchError, match="does not answer as Elasticsearch does"),
    ):
        index.search("Ann")


@pytest.mark.parametrize("causes", ["x", ["x"], [], {"a": 1}])
def test_an_error_of_another_form_is_told(canned: Callable[..., CannedServer], causes: Any) -> None:
    refused = {"responses": [{"error": {"root_cause": causes, "type": "odd"}, "status": None}]}
    server = canned({"_mapping": OWN, "_msearch": (200, refused)})
    with open_index(f"elasticsearch:{server.url}/labels") as index, pytest.raises(SearchError, match=r"failed \(odd"):
        index.search("Ann")


def test_more_hits_than_were_asked_for_are_left_out(canned: Callable[..., CannedServer]) -> None:
    many = hits(*(hit(iri=f"urn:{number}") for number in range(30)))
    server = canned({"_mapping": OWN, "_msearch": (200, many)})
    with open_index(f"elasticsearch:{server.url}/labels") as index:
        assert {found.iri for found in index.search("Ann", 20)} == {f"urn:{number}" for number in range(20)}
        small = index.search("Ann", 5)
        assert {int(found.iri.removeprefix("urn:")) for found in small} <= set(range(10))


def test_a_server_of_another_kind_is_told(canned: Callable[..., CannedServer]) -> None:
    server = canned({}, product=False)
    with (
        open_index(f"elasticsearch:{server.url}/labels") as index,
        pytest.raises(SearchError, match="does not answer as Elasticsearch does"),
    ):
        index.search("Ann")


def test_a_server_that_is_not_there_is_told() -> None:
    with (
        open_index("elasticsearch:http://127.0.0.1:9/labels") as index,
        pytest.raises(SearchError, match=r"cannot be reached .*refused.* is the server running"),
    ):
        index.search("Ann")


def test_no_secret_is_shown_by_anything(canned: Callable[..., CannedServer], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    lines: list[str] = []
    sink = logger.add(lines.append, level="TRACE", diagnose=False)
    try:
        server = canned({"_mapping": failure(401, "security_exception", "unable to authenticate user")})
        host = server.url.removeprefix("http://")
        for source, options in (
            (f"elasticsearch:http://ann:{ENCODED}@{host}/labels", {}),
            (f"elasticsearch:http://{host}/labels", {"user": "ann", "password": SECRET}),
            (f"elasticsearch:http://{host}/labels", {"api_key": SECRET}),
            (f"elasticsearch:http://ann:{ENCODED}@127.0.0.1:9/labels", {}),
        ):
            given: dict[str, Any] = options
            index = open_index(source, **given)
            with pytest.raises(SearchError) as caught:
                index.search("Ann")
            shown = "".join(traceback.format_exception(caught.value))
            seen = [repr(index), index.name, shown, repr(caught.value.__cause__), repr(parse_address(source)), *lines]
            for text in (*seen, caplog.text):
                for secret in (SECRET, ENCODED, "s3cret", BASIC.split()[1]):
                    assert secret not in text
    finally:
        logger.remove(sink)


def test_all_look_ups_are_one_request(canned: Callable[..., CannedServer]) -> None:
    none: dict[str, Any] = {"hits": {"hits": []}}
    server = canned({"_mapping": OWN, "_msearch": (200, {"responses": [none] * 3})})
    with open_index(f"elasticsearch:{server.url}/labels") as index:
        lookups = [Lookup("Ann"), Lookup("Bob"), Lookup(""), Lookup("Cid")]
        index.search_many(lookups)
        del server.paths[:]
        assert index.search_many(lookups) == [[], [], [], []]
    assert server.paths == ["/labels/_msearch"]


@pytest.mark.slow(0.1)
def test_documents_that_are_rejected_are_sent_again(
    canned: Callable[..., CannedServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "_FIRST_DELAY", 0.01)
    arrived: list[str] = []
    tries: Counter[str] = Counter()
    busy = {"type": "es_rejected_execution_exception", "reason": "queue is full"}

    def bulk(body: bytes) -> tuple[int, Any]:
        sent = [json.loads(line) for line in body.splitlines()]
        items = []
        for action, source in zip(sent[::2], sent[1::2], strict=True):
            tries[source["label"]] += 1
            turned_away = tries[source["label"]] <= int(action["index"]["_id"], 16) % 3
            items.append({"index": {"status": 429, "error": busy} if turned_away else {"status": 201}})
            arrived.extend([] if turned_away else [source["label"]])
        return 200, {"errors": any("error" in item["index"] for item in items), "items": items}

    server = canned({"_mapping": OWN, "_bulk": bulk})
    with open_index(f"elasticsearch:{server.url}/labels") as index:
        assert index.add(person(f"name {at}") for at in range(50)) == 50
    assert sorted(arrived) == sorted(f"name {at}" for at in range(50))


@pytest.mark.slow(0.1)
def test_a_server_that_stays_away_ends_a_build(
    canned: Callable[..., CannedServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "_PATIENCE", 0.2)
    monkeypatch.setattr(filling, "_FIRST_DELAY", 0.05)
    server = canned({"_mapping": OWN, "_bulk": failure(503, "unavailable_shards_exception", "primary is away")})
    with open_index(f"elasticsearch:{server.url}/labels") as index, pytest.raises(SearchError, match="it is red"):
        index.add([person("Ann")])
    assert len([path for path in server.paths if path.endswith("_bulk")]) > 1


def test_a_document_that_is_refused_is_named(canned: Callable[..., CannedServer]) -> None:
    fault = {"type": "document_parsing_exception", "reason": "failed to parse field [popularity]"}
    server = canned(
        {"_mapping": OWN, "_bulk": (200, {"errors": True, "items": [{"index": {"status": 400, "error": fault}}]})}
    )
    with (
        open_index(f"elasticsearch:{server.url}/labels") as index,
        pytest.raises(SearchError, match=r"failed to parse field \[popularity\].*http://example.org/Ann"),
    ):
        index.add([person("Ann")])


# Documents ------------------------------------------------------------------------------------------------


def test_a_document_is_called_after_what_it_is_about() -> None:
    ann = person("Ann")
    assert document_id(ann) == document_id(Entry(ann.iri, "entity", "Annie", ("A",), popularity=7))
    assert document_id(ann) != document_id(Entry(ann.iri, "relation", "Ann"))
    assert document_id(Entry(EX + "motto", "literal", "a")) != document_id(Entry(EX + "motto", "literal", "b"))


def test_a_document_has_its_names_folded_with_letters_and_words_left_out() -> None:
    made = document(Entry(EX + "Oslo", "entity", "Ósló City", ("oslo city",)))
    assert made["names"] == ["oslo city"]
    assert made["near"].split() == ["oslo", "slo", "olo", "oso", "osl", "city", "ity", "cty", "ciy", "cit"]
    assert made["gaps"] == ["* city", "oslo *", "oslocity"]


# Searching ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Stanley Kubrik",
        "Stanly Kubrick",
        "Stanley Kubrcik",
        "Stanley Kubricks",
        "Stamley Kubrick",
        "StanleyKubrick",
        "Stan ley Kubrick",
        "Stanlye Kubrik",
        "kubrik",
        "Stanlye",
    ],
)
def test_a_typo_is_forgiven(index: ElasticIndex, text: str) -> None:
    index.add([person("Stanley Kubrick"), person("Ridley Scott"), person("Scott Ridley Joyce")])
    [found] = index.search(text)
    assert found.label == "Stanley Kubrick"
    assert not found.exact


def test_short_names_have_no_typos(index: ElasticIndex) -> None:
    index.add([person("UNO")])
    assert index.search("UNA") == []


def test_where_a_name_is_equal_there_is_no_typo(index: ElasticIndex) -> None:
    index.add([person("Bern"), person("Berne"), person("Berg"), person("Bern Airport")])
    assert labels(index, "Bern") == ["Bern", "Bern Airport"]


def test_of_equal_names_the_popular_one_comes_first(index: ElasticIndex) -> None:
    index.add([Entry(EX + f"Paris{at}", "entity", "Paris", popularity=at) for at in range(300)])
    assert [candidate.popularity for candidate in index.search("Paris", limit=3)] == [299, 298, 297]


def test_a_popular_name_is_found_among_many_that_share_its_word(index: ElasticIndex) -> None:
    index.add([person("Barack Hussein Obama II", 5000), *(person(f"Obama {at}") for at in range(500))])
    assert "Barack Hussein Obama II" in labels(index, "Obama")


def test_long_names_are_found(index: ElasticIndex) -> None:
    name = "On the " + " ".join(f"part {at} of" for at in range(200)) + " everything"
    index.add([person(name), person("x" * 40_000, 1, "Xeno")])
    assert index.search(name)[0].exact
    assert len(index.search("xeno")[0].label) == 40_000
    assert len(index.search(" ".join(f"word{at}" for at in range(5000)))) == 0


def test_more_look_ups_than_fit_in_a_request_are_answered_in_order(index: ElasticIndex) -> None:
    index.add(person(f"name {at}") for at in range(200))
    found = index.search_many([Lookup(f"name {at}", limit=1) for at in range(200)])
    assert [candidates[0].label for candidates in found] == [f"name {at}" for at in range(200)]


def test_an_entry_that_is_added_again_is_replaced(index: ElasticIndex) -> None:
    index.add([person("Ann", 1)])
    index.add([person("Ann", 2)])
    assert [candidate.popularity for candidate in index.search("Ann")] == [2]


def test_an_entry_that_cannot_be_stored_is_an_error(index: ElasticIndex) -> None:
    with pytest.raises(SearchError, match=r"cannot add 'http://example.org/lone.* to the index 'elasticsearch:"):
        index.add([person("lone surrogate \ud800")])
    index.add([person("Ann")])
    assert index.search("\ud800") == []


@pytest.mark.parametrize(("file", "aliases"), [(file, aliases) for file in ("", "_noisy") for aliases in (True, False)])
@pytest.mark.slow
def test_mentions_find_what_they_find_in_the_local_index(
    elasticsearch_url: str,
    linking: Mapping[bool, tuple[LabelIndex, LabelIndex]],
    shared_data: Path,
    file: str,
    aliases: bool,
) -> None:
    lines = (shared_data / "linking" / f"mentions_dev{file}.tsv").read_text(encoding="utf-8").splitlines()
    some = lines[:: max(len(lines) // 500, 1)]
    mentions, gold = zip(*(line.split("\t") for line in some), strict=True)
    recalls = []
    for index in linking[aliases]:
        found = [
            [c.iri for c in candidates] for candidates in index.search_many([Lookup(mention) for mention in mentions])
        ]
        at_1 = sum(iris[:1] == [iri] for iris, iri in zip(found, gold, strict=True)) / len(gold)
        at_10 = sum(iri in iris for iris, iri in zip(found, gold, strict=True)) / len(gold)
        recalls.append((at_1, at_10))
    local, elastic = recalls
    assert elastic[0] >= local[0] - 0.01
    assert elastic[1] >= local[1] - 0.01


@pytest.fixture(scope="module")
def linking(elasticsearch_url: str, shared_data: Path) -> Iterator[dict[bool, tuple[LabelIndex, LabelIndex]]]:
    """A part of the development data, with and without aliases, in a local index and in Elasticsearch."""
    import gzip
    from dataclasses import replace

    entries = []
    mentions = (shared_data / "linking" / f"mentions_dev{file}.tsv" for file in ("", "_noisy"))
    gold = {line.split("\t")[1] for file in mentions for line in file.read_text(encoding="utf-8").splitlines()}
    with gzip.open(shared_data / "linking" / "entities.tsv.gz", "rt", encoding="utf-8") as lines:
        next(lines)
        for at, line in enumerate(lines):
            iri, label, description, aliases = line.rstrip("\n").split("\t")
            if at % 8 and iri not in gold:
                continue
            kind: Kind = "relation" if iri.startswith("P") else "entity"
            entries.append(Entry(iri, kind, label, tuple(filter(None, aliases.split("|"))), description))
    made: dict[bool, tuple[LabelIndex, LabelIndex]] = {}
    with index_name(elasticsearch_url) as name:
        for aliased in (True, False):
            local, elastic = LocalIndex(), ElasticIndex(f"elasticsearch:{elasticsearch_url}/{name}-{aliased}".lower())
            chosen = entries if aliased else [replace(entry, aliases=()) for entry in entries]
            local.add(chosen)
            elastic.store.build(chosen)
            made[aliased] = local, elastic
        yield made
        for _, index in made.values():
            index.close()


# Vectors --------------------------------------------------------------------------------------------------


class Letters(Embedder):
    """Texts lie close together that have the same letters."""

    name = "letters"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [
            [1.0, *(float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz")] for text in texts
        ]


def test_with_an_embedder_names_are_found_that_share_no_word(elasticsearch_url: str, name: str) -> None:
    with open_index(f"elasticsearch:{elasticsearch_url}/{name}", embedder=Letters()) as index:
        assert isinstance(index, ElasticIndex)
        index.store.build(
            [person("Dormitory"), person("Listen"), person("Silent Film"), Entry(EX + "tinsel", "class", "Tinsel")]
        )
        assert labels(index, "Silent", kind="entity")[:2] == ["Silent Film", "Listen"]
        assert labels(index, "Enlist", kind="class") == ["Tinsel"]
        found = index.search("Dirty Room")
        assert found[0].label == "Dormitory"
        assert found[0].score < CLOSE
        assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)
        best = index.search("Listen")[0]
        assert (best.label, best.exact) == ("Listen", True)


def test_an_embedder_that_fails_fails_the_search(elasticsearch_url: str, name: str) -> None:
    class Away(Letters):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            raise ModelError("the embedder is away")

    with open_index(f"elasticsearch:{elasticsearch_url}/{name}", embedder=Letters()) as index:
        index.add([person("Ann")])
    with (
        open_index(f"elasticsearch:{elasticsearch_url}/{name}", embedder=Away()) as index,
        pytest.raises(SearchError, match="cannot be searched by vectors: the embedder is away"),
    ):
        index.search("Ann")


def test_an_index_without_vectors_says_so_to_an_embedder(
    index: ElasticIndex, elasticsearch_url: str, name: str
) -> None:
    index.add([person("Ann")])
    with (
        open_index(f"elasticsearch:{elasticsearch_url}/{name}", embedder=Letters()) as other,
        pytest.raises(SearchError, match="has no vectors"),
    ):
        other.search("Ann")
    with open_index(f"elasticsearch:{elasticsearch_url}/{name}", embedder=Letters(), vectors=False) as other:
        assert labels(other, "Ann") == ["Ann"]


# Building -------------------------------------------------------------------------------------------------


def test_a_build_takes_the_place_of_the_index_in_use(client: Elasticsearch, index: ElasticIndex, name: str) -> None:
    assert index.store.build([person("Ann")]) == 1
    [first] = indices(client, name)
    assert first.startswith(f"{name}-20")
    assert list(client.indices.get_alias(name=name)) == [first]
    assert index.store.build([person("Bob"), person("Cid")]) == 2
    [second] = indices(client, name)
    assert second != first
    assert labels(index, "Ann") == []
    assert labels(index, "Bob") == ["Bob"]
    settings = client.indices.get_settings(index=second)[second]["settings"]["index"]
    assert "refresh_interval" not in settings
    assert settings["auto_expand_replicas"] == "0-1"
    assert index.store.unfinished() == []


def broken(*entries: Entry) -> Iterator[Entry]:
    yield from entries
    raise RuntimeError("the dump ends here")


def test_a_build_that_fails_does_not_harm_the_index_in_use(
    client: Elasticsearch, index: ElasticIndex, name: str
) -> None:
    index.store.build([person("Ann")])
    with pytest.raises(RuntimeError, match="the dump ends here"):
        index.store.build(broken(person("Bob")))
    assert labels(index, "Ann") == ["Ann"]
    assert labels(index, "Bob") == []
    [left] = index.store.unfinished()
    index.store.build([person("Cid")])
    assert index.store.unfinished() == []
    assert left not in indices(client, name)
    assert len(indices(client, name)) == 1


@pytest.mark.parametrize("fingerprint", ["", "sha256:1"])
def test_a_build_that_resumes_has_nothing_twice_and_loses_nothing(
    client: Elasticsearch, index: ElasticIndex, name: str, fingerprint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "_CHUNK", 10)
    monkeypatch.setattr(filling, "_MARKED", 20)
    entries = [person(f"name {at}") for at in range(100)]
    with pytest.raises(RuntimeError):
        index.store.build(broken(*entries[:70]), fingerprint=fingerprint)
    [left] = index.store.unfinished()
    told: list[int] = []
    assert index.store.build(entries, resume=True, fingerprint=fingerprint, progress=told.append) == 100
    assert told[0] == (50 if fingerprint else 10)
    assert indices(client, name) == [left]
    assert client.count(index=name)["count"] == 100


def test_a_build_of_other_entries_does_not_go_on_with_an_unfinished_one(
    client: Elasticsearch, index: ElasticIndex, name: str
) -> None:
    with pytest.raises(RuntimeError):
        index.store.build(broken(person("Ann")), fingerprint="one")
    index.store.build([person("Bob")], resume=True, fingerprint="two")
    assert client.count(index=name)["count"] == 1
    assert len(indices(client, name)) == 1


def test_an_index_that_is_deleted_while_it_is_built_is_an_error(
    client: Elasticsearch, index: ElasticIndex, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "_CHUNK", 1)

    def entries() -> Iterator[Entry]:
        yield person("Ann")
        client.indices.delete(index=index.store.unfinished())
        for at in range(9):
            yield person(f"name {at}")

    with pytest.raises(SearchError, match="has no index of that name"):
        index.store.build(entries())
    assert not client.indices.exists(index=name)
    client.indices.create(index=name)


@pytest.mark.parametrize("write", ["store.build", "add"])
def test_an_index_of_somebody_else_is_not_written_to(
    client: Elasticsearch, index: ElasticIndex, name: str, write: str
) -> None:
    client.indices.create(index=f"{name}-theirs", aliases={name: {}})
    with pytest.raises(SearchError, match=r"is not one that Triad built; 'triad index'"):
        operator.attrgetter(write)(index)([person("Ann")])
    assert indices(client, name) == [f"{name}-theirs"]


def test_a_name_that_is_an_index_itself_does_not_become_an_alias(
    client: Elasticsearch, index: ElasticIndex, name: str
) -> None:
    client.indices.create(index=name)
    with pytest.raises(SearchError, match="is the name of an index itself"):
        index.store.build([person("Ann")])
    assert indices(client, name) == [name]


# Faults ---------------------------------------------------------------------------------------------------


def test_a_missing_index_is_told(index: ElasticIndex, client: Elasticsearch, name: str) -> None:
    with pytest.raises(SearchError, match=rf"the index 'elasticsearch:.*/{name}' has no index of that name"):
        index.search("Ann")
    client.indices.create(index=name)


def test_an_index_that_triad_did_not_build_is_told(index: ElasticIndex, client: Elasticsearch, name: str) -> None:
    client.indices.create(index=name)
    with pytest.raises(SearchError, match="is not one that Triad built; 'triad index'"):
        index.search("Ann")


def test_a_newer_mapping_is_told(index: ElasticIndex, client: Elasticsearch, name: str) -> None:
    client.indices.create(index=name, mappings={"_meta": {"triad": {"version": VERSION + 1}}})
    with pytest.raises(SearchError, match=f"a mapping of version {VERSION + 1}, newer than {VERSION}.*upgrade Triad"):
        index.search("Ann")


def test_a_red_index_is_told(index: ElasticIndex, client: Elasticsearch, name: str) -> None:
    index.add([person("Ann")])
    [built] = client.indices.get(index=name).values()
    settings = {
        key: built["settings"]["index"][key] for key in ("analysis", "similarity") if key in built["settings"]["index"]
    }
    nowhere = {"routing": {"allocation": {"require": {"_name": "nobody"}}}}
    red = f"{name}-red"
    client.indices.create(
        index=red, mappings=built["mappings"], settings={**settings, **nowhere}, wait_for_active_shards="0"
    )
    try:
        with open_index(index.name.replace(name, red)) as found, pytest.raises(SearchError, match="it is red"):
            found.search("Ann")
    finally:
        client.indices.delete(index=red)


@pytest.mark.parametrize("block", ["read_only_allow_delete", "read_only", "write"])
def test_an_index_that_takes_no_changes_is_told(
    index: ElasticIndex, client: Elasticsearch, name: str, block: str
) -> None:
    index.add([person("Ann")])
    client.indices.put_settings(index=name, settings={f"index.blocks.{block}": True})
    with pytest.raises(SearchError, match="takes no changes, as it is read-only or its disk is full"):
        index.add([person("Bob")])
    assert labels(index, "Ann") == ["Ann"]
    client.indices.put_settings(index=name, settings={f"index.blocks.{block}": None})


@pytest.fixture(scope="module")
def secure(elasticsearch_url: str) -> Iterator[services.Service]:
    """An Elasticsearch with TLS and a password."""
    service = services.start("elasticsearch", "secure", 19202, secure=True)
    yield service
    services.stop(service)


def test_a_server_with_tls_and_a_password_is_used(secure: services.Service) -> None:
    host = secure.url.removeprefix("https://")
    source = f"elasticsearch:https://{services.USER}:{services.PASSWORD}@{host}/test-secure"
    with ElasticIndex(source, ca_file=secure.certificate) as index:
        assert index.store.build([person("Ann")]) == 1
        assert labels(index, "Ann") == ["Ann"]
    with open_index(source, verify=False) as index:
        assert labels(index, "Ann") == ["Ann"]


def test_a_wrong_password_is_told(secure: services.Service) -> None:
    source = f"elasticsearch:{secure.url}/test-secure"
    options: dict[str, Any] = {"ca_file": secure.certificate, "user": services.USER}
    with (
        open_index(source, password=SECRET, **options) as index,
        pytest.raises(SearchError, match="refused the user and password") as caught,
    ):
        index.search("Ann")
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    with open_index(source, ca_file=secure.certificate) as index, pytest.raises(SearchError, match="or was given none"):
        index.search("Ann")


def test_an_untrusted_certificate_is_told(secure: services.Service) -> None:
    with (
        open_index(f"elasticsearch:{secure.url}/test-secure") as index,
        pytest.raises(SearchError, match=r"has a certificate that is not trusted.*'ca_file'"),
    ):
        index.search("Ann")


def test_http_in_place_of_https_is_told_and_the_other_way_round(
    secure: services.Service, elasticsearch_url: str
) -> None:
    with (
        open_index(f"elasticsearch:{secure.url.replace('https', 'http')}/test-secure") as index,
        pytest.raises(SearchError, match="cannot be reached"),
    ):
        index.search("Ann")
    with (
        open_index(f"elasticsearch:{elasticsearch_url.replace('http', 'https')}/test") as index,
        pytest.raises(SearchError, match="speaks no TLS"),
    ):
        index.search("Ann")
