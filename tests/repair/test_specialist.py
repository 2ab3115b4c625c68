from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.phases.films import EX, Script, World, steps
from triad.agent import Agent
from triad.answers import Answer
from triad.configs import make_config
from triad.errors import AnswerError, DataError, ModelError, ResourceNotFound
from triad.evaluation.run import run
from triad.models import ScriptedModel, open_model
from triad.models.model import Completion, Model
from triad.phases.context import Context
from triad.repair.repairing import ROLE, Specialist, ask, open_specialist, repair_paths
from triad.route import Route
from triad.trace import Message, Usage

ALONE = Route(rungs=("template", "repair"))
"""The specialist and path repair, without the solver before them."""


class Beams(Model):
    """A model that gives several replies."""

    def __init__(self, *texts: str) -> None:
        self.name = "beams"
        self.texts = texts
        self.asked: list[str] = []

    def complete(self, messages: Sequence[Message], schema: Any = None) -> Completion:
        return self.complete_many(messages, 1)[0]

    def complete_many(self, messages: Sequence[Message], count: int) -> list[Completion]:
        self.asked.append(messages[-1].content)
        usages = [Usage(calls=1, input_tokens=9), *[Usage()] * count]
        return [Completion(text, usage) for text, usage in zip(self.texts[:count], usages, strict=False)]


def asking(world: World, question: str, *paths: str, script: Script | None = None) -> tuple[Context, Specialist]:
    specialist = Specialist(Beams(*(f"Main Path:\n{path}" for path in paths)))
    context = world.context(script, question)
    return replace(context, models={**context.models, ROLE: specialist.model}), specialist


def values(answer: Answer | None) -> list[str]:
    assert answer is not None
    return sorted(str(value.term).removeprefix(EX) for value in answer.values)


def asked_and_repaired(context: Context, specialist: Specialist) -> Answer | None:
    answer, plans = ask(context.on("template"), specialist)
    return answer or repair_paths(context.on("repair"), plans)


def test_it_is_asked_in_the_form_of_its_records(world: World) -> None:
    context, specialist = asking(world, "who directed The Shining", " The Shining -[director]-> ?x")
    answer, _ = ask(context, specialist)
    assert values(answer) == ["Kubrick"]
    assert isinstance(specialist.model, Beams)
    assert specialist.model.asked == [
        "Generate a reasoning path that retrieves the information corresponding to the given question.\n\n"
        "Question: { who directed The Shining }"
    ]
    [call] = steps(context, "model")
    assert (call.role, call.usage.calls, call.usage.input_tokens) == (ROLE, 1, 9)


def test_several_paths_cost_one_call_and_the_first_with_answers_counts(world: World) -> None:
    context, specialist = asking(
        world,
        "where was the director of The Shining born",
        " this is no path",
        " The Shining -[author]-> ?y\n ?y -[birth place]-> ?x",
        " The Shining -[director]-> ?y\n ?y -[birth place]-> ?x",
        " The Shining -[director]-> ?y\n ?y -[death place]-> ?x",
    )
    answer = asked_and_repaired(context, specialist)
    assert values(answer) == ["NewYork"]
    assert context.recorder.trace().usage.calls == 1


def test_restrictions_hold(world: World) -> None:
    path = """ Stanley Kubrick -[R[director]]-> ?x
Numeric Restrictions:
 ?x -[release date]-> ?sk0
  ORDER BY ASC(?sk0)
  LIMIT 1"""
    context, specialist = asking(world, "Kubrick's first film?", path)
    assert values(asked_and_repaired(context, specialist)) == ["Odyssey"]


def test_the_topic_is_no_answer(world: World) -> None:
    path = " The Shining -[director]-> ?y\n ?y -[R[director]]-> ?x"
    context, specialist = asking(world, "What else was made by the director of The Shining?", path)
    assert values(asked_and_repaired(context, specialist)) == ["Odyssey"]


def test_a_relation_that_the_graph_does_not_have_is_repaired(world: World) -> None:
    path = " The Shining -[film , film , filmmaker]-> ?y\n ?y -[people , person , place of birth]-> ?x"
    context, specialist = asking(world, "where was the filmmaker of The Shining born", path)
    answer, plans = ask(context, specialist)
    assert answer is None
    assert plans
    answer = asked_and_repaired(context, specialist)
    assert values(answer) == ["NewYork"]
    assert {step.rung for step in steps(context, "graph")} >= {"template", "repair"}


