"""Grounding: what is shown of the way between things, and what is not shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from triad.agent import Agent
from triad.phases.grounding import vocabulary
from triad.questions import Question

pytestmark = pytest.mark.slow(0.3)

PREFIXES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
GRID = f"""{PREFIXES}
:Thing rdfs:label "identified thing" . :Equipment rdfs:subClassOf :Thing ; rdfs:label "equipment" .
:Switch rdfs:subClassOf :Equipment ; rdfs:label "switch" . :Bay rdfs:subClassOf :Thing ; rdfs:label "bay" .
:code rdfs:label "short code" . :hasPart rdfs:label "has part" . :isPart rdfs:label "is part" .
""" + "".join(
    f':b{at} a :Bay, :Thing ; rdfs:label "Bay {"ABCDEFG"[at]}" ; :code "b{at}c5" ; :hasPart :s{at} .\n'
    f':s{at} a :Switch, :Equipment, :Thing ; rdfs:label "Switch {"ABCDEFG"[at]}" ; :isPart :b{at} ; :code "f{at}7" .\n'
    for at in range(7)
)
CLAIMS = f"""{PREFIXES}
:Claim rdfs:label "claim" . :Payment rdfs:label "loss payment" . :Payment a rdfs:Class .
:hasPayment rdfs:label "has loss payment" . :amount rdfs:label "payment amount" .
:c1 a :Claim ; rdfs:label "Claim One" ; :hasPayment :p1 . :p1 :amount 1200 .
:c2 a :Claim ; rdfs:label "Claim Two" ; :hasPayment :p2 . :p2 :amount 2300 .
"""

Lines = Callable[[str, str], list[str]]


@pytest.fixture
def lines(kept_file: Callable[[str, str], Path]) -> Iterator[Lines]:
    opened: dict[str, Agent] = {}

    def lines(text: str, question: str) -> list[str]:
        if text not in opened:
            opened[text] = Agent(kept_file(f"graph{len(opened)}.ttl", text), model="none")
        return vocabulary(opened[text].begin(Question(question, "en")), 900)

    yield lines
    for agent in opened.values():
        agent.close()


def line_of(lines: list[str], start: str) -> str:
    [line] = [line for line in lines if line.startswith(start)]
    return line


@pytest.mark.slow
def test_a_class_at_the_end_of_a_relation_is_the_most_special_one(lines: Lines) -> None:
    shown = line_of(lines(GRID, "Which parts does each bay have?"), "bay, a class")
    assert "has part -> switch" in shown
    assert "thing" not in shown


def test_a_thing_is_of_its_most_special_class(lines: Lines) -> None:
    assert line_of(lines(GRID, "Where is Switch A?"), '"Switch A"').startswith('"Switch A", a switch')


def test_of_two_relations_that_say_the_same_in_opposite_directions_one_is_shown(lines: Lines) -> None:
    shown = line_of(lines(GRID, "Which parts does each bay have?"), "bay, a class")
    assert "has part" in shown
    assert "is part" not in shown


def test_a_text_is_shown_with_the_thing_that_it_is_a_value_of(lines: Lines) -> None:
    shown = line_of(lines(GRID, "Which switches belong to b3c5?"), '"b3c5"')
    assert shown.startswith('"b3c5", a text, value of short code of a bay: ')
    assert "has part" in shown


@pytest.mark.slow
def test_parts_without_a_class_show_what_they_have(lines: Lines) -> None:
    shown = lines(CLAIMS, "What is the loss payment of each claim?")
    assert line_of(shown, "has loss payment -> ").startswith("has loss payment -> a part, which has: payment amount = ")


def test_a_class_without_things_is_not_shown(lines: Lines) -> None:
    assert "has loss payment" in (shown := "\n".join(lines(CLAIMS, "What is each loss payment?")))
    assert "loss payment, a class" not in shown
    assert "Other classes" not in shown


def test_classes_whose_things_have_the_same_share_a_line(lines: Lines) -> None:
    text = PREFIXES + ':point rdfs:label "value" .\n'
    for name in ("Air Sensor", "Water Sensor"):
        iri = name.replace(" ", "")
        text += f':{iri} rdfs:label "{name}" . :{iri}1 a :{iri} ; rdfs:label "{name} 1" ; :point 5 .\n'
    assert lines(text, "List the air sensors and the water sensors.") == [
        "Air Sensor, Water Sensor, classes: value, label"
    ]


def test_classes_of_whose_names_only_a_part_is_said_are_named_after_a_few(lines: Lines) -> None:
    names = ["Air", "Water", "Power", "Light", "Sound", "Dust"]
    text = PREFIXES + "".join(
        f':{one}Sensor rdfs:label "{one} Sensor" . :x{one} a :{one}Sensor ; rdfs:label "x {one}" ; :has{one} {at} .\n'
        for at, one in enumerate(names)
    )
    shown = lines(text, "Which sensor is the oldest?")
    assert sum(", a class" in line for line in shown) == 4
    assert len(line_of(shown, "Other classes: ").split(", ")) == 2


def test_words_in_small_letters_that_name_a_class_name_no_thing(lines: Lines) -> None:
    text = PREFIXES + (
        ':Mayor rdfs:label "mayor" . :m a :Mayor ; rdfs:label "Ann Fox" . :office a :Office ; rdfs:label "Mayor" .\n'
        ':Office rdfs:label "office" .'
    )
    assert not any(line.startswith('"Mayor"') for line in lines(text, "Who is the oldest mayor?"))
    assert any(line.startswith('"Mayor"') for line in lines(text, "Who holds the office of Mayor?"))


def test_a_few_texts_that_are_all_there_are_shown_with_the_relation(lines: Lines) -> None:
    text = (
        PREFIXES
        + ':state rdfs:label "state" . :town rdfs:label "town" .\n'
        + "".join(
            f':n{at} a :Nest ; rdfs:label "Nest {at}" ; :state "{"AB"[at % 2]}" ; :town "Town {at}" .\n'
            for at in range(5)
        )
    )
    shown = line_of(lines(text, "List the nests."), "Nest")
    assert 'state = "A"/"B"' in shown
    assert "Town" not in shown


def test_verbs_in_small_letters_and_parts_of_dates_name_no_things(lines: Lines) -> None:
    text = PREFIXES + "".join(f':{name} a :Song ; rdfs:label "{name}" .\n' for name in ("Died", "July", "Echo"))
    assert lines(text, "Who died before July 1940?")[0].startswith("Nothing that the question names")
    assert lines(text, "Who sang Echo?")[0].startswith('"Echo"')


@pytest.mark.slow
def test_ways_to_the_same_things_share_a_line(lines: Lines) -> None:
    text = PREFIXES + (
        ':a a :Person ; rdfs:label "Ann Fox" ; :teacher :b ; :teachers :b .\n'
        ':teacher rdfs:label "teacher" . :teachers rdfs:label "teachers" . :school rdfs:label "school" .\n'
        ':b a :Person ; rdfs:label "Bob Lee" ; :school :c . :c a :School ; rdfs:label "High Hill" .'
    )
    shown = lines(text, "Which school did the teacher of Ann Fox go to?")
    assert '"Ann Fox" -> teacher, "Ann Fox" -> teachers, the things there: school -> School' in shown


BUILDING = f"""{PREFIXES}
:Zone rdfs:label "zone" . :Space rdfs:label "space" . :Meter rdfs:label "meter" . :Sensor rdfs:label "sensor" .
:parts rdfs:label "parts" . :holds rdfs:label "holds" . :senses rdfs:label "senses" . :owner rdfs:label "owner" .
""" + "".join(
    f':z{at} a :Zone ; rdfs:label "Z {at}" ; :parts :s{at} ; :owner "A {at}" .\n:s{at} a :Space ; rdfs:label "S {at}" ;'
    f' :holds :m{at} .\n:m{at} a :Meter ; rdfs:label "M {at}" ; :senses :x{at} .\n'
    f':x{at} a :Sensor ; rdfs:label "X {at}" .\n'
    for at in range(6)
)


@pytest.mark.slow
def test_the_shortest_way_between_named_classes_is_shown_with_the_classes_on_it(lines: Lines) -> None:
    shown = lines(BUILDING, "Which sensor is there for each zone?")
    assert line_of(shown, "zone, a class").startswith("zone, a class: parts -> space")
    assert "holds -> meter" in line_of(shown, "space, a class")
    assert "senses -> sensor" in line_of(shown, "meter, a class")


@pytest.mark.slow
def test_of_relations_that_hold_both_ways_or_say_the_same_one_is_shown(lines: Lines) -> None:
    text = PREFIXES + ':State rdfs:label "state" . :borders rdfs:label "borders" . :nextTo rdfs:label "next to" .\n'
    for at in range(6):
        other = (at + 1) % 6
        text += f':s{at} a :State ; rdfs:label "State {at}" ; :borders :s{other} ; :nextTo :s{other} .\n'
        text += f":s{other} :borders :s{at} ; :nextTo :s{at} .\n"
    assert line_of(lines(text, "Which state borders State 3?"), "state, a class").startswith(
        "state, a class: borders -> state; also label"
    )


@pytest.mark.slow
@pytest.mark.parametrize(("label", "told"), [("", ", told by policy number: "), ("P", ": ")])
def test_things_without_names_are_told_by_a_value_that_is_called_after_their_class(
    lines: Lines, label: str, told: str
) -> None:
    text = PREFIXES + ':Policy rdfs:label "policy" . :number rdfs:label "policy number" . :limit rdfs:label "limit" .\n'
    for at in range(3):
        name = f' ; rdfs:label "{label}{at}"' if label else ""
        text += f":p{at} a :Policy{name} ; :number {100 + at} ; :limit {at} .\n"
    assert line_of(lines(text, "List every policy."), "policy, a class").startswith(f"policy, a class{told}")
