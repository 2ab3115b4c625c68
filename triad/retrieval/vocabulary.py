"""What a prompt shows of a question's surroundings: the names in it, as the graph has them, and the tables to ask.

The schema is short: a line a table, the tables that the question is about first; cut to the room there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from triad.errors import SearchError
from triad.language.analysis import analyse
from triad.language.normalize import local_name
from triad.language.pack import Pack, load_pack
from triad.phases.context import Context
from triad.phases.grounding.question_names import Named, find_names
from triad.prompts import quoted
from triad.questions import Candidate
from triad.retrieval.tables.schema import SqlColumn, SqlSchema, SqlTable
from triad.retrieval.tables.schema import quoted as sql_name
from triad.search.base import Lookup
from triad.text import shortened, within

_NEAR: Final = 5
"""Names like the question's words that it shows besides."""
_NAME: Final = 80
_FEW: Final = 8
"""Values of a column that are all shown."""


@dataclass(frozen=True, slots=True)
class FoundName:
    """A thing or a text of the graph that words of the question may name."""

    words: str
    candidate: Candidate
    classes: tuple[str, ...] = ()
    """Names of its classes; of a text the name of its relation."""


def named_things(context: Context) -> list[FoundName]:
    """Return the things and texts that a question may name, the likeliest first; none where the index fails."""
    analysis = analyse(context.question.text, load_pack(context.question.language))
    try:
        names = find_names(context.at("linking"), analysis)
        # People name things by some of the words of a name, in another order: "brett carbon 5".
        # characters of a question for which such names are looked up
        [near] = context.at("linking").search([Lookup(context.question.text[:300], ("entity",), _NEAR)])
    except SearchError:
        return []
    found = [*names.things, *names.classes]
    known = {one.candidate.iri for one in found}
    # names that a prompt shows
    found = found[:8] + [Named("", one, 0.0) for one in near if one.iri not in known][:_NEAR]
    labels = context.schema.labels([iri for one in found for iri in (*one.candidate.types, one.candidate.iri)])
    return [
        FoundName(
            one.words,
            one.candidate,
            (labels[one.candidate.iri],)
            if one.candidate.kind == "literal"
            else tuple(labels[iri] for iri in one.candidate.types[:3]),
        )
        for one in found
    ]


def name_lines(found: Iterable[FoundName], room: int) -> list[str]:
    """Return a line for each name, as many as there is room for."""
    return within(map(_name_line, found), room)


def _name_line(one: FoundName) -> str:
    kind = one.candidate.kind
    of = ", ".join(quoted(name, _NAME) for name in one.classes)
    what = f"a value of {of}" if kind == "literal" else "a class" if kind == "class" else of or "a thing"
    said = f"{quoted(one.words, _NAME)} may mean " if one.words else "perhaps "
    return f"{said}{quoted(one.candidate.label, _NAME)}, {what}"


def schema_lines(schema: SqlSchema, question: str, packs: Sequence[Pack], about: Iterable[str], room: int) -> list[str]:
    """Return a line for each table, the most fitting first; those that there is no room for are named.

    Args:
        schema: The tables.
        question: The question.
        packs: The packs of its language and of the schema's.
        about: IRIs of classes that the question, or what was found for it, is about.
        room: Characters that all lines may take.
    """
    wanted = {stem for pack in packs for stem in pack.stem_list(question) if stem not in pack.idle}
    classes = set(about)
    counted = {table.name: _fit(table, wanted, packs, classes) for table in schema}
    linked = _linked(schema, {name for name, fit in counted.items() if fit >= _MEANT})
    order = sorted(schema, key=lambda table: -counted[table.name] - (0.5 if table.name in linked else 0.0))
    lines = within((_line(table, wanted, packs) for table in order), room)
    room -= sum(len(line) + 1 for line in lines)
    if len(lines) < len(order) and room > 40:
        rest = "also: " + ", ".join(sql_name(table.name) for table in order[len(lines) :])
        lines.append(shortened(rest, room))
    return lines


_MEANT: Final = 2.0
"""The fit from which on a table is taken to be meant by a question."""


def _fit(table: SqlTable, wanted: set[str], packs: Sequence[Pack], classes: set[str]) -> float:
    """Return how much a table has to do with a question: its class, its name, its columns and their values."""
    named = _stems(local_name(table.name), packs) & wanted
    columns = sum(1 for column in table.columns if _stems(local_name(column.name), packs) & wanted)
    values = sum(1 for column in table.columns if _stems(" ".join(column.samples), packs) & wanted)
    return 3.0 * (table.iri in classes) + 2.0 * len(named) + columns + 0.5 * values


def _linked(schema: SqlSchema, names: set[str]) -> set[str]:
    """Return the tables that lead to or from some tables."""
    found: set[str] = set()
    for table in schema:
        ends = {column.references for column in table.columns if column.references}
        if table.name in names:
            found |= ends
        elif ends & names:
            found.add(table.name)
    return found


def _stems(text: str, packs: Sequence[Pack]) -> set[str]:
    return {stem for pack in packs for stem in pack.stem_list(text)}


def _line(table: SqlTable, wanted: set[str], packs: Sequence[Pack]) -> str:
    columns = ", ".join(_column(column, table, wanted, packs) for column in table.columns)
    return f"{sql_name(table.name)} ({columns}) -- {table.rows:,} rows"


def _column(column: SqlColumn, table: SqlTable, wanted: set[str], packs: Sequence[Pack]) -> str:
    """Return a column with what it leads to, its type unless it is text, and values that say what it holds."""
    name = column.name if column.name.isidentifier() and column.name.isascii() else sql_name(column.name)
    if column.references:
        return f"{name} -> {sql_name(column.references)}"
    kind = "" if column.type == "VARCHAR" else f" {column.type.partition('(')[0]}"
    few = column.all_values and len(column.samples) <= _FEW
    meant = bool(_stems(f"{local_name(column.name)} {' '.join(column.samples)}", packs) & wanted)
    if not kind and column.samples and column.name not in ("id", "label") and (few or meant):
        # characters of a sample that a column shows
        shown = ", ".join(quoted(sample, 24) for sample in column.samples[: _FEW if few else 3])
        return f"{name} [{shown}{'' if few else ', …'}]"
    return name + kind
