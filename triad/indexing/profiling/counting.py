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
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

from triad.indexing.labels import LabelProperties
from triad.indexing.profiling.figures import (
    ENDS,
    FREQUENT,
    PLACES,
    SUBCLASS,
    Cell,
    ClassFigures,
    Figures,
    Naming,
    RelationFigures,
    closure,
    profile_of,
    shown_classes,
    term_of,
)
from triad.indexing.triples import Triples, fill
from triad.kg.labels import called_after, last_part, may_be_label
from triad.kg.profile import VALUES, GraphProfile
from triad.rdf import OWL, RDF, RDF_LANG_STRING, RDFS, XSD, Literal

if TYPE_CHECKING:
    import duckdb

_SAMPLES: Final = 5
"""Values that a relation's profile shows if it does not list all: enough to see of what kind they are."""
_FETCHED: Final = 10_000
"""Rows that are held in Python at a time."""
_GRAPHS: Final = 10_000
"""Named graphs that are counted: ten times those that a profile has."""

_CLASSES: Final = (OWL + "Class", RDFS + "Class")
_STRUCTURE: Final = (OWL, RDFS, RDF + "first", RDF + "rest")
"""Relations of blank nodes that are lists, or descriptions of classes."""
_TERMS: Final = (OWL, RDFS, RDF + "Property")
_INDIVIDUALS: Final = (OWL + "Thing", OWL + "NamedIndividual")

_NO_CLASS: Final = 0
"""The number of the class that a resource without one is of, and of the set of no classes."""

_ONCE: Final = """
CREATE TABLE made.once AS SELECT DISTINCT s, p, o FROM made.fact WHERE o <> hash('', '<<')
"""
"""Triples without triples about triples, whatever graphs they are in."""

_TYPES: Final = """
SELECT DISTINCT value FROM made.once SEMI JOIN made.typing USING (p) JOIN made.term ON id = o
WHERE tag IS NULL AND NOT blank
"""

_ABOVE: Final = """
SELECT lower.value, CASE WHEN upper.tag IS NULL AND NOT upper.blank AND s <> o THEN upper.value END
FROM made.once JOIN made.term AS lower ON lower.id = s JOIN made.term AS upper ON upper.id = o
WHERE p = ? AND NOT lower.blank
"""

_DECLARED: Final = """
SELECT DISTINCT thing.value FROM made.once SEMI JOIN made.typing USING (p)
JOIN made.term AS thing ON thing.id = s JOIN made.term AS class ON class.id = o
WHERE class.tag IS NULL AND class.value IN (?, ?) AND NOT thing.blank
"""

_SETS: Final = """
CREATE TABLE made.classed AS
    SELECT s, list(class.id ORDER BY class.id) AS classes
    FROM (SELECT DISTINCT s, o FROM made.once SEMI JOIN made.typing USING (p))
    JOIN made.class ON hash(iri, NULL::VARCHAR) = o GROUP BY s;
CREATE TABLE made.class_set AS
    SELECT row_number() OVER () AS id, classes FROM (SELECT DISTINCT classes FROM made.classed);
"""
"""The sets of classes that resources are said to be of."""

