"""What ``triad ask`` gives for questions without an answer: reasons, the best guess, exit codes."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import fields
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from pydantic import TypeAdapter
from typer.testing import CliRunner, Result

from triad.answers import Answer, Unknown, from_json, to_json
from triad.asked import Asked, read_asked, schema_text
from triad.cli.program import app

pytestmark = pytest.mark.slow(0.1)

KNOWN = "Who founded Intel?"
NAMELESS = "What is the capital of Wakanda?"
DOUBTED = "What is the blood type of Gordon Moore?"
GUESSED = "Which purple films did Stanley Kubrick direct?"
WHY = (
    "Gordon Moore has no 'blood type' here; there is: alma mater, birth date (When was Gordon Moore born?), "
    "birth place, death date"
)


def triad(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["-q", *map(str, arguments)], input=stdin)


def ask(question: str, *arguments: str | Path, stdin: str | None = None) -> Result:
    return triad("ask", question, "--model", "none", *arguments, stdin=stdin)


def test_an_answer_exits_with_0() -> None:
    assert ask(KNOWN).exit_code == 0


def test_a_question_about_what_is_not_there_is_unknown() -> None:
    result = ask(NAMELESS)
    assert (result.exit_code, result.stderr) == (2, "")
    assert result.stdout == "I don't know: nothing in the graph is called Wakanda.\n"


@pytest.mark.slow
def test_a_guess_comes_after_the_reason() -> None:
    result = ask(GUESSED)
    assert result.exit_code == 2
    reason, guess = result.stdout.splitlines()
    assert reason.startswith("I don't know: no film has 'purple' here; there is: ")
    assert guess.startswith("Perhaps: ")
    assert guess.endswith(", ignoring 'purple')")
    assert "(confidence 0." in guess


@pytest.mark.slow
def test_a_guess_that_is_far_from_the_question_is_not_shown() -> None:
    assert ask(DOUBTED).stdout == f"I don't know: {WHY}.\n"


def test_a_name_taken_in_place_of_another_is_told_with_the_guess() -> None:
    result = ask("Who founded Intle?", "--min-confidence", "1")
    assert result.exit_code == 2
    assert result.stdout.splitlines()[1].endswith(", Intel for 'Intle')")


@pytest.mark.slow
def test_the_least_confidence_is_an_option_and_a_key() -> None:
    assert ask(DOUBTED, "--min-confidence", "0").exit_code == 0
    assert ask(DOUBTED, "--set", "min_confidence=0").exit_code == 0
    assert ask(KNOWN, "--min-confidence", "1").exit_code == 2
    assert ask(KNOWN, "--min-confidence", "2").exit_code == 1


@pytest.mark.slow
def test_an_explanation_lists_what_was_ignored_and_what_was_taken_for_something_else() -> None:
    told = ask(DOUBTED, "--explain")
    assert told.exit_code == 2
    assert f"\nI don't know\n  {WHY}\n" in told.stdout
    assert "\nWords, and what they became in the query\n  'blood type' → left out\n" in told.stdout
    assert "\nPerhaps: " not in told.stdout
    assert "\nPerhaps: " in ask(GUESSED, "--explain").stdout
    assert "\n  'founded' → founded by\n  'Intle' → Intel\n" in ask("Who founded Intle?", "--explain").stdout


@pytest.mark.slow
def test_an_answer_says_in_its_last_line_what_it_takes_liberties_with() -> None:
    assert ", Intel for 'Intle', " in ask("Who founded Intle?").stdout.splitlines()[-1]
    assert ", ignoring 'blood type', " in ask(DOUBTED, "--min-confidence", "0").stdout.splitlines()[-1]


@pytest.mark.slow
def test_json_has_reasons_guess_and_with_trace_all_steps() -> None:
    result = ask(GUESSED, "--json", "--trace")
    short = json.loads(ask(GUESSED, "--format", "json").stdout)
    whole = json.loads(result.stdout)
    assert [key for key in whole if whole[key] != short[key]] == ["seconds", "trace"]
    assert short["trace"] is None
    unknown = read_asked(result.stdout)
    assert result.exit_code == 2
    assert isinstance(unknown, Unknown)
    assert str(unknown).startswith("no film has 'purple' here; there is: ")
    assert unknown.question.text == GUESSED
    assert unknown.guess is not None
    assert unknown.guess.values
    assert unknown.ignored == ("purple",)
    assert unknown.trace is not None
    assert unknown.trace.steps
    assert unknown.readings == ()


def test_json_of_an_answer_has_what_it_leaves_out() -> None:
    answer = read_asked(ask("Who founded Intle?", "--json").stdout)
    assert isinstance(answer, Answer)
    assert [(one.words, one.became) for one in answer.substituted] == [("Intle", "Intel")]


@pytest.mark.slow
def test_a_saved_unknown_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "unknown.json"
    assert ask(DOUBTED, "--save-trace", path).exit_code == 2
    shown = triad("show", path).stdout
    assert WHY in shown
    assert "\nstep\tphase\t" in shown
    assert triad("show", path, "--markdown").stdout.count("### I don't know") == 1
    assert read_asked(triad("show", path, "--json").stdout).question.text == DOUBTED


def test_each_line_of_standard_input_is_answered_or_unknown() -> None:
    result = ask("-", stdin=f"{NAMELESS}\n{KNOWN}\n")
    assert (result.exit_code, result.stderr) == (2, "")
    assert result.stdout.startswith(
        f"# {NAMELESS}\nI don't know: nothing in the graph is called Wakanda.\n\n# {KNOWN}\n"
    )
    assert "Robert Noyce\n" in result.stdout


def test_each_line_in_json_is_an_answer_or_unknown() -> None:
    unknown, answer = map(json.loads, ask("-", "--json", stdin=f"{NAMELESS}\n{KNOWN}\n").stdout.splitlines())
    assert [reason["words"] for reason in unknown["unknown"]["reasons"]] == ["Wakanda"]
    assert answer["answer"]["text"] == answer["reply"] == "Gordon Moore; Robert Noyce"


def test_a_failure_outweighs_an_unknown(tmp_path: Path) -> None:
    script = tmp_path / "replies.jsonl"
    script.write_text("", encoding="utf-8")
    result = triad("ask", "-", "--model", f"replay:{script}", stdin=f"{KNOWN}\n{NAMELESS}\n")
    assert result.exit_code == 1


@pytest.mark.parametrize("arguments", [("ask", KNOWN, "--no-such-option"), ("--no-such-option",), ("no-such-command",)])
def test_a_mistyped_command_is_a_failure(arguments: tuple[str, ...]) -> None:
    assert triad(*arguments).exit_code == 1


def test_examples_that_cannot_be_read_are_a_failure(tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text('{"question": "Who?", "sparql": "SELECT {"}', encoding="utf-8")
    result = ask(KNOWN, "--examples", tmp_path / "pairs.jsonl")
    assert result.exit_code == 1
    assert "have no question with a query" in result.stderr
    assert "cannot be read" in ask(KNOWN, "--examples", tmp_path / "none.jsonl").stderr


@pytest.mark.slow
def test_answers_that_were_kept_are_examples(tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text(ask(KNOWN, "--json").stdout, encoding="utf-8")
    assert ask(KNOWN, "--examples", tmp_path / "kept.json").exit_code == 0


# One shape -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema_text()))


def test_the_schema_that_ships_is_that_of_the_values() -> None:
    made = TypeAdapter(Asked).json_schema(mode="serialization")
    assert {key: value for key, value in json.loads(schema_text()).items() if key != "$schema"} == made


def test_the_schema_is_printed() -> None:
    assert triad("ask", "--schema").stdout == schema_text()


@pytest.mark.slow
def test_answers_reasons_and_failures_have_one_shape(tmp_path: Path, validator: Draft202012Validator) -> None:
    script = tmp_path / "replies.jsonl"
    script.write_text("", encoding="utf-8")
    failed = ("--model", f"replay:{script}", "--route", "phases")
    texts = [ask(KNOWN, "--json").stdout, ask(DOUBTED, "--json").stdout, triad("ask", KNOWN, "--json", *failed).stdout]
    texts += ask("-", "--json", stdin=f"{NAMELESS}\n{KNOWN}\n").stdout.splitlines()
    texts += triad("ask", "-", "--json", *failed, stdin=KNOWN).stdout.splitlines()
    texts.append(triad("ask", KNOWN, "--json", "--config", "nonsense").stdout)
    asked = [json.loads(text) for text in texts]
    outcomes = ["answer", "unknown", "failure", "unknown", "answer", "failure", "failure"]
    assert [one["outcome"] for one in asked] == outcomes
    for one, text in zip(asked, texts, strict=True):
        validator.validate(one)
        assert json.loads(to_json(from_json(Asked, text))) == one


def test_the_turns_of_the_server_have_the_same_keys() -> None:
    from triad.server.views import TurnView

    keys = ["outcome", "question", "language", "reply", "answer", "unknown", "usage", "seconds", "trace"]
    assert set(keys) == set(TurnView.model_fields) & {one.name for one in fields(Asked)}


def test_a_failure_is_told_on_standard_error_too(validator: Draft202012Validator) -> None:
    result = triad("ask", KNOWN, "--json", "--config", "dmeo")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"]["kind"] == "ResourceNotFound"
    [line] = result.stderr.splitlines()
    assert "did you mean 'demo'?" in line


def test_questions_that_fail_stand_among_the_answers(tmp_path: Path) -> None:
    script = tmp_path / "replies.jsonl"
    script.write_text("", encoding="utf-8")
    options = ("--model", f"replay:{script}", "--route", "phases")
    assert f"# {KNOWN}\nfailed: " in triad("ask", "-", *options, stdin=KNOWN).stdout
    _, row = csv.reader(triad("ask", "-", "--csv", *options, stdin=KNOWN).stdout.splitlines())
    assert row[:2] == [KNOWN, "failure"]


@pytest.mark.slow
def test_the_json_of_an_answer_itself_is_read(tmp_path: Path) -> None:
    answer = read_asked(ask(KNOWN, "--json").stdout)
    (tmp_path / "old.json").write_text(answer.to_json(), encoding="utf-8")
    assert triad("show", tmp_path / "old.json").stdout.startswith(f"Question: {KNOWN}\n")
    assert ask(KNOWN, "--examples", tmp_path / "old.json").exit_code == 0


def test_a_failure_without_a_trace_is_not_shown_as_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "failed.json"
    given = triad("ask", KNOWN, "--json", "--config", "dmeo", "--save-trace", path)
    assert json.loads(path.read_text(encoding="utf-8")) == json.loads(given.stdout)
    result = triad("show", path)
    assert result.exit_code == 1
    assert "holds a question that failed: nothing in 'configs'" in result.stderr


# CSV and TSV ---------------------------------------------------------------------------------------------


def test_csv_has_terms_and_labels_under_the_variables() -> None:
    assert ask(KNOWN, "--csv").stdout == (
        "founded_by,founded_by_label\n"
        "http://dbpedia.org/resource/Gordon_Moore,Gordon Moore\n"
        "http://dbpedia.org/resource/Robert_Noyce,Robert Noyce\n"
    )


@pytest.mark.slow
def test_tsv_has_terms_as_sparql_writes_them() -> None:
    lines = ask(KNOWN, "--tsv").stdout.splitlines()
    assert lines[:2] == ["?founded_by\t?founded_by_label", '<http://dbpedia.org/resource/Gordon_Moore>\t"Gordon Moore"']
    assert ask("Is Bern the capital of Switzerland?", "--tsv").stdout == "?answer\ntrue\n"


def test_a_table_without_an_answer_is_empty_and_the_reasons_are_told() -> None:
    result = ask(NAMELESS, "--csv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "I don't know: nothing in the graph is called Wakanda.\n"


@pytest.mark.slow
def test_several_questions_are_rows_of_one_table() -> None:
    header, *rows = csv.reader(io.StringIO(ask("-", "--csv", stdin=f"{NAMELESS}\n{KNOWN}\n").stdout))
    assert header == ["question", "outcome", "reply", "confidence", "source", "query", "seconds"]
    assert [row[:2] for row in rows] == [[NAMELESS, "unknown"], [KNOWN, "answer"]]
    assert rows[1][2] == "Gordon Moore; Robert Noyce"
    assert len(ask("-", "--tsv", stdin=f"{NAMELESS}\n{KNOWN}\n").stdout.splitlines()) == 3


def test_one_form_is_given_at_a_time() -> None:
    assert "name one format, not json and tsv" in ask(KNOWN, "--json", "--tsv").stderr
    assert "name one format, not csv and json" in ask(KNOWN, "--format", "csv", "--json").stderr
    assert "csv gives values alone" in ask(KNOWN, "--csv", "--explain").stderr
    assert "markdown gives values alone" in ask(KNOWN, "--format", "markdown", "--sentence").stderr
    assert ask(KNOWN, "--format", "json", "--json").exit_code == 0


@pytest.mark.slow
def test_markdown_is_a_table_of_names_that_are_links() -> None:
    assert ask(KNOWN, "--format", "markdown").stdout == (
        "| founded by |\n"
        "| --- |\n"
        "| [Gordon Moore](<http://dbpedia.org/resource/Gordon_Moore>) |\n"
        "| [Robert Noyce](<http://dbpedia.org/resource/Robert_Noyce>) |\n"
    )
    head, line, *rows = ask("-", "--format", "markdown", stdin=f"{NAMELESS}\n{KNOWN}\n").stdout.splitlines()
    assert head.startswith("| question | outcome | reply |")
    assert line == "|" + " --- |" * 7
    assert [row.split(" | ")[1] for row in rows] == ["unknown", "answer"]


# Escapes --------------------------------------------------------------------------------------------------

ESCAPES = "Who founded \x1b[31m\x9b1mIntel\u202e?"


@pytest.mark.slow
def test_no_escape_sequence_of_a_question_reaches_a_terminal() -> None:
    for form in ((), ("--json",), ("--csv",), ("--tsv",), ("--format", "markdown")):
        for result in (ask(ESCAPES, *form), ask("-", *form, stdin=ESCAPES + "\n")):
            assert not set("\x1b\x9b\u202e") & set(result.output)


def test_json_keeps_what_it_escapes() -> None:
    given = json.loads(ask("-", "--json", stdin=ESCAPES + "\u2028\n").stdout)
    assert given["question"] == ESCAPES
