"""Triples in a database, sorted into what becomes a column or a table.

The triples are taken once (`triad.indexing.triples`); all counting is done in the database, which lies on disk, so that
memory does not grow with the graph. What is left in Python is as large as the vocabulary.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from triad.indexing.triples import Triples, fill
from triad.rdf import RDFS, XSD
from triad.resources import statements
from triad.retrieval.indexed import EVERYTHING

BLANK: Final = "urn:blank:"
"""What stands before the name of a blank node, to make it an IRI."""
NO_CLASS: Final = 0
"""The number of what has no class."""
_SQL: Final = statements(__file__, blank=BLANK, string=XSD + "string", no_class=NO_CLASS)


class Staging:
    """The triples of a graph in a database.

    Its tables: ``triple(s, p, o, literal, d, lang)`` with numbers for relations and datatypes; ``member(s, c)``, each
    thing with its classes; ``kind(s, k)``, each thing with the number of its set of classes; ``kind_class(k, c)``, the
    classes of each set; and ``label(s, label)``.
    """

    def __init__(self, triples: Triples, typed_by: Sequence[str], named_by: Sequence[str]) -> None:
        """Number what was taken, and find the classes and labels of things by the relations that give them."""
        self.database = triples.database
        self.typed_by = typed_by
        run = self.database.execute
        run("COMMIT; SET preserve_insertion_order = false; SET threads = 2; SET memory_limit = '192MB'")
        run(_SQL["numbered"])
        self.relations: dict[str, int] = dict(run("FROM relation ORDER BY p").fetchall())
        self.datatypes: dict[str, int] = dict(run("FROM datatype ORDER BY d").fetchall())
        fill(self.database, "typed", {"p": "INTEGER"}, [(p,) for _, p in self._known(typed_by)])
        found = [iri for (iri,) in run(_SQL["classes"]).fetchall() if iri not in EVERYTHING]
        self.classes = {iri: c for c, iri in enumerate(found, 1)}
        """Numbers of the classes, from 1 on."""
        fill(self.database, "class", {"iri": "VARCHAR", "c": "INTEGER"}, list(self.classes.items()))
        run(_SQL["kinds"])
        sets = run("SELECT k, list(c ORDER BY c) FROM kind_class WHERE k > 0 GROUP BY k ORDER BY k").fetchall()
        self.kinds: dict[int, tuple[int, ...]] = {NO_CLASS: (), **{k: tuple(classes) for k, classes in sets}}
        """Sets of classes that things have, by their numbers."""
        sizes = run("SELECT c, count(*) FROM kind JOIN kind_class USING (k) GROUP BY c").fetchall()
        self.sizes: Counter[int] = Counter(dict(sizes))
        """How many things each class has, and no class."""
        fill(self.database, "naming", {"place": "INTEGER", "p": "INTEGER"}, self._known(named_by))
        run(_SQL["labels"])

    def _known(self, iris: Sequence[str]) -> list[tuple[int, int]]:
        """Return the places and the numbers of the relations that the graph has."""
        return list(enumerate(self.relations[iri] for iri in iris if iri in self.relations))

    def above(self) -> dict[int, list[str]]:
        """Return for each class those above it, the nearest first, whether or not a thing is stated to be of them."""
        given = [self.relations.get(RDFS + "subClassOf", -1), sorted(EVERYTHING)]
        return dict(self.database.execute(_SQL["above"], given).fetchall())
