"""What is said of the last answer: others than were spoken of, what its things have, and a part of a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conversation.conftest import Said, remembering
from triad.agent import Agent
from triad.conversation import Turn, understanding
from triad.errors import QuerySyntaxError

Told = Callable[..., list[Turn]]


def shown(told: Told, *texts: str) -> list[str]:
    turn = told(*texts)[-1]
    assert turn.answer is not None, turn.reply
    return sorted(": ".join(value.label for value in row if value) for row in turn.answer.rows)


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["Which countries border Germany?", "their capitals"], ["Austria: Vienna", "France: Paris"]),
        (["Which countries border Germany?", "and their area"], ["Austria: 83879", "France: 643801"]),
        (["Which rivers flow through Germany?", "only those longer than 1100"], ["Danube", "Rhine"]),
        (["Which rivers flow through Germany?", "the ones in Austria"], ["Danube"]),
        (["Which rivers flow through Germany?", "without the Elbe"], ["Danube", "Rhine"]),
        (["Which rivers flow through Germany?", "the second river"], ["Danube"]),
        (["Which cities are in Germany?", "the largest of them"], ["Berlin"]),
        (
            ["Which rivers flow through Germany?", "How long are those rivers?"],
            ["Danube: 2850", "Elbe: 1094", "Rhine: 1233"],
        ),
        (["How long is the longest river?", "Which countries does this river flow through?"], ["Austria", "Germany"]),
    ],
)
def test_what_is_said_of_a_list_holds_of_it(told: Told, texts: list[str], wanted: list[str]) -> None:
    assert shown(told, *texts) == wanted


@pytest.mark.slow(0.4)
def test_after_yes_or_no_the_last_list_is_sorted_if_there_is_one(told: Told) -> None:
    rivers, paris = "Which rivers flow through Germany?", "Is Paris a city?"
    [*_, yes, ordered] = told(rivers, paris, "sort these by length")
    assert yes.answer is not None
    assert yes.answer.boolean
    assert ordered.reply == "Danube: 2,850, Rhine: 1,233 and Elbe: 1,094."
    assert told(paris, "sort these by length")[-1].reply == "There is no answer yet to go on from."


@pytest.mark.slow(0.7)
def test_others_are_not_those_of_the_last_three_turns(told: Told) -> None:
    books = ["Who wrote Amok?", "Which other books did he write?"]
    assert shown(told, *books) == ["The Royal Game", "The World of Yesterday"]
    between = ["Who wrote Amok?", "What is the genre of The Royal Game?", "Which other books did Stefan Zweig write?"]
    assert shown(told, *between) == ["The World of Yesterday"]
    far = ["Who wrote Amok?", "Where was he born?", "When was he born?", "Who is his spouse?"]
    assert "Amok" in shown(told, *far, "Which other books did Stefan Zweig write?")


@pytest.mark.slow(0.4)
def test_two_lists_without_a_class_in_common_stay_two(told: Told) -> None:
    rivers, both = told("Which rivers flow through Germany?", "and those of Stefan Zweig too")
    assert rivers.answer is not None
    assert not both.answer or "Amok" not in {value.label for value in both.answer.values}


@pytest.mark.slow(0.1)
def test_what_is_asked_of_a_list_is_no_surer_than_the_list_and_names_its_things(told: Told) -> None:
    rivers, through = told("Which rivers flow through Germany?", "which of them flow through Austria?")
    assert rivers.answer is not None
    assert through.answer is not None
    assert 0 < through.answer.confidence < rivers.answer.confidence
    assert through.about is not None
    assert (through.about.cls, through.about.query) == ("http://example.org/River", rivers.answer.query)
    assert through.kind == "follow_up"
    assert through.reply == "Danube flows through Austria."


WARD = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Patient rdfs:label "patient" . :Visit rdfs:label "visit" . :age rdfs:label "age" . :of rdfs:label "patient" .
:a a :Patient ; rdfs:label "Ada Ash" ; :age 52 . :b a :Patient ; rdfs:label "Bo Birch" ; :age 43 .
:c a :Patient ; rdfs:label "Cy Cedar" ; :age 25 .
:v a :Visit ; rdfs:label "first visit" ; :of :a . :w a :Visit ; rdfs:label "second visit" ; :of :a .
:x a :Visit ; rdfs:label "third visit" ; :of :b .
"""


