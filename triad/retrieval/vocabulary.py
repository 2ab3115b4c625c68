"""What a prompt shows of a question's surroundings: the names in it, as the graph has them, and the tables to ask.

Of the tables only those are shown that the question may need: what it names, what has a column or a value that it asks
for, and what these lead to. Of their columns those that matter are shown with what they hold, the others by name.
"""

from collections.abc import Iterable, Sequence, Set
from typing import Final

from triad.errors import SearchError
from triad.kg.schema import Schema
from triad.language.analysis import Analysis, analyse
from triad.language.definitions import is_defined
from triad.language.normalize import local_name
from triad.language.pack import Pack
from triad.phases.context import Context
from triad.phases.grounding.question_names import Named, find_names
from triad.phases.grounding.relevance import ASKED, Relevance
from triad.prompts import quoted
from triad.questions import Candidate
from triad.retrieval.tables.schema import SqlColumn, SqlSchema, SqlTable, quoted as sql_name
from triad.search.base import Lookup
from triad.text import first, within

_NEAR: Final = 5  # names like the question's words that it shows besides
_NAME: Final = 80
_FEW: Final = 8  # values of a column that are all shown
_COLUMNS: Final = 12  # columns of a table that are shown with what they hold
_OTHERS: Final = 400  # characters of the names of a table's other columns
_NAMES: Final = 500  # characters of the names of the tables that are not shown
_SMALL: Final = 800  # characters up to which tables are shown that the question may hardly need
_KEYS: Final = ("id", "label", "source_id", "target_id", "value", "value_lang", "class")
"""Columns whose names say nothing of what they hold."""


def named_things(context: Context) -> tuple[list[Named], Analysis, Set[int]]:
    """Return the things and texts that a question may name, its analysis, and the positions of words that are names.

    The likeliest things come first; there are none where the index fails. What only is like the question has no words.
    """
    analysis = analyse(context.question.text, context.pack)
    try:
        names = find_names(context.at("linking"), analysis)
        # People name things by some of the words of a name, in another order: "brett carbon 5".
        # characters of a question for which such names are looked up
        [near] = context.at("linking").search([Lookup(context.question.text[:300], ("entity",), _NEAR)])
    except SearchError:
        return [], analysis, frozenset()
    found = [*names.things, *names.classes]
    known = {one.candidate.iri for one in found}
    # names that a prompt shows
    return found[:8] + [Named("", one, 0.0) for one in near if one.iri not in known], analysis, names.taken


def name_lines(schema: Schema, found: Iterable[Named]) -> list[str]:
    """Return a line for each name, with its classes, or of a text its relation."""
    labels = schema.labels([iri for one in found for iri in (*one.candidate.types, one.candidate.iri)])

    def line(words: str, candidate: Candidate) -> str:
        of = ", ".join(quoted(labels[iri], _NAME) for iri in candidate.types[:3]) or "a thing"
        text = f"a value of {quoted(labels[candidate.iri], _NAME)}" if candidate.kind == "literal" else "a class"
        said = f"{quoted(words, _NAME)} may mean " if words else "perhaps "
        return f"{said}{quoted(candidate.label, _NAME)}, {of if candidate.kind == 'entity' else text}"

    return [line(one.words, one.candidate) for one in found]


