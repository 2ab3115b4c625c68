"""Variables are called what they stand for."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from triad import sparql
from triad.queries.naming import variable_names
from triad.sparql.patterns import Variable

LABELS = {
    "Film": "film",
    "Stadt": "Städte (alle)",
    "made": "directed by",
    "km": "length (km)",
    "город": "город",
    "1st": "1st",
    "owns": "has part",
}


def labels(iris: Iterable[str]) -> dict[str, str]:
    return {iri: LABELS.get(iri, iri) for iri in iris}


def _aggregated(function: str, of: str) -> str:
    return f"{of}s" if function == "count" else f"{function} {of}"


def named(query: str) -> str:
    tree = sparql.parse(query)
    classes = {("made", False): "Film", ("shows", True): "Film"}
    names = variable_names(tree, labels, lambda *end: classes.get(end), _aggregated, {"x9": "Speed (km/h)"})
    new = {Variable(old): Variable(name) for old, name in names.items()}
    return " ".join(sparql.write(sparql.substituted(tree, new)).split())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT ?x { ?x a <Film> }", "SELECT ?film WHERE { ?film a <Film> . }"),
        ("SELECT ?x { <Dune> <made> ?x }", "SELECT ?directed_by WHERE { <Dune> <made> ?directed_by . }"),
        ("SELECT ?x { <A> <shows> ?x }", "SELECT ?film WHERE { <A> <shows> ?film . }"),
        ("SELECT ?x { <A> <owns> ?x }", "SELECT ?part WHERE { <A> <owns> ?part . }"),
        ("SELECT ?answer { ?answer <made> <Ann> }", "SELECT ?film WHERE { ?film <made> <Ann> . }"),
        ("SELECT ?x { <Ann> ^<made> ?x }", "SELECT ?film WHERE { <Ann> ^<made> ?film . }"),
        ("SELECT ?x { ?x <km> <Ann> }", "SELECT ?thing WHERE { ?thing <km> <Ann> . }"),
        ("SELECT ?x { <A> <km> ?x . ?x a <Stadt> }", "SELECT ?städte WHERE { <A> <km> ?städte . ?städte a <Stadt> . }"),
        ("SELECT ?x { <A> <made>/<km> ?x }", "SELECT ?length WHERE { <A> <made> / <km> ?length . }"),
        ("SELECT ?film ?x { ?x <made> ?film }", "SELECT ?film ?film2 WHERE { ?film2 <made> ?film . }"),
        ("SELECT ?x { <A> <город> ?x }", "SELECT ?город WHERE { <A> <город> ?город . }"),
        ("SELECT ?x { <A> <1st> ?x }", "SELECT ?value WHERE { <A> <1st> ?value . }"),
        ("SELECT ?s ?p ?o { ?s ?p ?o }", "SELECT ?thing ?relation ?value WHERE { ?thing ?relation ?value . }"),
        (
            "SELECT (MAX(?y) AS ?x) { ?z <km> ?y }",
            "SELECT (MAX(?length) AS ?max_length) WHERE { ?thing <km> ?length . }",
        ),
        (
            "SELECT (AVG(?y) AS ?avg) { ?z <km> ?y }",
            "SELECT (AVG(?length) AS ?avg_length) WHERE { ?thing <km> ?length . }",
        ),
        ("SELECT (COUNT(?x) AS ?count1) { ?x a <Film> }", "SELECT (COUNT(?film) AS ?films) WHERE { ?film a <Film> . }"),
        ("SELECT (COUNT(*) AS ?count) { ?x a <Film> }", "SELECT (COUNT(*) AS ?count) WHERE { ?film a <Film> . }"),
        ("SELECT ?runtime { ?f <km> ?runtime }", "SELECT ?runtime WHERE { ?thing <km> ?runtime . }"),
        (
            "SELECT ?x9 { ?f a <Film> BIND(2 * 3 AS ?x9) }",
            "SELECT ?speed WHERE { ?film a <Film> . BIND (2 * 3 AS ?speed) }",
        ),
        ("ASK { GRAPH ?g { <A> <km> 5 } }", "ASK WHERE { GRAPH ?graph { <A> <km> 5 . } }"),
    ],
)
def test_a_variable_is_called_by_what_it_stands_for(query: str, expected: str) -> None:
    assert named(query) == expected


def test_a_class_counts_that_is_listed_first() -> None:
    query = "SELECT ?x { VALUES ?k { <Film> <Novel> } ?x a ?k }"
    assert named(query) == "SELECT ?film WHERE { VALUES ?kind { <Film> <Novel> } ?film a ?kind . }"


def test_telling_names_stay_and_nothing_is_looked_up() -> None:
    def fail(_: Iterable[str]) -> dict[str, str]:
        raise AssertionError

    assert (
        variable_names(sparql.parse("SELECT ?film { ?film <made> ?by_whom }"), fail, lambda *_: None, _aggregated, {})
        == {}
    )


def test_the_same_value_in_a_part_of_a_query_has_a_number() -> None:
    query = "SELECT ?x { ?x <km> ?y . { SELECT (MAX(?v1) AS ?z) { ?v2 a <Film> ; <km> ?v1 } } FILTER(?y = ?z) }"
    assert named(query) == (
        "SELECT ?thing WHERE { ?thing <km> ?length . "
        "{ SELECT (MAX(?length2) AS ?max_length) WHERE { ?film a <Film> . ?film <km> ?length2 . } } "
        "FILTER (?length = ?max_length) }"
    )
