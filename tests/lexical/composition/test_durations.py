"""Differences of dates: two implementations of SPARQL compute what the calendar says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pyoxigraph
import pytest
import rdflib
from rdflib.plugins.sparql import prepareQuery

from tests.lexical.composition.conftest import Reading
from triad.agent import Agent
from triad.lexical.composition.durations import Duration
from triad.lexical.composition.elements import Column, Thing
from triad.rdf import IRI
from triad.sparql.writer import render

PAIRS = [
    ("1899-12-31", "1900-03-01"),
    ("1900-02-28", "1900-03-01"),
    ("1996-02-29", "2001-03-01"),
    ("2024-12-31", "2000-02-29"),
    ("2024-01-31", "2024-01-31"),
]


def _query(unit: str) -> str:
    thing = Thing(0, terms=(IRI("http://example.org/x"),))
    partial = Duration(
        (thing,),
        columns=(Column(0, "http://example.org/begin", unit),),
        begin=(0, "http://example.org/begin"),
        end=(0, "http://example.org/end"),
    )
    return render(partial.query())


def _data(begin: str, end: str) -> str:
    kind = "<http://www.w3.org/2001/XMLSchema#date>"
    facts = {"begin": begin, "end": end}
    return " ".join(
        f'<http://example.org/x> <http://example.org/{name}> "{value}"^^{kind} .' for name, value in facts.items()
    )


def _values(store: pyoxigraph.Store, query: str) -> list[int]:
    # Apart, for rdflib's parser holds on to the frames that it was called from, and the engine's results must be freed
    # by the thread that made them.
    solutions = store.query(query)
    assert isinstance(solutions, pyoxigraph.QuerySolutions)
    return [int(row[0].value) for row in solutions if isinstance(row[0], pyoxigraph.Literal)]


def _years(begin: date, end: date) -> int:
    return end.year - begin.year - ((end.month, end.day) < (begin.month, begin.day))


@pytest.mark.slow
def test_days_and_years_are_those_of_the_calendar_whichever_date_is_the_earlier_one() -> None:
    prepared = {unit: prepareQuery(_query(unit)) for unit in ("DAYS", "YEARS")}  # rdflib reads a query slowly
    for begin, end in PAIRS:
        first, last = sorted(map(date.fromisoformat, (begin, end)))
        store, graph = pyoxigraph.Store(), rdflib.Graph().parse(data=_data(begin, end), format="turtle")
        store.load(_data(begin, end).encode(), format=pyoxigraph.RdfFormat.TURTLE)

        for unit, expected in (("DAYS", (last - first).days), ("YEARS", _years(first, last))):
            theirs = list(graph.query(prepared[unit]).bindings)
            assert _values(store, _query(unit)) == [expected], (begin, end)
            assert [int(str(*row.values())) for row in theirs] == [expected], (begin, end)


@pytest.mark.slow
def test_how_long_until_now_is_counted_in_years_from_the_date_that_words_name(lessons: Reading) -> None:
    today = date.today()
    years = today.year - 2003 - ((today.month, today.day) < (9, 1))
    assert lessons.found("How long has Ida Even been at the school?") == {(str(years),)}


@pytest.mark.slow(0.1)
def test_of_things_of_one_name_the_ages_are_told_and_those_of_no_others(open_text: Callable[[str], Agent]) -> None:
    towns = open_text(
        "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
        '@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . :Town rdfs:label "town" . :f rdfs:label "founded" . '
        ':a a :Town ; rdfs:label "Aville" ; :f "1850-01-01"^^xsd:date . '
        ':b a :Town ; rdfs:label "Aville" ; :f "1900-01-01"^^xsd:date . '
        ':c a :Town ; rdfs:label "Beton" ; :f "1999-01-01"^^xsd:date .'
    )
    assert {str(row[0].term) for row in towns.ask("How old is Aville?").rows if row[0]} == {
        "http://example.org/a",
        "http://example.org/b",
    }
