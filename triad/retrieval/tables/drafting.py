"""From the parts of a graph to its tables: names, columns with types and comments, and where rows come from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triad.grouping import grouped
from triad.kg.profile import GraphProfile
from triad.resources import statements
from triad.retrieval.tables.columns import ColumnExpression
from triad.retrieval.tables.names import TakenNames, best_label, column_name, table_name
from triad.retrieval.tables.parts import MIXED, OUTSIDE, RelationPart
from triad.retrieval.tables.schema import Kind, SqlColumn, SqlTable
from triad.retrieval.tables.staging import NO_CLASS, Staging

LABEL: Final = -1
"""Stands for the labels of things, where others have the number of a part."""
_ALL_SAMPLES: Final = 8  # distinct values up to which all are shown; of more, three
_SHORT: Final = 32  # characters of a value that is shown with all others
_NAMED: Final = 8  # classes above others that a comment names, and classes below each
_ID: Final = SqlColumn("id", "VARCHAR", required=True, comment="the thing's IRI")
_NAME: Final = SqlColumn("label", "VARCHAR", comment="its name")
_THINGS: Final = "thing"
_SAMPLES: Final = statements(__file__)["samples"]


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table that is to be made."""

    table: SqlTable
    selected: tuple[str, ...]
    """For each column, the expression that gives its values."""
    source: str
    """What follows FROM."""
    pieces: int = 1
    """In how many pieces it is made, so that it fits into memory; ``source`` has ``{piece}`` where they differ."""


