"""What goes wrong is one line, whatever is typed; and help reads well."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from itertools import pairwise, product
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from triad.cli.program import app

COMMANDS = ["ask", "run", "index", "list", "copy", "show", "compare", "describe", "learn", "report", "doctor"]
ODD = ["", "~nobody/x", "/", "a" * 5000, "\u202e", "[a", "**", "http://[", "--", "-"]


def triad(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["-q", *map(str, arguments)], input=stdin)


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    "arguments",
    [
        *product(["index", "describe", "show", "report", "compare", "list"], ODD),
        *product(["ask"], ["Who?"], ["--graph", "--config", "--model", "--set", "--examples", "--route"], ODD),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_what_is_odd_is_told_in_lines_and_not_in_a_traceback(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = triad(*arguments, stdin="")
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.exit_code in (0, 1, 2)
    assert "Traceback" not in result.output
    if result.exit_code == 1:
        assert all(line.startswith(("triad: ", "problem", " ")) for line in result.stderr.splitlines())


@pytest.mark.parametrize(
    ("route", "odd"), [("banana", "banana"), ("solver,templat", "templat"), ("phases,repair", "phases")]
)
def test_a_rung_that_is_none_is_told_with_those_that_there_are(route: str, odd: str) -> None:
    result = triad("ask", "Who?", "--route", route)
    rungs = "solver, template, repair, retrieval, exploration, knowledge"
    told = f"triad: --route knows no rung {odd!r}; it takes phases, or some of {rungs}"
    assert (result.exit_code, result.stderr.startswith(told)) == (1, True)
    assert ("did you mean 'template'?" in result.stderr) is (odd == "templat")
    assert "literal" not in result.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_help_flows_and_shows_no_value_for_a_flag(command: str) -> None:
    shown = triad(command, "--help").stdout
    assert "bool>" not in shown
    paragraphs = re.split(r"\n\w+:\n", shown)[0].split("\n\n")
    for paragraph in paragraphs:
        lines = [line.strip() for line in paragraph.strip().splitlines()]
        for line, after in pairwise(lines):
            assert len(line) + len(after.split(" ")[0]) > 70 or not after or not line, paragraph


@pytest.mark.slow
@pytest.mark.parametrize(("encoding", "given"), [("ascii", ()), ("latin-1", ("--json",))])
def test_letters_that_an_output_lacks_are_escaped(encoding: str, given: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "triad", "ask", "Wer gründete Intel – „x“ 你好 🚲?", *given]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": encoding}, check=False)
    assert b"Traceback" not in done.stderr
    assert b"Robert Noyce" in done.stdout
    if given:
        assert json.loads(done.stdout.decode(encoding))["question"] == command[4]


@pytest.mark.slow
def test_a_description_is_shown_by_an_output_that_lacks_its_letters() -> None:
    command = [sys.executable, "-m", "triad", "describe", "demo"]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u00b0" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "code", "said"), [(">/dev/full", 1, "triad: cannot write: No space left on device\n"), (">&-", 0, "")]
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_an_output_that_cannot_be_written_is_told_in_a_line(end: str, code: int, said: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m triad list graph {end}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, said)


@pytest.mark.parametrize(
    ("arguments", "said"), [(("show", "-"), "'-' is not an answer"), (("models", "keys", "set", "openai"), "is no key")]
)
def test_bytes_that_are_no_text_are_told_in_a_line(arguments: tuple[str, ...], said: str) -> None:
    result = CliRunner().invoke(app, arguments, input=b"\xff\n")
    assert result.exit_code == 1
    [line] = result.stderr.splitlines()
    assert said in line


def test_a_question_without_quotes_is_told_of_them() -> None:
    result = triad("ask", "Who", "founded", "Intel?")
    assert result.exit_code == 1
    assert 'a question stands in quotes: triad ask "…"' in result.stderr
    assert "quotes" not in triad("describe", "one", "two").stderr


@pytest.mark.slow
def test_a_graph_is_described_without_a_hint_at_models(tmp_path: Path) -> None:
    path = tmp_path / "one.ttl"
    path.write_text('<x:a> <http://www.w3.org/2000/01/rdf-schema#label> "one" .')
    result = triad("describe", str(path))
    assert result.exit_code == 0
    assert "model" not in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["serve", "mcp"])
def test_a_server_of_a_graph_that_is_not_there_says_so(command: str) -> None:
    result = triad(command, "league.ttl")
    assert result.exit_code == 1
    assert "there is no file or folder 'league.ttl'" in result.stderr


def test_a_list_of_no_keys_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    result = triad("models", "keys", "list")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no key is kept" in result.stderr


@pytest.mark.slow(0.2)
def test_help_tells_the_exit_codes() -> None:
    assert "130" in triad("--help").stdout
    shown = " ".join(triad("ask", "--help").stdout.split())
    assert "Exits with 0 for an answer, 2 for none or only a guess, 1 for a failure or a mistyped option, 130" in shown


def test_the_page_of_the_command_line_has_the_exit_codes() -> None:
    pages = sorted((Path(__file__).parents[2] / "docs").rglob("command-line.md"))
    [page] = [one.read_text(encoding="utf-8") for one in pages]
    for code in ("| 0 |", "| 2 |", "| 1 |", "| 130 |"):
        assert f"\n{code} " in page