_SHAPES: Final = f"""
CREATE TABLE made.subject AS
    SELECT s, place, set, blank, named, described OR word.id IS NOT NULL AS term,
        NOT named AND parts > 1 AND (blank OR regexp_matches(value, '\\p{{Nd}}[^/#]*$')) AS bundle
    FROM (
        SELECT used.s, coalesce(any_value(class_set.id), {_NO_CLASS}) AS set,
            coalesce(bool_or(describes), false) AS described,
            coalesce(bool_or(names AND (NOT of_class OR called.p IS NOT NULL)), false) AS named,
            count(*) FILTER (NOT structure) AS parts
        FROM (SELECT DISTINCT s, p FROM made.once) AS used LEFT JOIN made.role USING (p)
            LEFT JOIN made.classed USING (s) LEFT JOIN made.class_set USING (classes)
            LEFT JOIN made.set_role ON set_role.id = class_set.id
            LEFT JOIN made.called ON called.p = used.p AND called.set = class_set.id
        GROUP BY used.s
    ) JOIN made.term ON term.id = s
        LEFT JOIN (SELECT hash(iri, NULL::VARCHAR) AS id FROM made.word) AS word ON word.id = s;
CREATE TABLE made.shape AS
    SELECT row_number() OVER () AS id, * FROM (
        SELECT set, blank, named, term, bundle, sum(n)::BIGINT AS things FROM (
            SELECT set, blank, named, term, bundle, 1 AS n FROM made.subject
            UNION ALL VALUES ({_NO_CLASS}, false, false, false, false, 0), ({_NO_CLASS}, true, false, false, false, 0)
        ) GROUP BY ALL
    );
CREATE TABLE made.node AS
    SELECT term.id, CASE WHEN NOT term.blank THEN term.place END AS place, tag, shape.id AS shape
    FROM made.term LEFT JOIN made.subject ON s = term.id LEFT JOIN made.shape ON tag IS NULL
        AND shape.set = coalesce(subject.set, {_NO_CLASS}) AND shape.blank = term.blank
        AND shape.named = coalesce(subject.named, false) AND shape.term = coalesce(subject.term, false)
        AND shape.bundle = coalesce(subject.bundle, false);
"""
"""What resources are, as far as their relations are counted with those of others: of these classes, a blank node or
not, with a name or not, a term of the vocabulary or not, a bundle of facts or not. A resource that is the subject of
no triple has the shape of one of which nothing is known."""

_EDGES: Final = """
CREATE TABLE made.edge AS
    SELECT p, s, o, own.shape AS a, other.shape AS b, own.place AS own, other.place AS other, other.tag
    FROM made.once ANTI JOIN made.typing USING (p) JOIN made.node AS own ON own.id = s
        JOIN made.node AS other ON other.id = o;
CREATE TABLE made.target AS
    SELECT p, b, o, tag, count(*) AS n, any_value(other) AS place, min(own) AS sample FROM made.edge
    GROUP BY p, b, o, tag;
CREATE TABLE made.cell AS
    SELECT true AS outgoing, p, a AS shape, sum(n)::BIGINT AS triples, count(*) AS things, max(n) AS most,
        min(sample) AS sample
    FROM (SELECT p, a, s, count(*) AS n, min(other) AS sample FROM made.edge GROUP BY p, a, s) GROUP BY p, a
    UNION ALL
    SELECT false, p, b, sum(n)::BIGINT, count(*), max(n), min(sample) FROM made.target WHERE b IS NOT NULL
    GROUP BY p, b;
CREATE TABLE made.links AS
    SELECT p, a, b, count(*) AS n FROM made.edge WHERE b IS NOT NULL GROUP BY p, a, b;
CREATE TABLE made.tags AS
    SELECT p, a, tag, count(*) AS n FROM made.edge WHERE b IS NULL GROUP BY p, a, tag;
"""
"""Triples between shapes, ``a`` of the subject and ``b`` of the object: the relations of each, in both directions."""

_GRAPHS_OF: Final = """
CREATE TABLE made.placed AS
    SELECT DISTINCT s, p, o, tag, g FROM triple WHERE tag IS DISTINCT FROM '<<'
"""
"""Triples in their graphs; where there are none, nobody asks."""

_PAIRS: Final = """
CREATE TABLE made.pair AS
    SELECT true AS outgoing, p, a.set, b.set AS other, sum(n) AS n FROM made.links
    JOIN made.shape AS a ON a.id = links.a JOIN made.shape AS b ON b.id = links.b
    WHERE NOT b.blank GROUP BY p, a.set, b.set
    UNION ALL
    SELECT false, p, b.set, a.set, sum(n) FROM made.links
    JOIN made.shape AS a ON a.id = links.a JOIN made.shape AS b ON b.id = links.b
    WHERE NOT a.blank GROUP BY p, a.set, b.set
"""
"""How often a relation leads from resources of some classes to resources of others, or back."""

