"""What no query answers is looked for in passages; what these do not tell is declined."""

from __future__ import annotations

from typing import Any

import pytest

from tests.phases.films import NOTHING, Script, world
from tests.retrieval.evidence_world import InMemory
from tests.routing.conftest import Make
from tests.routing.test_ladder import DIRECTED, KUBRICK, LYNCH, rungs
from triad.agent import Agent
from triad.errors import AnswerError
from triad.retrieval.search.base import Passage, Sentence
from triad.retrieval.sources import Sources
from triad.route import Retrieval

__all__ = ["world"]

PASSAGES = [
    Passage("kubrick", "Stanley Kubrick", (Sentence("Stanley Kubrick directed eleven films besides shorts."),)),
    Passage("dune", "Dune", (Sentence("David Lynch directed Dune."),)),
]
CITED = {
    "sentences": [{"text": "He directed eleven films.", "cites": [1]}],
    "values": ["eleven films"],
    "sql": [],
    "search": [],
    "graph": [],
    "missing": "",
}
NOT_TOLD = [
    CITED | {"sentences": [], "values": []} | more for more in ({"search": ["films"]}, {"missing": "No films."})
]


def with_passages(agent: Agent, **options: Any) -> Agent:
    agent.sources = Sources(None, InMemory(PASSAGES), Retrieval(**options))
    return agent


def test_what_no_query_answers_is_looked_for_in_passages(make: Make) -> None:
    script = Script(parsing=NOTHING, evidence=CITED)
    answer = with_passages(make(script, rungs=("template", "retrieval"))).ask(DIRECTED)
    assert (answer.rung, answer.source, answer.text) == ("retrieval", "passages", "He directed eleven films.")
    assert script.asked == ["parsing", "evidence"]
    assert rungs(answer) == ["template", "retrieval"]
    assert [one.text for one in answer.readings] == []


def test_a_sure_answer_of_the_graph_is_not_looked_for_in_passages(make: Make) -> None:
    script = Script(parsing=KUBRICK)
    assert with_passages(make(script, rungs=("template", "retrieval"), content=0.1)).ask(DIRECTED).rung == "template"
    assert script.asked == ["parsing"]


def test_an_answer_in_doubt_is_evidence_beside_the_passages(make: Make) -> None:
    script = Script(parsing=KUBRICK, evidence=CITED)
    answer = with_passages(make(script, rungs=("template", "retrieval"), content=1)).ask(DIRECTED)
    assert (answer.rung, [one.rung for one in answer.below]) == ("template", ["retrieval"])
    assert "2001: A Space Odyssey" in script.prompts["evidence"][0]


@pytest.mark.parametrize(
    "question",
    [
        "What is the average length of the films of Stanley Kubrick?",
        "What is the total length of the films of Stanley Kubrick?",
        "How many percent of the films did Stanley Kubrick direct?",
        "How many films did each director direct?",
    ],
)
def test_what_takes_arithmetic_over_groups_goes_to_the_passages_at_once(make: Make, question: str) -> None:
    script = Script(evidence=CITED)
    agent = with_passages(make(script, rungs=("template", "repair", "retrieval")))
    assert agent.ask(question, min_confidence=0).rung == "retrieval"
    assert script.asked == ["evidence"]


def test_what_the_passages_do_not_tell_is_declined_and_nobody_guesses(make: Make) -> None:
    script = Script(parsing=LYNCH, evidence=NOT_TOLD)
    agent = with_passages(make(script, rungs=("template", "retrieval", "exploration", "knowledge"), content=1))
    with pytest.raises(AnswerError) as declined:
        agent.ask(DIRECTED, min_confidence=0)
    assert script.asked == ["parsing", "evidence", "evidence"]
    unknown = declined.value.unknown
    assert unknown is not None
    assert [reason.text for reason in unknown.reasons] == ["No films"]
    assert unknown.guess is not None
    assert (unknown.guess.rung, len(unknown.guess.values)) == ("template", 2)


def test_what_the_graph_lacks_the_passages_may_tell(make: Make) -> None:
    lacks = {"answer_type": "select", "sparql": "", "not_in_graph": "films by Stanley Kubrick", "general": False}
    script = Script(parsing=lacks, evidence=CITED)
    answer = with_passages(make(script, rungs=("template", "retrieval"))).ask(DIRECTED)
    assert (answer.rung, script.asked) == ("retrieval", ["parsing", "evidence"])


def test_evidence_may_be_asked_of_the_graph_in_other_words(make: Make) -> None:
    asks = CITED | {"sentences": [], "values": [], "graph": ["Films of David Lynch?"]}
    script = Script(parsing=[NOTHING, LYNCH], evidence=[asks, CITED])
    with_passages(make(script, rungs=("template", "retrieval"))).ask(DIRECTED)
    assert script.asked == ["parsing", "evidence", "parsing", "evidence"]
    assert "Films of David Lynch?" in script.prompts["parsing"][1]
    assert "The Alphabet" in script.prompts["evidence"][1]
