"""What is compared: numbers, wherever a graph says so, and nothing that it only calls a number."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.conversation import Conversation
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.1)

RIVERS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:River rdfs:label "river" . :length rdfs:label "length" .
:Aare a :River ; rdfs:label "Aare" ; :length 295 .
:Beda a :River ; rdfs:label "Beda" ; :length "?"^^xsd:integer .
:Cand a :River ; rdfs:label "Cand" ; :length "unknown"^^xsd:integer .
:Dorn a :River ; rdfs:label "Dorn" ; :length 805 .
"""


@pytest.mark.parametrize("question", ["How heavy is the Aare?", "How old is the Aare?", "How fast is the Dorn?"])
def test_a_number_of_something_else_is_no_answer(open_text: Callable[[str], Agent], question: str) -> None:
    rivers = open_text(RIVERS)
    assert str(rivers.ask("How long is the Aare?").values[0]) == "295"
    with pytest.raises(AnswerError):
        rivers.ask(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which river has the longest length?", ["Dorn"]),
        ("Which river has the shortest length?", ["Aare"]),
        ("Which are the two longest rivers?", ["Dorn", "Aare"]),
        ("What is the average length of the rivers?", ["550"]),
        ("What is the total length of all rivers?", ["1100"]),
    ],
)
def test_what_is_only_said_to_be_a_number_is_not_compared(
    open_text: Callable[[str], Agent], question: str, expected: list[str]
) -> None:
    assert list(map(str, open_text(RIVERS).ask(question).values)) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which river has the longest length?", ["Dorn"]),
        ("What is the average length of the rivers?", ["550"]),
        ("What is the total length of all rivers?", ["1100"]),
    ],
)
def test_neither_what_is_no_number_nor_what_is_infinite_is_summed_up(
    open_text: Callable[[str], Agent], question: str, expected: list[str]
) -> None:
    double = RIVERS.replace('"?"^^xsd:integer', '"NaN"^^xsd:double').replace(
        '"unknown"^^xsd:integer', '"INF"^^xsd:double'
    )
    assert list(map(str, open_text(double).ask(question).values)) == expected