# The figures --------------------------------------------------------------------------------------------------

_FIGURES: Final[Mapping[str, str]] = {
    "triples": "SELECT count(*) FROM made.once",
    "things": """
        SELECT sum(things), sum(things) FILTER (set = 0), sum(things) FILTER (named), sum(things) FILTER (blank)
        FROM made.shape WHERE NOT term""",
    "classes": """
        SELECT iri, sum(things)::BIGINT, sum(things) FILTER (direct), sum(things) FILTER (named),
            sum(things) FILTER (blank), sum(things) FILTER (bundle)
        FROM made.class LEFT JOIN made.upper ON class = class.id LEFT JOIN made.shape USING (set)
        GROUP BY class.id, iri""",
    "relations": """
        SELECT p, sum(triples)::BIGINT, sum(things)::BIGINT, max(most) FROM made.cell WHERE outgoing GROUP BY p""",
    "objects": "SELECT p, count(*), max(n), sum(n) FILTER (b IS NOT NULL) FROM made.target GROUP BY p",
    "names": """
        SELECT p, sum(cell.things)::BIGINT FROM made.cell JOIN made.shape ON shape.id = shape JOIN made.role USING (p)
            LEFT JOIN made.called USING (p, set)
        WHERE outgoing AND NOT shape.term AND names AND (NOT of_class OR called.p IS NOT NULL) GROUP BY p""",
    "uses": """
        SELECT outgoing, class, p, sum(triples)::BIGINT, sum(cell.things)::BIGINT, max(most), min(sample)
        FROM made.cell JOIN made.shape ON shape.id = shape JOIN made.upper USING (set)
        GROUP BY outgoing, class, p""",
    "ends of uses": """
        SELECT outgoing, class, p, far, sum(n)::BIGINT AS uses FROM (
            SELECT outgoing, upper.class AS class, p, coalesce(member.class, 0) AS far, n
            FROM made.pair JOIN made.upper ON upper.set = pair.set
                LEFT JOIN made.upper AS member ON member.set = other AND member.direct
        ) WHERE far = 0 OR far IN (SELECT class FROM made.shown)
        GROUP BY outgoing, class, p, far
        QUALIFY far = 0
            OR row_number() OVER (PARTITION BY outgoing, class, p ORDER BY far = 0, uses DESC, far) <= $frequent""",
    "classes of ends": """
        SELECT outgoing, p, upper.class, sum(triples)::BIGINT AS n
        FROM made.cell JOIN made.shape ON shape.id = shape JOIN made.upper USING (set) JOIN made.shown USING (class)
        WHERE direct GROUP BY outgoing, p, upper.class
        QUALIFY row_number() OVER (PARTITION BY outgoing, p ORDER BY n DESC, upper.class) <= $frequent""",
    "ends": """
        SELECT p, class, far, literal, sum(n)::BIGINT AS uses FROM (
            SELECT p, own.class AS class, ended.iri AS far, false AS literal, n
            FROM (SELECT p, a.set, b.set AS other, sum(n) AS n FROM made.links JOIN made.shape AS a ON a.id = links.a
                JOIN made.shape AS b ON b.id = links.b GROUP BY p, a.set, b.set) AS pair
            JOIN made.lowest AS own USING (set) JOIN made.lowest AS others ON others.set = other
            JOIN made.ended ON ended.id = others.class
            UNION ALL
            SELECT p, class, CASE WHEN tag[1] = '@' THEN $text ELSE tag END, true, n
            FROM made.tags JOIN made.shape ON shape.id = a JOIN made.lowest USING (set)
        ) GROUP BY p, class, far, literal
        QUALIFY row_number() OVER (PARTITION BY p ORDER BY uses DESC, class, far, literal) <= $ends""",
    "tags": "SELECT p, tag, sum(n)::BIGINT FROM made.tags GROUP BY p, tag",
    "statements": """
        SELECT p, sum(n)::BIGINT FROM made.links JOIN made.shape ON shape.id = b
        WHERE bundle AND (blank OR set IN (
            SELECT set FROM made.upper JOIN made.statement USING (class) WHERE direct)) GROUP BY p""",
    "values": """
        SELECT p, CASE WHEN many > $values THEN counted.place >> 32 ELSE 0 END, value, coalesce(term.tag, ''), n FROM (
            SELECT p, o, n, place, row_number() OVER (PARTITION BY p ORDER BY n DESC, place DESC) AS number,
                count(*) OVER (PARTITION BY p) AS many FROM made.target WHERE place IS NOT NULL
        ) AS counted JOIN made.term ON term.id = o WHERE many <= $values OR number <= $samples
        ORDER BY p, n DESC, 2, value, 4""",
    "bounds": """
        SELECT p, value, term.tag, n FROM made.target JOIN made.term ON term.id = o
        WHERE b IS NULL AND term.tag[1] <> '@' AND length(value) <= 40
            AND (term.tag <> $string OR regexp_matches(value, '\\p{Nd}$'))""",
    "samples": "SELECT place, value, coalesce(tag, '') FROM made.term SEMI JOIN made.sample USING (place)",
    "labels": """
        SELECT wanted.iri, relation.iri, tag, value
        FROM made.wanted JOIN made.once ON s = hash(wanted.iri, NULL::VARCHAR) JOIN made.role USING (p)
            JOIN made.relation ON relation.id = p JOIN made.term ON term.id = o
        WHERE names AND tag IS NOT NULL""",
    "graphs": "SELECT g, count(*) AS n FROM made.placed GROUP BY g ORDER BY n DESC, g LIMIT $graphs",
    "places": """
        SELECT term, g, count(*) AS n FROM (
            SELECT CASE WHEN typing.p IS NULL THEN placed.p ELSE o END AS term, g
            FROM made.placed JOIN made.relation ON iri = placed.p LEFT JOIN made.typing ON typing.p = relation.id
            WHERE typing.p IS NULL OR (tag IS NULL AND NOT starts_with(o, '_:'))
        ) GROUP BY term, g QUALIFY row_number() OVER (PARTITION BY term ORDER BY n DESC, g) <= $places""",
}
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
    triples.number()
    with triples.database.cursor() as database:
        figures = _Count(database, [iri for iri, _ in triples.number()], properties.types, naming).figures()
    return profile_of(figures, naming, types=properties.types, fingerprint=fingerprint, prefixes=prefixes)