@pytest.fixture(scope="module")
def ward(kept_file: Callable[[str, str], Path]) -> Iterator[Said]:
    with Agent(graph=kept_file("ward.ttl", WARD), model="none") as agent:
        yield remembering(agent)


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("only those with more than one visit", {"Ada Ash"}),
        ("Which of these had more than one visit?", {"Ada Ash"}),
        ("filter this list to those with more than one visit", {"Ada Ash"}),
        ("only those older than 40", {"Ada Ash", "Bo Birch"}),
        ("only those younger than 50", {"Bo Birch", "Cy Cedar"}),
        ("Only show the results for those above 40.", {"Ada Ash", "Bo Birch"}),
    ],
)
def test_what_is_kept_of_a_list_fits_all_words(ward: Said, text: str, kept: set[str]) -> None:
    answer = ward("Which patients are there?", text)[-1].answer
    assert answer is not None
    assert {row[0].label for row in answer.rows if row[0]} == kept


OFFICE = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Claim rdfs:label "claim" . :Branch rdfs:label "branch office" . :Unit rdfs:label "unit" . :Person rdfs:label "person" .
:Policy rdfs:label "policy" . :Product rdfs:label "product" . :of rdfs:label "product" . :head rdfs:label "head" .
:by rdfs:label "handled by" . :run rdfs:label "run by" .
:r a :Person ; rdfs:label "Rui Almeida" . :s a :Person ; rdfs:label "Sara Walsh" .
:u a :Unit ; rdfs:label "Claims Department" ; :head :r .
:c a :Claim ; rdfs:label "C-501" ; :by :r . :d a :Claim ; rdfs:label "C-502" ; :by :s .
:b a :Branch ; rdfs:label "Cork branch" ; :run :s . :g a :Branch ; rdfs:label "Galway branch" ; :run :s .
:f a :Product ; rdfs:label "FloodGuard" . :h a :Product ; rdfs:label "HomeShield" .
:p a :Policy ; rdfs:label "MM-1001" ; :of :f . :q a :Policy ; rdfs:label "MM-1002" ; :of :f .
:t a :Policy ; rdfs:label "MM-1003" ; :of :h .
"""


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    ("before", "text", "given"),
    [
        ("Who is the head of the Claims Department?", "Which claims does he handle?", {"C-501"}),
        ("Who runs the Cork branch?", "Which other branch does she run?", {"Galway branch"}),
        ("What is the product of MM-1001?", "How many policies of that product are there?", {"2"}),
    ],
)
def test_a_noun_that_is_asked_for_is_no_part_of_a_name(
    kept_file: Callable[[str, str], Path], before: str, text: str, given: set[str]
) -> None:
    with Agent(graph=kept_file("office.ttl", OFFICE), model="none") as agent:
        answer = remembering(agent)(before, text)[-1].answer
    assert answer is not None
    assert {value.label or str(value) for value in answer.values} == given


PARK = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Pen rdfs:label "pen" . :size rdfs:label "size (m²)" . :volume rdfs:label "m³ of water" .
:p a :Pen ; rdfs:label "North Pen" ; :size 40 ; :volume 12 . :q a :Pen ; rdfs:label "South Pen" ; :size 90 ; :volume 3 .
:r a :Pen ; rdfs:label "East Pen" ; :size 60 ; :volume 7 .
:Animal rdfs:label "animal" . :Veterinarian rdfs:label "veterinarian" . :Exam rdfs:label "examination" .
:lives rdfs:label "lives in" . :born rdfs:label "date of birth" . :sex rdfs:label "sex" . :mother rdfs:label "mother" .
:weight rdfs:label "weight (kg)" . :built rdfs:label "opened in" . :field rdfs:label "field" .
:patient rdfs:label "patient" . :by rdfs:label "examined by" .
:p :built "1998"^^xsd:gYear . :q :built "2003"^^xsd:gYear . :r :built "2011"^^xsd:gYear .
:Town rdfs:label "town" . :hill a :Town ; rdfs:label "Old Hill School" . :home rdfs:label "home" .
:v :home "Hill" . :w :home "Dale" . :x a :Veterinarian ; rdfs:label "Xaver" ; :home "Dale" ; :field "surgery" .
:from rdfs:label "continent" . :heated rdfs:label "heated" . :p :heated true . :q :heated false . :r :heated true .
:m :from "Asia" . :l :from "Asia" . :t :from "South America" .
:m a :Animal ; rdfs:label "Mina" ; :lives :p ; :born "2010-05-01"^^xsd:date ; :sex "female" ; :weight 95 .
:l a :Animal ; rdfs:label "Lola" ; :lives :p ; :born "2016-07-02"^^xsd:date ; :sex "female" ; :weight 80 ; :mother :m .
:t a :Animal ; rdfs:label "Tito" ; :lives :q ; :born "2014-09-03"^^xsd:date ; :sex "male" ; :weight 120 .
:v a :Veterinarian ; rdfs:label "Vera Voss" ; :field "dentistry" . :w a :Veterinarian ; rdfs:label "Wim Wolf" .
:e a :Exam ; rdfs:label "first examination" ; :patient :m ; :by :v .
:f a :Exam ; rdfs:label "second examination" ; :patient :t ; :by :v .
"""


