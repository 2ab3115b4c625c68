"""What every index of passages does: in memory, in a folder, and in Elasticsearch."""

from __future__ import annotations

import uuid
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from itertools import count
from pathlib import Path

import pytest

from tests.services.fixtures import index_name
from triad.embedding import Embedder
from triad.errors import SearchError
from triad.rdf import IRI, BlankNode, Literal, Triple
from triad.retrieval.search import Filters, Passage, PassageIndex, Sentence, open_passages
from triad.retrieval.search.elastic import ElasticPassages
from triad.retrieval.search.embedded import LocalPassages

EX = "http://example.org/"
FACT = Triple(IRI(EX + "momo"), IRI(EX + "by"), Literal("Michael Ende", language="de"))
DATED = Triple(BlankNode("b0"), IRI(EX + "year"), Literal("1973", EX + "year"))


class WordVectors(Embedder):
    """Texts with the same words have the same vectors, and girls are children."""

    name = "words"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        vectors = []
        for text in texts:
            vector = [0.0] * 1024
            for word in text.lower().replace("girl", "child").replace(".", " ").replace("?", " ").split():
                vector[zlib.crc32(word.encode()) % 1024] += 1.0
            vectors.append(vector)
        return vectors


PASSAGES = (
    Passage(
        f"{EX}momo 1",
        "Momo",
        (Sentence("Momo is a Novel.", (FACT, DATED)), Sentence("About: a girl who listens.")),
        things=(EX + "momo",),
        classes=(EX + "Novel",),
        language="en",
        after=f"{EX}momo 2",
    ),
    Passage(
        f"{EX}momo 2",
        "Momo",
        (Sentence("Momo is the favourite of: Ann, Bob."),),
        things=(EX + "momo",),
        classes=(EX + "Novel",),
        language="en",
        before=f"{EX}momo 1",
    ),
    Passage(
        "news/de.md#Neues 1",
        "Neues – Bücher",
        (Sentence("Die Bücher werden neu aufgelegt."),),
        "documents",
        (EX + "momo",),
        language="de",
        date="2024-05-12",
        document="news/de.md",
        headings=("Neues", "Bücher"),
    ),
    Passage("old.md 1", "Prices", (Sentence("A novel costs 12,50 €."),), "documents", language="en", date="2019"),
)

Start = Callable[[Embedder | None], PassageIndex]
Filled = Callable[[bool], PassageIndex]


KINDS = ["folder", pytest.param("elasticsearch", marks=pytest.mark.server)]


@contextmanager
def starting(request: pytest.FixtureRequest, folder: Path) -> Iterator[Start]:
    """Start empty indices of a kind, those in folders within one."""
    if request.param == "folder":
        numbers = count()
        yield lambda embedder: LocalPassages(folder / f"index {next(numbers)}", embedder)
        return
    url = request.getfixturevalue("elasticsearch_url")
    with ExitStack() as opened:

        def begin(embedder: Embedder | None) -> PassageIndex:
            name = opened.enter_context(index_name(url))
            return opened.enter_context(ElasticPassages(f"elasticsearch:{url}/{name}", embedder))

        yield begin


@pytest.fixture(params=KINDS)
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Start]:
    """Start an empty index of each kind."""
    with starting(request, tmp_path) as start:
        yield start


@pytest.fixture(scope="module", params=KINDS)
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    """Return an index of each kind with the passages, and perhaps with vectors, that tests only search."""
    with starting(request, tmp_path_factory.mktemp("filled")) as start:

        @cache
        def made(vectors: bool) -> PassageIndex:
            index = start(WordVectors() if vectors else None)
            index.add(PASSAGES)
            return index

        yield made


@pytest.fixture
def index(filled: Filled) -> PassageIndex:
    return filled(False)


def ids(index: PassageIndex, text: str, limit: int = 10, filters: Filters | None = None) -> list[str]:
    return [hit.passage.id for hit in index.search(text, limit, filters)]


@pytest.mark.slow
def test_a_passage_is_found_and_comes_back_as_it_was(index: PassageIndex) -> None:
    [hit] = index.search("Which girl listens?", 1)
    assert hit.passage == PASSAGES[0]
    assert hit.ranks == {"words": 1}
    assert len(index) == 4


@pytest.mark.slow
def test_words_are_found_in_other_forms_and_languages(index: PassageIndex) -> None:
    assert ids(index, "Was wird neu aufgelegt?", 1) == ["news/de.md#Neues 1"]
    assert ids(index, "Buches Aufgelegt", 1) == ["news/de.md#Neues 1"]
    assert ids(index, "cost of novels", 1) == ["old.md 1"]


@pytest.mark.slow(0.1)
def test_a_number_is_found_in_either_notation(index: PassageIndex) -> None:
    assert ids(index, "12.50", 1) == ["old.md 1"]


