from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from triad import Agent, Conversation
from triad.errors import AnswerError, ConfigError
from triad.models import ScriptedModel
from triad.route import Route

pytestmark = pytest.mark.slow(0.1)

EX = "http://example.org/"
TOWNS = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:Town rdfs:label "town" . ex:Region rdfs:label "region" .
ex:people rdfs:label "population" . ex:area rdfs:label "area" . ex:in rdfs:label "region" .
ex:kind rdfs:label "status" .
ex:fee rdfs:label "fee" .
ex:founded rdfs:label "founded" .
ex:reign rdfs:label "governed by" .
ex:North a ex:Region ; rdfs:label "North" ; ex:reign 7 . ex:South a ex:Region ; rdfs:label "South" .
ex:Alba a ex:Town ; rdfs:label "Alba" ; ex:people 900 ; ex:area 30 ; ex:in ex:North ; ex:kind "port"@en ; ex:fee 1, 2 .
ex:Brod a ex:Town ; rdfs:label "Brod" ; ex:people 400 ; ex:area 10 ; ex:in ex:North ; ex:kind "spa"@en ; ex:fee 5 .
ex:Cuma a ex:Town ; rdfs:label "Cuma" ; ex:people 50 ; ex:area 25 ; ex:in ex:South ; ex:kind "port"@en .
ex:Alba ex:founded "1250-05-01"^^xsd:date . ex:Brod ex:founded "1900-01-01"^^xsd:date .
"""
WORDS: dict[str, Any] = {
    "big town": {"of": "Town", "where": "population > 300"},
    "harbour": {"of": "town", "where": "status = 'port' and area > 20", "description": "a town with a port"},
    "big harbour": {"of": "big town", "where": "?it a <harbour>"},
    "either town": {"of": "Town", "where": "status in ('spa', 'mine') or not (area < 30)"},
    "old town": {"of": "Town", "where": "founded < 1500-01-01"},
    "northern town": "?it a <Town> ; <region> <http://example.org/North>",
    "top town": "SELECT ?t { ?t a <Town> ; <population> ?p } ORDER BY DESC(?p) LIMIT 1",
    "crowding": {"formula": "population / area", "unit": "per km2"},
    "levy": {"formula": "sum(fee) * 10"},
    "ruler": {"of": "Town", "formula": "<region>/<governed by>"},
    "region total": {"of": "Region", "formula": "sum(^<region>/<crowding>)", "description": "crowding of its towns"},
}


@pytest.fixture(scope="module")
def towns(kept_file: Callable[[str, str], Path]) -> Path:
    return kept_file("towns.ttl", TOWNS)


@pytest.fixture(scope="module")
def solver(towns: Path) -> Iterator[Agent]:
    with Agent(towns, model="none", words=WORDS, min_confidence=0) as agent:
        yield agent


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("List all big towns", ["Alba", "Brod"]),
        ("How many big towns are there?", ["2"]),
        ("How many towns are big towns?", ["2"]),
        ("Which towns are not big towns?", ["Cuma"]),
        ("Which big towns are in the region North?", ["Alba", "Brod"]),
        ("Which big town has the smallest population?", ["Brod"]),
        ("Which harbours are there?", ["Alba", "Cuma"]),
        ("List all big harbours", ["Alba"]),
        ("List all old towns", ["Alba"]),
        ("List all either towns", ["Alba", "Brod"]),
        ("List all northern towns", ["Alba", "Brod"]),
        ("List all top towns", ["Alba"]),
        ("What is the crowding of Alba?", ["30"]),
        ("Which town has the highest crowding?", ["Brod"]),
        ("Which big towns have a crowding above 35?", ["Brod"]),
        ("What is the levy of Alba?", ["30"]),
        ("What is the ruler of Alba?", ["7"]),
        ("What is the region total of North?", ["70"]),
    ],
)
def test_the_solver_takes_defined_words_for_what_they_stand_for(
    solver: Agent, question: str, answer: list[str]
) -> None:
    assert sorted(map(str, solver.ask(question).values)) == answer


@pytest.mark.parametrize(("question", "reply"), [("Is Brod a big town?", True), ("Is Cuma a big town?", False)])
def test_whether_a_thing_meets_a_definition_can_be_asked(towns: Path, question: str, reply: bool) -> None:
    with Agent(towns, model="none", words=WORDS) as agent:
        assert agent.ask(question).boolean is reply


def test_a_formula_gives_its_values_their_name_and_unit(towns: Path) -> None:
    with Agent(towns, model="none", words=WORDS) as agent:
        one, average = (
            agent.ask("What is the crowding of Alba?"),
            agent.ask("What is the average crowding of the towns?"),
        )
    assert (one.variables, one.values[0].shown) == (("crowding",), "30 per km2")
    assert average.variables == ("average_crowding",)
    assert average.values[0].shown.endswith(" per km2")


def test_an_answer_says_which_definitions_it_used(towns: Path) -> None:
    with Agent(towns, model="none", words=WORDS) as agent:
        told = {one.words: one.became for one in agent.ask("What is the crowding of Alba?").words}
        assert told["crowding"] == "population / area (per km2)"
        told = {one.words: one.became for one in agent.ask("Which harbours are there?").words}
        assert told["harbours"] == "a town with a port"


@pytest.mark.slow
def test_definitions_change_no_other_question(towns: Path) -> None:
    with Agent(towns, model="none") as plain, Agent(towns, model="none", words=WORDS) as agent:
        for question in ("List all towns", "What is the population of Alba?", "Which town is the oldest?"):
            assert agent.ask(question).query == plain.ask(question).query


def test_a_follow_up_keeps_what_a_defined_word_stands_for(towns: Path) -> None:
    with Agent(towns, model="none", words=WORDS) as agent:
        conversation = Conversation(agent)
        conversation.ask("List all big towns")
        assert conversation.ask("sort by population").reply == "Alba: 900 and Brod: 400."
        assert conversation.ask("How many are there?").reply == "2."


def test_a_follow_up_may_have_defined_words(towns: Path) -> None:
    with Agent(towns, model="none", words=WORDS) as agent:
        conversation = Conversation(agent)
        conversation.ask("List all towns")
        assert conversation.ask("sort by crowding").reply == "Brod: 40 per km2, Alba: 30 per km2 and Cuma: 2 per km2."
        assert conversation.ask("only the big towns").reply == "Brod: 40 per km2 and Alba: 30 per km2."


def test_a_model_is_told_only_the_definitions_that_a_question_names(towns: Path) -> None:
    prompts: list[str] = []

    def reply(messages: Any, _: Any) -> str:
        prompts.append(messages[-1].content)
        return '{"answer_type": "select", "sparql": "SELECT ?t { ?t a <big_town> ; <crowding> ?c FILTER(?c > 35) }"}'

    agent = Agent(towns, model=ScriptedModel(reply), words=WORDS, route="phases")
    with agent:
        answer = agent.ask("Which big towns have a crowding above 35?")
        assert list(map(str, answer.values)) == ["Brod"]
        assert "urn:triad" not in (answer.query or "")
        assert [(one.words, one.kind) for one in answer.words] == [("big town", "class"), ("crowding", "relation")]
    assert '"big town" (defined): town with population > 300: write <big_town> as a class' in prompts[0]
    assert '"crowding" (defined): population / area (per km2): write <crowding> as a relation of town' in prompts[0]
    assert "harbour" not in prompts[0]


@pytest.mark.parametrize("question", ["Which towns are there?", "What is the population of Alba?", "Who rules North?"])
def test_definitions_that_a_question_does_not_name_leave_its_prompt_as_it_is(towns: Path, question: str) -> None:
    prompts: list[Any] = []

    def reply(messages: Any, _: Any) -> str:
        prompts.append([one.content for one in messages])
        return '{"answer_type": "select", "sparql": "SELECT ?t { ?t a <town> }"}'

    for words in ({}, WORDS):
        with Agent(towns, model=ScriptedModel(reply), words=words, route="phases") as agent:
            agent.ask(question)
    assert prompts[0] == prompts[-1]


@pytest.mark.slow
def test_things_with_the_same_value_of_a_formula_can_be_asked_for(towns: Path) -> None:
    def reply(*_: Any) -> str:
        same = "SELECT ?t { ?t a <town> ; <levy> ?n . ?other a <town> ; <levy> ?n . FILTER(?t != ?other) }"
        return json.dumps({"answer_type": "select", "sparql": same})

    text = towns.read_text(encoding="utf-8") + "ex:Dorn a ex:Town ; rdfs:label 'Dorn' ; ex:fee 3 ."
    twins = towns.with_name("twins.ttl")
    twins.write_text(text, encoding="utf-8")
    with Agent(twins, model=ScriptedModel(reply), words=WORDS, route="phases") as agent:
        assert sorted(map(str, agent.ask("Which towns have the levy of another town?").values)) == ["Alba", "Dorn"]


FISCAL = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:Sale rdfs:label "sale" . ex:date rdfs:label "date" . ex:amount rdfs:label "amount" .
ex:a a ex:Sale ; rdfs:label "S1" ; ex:amount 10 ; ex:date "2022-09-30"^^xsd:date .
ex:b a ex:Sale ; rdfs:label "S2" ; ex:amount 20 ; ex:date "2022-10-01"^^xsd:date .
ex:c a ex:Sale ; rdfs:label "S3" ; ex:amount 40 ; ex:date "2023-09-30"^^xsd:date .
ex:d a ex:Sale ; rdfs:label "S4" ; ex:amount 80 ; ex:date "2023-10-01"^^xsd:date .
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which sales are in fiscal year 2023?", ["S2", "S3"]),
        ("Which sales were in the last fiscal year?", ["S4"]),
        ("Which fiscal year has the most sales?", ["2023"]),
        ("What is the fiscal year of S3?", ["2023"]),
        ("What is the total amount of sales per fiscal year?", ["10", "60", "80"]),
    ],
)
def test_a_year_may_begin_on_another_day(
    kept_file: Callable[[str, str], Path], question: str, answer: list[str]
) -> None:
    words: dict[str, Any] = {"fiscal year": {"starts": "10-01"}}
    with Agent(kept_file("fiscal.ttl", FISCAL), model="none", words=words, min_confidence=0) as agent:
        found = agent.ask(question)
        assert sorted(str(row[-1]) for row in found.rows) == answer
        told = " ".join(one.became for one in found.words)
        assert "year of date, from 10-01 on, by the number of the year in which it ends" in told


def test_a_definition_is_never_given_up_for_an_answer(towns: Path) -> None:
    reply = '{"answer_type": "select", "sparql": "SELECT ?t { ?t a <big_town> ; <region> <South> }"}'
    model = ScriptedModel(lambda *_: reply)
    with (
        Agent(towns, model=model, words=WORDS, route=Route(sure=1)) as agent,
        pytest.raises(AnswerError, match="nothing here is 'big town': town with population > 300"),
    ):
        agent.ask("Which big towns are in the region South?")
    assert len(model.calls) == 1


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ({"a": {"of": "Twn", "where": "area > 1"}}, r"'a': 'of': 'Twn' is no class; there are town, region.*'town'\?"),
        ({"a": {"of": "Town", "where": "aera > 1"}}, r"'a': 'where': 'aera' is no relation of town; .*'area'\?"),
        ({"a": {"of": "Region", "where": "area > 1"}}, "'area' is no relation of region; there are label"),
        ({"a": {"of": "Town", "where": "area >"}}, "'a': 'where' cannot be read: "),
        ({"a": {"of": "Town"}}, "'a': a definition has a condition, 'where', or a 'formula'"),
        ({"a": {"where": "area > 1"}}, "'a': of which class"),
        ({"a": {"of": "b", "where": "area > 1"}, "b": {"of": "a", "where": "area > 1"}}, "'a' → 'b' → 'a': "),
        ({"a": {"of": "Region", "starts": "04-01"}}, "'a': 'starts': of which date.*; there are none"),
        ({"a": {"starts": "13-01"}}, "'a': 'starts': a month and a day are expected, such as 10-01, got '13-01'"),
        ({"a": {"of": "Town", "formula": "<region>/<rule>"}}, "'formula': 'rule' is no relation; there are "),
        (
            {"a": {"of": "Town", "wher": "area > 1"}},
            r"^agent: unknown key 'words\.a\.wher'; known here: description, formula, of, owner, starts, unit, where;",
        ),
        ({"a": 5}, r"^agent: 'words\.a': one or more IRIs are expected, .*, got 5$"),
    ],
)
def test_a_definition_that_does_not_fit_the_graph_is_an_error_with_its_place(
    towns: Path, words: dict[str, Any], fault: str
) -> None:
    with pytest.raises(ConfigError, match=fault):
        Agent(towns, model="none", words=words)


LANDS = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Place rdfs:label "place" . ex:Land rdfs:subClassOf ex:Place ; rdfs:label "Staat"@de, "country"@en .
ex:Lake rdfs:subClassOf ex:Place ; rdfs:label "lake" .
ex:people rdfs:label "Bevölkerung"@de, "population"@en . ex:area rdfs:label "area" . ex:borders rdfs:label "borders" .
ex:Oland a ex:Land ; rdfs:label "Oland" ; ex:people 900 ; ex:area 30 ; ex:borders ex:Uland .
ex:Uland a ex:Land ; rdfs:label "Uland" ; ex:people 400 ; ex:area 10 ; ex:borders ex:Oland .
ex:Tarn a ex:Lake ; rdfs:label "Tarn" .
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "answer"),
    [("What is the crowding of Oland?", "30"), ("Which country has the highest crowding?", "Uland")],
)
def test_a_formula_is_of_the_things_that_have_its_parts_and_not_of_their_neighbours(
    kept_file: Callable[[str, str], Path], question: str, answer: str
) -> None:
    words = {"crowding": "population / area"}
    with Agent(str(kept_file("lands.ttl", LANDS)), words=words) as agent:
        assert agent.ask(question).text == answer


def test_what_does_not_fit_is_told_with_names_of_the_language(kept_file: Callable[[str, str], Path]) -> None:
    graph = str(kept_file("lands.ttl", LANDS))
    for language, name, relation in (("en", "country", "population"), ("de", "Staat", "Bevölkerung")):
        with pytest.raises(ConfigError, match=f"'people of' is no relation of {name}; there are .*{relation}"):
            Agent(graph, words={"big": {"of": "Land", "where": "people of > 3"}}, language=language).close()