def test_the_general_model_says_the_steps_where_no_path_helps(world: World) -> None:
    script = Script(step_planning={"steps": ["director", "birth place"]})
    context, specialist = asking(
        world, "Where does the maker come from?", " The Shining -[xyzzy]-> ?y\n ?y -[plugh]-> ?x", script=script
    )
    assert values(asked_and_repaired(context, specialist)) == ["NewYork"]
    assert script.asked[0] == "step_planning"


def test_where_nothing_helps_there_is_no_answer(world: World) -> None:
    context, specialist = asking(world, "?", " Nobody at all -[xyzzy]-> ?x")
    assert asked_and_repaired(context, specialist) is None


# From configs ---------------------------------------------------------------------------------------------

CAPITAL = "What is the capital of Switzerland?"
RECORDS: list[dict[str, Any]] = [
    {"instruction": "…", "input": f"Question: {{ {CAPITAL} }}", "output": "Main Path:\n Switzerland -[capital]-> ?x"},
    {
        "instruction": "…",
        "input": "Question: { Who founded Intel? }",
        "output": ["Main Path:\n Intel -[xyzzy]-> ?x", "Main Path:\n Intel -[founder]-> ?x"],
    },
    {"instruction": "…", "input": "Question: { Who? }", "output": "Main Path:\n Nobody at all -[xyzzy]-> ?x"},
]


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    path = tmp_path / "predictions.json"
    path.write_text(json.dumps(RECORDS), encoding="utf-8")
    return path


@pytest.mark.slow
def test_predictions_of_a_file_stand_in_for_the_model(demo_agent: Agent, predictions: Path) -> None:
    config = make_config({"graph": "x.ttl", "specialist": {"model": f"records:{predictions}", "beams": 4}})
    specialist = open_specialist(config)
    assert specialist is not None
    assert (specialist.prompt, specialist.beams) == ("crp", 4)
    agent = Agent(demo_agent.graph, demo_agent.index, specialist=specialist, route=ALONE)
    assert agent.ask(CAPITAL).text == "Bern"
    founders = agent.ask("Who founded Intel?")
    assert founders.text == "Gordon Moore; Robert Noyce"
    assert founders.method == "model"
    with pytest.raises(AnswerError, match="no answer was reached"):
        agent.ask("Who?", min_confidence=0)


@pytest.mark.slow
def test_a_run_scores_repair_alone(predictions: Path, tmp_path: Path) -> None:
    """Gold paths are the data set, predictions of a model stand in for it, and no model is asked."""
    gold = tmp_path / "gold.json"
    records = [
        {**RECORDS[0], "output": "Main Path:\n Switzerland -[capital]-> ?x"},
        {**RECORDS[1], "output": "Main Path:\n Intel -[founder]-> ?x"},
    ]
    gold.write_text(json.dumps(records), encoding="utf-8")
    predicted = [{**RECORDS[0], "output": "Main Path:\n Switzerland -[seat of government city]-> ?x"}, RECORDS[1]]
    predictions.write_text(json.dumps(predicted), encoding="utf-8")
    report = run(
        "demo",
        changes={
            "dataset": {"path": str(gold), "format": "crp", "language": "en"},
            "specialist": {"model": f"records:{predictions}"},
            "model": None,
            "route": {"rungs": ALONE.rungs},
        },
        out=tmp_path / "run",
    )
    assert report.questions == 2
    assert report.failed == 0
    assert "f1" in str(report)


@pytest.mark.slow(0.4)
def test_a_model_that_gives_one_reply_is_asked_for_one(demo_agent: Agent) -> None:
    model = ScriptedModel(["Main Path:\n Switzerland -[capital]-> ?x"])
    agent = Agent(demo_agent.graph, demo_agent.index, specialist=Specialist(model), route=ALONE)
    assert agent.ask(CAPITAL).text == "Bern"


def test_what_is_no_file_of_records_is_said(tmp_path: Path) -> None:
    with pytest.raises(ResourceNotFound, match="there are no records"):
        open_model(f"records:{tmp_path / 'none.json'}")
    wrong = tmp_path / "wrong.json"
    wrong.write_text("[1]", encoding="utf-8")
    with pytest.raises(DataError, match="'instruction', 'input' and 'output'"):
        open_model(f"records:{wrong}")
    wrong.write_text(json.dumps(RECORDS[0]), encoding="utf-8")
    with pytest.raises(ModelError, match="no record whose input ends"):
        open_model(f"records:{wrong}").complete([Message("user", "Question: { Why? }")])
