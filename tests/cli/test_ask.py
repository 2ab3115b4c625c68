"""What ``triad ask`` gives for questions without an answer: reasons, the best guess, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from triad.answers import Answer, Unknown, from_json
from triad.cli import app

KNOWN = "Who founded Intel?"
NAMELESS = "What is the capital of Wakanda?"
DOUBTED = "What is the blood type of Gordon Moore?"
WHY = "Gordon Moore has no 'blood type' here; there is: alma mater, birth date, birth place, death date"


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


def test_a_guess_comes_after_the_reasons_and_before_other_readings() -> None:
    result = ask(DOUBTED)
    assert result.exit_code == 2
    reasons, guess, others = result.stdout.splitlines()
    assert reasons == f"I don't know: {WHY}."
    assert guess.startswith("Perhaps: ")
    assert guess.endswith(", ignoring 'blood type')")
    assert "(confidence 0." in guess
    assert others.startswith("Did you mean: birth date of Gordon Moore; ")


def test_a_name_taken_in_place_of_another_is_told_with_the_guess() -> None:
    result = ask("Who founded Intle?", "--min-confidence", "1")
    assert result.exit_code == 2
    assert result.stdout.splitlines()[1].endswith(", Intel for 'Intle')")


def test_the_least_confidence_is_an_option_and_a_key() -> None:
    assert ask(DOUBTED, "--min-confidence", "0").exit_code == 0
    assert ask(DOUBTED, "--set", "min_confidence=0").exit_code == 0
    assert ask(KNOWN, "--min-confidence", "1").exit_code == 2
    assert ask(KNOWN, "--min-confidence", "2").exit_code == 1


def test_an_explanation_lists_what_was_ignored_and_what_was_taken_for_something_else() -> None:
    told = ask(DOUBTED, "--explain")
    assert told.exit_code == 2
    assert f"\nI don't know\n  {WHY}\n" in told.stdout
    assert "\nWords that nothing accounts for\n  'blood type'\n" in told.stdout
    assert "\nPerhaps: " in told.stdout
    assert "\nOther readings\n  birth date of Gordon Moore\n" in told.stdout
    assert "\nNames taken in place of others\n  Intel for 'Intle'\n" in ask("Who founded Intle?", "--explain").stdout


def test_an_answer_says_in_its_last_line_what_it_takes_liberties_with() -> None:
    assert ", Intel for 'Intle', no model calls, " in ask("Who founded Intle?").stdout.splitlines()[-1]
    assert ", ignoring 'blood type', " in ask(DOUBTED, "--min-confidence", "0").stdout.splitlines()[-1]


def test_json_has_reasons_guess_and_trace() -> None:
    result = ask(DOUBTED, "--json")
    unknown = from_json(Unknown, result.stdout)
    assert result.exit_code == 2
    assert str(unknown) == WHY
    assert unknown.question.text == DOUBTED
    assert unknown.guess is not None
    assert unknown.guess.values
    assert unknown.ignored == ("blood type",)
    assert unknown.trace is not None
    assert unknown.trace.steps


def test_json_of_an_answer_has_what_it_leaves_out() -> None:
    answer = from_json(Answer, ask("Who founded Intle?", "--json").stdout)
    assert [(one.asked, one.taken) for one in answer.substituted] == [("Intle", "Intel")]
    assert answer.readings


def test_a_saved_unknown_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "unknown.json"
    assert ask(DOUBTED, "--save-trace", path).exit_code == 2
    shown = triad("show", path).stdout
    assert WHY in shown
    assert "\nstep\tphase\t" in shown
    assert triad("show", path, "--markdown").stdout.count("### Other readings") == 1
    assert from_json(Unknown, triad("show", path, "--json").stdout).question.text == DOUBTED


def test_each_line_of_standard_input_is_answered_or_unknown() -> None:
    result = ask("-", stdin=f"{NAMELESS}\n{KNOWN}\n")
    assert (result.exit_code, result.stderr) == (2, "")
    assert result.stdout.startswith(
        f"# {NAMELESS}\nI don't know: nothing in the graph is called Wakanda.\n\n# {KNOWN}\n"
    )
    assert "Robert Noyce\t" in result.stdout


def test_each_line_in_json_is_an_answer_or_unknown() -> None:
    unknown, answer = map(json.loads, ask("-", "--json", stdin=f"{NAMELESS}\n{KNOWN}\n").stdout.splitlines())
    assert [reason["words"] for reason in unknown["reasons"]] == ["Wakanda"]
    assert answer["text"] == "Gordon Moore; Robert Noyce"


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


def test_answers_that_were_kept_are_examples(tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text(ask(KNOWN, "--json").stdout, encoding="utf-8")
    assert ask(KNOWN, "--examples", tmp_path / "kept.json").exit_code == 0
