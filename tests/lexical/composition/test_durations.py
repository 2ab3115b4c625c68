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
from triad.errors import AnswerError
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


TALKS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Talk rdfs:label "talk"@en , "Vortrag"@de . :duration rdfs:label "duration"@en , "Dauer"@de .
:a a :Talk ; rdfs:label "Bees" ; :duration "PT1H30M"^^xsd:duration .
:b a :Talk ; rdfs:label "Ants" ; :duration "PT85M"^^xsd:duration .
:c a :Talk ; rdfs:label "Wasps" ; :duration "PT20M30.5S"^^xsd:dayTimeDuration .
:d a :Talk ; rdfs:label "Birds" ; :duration "P1DT2H"^^xsd:duration .
:e a :Talk ; rdfs:label "Fish" ; :duration "P1M"^^xsd:duration .
"""


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which talk lasted the longest?", ["Fish"]),
        ("Welcher Vortrag dauerte am längsten?", ["Fish"]),
        ("Which talk is the shortest?", ["Wasps"]),
        ("Which talks lasted longer than 88 minutes?", ["Bees", "Birds", "Fish"]),
        ("Welche Vorträge dauerten weniger als 86 Minuten?", ["Ants", "Wasps"]),
        ("Which talks are longer than Ants?", ["Bees", "Birds", "Fish"]),
        ("How long did Bees last?", ["PT1H30M"]),
        ("Wie lange dauerte Bees?", ["PT1H30M"]),
        ("What is the duration of Ants in minutes?", ["85"]),
        ("How many talks lasted between 1 and 2 hours?", ["2"]),
        ("Did Bees last longer than Ants?", ["yes"]),
    ],
)
def test_durations_are_compared_by_how_long_they_are(
    open_text: Callable[[str], Agent], question: str, expected: list[str]
) -> None:
    values = open_text(TALKS).ask(question).values
    assert sorted(value.label or value.shown for value in values) == expected


@pytest.mark.slow(0.2)
def test_no_duration_is_told_in_seconds_that_nobody_asks_for(open_text: Callable[[str], Agent]) -> None:
    for question in ("What is the total duration of the talks?", "How much longer is Bees than Ants?"):
        with pytest.raises(AnswerError):
            open_text(TALKS).ask(question)
    [total] = open_text(TALKS.replace("P1M", "PT1M")).ask("What is the total duration of the talks in minutes?").values
    assert float(total.shown.replace(",", "")) == pytest.approx(1756.51, abs=0.01)