class _Count:
    def __init__(
        self, database: duckdb.DuckDBPyConnection, relations: Sequence[str], types: Sequence[str], naming: Naming
    ) -> None:
        self._database = database
        self._relations = relations
        self._types = types
        self._naming = naming
        self._classes: list[str] = [""]
        """The classes by their numbers, after none at all."""
        self._above: dict[str, set[str]] = {}

    def figures(self) -> Figures:
        """Count everything."""
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
        names: dict[str, set[tuple[int, str, str, str]]] = {}
        for thing, relation, tag, text in self._rows("labels"):
            names.setdefault(thing, set()).add((self._naming.rank(relation), relation, tag, text))
        figures.labels = {
            thing: list(dict.fromkeys(cast(Literal, term_of(text, tag)) for *_, tag, text in sorted(found)))
            for thing, found in names.items()
        }
        return figures

    def _rows(self, figure: str, **parameters: Any) -> Iterator[tuple[Any, ...]]:
        found = self._database.execute(_FIGURES[figure], parameters or None)
        while rows := found.fetchmany(_FETCHED):
            yield from rows

    def _fill(self, table: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> None:
        fill(self._database, f"made.{table}", columns, rows)

    def _prepare(self) -> None:
        """Make the tables that the figures come from."""
        database, naming = self._database, self._naming
        number = {iri: at for at, iri in enumerate(self._relations)}
        self._fill("typing", {"p": "INTEGER"}, [(number[iri],) for iri in self._types if iri in number])
        database.execute(_ONCE)
        types = [iri for (iri,) in database.execute(_TYPES).fetchall()]
        for lower, upper in database.execute(_ABOVE, [number.get(SUBCLASS, -1)]).fetchall():
            self._above.setdefault(lower, set()).update([upper] if upper else [])
        declared = (iri for (iri,) in database.execute(_DECLARED, _CLASSES).fetchall())
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
        roles = [
            (at, naming[iri], iri.startswith(_STRUCTURE), iri in of_class)
            for iri, at in number.items()
            if iri not in self._types
        ]
        role = {"p": "INTEGER", "names": "BOOLEAN", "structure": "BOOLEAN", "of_class": "BOOLEAN"}
        self._fill("role", role, roles)
        database.execute(_SETS)
        self._count_sets({iri: number[iri] for iri in of_class})
        database.execute(_SHAPES)
        database.execute(_EDGES)
        database.execute(_PAIRS)

    def _count_sets(self, of_class: Mapping[str, int]) -> None:
        """Make the tables of what follows from the classes that resources are said to be of."""
        number = {iri: at for at, iri in enumerate(self._classes)}

        @cache
        def above(name: str) -> set[str]:
            return closure(self._above, [name])

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
        statements = [(at,) for at, iri in enumerate(classes) if at and figures.classes[iri].statement]
        self._fill("statement", {"class": "INTEGER"}, statements)
        shown = set(shown_classes(figures))
        self._fill("shown", {"class": "INTEGER"}, [(at,) for at, iri in enumerate(classes) if iri in shown])
        of: dict[int, RelationFigures] = {}
        for p, *counts in self._rows("relations"):
            triples, subjects, most = counts
            of[p] = figures.relations[names[p]] = RelationFigures(triples, subjects, most_per_subject=most)
        for p, objects, most, links in self._rows("objects"):
            of[p].objects, of[p].most_per_object, of[p].links = objects, most, int(links or 0)
        for p, count in self._rows("names"):
            figures.named_by[names[p]] = count
        for outgoing, p, class_, count in self._rows("classes of ends", frequent=FREQUENT):
            (of[p].subject_classes if outgoing else of[p].object_classes)[classes[class_]] = count
        for p, class_, far, literal, count in self._rows("ends", text=RDF_LANG_STRING, ends=ENDS):
            of[p].ends[classes[class_], far, literal] = count
        for p, tag, count in self._rows("tags"):
            of[p].datatypes[RDF_LANG_STRING if tag.startswith("@") else tag] += count
            if tag.startswith("@"):
                of[p].languages[tag[1:]] = count
        for p, count in self._rows("statements"):
            of[p].statements = count
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
        self._database.execute(_GRAPHS_OF)
        graphs = list(self._rows("graphs", graphs=_GRAPHS + 1))
        figures.graphs.update(dict(graphs[:_GRAPHS]))
        if len(graphs) > _GRAPHS:
            figures.partial.append(f"Only {_GRAPHS:,} named graphs are counted.")
        for term, graph, count in self._rows("places", places=PLACES):
            for found in (figures.relations.get(term), figures.classes.get(term)):
                if found is not None:
                    found.graphs[graph] = count


def _lowest(names: Sequence[str], above: Callable[[str], set[str]]) -> list[str]:
    """Return the classes that have none of the others below them; one without a name if there are none."""
    known = set(names)
    upper = {name for other in names for name in above(other) & known if name != other and other not in above(name)}
    return [name for name in names if name not in upper] or [""]