PLANETS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Planet rdfs:label "planet" . :mass rdfs:label "mass in kg" .
:mercury a :Planet ; rdfs:label "Mercury" ; :mass 330110000000000000000000 .
:mars a :Planet ; rdfs:label "Mars" ; :mass 641710000000000000000000 .
:earth a :Planet ; rdfs:label "Earth" ; :mass 5972200000000000000000000 .
:jupiter a :Planet ; rdfs:label "Jupiter" ; :mass 1898130000000000000000000000 .
:ceres a :Planet ; rdfs:label "Ceres" ; :mass 938400000000000000 .
"""
"""Of these numbers, the engine can compute with the last only."""


@pytest.mark.parametrize("digits", ["", ".5", ".123456789012345678901234567890"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which planet is the heaviest?", ["Jupiter"]),
        ("Which planet is the lightest?", ["Ceres"]),
        ("What are the two heaviest planets?", ["Jupiter", "Earth"]),
        ("Is Earth heavier than Mars?", ["yes"]),
        ("Is Mars heavier than Earth?", ["no"]),
        ("Which planets are heavier than Earth?", ["Jupiter"]),
        ("How many planets have a mass of more than 1000 kg?", ["5"]),
        ("How many planets have a mass below 1000000000000000000000000 kg?", ["3"]),
        ("Which planets have a mass above the average?", ["Jupiter"]),
    ],
)
def test_numbers_that_the_engine_cannot_hold_are_compared(
    open_text: Callable[[str], Agent], question: str, expected: list[str], digits: str
) -> None:
    answer = open_text(PLANETS.replace("0 .", f"0{digits} .")).ask(question)
    assert (list(map(str, answer.values)) or [answer.text]) == expected
    assert answer.confidence > 0.5


def test_sums_of_numbers_that_the_engine_cannot_hold(open_text: Callable[[str], Agent]) -> None:
    planets = open_text(PLANETS)
    [total] = planets.ask("What is the total mass of all planets?").values
    assert float(str(total)) == pytest.approx(1.905074958e27)
    [most] = planets.ask("What is the highest mass?").values
    assert float(str(most)) == 1.89813e27
    [apart] = planets.ask("How much heavier is Earth than Mars?").values
    assert float(str(apart)) == pytest.approx(5.33049e24)


@pytest.mark.parametrize("odd", ['"?"^^xsd:integer', '"INF"^^xsd:double', '"-INF"^^xsd:double, "?"^^xsd:double'])
def test_what_is_no_number_among_numbers_that_the_engine_cannot_hold_is_left_out(
    open_text: Callable[[str], Agent], odd: str
) -> None:
    xsd = "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> ."
    planets = open_text(f'{xsd} {PLANETS} :vulcan a :Planet ; rdfs:label "Vulcan" ; :mass {odd} .')
    assert list(map(str, planets.ask("Which planet is the heaviest?").values)) == ["Jupiter"]
    assert list(map(str, planets.ask("Which planet is the lightest?").values)) == ["Ceres"]


@pytest.mark.parametrize("unknown", ['"unknown"', '"unknown"^^xsd:date', '"2000-02-30"^^xsd:date, "?"'])
@pytest.mark.parametrize(("question", "expected"), [("last", "Bolt"), ("first", "Ace")])
def test_what_is_no_date_is_neither_the_first_nor_the_last(
    open_text: Callable[[str], Agent], question: str, expected: str, unknown: str
) -> None:
    clubs = open_text(
        "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
        '@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . :Club rdfs:label "club" . :f rdfs:label "founded" . '
        ':a a :Club ; rdfs:label "Ace" ; :f "1948-05-01"^^xsd:date . '
        ':b a :Club ; rdfs:label "Bolt" ; :f "1990-05-01"^^xsd:date . '
        f':c a :Club ; rdfs:label "Comet" ; :f {unknown} .'
    )
    assert list(map(str, clubs.ask(f"Which club was founded {question}?").values)) == [expected]


@pytest.mark.slow
def test_a_query_tests_for_numbers_only_where_there_are_other_values(open_text: Callable[[str], Agent]) -> None:
    whole = open_text(RIVERS.replace('"?"^^xsd:integer', "30").replace('"unknown"^^xsd:integer', "40"))
    assert "isNUMERIC" not in (whole.ask("Which river has the longest length?").query or "")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the temperature of Ulm in celsius?", ["20"]),
        ("What is the temperature of Ulm in kelvin?", None),
        ("What is the temperature of Ulm in fahrenheit?", None),
        ("What is the height of Ulm in feet?", ["1000"]),
    ],
)
def test_a_unit_is_converted_by_a_factor_or_not_at_all(
    open_text: Callable[[str], Agent], question: str, expected: list[str] | None
) -> None:
    agent = open_text(
        "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
        ':City rdfs:label "city" . :t rdfs:label "temperature (celsius)" . :h rdfs:label "height (m)" . '
        ':ulm a :City ; rdfs:label "Ulm" ; :t 20 ; :h 304.8 . :bonn a :City ; rdfs:label "Bonn" ; :t 24 ; :h 61 .'
    )
    if expected is None:
        with pytest.raises(AnswerError):
            agent.ask(question)
    else:
        assert [f"{float(str(value)):g}" for value in agent.ask(question).values] == expected


SHOP = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Tool rdfs:label "tool" . :Cost rdfs:label "price" . :price rdfs:label "price" . :sum rdfs:label "sum" .
:currency rdfs:label "currency" . :lift rdfs:label "lift" .
:saw a :Tool ; rdfs:label "Saw" ; :lift "9.5" ; :price :p1 .
  :p1 a :Cost ; rdfs:label "80 EUR" ; :sum 80 ; :currency "EUR" .
:jack a :Tool ; rdfs:label "Jack" ; :lift "64.5" ; :price :p2 .
  :p2 a :Cost ; rdfs:label "9 EUR" ; :sum 9 ; :currency "EUR" .
:hook a :Tool ; rdfs:label "Hook" ; :lift "-38" ; :price :p3 .
  :p3 a :Cost ; rdfs:label "100 EUR" ; :sum 100 ; :currency "EUR" .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which tool has the highest lift?", ["Jack"]),
        ("Which tool has the lowest lift?", ["Hook"]),
        ("Which tools have a lift above 10?", ["Jack"]),
        ("What is the average lift of the tools?", ["12"]),
    ],
)
def test_texts_that_are_numbers_are_compared_as_numbers(
    open_text: Callable[[str], Agent], question: str, expected: list[str]
) -> None:
    assert list(map(str, open_text(SHOP).ask(question).values)) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which tool has the lowest price?", ["Jack"]),
        ("What is the most expensive tool?", ["Hook"]),
        ("What is the lowest price of a tool?", ["9 EUR"]),
        ("What is the average price of the tools?", ["63"]),
    ],
)
def test_what_stands_for_a_number_is_compared_by_it(
    open_text: Callable[[str], Agent], question: str, expected: list[str]
) -> None:
    assert list(map(str, open_text(SHOP).ask(question).values)) == expected


def test_a_unit_that_the_graph_does_not_tell_is_said_to_be_missing(open_text: Callable[[str], Agent]) -> None:
    agent = open_text(RIVERS)
    assert "this is not in the graph: length (miles)" in agent.ask("Which rivers are longer than 500 miles?").notes
    with pytest.raises(AnswerError, match=r"not in the graph: length \(km\)"):
        agent.ask("What is the length of the Dorn in km?")


def test_a_conversation_compares_what_stands_for_a_number_by_it_too(open_text: Callable[[str], Agent]) -> None:
    conversation = Conversation(open_text(SHOP))
    conversation.ask("List the tools with their prices")
    assert conversation.ask("which is the cheapest?").reply.startswith("Jack")


CASES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Case rdfs:label "case" . :Theft rdfs:label "theft" ; rdfs:subClassOf :Case . :Line rdfs:label "railway line" .
:filed rdfs:label "filed on" . :sentence rdfs:label "sentence (years)" . :length rdfs:label "length" .
:genre rdfs:label "genre" . :opened rdfs:label "opened" . :closed rdfs:label "closed" .
:a a :Case ; rdfs:label "State v. Ott" ; :genre "fraud" ; :filed "2021-03-01"^^xsd:date ; :sentence 3 .
:b a :Case ; rdfs:label "State v. Maas" ; :filed "2019-05-02"^^xsd:date .
:c a :Theft ; rdfs:label "Stein v. Ott" ; :filed "2022-07-03"^^xsd:date ; :sentence 1 .
:coast a :Line ; rdfs:label "Coast Line" ; :opened "1894-06-01"^^xsd:date ; :length 212 .
:steam a :Line ; rdfs:label "Steam Line" ; :length 40 ;
  :opened "1908-06-01"^^xsd:date ; :closed "1911-06-01"^^xsd:date .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the oldest case?", "State v. Maas"),
        ("Which case is the newest?", "Stein v. Ott"),
        ("Which case has the longest sentence?", "State v. Ott"),
        ("How long is the Coast Line?", "212"),
        ("How long was the Steam Line open?", "1,095 days"),
        ("no. of cases", "3"),
        ("What kind of case is Stein v. Ott?", "theft"),
        ("What kind of case is State v. Ott?", "fraud"),
    ],
)
def test_spans_of_years_are_no_dates_and_a_length_is_no_span(
    open_text: Callable[[str], Agent], question: str, expected: str
) -> None:
    found = open_text(CASES).ask(question)
    assert expected in found.text
    assert found.confidence > 0.5