@pytest.mark.slow(0.1)
def test_the_best_part_of_each_thing_comes_first(index: PassageIndex) -> None:
    assert ids(index, "Momo novel favourite costs")[:2] in ([f"{EX}momo 2", "old.md 1"], ["old.md 1", f"{EX}momo 2"])


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(sources=frozenset({"documents"})), {"news/de.md#Neues 1", "old.md 1"}),
        (Filters(languages=frozenset({"de"})), {"news/de.md#Neues 1"}),
        (Filters(classes=frozenset({EX + "Novel"})), {f"{EX}momo 1", f"{EX}momo 2"}),
        (Filters(things=frozenset({EX + "momo"})), {f"{EX}momo 1", f"{EX}momo 2", "news/de.md#Neues 1"}),
        (Filters(since="2019-06"), {"news/de.md#Neues 1"}),
        (Filters(until="2019"), {"old.md 1"}),
        (Filters(since="2019", until="2024-05-12"), {"news/de.md#Neues 1", "old.md 1"}),
        (Filters(classes=frozenset({EX + "Film"})), set()),
    ],
)
@pytest.mark.parametrize("vectors", [False, True])
def test_filters_hold_for_words_and_vectors(
    filled: Filled, filters: Filters, expected: set[str], vectors: bool
) -> None:
    assert set(ids(filled(vectors), "Momo novel Bücher costs favourite", filters=filters)) == expected


def test_with_an_embedder_passages_are_found_that_share_no_word(filled: Filled) -> None:
    [hit, *_] = filled(True).search("child", 1)
    assert (hit.passage.id, hit.ranks) == (f"{EX}momo 1", {"vectors": 1})


def test_a_passage_that_is_added_again_is_replaced(start: Start) -> None:
    index = start(WordVectors())
    index.add(PASSAGES)
    index.add([Passage("old.md 1", "Prices", (Sentence("A comic costs nothing."),), "documents")])
    assert len(index) == 4
    assert ids(index, "comic", 1) == ["old.md 1"]
    assert index.get(["old.md 1"])[0].text == "A comic costs nothing."


def test_what_is_removed_is_not_found_any_more(start: Start) -> None:
    index = start(WordVectors())
    index.add(PASSAGES)
    index.remove(["old.md 1", "never there"])
    assert "old.md 1" not in ids(index, "novel costs")
    assert index.get(["old.md 1", f"{EX}momo 2"]) == [PASSAGES[1]]
    assert len(index) == 3


@pytest.mark.parametrize("text", ["", "   ", "?!", "the", "title:x AND (", "\ud800", "x" * 100_000, "\0\u202e"])
def test_any_text_can_be_searched_for(index: PassageIndex, text: str) -> None:
    assert isinstance(ids(index, text), list)
    assert index.search("Momo", 0) == []


def test_a_long_id_is_an_id(start: Start) -> None:
    index = start(None)
    long = Passage(f"{EX}{'ü' * 600} 1", "Long", (Sentence("Umlauts."),))
    index.add([long])
    assert ids(index, "umlauts") == [long.id]
    assert index.get([long.id]) == [long]


def test_an_index_in_a_folder_is_opened_again(tmp_path: Path) -> None:
    LocalPassages(tmp_path, WordVectors()).add(PASSAGES)
    again = open_passages(tmp_path, WordVectors())
    assert ids(again, "child", 1) == [f"{EX}momo 1"]
    assert ids(open_passages(tmp_path), "Wie viele Bücher?", 1) == ["news/de.md#Neues 1"]
    with pytest.raises(SearchError, match="for searching only"):
        again.add(PASSAGES)


def test_vectors_of_another_embedder_are_not_compared(tmp_path: Path) -> None:
    LocalPassages(tmp_path, WordVectors()).add(PASSAGES)
    other = WordVectors()
    other.name = "others"
    with pytest.raises(SearchError, match="those of 'words', and not of 'others'"):
        open_passages(tmp_path, other)


@pytest.mark.parametrize("damage", ["search.json", "vectors.json"])
def test_a_damaged_index_says_so(tmp_path: Path, damage: str) -> None:
    LocalPassages(tmp_path, WordVectors()).add(PASSAGES)
    (tmp_path / damage).write_text("{", encoding="utf-8")
    with pytest.raises(SearchError, match=str(tmp_path.name)):
        open_passages(tmp_path, WordVectors())


def test_where_there_are_no_passages_the_way_to_them_is_told(tmp_path: Path) -> None:
    with pytest.raises(SearchError, match="triad index --passages"):
        open_passages(tmp_path / "nothing")
    with pytest.raises(SearchError, match="triad index --passages"):
        open_passages(tmp_path)


@pytest.mark.server
def test_an_index_of_something_else_is_not_touched(elasticsearch_url: str) -> None:
    name = f"other-{uuid.uuid4().hex[:12]}"
    with closing(ElasticPassages(f"elasticsearch:{elasticsearch_url}/{name}")) as index:
        index.client.indices.create(index=name)
        try:
            with pytest.raises(SearchError, match="not one of passages"):
                index.search("Momo")
            with pytest.raises(SearchError, match="not one of passages"):
                index.add(PASSAGES)
        finally:
            index.client.indices.delete(index=name)
