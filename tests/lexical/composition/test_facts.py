"""Facts about facts are asked in the same words whichever shape the graph has for them."""

from __future__ import annotations

import json

import pytest

from tests.facts import CLAIMS, DIRECT, EX, PROVENANCE, STATEMENTS, TRIPLE_TERMS
from tests.lexical.conftest import Open
from triad.agent import Agent
from triad.conversation.conversation import Conversation
from triad.errors import AnswerError
from triad.explain import explain
from triad.models import ScriptedModel
from triad.phases.grounding import vocabulary
from triad.questions import Question

pytestmark = pytest.mark.slow

SHAPES = {"statements": STATEMENTS, "triple-terms": TRIPLE_TERMS}


@pytest.fixture(scope="module", params=SHAPES)
def agent(request: pytest.FixtureRequest, open_text: Open) -> Agent:
    return open_text(SHAPES[request.param])


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who works for Acme?", {"Anna", "Ben"}),
        ("Whom does Anna work for?", {"Acme"}),
        ("Since when does Anna work for Acme?", {"2019"}),
        ("Since when does Ben work for Bolt?", {"2015"}),
        ("According to what does Ben work for Acme?", {"the newspaper"}),
        ("Who works for Acme according to the handbook?", {"Anna"}),
        ("Which persons work for Acme since 2021?", {"Ben"}),
        ("How many persons work for Acme?", {"2"}),
    ],
)
def test_a_fact_and_its_qualifiers_are_asked_for(agent: Agent, question: str, expected: set[str]) -> None:
    assert {value.shown for value in agent.ask(question).values} == expected


def test_whether_something_is_a_fact_is_asked(agent: Agent) -> None:
    assert agent.ask("Does Anna work for Acme?").boolean is True
    assert agent.ask("Does Anna work for Bolt?").boolean is False


def test_a_qualified_fact_is_shown_as_one(agent: Agent) -> None:
    answer = agent.ask("Since when does Anna work for Acme?")
    [fact] = answer.provenance
    assert (str(fact.subject), str(fact.predicate), str(fact.object)) == (EX + "anna", EX + "worksFor", EX + "acme")
    assert fact.said == "(according to the handbook, since 2019)"
    assert "Anna | works for | Acme (according to the handbook, since 2019)" in explain(answer)


def test_a_fact_that_is_asked_for_alone_is_shown_with_what_is_said_of_it(agent: Agent) -> None:
    said = {fact.said for fact in agent.ask("Who works for Acme?").provenance}
    assert said == {"(according to the handbook, since 2019)", "(according to the newspaper, since 2021)"}


def test_a_conversation_says_what_is_said_of_a_fact(agent: Agent) -> None:
    talk = Conversation(agent)
    talk.ask("Since when does Anna work for Acme?")
    assert "Anna – works for – Acme (according to the handbook, since 2019)" in talk.ask("Why?").reply


def test_a_description_has_the_facts_of_a_relation_once(agent: Agent) -> None:
    classes = {one.iri.removeprefix(EX): one for one in agent.describe(questions=0).classes}
    works = classes["worksFor"]
    assert (works.label, works.instances, works.statement) == ("works for", 3, True)
    assert [one.label for one in works.relations] == ["according to", "since"]
    assert [one.label for one in classes["Person"].relations] == ["works for"]


def test_the_prompt_shows_the_relation_once_with_its_qualifiers_and_how_they_are_asked_for(agent: Agent) -> None:
    lines = vocabulary(agent.begin(Question("Since when does Anna work for Acme?")), 2_000)
    [line] = [one for one in lines if "<<" in one]
    assert line == (
        "Each works for as << ?a <works_for> ?b >>, of which is said: since = 2019 (gYear); also according to ->"
    )
    assert not any("subject" in one or "urn:" in one for one in lines)


def test_a_model_asks_for_a_qualifier_in_one_way(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    sparql = "SELECT ?year { << <Anna> <works_for> <Acme> >> <since> ?year }"
    reply = json.dumps({"triples": [], "answer_type": "select", "sparql": sparql})
    roles = agent.models or ("generalist", "decision_maker", "advisor")
    monkeypatch.setattr(agent, "models", dict.fromkeys(roles, ScriptedModel([reply] * 4)))
    assert [value.shown for value in agent.ask("Since when is Anna at Acme?").values] == ["2019"]


# Provenance


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is it derived from that Anna works for Acme?", "the handbook"),
        ("When was it generated that Anna works for Acme?", "March 1, 2019"),
        ("Whom does Ben work for?", "Acme"),
    ],
)
def test_where_a_fact_comes_from_is_asked_for(open_text: Open, question: str, expected: str) -> None:
    agent = open_text(PROVENANCE)
    assert [value.shown for value in agent.ask(question).values] == [expected]


# Claims with ranks


@pytest.mark.parametrize("direct", ["", DIRECT], ids=["claims-alone", "beside-direct-triples"])
def test_of_claims_the_preferred_ones_are_answers_and_no_deprecated_one(open_text: Open, direct: str) -> None:
    agent = open_text(CLAIMS + direct)
    answer = agent.ask("Who is the employer of Anna?")
    assert [value.shown for value in answer.values] == ["Acme"]
    assert [fact.said for fact in answer.provenance] == ["(start time 2019)"]
    assert ("/prop/statement/" in str(answer.query)) == (not direct)
    assert [value.shown for value in agent.ask("What is the start time of Anna's employer Bolt?").values] == ["2012"]
    with pytest.raises(AnswerError):
        agent.ask("What is the start time of Anna's employer Cork?")


def test_a_graph_without_such_facts_has_none(open_text: Open) -> None:
    agent = open_text("@prefix : <http://example.org/> . :anna a :Person ; :worksFor :acme .")
    assert agent.profile is not None
    assert agent.profile.stated == ()
