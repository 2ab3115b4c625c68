"""What becomes of the model's sentences: marks, values, explanations, follow-ups, and the other rungs."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from rich.console import Console

from tests.retrieval.evidence_world import World, asked, bikes, reply
from triad.citations import Attribution, ClusterShare
from triad.cli import display
from triad.conversation import Conversation
from triad.errors import AnswerError
from triad.trace import Message

pytestmark = pytest.mark.slow(0.2)

__all__ = ["bikes"]

PRICE = "How much does the Fjell 7 Carbon cost?"
ROWS = "SELECT label, price_EUR FROM Bike ORDER BY price_EUR"
TRUE, FALSE = ("The Fjell 7 Carbon costs €6,499.", [1]), ("It costs 5,999 euros.", [1])


@pytest.mark.slow
def test_a_sentence_that_its_evidence_does_not_hold_is_marked(bikes: World) -> None:
    agent, _ = bikes([reply(sentences=[TRUE, FALSE])])
    answer = agent.ask(PRICE)
    assert answer.text == "The Fjell 7 Carbon costs €6,499. It costs 5,999 euros. [?]"
    assert [one.missing for one in answer.sentences] == [(), ("5,999 euros",)]
    assert 0.5 < answer.confidence < 0.9


def test_a_sentence_that_its_evidence_does_not_hold_is_taken_out_where_that_is_wished(bikes: World) -> None:
    agent, _ = bikes([reply(sentences=[TRUE, FALSE])], strict=True)
    assert agent.ask(PRICE).text == "The Fjell 7 Carbon costs €6,499."
    agent, _ = bikes([reply(sentences=[FALSE])], strict=True)
    with pytest.raises(AnswerError) as caught:
        agent.ask(PRICE)
    assert caught.value.unknown is not None
    assert caught.value.unknown.reasons


def test_an_answer_that_no_evidence_holds_is_a_guess(bikes: World) -> None:
    agent, _ = bikes([reply(sentences=[FALSE])])
    with pytest.raises(AnswerError) as caught:
        agent.ask(PRICE)
    assert caught.value.unknown is not None
    assert caught.value.unknown.guess is not None
    assert caught.value.unknown.guess.text == "It costs 5,999 euros. [?]"


def test_values_are_found_again_in_the_result_that_is_cited(bikes: World) -> None:
    sentence = ("The Brett 3 is the cheapest, at €2,099.", [1])
    agent, _ = bikes([reply(sql=[ROWS]), reply(sentences=[sentence], values=["Brett 3", "€2,099"])])
    thing, price = agent.ask("Which is the cheapest?").values
    assert (thing.term.type, thing.term.value) == ("iri", "http://example.org/brett")
    assert (price.term.value, price.shown) == ("2099", "€2,099")


def test_without_values_the_rows_of_the_result_are_the_answer(bikes: World) -> None:
    agent, _ = bikes([reply(sql=[ROWS]), reply(sentences=[("They cost from €2,099 to €6,499.", [1])])])
    answer = agent.ask("Which ones are there?")
    assert (answer.variables, len(answer.rows)) == (("label", "price_EUR"), 3)


@pytest.mark.slow
def test_of_a_long_result_the_named_value_is_the_answer_and_for_a_whole_list_all_rows(bikes: World) -> None:
    query = "SELECT range AS number FROM range(40)"
    one = reply(sentences=[("The greatest is 39.", [1])], values=["39"])
    agent, _ = bikes([reply(sql=[query]), one])
    assert [value.label for value in agent.ask("What is the greatest?").values] == ["39"]
    many = reply(sentences=[("They go from 0 to 39.", [1])], values=[str(number) for number in range(20)])
    agent, _ = bikes([reply(sql=[query]), many])
    assert len(agent.ask("Which are there?").values) == 40


def test_a_result_of_one_boolean_is_a_yes_or_a_no(bikes: World) -> None:
    query = "SELECT max(price_EUR) > 5000 AS dear FROM Bike"
    agent, _ = bikes([reply(sql=[query]), reply(sentences=[("Yes, some cost more.", [1])])])
    answer = agent.ask("Are there any above 5000?")
    assert (answer.boolean, answer.answer_type) == (True, "boolean")


def test_text_without_values_is_the_answer_itself(bikes: World) -> None:
    agent, _ = bikes([reply(sentences=[("The battery is guaranteed for 4 years.", [1])])])
    answer = agent.ask("How long is the battery guaranteed since 2025?")
    assert answer.variables == ("answer",)
    assert answer.values[0].label == answer.text


# Told -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_explanation_opens_each_citation(bikes: World) -> None:
    sentences = [TRUE, ("The three of them cost €2,099 to €6,499.", [2])]
    agent, _ = bikes([reply(sql=[ROWS]), reply(sentences=sentences)])
    answer = agent.ask(PRICE)
    plain = answer.explain()
    assert "The Fjell 7 Carbon costs €6,499. [1]" in plain
    assert "[1] Graph in words: Fjell 7 Carbon" in plain
    assert "fact: " in plain
    assert "[2] Table: Bike" in plain
    assert ROWS in plain
    markdown = answer.explain(markdown=True)
    assert f"```sql\n{ROWS}\n```" in markdown
    assert "#### \\[1\\] Graph in words: Fjell 7 Carbon" in markdown


def test_a_terminal_shows_sentences_with_their_sources(bikes: World) -> None:
    agent, _ = bikes([reply(sentences=[("The battery is guaranteed for 4 years.", [1]), FALSE])])
    file = io.StringIO()
    console = Console(file=file, width=200, highlight=False, markup=False)
    display.show_answer(console, agent.ask("How long is the battery guaranteed since 2025?"))
    shown = file.getvalue()
    assert "The battery is guaranteed for 4 years. [1]" in shown
    assert "(its evidence does not hold 5,999 euros)" in shown
    assert "[1] documents: Warranty from 2025 (warranty-2025.md, 2025-01-15)" in shown
    share = ClusterShare((1, 2), ("Warranty",), 0.5, 0.75)
    display.show_attribution(console, Attribution((share,), 2))
    assert "[1][2]\t75%\tWarranty" in file.getvalue()


def test_what_no_model_read_is_shown_as_passages(bikes: World) -> None:
    agent, _ = bikes([])
    agent.models = {}
    with pytest.raises(AnswerError) as caught:
        agent.ask("How long is the battery guaranteed?")
    assert caught.value.unknown is not None
    file = io.StringIO()
    display.show_unknown(Console(file=file, width=200), caught.value.unknown)
    assert "Warranty from 2025 (warranty-2025.md, 2025-01-15)" in file.getvalue()
    assert "Passages that may help, which no model has read" in caught.value.unknown.explain()


# In conversation ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_follow_up_goes_on_from_an_answer_in_sentences(bikes: World) -> None:
    rephrased = {"kind": "dependent", "question": "How much does the Fjell 7 Carbon weigh?", "things": [1]}
    replies = [
        reply(sentences=[TRUE], values=["€6,499"]),
        json.dumps(rephrased),
        reply(sql=["SELECT label, weight_kg FROM Bike WHERE label = 'Fjell 7 Carbon'"]),
        reply(sentences=[("It weighs 22.9 kg.", [2])], values=["22.9 kg"]),
    ]
    agent, model = bikes(replies)
    conversation = Conversation(agent)
    first = conversation.ask(PRICE)
    assert first.reply == "The Fjell 7 Carbon costs €6,499."
    assert [thing.iri for thing in first.things.values()] == ["http://example.org/fjell"]
    second = conversation.ask("and how heavy is it?")
    assert "The Fjell 7 Carbon costs €6,499." in asked(model, 1)
    assert (second.standalone, second.reply) == ("How much does the Fjell 7 Carbon weigh?", "It weighs 22.9 kg.")
    assert second.usage.calls == 3


def test_what_the_sources_do_not_tell_is_the_reply(bikes: World) -> None:
    agent, _ = bikes([reply(search=["dealers"]), reply(missing="The sources do not name dealers.")])
    turn = Conversation(agent).ask("Which dealers are there?")
    assert "The sources do not name dealers" in turn.reply
    assert turn.unknown is not None


# The other rungs ------------------------------------------------------------------------------------------


def _by_schema(replies: Sequence[str], template: str) -> Any:
    """Reply with a template where one is asked for, else with the next reply."""
    left = iter(replies)
    parsed = {"answer_type": "select", "sparql": template, "other": [], "not_in_graph": "", "general": False}

    def answer(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
        fields = set((schema or {}).get("properties", {}))
        if "choices" in fields:
            return json.dumps({"choices": []})
        return json.dumps(parsed) if "sparql" in fields else next(left)

    return answer


def test_the_phases_are_a_branch_that_is_asked_in_words(bikes: World) -> None:
    question = "What is the price of Fjell 7 Carbon?"
    replies = [reply(graph=[question]), reply(sentences=[("It costs €6,499.00.", [2])])]
    agent, model = bikes(_by_schema(replies, "SELECT ?p { <Fjell_7_Carbon> <price> ?p }"))
    answer = agent.ask(PRICE)
    assert f'[2] graph, asked "{question}"' in asked(model)
    assert answer.source == "graph"
    assert [value.label for value in answer.values] == ["€6,499.00"]
    assert answer.trace is not None
    assert {step.rung for step in answer.trace.steps if step.service == "model"} == {"retrieval"}


def test_phases_that_find_nothing_are_a_failure_that_is_told(bikes: World) -> None:
    replies = [reply(graph=["Who designed it?"]), reply(sentences=[TRUE])]
    agent, model = bikes(_by_schema(replies, "SELECT ?p { <Fjell_7_Carbon> <designer> ?p }"))
    assert agent.ask(PRICE).values
    assert "Failed: graph 'Who designed it?'" in asked(model)


def test_where_neither_graph_nor_sources_tell_the_model_is_not_asked_for_its_own_knowledge(bikes: World) -> None:
    agent, model = bikes(
        [reply(search=["mayor"]), reply(missing="Mayors are not in the sources.")], rungs=("retrieval", "knowledge")
    )
    with pytest.raises(AnswerError, match="Mayors are not in the sources"):
        agent.ask("Who is the mayor of Lindau?")
    assert len(model.calls) == 2