@dataclass(eq=False)
class Drafting:
    """Makes the drafts of a graph's tables; `naming` is the relation that most labels come from."""

    staging: Staging
    parts: Sequence[RelationPart]
    literals: Mapping[int, tuple[ColumnExpression, ...]]
    profile: GraphProfile
    naming: str = ""

    def __post_init__(self) -> None:
        staging = self.staging
        [(stubs,)] = staging.database.execute("SELECT count(*) FROM stub").fetchall()
        self.sizes = staging.sizes + Counter({NO_CLASS: stubs})
        found = staging.database.execute(_SAMPLES, {"short": _SHORT + 1, "most": _ALL_SAMPLES + 1}).fetchall()
        self.samples = {(of, part): texts for of, part, texts in found}
        """The most frequent values of each part, for each class that has a column for it, and in all."""
        self.names = TakenNames()
        self.tables = {c: self._table_name(iri) for iri, c in staging.classes.items()}
        """What the tables of classes are called, by the class's number."""
        if self.sizes[NO_CLASS]:
            self.tables[NO_CLASS] = self.names.take(_THINGS, f"{_THINGS}_without_class")
        self.above_of = staging.above()
        self.higher: dict[str, str] = {}
        """What classes are called that are above others: by a table of theirs, where they have one."""
        for iri in dict.fromkeys(iri for found in self.above_of.values() for iri in found):
            own = staging.classes.get(iri)
            self.higher[iri] = self._table_name(iri) if own is None else self.tables[own]
        several = bool(self.higher) or any(len(classes) > 1 for classes in staging.kinds.values())
        several = several or any(part.target == MIXED for part in self.parts)
        self.membership = self.names.take("membership") if several else ""

    def drafts(self) -> list[TableDraft]:
        """Return the tables: those of classes, of relations with several values, and of what is left."""
        found = [self._class(iri, c) for iri, c in self.staging.classes.items()]
        if NO_CLASS in self.tables:
            found.append(self._class("", NO_CLASS))
        found += [self._own(part) for part in self.parts if part.own_table]
        if self.membership:
            found.append(self._members())
        if any(self.left(part) for part in self.parts):
            found.append(self._rest())
        return found

    def above(self) -> list[tuple[int, str]]:
        """Return each class that has others above it, with the name of each of these."""
        return [(c, self.higher[iri]) for c, found in self.above_of.items() for iri in found]

    @staticmethod
    def left(part: RelationPart) -> list[int]:
        """Return the classes whose tables have no room for a part that has no table of its own."""
        return [] if part.own_table else sorted(set(part.subjects) - part.column_of)

    def _table_name(self, iri: str) -> str:
        return self.names.take(table_name(iri, best_label(self.profile.class_profile(iri))))

    # The tables ---------------------------------------------------------------------------------------------

    def _class(self, iri: str, c: int) -> TableDraft:
        names = TakenNames()
        names.take("id"), names.take("label")
        columns = [_ID, replace(_NAME, relation=self.naming)]
        selected = ["s", f"any_value(o) FILTER (part = {LABEL})"]
        for part in sorted(self.parts, key=lambda part: (-part.subjects[c], part.number)):
            tagged = any(expression.suffix for expression in self.literals[part.number]) if part.literal else True
            if c not in part.column_of or (part.relation == self.naming and not tagged):
                continue
            required = part.subjects[c] == self.sizes[c]
            for column, sql in self._columns(part, names, self._name(part), required, c):
                columns.append(column)
                selected.append(f"any_value({sql}) FILTER (part = {part.number})")
        kind: Kind = "class" if iri else "things"
        comment = f"things of the class <{iri}>" if iri else "things of no class"
        table = SqlTable(self.tables[c], kind, tuple(columns), iri=iri, comment=comment)
        pieces = 1 + self.sizes[c] * len(columns) // 1_000_000  # cells of a table that are made at once
        return TableDraft(table, tuple(selected), f"cell WHERE c = {c}{{piece}} GROUP BY s ORDER BY s", pieces)

    def _own(self, part: RelationPart) -> TableDraft:
        """Return the table of a relation with several values."""
        covering = [c for c, count in part.subjects.items() if count == part.things]
        source = min(covering, key=lambda c: (self.sizes[c], c), default=None)  # the smallest that has all the things
        whose = "of things of several classes" if source is None else f"of {self.tables[source]}"
        name = self._name(part) if source is None else f"{self.tables[source]}_{self._name(part)}"
        kind: Kind = "values" if part.literal else "links"
        names = TakenNames()
        key = names.take("id" if part.literal else "source_id")
        link = "" if source is None else self.tables[source]
        found = self._columns(part, names, "value" if part.literal else "target_id", True)
        table = SqlTable(
            self.names.take(name, f"{name}_{kind}"),
            kind,
            (SqlColumn(key, "VARCHAR", references=link, required=True), *(column for column, _ in found)),
            iri=part.relation,
            comment=f"{kind} {whose} by <{part.relation}>",
        )
        rows = f"(SELECT * FROM fact WHERE part = {part.number}) f"
        if part.literal:
            rows += f" LEFT JOIN (SELECT o, low, high, currency FROM reading WHERE part = {part.number}) r USING (o)"
        return TableDraft(table, ("s", *(sql for _, sql in found)), f"{rows} ORDER BY s, o, lang")

    def _members(self) -> TableDraft:
        columns = (_ID, _NAME, SqlColumn("class", "VARCHAR", required=True, comment=self._classes()))
        table = SqlTable(self.membership, "membership", columns, comment="which tables have a thing, a row for each")
        return TableDraft(
            table,
            ("s", "any_value(o)", "name"),
            f"cell JOIN class_name USING (c) WHERE part = {LABEL} GROUP BY s, name ORDER BY s, name",
        )

    def _classes(self) -> str:
        """Return what the classes of the table of memberships are."""
        said = "the name of a table that has it"
        if not self.higher:
            return said
        below = grouped((name, self.tables[c]) for c, name in self.above())
        listed = "; ".join(f"'{name}' has {', '.join(found[:_NAMED])}" for name, found in list(below.items())[:_NAMED])
        return f"{said}, or of a class above: {listed}" + ("; …" if len(below) > _NAMED else "")

    def _rest(self) -> TableDraft:
        columns = (
            _ID,
            SqlColumn("relation", "VARCHAR", required=True, comment="what it says of the thing"),
            SqlColumn("value", "VARCHAR", required=True, comment="a text, or the IRI of another thing"),
            SqlColumn("lang", "VARCHAR", comment="language of a text"),
        )
        table = SqlTable(self.names.take("fact", "facts"), "facts", columns, comment="relations that few things have")
        return TableDraft(
            table,
            ("s", "any_value(name)", "o", "lang"),
            "fact JOIN part_left USING (part, k) GROUP BY s, part, o, lang ORDER BY s, part, o, lang",
        )

    # Their columns ------------------------------------------------------------------------------------------

    def _name(self, part: RelationPart) -> str:
        name = column_name(part.relation, best_label(self.profile.relation_profile(part.relation)))
        if part.literal:
            return name
        if not part.alone:
            return f"{name}_{self.tables.get(part.target, 'thing')}"
        mixed = any(other.literal and other.relation == part.relation for other in self.parts)
        return f"{name}_link" if mixed else name

    def _columns(
        self, part: RelationPart, names: TakenNames, base: str, required: bool, c: int | None = None
    ) -> list[tuple[SqlColumn, str]]:
        """Return the columns of a part with the expressions that give their values."""
        if not part.literal:
            target, comment = self._target(part)
            return [(SqlColumn(names.take(base), "VARCHAR", part.relation, target, required, comment=comment), "o")]
        found = []
        known, samples = self.profile.relation_profile(part.relation), self.samples.get((c, part.number), [])
        unit = known.units[0] if known and len(known.units) == 1 else ""  # of plain numbers
        few = len(samples) <= _ALL_SAMPLES and all(len(text) <= _SHORT for text in samples)
        for expression in self.literals[part.number]:
            column = SqlColumn(
                names.take(f"{base}_{expression.suffix}" if expression.suffix else base),
                expression.type,
                part.relation,
                required=required and not expression.suffix,
                unit=expression.unit or ("" if expression.suffix or expression.text else unit),
                comment=expression.comment,
            )
            if not expression.suffix:
                column = replace(column, samples=tuple(samples if few else samples[:3]), all_values=few)
            found.append((column, expression.sql))
        return found

    def _target(self, part: RelationPart) -> tuple[str, str]:
        """Return the table that links lead to, and what is to be known of them."""
        if part.target == OUTSIDE:
            return "", "an address outside of the graph"
        if part.target == MIXED:
            return "", f"id of a thing of one of several classes: see {self.membership}"
        stray = f"{part.strays} of {part.triples} are in {self.tables.get(NO_CLASS, _THINGS)}" if part.strays else ""
        return self.tables.get(part.target, ""), stray