class TableRanking:
    """The tables of a schema by what a question has to do with them; some packs tell its words in values."""

    def __init__(self, schema: SqlSchema, relevance: Relevance, packs: Sequence[Pack]) -> None:
        self.schema = schema
        self.opened: set[str] = set()
        """Names of the tables that SQL asked, which are shown in any case, and all of them."""
        self._relevance = relevance
        self._packs = packs
        text = relevance.analysis.text
        self._wanted = {stem for pack in packs for stem in pack.stem_list(text) if stem not in pack.idle}
        self._fit = {table.name: self._asked(table) for table in schema}

    def open(self, query: str) -> None:
        """Take note of the tables that a query names."""
        self.opened |= {table.name for table in self.schema.named_in(query)}

    def bears(self) -> bool:
        """Tell whether the question asks for any table: by its name, or a column or a value of it."""
        return any(self._fit.values())

    def lines(self, about: Iterable[str], room: int) -> list[str]:
        """Return a line for each table that the question may need, the most fitting first, then the names of others.

        IRIs tell what the question, or what was found for it, is about; the room is in characters.
        """
        needed, others = self._split(set(about))
        shown = {table.name for table in needed}
        spare = min(_NAMES, room // 3)
        lines = within((self._line(table, shown) for table in needed), room - spare)
        if len(lines) == len(needed):
            left = min(room - spare, _SMALL) - sum(len(line) + 1 for line in lines)
            lines += within((self._line(table, shown) for table in others), left)
        if rest := [sql_name(table.name) for table in [*needed, *others][len(lines) :]]:
            head = f"{len(rest)} more table{'s' * (len(rest) > 1)}, of which SQL may ask, too: "
            lines.append(head + first(rest, spare - len(head) - 4))
        return lines

    def _split(self, about: Set[str]) -> tuple[list[SqlTable], list[SqlTable]]:
        """Return the tables that the question may need, the most fitting first, and the others, those near them first.

        Needed is what is asked for, what an asked link leads to or from, and what links two classes that are named.
        """
        classes = {one.name for one in self.schema if one.iri in about or self._relevant(one.name, one.iri)}
        fit = {
            table.name: self._fit[table.name] + 3.0 * (table.iri in about) + 9.0 * (table.name in self.opened)
            for table in self.schema
        }
        near: dict[str, float] = {}
        for table in self.schema:
            ends = {one.references for one in table.columns if one.references}
            if fit[table.name]:
                asked = ends if table.kind == "links" else {one.references for one in table.columns if self._of(one)}
                near |= dict.fromkeys(asked, 0.5)
            elif any(fit[end] for end in ends):
                near.setdefault(table.name, 0.3 if ends <= classes else 0.0)
        fit = {name: value + near.get(name, 0.0) for name, value in fit.items()}
        order = sorted(self.schema, key=lambda table: (-fit[table.name], table.name not in near, len(table.columns)))
        needed = [table for table in order if fit[table.name]]
        return needed, order[len(needed) :]

    def _asked(self, table: SqlTable) -> float:
        """Return how much a question asks for a table: by its name, its columns and their values."""
        columns = sorted({one.relation: self._of(one) for one in table.columns}.values())
        has = any(map(self._has, table.columns))
        # A class above others has their columns, too: what counts is not how many fit.
        return 2.0 * self._relevant(table.name, table.iri) + sum(columns[-2:]) + 0.5 * has

    def _of(self, column: SqlColumn) -> float:
        return 0.0 if column.name in _KEYS else self._relevant(column.name, column.relation)

    def _relevant(self, name: str, iri: str) -> float:
        found = self._relevance.of(local_name(name), iri)
        return found if found >= ASKED else 0.0

    def _has(self, column: SqlColumn) -> bool:
        """Tell whether a word of the question is in values of a column."""
        text = " ".join(column.samples)
        return any(not self._wanted.isdisjoint(pack.stem_list(text)) for pack in self._packs)

    def _line(self, table: SqlTable, shown: Set[str]) -> str:
        """Return a table with what the columns that matter hold, and the names of the others."""

        def rank(one: SqlColumn) -> float:
            asked = 3.0 * (one.name in _KEYS) + self._of(one) + 0.5 * self._has(one)
            return asked + 0.4 * (one.references in shown) + 0.1 * (table.name in self.opened)

        best = [one for one in sorted(table.columns, key=lambda one: -rank(one))[:_COLUMNS] if rank(one)]
        columns = ", ".join(_column(one) for one in table.columns if one in best)
        others = [_name_of(one) for one in table.columns if one not in best]
        also = f"; also {first(others, _OTHERS)}" if others else ""
        return f"{sql_name(table.name)} ({columns}{also}) -- {table.rows:,} rows"


def _column(column: SqlColumn) -> str:
    """Return a column with what it leads to, its type unless it is text, or values that say what it holds."""
    name = _name_of(column)
    if column.references:
        return f"{name} -> {sql_name(column.references)}"
    if is_defined(column.relation):
        return f"{name} {column.type} = {column.comment}"
    if column.type != "VARCHAR":
        return f"{name} {column.type.partition('(')[0]}"
    if not column.samples or column.name in ("id", "label"):
        return name
    few = column.all_values and len(column.samples) <= _FEW
    # characters of a sample that a column shows
    shown = ", ".join(quoted(sample, 24) for sample in column.samples[: _FEW if few else 3])
    return f"{name} [{shown}{'' if few else ', …'}]"


def _name_of(column: SqlColumn) -> str:
    return column.name if column.name.isidentifier() and column.name.isascii() else sql_name(column.name)
