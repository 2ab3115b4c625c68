"""A profile of the graph behind an endpoint, by queries at a limited rate.

The server counts, a relation at a time, and no faster than the recipe allows. A query that takes too long is asked
again about a sample of the relation's triples; after a few of these the server is slow, and large relations are asked
about by samples at once. The profile leaves out figures that the endpoint did not give, and says so.

It differs from what `triad.indexing.profiling.counting` counts in this: the ends of relations are all classes of a
resource, and the relations of a class whose instances are mostly told to be of classes below it are added up from
these, as far as resources are of several of them in due proportion.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from triad.errors import GraphError, QueryTimeout
from triad.indexing.crawl import Pace
from triad.indexing.labels import LabelProperties
from triad.indexing.profiling.figures import (
    SUBCLASS,
    Cell,
    ClassFigures,
    Figures,
    Naming,
    RelationFigures,
    closure,
    largest_first,
    names_instances,
    numbered,
    profile_of,
    sample_of,
)
from triad.indexing.recipe import Endpoint
from triad.kg.base import KnowledgeGraph
from triad.kg.ontology import ask_notes
from triad.kg.profile import VALUES, GraphProfile
from triad.log import logger
from triad.rdf import IRI, OWL, RDF, RDF_LANG_STRING, RDFS, XSD, Literal, ResultSet, Term, kind_of, writable

_CLASSES: Final = 1_000
"""Classes that are looked at, those with most instances."""
_RELATIONS: Final = 500
"""Relations that are looked at, those with most triples."""
_SAMPLE: Final = 10_000
"""Triples that stand for all of a relation, where these are too many for the server."""
_INSTANCES: Final = 50
"""Instances that stand for all of a class when it is asked whether they are facts of several parts."""
_SAMPLES: Final = 5
"""Values that are kept of a relation that has too many of them."""
_SLOW: Final = 3
"""Relations that took too long, after which large ones are asked about by samples."""
_FAILURES: Final = 10
"""Queries in a row that may fail before the server is left alone."""
_BATCH: Final = 100
"""Resources that a query is about; servers limit the length of queries."""
_ROWS: Final = 1_000
"""Rows of a result at most."""
_SUBCLASSES: Final = 10_000
_CLOSED: Final = 300
"""Classes whose instances are counted together with those of the classes below them."""
_PLACES: Final = 1_000
"""Named graphs up to which it is asked where relations and classes are."""

_NOT_STRUCTURE: Final = f'FILTER(!REGEX(STR({{}}), "^({OWL}|{RDFS}|{RDF}(first|rest|type)$)"))'
_CLASS_CLASSES: Final = (f"<{OWL}Class>", f"<{RDFS}Class>")


def survey(
    graph: KnowledgeGraph,
    endpoint: Endpoint,
    properties: LabelProperties,
    *,
    labels: Sequence[str] | None = None,
    tell: Callable[[int, int | None], None] | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> GraphProfile:
    """Make a profile of a graph by asking it.

    The `timeout` of the graph bounds each query. ``labels`` are the relations that hold names, the preferred one first,
    if they are known better than by the properties; ``tell`` is called with the number of relations done and of all.

    Raises:
        GraphError: The graph does not even tell its relations, or it failed again and again.
    """
    naming = Naming(properties, labels)
    figures = _Survey(graph, Pace(endpoint.rate, sleep), properties.types, naming).figures(tell)
    return profile_of(figures, naming, types=properties.types, fingerprint=graph.fingerprint, prefixes=graph.prefixes)


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

    def figures(self, tell: Callable[[int, int | None], None] | None) -> Figures:
        figures = self._figures
        relations = self._list_relations()
        self._list_classes()
        self._totals()
        for at, (relation, count) in enumerate(relations.items()):
            if tell:
                tell(at, len(relations))
            self._relation(relation, count)
        self._name_things()
        for name, found in figures.classes.items():
            self._class(name, found)
        self._close_classes()
        if 0 < len(figures.graphs) <= _PLACES:
            self._places()
        figures.labels = self._labels(figures.terms())
        told = partial(self._rows, "what the ontology says", quiet=True)
        figures.notes = ask_notes(told, {*figures.classes, *figures.relations}, batch=_BATCH)
        if tell:
            tell(len(relations), len(relations))
        sampled = sum(total.sampled for total in figures.relations.values())
        if sampled:
            figures.partial.append(f"The figures of {sampled:,} relations come from a sample of their triples.")
        figures.partial += [f"It is not known {what} ({count:,} times)." for what, count in self._missing.items()]
        return figures

    # What there is ----------------------------------------------------------------------------------------

    def _list_relations(self) -> dict[str, int]:
        try:
            rows = self._ask(f"SELECT ?p (COUNT(*) AS ?n) {{ ?s ?p ?o }} GROUP BY ?p ORDER BY DESC(?n) LIMIT {_ROWS}")
        except QueryTimeout:
            sample = f"{{ SELECT ?p {{ ?s ?p ?o }} LIMIT {_SAMPLE} }}"
            rows = self._ask(f"SELECT ?p (COUNT(*) AS ?n) {{ {sample} }} GROUP BY ?p")
            self._figures.partial.append("Only the relations of a sample of triples are known.")
            self._slow = _SLOW
        counts = {
            str(row["p"]): _count(row["n"])
            for row in rows
            if "p" in row and writable(str(row["p"])) and str(row["p"]) not in self._types
        }
        if len(rows) == _ROWS or len(counts) > _RELATIONS:
            self._figures.partial.append(f"Only the {_RELATIONS:,} most frequent relations are known.")
        return largest_first(counts, _RELATIONS)

    def _list_classes(self) -> None:
        classes = self._figures.classes
        for pattern in (f"?s {self._type} ?c", f"{{ SELECT ?s ?c {{ ?s {self._type} ?c }} LIMIT {_SAMPLE} }}"):
            found = self._rows(
                "which classes there are",
                f"SELECT ?c (COUNT(DISTINCT ?s) AS ?n) (SUM(IF(isBlank(?s), 1, 0)) AS ?b) {{ {pattern} "
                f"FILTER(isIRI(?c)) }} GROUP BY ?c ORDER BY DESC(?n) LIMIT {_CLASSES}",
            )
            if found is not None:
                break
        for row in found or ():
            count = _count(row["n"])
            classes[str(row["c"])] = ClassFigures(count, count, blank=min(count, _count(row.get("b"))))
        if len(classes) == _CLASSES:
            self._figures.partial.append(f"Only the {_CLASSES:,} most frequent classes are known.")
        above: dict[str, set[str]] = {}
        lower = self._rows(
            "which classes are below others",
            f"SELECT DISTINCT ?c ?d {{ ?c <{SUBCLASS}> ?d FILTER(isIRI(?c) && isIRI(?d) && ?c != ?d) }} "
            f"LIMIT {_SUBCLASSES}",
        )
        for row in lower or ():
            above.setdefault(str(row["c"]), set()).add(str(row["d"]))
        declared = self._rows(
            "which classes have no instances",
            f"SELECT DISTINCT ?c {{ VALUES ?k {{ {' '.join(_CLASS_CLASSES)} }} ?c a ?k FILTER(isIRI(?c)) }} "
            f"LIMIT {_CLASSES}",
        )
        named = [str(row["c"]) for row in declared or ()]
        for name in (*named, *above, *(parent for parents in above.values() for parent in parents)):
            classes.setdefault(name, ClassFigures())
        self._figures.above = above

    def _totals(self) -> None:
        figures = self._figures
        for name, what, pattern in (
            ("triples", "how many triples there are", ""),
            ("things", "how many things there are", ""),
            ("unclassed", "how many things have no class", f"FILTER NOT EXISTS {{ ?s {self._type} ?c }} "),
            ("blank", "how many things are blank nodes", "FILTER(isBlank(?s)) "),
        ):
            counted = "*" if name == "triples" else "DISTINCT ?s"
            rows = self._rows(what, f"SELECT (COUNT({counted}) AS ?n) {{ ?s ?p ?o {pattern}}}")
            setattr(figures, name, sum(_count(row.get("n")) for row in rows or ()))
        self._count_graphs("which named graphs there are", "?s ?p ?o", 1000, figures.graphs)

    def _count_graphs(self, what: str, pattern: str, limit: int, graphs: Counter[str]) -> None:
        rows = self._rows(
            what,
            f"SELECT ?g (COUNT(*) AS ?n) {{ GRAPH ?g {{ {pattern} }} }} GROUP BY ?g ORDER BY DESC(?n) LIMIT {limit}",
        )
        graphs.update({str(row["g"]): _count(row["n"]) for row in rows or ()})

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

    def _ask_about(
        self, found: RelationFigures, pattern: str, outgoing: dict[str, Cell], incoming: dict[str, Cell]
    ) -> None:
        by_subject = f"{{ SELECT ?s (COUNT(*) AS ?k) (SAMPLE(?o) AS ?end) {{ {pattern} }} GROUP BY ?s }}"
        by_object = f"{{ SELECT ?o (COUNT(*) AS ?k) (SAMPLE(?s) AS ?end) {{ {pattern} }} GROUP BY ?o }}"
        sums = "(SUM(?k) AS ?n) (COUNT(*) AS ?m) (MAX(?k) AS ?most)"
        for row in self._ask(f"SELECT {sums} {{ {by_subject} }}"):
            found.subjects, found.most_per_subject = _count(row.get("m")), _count(row.get("most"))
            if not found.sampled:
                found.triples = _count(row.get("n"))
        for row in self._ask(f"SELECT {sums} (SUM(IF(isLiteral(?o), 0, ?k)) AS ?l) {{ {by_object} }}"):
            found.objects, found.most_per_object = _count(row.get("m")), _count(row.get("most"))
            found.links = _count(row.get("l"))
        for cells, own, grouped in ((outgoing, "?s", by_subject), (incoming, "?o", by_object)):
            for row in self._ask(
                f"SELECT ?c {sums} (SAMPLE(?end) AS ?one) {{ {grouped} {own} {self._type} ?c }} GROUP BY ?c "
                f"LIMIT {_ROWS}"
            ):
                if (name := str(row.get("c"))) in self._figures.classes:
                    cells[name] = _cell(row)
            if not found.links:
                break
        self._ask_ends(found, pattern, outgoing, incoming)
        found.subject_classes.update({name: cell.triples for name, cell in outgoing.items()})
        found.object_classes.update({name: cell.triples for name, cell in incoming.items()})
        rows = self._ask(f"SELECT ?o (COUNT(*) AS ?n) {{ {pattern} }} GROUP BY ?o ORDER BY DESC(?n) LIMIT {VALUES + 1}")
        values = [(term, _count(row["n"])) for row in rows if isinstance(term := row.get("o"), IRI | Literal)]
        values.sort(key=lambda item: (-item[1], item[0].value, str(item[0].type)))
        found.values = values if found.objects <= VALUES else values[:_SAMPLES]

    def _ask_ends(
        self, found: RelationFigures, pattern: str, outgoing: Mapping[str, Cell], incoming: Mapping[str, Cell]
    ) -> None:
        rows = self._ask(
            f"SELECT ?c ?d ?from ?to (COUNT(*) AS ?n) {{ {pattern} OPTIONAL {{ ?s {self._type} ?c }} "
            f"OPTIONAL {{ ?o {self._type} ?k }} BIND(IF(isLiteral(?o), DATATYPE(?o), ?k) AS ?d) "
            "BIND(isIRI(?s) AS ?from) BIND(isIRI(?o) AS ?to) } "
            f"GROUP BY ?c ?d ?from ?to ORDER BY DESC(?n) LIMIT {_ROWS}"
        )
        if found.links < found.triples:
            tags = self._ask(
                f"SELECT ?d ?l (COUNT(*) AS ?n) {{ {pattern} FILTER(isLiteral(?o)) BIND(DATATYPE(?o) AS ?d) "
                f"BIND(LANG(?o) AS ?l) }} GROUP BY ?d ?l LIMIT {_ROWS}"
            )
            for row in tags:
                language, count = str(row.get("l", "")), _count(row["n"])
                found.datatypes[RDF_LANG_STRING if language else str(row.get("d", XSD + "string"))] += count
                if language:
                    found.languages[language] += count
        for row in rows:
            own, other, count = str(row.get("c", "")), str(row.get("d", "")), _count(row["n"])
            found.ends[own, other, other in found.datatypes] += count
            if own in outgoing and _is_true(row.get("to")):
                outgoing[own].lead(other, count)
            if other in incoming and _is_true(row.get("from")):
                incoming[other].lead(own, count)
        for datatype, count in found.datatypes.items():
            # Other literals than numbers and dates have no order with a meaning.
            if datatype.startswith(XSD) and kind_of(Literal("1", datatype)) != "text":
                bounds = self._ask(
                    f"SELECT (MIN(?o) AS ?least) (MAX(?o) AS ?most) {{ {pattern} FILTER(DATATYPE(?o) = <{datatype}>) }}"
                )
                for row in bounds:
                    for name, number in (("least", count), ("most", 0)):
                        if isinstance(value := row.get(name), Literal):
                            found.bounds.add(value.value, datatype, number)

    # Classes and names ------------------------------------------------------------------------------------

    def _name_things(self) -> None:
        """Count the resources that have names, and the instances of classes that do."""
        figures, naming = self._figures, self._naming
        for iri, found in figures.relations.items():
            if naming[iri] and found.links < found.triples:
                others = (
                    kind.outgoing[iri].things
                    for name, kind in figures.classes.items()
                    if iri in kind.outgoing and not names_instances(iri, name, figures)
                )
                figures.named_by[iri] = max(0, found.subjects - sum(others))
        for class_, kind in figures.classes.items():
            naming_ones = (
                cell.things
                for name, cell in kind.outgoing.items()
                if naming[name] and names_instances(name, class_, figures)
            )
            kind.named = max(naming_ones, default=0)
        if figures.named_by:
            figures.named = max(figures.named_by.values())
            names = ", ".join(f"<{name}>" for name in figures.named_by)
            counted = self._rows(
                "how many things have a name",
                f"SELECT (COUNT(DISTINCT ?s) AS ?n) {{ ?s ?p ?name FILTER(?p IN ({names})) }}",
            )
            figures.named = sum(_count(row.get("n")) for row in counted) if counted is not None else figures.named

    def _class(self, iri: str, found: ClassFigures) -> None:
        """Look at some instances without names: whether they are facts of several parts."""
        if not found.instances or found.named * 10 >= found.instances or not writable(iri):
            return
        rows = self._rows(
            "which classes are facts of several parts",
            f"SELECT ?s (COUNT(DISTINCT ?p) AS ?n) {{ {{ SELECT ?s {{ ?s {self._type} <{iri}> }} "
            f"LIMIT {_INSTANCES} }} ?s ?p ?o {_NOT_STRUCTURE.format('?p')} }} GROUP BY ?s",
        )
        bundles = sum(_count(row["n"]) > 1 and _may_be_fact(row.get("s")) for row in rows or ())
        found.bundles = round(bundles / min(_INSTANCES, found.instances) * found.instances)

    def _close_classes(self) -> None:
        """Count the instances of classes below others as those of the upper ones, too."""
        classes, above = self._figures.classes, self._figures.above
        below: dict[str, set[str]] = {}
        for name in classes:
            for upper in closure(above, [name]) - {name}:
                below.setdefault(upper, set()).add(name)
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
        closed: dict[str, ClassFigures] = {}
        for name in largest_first(sizes, _CLOSED):
            try:
                closed[name] = self._closed(name, found[name])
            except GraphError as error:
                self._failed("how many instances classes have with those below them", error)
        classes |= closed

    def _closed(self, iri: str, names: Sequence[str]) -> ClassFigures:
        found, parts = self._figures.classes[iri], [self._figures.classes[name] for name in names]
        told = sum(part.direct for part in parts)
        count = min(told, sum(self._instances(names[at : at + _BATCH]) for at in range(0, len(names), _BATCH)))
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
            _added((part.outgoing for part in parts), share),
            _added((part.incoming for part in parts), share),
        )

    def _instances(self, classes: Sequence[str]) -> int:
        names = " ".join(f"<{name}>" for name in classes)
        return self._number(f"SELECT (COUNT(DISTINCT ?s) AS ?n) {{ VALUES ?c {{ {names} }} ?s {self._type} ?c }}")

    def _places(self) -> None:
        """Ask in which named graphs relations and classes occur."""
        figures = self._figures
        asked = [(f"?s <{iri}> ?o", total.graphs) for iri, total in figures.relations.items() if writable(iri)]
        asked += [
            (f"?s {self._type} <{iri}>", found.graphs)
            for iri, found in figures.classes.items()
            if found.direct and writable(iri)
        ]
        for pattern, graphs in asked:
            if self._slow >= _SLOW and len(asked) > _BATCH:
                figures.partial.append("The named graphs of some relations and classes are not known.")
                return
            self._count_graphs("in which named graphs some relations and classes are", pattern, _BATCH, graphs)

    def _labels(self, wanted: Iterable[str]) -> dict[str, Sequence[Literal]]:
        names = list(self._figures.named_by) or list(self._naming.order)
        names.sort(key=lambda name: (self._naming.rank(name), name))
        found: dict[str, dict[Literal, None]] = {}
        terms = sorted(filter(writable, wanted))
        for at in range(0, len(terms), _BATCH):
            things = " ".join(f"<{name}>" for name in terms[at : at + _BATCH])
            properties = " ".join(f"<{name}>" for name in names)
            rows = self._rows(
                "what some terms are called",
                f"SELECT ?s ?p ?o {{ VALUES ?s {{ {things} }} VALUES ?p {{ {properties} }} "
                "?s ?p ?o FILTER(isLiteral(?o)) }",
            )
            order = sorted(rows or (), key=lambda row: (names.index(str(row["p"])), _tag(row["o"]), str(row["o"])))
            for row in order:
                if isinstance(value := row["o"], Literal):
                    found.setdefault(str(row["s"]), {})[value] = None
        return {name: list(labels) for name, labels in found.items()}

    # Asking -----------------------------------------------------------------------------------------------

    def _ask(self, query: str) -> ResultSet:
        self._pace.wait()
        result = self._graph.lookup(query)
        self._failures = 0
        return result

    def _number(self, query: str) -> int:
        return sum(_count(row.get("n")) for row in self._ask(query))

    def _rows(self, what: str, query: str, *, quiet: bool = False) -> ResultSet | None:
        """Return what a query finds; None, which is noted unless quietly, if the endpoint does not tell."""
        try:
            return self._ask(query)
        except GraphError as error:
            self._failed(what, error, quiet=quiet)
            return None

    def _failed(self, what: str, error: GraphError, *, quiet: bool = False) -> None:
        """Note a figure that the endpoint did not give; raise the error if it is one of many in a row."""
        self._failures += 1
        if self._failures >= _FAILURES:
            raise error
        if not quiet:
            logger.info("it is not known {}: {}", what, error)
            self._missing[what] += 1


def _count(term: Term | None) -> int:
    try:
        return int(float(str(term))) if term is not None else 0
    except ValueError:
        return 0


def _is_true(term: Term | None) -> bool:
    return str(term) in ("true", "1")  # Virtuoso has no booleans


def _may_be_fact(term: Term | None) -> bool:
    return term is not None and (not isinstance(term, IRI) or numbered(term.value))


def _cell(row: Mapping[str, Term]) -> Cell:
    cell = Cell(_count(row.get("n")), _count(row.get("m")), _count(row.get("most")))
    if isinstance(one := row.get("one"), IRI | Literal):
        cell.sample = sample_of(one.value, _tag(one))
    return cell


def _added(parts: Iterable[Mapping[str, Cell]], share: float) -> dict[str, Cell]:
    """Return the uses of several classes together, as if each resource was in this share of those that count it."""
    found: dict[str, Cell] = {}
    for uses in parts:
        for iri, cell in uses.items():
            found.setdefault(iri, Cell()).join(cell)
    for cell in found.values():
        cell.triples, cell.things = round(cell.triples * share), round(cell.things * share)
    return found


def _tag(term: Term) -> str:
    """Return the datatype of a literal, or ``@`` and its language; an entity has neither."""
    return f"@{term.language}" if isinstance(term, Literal) and term.language else getattr(term, "datatype", "")
