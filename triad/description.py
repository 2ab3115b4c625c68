"""What a graph is about: its classes, what their instances have, and questions that it surely answers.

All of it comes from the graph's profile. Without one the graph is asked, and the description is short: the classes with
most instances, and what some instances of the first few of them have.

Questions are made from the schema by templates of the language's pack. For each of them the answer is known, as the
query is known that it was made with; only those are given that the solver answers so, and with confidence.
"""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Final
from typing import Literal as Choice

from triad.answers import Answer, to_json
from triad.errors import AnswerError, QueryTimeout, ServiceError
from triad.kg.base import KnowledgeGraph
from triad.kg.lookups import LookupTime, QuestionGraph
from triad.kg.profile import ClassProfile, GraphProfile, RelationProfile, Use
from triad.kg.schema import DOCUMENTATION, Direction, Hop, Schema
from triad.language.normalize import local_name, plural
from triad.language.pack import load_pack
from triad.language.pack_schema import SchemaQuestion
from triad.language.written import unit_of, written
from triad.questions import Question
from triad.rdf import BUILT_IN, IRI, NUMERIC, RDF_TYPE, Literal, Term, count_of, is_number, kind_of, writable
from triad.sparql.stated import FACT, said_by

ValueKind = Choice["entities", "numbers", "dates", "texts", "both"]
"""What a relation leads to: entities, numbers, dates, other literals, or entities and literals."""

CLASSES: Final = 20
"""Classes that are described, those with most instances."""
RELATIONS: Final = 15
"""Relations of a class that are described, in each direction."""
# What is shown of a class and tried of its questions was chosen by eye, so that a description of DBpedia can be read on
# a page, and is made in half a minute.
_SAMPLES: Final = 3  # values of a relation, and classes at its other end
_ASKED_ABOUT: Final = 8  # classes that questions are made of
_OF_A_KIND: Final = 3  # questions of one kind that come before others
_TRIED: Final = 60  # questions
_LISTED: Final = 10  # values of an answer
_CARDS: Final = 5  # classes whose instances are looked at where there is no profile
_SAMPLED: Final = 10_000  # instances that are counted where all are too many for the server
_OWN: Final = 0.95  # the share of a relation's triples that are of a class from which its values are those of the class
_CONFIDENT: Final = 0.8  # from which an answer is sure: a calibrated confidence is right so often

_QUERIES: Final[Mapping[SchemaQuestion, str]] = {
    "count": "SELECT (COUNT(DISTINCT ?x) AS ?answer) {{ {things} }}",
    "most": "SELECT DISTINCT (?x AS ?answer) {{ {{ SELECT (MAX(?v) AS ?most) {{ {things} . ?x <{relation}> ?v }} }} "
    "{things} . ?x <{relation}> ?v FILTER(?v = ?most) }}",
    "average": "SELECT (AVG(?v) AS ?answer) {{ SELECT DISTINCT ?x ?v {{ {things} . ?x <{relation}> ?v }} }}",
    "having": "SELECT DISTINCT (?x AS ?answer) {{ {things} . ?x <{relation}> {value} }}",
    "value": "SELECT DISTINCT ?answer {{ <{thing}> <{relation}> ?answer }}",
}
"""The query that gives the answer to a question of a kind."""
_BRACKET: Final = re.compile(r"\s*\([^()]*\)$")
"""A unit behind a name: capacity (MW)."""
_PARTICIPLE: Final = re.compile(r"[^e]ed$")
"""How most English participles end: commissioned."""


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
class SureQuestion:
    """A question that the graph surely answers."""

    question: str
    answer: str
    """The answer in a line."""
    confidence: float


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
    ask: Callable[[Question], Answer],
    *,
    language: str = "en",
    questions: int = 10,
    seconds: float = 30.0,
) -> GraphDescription:
    """Describe a graph in a language, with so many questions that it surely answers, looked for so many seconds.

    Raises:
        GraphError: The graph failed.
    """
    maker = _Profiled(profile, schema, language) if profile else _Asked(schema, language)
    found = maker.description(graph)
    deadline = time.monotonic() + seconds
    occasions = _Occasions(schema, profile, found, language) if questions else ()
    sure = _sure(occasions, lambda one: _answered(one, schema.graph, ask, language), questions, deadline)
    return replace(found, questions=tuple(sure))


# With a profile -------------------------------------------------------------------------------------------


