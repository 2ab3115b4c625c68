"""Options on either side of a command's name, and what is said where one is mistyped."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from triad.cli.program import app

WHO = "Who founded Intel?"


def triad(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("--config", "demo", "ask", WHO, "--quiet"),
        ("--config=demo", "-q", "ask", WHO),
        ("-cdemo", "ask", WHO, "-q"),
        ("--model", "none", "ask", "-q", WHO, "--config", "demo"),
    ],
)
def test_options_stand_on_either_side_of_the_command(arguments: tuple[str, ...]) -> None:
    result = triad(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("Gordon Moore\n")


@pytest.mark.slow(0.1)
def test_options_of_a_command_of_a_command_stand_anywhere_too(tmp_path: Path) -> None:
    lines = {
        triad(*map(str, arguments)).stderr
        for arguments in [
            ("tables", "show", "--graph", tmp_path),
            ("tables", "--graph", tmp_path, "show"),
            ("--graph", tmp_path, "-q", "tables", "show"),
        ]
    }
    assert lines == {f"triad: '{tmp_path / 'tables'}' has no tables; 'triad index --tables' makes them\n"}


def test_a_file_in_place_of_a_folder_is_said_to_have_no_tables(tmp_path: Path) -> None:
    (tmp_path / "books.ttl").touch()
    said = triad("tables", "show", "--graph", str(tmp_path / "books.ttl")).stderr
    assert said == f"triad: '{tmp_path / 'books.ttl' / 'tables'}' has no tables; 'triad index --tables' makes them\n"


def test_the_value_of_an_option_is_not_taken_for_a_command() -> None:
    assert "nothing in 'configs' has the name 'ask'" in triad("--config", "ask", "ask", WHO).stderr


@pytest.mark.slow(0.1)
def test_what_follows_two_dashes_is_no_option() -> None:
    result = triad("ask", "--config", "demo", "--", "--quiet")
    assert (result.exit_code, "I don't know" in result.stdout) == (2, True)


@pytest.mark.parametrize("arguments", [("ask", WHO, "--version"), ("--version", "list"), ("--version",)])
def test_the_version_is_printed_wherever_it_is_asked_for(arguments: tuple[str, ...]) -> None:
    assert triad(*arguments).stdout.startswith("triad ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("aks", WHO), "there is no command 'aks'; did you mean 'ask'? see 'triad --help'"),
        (("tables", "shw"), "there is no command 'shw'; did you mean 'show'? see 'triad tables --help'"),
        ((WHO,), f"there is no command {WHO!r}; to ask a question: triad ask \"…\"; see 'triad --help'"),
        (("ask", WHO, "--grph", "x"), "there is no option '--grph'; did you mean '--graph'? see 'triad ask --help'"),
        (("--confg", "demo", "ask", WHO), "there is no option '--confg'; did you mean '--config'? see 'triad --help'"),
        (("ask",), "missing argument 'question'; see 'triad ask --help'"),
        (("ask", WHO, "--config"), "option '--config' requires an argument"),
        (
            ("list", "rols"),
            "invalid value for 'kind': 'rols' is not one of 'roles', 'prompts', 'configs', 'index', 'graph'; did you "
            "mean 'roles'? see 'triad list --help'",
        ),
    ],
)
def test_a_mistyped_command_is_told_in_a_line(arguments: tuple[str, ...], said: str) -> None:
    result = triad(*arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"triad: {said}\n"
