from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner, Result

from triad import resources
from triad.agent import Agent
from triad.answers import Answer
from triad.asked import read_asked
from triad.cli.program import app
from triad.configs import Config
from triad.errors import ModelError
from triad.models import ScriptedModel
from triad.phases.context import Context
from triad.questions import Question
from triad.rdf import IRI, Value
from triad.search.base import Lookup
from triad.solving import say_that_there_is_no_model
from triad.trace import Message

TURTLE = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Company rdfs:label "company" .
ex:Person rdfs:label "person" .
ex:foundedBy rdfs:label "founded by" .
ex:Intel a ex:Company ; rdfs:label "Intel" ; ex:foundedBy ex:Moore, ex:Noyce .
ex:Moore a ex:Person ; rdfs:label "Gordon Moore" .
ex:Noyce a ex:Person ; rdfs:label "Robert Noyce" .
"""
WHO = "Who founded Intel?"
PAIRS = "Who founded what?"
UNKNOWN = "What is the answer?"
INTEL = {"subject": "Intel", "relation": "founded by", "object": "?who"}
REPLIES = {
    WHO: {
        "triples": [INTEL],
        "answer_type": "select",
        "sparql": "SELECT ?who WHERE { <Intel> <founded_by> ?who } ORDER BY ?who",
    },
    PAIRS: {
        "triples": [{**INTEL, "subject": "?what"}],
        "answer_type": "select",
        "sparql": "SELECT ?what ?who WHERE { ?what a <company> ; <founded_by> ?who } ORDER BY ?who",
    },
}

OPEN_MODEL = Config.open_model


def reply(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
    asked = messages[-1].content
    if schema and "sentence" in schema["properties"]:
        return json.dumps({"sentence": "Intel was founded by two people."})
    for question, parsed in REPLIES.items():
        if question in asked:
            return json.dumps(parsed)
    raise ModelError("the model is asleep")


@pytest.fixture(autouse=True)
def _scripted_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Config, "open_model", lambda self, name=None: ScriptedModel(reply))


@pytest.fixture
def graph(kept_file: Callable[[str, str], Path]) -> str:
    return str(kept_file("intel.ttl", TURTLE))


def triad(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)), input=stdin)


def answer_of(text: str) -> Answer:
    answer = read_asked(text)
    assert isinstance(answer, Answer)
    return answer


@pytest.fixture
def ask(graph: str) -> Callable[..., Result]:
    def run(question: str, *arguments: str | Path, stdin: str | None = None) -> Result:
        return triad(
            "ask", question, "--graph", graph, "--model", "scripted", "--route", "phases", *arguments, stdin=stdin
        )

    return run


# ask ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_ask_shows_values_with_iris_and_the_query_and_the_cost(ask: Callable[..., Result]) -> None:
    result = ask(WHO)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:2] == ["Gordon Moore", "Robert Noyce"]
    assert "ex:foundedBy ?who" in result.stdout or "foundedBy> ?who" in result.stdout
    assert lines[-1].startswith("source: the graph, confidence ")
    assert "1 model call, " in lines[-1]


@pytest.mark.slow
def test_ask_shows_rows_of_several_variables_under_their_names(ask: Callable[..., Result]) -> None:
    lines = ask(PAIRS).stdout.splitlines()
    assert lines[0] == "what\twho"
    assert lines[1] == "Intel\tGordon Moore"


@pytest.mark.slow(0.5)
def test_ask_gives_the_answer_with_its_trace_as_json(ask: Callable[..., Result]) -> None:
    answer = answer_of(ask(WHO, "--json", "--trace").stdout)
    assert [str(value) for value in answer.values] == ["Gordon Moore", "Robert Noyce"]
    assert answer.trace is not None
    assert answer.trace.usage.calls == 1


@pytest.mark.slow(0.1)
def test_ask_explains(ask: Callable[..., Result]) -> None:
    assert "Intel | founded by | Gordon Moore" in ask(WHO, "--explain").stdout


@pytest.mark.slow(0.1)
def test_ask_answers_in_a_sentence(ask: Callable[..., Result]) -> None:
    assert ask(WHO, "--sentence").stdout.startswith("Intel was founded by two people.\nGordon Moore\n")


@pytest.mark.slow(0.9)
def test_ask_shows_steps_on_standard_error_only(ask: Callable[..., Result]) -> None:
    result = ask(WHO, "--trace")
    assert "generalist: parsing" in result.stderr
    assert "graph: execute" in result.stderr
    assert result.stdout.startswith("Gordon Moore\n")
    assert "generalist" not in result.stdout


@pytest.mark.slow
def test_ask_without_graph_and_config_takes_the_demo_and_says_so() -> None:
    result = triad("ask", WHO, "--set", "roles.advisor.own_knowledge=none", "--json")
    assert "triad: no graph and no config is named: the config 'demo' is used" in result.stderr
    assert answer_of(result.stdout).question.text == WHO


@pytest.mark.slow(0.2)
def test_quiet_says_errors_only() -> None:
    assert triad("-q", "ask", WHO).stderr == ""


@pytest.mark.slow(0.2)
def test_verbose_says_when_and_where() -> None:
    assert re.match(r"\d\d:\d\d:\d\d\.\d{3} INFO    triad\.cli\.options: no graph ", triad("-v", "ask", WHO).stderr)


@pytest.mark.slow
def test_paths_of_options_start_where_the_user_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "intel.ttl").write_text(TURTLE, encoding="utf-8")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "mine.yaml").write_text("graph: nothing.ttl\nmodel: scripted\n", encoding="utf-8")
    (folder / "intel.ttl").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "Noyce" in triad("ask", WHO, "--config", "elsewhere/mine.yaml", "--graph", "intel.ttl").stdout


@pytest.mark.slow(0.1)
def test_settings_change_the_config(ask: Callable[..., Result]) -> None:
    result = ask(WHO, "--set", "limits.calls=1", "--set", "roles.generalist.examples=0", "--json", "--trace")
    answer = answer_of(result.stdout)
    assert answer.trace is not None
    call = next(step for step in answer.trace.steps if step.service == "model")
    assert [message.role for message in call.prompt] == ["system", "user"]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("limits", "--set takes KEY=VALUE"),
        ("limits={", "not YAML"),
        ("limit.calls=1", "unknown key 'limit'"),
        ("model.name=x", "cannot set 'model.name', for 'model' is 'scripted'"),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused(ask: Callable[..., Result], setting: str, message: str) -> None:
    result = ask(WHO, "--set", setting)
    assert result.exit_code == 1
    assert message in result.stderr


@pytest.fixture
def _no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(context: Context) -> Answer:
        context.at("linking").search([Lookup("Intel")])
        found = Value(IRI("http://example.org/Noyce"), "Robert Noyce")
        return Answer(
            context.question,
            "select",
            ("who",),
            ((found,),),
            text="Robert Noyce",
            query="SELECT …",
            confidence=0.8,
            method="lexical",
        )

    monkeypatch.setattr(Config, "open_model", OPEN_MODEL)
    monkeypatch.setattr("triad.lexical.solver.solve", solve)
    say_that_there_is_no_model.cache_clear()


@pytest.mark.slow(0.1)
@pytest.mark.usefixtures("_no_model")
def test_a_graph_without_a_model_is_asked_without_one_and_answers_without_a_hint(graph: str) -> None:
    result = triad("ask", "-", "--graph", graph, stdin=f"{WHO}\n{PAIRS}\n")
    assert result.exit_code == 0
    assert not result.stderr
    assert result.stdout.count("Robert Noyce\n") == 2
    assert "source: the graph, without a language model, confidence 0.80, " in result.stdout


@pytest.mark.slow(0.1)
@pytest.mark.usefixtures("_no_model")
def test_model_none_is_taken_as_said(graph: str, tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    result = triad("ask", WHO, "--graph", graph, "--model", "none", "--save-trace", path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert answer_of(path.read_text()).method == "lexical"
    shown = triad("show", path).stdout
    assert "From the graph, without a language model." in shown
    assert "Cost\n  no model calls, " in shown


@pytest.mark.slow(0.1)
@pytest.mark.usefixtures("_no_model")
def test_the_demo_is_asked_without_a_model_and_a_key() -> None:
    assert "Robert Noyce" in triad("ask", WHO).stdout


@pytest.mark.slow
@pytest.mark.usefixtures("_no_model")
def test_a_model_without_its_key_is_refused_and_what_needs_none_is_named(graph: str) -> None:
    result = triad("ask", WHO, "--graph", graph, "--model", "openai:gpt-4.1-mini")
    assert (result.exit_code, result.stdout) == (1, "")
    [said] = result.stderr.splitlines()
    assert "needs a key: set OPENAI_API_KEY" in said
    assert "model: none works" in said


@pytest.mark.slow(0.1)
@pytest.mark.usefixtures("_no_model")
def test_a_sentence_without_a_model_comes_before_the_values(graph: str) -> None:
    result = triad("ask", WHO, "--graph", graph, "--model", "none", "--sentence")
    assert result.exit_code == 0
    assert result.stdout.startswith("Robert Noyce founded Intel.\nRobert Noyce\n")


@pytest.mark.slow(0.1)
def test_where_the_model_fails_the_answer_may_come_without_it(
    ask: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "triad.lexical.solver.solve",
        lambda context: Answer(context.question, "boolean", boolean=True, confidence=0.8, method="lexical"),
    )
    result = ask(UNKNOWN, "--set", "on_model_failure=lexical")
    assert result.exit_code == 0
    assert result.stderr == "triad: a question is answered without a model: the model is asleep\n"
    assert "source: the graph, without a language model, " in result.stdout


@pytest.mark.slow(0.1)
def test_each_line_of_standard_input_is_answered(ask: Callable[..., Result]) -> None:
    result = ask("-", stdin=f"{WHO}\n\n{PAIRS}\n")
    assert f"# {WHO}\nGordon Moore\n" in result.stdout
    assert f"# {PAIRS}\nwhat\twho\n" in result.stdout


@pytest.mark.slow(0.1)
def test_a_question_that_fails_does_not_stop_those_after_it(ask: Callable[..., Result]) -> None:
    result = ask("-", "--json", stdin=f"{UNKNOWN}\n{WHO}\n")
    failed, answered = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert (failed["outcome"], failed["question"], failed["answer"]) == ("failure", UNKNOWN, None)
    assert failed["error"] == {"kind": "ModelError", "message": "the model is asleep"}
    assert answered["reply"] == "Gordon Moore; Robert Noyce"


@pytest.mark.slow(0.1)
def test_a_failure_in_json_has_the_trace_where_there_is_one(ask: Callable[..., Result]) -> None:
    result = ask("-", "--json", "--trace", "--sentence", "--set", "limits.calls=1", stdin=WHO)
    failed = json.loads(result.stdout)
    assert "the budget of 1 calls is used up" in failed["error"]["message"]
    assert failed["trace"]["question"]["text"] == WHO


@pytest.mark.slow(0.2)
def test_an_answer_is_shown_though_it_cannot_be_saved(ask: Callable[..., Result], tmp_path: Path) -> None:
    result = ask(WHO, "--save-trace", tmp_path)
    assert result.exit_code == 1
    assert result.stdout.startswith("Gordon Moore\n")
    assert "triad: cannot write " in result.stderr


def test_questions_from_standard_input_cannot_be_saved_as_one(ask: Callable[..., Result], tmp_path: Path) -> None:
    result = ask("-", "--save-trace", tmp_path / "answer.json", stdin=WHO)
    assert result.exit_code == 1
    assert "--save-trace keeps one answer" in result.stderr


# What goes wrong ------------------------------------------------------------------------------------------


def test_a_fault_is_one_line_and_exit_code_1(ask: Callable[..., Result]) -> None:
    result = ask(UNKNOWN)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "triad: the model is asleep\n")


def test_a_bug_keeps_its_traceback(ask: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Agent, "ask", lambda *_, **__: 1 / 0)
    assert isinstance(ask(WHO).exception, ZeroDivisionError)


def test_an_interrupt_is_one_line_and_exit_code_130(
    ask: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Agent, "ask", interrupted)
    result = ask(WHO)
    assert (result.exit_code, result.stderr) == (130, "triad: interrupted\n")


def run_python(code: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], text=True, check=False, timeout=60, **options)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["typer", "triad.cli.asking"])
def test_an_interrupt_while_the_program_is_loaded_is_one_line_too(module: str) -> None:
    code = f"""
import sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
sys.argv = ["triad", "ask", "Who?"]
from triad.cli import main
main()
"""
    done = run_python(code, capture_output=True)
    assert (done.returncode, done.stderr) == (130, "triad: interrupted\n")


@pytest.mark.slow
def test_a_broken_pipe_is_silent() -> None:
    read, write = os.pipe()
    os.close(read)
    code = "import sys; from triad.cli import main; sys.argv = ['triad', 'list', '--json']; main()"
    try:
        result = run_python(code, stdout=write, stderr=subprocess.PIPE)
    finally:
        os.close(write)
    assert (result.returncode, result.stderr) == (141, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--help"], ["elasticsearch", "loguru", "openai", "pydantic", "pyoxigraph", "rdflib", "tantivy", "yaml"]),
        (
            ["ask", "Who founded Intel?"],
            "diskcache elasticsearch filelock httpx jinja2 json_repair loky numpy openai rdflib tenacity".split(),
        ),
        (
            ["ask", "Who founded Intel?", "--graph", str(Path(__file__).parents[2] / "configs/demo/graph.ttl")],
            "diskcache elasticsearch filelock httpx jinja2 json_repair lark loky numpy openai rdflib tenacity".split(),
        ),
    ],
    ids=["help", "a question without a model", "and without definitions, which are read by the grammar of queries"],
)
def test_a_command_loads_nothing_heavy_that_it_does_not_need(
    arguments: list[str], heavy: list[str], cache_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kept in ("languages", "packs", "wordnet"):
        (cache_folder / kept).mkdir(exist_ok=True)
        (tmp_path / kept).symlink_to(cache_folder / kept)
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path))  # where nobody makes an index meanwhile, whose lock were looked at
    triad(*arguments)  # makes what is kept in the cache
    code = f"""
