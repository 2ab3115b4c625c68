from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from triad.answers import Answer, Reading, Reason, Unknown, WordUse
from triad.cli.display import data_console, show_answer, show_step, show_step_whole, show_table, show_unknown
from triad.cli.progress import index_progress
from triad.questions import Question
from triad.rdf import IRI, XSD, Literal, Value
from triad.trace import Message, Step, Trace, Usage

NOYCE = Value(IRI("http://example.org/Noyce"), "Robert Noyce")
MOORE = Value(Literal("Gordon Moore"), "Gordon Moore")
ANSWER = Answer(Question("Who founded Intel?"), variables=("who",), rows=((NOYCE,), (MOORE,)), query="SELECT ?who {}")


def console(*, terminal: bool, width: int = 60) -> Console:
    plain: dict[str, Any] = {"color_system": None, "soft_wrap": True, "markup": False, "highlight": False}
    return Console(file=io.StringIO(), force_terminal=terminal, width=width, **plain)


def text(shown: Console) -> str:
    assert isinstance(shown.file, io.StringIO)
    return shown.file.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
def test_people_read_the_same_on_a_terminal_and_behind_it(terminal: bool) -> None:
    shown = console(terminal=terminal)
    born = Value(Literal("1928-03-01", XSD + "date"), "1928-03-01", "March 1, 1928")
    noyce = Value(IRI("http://example.org/Noyce"), "Robert Noyce")
    show_answer(shown, Answer(ANSWER.question, variables=("x",), rows=((born,), (noyce,)), query="SELECT ?x {}"))
    assert text(shown).startswith("March 1, 1928\nRobert Noyce\n\nSELECT ?x {}\n")


def test_a_terminal_shows_the_first_of_many_rows_under_words() -> None:
    rows = tuple((MOORE, Value(Literal(str(at)), str(at))) for at in range(30))
    many = Answer(ANSWER.question, variables=("founded_by", "year"), rows=rows)
    on_terminal, in_file = console(terminal=True), console(terminal=False)
    for shown in (on_terminal, in_file):
        show_answer(shown, many)
    assert "\nand 10 more: --format csv gives all\n" in text(on_terminal)
    assert text(on_terminal).startswith("founded by ")
    assert text(in_file).startswith("founded by\tyear\nGordon Moore\t0\n")
    assert text(in_file).count("Gordon Moore") == 30


def test_what_was_not_found_is_said() -> None:
    shown = console(terminal=False)
    show_answer(shown, Answer(ANSWER.question, query="SELECT ?who {}"))
    assert text(shown).startswith("nothing found\n")


def test_an_unknown_is_shown_with_its_guess_and_cleaned() -> None:
    shown = console(terminal=False)
    reason = Reason("words", "on \x1bGitHub", "'on \x1bGitHub' was not understood")
    guess = Answer(ANSWER.question, text="Robert\nNoyce", confidence=0.25, source="model")
    words = (WordUse("on \x1bGitHub", "left_out"),)
    readings = (Reading("one", "Ann\x1be\nBo"), Reading("two", "Cy"), Reading("three", "Di", taken="four"))
    show_unknown(shown, Unknown(ANSWER.question, (reason,), guess, words, readings))
    assert text(shown) == (
        "I don't know: 'on GitHub' was not understood.\n"
        "Perhaps: Robert Noyce (the model's own knowledge, not checked against the graph, confidence 0.25, "
        "ignoring 'on GitHub')\nDid you mean: 1. one: Anne Bo; 2. two: Cy\nAssumed: four. Otherwise: 3. three: Di\n"
    )


def test_what_was_assumed_is_shown_before_the_last_line_of_an_answer() -> None:
    shown = console(terminal=False)
    show_answer(shown, Answer(ANSWER.question, boolean=True, readings=(Reading("by area", "no", taken="population"),)))
    *_, assumed, last = text(shown).splitlines()
    assert assumed == "Assumed: population. Otherwise: by area: no"
    assert last.startswith("source: ")