class _Profiled:
    """Describes a graph by its profile."""

    def __init__(self, profile: GraphProfile, schema: Schema, language: str) -> None:
        self._profile = profile
        self._texts = schema.descriptions({*profile.notes}) if profile.notes else {}
        self._languages = tuple(dict.fromkeys([language, *schema.languages]))
        self._language = language

    def description(self, graph: KnowledgeGraph) -> GraphDescription:
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

    def _class(self, found: ClassProfile) -> ClassDescription:
        uses: list[tuple[Direction, Use]] = [("out", use) for use in self._in_order(_by_share(found.outgoing))]
        uses += [("in", use) for use in _by_share(found.incoming)]
        relations = (self._relation(use, way) for way, use in uses if not use.relation.startswith(FACT))
        iri = said_by(found.iri)
        of = self._profile.relation_profile(iri) if iri != found.iri else None  # the relation that facts are of
        return ClassDescription(
            iri,
            self._name(found.iri, of.labels if of else found.labels),
            found.instances,
            found.statement,
            tuple(map(self._class_name, found.superclasses)),
            tuple(one for one in relations if one),
            self._texts.get(found.iri, ""),
        )

    def _in_order(self, uses: Iterable[Use]) -> list[Use]:
        """Return relations in the order that shapes give them, if any, those without a place last."""
        orders = {iri: note.order for iri, note in self._profile.notes.items() if note.order is not None}
        return sorted(uses, key=lambda use: orders.get(use.relation, math.inf))

    def _relation(self, use: Use, direction: Direction) -> RelationDescription | None:
        found = self._profile.relation_profile(use.relation)
        if found is None:
            return None
        ends: dict[str, None] = {}
        for end in found.ends:
            name = end.subject if direction == "in" else "" if end.literal else end.object
            if name:
                ends[self._class_name(name)] = None
        # Values are known of a relation, whichever class its subjects are of: those of a country are not a city's.
        own = direction == "out" and use.triples >= _OWN * found.triples
        bounds = found.ranges[0] if found.ranges and own else None
        samples = found.values[:_SAMPLES] if own or (direction == "out" and found.kind == "entities") else ()
        return RelationDescription(
            found.iri,
            self._name(found.iri, found.labels),
            direction,
            use.share,
            _kind(found) if direction == "out" else "entities",
            tuple(ends)[:_SAMPLES],
            self._text(bounds.least, found) if bounds else "",
            self._text(bounds.greatest, found) if bounds else "",
            found.units if direction == "out" else (),
            tuple(self._value(one.term, one.labels, found) for one in samples) or self._allowed(found.iri)[:_SAMPLES],
            self._texts.get(found.iri, ""),
        )

    def _allowed(self, relation: str) -> tuple[str, ...]:
        note = self._profile.notes.get(relation)
        return note.values if note else ()

    def _relations_in(self, graph: str) -> tuple[str, ...]:
        held = [one for one in self._profile.relations if one.graphs.get(graph)]
        held.sort(key=lambda one: (-one.graphs[graph], one.iri))
        return tuple(self._name(one.iri, one.labels) for one in held[:RELATIONS])

    def _value(self, term: IRI | Literal, labels: Sequence[Literal], relation: RelationProfile) -> str:
        return self._name(term.value, labels) if isinstance(term, IRI) else self._text(term, relation)

    def _text(self, value: Literal, relation: RelationProfile) -> str:
        return written(value, self._language, unit_of(value, relation.units)) or value.value

    def _class_name(self, iri: str) -> str:
        found = self._profile.class_profile(iri)
        return self._name(iri, found.labels if found else ())

    def _name(self, iri: str, labels: Iterable[Literal]) -> str:
        best = min(labels, key=lambda label: _language_rank(label, self._languages), default=None)
        return best.value if best else local_name(iri)


def _by_share(uses: Iterable[Use]) -> list[Use]:
    facts = [use for use in uses if not use.relation.startswith(DOCUMENTATION)]
    return sorted(facts, key=lambda use: (-use.share, -use.triples, use.relation))[:RELATIONS]


def _language_rank(label: Literal, languages: Sequence[str]) -> int:
    tag = (label.language or "").lower().partition("-")[0]
    return languages.index(tag) if tag in languages else len(languages) + bool(tag)


def _kind(relation: RelationProfile) -> ValueKind:
    if relation.kind != "literals":
        return relation.kind
    counts = {bounds.kind: bounds.count for bounds in relation.ranges}
    if 2 * counts.get("number", 0) > relation.triples:
        return "numbers"
    return "dates" if 2 * counts.get("date", 0) > relation.triples else "texts"


# Without a profile ----------------------------------------------------------------------------------------


