"""A question climbs from rung to rung on evidence of doubt, and the best answer of all is given."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import Any, get_args

import pytest

from tests.phases.films import NOTHING, Script, world
from tests.routing.conftest import Make
from triad.answers import Answer, WordUse, from_json, to_json
from triad.errors import AnswerError, ModelError, ReplyError
from triad.lexical.solver import solve
from triad.phases.attempts import Attempt
from triad.phases.context import Context
from triad.trace import Phase

__all__ = ["world"]

KUBRICK = "SELECT DISTINCT ?f { ?f a <film> ; <director> <Stanley_Kubrick> }"
LYNCH = "SELECT DISTINCT ?f { ?f a <film> ; <director> <David_Lynch> }"
DIRECTED = "Which films did Stanley Kubrick direct?"
MISSING = {"action": "not_in_graph", "text": "no films by Kubrick", "thing": 0, "other": 0, "sparql": ""}
UNKNOWN = {"known": False, "answer": ""}


def rungs(answer: Answer) -> list[str | None]:
    assert answer.trace is not None
    return list(dict.fromkeys(step.rung for step in answer.trace.steps))


@pytest.mark.slow(0.1)
def test_where_the_solver_is_sure_no_model_is_asked(make: Make, logged: list[str]) -> None:
    script = Script()
    answer = make(script).ask(DIRECTED)
    assert (answer.rung, answer.method, len(answer.values)) == ("solver", "lexical", 2)
    assert script.asked == []
    assert rungs(answer) == ["solver"]
    assert not any(line.startswith("WARNING") for line in logged)


def test_where_the_solver_is_not_sure_a_template_answers_and_the_answer_says_what_was_below(make: Make) -> None:
    script = Script(parsing=KUBRICK)
    answer = make(script, sure=1, content=0).ask(DIRECTED)
    assert (answer.rung, answer.method, script.asked) == ("template", "model", ["parsing"])
    [below] = answer.below
    assert (below.rung, below.values, below.trace, below.below) == ("solver", answer.values, None, ())
    assert sorted(map(str, rungs(answer))) == ["solver", "template"]  # which worked at once
    assert answer.trace is not None
    assert {rung: usage.calls for rung, usage in answer.trace.usage_by("rung").items()} == {"template": 1}
    assert from_json(Answer, to_json(answer)) == answer


@pytest.mark.slow(0.1)
def test_an_answer_that_the_solver_gave_too_is_surer_than_another_one(make: Make) -> None:
    same = make(Script(parsing=KUBRICK), sure=1, content=0).ask(DIRECTED)
    agent = make(Script(parsing=LYNCH), sure=1, rungs=("solver", "template"))
    other = agent.ask(DIRECTED, min_confidence=0)
    assert same.confidence > other.confidence
    assert any("without the model" in doubt.text for doubt in other.doubts)


def test_the_solver_does_not_outrank_an_answer_of_the_model(make: Make) -> None:
    agent = make(Script(parsing=LYNCH), sure=1, content=1, rungs=("solver", "template"))
    best = agent.ask(DIRECTED, min_confidence=0)
    [other] = best.below
    assert (best.rung, other.rung) == ("template", "solver")
    assert other.confidence > best.confidence


def test_the_solver_does_not_outrank_a_reasoned_not_in_graph(make: Make) -> None:
    lacks = {"answer_type": "select", "sparql": "", "not_in_graph": "films by Stanley Kubrick", "general": False}
    for script in (Script(parsing=lacks), Script(parsing=NOTHING, exploration=MISSING)):
        agent = make(script, sure=1, rungs=("solver", "template", "exploration"))
        with pytest.raises(AnswerError) as declined:
            agent.ask(DIRECTED, min_confidence=0)
        unknown = declined.value.unknown
        assert unknown is not None
        assert unknown.guess is not None
        assert (unknown.guess.rung, len(unknown.guess.values)) == ("solver", 2)


def test_the_solver_does_not_outrank_what_the_model_knows_of_what_it_says_the_graph_lacks(make: Make) -> None:
    lacks = {"answer_type": "select", "sparql": "", "not_in_graph": "films by Stanley Kubrick", "general": True}
    script = Script(parsing=lacks, answering={"known": True, "answer": "Lolita"})
    answer = make(script, sure=1).ask(DIRECTED, min_confidence=0)
    assert (answer.text, answer.rung) == ("Lolita", "knowledge")
    assert [one.rung for one in answer.below] == ["solver"]


def test_where_the_model_finds_nothing_and_gives_no_reason_the_solver_answers(make: Make) -> None:
    agent = make(Script(parsing=NOTHING), sure=1, rungs=("solver", "template"))
    assert agent.ask(DIRECTED).rung == "solver"


@pytest.mark.slow(0.1)
def test_where_no_model_answers_the_solver_says_all_that_it_would_without_one(make: Make) -> None:
    doubtful = "Which purple films did Stanley Kubrick direct?"
    alone = make(Script(), rungs=("solver",)).ask(doubtful, min_confidence=0)
    agent = make(Script(parsing=NOTHING), sure=1, rungs=("solver", "template"))
    beside = agent.ask(doubtful, min_confidence=0)
    assert (beside.values, beside.confidence) == (alone.values, alone.confidence)


def test_a_model_is_asked_as_soon_as_the_solver_is_in_doubt_and_both_are_heard(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, waited = Event(), list[bool]()

    def reply(*arguments: Any) -> str:
        asked.set()
        return Script(parsing=KUBRICK)(*arguments)

    def slow(context: Context) -> Answer:
        assert context.on_doubt is not None
        context.on_doubt()
        waited.append(asked.wait(20))
        return solve(context)

    monkeypatch.setattr("triad.lexical.solver.solve", slow)
    answer = make(reply, sure=1, content=0).ask(DIRECTED)
    assert waited == [True]
    assert (answer.rung, [one.rung for one in answer.below]) == ("template", ["solver"])


def test_another_reading_takes_no_call_to_link_where_the_first_one_found_something(make: Make) -> None:
    other = "SELECT ?f { ?f <film_maker_of> <Dune> }"
    script = Script(parsing={"answer_type": "select", "sparql": KUBRICK, "other": [other]})
    answer = make(script, rungs=("template",), content=0).ask(DIRECTED)
    assert (len(answer.values), script.asked) == (2, ["parsing"])


def test_a_rung_that_is_switched_off_is_not_climbed(make: Make) -> None:
    answer = make(Script(parsing=KUBRICK), rungs=("template",), content=0).ask(DIRECTED)
    assert (answer.rung, answer.below, rungs(answer)) == ("template", (), ["template"])


def test_the_solver_alone_may_be_the_ladder(make: Make) -> None:
    script = Script()
    assert make(script, rungs=("solver",), sure=1).ask(DIRECTED).rung == "solver"
    assert script.asked == []


PHASES = ["parsing", "linking", "construction", "answering"]
LOOKS = [
    {"action": "find", "text": "Kubrick", "thing": 0, "other": 0, "sparql": ""},
    {"action": "answer", "text": "", "thing": 0, "other": 0, "sparql": "SELECT ?f { ?f ?p <1> }"},
]
EITHER = {"answer_type": "select", "sparql": KUBRICK, "other": [LYNCH]}


@pytest.mark.parametrize(
    ("climbed", "replies", "expected"),
    [
        (("template",), {"parsing": KUBRICK}, {"template": PHASES}),
        (("template",), {"parsing": EITHER, "query_selection": {"query": 1}}, {"template": PHASES}),
        (("template", "repair"), {"parsing": [NOTHING, KUBRICK]}, {"template": PHASES, "repair": PHASES}),
        (
            ("template", "exploration"),
            {"parsing": NOTHING, "exploration": LOOKS},
            {"template": PHASES, "exploration": ["construction", "answering"]},
        ),
        (("knowledge",), {"answering": {"known": True, "answer": "Lolita"}}, {"knowledge": ["answering"]}),
        (("solver",), {}, {"solver": ["linking", "construction", "answering"]}),
    ],
)
def test_each_step_is_told_with_its_rung_and_its_phase(
    make: Make, climbed: tuple[Any, ...], replies: dict[str, Any], expected: dict[str, list[Phase]]
) -> None:
    answer = make(Script(**replies), rungs=climbed, content=0.1).ask(DIRECTED, min_confidence=0)
    assert answer.trace is not None
    found: dict[str | None, list[Phase]] = {}
    for step in answer.trace.steps:
        found.setdefault(step.rung, []).append(step.phase)
    assert {rung: sorted(set(phases), key=PHASES.index) for rung, phases in found.items()} == expected
    assert answer.rung == climbed[-1]


# Readings -------------------------------------------------------------------------------------------------


def test_what_the_model_says_may_be_meant_as_well_is_told_with_its_answer(make: Make) -> None:
    script = Script(
        parsing={"answer_type": "select", "sparql": KUBRICK, "other": [LYNCH]}, query_selection={"query": 1}
    )
    answer = make(script, rungs=("template",), content=0).ask(DIRECTED)
    assert (answer.rung, len(answer.values)) == ("template", 2)
    [reading] = answer.readings
    assert (reading.taken, reading.text) == ("Stanley Kubrick", "Which films have David Lynch as their director?")
    assert sorted(reading.answer.split("; ")) == ["Dune", "The Alphabet"]
    assert script.asked == ["parsing", "query_selection"]
    assert from_json(Answer, to_json(answer)) == answer


def test_what_another_rung_found_is_told_where_neither_is_clearly_better(make: Make) -> None:
    agent = make(Script(parsing=LYNCH), sure=1, content=1, rungs=("solver", "template"))
    best = agent.ask(DIRECTED, min_confidence=0)
    [other] = best.below
    [reading] = best.readings
    assert (reading.text, reading.answer) == ("Which things have Stanley Kubrick as their director?", other.text)


@pytest.mark.slow(0.1)
def test_a_sure_answer_has_no_readings(make: Make) -> None:
    assert make(Script()).ask(DIRECTED).readings == ()
    assert make(Script(parsing=KUBRICK), sure=1, content=0).ask(DIRECTED).readings == ()


# Repair ---------------------------------------------------------------------------------------------------


def test_a_template_that_finds_nothing_is_tried_again_with_what_was_wrong(make: Make) -> None:
    script = Script(parsing=[NOTHING, KUBRICK])
    answer = make(script, rungs=("template", "repair"), content=0.1).ask(DIRECTED)
    assert (answer.rung, script.asked) == ("repair", ["parsing", "parsing"])
    assert "Without FILTER (YEAR(?d) > 2020): 4" in script.prompts["parsing"][1]
    assert answer.trace is not None
    assert {step.phase for step in answer.trace.steps} == set(get_args(Phase))


def test_a_doubtful_answer_is_told_with_its_doubts_and_a_template_is_not_run_twice(make: Make) -> None:
    script = Script(parsing=[LYNCH, LYNCH])
    answer = make(script, rungs=("solver", "template", "repair"), sure=1, content=1).ask(DIRECTED, min_confidence=0)
    assert script.asked == ["parsing", "parsing"]
    assert "What speaks against its answer: " in script.prompts["parsing"][1]
    assert [one.rung for one in answer.below] == ["solver"]


@pytest.mark.slow(0.2)
def test_an_answer_in_doubt_is_explored_and_one_that_is_missing_repaired(make: Make) -> None:
    script = Script(parsing=LYNCH, exploration=MISSING, answering=UNKNOWN)
    make(script, sure=1, content=1).ask(DIRECTED, min_confidence=0)
    assert script.asked[:2] == ["parsing", "exploration"]
    script = Script(parsing=[NOTHING, KUBRICK])
    make(script, sure=1, content=0.1).ask(DIRECTED)
    assert script.asked == ["parsing", "parsing"]


def test_the_vocabulary_is_in_a_prompt_once(make: Make) -> None:
    script = Script(parsing=[NOTHING, KUBRICK])
    make(script, rungs=("template", "repair"), content=0.1).ask(DIRECTED)
    for line in script.prompts["parsing"][1].splitlines():
        if "a class: " in line:
            assert script.prompts["parsing"][1].count(line) == 1


def test_what_repairs_a_query_is_told_what_failed(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Attempt] = []
    right = make(Script(parsing=KUBRICK), rungs=("template",), content=0).ask(DIRECTED)

    def repaired(context: Context, failed: Attempt) -> Answer:
        seen.append(failed)
        assert context.rung == "repair"
        return right

    monkeypatch.setattr("triad.routing.ladder.repair", repaired)
    script = Script(parsing=NOTHING)
    answer = make(script, rungs=("template", "repair"), content=0.1).ask(DIRECTED)
    assert (answer.rung, answer.values, script.asked) == ("repair", right.values, ["parsing"])
    assert seen[0].answer is None
    assert "Without FILTER (YEAR(?d) > 2020): 4" in seen[0].diagnosis


def test_an_exploration_is_told_why_a_template_found_nothing(make: Make) -> None:
    script = Script(parsing=NOTHING, exploration=MISSING, answering=UNKNOWN)
    with pytest.raises(AnswerError):
        make(script, rungs=("template", "repair", "exploration")).ask(DIRECTED)
    [prompt] = script.prompts["exploration"]
    assert "Before: SELECT ?f WHERE { ?f a <film> . ?f <release_date> ?d ." in prompt
    assert "Without FILTER (YEAR(?d) > 2020): 4" in prompt


@pytest.mark.slow(0.2)
def test_an_answer_without_a_part_of_the_question_is_a_guess_unless_another_way_found_it(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = make(Script(parsing=KUBRICK), rungs=("template",), content=0).ask(DIRECTED)
    less = replace(
        found, confidence=0.45, words=(WordUse("language Klingon", "left_out"),), notes=("Left out: language Klingon.",)
    )
    monkeypatch.setattr("triad.routing.ladder.repair", lambda *_: less)
    with pytest.raises(AnswerError) as declined:
        make(Script(parsing=NOTHING), rungs=("template", "repair")).ask(DIRECTED)
    assert declined.value.unknown is not None
    guess = declined.value.unknown.guess
    assert guess is not None
    assert (guess.rung, guess.values) == ("repair", found.values)
    assert guess.confidence <= 0.45
    assert "Left out: language Klingon" in [doubt.text for doubt in guess.doubts]
    agreed = make(Script(parsing=NOTHING), rungs=("solver", "template", "repair"), sure=1).ask(DIRECTED)
    assert (agreed.rung, agreed.values) == ("repair", found.values)
    assert agreed.confidence >= agreed.findings["agree"] > 0.5


# Budgets and failures -------------------------------------------------------------------------------------


def test_a_rung_stops_at_its_own_budget_and_the_next_one_is_climbed(make: Make) -> None:
    script = Script(parsing="nonsense", exploration=MISSING, answering=UNKNOWN)
    with pytest.raises(AnswerError):
        make(script, rungs=("template", "exploration"), calls={"template": 2}).ask(DIRECTED)
    assert script.asked == ["parsing", "parsing", "exploration"]


def test_where_the_budget_of_the_question_is_used_up_the_best_answer_stands(make: Make) -> None:
    script = Script(parsing=KUBRICK)
    answer = make(script, budget={"calls": 1}, sure=1, content=1).ask(DIRECTED)
    assert (len(answer.values), script.asked) == (2, ["parsing"])


def test_where_the_budget_allows_no_call_the_solver_answers_and_the_log_says_so(make: Make, logged: list[str]) -> None:
    agent = make(Script(parsing=KUBRICK), budget={"calls": 0}, sure=1)
    assert agent.ask(DIRECTED).rung == "solver"
    assert any(line.startswith("WARNING a question is answered without a model: the budget") for line in logged)


@pytest.mark.slow(0.3)
def test_replies_of_no_use_leave_what_the_solver_says(make: Make) -> None:
    garbage = Script(parsing="no", exploration="no", answering="no")
    assert make(garbage, sure=1).ask(DIRECTED).rung == "solver"
    with pytest.raises(AnswerError) as caught:
        make(garbage).ask("Where was Zaphod Beeblebrox born?")
    assert caught.value.unknown is not None


@pytest.mark.parametrize("missing", ["12", "the jurisdiction of it", "film"])
def test_what_the_question_does_not_ask_for_or_the_solver_asks_by_is_no_reason_to_decline(
    make: Make, missing: str
) -> None:
    lacks = {"answer_type": "select", "sparql": "", "not_in_graph": missing, "general": False}
    assert make(Script(parsing=lacks), sure=1).ask(DIRECTED).rung == "solver"


def test_a_guess_of_the_model_does_not_outrank_an_answer_of_the_solver(make: Make) -> None:
    agent = make(Script(parsing=LYNCH), sure=1, content=1, rungs=("solver", "template"))
    guess = agent.ask(DIRECTED, min_confidence=0)
    assert (guess.rung, guess.below[0].rung) == ("template", "solver")
    between = (guess.confidence + guess.below[0].confidence) / 2
    assert agent.ask(DIRECTED, min_confidence=between).rung == "solver"


@pytest.mark.slow(0.1)
def test_a_model_that_is_down_ends_the_question_with_its_error(make: Make) -> None:
    def down(*_: Any) -> str:
        raise ModelError("the model is down")

    agent = make(down, sure=1)
    with pytest.raises(ModelError, match="is down"):
        agent.ask(DIRECTED)
    agent.on_model_failure = "lexical"
    assert agent.ask(DIRECTED).method == "lexical"


def test_replies_of_no_use_on_all_rungs_are_an_error(make: Make) -> None:
    with pytest.raises(ReplyError):
        make(Script(parsing="no", exploration="no", answering="no"), rungs=("template", "exploration")).ask(DIRECTED)
