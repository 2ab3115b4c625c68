from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.services.fixtures import index_name
from triad.kg.endpoint import EndpointGraph
from triad.search.base import CLOSE, Entry, LabelIndex, Lookup
from triad.search.elastic.index import ElasticIndex
from triad.search.endpoint import EndpointIndex
from triad.search.local import LocalIndex

EX = "http://example.org/"


def in_memory(request: pytest.FixtureRequest) -> LabelIndex:
    entries = request.getfixturevalue("entries")
    index = LocalIndex()
    assert index.add(entries) == len(entries)
    return index


def on_disk(request: pytest.FixtureRequest) -> LabelIndex:
    folder = request.getfixturevalue("tmp_path") / "labels"
    with LocalIndex.create(folder) as index:
        index.add(request.getfixturevalue("entries"))
    return LocalIndex(folder)


def by_sparql(request: pytest.FixtureRequest) -> LabelIndex:
    return EndpointIndex(request.getfixturevalue("tiny_graph"))


def on_virtuoso(request: pytest.FixtureRequest) -> LabelIndex:
    return by_full_text(request, "virtuoso")


def on_fuseki(request: pytest.FixtureRequest) -> LabelIndex:
    return by_full_text(request, "fuseki")


def by_full_text(request: pytest.FixtureRequest, server: str) -> LabelIndex:
    data = request.getfixturevalue("tiny_graph").turtle()
    graph = EndpointGraph(request.getfixturevalue(server).hold(data))
    assert graph.dialect == server
    return EndpointIndex(graph)


@pytest.fixture(scope="module")
def elastic_address(elasticsearch_url: str, entries: tuple[Entry, ...]) -> Iterator[str]:
    """An index in Elasticsearch, built once as no test changes it."""
    with index_name(elasticsearch_url) as name:
        address = f"elasticsearch:{elasticsearch_url}/{name}"
        with ElasticIndex(address) as index:
            assert index.store.build(entries) == len(entries)
        yield address


def in_elasticsearch(request: pytest.FixtureRequest) -> LabelIndex:
    return ElasticIndex(request.getfixturevalue("elastic_address"))


@pytest.fixture(
    params=[
        *(in_memory, on_disk, by_sparql),
        *(pytest.param(on, marks=pytest.mark.server) for on in (in_elasticsearch, on_virtuoso, on_fuseki)),
    ]
)
def index(request: pytest.FixtureRequest) -> Iterator[LabelIndex]:
    open_it: Callable[[pytest.FixtureRequest], LabelIndex] = request.param
    with open_it(request) as index:
        yield index


def iris(index: LabelIndex, text: str, **options: object) -> list[str]:
    return [candidate.iri.removeprefix(EX) for candidate in index.search(text, **options)]  # type: ignore[arg-type]


def test_a_name_that_is_equal_comes_first_and_is_exact(index: LabelIndex) -> None:
    best = index.search("Stanley Kubrick")[0]
    assert best.iri == EX + "Kubrick"
    assert best.exact
    assert best.matched == best.label == "Stanley Kubrick"
    assert CLOSE < best.score <= 1


@pytest.mark.parametrize("text", ["stanley kubrick", "STANLEY KUBRICK", "Stanley_Kubrick", " stanley kubrick "])
def test_case_and_underscores_do_not_count(index: LabelIndex, text: str) -> None:
    best = index.search(text)[0]
    assert (best.iri, best.exact) == (EX + "Kubrick", True)


def test_an_alias_is_a_name(index: LabelIndex) -> None:
    best = index.search("sampa")[0]
    assert (best.iri, best.exact, best.label, best.matched) == (EX + "Sao_Paulo", True, "São Paulo", "Sampa")


def test_c_plus_plus_is_not_c_sharp(index: LabelIndex) -> None:
    assert iris(index, "C++")[0] == "Cpp"
    assert iris(index, "C#")[0] == "CSharp"


@pytest.mark.parametrize(("text", "iri"), [("films", "Film"), ("countries", "Country"), ("birth places", "birthPlace")])
def test_a_name_in_the_other_number_is_close_but_not_exact(index: LabelIndex, text: str, iri: str) -> None:
    best = index.search(text, kind="relation" if iri == "birthPlace" else "class")[0]
    assert best.iri == EX + iri
    assert best.score >= CLOSE
    assert not best.exact


def test_a_part_of_a_name_finds_the_whole(index: LabelIndex) -> None:
    best = index.search("kubrick")[0]
    assert best.iri == EX + "Kubrick"
    assert best.score < CLOSE
    assert not best.exact


def test_words_may_come_in_another_order(index: LabelIndex) -> None:
    assert iris(index, "kubrick stanley")[0] == "Kubrick"


def test_kinds_are_told_apart(index: LabelIndex) -> None:
    assert iris(index, "film", kind="class") == ["Film"]
    assert iris(index, "film", kind="entity") == ["FilmEntity"]
    assert {candidate.kind for candidate in index.search("film")} == {"class", "entity"}


def test_several_kinds_may_be_asked_for(index: LabelIndex) -> None:
    [found] = index.search_many([Lookup("film", ("class", "relation"))])
    assert [candidate.iri for candidate in found] == [EX + "Film"]


def test_description_and_types_come_along(index: LabelIndex) -> None:
    best = index.search("Stanley Kubrick")[0]
    assert best.description == "film director"
    assert best.types == (EX + "Person",)


def test_the_limit_holds(index: LabelIndex) -> None:
    assert len(index.search("stanley")) == 2
    assert len(index.search("stanley", limit=1)) == 1
    assert index.search("stanley", limit=0) == []


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_a_blank_text_has_no_candidates(index: LabelIndex, text: str) -> None:
    assert index.search(text) == []


@pytest.mark.parametrize(
    "text", ["...", '"', "'", "\\", '" . } DELETE WHERE { ?s ?p ?o }', "AND", "NOT (", "\x00", "*", "[a TO"]
)
def test_a_text_of_syntax_is_looked_up_like_any_other(index: LabelIndex, text: str) -> None:
    assert all(not candidate.exact for candidate in index.search(text))


def test_nothing_is_found_for_what_is_not_there(index: LabelIndex) -> None:
    assert index.search("zzyzx quux") == []


def test_a_name_with_instructions_and_markup_survives_unchanged(index: LabelIndex, entries: tuple[Entry, ...]) -> None:
    trap = entries[-1]
    best = index.search(trap.label)[0]
    assert (best.iri, best.label, best.exact) == (trap.iri, trap.label, True)


def test_look_ups_are_answered_in_their_order(index: LabelIndex) -> None:
    found = index.search_many([Lookup("Film", ("class",)), Lookup(""), Lookup("Sampa", limit=1)])
    assert [[candidate.iri for candidate in candidates] for candidates in found] == [
        [EX + "Film"],
        [],
        [EX + "Sao_Paulo"],
    ]


def test_no_look_ups_have_no_answers(index: LabelIndex) -> None:
    assert index.search_many([]) == []


def test_scores_fall_and_are_the_same_each_time(index: LabelIndex) -> None:
    found = index.search("stanley kubrick film")
    assert [candidate.score for candidate in found] == sorted((c.score for c in found), reverse=True)
    assert found == index.search("stanley kubrick film")


def test_threads_get_the_same_answers(index: LabelIndex) -> None:
    texts = ["Stanley Kubrick", "films", "Sampa", "birth places"] * 4
    expected = [index.search(text) for text in texts]
    start = threading.Barrier(4)

    def search(_: int) -> list[object]:
        start.wait()
        return [index.search(text) for text in texts]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(search, range(4))) == [expected] * 4
