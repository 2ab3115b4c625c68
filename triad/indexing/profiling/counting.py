"""A profile of triples, counted by the database that they are in.

Resources are not counted one by one but as they occur together: those of the same classes, named or not, have one
shape, and there are few shapes even where resources have many classes. So the figures of a class are sums over the
shapes that belong to it or to a class below it.

>>> from pyoxigraph import RdfFormat, parse
>>> facts = "<http://x.org/Ann> a <http://x.org/Person> ; <http://x.org/knows> <http://x.org/Bob> ."
>>> with Triples() as triples:
...     triples.take(parse(facts, RdfFormat.TURTLE))
...     [(use.relation, use.share) for use in count_profile(triples).classes[0].outgoing]
[('http://x.org/knows', 1.0)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

from triad.grouping import grouped
from triad.indexing.entries import LabelProperties
from triad.indexing.profiling import figures as profiled
from triad.indexing.profiling.figures import FREQUENT, Cell, ClassFigures, Figures, Naming, RelationFigures, term_of
from triad.indexing.triples import Triples, fill, rows
from triad.kg.labels import called_after, last_part, may_be_label
from triad.kg.ontology import LIST, NOTES, SHAPES, notes_of
from triad.kg.profile import VALUES, GraphProfile
from triad.rdf import OWL, RDF, RDF_LANG_STRING, RDFS, XSD, Literal
from triad.resources import statements

if TYPE_CHECKING:
    import duckdb

_SAMPLES: Final = 5
"""Values that a relation's profile shows if it does not list all: enough to see of what kind they are."""
_GRAPHS: Final = 10_000  # named graphs that are counted: ten times those that a profile has

_CLASSES: Final = (OWL + "Class", RDFS + "Class")
_STRUCTURE: Final = (OWL, RDFS, RDF + "first", RDF + "rest")
"""Relations of blank nodes that are lists, or descriptions of classes."""
_TERMS: Final = (OWL, RDFS, RDF + "Property")
_INDIVIDUALS: Final = (OWL + "Thing", OWL + "NamedIndividual")

_NO_CLASS: Final = 0  # the number of the class that a resource without one is of, and of the set of no classes
_SQL: Final = statements(__file__)
"""What is counted, by name; `triad.indexing.profiling.endpoint` asks the same of a server in SPARQL."""


def count_profile(
    triples: Triples,
    properties: LabelProperties | None = None,
    *,
    labels: Sequence[str] | None = None,
    fingerprint: str = "",
    prefixes: Mapping[str, str] | None = None,
) -> GraphProfile:
    """Make a profile of triples.

    ``labels`` are the relations that hold names, the preferred one first, if they are known better than by what the
    properties say.
    """
    properties = properties or LabelProperties()
    naming = Naming(properties, labels)
    relations = [iri for iri, _ in triples.number(properties.types)]
    with triples.database.cursor() as database:
        figures = _Count(database, relations, properties.types, naming).figures()
    profile = profiled.profile_of(figures, naming, types=properties.types, fingerprint=fingerprint, prefixes=prefixes)
    return replace(profile, stated=triples.stated)