def test_an_unbound_variable_leaves_its_cell_empty() -> None:
    shown = console(terminal=False)
    show_answer(shown, Answer(ANSWER.question, variables=("one", "other"), rows=((None, MOORE),)))
    assert text(shown).startswith("one\tother\n\tGordon Moore\n")


def test_an_answer_of_the_model_and_a_cut_result_are_told() -> None:
    shown = console(terminal=False)
    show_answer(shown, Answer(ANSWER.question, boolean=True, source="model", truncated=True))
    assert text(shown) == (
        "yes\n\nsource: the model's own knowledge, not checked against the graph, confidence 0.00, "
        "cut: the graph has more rows\n"
    )


def test_the_cost_is_told_on_the_last_line() -> None:
    shown = console(terminal=False)
    usage = Usage(calls=2, input_tokens=1_000, output_tokens=10, money=0.5)
    trace = Trace(ANSWER.question, (Step("parsing", "model", "parsing", "generalist", usage=usage),), seconds=1.5)
    show_answer(shown, Answer(ANSWER.question, boolean=False, trace=trace))
    assert text(shown).endswith("2 model calls, 1,000 tokens in and 10 out, $0.5000, 1.50 s\n")


def test_labels_are_neither_markup_nor_control_characters() -> None:
    shown = console(terminal=True)
    show_answer(shown, Answer(ANSWER.question, rows=((Value(Literal("x"), "[red]a\x1b[2J:smile:\tb\n"),),)))
    assert text(shown).startswith("[red]a[2J:smile: b\n")


def test_a_table_for_a_terminal_is_folded_and_one_for_a_file_is_not() -> None:
    on_terminal, in_file = console(terminal=True, width=20), console(terminal=False, width=20)
    for shown in (on_terminal, in_file):
        show_table(shown, ("name", "path"), [("a", Text("x" * 40))])
    assert "x" * 40 not in text(on_terminal)
    assert text(on_terminal).count("x") == 40
    assert text(in_file) == f"name\tpath\na\t{'x' * 40}\n"


def test_a_step_takes_one_line_of_a_terminal() -> None:
    shown = console(terminal=True, width=100)
    show_step(shown, Step("linking", "graph", "execute", reply="x\n" * 500, seconds=0.25, attempt=2))
    assert text(shown).startswith("linking 2     graph: execute                          0.25 ")
    assert len(text(shown)) == 101


def test_a_step_that_failed_shows_why() -> None:
    shown = console(terminal=False)
    show_step(shown, Step("linking", "graph", "execute", error="too slow"))
    assert text(shown).endswith("too slow\n")


def test_a_whole_step_shows_what_was_sent_and_what_came_back() -> None:
    shown = console(terminal=False)
    show_step_whole(
        shown, Step("parsing", "model", "parsing", "generalist", prompt=(Message("user", "Who?"),), reply="``` Noyce")
    )
    assert text(shown) == "parsing, generalist: parsing, 0.00 s\n\n[user]\nWho?\n\n[reply]\n``` Noyce\n"


def test_backticks_in_a_reply_cannot_end_its_fence() -> None:
    shown = console(terminal=False)
    show_step_whole(shown, Step("parsing", "model", "parsing", reply="``` Noyce"), markdown=True)
    assert text(shown).endswith("### reply\n\n````\n``` Noyce\n````\n")


def test_progress_shows_a_bar_for_each_stage_on_a_terminal_only() -> None:
    on_terminal, in_file = console(terminal=True, width=100), console(terminal=False)
    for shown in (on_terminal, in_file):
        with index_progress(shown) as report:
            report("load", 500_000, 1_000_000)
            report("labels", 1_234, None)
    assert "0.5 MB" in text(on_terminal)
    assert "1,234" in text(on_terminal)
    assert text(in_file) == ""


class Closed(io.StringIO):
    """An output whose reader has ended."""

    def write(self, text: str) -> int:
        """Fail as a closed pipe does."""
        raise BrokenPipeError


@pytest.mark.slow
def test_a_closed_output_is_an_error_and_not_an_exit_code_of_a_failure() -> None:
    out = data_console()
    out.file = Closed()
    with pytest.raises(BrokenPipeError):
        out.print("Momo")
