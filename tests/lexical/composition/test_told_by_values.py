"""People and towns of whom the graph tells by values: ranks, buildings and shares."""

import contextlib
from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.2)

FACULTY = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Faculty rdfs:label "faculty" . :rank rdfs:label "rank" . :building rdfs:label "building" . :Town rdfs:label "town" .
:urban rdfs:label "urban" . :dwellers rdfs:label "dwellers" . :phone rdfs:label "phone" .
:f1 a :Faculty ; rdfs:label "Ann Lee" ; :rank "Professor" ; :building "Barton" ; :phone "11" .
:f2 a :Faculty ; rdfs:label "Bo Ray" ; :rank "Professor" ; :building "Barton" ; :phone "12" .
:f3 a :Faculty ; rdfs:label "Cy Fox" ; :rank "Lecturer" ; :building "Barton" ; :phone "13" .
:f4 a :Faculty ; rdfs:label "Di Orr" ; :rank "Professor" ; :building "Krieger" ; :phone "14" .
:f5 a :Faculty ; rdfs:label "Ed Ash" ; :rank "Lecturer" ; :building "Dunne" ; :phone "15" .
:f6 a :Faculty ; rdfs:label "Flo Day" ; :rank "Reader" ; :building "Dunne" ; :phone "16" .
:t1 a :Town ; rdfs:label "Elby" ; :urban 81.5 ; :dwellers 1200 .
:t2 a :Town ; rdfs:label "Orne" ; :urban 40 ; :dwellers 400 .
"""


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which buildings have at least two professors?", {"Barton"}),
        ("Which buildings have fewer than two professors?", {"Krieger"}),
        ("Which buildings have no professors?", {"Dunne"}),
        ("Which ranks are not in Barton?", {"Reader"}),
        ("What are the phones of the faculty that are not professors?", {"13", "15", "16"}),
        ("How many faculty members are there?", {"6"}),
        ("What is the phone of the faculty member called Bo Ray?", {"12"}),
        ("Find the number of towns in total.", {"2"}),
        ("What is the urban percentage of Orne?", {"40"}),
    ],
)
def test_values_say_what_things_are(open_text: Callable[[str], Agent], question: str, values: set[str]) -> None:
    answer = open_text(FACULTY).ask(question)
    assert {value.label or str(value) for value in answer.values} == values
    assert answer.confidence >= 0.5


def test_numbers_above_a_hundred_are_no_percentages(open_text: Callable[[str], Agent]) -> None:
    with pytest.raises(AnswerError):
        open_text(FACULTY).ask("What is the dwellers percentage of Orne?")


MONEY = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Policy rdfs:label "policy" . :Claim rdfs:label "claim" . :Money rdfs:label "monetary amount" .
:premium rdfs:label "annual premium" . :paid rdfs:label "amount paid" . :of rdfs:label "policy" .
:value rdfs:label "value" . :unit rdfs:label "currency" . :Currency rdfs:label "currency" .
:eur a :Currency ; rdfs:label "euro" . :chf a :Currency ; rdfs:label "franc" .
:p1 a :Policy ; rdfs:label "M-1" ; :premium :m1 . :p2 a :Policy ; rdfs:label "M-2" ; :premium :m2 .
:p3 a :Policy ; rdfs:label "M-3" ; :premium :m3 .
:c1 a :Claim ; rdfs:label "C-1" ; :paid :m4 ; :of :p1 . :c2 a :Claim ; rdfs:label "C-2" ; :paid :m5 ; :of :p2 .
:m1 a :Money ; :value 100 ; :unit :eur . :m2 a :Money ; :value 250 ; :unit :eur .
:m3 a :Money ; :value 400 ; :unit :chf . :m4 a :Money ; :value 900 ; :unit :eur .
:m5 a :Money ; :value 50 ; :unit :eur .
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What is the annual premium of M-3?", [["400", "franc"]]),
        ("What is the average annual premium?", [["250"]]),
        ("Which policy has the lowest annual premium?", [["M-1"]]),
        ("Which policies have an annual premium of more than 200?", [["M-2"], ["M-3"]]),
        ("What is the total amount paid?", [["950"]]),
        ("Which claim has the highest amount paid?", [["C-1"]]),
    ],
)
def test_one_kind_of_nodes_may_hold_the_numbers_of_several_relations(
    open_text: Callable[[str], Agent], question: str, rows: list[list[str]]
) -> None:
    answer = open_text(MONEY).ask(question)
    assert sorted([value.label or str(value) for value in row if value] for row in answer.rows) == rows
    assert answer.confidence >= 0.5


STAFF = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:A rdfs:label "unit" . :B rdfs:label "person" . :C rdfs:label "role" . :D rdfs:label "employment" .
:p rdfs:label "employee" . :r rdfs:label "role" . :u rdfs:label "unit" . :s rdfs:label "start date" .
:a a :A ; rdfs:label "Risk Team" . :b a :A ; rdfs:label "Claims Team" .
:x a :B ; rdfs:label "Ann Lee" . :y a :B ; rdfs:label "Bo Ray" . :z a :B ; rdfs:label "Cy Fox" .
:k a :C ; rdfs:label "actuary" . :l a :C ; rdfs:label "handler" .
:1 a :D ; :p :x ; :r :k ; :u :a ; :s "2020-01-01"^^<http://www.w3.org/2001/XMLSchema#date> .
:2 a :D ; :p :y ; :r :l ; :u :b ; :s "2021-05-01"^^<http://www.w3.org/2001/XMLSchema#date> .
:3 a :D ; :p :z ; :r :k ; :u :a ; :s "2023-03-01"^^<http://www.w3.org/2001/XMLSchema#date> .
"""


@pytest.mark.parametrize("question", ["Who is an actuary?", "Who are the actuaries?"])
def test_who_is_a_person_rather_than_a_unit_that_is_as_near(open_text: Callable[[str], Agent], question: str) -> None:
    answer = open_text(STAFF).ask(question)
    assert {value.label for value in answer.values} == {"Ann Lee", "Cy Fox"}


ROUNDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Round rdfs:label "collection round" . :Waste rdfs:label "waste" . :day rdfs:label "collection day" .
:of rdfs:label "takes" . :glass a :Waste ; rdfs:label "glass" . :paper a :Waste ; rdfs:label "paper" .
:1 a :Round ; :of :glass ; :day "Monday" . :2 a :Round ; :of :paper ; :day "Friday" .
"""


@pytest.mark.parametrize(
    ("graph", "question"), [(STAFF, "List all actuaries."), (ROUNDS, "What is collected on Mondays?")]
)
def test_what_has_no_name_is_no_answer(open_text: Callable[[str], Agent], graph: str, question: str) -> None:
    with contextlib.suppress(AnswerError):
        assert {value.label for value in open_text(graph).ask(question).values}.isdisjoint("123")