class _Asked:
    """Describes a graph by what it tells in a few bounded queries."""

    def __init__(self, schema: Schema, language: str) -> None:
        self._time = LookupTime(math.inf)
        self._schema = schema.over(QuestionGraph(schema.graph, self._time))
        self._language = language
        self._texts: dict[str, str] = {}
        self._partial: list[str] = []

    def description(self, graph: KnowledgeGraph) -> GraphDescription:
        triples = None
        try:
            triples = count_of(self._schema.graph.lookup("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").column("n")[0])
        except (QueryTimeout, IndexError):
            self._partial.append("It is not known how many triples there are.")
        counts = self._classes()
        names = self._schema.labels(counts)
        self._texts = self._schema.descriptions(counts)
        classes = [
            ClassDescription(
                iri,
                names[iri],
                count,
                relations=self._relations(iri) if at < _CARDS else (),
                description=self._texts[iri],
            )
            for at, (iri, count) in enumerate(counts.items())
        ]
        return GraphDescription(
            graph.name,
            triples,
            classes=tuple(classes),
            prefixes=dict(graph.prefixes),
            short=True,
            partial=tuple(self._partial),
        )

    def _classes(self) -> dict[str, int]:
        left_out = " && ".join(f'!STRSTARTS(STR(?c), "{space}")' for space in BUILT_IN)
        whole, sample = f"?s <{RDF_TYPE}> ?c", f"{{ SELECT ?s ?c {{ ?s <{RDF_TYPE}> ?c }} LIMIT {_SAMPLED} }}"
        for part in (whole, sample):
            try:
                rows = self._schema.graph.lookup(
                    f"SELECT ?c (COUNT(*) AS ?n) {{ {part} FILTER(isIRI(?c) && {left_out}) }} GROUP BY ?c "
                    f"ORDER BY DESC(?n) ?c LIMIT {CLASSES}"
                )
            except QueryTimeout:
                continue
            if part == sample:
                self._partial.append(f"The instances of classes are those in a sample of {_SAMPLED:,}.")
            return {str(row["c"]): count_of(row["n"]) for row in rows if "c" in row and writable(str(row["c"]))}
        self._partial.append("It is not known which classes there are.")
        return {}

    def _relations(self, iri: str) -> tuple[RelationDescription, ...]:
        late = len(self._time.slow)
        card = self._schema.class_card(iri, brief=True)
        if len(self._time.slow) > late:
            self._partial.append(f"It is not known what all instances of <{iri}> have.")
        hops = tuple(hop for hop in card if not hop.relation.startswith(DOCUMENTATION))
        ends = self._schema.labels(name for hop in hops for name in hop.classes)
        samples = self._schema.labels(hop.sample.value for hop in hops if isinstance(hop.sample, IRI))
        self._texts |= self._schema.descriptions(hop.relation for hop in hops)
        found = [self._relation(hop, ends, samples) for hop in hops]
        found.sort(key=lambda one: (one.direction == "in", -one.share))
        return tuple(one for way in ("out", "in") for one in [one for one in found if one.direction == way][:RELATIONS])

    def _relation(self, hop: Hop, ends: Mapping[str, str], samples: Mapping[str, str]) -> RelationDescription:
        kinds: dict[str, ValueKind] = {"number": "numbers", "date": "dates", "text": "texts"}
        sample = ""
        kind: ValueKind = "entities"
        if isinstance(hop.sample, IRI):
            sample = samples[hop.sample.value]
        elif isinstance(hop.sample, Literal):
            sample = written(hop.sample, self._language, unit_of(hop.sample)) or hop.sample.value
            kind = kinds[kind_of(hop.sample)]
        classes = tuple(ends[name] for name in hop.classes)
        return RelationDescription(
            hop.relation,
            hop.label,
            hop.direction,
            hop.coverage,
            kind,
            classes,
            samples=(sample,) if sample else (),
            description=self._texts[hop.relation],
        )


# Questions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Occasion:
    """A question, and the query that gives its answer."""

    kind: SchemaQuestion
    text: str
    query: str


