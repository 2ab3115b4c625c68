from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triad import errors
from triad.agent import Agent
from triad.answers import Answer
from triad.configs import Config, load_config
from triad.evaluation.comparison import differences
from triad.evaluation.folder import RunFolder
from triad.evaluation.plan import Estimate, combinations
from triad.evaluation.progress import HOPELESS, Progress
from triad.evaluation.run import run
from triad.models import ScriptedModel
from triad.phases.context import Context
from triad.roles import ROLES
from triad.search.base import Lookup
from triad.trace import Usage

ROOT = Path(__file__).parents[2]
WHO = "Who founded Company 1?"
Writer = Callable[..., Path]

pytestmark = [pytest.mark.usefixtures("scripted"), pytest.mark.slow]


def records(folder: Path) -> dict[str, Any]:
    return {record.id: record for record in RunFolder(folder).records()}


# What a run keeps -----------------------------------------------------------------------------------------


def test_a_run_asks_every_question_and_scores_it(config: Path, tmp_path: Path) -> None:
    report = run(config, out=tmp_path / "run", changes={"run.workers": 3})
    assert (report.questions, report.asked, report.failed, report.stopped) == (13, 13, 0, None)
    assert report.scores["set_f"].mean == 1
    assert report.scores["set_f"].count == 13
    assert report.groups["answer_type"]["boolean"].count == 1
    assert report.usage.calls == 13


