"""What the command line shows: data on one console, everything else on another.

On a terminal data come in tables and colours. Where the output goes to a file or another program, the same content
comes plain, one row a line, with tabs between its cells. What graphs and models say is cleaned of control
characters, and is never read as markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from triad.explain import cost, origin
from triad.text import clean, one_line

if TYPE_CHECKING:
    from triad.answers import Answer
    from triad.doctor import Finding
    from triad.indexing.plan import Plan
    from triad.rdf import Value
    from triad.trace import Step

__all__ = [
    "data_console",
    "log_console",
    "show_answer",
    "show_finding",
    "show_plan",
    "show_query",
    "show_step",
    "show_step_whole",
    "show_steps",
    "show_table",
    "show_text",
]

STEP_HEADER = ("phase", "call", "seconds", "tokens", "result")


def data_console() -> Console:
    """Return the console of data: standard output."""
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def log_console() -> Console:
    """Return the console of everything else: standard error."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def show_text(console: Console, text: str) -> None:
    """Show a text as it is; rich would expand its tabs."""
    console.file.write(text + "\n")


def show_table(console: Console, header: Sequence[str], rows: Iterable[Sequence[str | Text]]) -> None:
    """Show rows under a header."""
    if not console.is_terminal:
        show_text(console, "\n".join("\t".join(map(str, row)) for row in [header, *rows]))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in header:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*[cell if isinstance(cell, Text) else Text(cell) for cell in row])
    console.print(table, soft_wrap=False)


# Answers --------------------------------------------------------------------------------------------------


def show_answer(console: Console, answer: Answer, *, sentence: bool = False) -> None:
    """Show the values of an answer, its query, and where it comes from at which cost."""
    if sentence:
        console.print(Text(clean(answer.text), "bold"))
    if len(answer.variables) > 1:
        show_table(console, answer.variables, [[_cell(console, value) for value in row] for row in answer.rows])
    else:
        for value in answer.values:
            if console.is_terminal:
                console.print(_value(value, "  "))
            else:
                show_text(console, str(_value(value, "\t")))
    if not answer.values:
        console.print(clean(answer.text) or "nothing found")
    if answer.query:
        console.print()
        show_query(console, answer.query)
    console.print()
    console.print(Text(", ".join(_summary(answer)), "dim"))


def _value(value: Value, between: str) -> Text:
    text = Text(one_line(value.label), "bold")
    if value.term.type == "iri":
        text.append(between + one_line(value.term.value), "not bold dim")
    return text


def _cell(console: Console, value: Value | None) -> Text:
    if value is None:
        return Text()
    return _value(value, "\n" if console.is_terminal else " ")


def show_query(console: Console, query: str) -> None:
    """Show a SPARQL query, coloured on a terminal."""
    console.print(_query(console, query))


def _query(console: Console, query: str) -> Text:
    if not console.is_terminal:
        return Text(clean(query))
    from rich.syntax import Syntax

    text = Syntax("", "sparql", theme="ansi_dark").highlight(clean(query))
    text.rstrip()
    return text


def _summary(answer: Answer) -> list[str]:
    parts = [f"source: {origin(answer)}", f"confidence {answer.confidence:.2f}"]
    if answer.truncated:
        parts.append("cut: the graph has more rows")
    return [*parts, *cost(answer.trace.usage), f"{answer.trace.seconds:.2f} s"] if answer.trace else parts


# Steps ----------------------------------------------------------------------------------------------------


def show_step(console: Console, step: Step) -> None:
    """Show a step in a line."""
    phase, call, seconds, tokens, result = _step_cells(step)
    line = Text.assemble(
        (f"{phase:<14}", "cyan"), f"{call:<36}", (f"{seconds:>8}", "dim"), (f"{tokens:>14}  ", "dim"), result
    )
    if console.is_terminal:
        line.truncate(console.width, overflow="ellipsis")
    console.print(line)


def _step_cells(step: Step) -> tuple[str, str, str, str, Text]:
    """Return what a step's line says, under `STEP_HEADER`."""
    call = f"{step.role}: {step.action}" if step.role else f"{step.service}: {step.action}"
    tokens = f"{step.usage.input_tokens:,}+{step.usage.output_tokens:,}" if step.service == "model" else ""
    result = Text(one_line(step.error), "red") if step.error else Text(one_line(step.reply or step.request))
    phase = step.phase if step.attempt == 1 else f"{step.phase} {step.attempt}"
    return phase, call, f"{step.seconds:.2f}", tokens, result


def show_steps(console: Console, steps: Iterable[Step]) -> None:
    """Show steps under their numbers."""
    rows = [(str(number), *_step_cells(step)) for number, step in enumerate(steps, 1)]
    show_table(console, ("step", *STEP_HEADER), rows)


def show_step_whole(console: Console, step: Step, *, markdown: bool = False) -> None:
    """Show all of a step: what was sent and what came back."""
    phase, call, seconds, _, _ = _step_cells(step)
    parts: list[tuple[str, str]] = [(message.role, message.content) for message in step.prompt]
    parts += [(title, text) for title, text in (("request", step.request), ("reply", step.reply)) if text]
    parts += [("error", step.error)] if step.error else []
    console.print(Text(f"{'## ' if markdown else ''}{phase}, {call}, {seconds} s", "bold"))
    for title, text in parts:
        console.print()
        console.print(Text(f"### {title}\n" if markdown else f"[{title}]", "cyan"))
        show_text(console, _fenced(clean(text)) if markdown else clean(text))


def _fenced(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"


# Findings and plans ---------------------------------------------------------------------------------------


def show_finding(console: Console, finding: Finding) -> None:
    """Show what a check of `triad.doctor` found."""
    word, style = ("ok", "green") if finding.ok else ("problem", "red")
    console.print(Text.assemble((f"{word:<9}", style), (f"{finding.check:<20}", "bold"), clean(finding.detail)))
    if finding.mend:
        console.print(Text.assemble(f"{'':<9}{'to mend it':<20}", clean(finding.mend)))


def show_plan(console: Console, plan: Plan) -> None:
    """Show what carrying out a recipe would take."""
    from triad.indexing.plan import FETCHED

    if plan.things_per_second is not None:
        show_text(console, f"the endpoint is visited at {plan.things_per_second:,.0f} things a second at most")
        return
    rows = [
        (
            step.name,
            "?" if step.size is None else f"{'' if step.exact else 'about '}{_bytes(step.size)}",
            "local" if step.fetched is None else _bytes(step.fetched) if step.fetched else "nothing",
            one_line(step.holds),
            step.address,
        )
        for step in plan.steps
    ]
    show_table(console, ("file", "size", "here", "holds", "address"), rows)
    unknown = sum(step.size is None for step in plan.steps)
    rest = f"{_bytes(plan.fetch)} to fetch" + (f", and {unknown} of unknown size" if unknown else "")
    duration = "" if plan.seconds is None else f"; all takes about {_duration(plan.seconds)} at {_bytes(FETCHED)}/s"
    show_text(console, f"\n{rest}{duration}")


def _bytes(count: int) -> str:
    if count < 1000:
        return f"{count} B"
    power = min((len(str(count)) - 1) // 3, 4)
    return f"{count / 1000**power:,.3g} {' kMGT'[power]}B"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
