"""What a graph is about: its classes, what their instances have, and questions that it surely answers.

All but the questions, which `triad.suggestions` makes, comes from the graph's profile, and from a query a class for
values that instances of other classes have, too. Without a profile the graph is asked, and the description is short:
the classes with most instances, and what some instances of the first few of them have.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal as Choice

from triad.answers import to_json
from triad.errors import QueryTimeout
from triad.kg.base import KnowledgeGraph
from triad.kg.cards import in_time
from triad.kg.lookups import LookupTime, QuestionGraph
from triad.kg.profile import ClassProfile, GraphProfile, RelationProfile, Use
from triad.kg.schema import DOCUMENTATION, Direction, Schema
from triad.language.normalize import local_name
from triad.language.written import is_amount, unit_of, written
from triad.rdf import BUILT_IN, IRI, RDF_TYPE, Literal, Term, count_of, kind_of, writable
from triad.sparql.stated import FACT, said_by
from triad.suggestions import Suggestions, SureQuestion

ValueKind = Choice["entities", "numbers", "dates", "texts", "both"]
"""What a relation leads to: entities, numbers, dates, other literals, or entities and literals."""

CLASSES: Final = 20
"""Classes that are described, those with most instances."""
RELATIONS: Final = 15
"""Relations of a class that are described, in each direction."""
# What is shown of a class was chosen by eye, so that a description of DBpedia can be read on a page.
_SAMPLES: Final = 3  # values of a relation, and classes at its other end
_KINDS: Final[Mapping[str, ValueKind]] = {"number": "numbers", "date": "dates", "text": "texts"}
_CARDS: Final = 5  # classes whose instances are looked at where there is no profile
_SAMPLED: Final = 10_000  # instances that are counted where all are too many for the server
_OWN: Final = 0.95  # the share of a relation's triples that are of a class from which its values are those of the class


@dataclass(frozen=True, slots=True)
class RelationDescription:
    """A relation that instances of a class have, or that leads to them."""

    iri: str
    label: str
    direction: Direction
    share: float
    """The share of the instances that have it, from 0 to 1: the completeness."""
    kind: ValueKind
    """What is at its other end."""
    classes: tuple[str, ...] = ()
    """Names of the classes at its other end, the most frequent first."""
    least: str = ""
    """The least of its numbers or dates, as people write it; known where only instances of the class have it."""
    greatest: str = ""
    units: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    """Some of its values, the most frequent first."""
    description: str = ""
    """What the ontology says that it means."""


@dataclass(frozen=True, slots=True)
class ClassDescription:
    """A class and what its instances have."""

    iri: str
    label: str
    instances: int
    """Those of the classes below it are among them."""
    statement: bool = False
    """True if the instances are facts of several parts, which have no names of their own."""
    above: tuple[str, ...] = ()
    """Names of the classes right above it."""
    relations: tuple[RelationDescription, ...] = ()
    """Those that most instances have first, or in the order of a shape; those that lead to the instances follow."""
    description: str = ""
    """What the ontology says that it means."""


@dataclass(frozen=True, slots=True)
class NamedGraph:
    """A part of the graph that has a name."""

    iri: str
    triples: int
    relations: tuple[str, ...] = ()
    """Names of some of its relations."""


@dataclass(frozen=True, slots=True)
class GraphDescription:
    """What a graph is about."""

    name: str
    """The path or the address of the graph."""
    triples: int | None = None
    """None where the graph is too slow to count them."""
    things: int | None = None
    """Entities that it says something of; None where that is not known."""
    classes: tuple[ClassDescription, ...] = ()
    """Those with most instances."""
    more_classes: int = 0
    """How many other classes have instances."""
    graphs: tuple[NamedGraph, ...] = ()
    """Its named graphs, the largest first."""
    languages: Mapping[str, int] = field(default_factory=dict)
    """How many names it has in each language, by tag; names without one are under an empty tag."""
    questions: tuple[SureQuestion, ...] = ()
    """Questions that it surely answers."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """Namespaces by prefix, as its files have them."""
    short: bool = False
    """True if it has no profile, so that the graph itself was asked."""
    partial: tuple[str, ...] = ()
    """What could not be found out, in sentences."""

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the description as JSON text; `triad.answers.from_json` reads it."""
        return to_json(self, indent=indent)


def describe(
    graph: KnowledgeGraph,
    schema: Schema,
    profile: GraphProfile | None,
    suggestions: Suggestions,
    *,
    language: str = "en",
    questions: int = 10,
    seconds: float = 30.0,
) -> GraphDescription:
    """Describe a graph in a language, with so many questions that it surely answers, looked for so many seconds.

    Raises:
        GraphError: The graph failed.
    """
    found = _Describer(schema, profile, language).description(graph)
    classes = (one.iri for one in found.classes if not one.statement)
    return replace(found, questions=tuple(suggestions.of_classes(classes, questions, seconds)))


