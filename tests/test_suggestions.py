from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import triad
from triad import sparql
from triad.answers import Answer
from triad.errors import QueryTimeout
from triad.kg.base import SafeQuery
from triad.kg.local import LocalGraph
from triad.kg.profile import ValueCount
from triad.questions import Question
from triad.rdf import IRI, RDF_LANG_STRING, XSD, Literal, ResultSet
from triad.sparql.patterns import Service
from triad.suggestions import Suggestions

pytestmark = pytest.mark.slow(0.4)

COMPANIES = """
@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Company rdfs:label "company" . :Person rdfs:label "person" . :City rdfs:label "city" .
:foundedBy rdfs:label "founded by" . :founded rdfs:label "founding date" . :staff rdfs:label "employees" .
:seat rdfs:label "headquarters" . :born rdfs:label "birth date" . :code rdfs:label "xqcode" .
:acme a :Company ; rdfs:label "Acme" ; :foundedBy :ada ; :founded "1968-07-18"^^xsd:date ; :staff 90 ; :code "A" ;
  :seat :rome .
:bolt a :Company ; rdfs:label "Bolt" ; :foundedBy :ada ; :founded "1975-01-01"^^xsd:date ; :staff 30 ; :seat :rome .
:corp a :Company ; rdfs:label "Corp" ; :foundedBy :bob ; :founded "1990-01-01"^^xsd:date ; :staff 10 ; :seat :rome .
:ada a :Person ; rdfs:label "Ada Stone" ; :born "1929-01-03"^^xsd:date .
:bob a :Person ; rdfs:label "Bob Wood" ; :born "1950-01-03"^^xsd:date .
:rome a :City ; rdfs:label "Rome" .
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("companies") / "companies.ttl"
    found.write_text(COMPANIES, encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def agent(file: Path) -> Iterator[triad.Agent]:
    with triad.Agent(file, model="none") as found:
        yield found


def invited(agent: triad.Agent, question: str, wanted: int = 3) -> list[str]:
    return [one.question for one in agent.next_questions(agent.ask(question), wanted=wanted, seconds=60)]


def test_an_answer_invites_what_else_there_is_the_next_level_and_a_comparison(agent: triad.Agent) -> None:
    found = invited(agent, "Who founded Acme?")
    assert found[:2] == ["When was Acme founded?", "When was Ada Stone born?"]
    assert len(found) == 3
    assert "Acme" not in found[2]


def test_each_of_them_has_the_answer_that_it_is_given_with(agent: triad.Agent) -> None:
    answer = agent.ask("Who founded Acme?")
    found = agent.next_questions(answer, wanted=8, seconds=60)
    assert len(found) > 3
    for one in found:
        again = agent.ask(one.question)
        assert (again.text, again.confidence) == (one.answer, one.confidence)
        assert one.confidence >= 0.8


def test_a_question_is_not_invited_again_nor_a_name_asked_for_that_is_no_word(agent: triad.Agent) -> None:
    found = invited(agent, "When was Acme founded?", wanted=10)
    assert "When was Acme founded?" not in found
    assert not any("xqcode" in one for one in found)
    assert len(found) == len(set(found))


def test_an_answer_without_a_query_invites_nothing(agent: triad.Agent) -> None:
    answer = agent.ask("Who founded Acme?")
    assert agent.next_questions(Answer(answer.question, text="a guess")) == ()
    assert agent.next_questions(answer, wanted=0) == ()
    assert agent.next_questions(answer, seconds=0) == ()


def test_questions_of_ones_own_come_first_where_they_concern_the_answer(file: Path) -> None:
    own = ["How many employees does Acme have?", "When was Bob Wood born?", "What is the frobnication of Zork?"]
    with triad.Agent(file, model="none", questions=own) as agent:
        described = [one.question for one in agent.describe().questions]
        assert described[:2] == own[:2]
        assert own[2] not in described
        about_acme = invited(agent, "Who founded Acme?")
        assert about_acme[0] == own[0]
        assert own[2] not in about_acme
        assert own[0] not in invited(agent, own[0])


def test_a_guess_makes_no_question_of_ones_own(file: Path) -> None:
    def unsure(question: Question) -> Answer:
        return Answer(question, text="perhaps", confidence=0.3)

    with triad.Agent(file, model="none") as agent:
        assert Suggestions(agent.schema, agent.profile, unsure, "en", ["Who is it?"]).own == ()


def test_things_of_no_class_are_asked_for_where_the_graph_says_something_of_them(tmp_path: Path) -> None:
    file = tmp_path / "books.ttl"
    file.write_text(
        "@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':momo a :Book ; rdfs:label "Momo" ; :author :ende ; :page <http://momo.example/> . :ende rdfs:label "Ende" .\n'
        ':jim a :Book ; rdfs:label "Jim" ; :author :ende ; :page <http://jim.example/> .',
        encoding="utf-8",
    )
    with triad.Agent(file, model="none") as agent:
        asked = [one.question for one in agent.describe().questions]
    assert any(one.startswith("Who wrote") for one in asked)
    assert not any("page" in one for one in asked)


def test_what_a_name_says_already_and_what_several_share_is_not_asked(tmp_path: Path) -> None:
    file = tmp_path / "people.ttl"
    people = (("Ann Moss", "Ann", 3), ("Ben Moss", "Ben", 9), ("Cy Reed", "Cy", 9))
    file.write_text(
        "@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ":Person rdfs:label 'person' . :first rdfs:label 'first name' . :salary rdfs:label 'salary' .\n"
        + "".join(
            f":p{at} a :Person ; rdfs:label '{name}' ; :first '{first}' ; :salary {salary} .\n"
            for at, (name, first, salary) in enumerate(people)
        ),
        encoding="utf-8",
    )
    with triad.Agent(file, model="none") as agent:
        asked = [one.question for one in agent.describe(questions=20).questions]
    assert any("salary of" in one for one in asked)
    assert not any("first name of" in one or "highest" in one for one in asked)


def test_no_query_takes_longer_than_the_search_and_a_class_that_is_not_counted_in_time_is_asked_about_too(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times: list[float] = []
    select = LocalGraph.select

    def slow(graph: LocalGraph, query: SafeQuery, *, timeout: float | None = None) -> ResultSet:
        if "LIMIT 1000\n" in str(query):
            times.append(timeout or math.inf)
            raise QueryTimeout("it takes long to count")
        return select(graph, query, timeout=timeout)

    monkeypatch.setattr(LocalGraph, "select", slow)
    monkeypatch.setattr(Suggestions, "_count", lambda *_: None)
    with triad.Agent(file, model="none") as agent:
        asked = [one.question for one in agent.describe(questions=30, seconds=100).questions]
    assert any("Acme" in one for one in asked)
    assert times
    assert max(times) <= 25


def test_a_value_of_a_profile_ends_no_query(agent: triad.Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = "> . SERVICE <http://127.0.0.1:1/> { ?a ?b ?c } ?x ?y <http://x.org/z"
    hostile: list[Any] = [IRI(f"http://x.org/rome{ends}"), Literal("A", f"{XSD}string{ends}")]
    hostile.append(Literal("A", RDF_LANG_STRING, f"en . ?x ?y <http://x.org/z{ends}>"))
    asked: list[str] = []
    lookup = LocalGraph.lookup

    def noted(graph: LocalGraph, query: str) -> ResultSet:
        asked.append(query)
        return lookup(graph, query)

    monkeypatch.setattr(LocalGraph, "lookup", noted)
    assert agent.profile
    for term in hostile:
        values = (ValueCount(term, 2),)
        relations = tuple(replace(one, values=values) for one in agent.profile.relations)
        made = Suggestions(agent.schema, replace(agent.profile, relations=relations), agent.ask, "en")
        assert [*made.of_classes(["http://x.org/Company"], 20, 60)]
    assert any("SERVICE" in one for one in asked)
    assert not [part for one in asked if "SERVICE" in one for part in sparql.nodes(sparql.parse(one), Service)]
