"""A profile of the graph behind an endpoint, by queries at a limited rate.

The server counts, a relation at a time, and no faster than the recipe allows. A query that takes too long is asked
again about a sample of the relation's triples; after a few of these the server is slow, and large relations are asked
about by samples at once. The profile leaves out figures that the endpoint did not give, and says so.

It differs from what `triad.indexing.profiling.counting` counts in this: the ends of relations are all classes of a
resource, and the relations of a class whose instances are mostly told to be of classes below it are added up from
these, as far as resources are of several of them in due proportion.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import isfinite
from typing import Final, TypeVar

from triad.deadline import Pace
from triad.errors import GraphError, QueryTimeout
from triad.grouping import grouped
from triad.indexing.entries import LabelProperties
from triad.indexing.layout import Tell
from triad.indexing.profiling import figures as profiled
from triad.indexing.profiling.figures import Cell, ClassFigures, Figures, Naming, RelationFigures, added
from triad.indexing.recipe import Endpoint
from triad.indexing.triples import crc32
from triad.kg.base import KnowledgeGraph
from triad.kg.ontology import ask_notes, ask_terms
from triad.kg.profile import VALUES, GraphProfile
from triad.log import logger
from triad.rdf import IRI, OWL, RDF, RDF_LANG_STRING, RDFS, XSD, Literal, ResultSet, Term, kind_of, writable
from triad.resources import queries

_CLASSES: Final = 1_000  # classes that are looked at, those with most instances
_RELATIONS: Final = 500  # relations that are looked at, those with most triples
_SAMPLE: Final = 10_000  # triples that stand for all of a relation, where these are too many for the server
_INSTANCES: Final = 50
"""Instances that stand for all of a class when it is asked whether they are facts of several parts."""
_SAMPLES: Final = 5  # values that are kept of a relation that has too many of them
_SLOW: Final = 3  # relations that took too long, after which large ones are asked about by samples
_FAILURES: Final = 10  # queries in a row that may fail before the server is left alone
_BATCH: Final = 100  # resources that a query is about; servers limit the length of queries
_ROWS: Final = 1_000  # rows of a result at most
_CLOSED: Final = 300  # classes whose instances are counted together with those of the classes below them
_TRUE: Final = ("true", "1")  # Virtuoso has no booleans
_PLACES: Final = 1_000  # named graphs up to which it is asked where relations and classes are

_written: Final = queries(
    __file__, rows=_ROWS, sample=_SAMPLE, classes=_CLASSES, batch=_BATCH, values=VALUES + 1,
    instances=_INSTANCES, subclass=profiled.SUBCLASS, owl=OWL, rdfs=RDFS, rdf=RDF,
)  # fmt: skip
"""What is asked, by name; where an answer is missed, the name says what is not known then."""

R = TypeVar("R")


def survey(
    graph: KnowledgeGraph,
    endpoint: Endpoint,
    properties: LabelProperties,
    *,
    labels: Sequence[str] | None = None,
    tell: Tell = lambda *_: None,
    pace: Pace | None = None,
) -> GraphProfile:
    """Make a profile of a graph by asking it.

    The `timeout` of the graph bounds each query. ``labels`` are the relations that hold names, the preferred one first,
    if they are known better than by the properties; ``tell`` is called with the number of relations done and of all.

    Raises:
        GraphError: The graph does not even tell its relations, or it failed again and again.
    """
    naming = Naming(properties, labels)
    figures = _Survey(graph, pace or Pace(endpoint.rate), properties.types, naming).figures(tell)
    return profiled.profile_of(figures, naming, types=properties.types, prefixes=graph.prefixes)


class _Survey:
    def __init__(self, graph: KnowledgeGraph, pace: Pace, types: Sequence[str], naming: Naming) -> None:
        self._graph = graph
        self._pace = pace
        self._types = types
        self._naming = naming
        self._figures = Figures()
        self._type = "|".join(f"<{name}>" for name in types)
        self._slow = 0
        self._failures = 0
        self._missing: Counter[str] = Counter()

    def figures(self, tell: Tell) -> Figures:
        figures = self._figures
        relations = self._list_relations()
        self._list_classes()
        self._totals()
        for at, (relation, count) in enumerate(relations.items()):
            tell(at, len(relations))
            self._relation(relation, count)
        self._name_things()
        for name, found in figures.classes.items():
            self._class(name, found)
        self._close_classes()
        if 0 < len(figures.graphs) <= _PLACES:
            self._places()
        figures.labels = self._labels(figures.terms())
        ontology = partial(self._told, "what the ontology says", quiet=True)
        figures.notes = ask_notes(ontology, {*figures.classes, *figures.relations}, batch=_BATCH)
        tell(len(relations), len(relations))
        if sampled := sum(total.sampled for total in figures.relations.values()):
            figures.partial.append(f"The figures of {sampled:,} relations come from a sample of their triples.")
        figures.partial += [f"It is not known {what} ({count:,} times)." for what, count in self._missing.items()]
        return figures

    # What there is ----------------------------------------------------------------------------------------

    def _list_relations(self) -> dict[str, int]:
        try:
            rows = self._ask("relations")
        except QueryTimeout:
            rows = self._ask("relations of a sample")
            self._figures.partial.append("Only the relations of a sample of triples are known.")
            self._slow = _SLOW
        known = (row for row in rows if "p" in row and writable(str(row["p"])))
        counts = {str(row["p"]): _count(row["n"]) for row in known if str(row["p"]) not in self._types}
        if len(rows) == _ROWS or len(counts) > _RELATIONS:
            self._figures.partial.append(f"Only the {_RELATIONS:,} most frequent relations are known.")
        return profiled.largest_first(counts, _RELATIONS)

    def _list_classes(self) -> None:
        classes = self._figures.classes
        for pattern in (f"?s {self._type} ?c", f"{{ SELECT ?s ?c {{ ?s {self._type} ?c }} LIMIT {_SAMPLE} }}"):
            if (found := self._rows("which classes there are", pattern=pattern)) is not None:
                break
        for row in found or ():
            count = _count(row["n"])
            classes[str(row["c"])] = ClassFigures(count, count, blank=min(count, _count(row.get("b"))))
        if len(classes) == _CLASSES:
            self._figures.partial.append(f"Only the {_CLASSES:,} most frequent classes are known.")
        above: dict[str, set[str]] = {}
        for row in self._rows("which classes are below others") or ():
            above.setdefault(str(row["c"]), set()).add(str(row["d"]))
        named = [str(row["c"]) for row in self._rows("which classes have no instances") or ()]
        for name in (*named, *above, *(parent for parents in above.values() for parent in parents)):
            classes.setdefault(name, ClassFigures())
        self._figures.above = above

    def _totals(self) -> None:
        for name, what in (
            ("triples", "how many triples there are"),
            ("things", "how many things there are"),
            ("unclassed", "how many things have no class"),
            ("blank", "how many things are blank nodes"),
        ):
            setattr(self._figures, name, sum(_count(row.get("n")) for row in self._rows(what) or ()))
        self._count_graphs("which named graphs there are", self._figures.graphs)

    def _count_graphs(self, what: str, graphs: Counter[str], pattern: str = "") -> None:
        graphs.update({str(row["g"]): _count(row["n"]) for row in self._rows(what, pattern=pattern) or ()})

    # Relations --------------------------------------------------------------------------------------------

    def _relation(self, iri: str, count: int) -> None:
        """Ask about a relation: about all of its triples, else about some of them."""
        whole, part = f"?s <{iri}> ?o", f"{{ SELECT ?s ?o {{ ?s <{iri}> ?o }} LIMIT {_SAMPLE} }}"
        for pattern in [part] if count > _SAMPLE and self._slow >= _SLOW else [whole, part]:
            found = RelationFigures(triples=count, sampled=pattern == part and count > _SAMPLE)
            ends: tuple[dict[str, Cell], dict[str, Cell]] = ({}, {})
            try:
                self._ask_about(found, pattern, *ends)
                break
            except GraphError as error:
                self._failed(f"how {iri!r} is used", error, quiet=pattern == whole)
                self._slow += pattern == whole
        self._figures.relations[iri] = found
        for outgoing, cells in zip((True, False), ends, strict=True):
            for name, cell in cells.items():
                kind = self._figures.classes[name]
                (kind.outgoing if outgoing else kind.incoming)[iri] = cell
                if found.sampled:
                    cell.triples = round(cell.triples * count / _SAMPLE)
                    cell.things = min(round(cell.things * count / _SAMPLE), kind.instances)

    def _ask_about(self, found: RelationFigures, pattern: str, out: dict[str, Cell], into: dict[str, Cell]) -> None:
        by_subject, by_object = (self._query(name, pattern=pattern) for name in ("by subject", "by object"))
        for row in self._ask("subjects", grouped=by_subject):
            found.subjects, found.most_per_subject = _count(row.get("m")), _count(row.get("most"))
            if not found.sampled:
                found.triples = _count(row.get("n"))
        for row in self._ask("objects", grouped=by_object):
            found.objects, found.most_per_object = _count(row.get("m")), _count(row.get("most"))
            found.links = _count(row.get("l"))
        for cells, own, query in ((out, "?s", by_subject), (into, "?o", by_object)):
            for row in self._ask("uses", grouped=query, own=own):
                if (name := str(row.get("c"))) in self._figures.classes:
                    one = row.get("one")
                    sample = (crc32(one.value), one.value, _tag(one)) if isinstance(one, IRI | Literal) else None
                    counts = _count(row.get("n")), _count(row.get("m")), _count(row.get("most"))
                    cells[name] = Cell(*counts, sample=sample)
            if not found.links:
                break
        self._ask_ends(found, pattern, out, into)
        found.subject_classes.update({name: cell.triples for name, cell in out.items()})
        found.object_classes.update({name: cell.triples for name, cell in into.items()})
        given = ((row.get("o"), _count(row.get("n"))) for row in self._ask("values", pattern=pattern))
        values = [(term, count) for term, count in given if isinstance(term, IRI | Literal)]
        values.sort(key=lambda item: (-item[1], item[0].value, str(item[0].type)))
        found.values = values if found.objects <= VALUES else values[:_SAMPLES]

    def _ask_ends(
        self, found: RelationFigures, pattern: str, outgoing: Mapping[str, Cell], incoming: Mapping[str, Cell]
    ) -> None:
        rows = self._ask("ends", pattern=pattern)
        if found.links < found.triples:
            for row in self._ask("tags", pattern=pattern):
                language, count = str(row.get("l", "")), _count(row["n"])
                found.datatypes[RDF_LANG_STRING if language else str(row.get("d", XSD + "string"))] += count
                if language:
                    found.languages[language] += count
        for row in rows:
            own, other, count = str(row.get("c", "")), str(row.get("d", "")), _count(row["n"])
            found.ends[own, other, other in found.datatypes] += count
            if own in outgoing and str(row.get("to")) in _TRUE:
                outgoing[own].lead(other, count)
            if other in incoming and str(row.get("from")) in _TRUE:
                incoming[other].lead(own, count)
        for datatype, count in found.datatypes.items():
            # Other literals than numbers and dates have no order with a meaning.
            if datatype.startswith(XSD) and kind_of(Literal("1", datatype)) != "text":
                for row in self._ask("bounds", pattern=pattern, datatype=datatype):
                    for name, number in (("least", count), ("most", 0)):
                        if isinstance(value := row.get(name), Literal):
                            found.bounds.add(value.value, datatype, number)

    # Classes and names ------------------------------------------------------------------------------------

    def _name_things(self) -> None:
        """Count the resources that have names, and the instances of classes that do."""
        figures, naming = self._figures, self._naming
        for iri, found in figures.relations.items():
            if naming[iri] and found.links < found.triples:
                having = ((name, kind.outgoing[iri]) for name, kind in figures.classes.items() if iri in kind.outgoing)
                others = (cell.things for name, cell in having if not profiled.names_instances(iri, name, figures))
                figures.named_by[iri] = max(0, found.subjects - sum(others))
        for class_, kind in figures.classes.items():
            own = (name for name in kind.outgoing if naming[name] and profiled.names_instances(name, class_, figures))
            naming_ones = (kind.outgoing[name].things for name in own)
            kind.named = max(naming_ones, default=0)
        if figures.named_by:
            figures.named = max(figures.named_by.values())
            names = ", ".join(f"<{name}>" for name in figures.named_by)
            counted = self._rows("how many things have a name", names=names)
            figures.named = sum(_count(row.get("n")) for row in counted) if counted is not None else figures.named

    def _class(self, iri: str, found: ClassFigures) -> None:
        """Look at some instances without names: whether they are facts of several parts."""
        if not found.instances or found.named * 10 >= found.instances or not writable(iri):
            return
        rows = self._rows("which classes are facts of several parts", **{"class": iri})
        several = (row.get("s") for row in rows or () if _count(row["n"]) > 1)
        bundles = sum(not isinstance(one, IRI) or profiled.numbered(one.value) for one in several if one is not None)
        found.bundles = round(bundles / min(_INSTANCES, found.instances) * found.instances)

    def _close_classes(self) -> None:
        """Count the instances of classes below others as those of the upper ones, too."""
        classes, above = self._figures.classes, self._figures.above
        below = grouped((upper, name) for name in classes for upper in profiled.closure(above, [name]) - {name})
        found = {
            name: [name, *(other for other in sorted(others) if classes[other].direct and writable(other))]
            for name, others in below.items()
            if name in classes and writable(name)
        }
        sizes = {name: sum(classes[one].direct for one in names) for name, names in found.items() if len(names) > 1}
        if len(sizes) > _CLOSED:
            self._figures.partial.append(
                f"Only {_CLOSED:,} of {len(sizes):,} classes have the instances of the classes below them."
            )
        what = "how many instances classes have with those below them"
        largest = profiled.largest_first(sizes, _CLOSED)
        closed = {name: self._tried(what, partial(self._closed, name, found[name])) for name in largest}
        classes |= {name: one for name, one in closed.items() if one}

    def _closed(self, iri: str, names: Sequence[str]) -> ClassFigures:
        found, parts = self._figures.classes[iri], [self._figures.classes[name] for name in names]
        told = sum(part.direct for part in parts)
        batches = [" ".join(f"<{name}>" for name in names[at : at + _BATCH]) for at in range(0, len(names), _BATCH)]
        count = min(told, sum(_count(row.get("n")) for some in batches for row in self._ask("instances", classes=some)))
        if count <= found.direct:
            return found  # the graph says of each instance below that it is of the upper class, too
        share = count / told
        return ClassFigures(
            count,
            found.direct,
            round(sum(part.named for part in parts) * share),
            round(sum(part.blank for part in parts) * share),
            round(sum(part.bundles for part in parts) * share),
            found.graphs,
            added((part.outgoing for part in parts), share),
            added((part.incoming for part in parts), share),
        )

    def _places(self) -> None:
        """Ask in which named graphs relations and classes occur."""
        figures = self._figures
        asked = [(f"?s <{iri}> ?o", total.graphs) for iri, total in figures.relations.items() if writable(iri)]
        direct = ((iri, one.graphs) for iri, one in figures.classes.items() if one.direct and writable(iri))
        asked += [(f"?s {self._type} <{iri}>", graphs) for iri, graphs in direct]
        for pattern, graphs in asked:
            if self._slow >= _SLOW and len(asked) > _BATCH:
                figures.partial.append("The named graphs of some relations and classes are not known.")
                return
            self._count_graphs("in which named graphs some relations and classes are", graphs, pattern)

    def _labels(self, wanted: Iterable[str]) -> dict[str, Sequence[Literal]]:
        names = list(self._figures.named_by) or list(self._naming.order)
        names.sort(key=lambda name: (self._naming.rank(name), name))
        said = ask_terms(partial(self._told, "what some terms are called"), wanted, names, batch=_BATCH)
        texts = [(thing, names.index(name), text) for thing, name, text in said if isinstance(text, Literal)]
        texts.sort(key=lambda one: (one[1], _tag(one[2]), one[2].value))
        found = grouped((thing, text) for thing, _, text in texts)
        return {name: list(dict.fromkeys(labels)) for name, labels in found.items()}

    # Asking -----------------------------------------------------------------------------------------------

    def _query(self, name: str, **values: str) -> str:
        return _written(name, type=self._type, **values)

    def _lookup(self, query: str) -> ResultSet:
        self._pace.wait()
        result = self._graph.lookup(query)
        self._failures = 0
        return result

    def _ask(self, name: str, **values: str) -> ResultSet:
        return self._lookup(self._query(name, **values))

    def _rows(self, name: str, **values: str) -> ResultSet | None:
        """Return what a query finds; None, which is noted, if the endpoint does not tell."""
        return self._tried(name, lambda: self._ask(name, **values))

    def _tried(self, what: str, ask: Callable[[], R], *, quiet: bool = False) -> R | None:
        try:
            return ask()
        except GraphError as error:
            self._failed(what, error, quiet=quiet)
            return None

    def _told(self, what: str, query: str, *, quiet: bool = False) -> ResultSet | None:
        return self._tried(what, lambda: self._lookup(query), quiet=quiet)

    def _failed(self, what: str, error: GraphError, *, quiet: bool = False) -> None:
        """Note a figure that the endpoint did not give; raise the error if it is one of many in a row."""
        self._failures += 1
        if self._failures >= _FAILURES:
            raise error
        if not quiet:
            logger.info("it is not known {}: {}", what, error)
            self._missing[what] += 1


def _count(term: Term | None) -> int:
    number = term.number if isinstance(term, Literal) else None
    return int(number) if number and isfinite(number) else 0


def _tag(term: Term) -> str:
    """Return the datatype of a literal, or ``@`` and its language; an entity has neither."""
    return f"@{term.language}" if isinstance(term, Literal) and term.language else getattr(term, "datatype", "")