class _Describer:
    """Describes a graph by its profile; one without a profile by what it tells in a few bounded queries."""

    def __init__(self, schema: Schema, profile: GraphProfile | None, language: str) -> None:
        self._time = LookupTime(math.inf)
        self._schema = schema.over(QuestionGraph(schema.graph, self._time))
        self._asks = profile is None
        self._profile = profile or GraphProfile()
        self._notes = self._profile.notes
        self._language = language
        self._texts = schema.descriptions({*self._notes}) if self._notes else {}
        self._partial: list[str] = []

    def description(self, graph: KnowledgeGraph) -> GraphDescription:
        if self._asks:
            return self._asked(graph)
        profile = self._profile
        classes = [one for one in profile.classes if one.instances and not one.iri.startswith(BUILT_IN)]
        return GraphDescription(
            graph.name,
            profile.triples,
            profile.things,
            tuple(map(self._class, classes[:CLASSES])),
            max(0, len(classes) - CLASSES),
            tuple(NamedGraph(name, profile.graphs[name], self._relations_in(name)) for name in profile.sources),
            profile.languages,
            prefixes=profile.prefixes,
            partial=profile.partial,
        )

    def _asked(self, graph: KnowledgeGraph) -> GraphDescription:
        triples = None
        try:
            triples = count_of(self._schema.graph.lookup("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").column("n")[0])
        except (QueryTimeout, IndexError):
            self._partial.append("It is not known how many triples there are.")
        counts = self._counts()
        self._texts = self._schema.descriptions(counts)
        names = self._schema.labels(counts)
        classes: list[ClassDescription] = []
        for iri, count in counts.items():
            relations = self._looked_up(iri) if len(classes) < _CARDS else ()
            classes.append(ClassDescription(iri, names[iri], count, relations=relations, description=self._texts[iri]))
        prefixes, partial = dict(graph.prefixes), tuple(self._partial)
        return GraphDescription(
            graph.name, triples, classes=tuple(classes), prefixes=prefixes, short=True, partial=partial
        )

    # Classes

    def _class(self, found: ClassProfile) -> ClassDescription:
        uses: list[tuple[Direction, Use]] = [("out", use) for use in self._in_order(_by_share(found.outgoing))]
        uses += [("in", use) for use in _by_share(found.incoming)]
        values = self._values_of(found.iri, (use for way, use in uses if way == "out"))
        told = (self._relation(use, way, values) for way, use in uses if not use.relation.startswith(FACT))
        iri = said_by(found.iri)
        of = self._profile.relation_profile(iri) if iri != found.iri else None  # the relation that facts are of
        return ClassDescription(
            iri,
            self._name(found.iri, of.labels if of else found.labels),
            found.instances,
            found.statement,
            tuple(map(self._class_name, found.superclasses)),
            tuple(one for one in told if one),
            self._texts.get(found.iri, ""),
        )

    def _in_order(self, uses: Iterable[Use]) -> list[Use]:
        """Return relations in the order that shapes give them, if any, those without a place last."""
        orders = {iri: note.order for iri, note in self._notes.items() if note.order is not None}
        return sorted(uses, key=lambda use: orders.get(use.relation, math.inf))

    def _counts(self) -> dict[str, int]:
        left_out = " && ".join(f'!STRSTARTS(STR(?c), "{space}")' for space in BUILT_IN)
        whole, sample = f"?s <{RDF_TYPE}> ?c", f"{{ SELECT ?s ?c {{ ?s <{RDF_TYPE}> ?c }} LIMIT {_SAMPLED} }}"
        for part in (whole, sample):
            rows = in_time(
                self._schema.graph,
                f"SELECT ?c (COUNT(*) AS ?n) {{ {part} FILTER(isIRI(?c) && {left_out}) }} GROUP BY ?c "
                f"ORDER BY DESC(?n) ?c LIMIT {CLASSES}",
            )
            if rows is None:
                continue
            if part == sample:
                self._partial.append(f"The instances of classes are those in a sample of {_SAMPLED:,}.")
            return {str(row["c"]): count_of(row["n"]) for row in rows if "c" in row and writable(str(row["c"]))}
        self._partial.append("It is not known which classes there are.")
        return {}

    # Relations

    def _values_of(self, iri: str, uses: Iterable[Use]) -> dict[str, tuple[Term, ...]]:
        """Return the least and the greatest value, and another one, of what instances of other classes have, too."""
        known = ((use, self._profile.relation_profile(use.relation)) for use in uses if writable(use.relation))
        shared = [use.relation for use, one in known if one and not _is_own(use, one)]
        if not shared or not writable(iri) or self._time.slow:
            return {}
        query = (
            "SELECT ?p (MIN(?v) AS ?least) (MAX(?v) AS ?greatest) (SAMPLE(?v) AS ?one) "
            f"{{ VALUES ?p {{ {' '.join(f'<{one}>' for one in shared)} }} {self._schema.instance_pattern('?s', iri)} . "
            "?s ?p ?v } GROUP BY ?p"
        )
        rows = in_time(self._schema.graph, query) or ()
        names = ("least", "greatest", "one")
        return {str(row["p"]): tuple(row[name] for name in names) for row in rows if row.keys() >= {*names}}

    def _relation(self, use: Use, way: Direction, values: Mapping[str, tuple[Term, ...]]) -> RelationDescription | None:
        found = self._profile.relation_profile(use.relation)
        if found is None:
            return None
        classes = (one.subject if way == "in" else "" if one.literal else one.object for one in found.ends)
        ends = dict.fromkeys(self._class_name(iri) for iri in classes if iri)
        # Values are known of a relation, whichever class its subjects are of: those of a country are not a city's.
        own = way == "out" and _is_own(use, found)
        bounds: list[IRI | Literal] = [found.ranges[0].least, found.ranges[0].greatest] if found.ranges and own else []
        samples = [(one.term, one.labels) for one in found.values[:_SAMPLES]] if own else []
        if way == "out" and not own:
            several = [one for one in values.get(found.iri, ()) if isinstance(one, IRI | Literal)]
            kinds = {kind_of(one) if isinstance(one, Literal) else "" for one in several}
            bounds = several[:2] if kinds in ({"number"}, {"date"}) else []
            samples = [(one, ()) for one in dict.fromkeys(several[len(bounds) :])]
        amount = any(isinstance(one, Literal) and kind_of(one) == "number" and is_amount(one) for one in bounds)

        def value(term: IRI | Literal, labels: Sequence[Literal] = ()) -> str:
            return self._value(term, found.units, labels, amount=amount)

        allowed = self._notes[found.iri].values if found.iri in self._notes else ()
        return RelationDescription(
            found.iri,
            self._name(found.iri, found.labels),
            way,
            use.share,
            _kind(found) if way == "out" else "entities",
            tuple(ends)[:_SAMPLES],
            value(bounds[0]) if bounds else "",
            value(bounds[1]) if bounds else "",
            found.units if way == "out" else (),
            tuple(value(*one) for one in samples) or allowed[:_SAMPLES],
            self._texts.get(found.iri, ""),
        )

    def _relations_in(self, graph: str) -> tuple[str, ...]:
        held = [one for one in self._profile.relations if one.graphs.get(graph)]
        held.sort(key=lambda one: (-one.graphs[graph], one.iri))
        return tuple(self._name(one.iri, one.labels) for one in held[:RELATIONS])

    def _looked_up(self, iri: str) -> tuple[RelationDescription, ...]:
        late = len(self._time.slow)
        card = self._schema.class_card(iri)
        if len(self._time.slow) > late:
            self._partial.append(f"It is not known what all instances of <{iri}> have.")
        hops = [hop for hop in card if not hop.relation.startswith(DOCUMENTATION)]
        hops.sort(key=lambda hop: -hop.coverage)
        names = self._schema.labels(name for hop in hops for name in hop.classes)
        self._texts |= self._schema.descriptions(hop.relation for hop in hops)
        return tuple(
            RelationDescription(
                hop.relation,
                hop.label,
                hop.direction,
                hop.coverage,
                _KINDS[kind_of(hop.sample)] if isinstance(hop.sample, Literal) else "entities",
                tuple(names[name] for name in hop.classes),
                samples=(self._value(hop.sample),) if isinstance(hop.sample, IRI | Literal) else (),
                description=self._texts[hop.relation],
            )
            for way in ("out", "in")
            for hop in [hop for hop in hops if hop.direction == way][:RELATIONS]
        )

    # Names

    def _value(
        self, term: IRI | Literal, units: Sequence[str] = (), labels: Sequence[Literal] = (), *, amount: bool = False
    ) -> str:
        if isinstance(term, IRI):
            return self._name(term.value, labels) if labels else self._schema.label(term)
        return written(term, self._language, unit_of(term, units), amount=amount) or term.value

    def _class_name(self, iri: str) -> str:
        found = self._profile.class_profile(iri)
        return self._name(iri, found.labels if found else ())

    def _name(self, iri: str, labels: Iterable[Literal]) -> str:
        return self._schema.best(labels) or local_name(iri)


def _is_own(use: Use, relation: RelationProfile) -> bool:
    return use.triples >= _OWN * relation.triples


def _by_share(uses: Iterable[Use]) -> list[Use]:
    facts = [use for use in uses if not use.relation.startswith(DOCUMENTATION)]
    return sorted(facts, key=lambda use: (-use.share, -use.triples, use.relation))[:RELATIONS]


def _kind(relation: RelationProfile) -> ValueKind:
    if relation.kind != "literals":
        return relation.kind
    counts = {bounds.kind: bounds.count for bounds in relation.ranges}
    if 2 * counts.get("number", 0) > relation.triples:
        return "numbers"
    return "dates" if 2 * counts.get("date", 0) > relation.triples else "texts"
