"""What the command line shows: data on one console, everything else on another.

On a terminal data come in tables and colours. Where the output goes to a file or another program, the same content
comes plain, one row a line, with tabs between its cells. What graphs and models say is cleaned of control
characters, and is never read as markup.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from triad.explain import cost, origin, where
from triad.rdf import compact
from triad.text import clean, fenced, in_json, one_line, shortened

if TYPE_CHECKING:
    from triad.answers import Answer, Unknown
    from triad.citations import Attribution
    from triad.description import GraphDescription, RelationDescription
    from triad.doctor import Finding
    from triad.indexing.plan import Plan
    from triad.rdf import Value
    from triad.trace import Step

ROWS: Final = 20
"""Rows of an answer that are shown on a terminal, so that its question and its query stay in sight."""
_SAMPLES = 60
_MEANING = 160  # characters of samples in a line, so that a table of relations has room in 160 columns
STEP_HEADER = ("phase", "call", "seconds", "tokens", "result")


class _Output(Console):
    """A console that leaves a closed output to `triad.cli.faults`, whose exit code says what happened."""

    def on_broken_pipe(self) -> None:
        raise  # what rich is handling


def data_console() -> Console:
    """Return the console of data: standard output."""
    return _Output(highlight=False, markup=False, emoji=False, soft_wrap=True)


def log_console() -> Console:
    """Return the console of everything else: standard error."""
    return _Output(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def show_text(console: Console, text: str) -> None:
    """Show a text as it is; rich would expand its tabs."""
    console.file.write(text + "\n")


def show_json(console: Console, value: Any) -> None:
    """Show JSON, given as a value or as a text, with escapes for what would steer a terminal."""
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False, default=str)
    show_text(console, in_json(text.removesuffix("\n")))


def give(value: Any, as_json: bool, shown: str | Callable[[Console], object]) -> None:
    """Give a program a value as JSON, or a reader a text or what shows it on the console of data."""
    out = data_console()
    if as_json:
        show_json(out, value)
    elif isinstance(shown, str):
        show_text(out, shown)
    else:
        shown(out)


def show_table(console: Console, header: Sequence[str], rows: Iterable[Sequence[str | Text]]) -> None:
    """Show rows under a header."""
    if not console.is_terminal:
        lines = ("\t".join(clean(" ".join(str(cell).split())) for cell in row) for row in [header, *rows])
        show_text(console, "\n".join(lines))
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
    if answer.sentences:
        _show_sentences(console, answer)
    elif sentence:
        console.print(Text(clean(answer.text), "bold"))
    if not answer.sentences or answer.variables != ("answer",):  # else the sentences are the answer
        show_values(console, answer)
    if not answer.values:
        console.print(clean(answer.text) or "nothing found")
    if answer.query:
        console.print()
        show_query(console, answer.query)
    console.print()
    if answer.told_readings:
        from triad.conversation.replies import meanings
        from triad.language.pack import load_pack

        for line in meanings(load_pack(answer.question.language), answer.told_readings):
            console.print(line)
    for note in answer.notes:
        console.print(Text(one_line(note), "dim"))
    console.print(Text(", ".join(_summary(answer)), "dim"))


def show_values(console: Console, answer: Answer) -> None:
    """Show the values of an answer: of several variables as a table. A terminal has room for the first of many."""
    if answer.boolean is not None:
        from triad.language.pack import load_pack

        console.print(Text(load_pack(answer.question.language).truth(answer.boolean), "bold"))
        return
    several = len(answer.variables) > 1
    rows = answer.rows if several else tuple((value,) for value in answer.values)
    shown = rows[:ROWS] if console.is_terminal else rows
    if several:
        show_table(console, answer.headers, [list(map(_read, row)) for row in shown])
    else:
        for (value,) in shown:
            console.print(_read(value))
    if more := len(rows) - len(shown):
        console.print(Text(f"and {more:,} more: --format csv gives all", "dim"))


def show_unknown(console: Console, unknown: Unknown) -> None:
    """Show why a question has no answer, the best guess, and what else the question may mean."""
    from triad.conversation.replies import meanings
    from triad.language.pack import load_pack

    pack = load_pack(unknown.question.language)
    console.print(Text(clean(pack.no_answer([" ".join(str(unknown).split())] if unknown.reasons else [])), "bold"))
    if unknown.guess:
        guess = unknown.guess
        doubts = [origin(guess)] if guess.source == "model" else []
        doubts += [f"confidence {guess.confidence:.2f}", *liberties(unknown)]
        console.print(f"{pack.replies['doubtful'].format(reply=one_line(guess.text))} ({', '.join(doubts)})")
    for one in unknown.passages:
        head = f"{one.score:.4f}  {one_line(one.citation.title)}{where(one.citation)}"
        console.print(Text.assemble((head, "dim"), f": {one_line(one.citation.text)}"))
    for line in meanings(pack, unknown.readings):
        console.print(line)


def _show_sentences(console: Console, answer: Answer) -> None:
    """Show an answer in sentences with the numbers of its evidence, and what these stand for."""
    for one in answer.sentences:
        text = Text(clean(one.text), "bold")
        text.append(" " + "".join(f"[{number}]" for number in one.cites), "not bold dim")
        if one.missing:
            text.append(f" (its evidence does not hold {one_line(', '.join(one.missing))})", "red")
        console.print(text)
    for source in answer.citations:
        console.print(Text(f"[{source.number}] {source.source}: {one_line(source.title)}{where(source)}", "dim"))
    console.print()


def show_attribution(console: Console, found: Attribution) -> None:
    """Show how much an answer rests on each part of its evidence."""
    rows = [
        ("".join(f"[{number}]" for number in one.numbers), f"{one.share:.0%}", one_line("; ".join(one.titles)))
        for one in found.shares
    ]
    console.print()
    show_table(console, ("evidence", "share", "about"), rows)


def liberties(found: Answer | Unknown) -> list[str]:
    """Return the words that an answer leaves out, and the names that it takes for others."""
    ignored = [f"ignoring {one_line(words)!r}" for words in found.ignored]
    return [*ignored, *(f"{one_line(one.became)} for {one_line(one.words)!r}" for one in found.substituted)]


def _read(value: Value | None) -> Text:
    """Return a value as people read it; its address, and its exact form, are in the other formats."""
    if value is None:
        return Text()
    text = Text(one_line(value.shown), "bold")
    return Text(f"{one_line(value.owner)}  ").append(text) if value.owner else text


def show_query(console: Console, query: str) -> None:
    """Show a SPARQL query, coloured on a terminal."""
    text = Text(clean(query))
    if console.is_terminal:
        from rich.syntax import Syntax

        text = Syntax("", "sparql", theme="ansi_dark").highlight(clean(query))
        text.rstrip()
    console.print(text)


def _summary(answer: Answer) -> list[str]:
    rung = [f"rung: {answer.rung}"] if answer.rung else []
    parts = [f"source: {origin(answer)}", *rung, f"confidence {answer.confidence:.2f}", *liberties(answer)]
    if answer.truncated:
        parts.append("cut: the graph has more rows")
    if answer.trace and (answer.method == "model" or answer.trace.usage.calls):  # else no model was there to be called
        parts += cost(answer.trace.usage)
    return [*parts, f"{answer.trace.seconds:.2f} s"] if answer.trace else parts


# Steps ----------------------------------------------------------------------------------------------------


def show_step(console: Console, step: Step) -> None:
    """Show a step in a line."""
    phase, call, seconds, tokens, result = _step_cells(step)
    line = Text.assemble(
        (f"{phase:<{26 if step.rung else 14}}", "cyan"),
        f"{call:<36}",
        (f"{seconds:>8}", "dim"),
        (f"{tokens:>14}  ", "dim"),
        result,
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
    phase = f"{step.rung}: {phase}" if step.rung else phase
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
        show_text(console, fenced(text) if markdown else clean(text))


# Descriptions ---------------------------------------------------------------------------------------------


def show_description(console: Console, found: GraphDescription) -> None:
    """Show what a graph is about."""
    counts = [("triples", found.triples), ("things", found.things)]
    parts = [f"{count:,} {what}" for what, count in counts if count is not None]
    console.print(Text(": ".join(filter(None, [clean(found.name), ", ".join(parts)])), "bold"))
    if found.languages:
        names = ", ".join(f"{tag or 'no language'} {count:,}" for tag, count in found.languages.items())
        console.print(f"names by language: {names}")
    if found.questions:
        console.print()
        asked = [(one_line(one.question), one_line(one.answer)) for one in found.questions]
        show_table(console, ("you may ask", "answer"), asked)
    for kind in found.classes:
        iri = one_line(compact(kind.iri, found.prefixes)).strip("<>")
        title = Text(f"\n{one_line(kind.label)}", "bold")
        facts = [f"{kind.instances:,}", *(["facts of several parts"] if kind.statement else []), iri]
        console.print(title.append(f"  {'  '.join(facts)}", "not bold dim"))
        if kind.description:
            console.print(Text(shortened(one_line(kind.description), _MEANING), "dim"))
        below = [one for one in found.classes if kind.label in one.above]
        if sum(one.instances for one in below) >= kind.instances:  # they tell all of it
            console.print(f"all of it: {', '.join(one_line(one.label) for one in below)}")
            continue
        if rows := [_relation_cells(relation) for relation in kind.relations]:
            show_table(console, ("relation", "have it", "leads to", "from", "to", "such as"), rows)
        for meaning in filter(None, dict.fromkeys(_meaning(one) for one in kind.relations if one.description)):
            console.print(Text(shortened(meaning, _MEANING), "dim"))
    if found.more_classes:
        console.print(f"\nand {found.more_classes:,} other classes")
    if found.graphs:
        console.print()
        named = [(one_line(compact(one.iri, found.prefixes)).strip("<>"), one) for one in found.graphs]
        rows = [(name, f"{one.triples:,}", one_line(", ".join(one.relations))) for name, one in named]
        show_table(console, ("named graph", "triples", "relations"), rows)
    for note in (*(["It has no profile, so only some of it was looked at."] if found.short else []), *found.partial):
        console.print(Text(clean(f"\n{note}"), "dim"))


def _meaning(relation: RelationDescription) -> str:
    """Return what a relation means; nothing where that only says its name again: "amount: The amount."."""
    name, meaning = one_line(relation.label), one_line(relation.description)
    said = meaning.rstrip(".").casefold().removeprefix("the ").removeprefix("a ")
    return "" if said == name.casefold() else f"{name}: {meaning}"


def _relation_cells(relation: RelationDescription) -> tuple[str, ...]:
    name = one_line(relation.label)
    if relation.units:  # which stand beside the values
        name = name.partition(" (")[0]
    outward = relation.direction == "out"
    name = name if outward else f"← {name}"
    ends = ", ".join(map(one_line, relation.classes)) or (relation.kind if outward else "things")
    share = f"{relation.share:.0%}" if relation.share >= 0.005 or not relation.share else "<1%"
    samples = shortened("; ".join(map(one_line, relation.samples)), _SAMPLES)
    return name, share, ends, one_line(relation.least), one_line(relation.greatest), samples


# Findings and plans ---------------------------------------------------------------------------------------


def show_findings(found: Iterable[Finding]) -> Iterator[Finding]:
    """Show what checks of `triad.doctor` find, each as soon as it is known, and yield it."""
    out = data_console()
    for finding in found:
        word, style = ("ok", "green") if finding.ok else ("problem", "red")
        out.print(Text.assemble((f"{word:<9}", style), (f"{finding.check:<20}", "bold"), clean(finding.detail)))
        if finding.mend:
            out.print(Text.assemble(f"{'':<9}{'to mend it':<20}", clean(finding.mend)))
        yield finding


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