class _Count:
    def __init__(
        self, database: duckdb.DuckDBPyConnection, relations: Sequence[str], types: Sequence[str], naming: Naming
    ) -> None:
        self._database = database
        self._relations = relations
        self._types = types
        self._naming = naming
        self._classes: list[str] = [""]  # the classes by their numbers, after none at all
        self._above: dict[str, set[str]] = {}

    def figures(self) -> Figures:
        self._prepare()
        figures = Figures(above=self._above)
        [(figures.triples,)] = self._rows("triples")
        [counts] = self._rows("things")
        figures.things, figures.unclassed, figures.named, figures.blank = (int(count or 0) for count in counts)
        for iri, *instances in self._rows("classes"):
            all_, direct, named, blank, bundles = (int(count or 0) for count in instances)
            figures.classes[iri] = ClassFigures(all_, direct, named, blank, bundles)
        self._count_relations(figures)
        self._count_uses(figures)
        self._count_graphs(figures)
        self._fill("wanted", {"iri": "VARCHAR"}, [(term,) for term in figures.terms()])
        rank, labels = self._naming.rank, self._rows("labels")
        names = grouped((thing, (rank(relation), relation, tag, text)) for thing, relation, tag, text in labels)
        figures.labels = {
            thing: list(dict.fromkeys(cast(Literal, term_of(text, tag)) for *_, tag, text in sorted(found)))
            for thing, found in names.items()
        }
        told = self._rows("notes", notes=NOTES, shapes=SHAPES, lists=LIST)
        figures.notes = notes_of((thing, relation, term_of(text, tag)) for thing, relation, text, tag in told)
        return figures

    def _rows(self, figure: str, **parameters: Any) -> Iterator[tuple[Any, ...]]:
        return rows(self._database.execute(_SQL[figure], parameters or None))

    def _fill(self, table: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> None:
        fill(self._database, f"made.{table}", columns, rows)

    def _prepare(self) -> None:
        """Make the tables that the figures come from."""
        database, naming = self._database, self._naming
        number = {iri: at for at, iri in enumerate(self._relations)}
        self._fill("typing", {"p": "INTEGER"}, [(number[iri],) for iri in self._types if iri in number])
        database.execute(_SQL["once"])
        types = [iri for (iri,) in database.execute(_SQL["types"]).fetchall()]
        for lower, upper in database.execute(_SQL["above"], [number.get(profiled.SUBCLASS, -1)]).fetchall():
            self._above.setdefault(lower, set()).update([upper] if upper else [])
        declared = (iri for (iri,) in database.execute(_SQL["declared"], _CLASSES).fetchall())
        self._classes += sorted({*types, *declared, *self._above, *(up for ups in self._above.values() for up in ups)})
        self._fill("ended", {"id": "INTEGER", "iri": "VARCHAR"}, list(enumerate(self._classes)))
        self._fill("class", {"id": "INTEGER", "iri": "VARCHAR"}, list(enumerate(self._classes))[1:])
        words = {*self._relations, *types}
        self._fill("word", {"iri": "VARCHAR"}, [(word,) for word in words])
        called = {last_part(word) for word in words if word not in naming.order}
        of_class = [
            iri for iri in self._relations
            if iri in naming.order and not may_be_label(iri) and last_part(iri) in called
        ]  # fmt: skip
        others = ((iri, at) for iri, at in number.items() if iri not in self._types)
        roles = [(at, naming[iri], iri.startswith(_STRUCTURE), iri in of_class) for iri, at in others]
        self._fill("role", {"p": "INTEGER", "names": "BOOLEAN", "structure": "BOOLEAN", "of_class": "BOOLEAN"}, roles)
        database.execute(_SQL["sets"])
        self._count_sets({iri: number[iri] for iri in of_class})
        database.execute(_SQL["shapes"])
        database.execute(_SQL["edges"])
        database.execute(_SQL["pairs"])

    def _count_sets(self, of_class: Mapping[str, int]) -> None:
        """Make the tables of what follows from the classes that resources are said to be of."""
        number = {iri: at for at, iri in enumerate(self._classes)}

        @cache
        def above(name: str) -> set[str]:
            return profiled.closure(self._above, [name])

        roles, called, upper, lowest = [], [], [], [(_NO_CLASS, _NO_CLASS)]
        for at, numbers in self._database.execute("SELECT id, classes FROM made.class_set").fetchall():
            direct = [self._classes[class_] for class_ in numbers]
            roles.append((at, all(name.startswith(_TERMS) and name not in _INDIVIDUALS for name in direct)))
            called += [(p, at) for iri, p in of_class.items() if called_after(iri, direct)]
            upper += [(at, number[name], name in direct) for name in set().union(*map(above, direct))]
            lowest += [(at, number[name]) for name in _lowest(direct, above)]
        self._fill("set_role", {"id": "INTEGER", "describes": "BOOLEAN"}, roles)
        self._fill("called", {"p": "INTEGER", "set": "INTEGER"}, called)
        self._fill("upper", {"set": "INTEGER", "class": "INTEGER", "direct": "BOOLEAN"}, upper)
        self._fill("lowest", {"set": "INTEGER", "class": "INTEGER"}, lowest)

    def _count_relations(self, figures: Figures) -> None:
        names, classes = self._relations, self._classes
        shown = set(profiled.shown_classes(figures))
        self._fill("shown", {"class": "INTEGER"}, [(at,) for at, iri in enumerate(classes) if iri in shown])
        of: dict[int, RelationFigures] = {}
        for p, triples, subjects, most in self._rows("relations"):
            of[p] = figures.relations[names[p]] = RelationFigures(triples, subjects, most_per_subject=most)
        for p, objects, most, links in self._rows("objects"):
            of[p].objects, of[p].most_per_object, of[p].links = objects, most, int(links or 0)
        for p, count in self._rows("names"):
            figures.named_by[names[p]] = count
        for outgoing, p, class_, count in self._rows("classes of ends", frequent=FREQUENT):
            (of[p].subject_classes if outgoing else of[p].object_classes)[classes[class_]] = count
        for p, class_, far, literal, count in self._rows("ends", text=RDF_LANG_STRING, ends=profiled.ENDS):
            of[p].ends[classes[class_], far, literal] = count
        for p, tag, count in self._rows("tags"):
            of[p].datatypes[RDF_LANG_STRING if tag.startswith("@") else tag] += count
            if tag.startswith("@"):
                of[p].languages[tag[1:]] = count
        for p, value, tag, count in self._rows("bounds", string=XSD + "string"):
            of[p].bounds.add(value, tag, count)
        for p, _, value, tag, count in self._rows("values", values=VALUES, samples=_SAMPLES):
            of[p].values.append((term_of(value, tag), count))

    def _count_uses(self, figures: Figures) -> None:
        names, classes = self._relations, self._classes
        uses = list(self._rows("uses"))
        self._fill("sample", {"place": "UBIGINT"}, [(place,) for place in {row[-1] for row in uses} if place])
        samples = {place: (place >> 32, value, tag) for place, value, tag in self._rows("samples")}
        cells: dict[tuple[bool, int, int], Cell] = {}
        for outgoing, class_, p, triples, things, most, sample in uses:
            cell = cells[outgoing, class_, p] = Cell(triples, things, most, sample=samples.get(sample))
            found = figures.classes[classes[class_]]
            (found.outgoing if outgoing else found.incoming)[names[p]] = cell
        for outgoing, class_, p, far, count in self._rows("ends of uses", frequent=FREQUENT):
            cells[outgoing, class_, p].lead(classes[far], count)

    def _count_graphs(self, figures: Figures) -> None:
        if not self._database.execute("SELECT 1 FROM triple WHERE g <> '' LIMIT 1").fetchone():
            if figures.triples:
                figures.graphs[""] = figures.triples
            return
        self._database.execute(_SQL["placed"])
        graphs = list(self._rows("graphs", graphs=_GRAPHS + 1))
        figures.graphs.update(dict(graphs[:_GRAPHS]))
        if len(graphs) > _GRAPHS:
            figures.partial.append(f"Only {_GRAPHS:,} named graphs are counted.")
        for term, graph, count in self._rows("places", places=profiled.PLACES):
            for found in (figures.relations.get(term), figures.classes.get(term)):
                if found is not None:
                    found.graphs[graph] = count


def _lowest(names: Sequence[str], above: Callable[[str], set[str]]) -> list[str]:
    """Return the classes that have none of the others below them; one without a name if there are none."""
    known = set(names)
    upper = {name for other in names for name in above(other) & known if name != other and other not in above(name)}
    return [name for name in names if name not in upper] or [""]
