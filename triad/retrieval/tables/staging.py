"""Triples in a database, sorted into what becomes a column or a table.

The triples are read once and put down in a database on disk; all counting is done there, so that memory does not grow
with the graph. What is left in Python is as large as the vocabulary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

import duckdb
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad

from triad.indexing.layout import Progress
from triad.indexing.triples import database_in, fill
from triad.rdf import RDF_LANG_STRING, RDF_TYPE, RDFS, XSD
from triad.retrieval.indexed import EVERYTHING

BLANK: Final = "urn:blank:"
"""What stands before the name of a blank node, to make it an IRI."""
NO_CLASS: Final = 0
"""The number of what has no class."""

BATCH: Final = 20_000
"""Triples that are read at once."""
_STRING: Final = XSD + "string"
_COLUMNS: Final = {
    "s": "VARCHAR",
    "p": "INTEGER",
    "o": "VARCHAR",
    "literal": "BOOLEAN",
    "d": "INTEGER",
    "lang": "VARCHAR",
}


def connect(folder: Path) -> duckdb.DuckDBPyConnection:
    """Make a database in a folder, to fill it."""
    # more memory than that is on disk
    return database_in(folder, "staging.duckdb", memory_limit="192MB", threads=2, preserve_insertion_order=False)


@dataclass
class Staging:
    """The triples of a graph in a database.

    Its tables: ``triple(s, p, o, literal, d, lang)`` with numbers for relations and datatypes; ``member(s, c)``, each
    thing with its classes; ``kind(s, k)``, each thing with the number of its set of classes; and ``kind_class(k, c)``,
    the classes of each set.
    """

    database: duckdb.DuckDBPyConnection
    typed_by: Sequence[str] = (RDF_TYPE,)
    """The relations that give things their classes."""
    relations: dict[str, int] = field(default_factory=dict)
    datatypes: dict[str, int] = field(default_factory=lambda: {_STRING: 0})
    classes: dict[str, int] = field(default_factory=dict)
    """Numbers of the classes, from 1 on."""
    kinds: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Sets of classes that things have, by their numbers."""
    sizes: Counter[int] = field(default_factory=Counter)
    """How many things each class has, and no class."""

    def take(self, quads: Iterable[Quad], tell: Progress | None = None, total: int | None = None) -> int:
        """Read all triples, batch by batch, and return how many there are."""
        fill(self.database, "triple", _COLUMNS, [])
        rest, done, named = iter(quads), 0, False
        while batch := list(islice(rest, BATCH)):
            named = named or any(not isinstance(quad.graph_name, DefaultGraph) for quad in batch)
            fill(self.database, "triple", _COLUMNS, list(self._rows(batch)), add=True)
            done += len(batch)
            if tell:
                tell("tables", done, total)
        if named:  # a triple may be in several graphs
            self.database.execute("CREATE TABLE once AS SELECT DISTINCT * FROM triple")
            self.database.execute("DROP TABLE triple; ALTER TABLE once RENAME TO triple")
        return done

    def _rows(self, quads: Iterable[Quad]) -> Iterator[tuple[str, int, str, bool, int, str | None]]:
        relations, datatypes = self.relations, self.datatypes
        for quad in quads:
            subject, value = quad.subject, quad.object
            s = _name(subject)
            p = relations.setdefault(quad.predicate.value, len(relations))
            if isinstance(value, Literal):
                datatype = value.datatype.value
                d = 0 if datatype == RDF_LANG_STRING else datatypes.setdefault(datatype, len(datatypes))
                yield s, p, value.value, True, d, value.language
            else:
                yield s, p, _name(value), False, 0, None

    def classify(self) -> None:
        """Find the classes of things: the tables ``member`` and ``kind``."""
        run = self.database.execute
        typed = [self.relations[iri] for iri in self.typed_by if iri in self.relations]
        fill(self.database, "typed", {"p": "INTEGER"}, [(p,) for p in typed])
        said = "FROM triple WHERE p IN (SELECT p FROM typed) AND NOT literal"
        for (iri,) in run(f"SELECT o {said} GROUP BY o ORDER BY count(*) DESC, o").fetchall():
            if iri not in EVERYTHING:
                self.classes[iri] = len(self.classes) + 1
        fill(self.database, "class", {"iri": "VARCHAR", "c": "INTEGER"}, list(self.classes.items()))
        run(f"CREATE TABLE member AS SELECT DISTINCT s, c FROM (SELECT s, o {said}) JOIN class ON iri = o")
        run("CREATE TABLE thing AS SELECT DISTINCT s FROM triple")
        run(
            "CREATE TABLE grouped AS SELECT s, list_sort(list(c)) AS classes FROM member GROUP BY s;"
            "CREATE TABLE sets AS SELECT classes, row_number() OVER (ORDER BY count(*) DESC, classes) AS k "
            "FROM grouped GROUP BY classes"
        )
        self.kinds = {k: tuple(classes) for classes, k in run("SELECT classes, k FROM sets").fetchall()}
        self.kinds[NO_CLASS] = ()
        run(
            f"CREATE TABLE kind AS SELECT s, coalesce(k, {NO_CLASS})::INTEGER AS k FROM thing "
            "LEFT JOIN grouped USING (s) LEFT JOIN sets USING (classes);"
            "CREATE TABLE kind_class AS SELECT k::INTEGER AS k, unnest(classes) AS c FROM sets "
            f"UNION ALL SELECT {NO_CLASS}, {NO_CLASS};"
            "DROP TABLE grouped; DROP TABLE sets"
        )
        self.sizes = Counter(dict(run("SELECT c, count(*) FROM kind JOIN kind_class USING (k) GROUP BY c").fetchall()))

    def above(self) -> dict[int, list[str]]:
        """Return for each class those above it, the nearest first, whether or not a thing is stated to be of them."""
        rows = self.database.execute(
            """
            WITH RECURSIVE up AS (
                SELECT s, o FROM triple
                WHERE p = $1 AND NOT literal AND NOT starts_with(o, $2) AND NOT list_contains($3::VARCHAR[], o)
            ), above AS (
                SELECT c, iri, o, 1 AS steps FROM class JOIN up ON s = iri
                UNION SELECT c, iri, up.o, steps + 1 FROM above JOIN up ON s = above.o WHERE steps < 50
            ), nearest AS (SELECT c, o, min(steps) AS steps FROM above WHERE o <> iri GROUP BY c, o)
            SELECT c, list(o ORDER BY steps, o) FROM nearest GROUP BY c ORDER BY c
            """,
            [self.relations.get(RDFS + "subClassOf", -1), BLANK, sorted(EVERYTHING)],
        )
        return dict(rows.fetchall())

    def name_things(self, named_by: Sequence[str]) -> None:
        """Give each thing a label: the table ``label(s, label)``; the first relation and English are preferred."""
        named = [self.relations[iri] for iri in named_by if iri in self.relations]
        fill(self.database, "naming", {"place": "INTEGER", "p": "INTEGER"}, list(enumerate(named)))
        rank = "struct_pack(a := place, b := lang IS NOT NULL AND lang <> 'en' AND lang NOT LIKE 'en-%', c := o)"
        self.database.execute(
            f"CREATE TABLE label AS SELECT s, arg_min(o, {rank}) AS label FROM triple JOIN naming USING (p) "
            "WHERE literal GROUP BY s"
        )


def _name(term: Any) -> str:
    """Return a thing's IRI; blank nodes get one, and a statement about a triple is named by its text."""
    if isinstance(term, NamedNode):
        return term.value
    return BLANK + term.value if isinstance(term, BlankNode) else str(term)
