"""Words that name named graphs."""

from __future__ import annotations

import pytest

from triad.kg.profile import GraphProfile
from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.lexical.composition.sources import Source, find_sources
from triad.lexical.mention_detection import LinkedMention
from triad.questions import Candidate
from triad.rdf import IRI
from triad.sparql.patterns import EdgePattern, NegatedPart, Path, Variable
from triad.sparql.query_graph import QueryGraph
from triad.sparql.writer import render

X, N = Variable("x"), Variable("n")
YEARS = ("http://example.org/facts/registry", "http://example.org/facts/y2022", "http://example.org/facts/y2023")
MONTHS = tuple(f"http://example.org/{month}/sales" for month in ("2022-11", "2022-12", "2023-01"))
MADE = ("http://example.org/g/oldArchive", "http://example.org/g/museum%20of%20Ulm", "http://example.org/g/v2")


def found(
    graphs: tuple[str, ...], text: str, language: str = "en", mentions: tuple[LinkedMention, ...] = ()
) -> set[tuple[str, str, str]]:
    """Return the words, their role, and the ends of the IRIs of the graphs."""
    pack = load_pack(language)
    analysis = analyse(text, pack)
    profile = GraphProfile(graphs=dict.fromkeys(("", *graphs), 1))
    return {
        (
            text[analysis.words[one.start].start : analysis.words[one.end - 1].end],
            one.role,
            " ".join(iri.removeprefix("http://example.org/") for iri in one.graphs),
        )
        for one in find_sources(analysis, pack, profile, mentions)
    }


@pytest.mark.parametrize(
    ("graphs", "text", "words"),
    [
        (YEARS, "sales of Ulm in 2022", {("2022", "in", "facts/y2022")}),
        (YEARS, "sales of Ulm in 2021", set()),
        (YEARS, "shops in the registry", {("registry", "in", "facts/registry")}),
        (MONTHS, "sales in 2022", {("2022", "in", "2022-11/sales 2022-12/sales")}),
        (MONTHS, "shops in December 2022", {("2022", "in", "2022-11/sales 2022-12/sales")}),
        (MADE, "works in the old archive", {("old archive", "in", "g/oldArchive")}),
        (MADE, "Who owns 2 works?", set()),
        (YEARS[:1], "shops in the registry", set()),
    ],
)
def test_a_named_graph_is_called_by_what_tells_its_iri_from_others(
    graphs: tuple[str, ...], text: str, words: set[tuple[str, str, str]]
) -> None:
    assert words <= found(graphs, text)
    assert bool(words) == bool(found(graphs, text))


def test_months_and_spans_of_time_mean_the_named_graphs_within_them() -> None:
    assert ("in December 2022", "in", "2022-12/sales") in found(MONTHS, "shops in December 2022")
    assert ("after 2022", "in", "2023-01/sales") in found(MONTHS, "sales after 2022")
    assert ("since 2022", "in", "facts/y2022 facts/y2023") in found(YEARS, "sales since 2022")
    assert found(YEARS, "sales before 2023") == {("before 2023", "in", "facts/y2022")}


def test_a_named_graph_with_a_label_is_found_by_it() -> None:
    mention = LinkedMention(3, 6, Candidate(MADE[2], "entity", "List of Loans", score=1.0))
    assert ("List of Loans", "in", "g/v2") in found(MADE, "works in the List of Loans", mentions=(mention,))


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "Did Ulm sell more in 2023 than in 2022?", {("more", "more"), ("2023", "in"), ("than in 2022", "than")}),
        ("de", "Hat Ulm 2023 weniger verkauft als 2022?", {("weniger", "less"), ("2023", "in"), ("als 2022", "than")}),
        (
            "en",
            "Was Ulm cheaper in 2023 than in 2022?",
            {("cheaper", "less"), ("2023", "in"), ("than in 2022", "than")},
        ),
    ],
)
def test_two_named_graphs_may_be_compared(language: str, text: str, words: set[tuple[str, str]]) -> None:
    assert {(said, role) for said, role, _ in found(YEARS, text, language)} == words


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        ("en", "In which year were the sales highest?", "year"),
        ("de", "In welchem Jahr waren die Verkäufe am höchsten?", "Jahr"),
        ("fr", "En quelle année les ventes étaient-elles les plus élevées ?", "année"),
        ("en", "Which facts have the sales?", "facts"),
    ],
)
def test_words_may_ask_for_the_named_graph(language: str, text: str, word: str) -> None:
    assert {(said, role) for said, role, _ in found(YEARS, text, language)} == {(word, "which")}


# In queries -----------------------------------------------------------------------------------------------


def rendered(source: Source, query: QueryGraph) -> str:
    return render(source.applied(query))


SOLD = EdgePattern(X, IRI("sold"), N)
SHOP = EdgePattern(X, IRI("shop"), Variable("y"))
WITHIN = Source(("a",), frozenset({"sold"}))


def test_only_what_stands_in_a_named_graph_is_looked_for_there() -> None:
    query = QueryGraph.of(X, SOLD, SHOP, EdgePattern(X, Path((IRI("sold"),), "+"), Variable("z")))
    assert rendered(WITHIN, query) == (
        "SELECT DISTINCT ?x { GRAPH <a> { ?x <sold> ?n . ?x <sold>+ ?z . } ?x <shop> ?y . }"
    )
    assert WITHIN.applied(WITHIN.applied(query)) == WITHIN.applied(query)


def test_what_is_left_out_is_left_out_within_the_named_graph() -> None:
    query = QueryGraph.of(X, SHOP, NegatedPart((SOLD,)))
    assert "FILTER NOT EXISTS { GRAPH <a> { ?x <sold> ?n . } }" in rendered(WITHIN, query)


def test_rows_of_several_named_graphs_stay_apart_within_sub_selects() -> None:
    inner = QueryGraph((X, N), (SOLD,), distinct=True)
    query = rendered(Source(("a", "b"), frozenset({"sold"})), QueryGraph((N,), (inner,)))
    assert "SELECT DISTINCT ?x ?n ?source { VALUES ?source { <a> <b> } GRAPH ?source { ?x <sold> ?n . } }" in query


def test_the_named_graph_may_be_a_column() -> None:
    assert rendered(Source(("a", "b"), frozenset({"sold"}), "last"), QueryGraph.of(N, SOLD)).startswith(
        "SELECT DISTINCT ?n ?source {"
    )
    assert rendered(Source(("a",), frozenset({"sold"}), "only"), QueryGraph.of(N, SOLD)).startswith(
        "SELECT DISTINCT ?source {"
    )
