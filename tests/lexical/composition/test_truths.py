"""What is true or false of things: those of which it is true are asked for, and not those that have a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from triad.agent import Agent
from triad.conversation import Conversation
from triad.lexical.composition import readings

pytestmark = pytest.mark.slow(0.3)

STAFF = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Person rdfs:label "person" . :Team rdfs:label "team" . :Trip rdfs:label "trip" .
:remote rdfs:label "works remotely" . :retired rdfs:label "retired" . :salary rdfs:label "salary" .
:member rdfs:label "member" . :team rdfs:label "team" . :days rdfs:label "days" .
:ann a :Person ; rdfs:label "Ann Oak" ; :remote true ; :retired "no" ; :salary 100 ; :team :blue .
:ben a :Person ; rdfs:label "Ben Elm" ; :remote false ; :retired "yes" ; :salary 50 ; :team :blue .
:cat a :Person ; rdfs:label "Cat Fir" ; :remote false ; :retired "no" ; :salary 90 ; :team :red .
:blue a :Team ; rdfs:label "Blue" ; :member :ann , :ben .
:red a :Team ; rdfs:label "Red" ; :member :cat .
:sea a :Trip ; rdfs:label "Sea" ; :days 3 .
:alp a :Trip ; rdfs:label "Alp" ; :days 7 .
"""


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    file: Path = tmp_path_factory.mktemp("graphs") / "staff.ttl"
    file.write_text(STAFF)
    with Agent(graph=file, model="none") as agent:
        yield agent


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which persons work remotely?", {"Ann Oak"}),
        ("Who works remotely?", {"Ann Oak"}),
        ("Which persons do not work remotely?", {"Ben Elm", "Cat Fir"}),
        ("Which persons are retired?", {"Ben Elm"}),
        ("Which persons are not retired?", {"Ann Oak", "Cat Fir"}),
        ("How many persons work remotely?", {"1"}),
        ("Does Ann Oak work remotely?", {"yes"}),
        ("Does Ben Elm work remotely?", {"no"}),
    ],
)
def test_what_is_true_of_things_is_asked(staff: Agent, question: str, expected: set[str]) -> None:
    assert {value.shown for value in staff.ask(question).values} == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [("Is Ann Oak retired?", False), ("Is Ben Elm retired?", True), ("Is Cat Fir retired?", False)],
)
@pytest.mark.parametrize("largest", [600, 0])
def test_whether_it_is_true_is_asked_of_small_schemas_and_of_large_ones(
    staff: Agent, question: str, expected: bool, largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "_NAMES", largest)
    assert staff.ask(question).boolean is expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which teams have 2 members?", {"Blue"}),
        ("Which teams have two members?", {"Blue"}),
        ("Which teams have more than one member?", {"Blue"}),
        ("Which trips have three days?", {"Sea (3)"}),
        ("How much do all persons earn together?", {"240"}),
        ("Which team has the highest average salary?", {"Red"}),
    ],
)
def test_numbers_of_things_sums_and_averages(staff: Agent, question: str, expected: set[str]) -> None:
    assert {value.shown for value in staff.ask(question).values} == expected


def test_what_is_not_so_is_asked_after_what_is(staff: Agent) -> None:
    conversation = Conversation(staff)
    conversation.ask("Which persons are retired?")
    turn = conversation.ask("And not retired?")
    assert turn.answer is not None
    assert {value.shown for value in turn.answer.values} == {"Ann Oak", "Cat Fir"}