import sys
from triad.cli import main
sys.argv = ["triad", *{arguments}]
try:
    main()
except SystemExit:
    pass
print([name for name in {heavy} if name in sys.modules], file=sys.stderr)
"""
    result = run_python(code, capture_output=True)
    assert result.stderr.splitlines()[-1] == "[]"


@pytest.mark.slow(0.1)
def test_the_program_alone_shows_its_help() -> None:
    result = triad()
    assert (result.exit_code, result.stdout) == (0, triad("--help").stdout)


def test_version_names_the_version() -> None:
    assert triad("--version").stdout == f"triad {metadata.version('triad-kgqa')}\n"


@pytest.mark.parametrize("command", ["ask", "index", "list", "copy", "show", "doctor"])
def test_every_command_has_help_and_gives_json(command: str) -> None:
    assert "--json" in triad(command, "--help").stdout


# show -----------------------------------------------------------------------------------------------------


@pytest.fixture
def saved(ask: Callable[..., Result], tmp_path: Path) -> Path:
    path = tmp_path / "answer.json"
    assert ask(WHO, "--save-trace", path).exit_code == 0
    return path


def test_show_tells_no_password_of_a_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSWORD", "hidden1")
    text = (
        "graph: https://ann:${PASSWORD}@example.org/sparql\ngraph_options: {headers: {X-Key: hidden2}}\n"
        "index: elasticsearch:names\nindex_options: {hosts: ['https://ann:hidden3@one:9200']}\n"
        "passages: elasticsearch:https://ann:hidden4@one:9200/passages\n"
        "model: openai:m\nroles: {advisor: {model: 'openai:m@https://ann:hidden5@example.org/v1'}}\n"
    )
    (tmp_path / "company.yaml").write_text(text, encoding="utf-8")
    for form in ([], ["--json"]):
        result = CliRunner().invoke(app, ["show", str(tmp_path / "company.yaml"), *form])
        assert "https://example.org/sparql" in result.stdout
        assert "hidden" not in result.stdout


@pytest.mark.slow(0.1)
def test_show_explains_a_saved_answer_and_lists_its_steps(saved: Path) -> None:
    shown = triad("show", saved).stdout
    assert shown.startswith(f"Question: {WHO}\n")
    assert "\nstep\tphase\tcall\tseconds\ttokens\tresult\n1\tparsing\t" in shown


@pytest.mark.slow(0.1)
def test_show_gives_what_a_config_comes_to(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("base: demo\nlimits: {money: 1}\n", encoding="utf-8")
    keys = yaml.safe_load(triad("show", path).stdout)
    assert (keys["limits"]["calls"], keys["limits"]["money"]) == (12, 1)
    assert Path(keys["dataset"]["path"]).is_file()
    assert json.loads(triad("show", path, "--json").stdout) == keys
    assert yaml.safe_load(triad("show", "demo").stdout) == {**keys, "limits": {**keys["limits"], "money": None}}


@pytest.mark.slow(0.2)
def test_show_gives_a_query_as_a_path_and_a_path_as_a_query(tmp_path: Path) -> None:
    query, path, wrong = tmp_path / "query.rq", tmp_path / "path.txt", tmp_path / "wrong.rq"
    query.write_text("SELECT ?x { dbr:Switzerland dbo:capital ?x }", encoding="utf-8")
    shown = triad("show", query, "--as", "crp")
    assert shown.stdout == "Main Path:\n Switzerland -[capital]-> ?x\n"
    path.write_text(shown.stdout, encoding="utf-8")
    assert "dbr:Switzerland dbo:capital ?x ." in triad("show", path, "--as", "sparql").stdout
    wrong.write_text("ASK { dbr:Switzerland dbo:capital dbr:Bern }", encoding="utf-8")
    refused = triad("show", wrong, "--as", "crp")
    assert refused.exit_code == 1
    assert "this is a yes/no question" in refused.stderr


@pytest.mark.slow(0.2)
def test_show_gives_the_query_of_an_answer_as_a_path(tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    answer = Answer(Question("?"), query="SELECT ?f { dbr:Intel dbo:foundedBy ?f }")
    path.write_text(answer.to_json(), encoding="utf-8")
    assert triad("show", path, "--as", "crp").stdout == "Main Path:\n Intel -[founded by]-> ?x\n"
    path.write_text(replace(answer, query=None).to_json(), encoding="utf-8")
    assert "holds an answer without a query" in triad("show", path, "--as", "crp").stderr


@pytest.mark.slow(0.1)
def test_show_writes_markdown(saved: Path) -> None:
    assert triad("show", saved, "--markdown").stdout.startswith(f"## {WHO}\n")


@pytest.mark.slow(0.1)
def test_show_reads_standard_input(saved: Path) -> None:
    assert triad("show", "-", stdin=saved.read_text()).stdout.startswith(f"Question: {WHO}\n")


def call_number(saved: Path) -> int:
    trace = answer_of(saved.read_text()).trace
    assert trace is not None
    return next(number for number, step in enumerate(trace.steps, 1) if step.service == "model")


@pytest.mark.slow(0.1)
def test_show_gives_a_whole_step(saved: Path) -> None:
    shown = triad("show", saved, "--step", str(call_number(saved))).stdout
    assert shown.startswith("parsing, generalist: parsing, ")
    assert "\n[system]\nWrite a question" in shown
    assert shown.rstrip().endswith(json.dumps(REPLIES[WHO]))


@pytest.mark.slow(0.1)
def test_show_gives_a_whole_step_in_markdown(saved: Path) -> None:
    shown = triad("show", saved, "--step", str(call_number(saved)), "--markdown").stdout
    assert f"### reply\n\n```\n{json.dumps(REPLIES[WHO])}\n```" in shown


@pytest.mark.slow(0.1)
def test_show_gives_json(saved: Path) -> None:
    assert answer_of(triad("show", saved, "--json").stdout).question.text == WHO
    assert json.loads(triad("show", saved, "--step", "1", "--json").stdout)["phase"] == "parsing"


@pytest.mark.slow(0.1)
def test_show_names_the_steps_there_are(saved: Path) -> None:
    result = triad("show", saved, "--step", "99")
    assert result.exit_code == 1
    assert "has no step 99; it has steps 1 to " in result.stderr


@pytest.mark.slow(0.1)
def test_the_trace_of_a_question_without_an_answer_is_saved_and_shown(
    ask: Callable[..., Result], tmp_path: Path
) -> None:
    path = tmp_path / "trace.json"
    assert ask(WHO, "--set", "limits.input_tokens=1", "--set", "limits.calls=1", "--sentence", "--save-trace", path)
    assert answer_of(path.read_text()).trace
    assert "No answer was reached." in triad("show", path).stdout
    shown = json.loads(triad("show", path, "--json").stdout)
    assert (shown["outcome"], shown["error"]["kind"]) == ("failure", "BudgetExceeded")


@pytest.mark.parametrize("text", ["{", "[]", "1", '"outcome"', '{"a": 1}', "[" * 100_000], ids=range(6))
def test_show_refuses_what_is_no_answer(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    result = triad("show", path)
    assert result.exit_code == 1
    assert "is not an answer of 'triad ask --save-trace' or --json" in result.stderr


# index ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_index_makes_a_folder_that_can_be_asked(graph: str, tmp_path: Path) -> None:
    result = triad("index", graph, "--to", tmp_path / "intel")
    assert result.exit_code == 0
    assert "triples\t11\n" in result.stdout
    assert f"--graph {tmp_path / 'intel'}\n" in result.stderr
    assert "Noyce" in triad("ask", WHO, "--graph", tmp_path / "intel", "--model", "scripted").stdout


@pytest.mark.slow
def test_index_gives_its_report_as_json(graph: str, tmp_path: Path) -> None:
    report = json.loads(triad("index", graph, "--to", tmp_path / "intel", "--json").stdout)
    assert report["triples"] == 11
    assert report["entries"]["entity"] == 3


@pytest.mark.slow
def test_index_replaces_a_folder_only_where_told_to(graph: str, tmp_path: Path) -> None:
    arguments = ("index", graph, "--to", tmp_path / "intel")
    assert [triad(*arguments).exit_code, triad(*arguments).exit_code] == [0, 1]
    assert triad(*arguments, "--overwrite").exit_code == 0


@pytest.mark.slow
def test_index_names_what_it_left_out(tmp_path: Path) -> None:
    path = tmp_path / "broken.nt"
    path.write_text("<http://a.org/s> <http://a.org/p> <http://a.org/o> .\nnonsense\n")
    assert triad("index", path, "--to", tmp_path / "strict").exit_code == 1
    result = triad("index", path, "--to", tmp_path / "lenient", "--lenient")
    assert result.exit_code == 0
    assert "left out\t1\n" in result.stdout
    assert "broken.nt, line 2" in result.stderr


# list and copy --------------------------------------------------------------------------------------------


@pytest.mark.slow(0.1)
def test_list_names_everything_with_its_description_and_path() -> None:
    listed = json.loads(triad("list", "--json").stdout)
    assert {item["kind"] for item in listed} >= {"roles", "prompts", "configs"}
    assert all(item["description"] and Path(item["path"]).is_file() for item in listed)


def test_list_keeps_to_one_kind() -> None:
    lines = triad("list", "roles").stdout.splitlines()
    assert lines == triad("list", "role").stdout.splitlines()
    assert "'rules' is not one of" in triad("list", "rules").stderr
    assert [line.split("\t")[1] for line in lines] == ["name", "advisor", "decision_maker", "generalist"]


def test_list_says_which_file_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "mine.prompt").write_text("hello")
    monkeypatch.setenv("TRIAD_PATH", str(tmp_path))
    assert "prompts\tmine\tcannot be used: " in triad("list", "prompts").stdout


@pytest.mark.parametrize(("kind", "name"), [("roles", "advisor"), ("prompts", "parse_question"), ("configs", "demo")])
def test_a_copy_is_used_from_the_next_command_on(
    kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIAD_SETTINGS", str(tmp_path / "triad"))
    shipped = resources.find(kind, name)
    result = triad("copy", kind, name)
    copied = tmp_path / "triad" / kind / shipped.name
    assert result.stdout.splitlines()[0] == str(copied)
    assert f"triad: '{name}' in '{kind}' is this copy from now on; delete it" in result.stderr
    assert copied.read_text() == shipped.read_text()
    assert resources.find(kind, name) == copied
    assert f"\t{copied}\n" in triad("list", kind).stdout


def test_a_copy_that_is_not_found_by_its_name_is_named_by_its_path(tmp_path: Path) -> None:
    assert "name it by its path, or set TRIAD_PATH" in triad("copy", "roles", "advisor", tmp_path).stderr


def test_copy_copies_into_the_first_folder_of_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_PATH", f"{tmp_path}{os.pathsep}/elsewhere")
    result = triad("copy", "prompts", "parse_question")
    assert result.stdout == f"{tmp_path / 'prompts/parse_question.prompt'}\n"
    assert "is this copy from now on" in result.stderr


def test_copy_takes_a_folder_or_a_file_to_copy_to(tmp_path: Path) -> None:
    triad("copy", "roles", "advisor", tmp_path)
    triad("copy", "roles", "advisor", tmp_path / "strict.yaml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["advisor.yaml", "strict.yaml"]


def test_copy_takes_a_config_with_its_folder(tmp_path: Path) -> None:
    assert json.loads(triad("copy", "configs", "demo", tmp_path, "--json").stdout) == [
        str(tmp_path / "demo.yaml"),
        str(tmp_path / "demo"),
    ]
    assert (tmp_path / "demo" / "graph.ttl").is_file()


@pytest.mark.slow
def test_copy_puts_a_graph_where_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIAD_PATH", str(tmp_path / "elsewhere"))
    result = triad("copy", "graph", "books")
    assert result.stdout == "books.ttl\n"
    assert result.stderr == 'triad: ask it: triad ask "…" --graph books.ttl\n'
    assert triad("ask", "Who wrote Momo?", "--graph", "books.ttl").stdout.startswith("Michael Ende\n")


def test_copy_replaces_only_where_told_to(tmp_path: Path) -> None:
    target = tmp_path / "advisor.yaml"
    target.write_text("mine")
    result = triad("copy", "roles", "advisor", target)
    assert (result.exit_code, target.read_text()) == (1, "mine")
    assert "--force" in result.stderr
    assert triad("copy", "roles", "advisor", target, "--force").exit_code == 0
    assert target.read_text() != "mine"


def test_copy_names_what_is_shipped(tmp_path: Path) -> None:
    result = triad("copy", "roles", "adviser", tmp_path)
    assert result.exit_code == 1
    assert "has the name 'adviser'; known: advisor, decision_maker, generalist" in result.stderr


# doctor ---------------------------------------------------------------------------------------------------


@pytest.mark.slow(0.2)
def test_doctor_exits_with_0_where_all_is_well(graph: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Config, "open_model", lambda *_: ScriptedModel(lambda *_: '{"ok": true}'))
    result = triad("doctor", "--graph", graph, "--model", "scripted")
    assert result.exit_code == 0
    assert all(line.startswith("ok ") for line in result.stdout.splitlines())


@pytest.mark.slow(0.2)
def test_doctor_says_how_to_mend_what_is_wrong_and_exits_with_1(graph: str) -> None:
    result = triad("doctor", "--graph", graph, "--model", "scripted")
    assert result.exit_code == 1
    assert "problem  model               the model is asleep\n" in result.stdout
    assert "to mend it          check its name, its address and its key\n" in result.stdout


@pytest.mark.slow(0.1)
@pytest.mark.usefixtures("_no_model")
def test_doctor_needs_no_model(graph: str) -> None:
    result = triad("doctor", "--graph", graph)
    assert result.exit_code == 0
    assert "ok       model               none: questions are answered by the lexical solver\n" in result.stdout


@pytest.mark.slow(0.2)
def test_doctor_gives_json(graph: str) -> None:
    findings = json.loads(triad("doctor", "--graph", graph, "--model", "scripted", "--json").stdout)
    assert {finding["check"] for finding in findings} >= {"graph", "index", "model", "roles", "prompts"}


def test_doctor_shows_that_a_config_cannot_be_used() -> None:
    result = triad("doctor", "--config", "nonsense")
    assert result.exit_code == 1
    assert result.stdout.startswith("problem  config ")


def test_doctor_finds_that_a_config_cannot_be_used() -> None:
    [finding] = json.loads(triad("doctor", "--config", "nonsense", "--json").stdout)
    assert finding["check"] == "config"
    assert "'nonsense'" in finding["detail"]