class _Occasions(Iterable[_Occasion]):
    """What a schema gives occasion to ask, one kind of question after the other, and one class after the other."""

    def __init__(
        self, schema: Schema, profile: GraphProfile | None, description: GraphDescription, language: str
    ) -> None:
        self._lookup = schema.graph.lookup
        self._schema = schema
        self._profile = profile
        self._classes = [one for one in description.classes if not one.statement][:_ASKED_ABOUT]
        self._pack = load_pack(language)
        self._language = language

    def __iter__(self) -> Iterator[_Occasion]:
        made = [self._of_class(one) for one in self._classes]
        for row in zip_longest(*made):
            yield from (one for one in row if one is not None)

    def _of_class(self, found: ClassDescription) -> Iterator[_Occasion]:
        out = [
            one for one in found.relations if one.direction == "out" and writable(one.iri) and self._is_noun(one.label)
        ]
        numbers = [one for one in out if one.kind == "numbers"]
        kinds: list[Iterable[_Occasion]] = [
            self._values(found, [one for one in out if one.kind in ("entities", "dates")]),
            [self._occasion("count", found)],
            (self._occasion("most", found, one) for one in numbers),
            self._having(found, [one for one in out if one.kind in ("entities", "texts")]),
            self._values(found, [one for one in out if one.kind in ("numbers", "texts")]),
            (self._occasion("average", found, one) for one in numbers),
        ]
        for row in zip_longest(*kinds):
            yield from (one for one in row if one is not None)

    def _occasion(
        self,
        kind: SchemaQuestion,
        found: ClassDescription,
        relation: RelationDescription | None = None,
        term: IRI | Literal | None = None,
    ) -> _Occasion:
        one = self._within(found.label)
        names = {"class": one, "classes": plural(one) if self._language == "en" else one}
        parts = {"things": self._instances(found)}
        if relation:
            names["relation"], parts["relation"] = self._within(relation.label), relation.iri
        if term:
            names["thing"] = names["value"] = self._schema.label(term)
            parts |= {"thing": term.value, "value": term.n3()}
        text = self._pack.data.schema_questions[kind].format(**names)
        return _Occasion(kind, text[:1].upper() + text[1:], _QUERIES[kind].format(**parts))

    def _within(self, name: str) -> str:
        """Return the name of a class or a relation as it stands within a sentence."""
        name = _BRACKET.sub("", name)
        if self._pack.data.capital_nouns:
            return name
        return " ".join(word.lower() if word[1:].islower() else word for word in name.split(" "))

    def _is_noun(self, name: str) -> bool:
        """Return whether the name of a relation can be what is asked for: a price, and not "located in"."""
        words = [self._pack.key(word) for word in name.split()]
        if not words or not self._pack.empty.isdisjoint((words[0], words[-1])):
            return False
        return self._language != "en" or not _PARTICIPLE.search(name)

    def _named(self, found: ClassDescription) -> bool:
        profile = self._profile.class_profile(found.iri) if self._profile else None
        return profile is None or 2 * profile.named > profile.instances

    def _instances(self, found: ClassDescription) -> str:
        return self._schema.instance_pattern("?x", found.iri)

    def _values(self, found: ClassDescription, relations: Sequence[RelationDescription]) -> Iterator[_Occasion]:
        for at, relation in enumerate(relations if self._named(found) else ()):
            # Another thing for each relation, so that the questions are not all about one.
            rows = self._lookup(
                f"SELECT DISTINCT ?x {{ {self._instances(found)} . ?x <{relation.iri}> ?v FILTER(isIRI(?x)) }} "
                f"LIMIT {at + 1}"
            )
            things = [term.value for term in rows.column("x") if isinstance(term, IRI) and writable(term.value)]
            if things:
                yield self._occasion("value", found, relation, IRI(things[-1]))

    def _having(self, found: ClassDescription, relations: Iterable[RelationDescription]) -> Iterator[_Occasion]:
        for relation in relations:
            profile = self._profile.relation_profile(relation.iri) if self._profile else None
            shared = [one.term for one in profile.values if 1 < one.count <= _LISTED] if profile else []
            if shared and (isinstance(shared[0], Literal) or writable(shared[0].value)):
                yield self._occasion("having", found, relation, shared[0])


def _sure(
    occasions: Iterable[_Occasion], ask: Callable[[_Occasion], SureQuestion | None], wanted: int, deadline: float
) -> Iterator[SureQuestion]:
    """Yield the questions that are answered right and with confidence, until there are enough or time is over."""
    found: Counter[SchemaQuestion] = Counter()
    texts: set[str] = set()
    for occasion in _in_turn(occasions, found):
        if found.total() == wanted or len(texts) == _TRIED or time.monotonic() > deadline:
            return
        if occasion.text in texts:
            continue
        texts.add(occasion.text)
        if sure := ask(occasion):
            found[occasion.kind] += 1
            yield sure


def _in_turn(occasions: Iterable[_Occasion], found: Mapping[SchemaQuestion, int]) -> Iterator[_Occasion]:
    """Yield occasions, at last those of kinds that there were some of by then."""
    postponed = []
    for occasion in occasions:
        if found[occasion.kind] < _OF_A_KIND:
            yield occasion
        else:
            postponed.append(occasion)
    yield from postponed


def _answered(
    occasion: _Occasion, graph: KnowledgeGraph, ask: Callable[[Question], Answer], language: str
) -> SureQuestion | None:
    try:
        expected = graph.lookup(occasion.query)
        if not 1 <= len(expected) <= _LISTED:
            return None
        answer = ask(Question(occasion.text, language))
    except (AnswerError, ServiceError):
        return None
    got = [value.term for value in answer.values]
    if answer.confidence < _CONFIDENT or _set_of(got) != _set_of(expected.column("answer")):
        return None
    return SureQuestion(occasion.text, answer.text, answer.confidence)


def _set_of(terms: Iterable[Term]) -> set[object]:
    return {
        round(term.number or 0.0, 6) if is_number(term) and term.datatype in NUMERIC else str(term) for term in terms
    }
