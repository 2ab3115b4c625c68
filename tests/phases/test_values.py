"""Values of an answer as people read them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import triad
from triad import handwritten
from triad.deadline import Deadline

RIVERS = """
@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:River rdfs:label "river" . :Product rdfs:label "product" . :Price rdfs:label "offer" .
:length rdfs:label "length" ; rdfs:comment "Length in kilometres." .
:flowsThrough rdfs:label "flows through" . :Country rdfs:label "country" .
:price rdfs:label "price" . :amount rdfs:label "amount" . :currency rdfs:label "currency" .
:elbe a :River ; rdfs:label "Elbe" ; :length 1094 ; :flowsThrough :de .
:main a :River ; rdfs:label "Main" ; :length 527 ; :flowsThrough :de .
:danube a :River ; rdfs:label "Danube" ; :length 2850 ; :flowsThrough :de , :at .
:de a :Country ; rdfs:label "Germany" . :at a :Country ; rdfs:label "Austria" .
:lamp a :Product ; rdfs:label "lamp" ; :price :p1 .
:p1 a :Price ; rdfs:label "778,15 EUR" ; :amount 778.15 ; :currency "EUR" .
:desk a :Product ; rdfs:label "desk" ; :price :p2 .
:p2 a :Price ; rdfs:label "20 EUR" ; :amount 20.0 ; :currency "EUR" .
:Quay rdfs:label "quay" . :opened rdfs:label "opening date" . :closed rdfs:label "closing date" .
:next rdfs:label "neighbour" . :old a :Quay ; rdfs:label "Old Quay" ; :next [ a :Quay ; rdfs:label "Little Quay" ] ;
  :opened "1859-01-01"^^<http://www.w3.org/2001/XMLSchema#date> ;
  :closed "1984-12-31"^^<http://www.w3.org/2001/XMLSchema#date> .
"""


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[triad.Agent]:
    file = tmp_path_factory.mktemp("values") / "rivers.ttl"
    file.write_text(RIVERS, encoding="utf-8")
    with triad.Agent(file, model="none") as opened:
        yield opened


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which river is the longest?", "Danube (2,850 km)"),
        ("Which rivers are longer than 1000 km?", "Danube (2,850 km); Elbe (1,094 km)"),
        ("How long is the Main?", "527 km"),
        ("What is the average length of the rivers?", "1,490 km"),
        ("How many rivers are there?", "3"),
    ],
)
def test_what_was_compared_has_its_figure_in_its_unit(agent: triad.Agent, question: str, text: str) -> None:
    assert agent.ask(question).text == text


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How long was Old Quay open?", "46,020 days"),
        ("How old is Old Quay?", "125 years"),
        ("Wie alt ist Old Quay?", "125 Jahre"),
        ("In which year was Old Quay closed?", "1984"),
        ("In welchem Jahr wurde Old Quay geschlossen?", "1984"),
        ("When was Old Quay closed?", "December 31, 1984"),
    ],
)
def test_the_time_between_dates_has_its_unit_and_a_year_is_told_where_it_is_asked_for(
    agent: triad.Agent, question: str, text: str
) -> None:
    assert agent.ask(question, min_confidence=0).text == text


def test_a_node_without_an_iri_is_called_by_its_label(agent: triad.Agent) -> None:
    assert agent.ask("What is the neighbour of Old Quay?").text == "Little Quay"


def test_rows_with_numbers_come_with_the_largest_first_under_what_they_are(agent: triad.Agent) -> None:
    answer = agent.ask("How many rivers flow through each country?")
    assert [[value.shown for value in row if value] for row in answer.rows] == [["Germany", "3"], ["Austria", "1"]]
    assert answer.headers == ("country", "rivers")


@pytest.mark.slow(0.1)
def test_an_amount_is_in_the_currency_beside_it_and_is_said_once(agent: triad.Agent) -> None:
    query = "SELECT ?amount { <http://x.org/lamp> <http://x.org/price>/<http://x.org/amount> ?amount }"
    [value] = handwritten.found_by(agent, query, Deadline(10)).values
    assert (value.shown, value.owner) == ("€778.15", "")