@pytest.fixture(scope="module")
def park(kept_file: Callable[[str, str], Path]) -> Iterator[Said]:
    with Agent(graph=kept_file("park.ttl", PARK), model="none") as agent:
        yield remembering(agent)


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Which of them is the largest?", ["South Pen"]),
        ("which of them has the largest size?", ["South Pen"]),
        ("sort them by size", ["South Pen", "90"]),
        ("and their m³ of water", ["North Pen", "12"]),
    ],
)
def test_a_label_with_a_sign_that_no_variable_may_have_names_a_column(park: Said, text: str, first: list[str]) -> None:
    answer = park("Which pens are there?", text)[-1].answer
    assert answer is not None
    rows = [[value.label for value in row if value] for row in answer.rows]
    assert first in (rows if text.startswith("and") else rows[:1])


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    ("texts", "standalone"),
    [
        (["Which of them is the heaviest?", "How old is it?"], "How old is Mina?"),
        (["Which of them is the heaviest?", "When was it born?"], "When was Mina born?"),
        (["Which of them is the heaviest?", "In which pen does it live?"], "In which pen does Mina live?"),
    ],
)
def test_an_animal_may_be_it_as_what_was_given_last(park: Said, texts: list[str], standalone: str) -> None:
    assert park("Which animals live in North Pen?", *texts)[-1].standalone == standalone


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    ("question", "text", "standalone"),
    [
        ("Who is the mother of Lola?", "When was she born?", "When was Mina born?"),
        ("Which animals did Vera Voss examine?", "What is her field?", "What is Vera Voss's field?"),
    ],
)
def test_she_is_who_was_asked_for_and_may_be_by_her_class(
    park: Said, question: str, text: str, standalone: str
) -> None:
    assert park(question, text)[-1].standalone == standalone


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["Which pens are heated?", "and which are not?"], ["South Pen"]),
        (["Which pens are heated?", "And how many are not?"], ["1"]),
        (["Which animals live in North Pen?", "and which don't?"], ["Tito"]),
        (["Which veterinarians have Dale as home?", "And Hill?"], ["Vera Voss"]),
        (
            ["Which animals are heavier than 90 kg?", "Which of them come from Asia?", "And from South America?"],
            ["Tito"],
        ),
    ],
)
def test_a_negation_or_a_value_alone_goes_on_from_the_last_question(
    park: Said, texts: list[str], wanted: list[str]
) -> None:
    assert shown(park, *texts) == wanted


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["Which pen is the largest?", "How much?"], ["90"]),
        (["Which animal has the most weight?", "How much weight?"], ["120"]),
        (["Which animal is the heaviest?", "How much?", "When was it born?"], ["2014-09-03"]),
    ],
)
def test_how_much_is_the_number_by_which_one_is_first(park: Said, texts: list[str], wanted: list[str]) -> None:
    turn = park(*texts)[-1]
    assert turn.answer is not None, turn.reply
    assert [str(value.term.value) for value in turn.answer.values] == wanted


def test_a_reading_that_cannot_be_written_leaves_the_others(park: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    def unwritable(said: object) -> Iterator[Turn]:
        raise QuerySyntaxError("not a SPARQL query")
        yield

    monkeypatch.setitem(understanding._WAYS, "operated", unwritable)
    answer = park("Which pens are there?", "Which of them is larger than 50 m²?")[-1].answer
    assert answer is not None
    assert {value.label for value in answer.values} == {"South Pen", "East Pen"}