KITCHENS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Cook rdfs:label "cook" . :Kitchen rdfs:label "kitchen" . :Oven rdfs:label "oven" .
:trainee rdfs:label "trainee" . :kitchen rdfs:label "works in" . :dish rdfs:label "dish" . :heated rdfs:label "heated" .
:k1 a :Kitchen ; rdfs:label "North Kitchen" . :k2 a :Kitchen ; rdfs:label "South Kitchen" .
:a a :Cook ; rdfs:label "Ann" ; :kitchen :k1 ; :dish "soup" ; :trainee true .
:b a :Cook ; rdfs:label "Ben" ; :kitchen :k1 ; :dish "soup" ; :trainee true .
:c a :Cook ; rdfs:label "Cem" ; :kitchen :k1 ; :dish "fish" ; :trainee true .
:d a :Cook ; rdfs:label "Dag" ; :kitchen :k2 ; :dish "soup" ; :trainee false .
:e a :Cook ; rdfs:label "Eva" ; :kitchen :k2 ; :dish "fish" ; :trainee true .
:o1 a :Oven ; :heated true . :o2 a :Oven ; :heated true . :o3 a :Oven ; :heated true . :o4 a :Oven ; :heated false .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many trainees are there per kitchen?", [["1", "South Kitchen"], ["3", "North Kitchen"]]),
        ("How many trainees work in each kitchen?", [["1", "South Kitchen"], ["3", "North Kitchen"]]),
        ("How many trainees are there per dish?", [["2", "fish"], ["2", "soup"]]),
        ("How many trainees are there?", [["4"]]),
        ("How many ovens are heated?", [["3"]]),
    ],
)
def test_those_of_which_it_is_true_are_counted_and_not_its_values(
    open_text: Callable[[str], Agent], question: str, expected: list[list[str]]
) -> None:
    rows = open_text(KITCHENS).ask(question).rows
    assert sorted(sorted(str(value) for value in row) for row in rows) == expected


RESCUES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Rescue rdfs:label "rescue" . :injured rdfs:label "number of injuries" . :year rdfs:label "year" .
:fatalities rdfs:label "number of fatalities" . :casualties rdfs:label "number of casualties" .
:one a :Rescue ; rdfs:label "Rescue 1" ; :injured 2 ; :year 2021 ; :fatalities 3 ; :casualties 5 .
:two a :Rescue ; rdfs:label "Rescue 2" ; :injured 0 ; :year 2021 .
:three a :Rescue ; rdfs:label "Rescue 3" ; :injured 1 ; :year 2022 .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which rescues had injuries?", {"Rescue 1", "Rescue 3"}),
        ("Which rescues in 2021 had injuries?", {"Rescue 1"}),
        ("Which rescues had no injuries?", {"Rescue 2"}),
        ("How many rescues had injuries?", {"2"}),
        ("How many injuries were there in Rescue 2?", {"0"}),
        ("Were there injuries in Rescue 2?", {"no"}),
        ("Were there injuries in Rescue 3?", {"yes"}),
        ("How many people died in Rescue 1?", {"3"}),
        ("How many casualties were there in Rescue 1?", {"5"}),
    ],
)
def test_a_number_of_none_is_nothing_that_things_have(
    open_text: Callable[[str], Agent], question: str, expected: set[str]
) -> None:
    assert {value.label or value.shown for value in open_text(RESCUES).ask(question).values} == expected


OPERATIONS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Einsatz rdfs:label "Einsatz"@de , "inzet"@nl , "intervention"@fr .
:a a :Einsatz ; rdfs:label "Hafenbrand" ; :number1 2 . :b a :Einsatz ; rdfs:label "Fehlalarm" ; :number1 0 .
:number1 rdfs:label {label} .
"""


@pytest.mark.parametrize(
    ("label", "question", "expected"),
    [
        ('"Anzahl Verletzte"@de', "Welche Einsätze hatten Verletzte?", {"Hafenbrand"}),
        ('"Anzahl Verletzte"@de', "Welche Einsätze hatten keine Verletzten?", {"Fehlalarm"}),
        ('"Anzahl Verletzte"@de', "Gab es Verletzte beim Fehlalarm?", {"no"}),
        ('"Anzahl Verletzte"@de', "Hatte der Hafenbrand Verletzte?", {"yes"}),
        ('"aantal gewonden"@nl', "Welke inzetten hadden gewonden?", {"Hafenbrand"}),
        ('"nombre de blessés"@fr', "Y a-t-il eu des blessés dans Fehlalarm ?", {"no"}),
        ('"number of staff"@en', "Did the Fehlalarm have staff?", {"no"}),
    ],
)
def test_of_whatever_a_number_is_called_the_number_none_is_none_of_it(
    open_text: Callable[[str], Agent], label: str, question: str, expected: set[str]
) -> None:
    values = open_text(OPERATIONS.format(label=label)).ask(question).values
    assert {value.label or value.shown for value in values} == expected