def test_a_line_holds_question_answer_trace_gold_scores_and_cost(config: Path, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run", ids=["q7"])
    [record] = records(tmp_path / "run").values()
    assert record.question.text == "Who founded Company 7?"
    assert [str(value) for value in record.answer.values] == ["Founder 7"]
    assert "ex:C7" in record.answer.query or "/C7>" in record.answer.query
    assert record.answer.trace.steps
    assert record.gold.rows[0][0].value == "http://example.org/F7"
    assert record.scores["exact_match"] == 1
    assert record.usage.calls == record.costs["role"]["generalist"].calls == 1
    assert set(record.phases) >= {"parsing", "linking"}
    assert record.tags["hops"] == "1"
    assert 0 < record.seconds < 60
    assert record.finished.endswith("+00:00")


def test_a_folder_says_what_the_run_was_made_with(config: Path, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run", limit=1)
    [session] = RunFolder(tmp_path / "run").environment()["sessions"]
    assert session["packages"]["pydantic"]
    assert session["graph"]["fingerprint"] == session["index"]["fingerprint"] != None  # noqa: E711
    assert session["prompts"]["parse_question"]
    assert session["models"]["generalist"] == "scripted"
    assert session["started"] <= session["ended"]
    assert session["selection"] == {"limit": 1}
    if (ROOT / ".git").exists():
        assert len(session["git"]["revision"]) == 40
        assert session["git"]["dirty"] in (True, False)


def test_the_resolved_config_repeats_the_run(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(config, out=tmp_path / "run", changes={"roles.generalist.examples": 1})
    monkeypatch.chdir(tmp_path.parent)
    again = run(tmp_path / "run" / "config.yaml", out=tmp_path / "again")
    assert again.scores == first.scores
    assert differences(RunFolder(tmp_path / "run").config(), RunFolder(tmp_path / "again").config()) == []
    assert RunFolder(tmp_path / "again").config()["roles"]["generalist"]["examples"] == 1


@pytest.mark.parametrize(
    "selection", [{"limit": 3}, {"ids": ["q7", "ask"]}, {"filter": {"answer_type": "boolean"}, "limit": 1}]
)
def test_the_resolved_config_repeats_the_selection(config: Path, tmp_path: Path, selection: dict[str, Any]) -> None:
    run(config, out=tmp_path / "run", **selection)
    run(tmp_path / "run" / "config.yaml", out=tmp_path / "again")
    assert records(tmp_path / "again").keys() == records(tmp_path / "run").keys()
    first, again = (RunFolder(tmp_path / name).environment()["sessions"][0] for name in ("run", "again"))
    assert again["selection"] == first["selection"] == selection


def test_an_option_replaces_what_the_config_selects(config: Path, tmp_path: Path) -> None:
    changes = {"dataset.limit": 5, "dataset.ids": ["q1", "q2", "q7"]}
    run(config, out=tmp_path / "run", changes=changes, limit=2)
    assert records(tmp_path / "run").keys() == {"q1", "q2"}


def test_secrets_are_not_kept(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triad.opening.open_graph", lambda graph, **_: __import__("triad.kg").kg.open_graph(graph))
    options = {"headers": {"Authorization": "Bearer hush"}, "password": "hush"}
    model = "openai:x@http://u:hush@h/v1?apikey=hush"
    changes = {"graph_options": options, "model": model, "roles.advisor.model": model}
    run(config, out=tmp_path / "run", limit=1, changes=changes)
    for path in (tmp_path / "run").iterdir():
        assert "hush" not in path.read_text(encoding="utf-8"), path


def test_the_default_folder_is_named_after_the_config(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(config, limit=1).folder == Path("runs/companies")
    assert run(config, limit=1, changes={"run.out": "elsewhere"}).folder == Path("elsewhere")
    assert (tmp_path / "runs" / "companies" / "report.html").is_file()


def test_a_folder_that_holds_a_run_is_not_overwritten(config: Path, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run", limit=1)
    with pytest.raises(errors.ConfigError, match=r"holds a run; resume it \(--resume\), or name another folder"):
        run(config, out=tmp_path / "run", limit=1)


# Gold -----------------------------------------------------------------------------------------------------


def test_gold_queries_are_run_once_and_kept(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(config, out=tmp_path / "run", ids=["ask", "q1"])
    kept = [json.loads(line) for line in (tmp_path / "run" / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(one["id"], one["result"]["boolean"]) for one in kept] == [("ask", True)]
    assert records(tmp_path / "run")["ask"].gold.boolean is True
    monkeypatch.setattr("triad.evaluation.gold._run", lambda *_: pytest.fail("the gold query was run again"))
    assert run(config, out=tmp_path / "run", resume=True).asked == 13


def test_a_malformed_prompt_is_told_before_anything_is_asked(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scripted: list[ScriptedModel]
) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "parse_question.prompt").write_text("no front matter", encoding="utf-8")
    monkeypatch.setenv("TRIAD_PATH", str(tmp_path))
    with pytest.raises(errors.PromptError, match="parse_question"):
        run(config, out=tmp_path / "run")
    assert not (tmp_path / "run" / "answers.jsonl").exists()


def test_a_gold_query_with_more_rows_than_are_read_is_told(
    config: Path, tmp_path: Path, write_set: Writer, logged: list[str]
) -> None:
    write_set([{"id": "1", "question": WHO, "sparql": "SELECT ?x WHERE { ?x ?y ?z }"}])
    run(config, out=tmp_path / "run", changes={"graph_options": {"row_limit": 5}})
    assert len(records(tmp_path / "run")["1"].gold) == 5
    assert any("the gold query of the question '1' has more rows than the 5 that are read" in line for line in logged)


def test_a_gold_query_that_fails_leaves_its_question_without_a_score(
    config: Path, tmp_path: Path, write_set: Writer
) -> None:
    write_set(
        [{"id": "1", "question": "Who founded Company 1?", "sparql": "SELECT ?x WHERE { SERVICE <http://x> {} }"}]
    )
    report = run(config, out=tmp_path / "run")
    assert (report.asked, report.unscored, report.scores) == (1, 1, {})
    with pytest.raises(errors.DataError, match="the gold query of the question '1' failed: SERVICE"):
        run(config, out=tmp_path / "strict", changes={"dataset.strict": True})


def test_malformed_records_are_in_the_report(config: Path, tmp_path: Path, write_set: Writer) -> None:
    write_set([{"id": "1", "question": "Who founded Company 1?", "answers": ["x"]}, {"id": "2", "answers": ["x"]}])
    report = run(config, out=tmp_path / "run")
    assert (report.questions, [one["id"] for one in report.malformed]) == (1, ["2"])
    assert "Records left out" in report.to_markdown()


# Without a model ------------------------------------------------------------------------------------------


def solve(context: Context) -> Answer:
    """Answer as the lexical solver does: yes to all."""
    context.at("linking").search([Lookup("Company 1")])
    return Answer(context.question, "boolean", boolean=True, query="ASK {}", confidence=0.5, method="lexical")


@pytest.fixture
def _solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triad.lexical.solver.solve", solve)


@pytest.mark.usefixtures("_solved")
def test_a_run_needs_no_model(config: Path, tmp_path: Path, scripted: list[ScriptedModel]) -> None:
    config.write_text(config.read_text().replace("model: ollama:none\n", ""), encoding="utf-8")
    changes = {"model_options.seed": 7, "run.repeat": 2, "run.workers": 3}
    report = run(config, out=tmp_path / "run", changes=changes)
    assert (report.model, report.asked, report.failed, report.without_model) == ("none", 26, 0, 26)
    assert (report.usage, scripted) == (Usage(), [])
    folder = RunFolder(tmp_path / "run")
    [session] = folder.environment()["sessions"]
    assert session["models"] == dict.fromkeys(ROLES, "none")
    assert folder.config()["model"] == "none"
    assert "model none, graph " in report.to_markdown()
    assert "0.00 calls, 0 tokens in and 0 out a question, $0.0000 in all" in report.to_markdown()
    assert "the lexical solver's" not in report.to_markdown()
    assert (tmp_path / "run" / "report.html").stat().st_size > 10_000
    assert {record.answer.method for record in records(tmp_path / "run").values()} == {"lexical"}
    again = run(config, out=tmp_path / "run", resume=True, changes={**changes, "model": "none"})
    assert again.asked == 26


def test_a_dry_run_without_a_model_costs_nothing(config: Path, tmp_path: Path) -> None:
    estimate = run(config, out=tmp_path / "run", dry_run=True, changes={"model": "none"})
    assert (estimate.questions, estimate.usage) == (13, Usage())
    assert estimate.basis == "the lexical solver, which asks no model"


@pytest.mark.usefixtures("_solved")
def test_a_sweep_may_compare_a_model_with_none(config: Path, tmp_path: Path) -> None:
    changes = {"sweep": {"model": ["none", "ollama:x"]}}
    report = run(config, out=tmp_path / "run", changes=changes)
    assert [part.model for part in report.parts] == ["none", "scripted"]
    assert [part.without_model for part in report.parts] == [13, 0]


@pytest.mark.usefixtures("_solved")
def test_questions_that_the_model_failed_at_are_counted(config: Path, tmp_path: Path, write_set: Writer) -> None:
    write_set([{"id": str(at), "question": text, "answers": ["x"]} for at, text in enumerate(["What?", WHO])])
    report = run(config, out=tmp_path / "run", changes={"on_model_failure": "lexical"})
    assert (report.asked, report.failed, report.without_model) == (2, 0, 1)
    assert "1 of the answers are the lexical solver's, for the model failed" in report.to_markdown()


@pytest.mark.usefixtures("_solved")
def test_the_budget_of_a_run_stops_it_though_questions_could_do_without_the_model(config: Path, tmp_path: Path) -> None:
    changes = {"on_model_failure": "lexical", "run.budget.calls": 4, "roles.generalist.calls": "separate"}
    report = run(config, out=tmp_path / "run", changes=changes)
    assert report.stopped == "the budget of 4 calls is used up: 4 calls used"
    assert report.asked < 13
    assert report.without_model == 0


# Failures, budgets ----------------------------------------------------------------------------------------


def test_failures_are_recorded_and_counted(config: Path, tmp_path: Path, write_set: Writer) -> None:
    write_set([{"id": "1", "question": "Who founded Company 1?", "answers": ["http://example.org/F1"]},
               {"id": "2", "question": "What is the answer?", "answers": ["42"]}])  # fmt: skip
    report = run(config, out=tmp_path / "run")
    assert (report.asked, report.failed, report.errors) == (2, 1, {"ModelError": 1})
    assert report.scores["set_f"].mean == 0.5
    failed = records(tmp_path / "run")["2"]
    assert (failed.answer, failed.error.message) == (None, "the model is asleep")


def test_a_bug_ends_one_question_and_not_the_run(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Agent.ask

    def buggy(self: Agent, question: Any, **options: Any) -> Any:
        if question.id == "q3":
            raise ZeroDivisionError("a bug")
        return ask(self, question, **options)

    monkeypatch.setattr(Agent, "ask", buggy)
    report = run(config, out=tmp_path / "run")
    assert (report.asked, report.errors) == (13, {"ZeroDivisionError": 1})


def test_a_run_in_which_nothing_works_stops(
    config: Path, tmp_path: Path, write_set: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_set([{"id": str(number), "question": f"{number}?", "answers": ["x"]} for number in range(50)])
    report = run(config, out=tmp_path / "run")
    assert HOPELESS <= report.asked <= HOPELESS + 2
    assert report.stopped is not None
    assert "the first 20 questions failed" in report.stopped


@pytest.mark.parametrize(
    ("limit", "value", "asked"),
    [("calls", 5, 5), ("input_tokens", 1, 1), ("output_tokens", 1, 1), ("seconds", 1e-9, 0)],
)
def test_a_budget_stops_a_run_cleanly(config: Path, tmp_path: Path, limit: str, value: float, asked: int) -> None:
    report = run(config, out=tmp_path / "run", changes={f"run.budget.{limit}": value})
    assert (report.asked, report.failed) == (asked, 0)
    assert report.stopped is not None
    assert "the budget of" in report.stopped
    assert "stopped early" in report.to_markdown()
    more = run(config, out=tmp_path / "run", resume=True, changes={"run.budget.calls": 7})
    assert more.asked == (7 if asked < 7 else asked)


def test_a_question_that_the_budget_cuts_is_not_a_failure(config: Path, tmp_path: Path) -> None:
    changes = {"run.budget.calls": 4, "run.workers": 3, "roles.generalist.calls": "separate"}
    report = run(config, out=tmp_path / "run", changes=changes)
    assert report.failed == 0
    assert report.stopped is not None


# Which questions are asked --------------------------------------------------------------------------------


def test_questions_are_selected_by_limit_ids_and_tags(config: Path, tmp_path: Path) -> None:
    assert run(config, out=tmp_path / "1", limit=3).asked == 3
    assert set(records(tmp_path / "1")) == {"q1", "q2", "q3"}
    assert run(config, out=tmp_path / "2", ids=["q9", "ask"]).asked == 2
    assert run(config, out=tmp_path / "3", filter={"answer_type": "boolean"}).asked == 1
    assert set(records(tmp_path / "3")) == {"ask"}


@pytest.mark.parametrize(
    ("selection", "fault"),
    [
        ({"ids": ["q1", "nope"]}, "no question 'nope'; it has q1, q2"),
        ({"filter": {"answer_type": "dance"}}, "no question has answer_type='dance'; values of 'answer_type': boolean"),
        ({"filter": {"colour": "red"}}, "no question has colour='red'; tags: answer_type"),
        ({"ids": ["q1"], "filter": {"answer_type": "boolean"}}, "no question is selected"),
    ],
)
def test_a_selection_of_nothing_is_told(config: Path, tmp_path: Path, selection: dict[str, Any], fault: str) -> None:
    with pytest.raises(errors.ConfigError, match=fault):
        run(config, out=tmp_path / "run", **selection)


def test_a_config_without_a_data_set_cannot_be_run(config: Path, tmp_path: Path) -> None:
    config.write_text("graph: companies.ttl\nmodel: ollama:none\n", encoding="utf-8")
    with pytest.raises(errors.ConfigError, match="names no data set"):
        run(config, out=tmp_path / "run")


# Threads and progress -------------------------------------------------------------------------------------


def test_workers_ask_at_the_same_time(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    together = threading.Barrier(4, timeout=120)
    ask = Agent.ask

    def wait(self: Agent, question: Any, **options: Any) -> Any:
        together.wait()
        return ask(self, question, **options)

    monkeypatch.setattr(Agent, "ask", wait)
    assert run(config, out=tmp_path / "run", limit=12, changes={"run.workers": 4}).failed == 0


def test_progress_tells_score_cost_and_time_left(config: Path, tmp_path: Path) -> None:
    told: list[Progress] = []
    run(config, out=tmp_path / "run", on_progress=told.append)
    assert [at.done for at in told] == list(range(14))
    assert told[0].left is None
    assert told[-1].left == 0
    assert (told[-1].score, told[-1].failed, told[-1].usage.calls, told[-1].total) == (1, 0, 13, 13)


def test_an_interrupted_run_keeps_what_is_done(config: Path, tmp_path: Path) -> None:
    def interrupt(at: Progress) -> None:
        if at.done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(config, out=tmp_path / "run", on_progress=interrupt)
    assert len(records(tmp_path / "run")) == 5
    assert RunFolder(tmp_path / "run").environment()["sessions"][-1]["stopped"] == "interrupted"
    assert run(config, out=tmp_path / "run", resume=True).asked == 13


# Repetitions, sweeps, estimates ---------------------------------------------------------------------------


def test_repetitions_give_means_and_spread(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Agent.ask
    asked: list[str] = []

    def forgetful(self: Agent, question: Any, **options: Any) -> Any:
        asked.append(question.id)
        if question.id == "q1" and asked.count("q1") == 2:
            raise errors.AnswerError("forgot")
        return ask(self, question, **options)

    monkeypatch.setattr(Agent, "ask", forgetful)
    report = run(config, out=tmp_path / "run", ids=["q1", "q2"], changes={"run.repeat": 3})
    assert (report.questions, report.asked, report.repeat) == (6, 6, 3)
    score_ = report.scores["set_f"]
    assert score_.mean == pytest.approx((1 + 0.5 + 1) / 3)
    assert score_.spread == pytest.approx(0.2886751)
    assert score_.count == 2


def test_a_run_declines_what_is_less_sure_than_its_config_wants(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsure(context: Context) -> Answer:
        return Answer(context.question, boolean=True, confidence=0.4, method="lexical")

    monkeypatch.setattr("triad.lexical.solver.solve", unsure)
    changes: dict[str, Any] = {"model": "none"}
    told: list[Progress] = []
    report = run(config, out=tmp_path / "run", limit=2, changes=changes, on_progress=told.append)
    assert (report.asked, report.declined, report.failed, report.errors) == (2, 2, 0, {})
    assert (told[-1].declined, told[-1].failed) == (2, 0)
    for record in records(tmp_path / "run").values():
        assert (record.declined, record.answer, record.cause) == (True, None, None)
        assert record.unknown.guess.confidence == 0.4
        assert record.unknown.trace is None
        assert record.trace is not None
    asked = run(config, out=tmp_path / "run", limit=3, changes=changes, resume=True, on_progress=told.append)
    assert (asked.asked, asked.declined) == (3, 3)
    assert told[-1].done - told[-2].done == 1
    given = run(config, out=tmp_path / "all", limit=2, changes={**changes, "min_confidence": 0})
    assert (given.asked, given.declined, given.failed) == (2, 0, 0)


def test_each_repetition_has_its_own_seed(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int | None] = []
    open_model = Config.open_model

    def seen(self: Config, name: str | None = None) -> Any:
        seeds.append(self.model_options.seed)
        return open_model(self, name)

    monkeypatch.setattr(Config, "open_model", seen)
    run(config, out=tmp_path / "run", limit=1, changes={"run.repeat": 3, "model_options.seed": 7})
    assert seeds == [7, 8, 9]


def test_a_sweep_makes_a_run_for_each_combination(config: Path, tmp_path: Path) -> None:
    sweep = [{"generalist.examples": [1, 2, 3]}, {"decision_maker.entities": 1, "decision_maker.relations": [1, 2]}]
    report = run(config, out=tmp_path / "sweep", limit=2, changes={"sweep": sweep})
    assert [part.name for part in report.parts] == [
        "generalist.examples=1",
        "generalist.examples=2",
        "generalist.examples=3",
        "decision_maker.entities=1, decision_maker.relations=1",
        "decision_maker.entities=1, decision_maker.relations=2",
    ]
    assert all((part.asked, part.scores["set_f"].mean) == (2, 1) for part in report.parts)
    assert report.asked == 10
    table = (tmp_path / "sweep" / "report.md").read_text(encoding="utf-8")
    assert table.count("| generalist.examples=") == 3
    assert RunFolder(report.parts[0].folder).config()["roles"]["generalist"]["examples"] == 1
    again = run(config, out=tmp_path / "sweep", limit=3, changes={"sweep": sweep}, resume=True)
    assert again.asked == 15


def test_combinations_that_are_equal_are_run_once(config: Path) -> None:
    sweep = [{"generalist.examples": [2, 3]}, {"advisor.tries": [2, 3]}, {"model": ["ollama:none", "ollama:other"]}]
    names = [name for name, _ in combinations(load_config(config, {"sweep": sweep}))]
    assert names == ["generalist.examples=2", "generalist.examples=3", "advisor.tries=2", "model=ollama:other"]


def test_runs_of_a_sweep_have_folders_of_their_own(config: Path, tmp_path: Path) -> None:
    models = [f"ollama:{name}@http://u:hush@127.0.0.1:1/v1" for name in ("a", "b")]
    sweep = [{"model": models}, {"description": ["a b", "a_b"]}, {"run.seed": [1]}]
    report = run(config, out=tmp_path / "sweep", limit=2, changes={"sweep": sweep})
    assert [part.name for part in report.parts] == [
        "model=ollama:a@http://127.0.0.1:1/v1",
        "model=ollama:b@http://127.0.0.1:1/v1",
        "description=a b",
        "description=a_b (4)",
        "run.seed=1",
    ]
    assert len({part.folder for part in report.parts}) == 5
    assert [part.usage.calls for part in report.parts] == [2] * 5


def test_a_role_that_is_named_can_be_swept(config: Path) -> None:
    changes = {"roles": {"generalist": "generalist"}, "sweep": {"generalist.examples": [1]}}
    [(_, one)] = combinations(load_config(config, changes))
    assert one.roles["generalist"] == {"card": "generalist", "examples": 1}


def test_a_sweep_over_a_key_that_is_not_there_is_named(config: Path) -> None:
    with pytest.raises(errors.ConfigError, match="unknown key 'examplse'"):
        combinations(load_config(config, {"sweep": {"generalist.examplse": [1]}}))
    with pytest.raises(errors.ConfigError, match="unknown key 'modle'"):
        combinations(load_config(config, {"sweep": {"modle": ["x"]}}))


@pytest.mark.parametrize(("name", "runs"), [("table3", 14), ("table4", 16), ("metaqa", 3), ("table_router", 10)])
def test_the_shipped_sweeps_make_their_tables(name: str, runs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_DATA", "/data")
    assert len(combinations(load_config(name))) == runs


def test_a_dry_run_estimates_and_asks_nothing(config: Path, tmp_path: Path, scripted: list[ScriptedModel]) -> None:
    estimate = run(config, out=tmp_path / "run", dry_run=True, changes={"model": "openai:gpt-4.1-mini"})
    assert (estimate.questions, estimate.usage.calls) == (13, 26)
    assert estimate.usage.input_tokens > 13 * 500
    assert estimate.usage.money > 0
    changes = {"model": "ollama:own", "prices": {"own": {"input": 1, "output": 0}}}
    estimate = run(config, out=tmp_path / "run", dry_run=True, changes=changes)
    assert estimate.usage.money == pytest.approx(estimate.usage.input_tokens / 1_000_000)
    assert not (tmp_path / "run").exists()
    assert scripted == []


def test_a_dry_run_prices_each_roles_model(config: Path, tmp_path: Path) -> None:
    def estimated(**models: str) -> Estimate:
        changes = {"model": "openai:gpt-4.1", **{f"roles.{role}.model": name for role, name in models.items()}}
        return run(config, out=tmp_path / "run", dry_run=True, changes=changes)

    dear, cheap = estimated().usage.money, estimated(generalist="openai:gpt-4.1-nano").usage.money
    assert 0 < cheap < dear
    unknown = estimated(decision_maker="ollama:mine")
    assert unknown.usage.money == pytest.approx(dear / 2)
    assert unknown.basis.endswith("no price is known of mine")
    changes = {"model": "ollama:mine", "prices": {"mine": {"input": 0, "output": 0}}}
    free = run(config, out=tmp_path / "run", dry_run=True, changes=changes)
    assert free.usage.money == 0
    assert "no price" not in free.basis


def test_a_dry_run_of_a_resumed_run_goes_by_what_it_cost(config: Path, tmp_path: Path) -> None:
    first = run(config, out=tmp_path / "run", limit=3)
    estimate = run(config, out=tmp_path / "run", dry_run=True, resume=True)
    assert estimate.questions == 10
    assert estimate.usage.calls == 10
    assert estimate.usage.input_tokens == pytest.approx(first.usage.input_tokens * 10 / 3, abs=1)
    assert "3 questions that were asked before" in estimate.basis


def test_a_dry_run_of_a_sweep_adds_up(config: Path, tmp_path: Path) -> None:
    sweep = {"sweep": {"generalist.examples": [1, 2]}}
    assert run(config, out=tmp_path / "run", dry_run=True, limit=4, changes=sweep).questions == 8


# Examples -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("guarded", [True, False])
def test_a_run_leaves_out_examples_that_give_the_answer_away(
    config: Path, tmp_path: Path, scripted: list[ScriptedModel], guarded: bool
) -> None:
    changes = {"examples": str(tmp_path / "questions.jsonl"), "run.leak_guard": guarded, "route": "phases"}
    run(config, out=tmp_path / "run", ids=["q7"], changes=changes)
    [record] = records(tmp_path / "run").values()
    [call] = [step for step in record.answer.trace.steps if step.service == "model"]
    environment = json.loads((tmp_path / "run" / "environment.json").read_text(encoding="utf-8"))
    assert environment["sessions"][-1]["examples"]["pairs"] == 13
    *shown, asked = [message.content for message in call.prompt if message.role == "user"]
    assert "Company 7?" in asked
    assert len(shown) == 3
    assert any("Company" in text for text in shown)
    assert any("Company 7?" in text for text in shown) is not guarded
