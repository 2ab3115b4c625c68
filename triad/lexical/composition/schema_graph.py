"""The schema as a network: classes, what their instances have, and the ways from one class to another.

It is made from a `GraphProfile`, and knows nothing that the profile does not say. A class has the relations of the
classes below it, too. Things of no class, among them the nodes without a name that stand for facts of several parts,
are one class with the empty IRI, so that ways lead across them as across any other class.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from heapq import heappop, heappush
from itertools import count
from typing import Final

from triad.caching import cached_property
from triad.grouping import grouped
from triad.kg.ontology import DESCRIPTIONS
from triad.kg.profile import ClassProfile, End, GraphProfile, RelationProfile
from triad.kg.schema import DOCUMENTATION
from triad.language.definitions import Defined
from triad.language.normalize import fold, local_name
from triad.lexical.nodes import STEPS
from triad.queries.comparisons import LONG_YEAR
from triad.rdf import BUILT_IN, DATED, IRI, NUMERIC, SPANS, XSD, Literal, kind_of
from triad.sparql.stated import FACT

NO_CLASS: Final = ""
"""Stands for the class of things that have none."""

_WAYS: Final = 4  # ways kept between two classes
_SEVERAL: Final = 1.5  # values for each of what has them, from which on it has several
_ALIKE: Final = 3  # things called some office, which are then offices
_CODE: Final = 3  # characters of a value that is short for a word
_RARE: Final = 0.5  # what a link costs more that no instance has; one that all have costs nothing more


@dataclass(frozen=True, slots=True)
class Link:
    """A relation between the instances of two classes, or from those of one to literals."""

    relation: str
    """Its IRI."""
    source: str
    """IRI of the class that the step starts from."""
    target: str
    """IRI of the class that it leads to."""
    forward: bool
    """True if the instances of the source are the subjects."""
    share: float
    """The share of the source's instances that have it."""
    again: bool = False
    """True if the step may be gone several times."""
    together: tuple[str, ...] = ()
    """IRIs of the relations of which any will do, if there are several."""

    @property
    def reverse(self) -> Link:
        """The step back."""
        return Link(self.relation, self.target, self.source, not self.forward, self.share, self.again)


class SchemaGraph:
    """The classes of a graph, and the relations between them."""

    def __init__(self, profile: GraphProfile, formulas: Iterable[Defined] = ()) -> None:
        self.profile = profile
        self.formulas = {one.iri: one for one in formulas}
        """Values that are worked out from others, by the relations that stand for them."""
        known = (one for one in profile.classes if not one.iri.startswith(BUILT_IN) and one.instances)
        self.classes: dict[str, ClassProfile] = {one.iri: one for one in known}
        named_by = {one.name_relation for one in self.classes.values() if one.name_relation}
        self.names = named_by.union(one.iri for one in profile.names)
        """Relations that hold names."""
        kept = self.names.union(DESCRIPTIONS)
        told = (one for one in profile.relations if not one.iri.startswith(DOCUMENTATION) or one.iri in kept)
        self.relations: dict[str, RelationProfile] = {one.iri: one for one in told}
        typed = ((iri, one) for iri, one in self.relations.items() if one.datatypes)
        self.lasting = {iri: one for iri, one in typed if SPANS.issuperset(one.datatypes)}
        """Relations whose values are durations, which are compared by their seconds."""
        self.relations |= {iri: replace(one, units=("second",)) for iri, one in self.lasting.items()}
        self.relations |= {iri: self._worked_out(one) for iri, one in self.formulas.items()}
        self._below = {iri: self._closure(iri, lambda one: one.subclasses) for iri in self.classes}
        self._above = {iri: self._closure(iri, lambda one: one.superclasses) for iri in self.classes}
        self._links: dict[str, tuple[Link, ...]] = {}
        self._least: dict[str, list[dict[str, float]]] = {}
        self._ways: dict[tuple[str, str], tuple[tuple[Link, ...], ...]] = {}

    def _closure(self, iri: str, step: object) -> frozenset[str]:
        seen, frontier = {iri}, [iri]
        while frontier:
            profiles = (self.classes.get(one) for one in frontier)
            frontier = [up for one in profiles if one for up in step(one) if up not in seen]  # type: ignore[operator]
            seen.update(frontier)
        return frozenset(seen)

    def _worked_out(self, formula: Defined) -> RelationProfile:
        """Return the profile of a formula: each thing of its class may have one number."""
        number = XSD + "decimal"
        ends = tuple(End(one, number, literal=True, triples=max(1, self.instances(one))) for one in formula.kinds)
        size = sum(end.triples for end in ends)
        types = {number: size}
        return RelationProfile(formula.iri, (), size, size, size, most_per_subject=1, ends=ends, datatypes=types)

    def is_a(self, one: str, other: str) -> bool:
        """Return whether a class is another one or below it."""
        return one == other or one in self._below.get(other, ())

    def below(self, iri: str) -> tuple[str, ...]:
        """Return the classes below a class that have instances of their own, the largest first; none if it has all."""
        if iri not in self.classes or self.classes[iri].direct == self.classes[iri].instances:
            return ()
        found = [one for one in self._below[iri] if one != iri and one in self.classes and self.classes[one].direct]
        return tuple(sorted(found, key=lambda one: (-self.classes[one].direct, one)))

    def above(self, iri: str) -> frozenset[str]:
        """Return a class with all classes above it."""
        return self._above.get(iri, frozenset({iri}))

    def above_all(self, classes: Sequence[str]) -> str | None:
        """Return the smallest class of which all of some classes are; None if there is none."""
        common = frozenset.intersection(*map(self.above, classes)) & self.classes.keys()
        return min(common, key=lambda one: (self.instances(one), one), default=None)

    def meet(self, one: str, other: str) -> bool:
        """Return whether something may be of both classes: one is the other or is below it."""
        return self.is_a(one, other) or self.is_a(other, one)

    @cached_property
    def _by_class(self) -> tuple[dict[str, list[tuple[str, str, int]]], dict[str, list[tuple[str, str, int]]]]:
        """For each class the relations, the classes at the other end and the triples: as subjects, as objects."""
        ends = [(relation.iri, end) for relation in self.relations.values() for end in relation.ends if not end.literal]
        outgoing = grouped((end.subject, (iri, end.object, end.triples)) for iri, end in ends)
        return outgoing, grouped((end.object, (iri, end.subject, end.triples)) for iri, end in ends)

    @cached_property
    def _holders(self) -> dict[str, dict[str, int]]:
        """For each relation with literal values the classes that have it, and the triples of each."""
        found: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for relation in self.relations.values():
            for end in relation.ends:
                if end.literal:
                    found[relation.iri][end.subject] = found[relation.iri].get(end.subject, 0) + end.triples
        return found

    def instances(self, iri: str) -> int:
        """Return how many instances a class has; for things of no class, how many there are."""
        return self.classes[iri].instances if iri in self.classes else max(1, self.profile.unclassed)

    def links(self, iri: str) -> tuple[Link, ...]:
        """Return the relations between a class's instances and other things, both ways, the commonest first."""
        if iri not in self._links:
            size = max(1, self.instances(iri))
            outgoing, incoming = self._by_class
            totals: defaultdict[tuple[str, str, bool], int] = defaultdict(int)
            for part in self._below.get(iri, (iri,)):
                for forward, known in ((True, outgoing), (False, incoming)):
                    for relation, other, triples in known.get(part, ()):
                        totals[relation, other, forward] += triples
            self._links[iri] = tuple(
                Link(relation, iri, other, forward, min(1.0, triples / size))
                for (relation, other, forward), triples in sorted(totals.items(), key=lambda one: (-one[1], one[0]))
            )
        return self._links[iri]

    def has(self, iri: str, relation: str) -> bool:
        """Return whether instances of a class have a relation with literal values."""
        return not self._holders.get(relation, {}).keys().isdisjoint(self._below.get(iri, (iri,)))

    def count(self, iri: str, relation: str) -> int:
        """Return how many triples the instances of a class have with a relation with literal values."""
        holders = self._holders.get(relation, {})
        return sum(holders.get(part, 0) for part in self._below.get(iri, (iri,)))

    def name_of(self, iri: str) -> str | None:
        """Return the relation that most instances of a class have their names by; None if they have none."""
        known = sorted(one for one in self.names if self.has(iri, one))
        return max(known, key=lambda one: self.count(iri, one), default=None)

    @cached_property
    def measured(self) -> frozenset[str]:
        """The classes whose things have numbers or dates."""
        values = (one for one in self.relations.values() if self.value_kind(one.iri) in ("number", "date"))
        return frozenset(end.subject for one in values for end in one.ends if end.literal)

    @cached_property
    def labelled(self) -> bool:
        """Whether things have names other than their IRIs."""
        return any(one.named for one in self.classes.values())

    def called_by_steps(self, prepositions: Collection[str]) -> dict[str, list[str]]:
        """Return by class the noun behind a preposition in the names of relations that lead to most of its things.

        What `atConcert` leads to is a concert, and so is what is called some concert, as all are that a relation has. A
        class that two nouns are found for has none.
        """
        found: defaultdict[str, list[str]] = defaultdict(list)
        for one in self.relations.values():
            before, _, noun = local_name(one.iri).lower().partition(" ")
            ends = {fold(text.value).rpartition(" ")[2] for value in one.values for text in value.labels}
            if len(ends) == 1 and len(one.values) >= _ALIKE:
                before, noun = "of", min(ends)
            named = before in prepositions and noun and one.kind == "entities"
            classes = {end.object for end in one.ends}.intersection(self.classes) if named else ()
            for cls in classes if len(classes) == 1 else ():
                if 2 * one.objects >= self.classes[cls].instances and noun not in found[cls]:
                    found[cls].append(noun)
        return {cls: nouns for cls, nouns in found.items() if len(nouns) == 1}

    def sources(self, relation: str) -> list[str]:
        """Return the classes of a relation's subjects, that of most triples first."""
        totals: defaultdict[str, int] = defaultdict(int)
        for end in self.relations[relation].ends:
            totals[end.subject] += end.triples
        return sorted(totals, key=lambda iri: (-totals[iri], iri))

    def is_literal(self, relation: str) -> bool:
        """Return whether a relation has literals as values."""
        known = self.relations.get(relation)
        return known is not None and known.kind != "entities"

    def is_counted(self, relation: str) -> bool:
        """Return whether the most by a relation is a number of things, or of texts: spoken languages, and no names."""
        if (known := self.relations.get(relation)) is None or known.kind == "entities":
            return True
        return self.value_kind(relation) == "text" and not known.functional and len(known.languages) < 2

    def is_single(self, link: Link) -> bool:
        """Return whether most things have one thing by a step."""
        known = self.relations[link.relation]
        return known.triples < _SEVERAL * (known.subjects if link.forward else known.objects)

    def leads_on(self, link: Link) -> bool:
        """Return whether the step after a step along the same relation may lead to something of the same kind."""
        reached = link.target if link.forward else link.source
        ends = self.relations[link.relation].ends
        return any(self.meet(end.subject, end.object) and self.meet(end.object, reached) for end in ends)

    def value_kind(self, relation: str) -> str:
        """Return what the values of a relation are: ``number``, ``date``, ``text`` or ``thing``."""
        known = self.relations[relation]
        if known.kind == "entities":
            return "thing"
        if known.ranges:
            best = max(known.ranges, key=lambda one: one.count)
            if 2 * best.count > sum(known.datatypes.values()):
                return best.kind
        datatype = max(known.datatypes, key=lambda one: known.datatypes[one], default="")
        return "number" if relation in self.lasting else kind_of(Literal("2000", datatype))

    @cached_property
    def amounts(self) -> dict[str, str]:
        """For each class of things that stand for one number, and each relation to these, the relation of the number.

        A price has an amount and a currency at most, and is that of one thing.
        """
        found: dict[str, str] = {}
        led: dict[str, list[RelationProfile]] = {}
        for one in (one for one in self.relations.values() if one.exclusive and one.kind == "entities"):
            classes = {end.object for end in one.ends if not end.literal}
            led.setdefault(classes.pop() if len(classes) == 1 else "", []).append(one)
        for known in (self.classes[cls] for cls in led if cls in self.classes):
            if sum(one.objects for one in led[known.iri]) < known.instances:
                continue
            own = [one.relation for one in known.outgoing if one.relation in self.relations.keys() - self.names]
            numbers = [one for one in own if self.value_kind(one) == "number"]
            if len(numbers) == 1 and len(own) <= 2 and self.count(known.iri, numbers[0]) >= known.instances:
                found |= dict.fromkeys((known.iri, *(one.iri for one in led[known.iri])), numbers[0])
        return found

    @cached_property
    def worded(self) -> Mapping[object, IRI]:
        """For each relation whose numbers are texts, in units, long or durations, what they are read as for SPARQL."""
        lasting: dict[object, IRI] = {IRI(one): IRI(XSD + "duration") for one in self.lasting}
        return lasting | {
            IRI(iri): IRI(XSD + ("double" if long else "decimal"))
            for iri, one in self.relations.items()
            if one.ranges and self.value_kind(iri) == "number"
            if (long := any(bounds.long for bounds in one.ranges)) or not NUMERIC.issuperset(_datatypes(one))
        }

    @cached_property
    def mixed(self) -> frozenset[IRI]:
        """The relations whose values are numbers or dates, but for some: "unknown", whatever its datatype says."""
        kinds = {"number": NUMERIC, "date": DATED}
        counted = ((one, sum(bounds.count for bounds in one.ranges)) for one in self.relations.values())
        some = (one for one, size in counted if 0 < size < sum(one.datatypes.values()))
        alike = (one for one in some if _datatypes(one) <= kinds.get(self.value_kind(one.iri), frozenset()))
        return frozenset(IRI(one.iri) for one in alike)

    @cached_property
    def truths(self) -> Mapping[str, tuple[Literal, Literal]]:
        """For each relation that says whether something is so, the values by which it says that it is, and is not."""
        return {iri: truths for iri, one in self.relations.items() if (truths := one.truths) is not None}

    @cached_property
    def codes(self) -> Mapping[str, tuple[str, ...]]:
        """For each relation all of whose values are short texts, these: M and F."""
        return {iri: texts for iri, texts in self.listed.items() if all(len(one) <= _CODE for one in texts)}

    @cached_property
    def listed(self) -> Mapping[str, tuple[str, ...]]:
        """For each relation all of whose values are known and are texts, these: open, closed."""
        texts = {iri: tuple(one.term.value for one in known.values) for iri, known in self.relations.items()}
        listed = (iri for iri, one in self.relations.items() if one.lists_all_values and self.value_kind(iri) == "text")
        return {iri: texts[iri] for iri in listed if texts[iri]}

    def lies_ahead(self, relation: str) -> bool:
        """Return whether dates of a relation are later than today."""
        dates = (one for one in self.relations[relation].ranges if one.kind == "date")
        return any(one.greatest.value > str(date.today()) for one in dates)

    def sample(self, relation: str) -> Literal:
        """Return a value of a relation with literal values, which tells their datatype, and whether years are long."""
        known = self.relations[relation]
        for bounds in known.ranges:
            return bounds.greatest if bounds.kind == "date" and LONG_YEAR.match(bounds.greatest.value) else bounds.least
        return next((one.term for one in known.values if isinstance(one.term, Literal)), Literal(""))

    def has_figures(self, relation: str) -> bool:
        """Return whether all values of a relation that are known have figures, as addresses and numbers do."""
        known = [one.term for one in self.relations[relation].values] if self.is_literal(relation) else [IRI("")]
        return all(any(map(str.isdigit, one.value)) for one in known or [self.sample(relation)])

    def ways(self, source: str, target: str) -> tuple[tuple[Link, ...], ...]:
        """Return the cheapest ways from one class to another, the cheapest first; a way has a step at least."""
        return self._cheapest(source, target, lambda cls: self.meet(cls, target))

    def ways_to_relation(self, source: str, relation: str) -> tuple[tuple[Link, ...], ...]:
        """Return the cheapest ways from a class to things that have a relation with literal values."""
        return self._cheapest(source, f"*{relation}", lambda cls: self.has(cls, relation))

    def _cheapest(self, source: str, end: str, is_end: Callable[[str], bool]) -> tuple[tuple[Link, ...], ...]:
        if (source, end) not in self._ways:
            self._ways[source, end] = tuple(self._search(source, end, is_end))
        return self._ways[source, end]

    def _search(self, source: str, end: str, is_end: Callable[[str], bool]) -> Iterator[tuple[Link, ...]]:
        """Yield the cheapest ways that end at some classes, by A*: what is left of a way costs at least so much."""
        if end not in self._least:
            self._least[end] = self._least_costs(is_end)
        least, order = self._least[end], count()
        queue: list[tuple[float, int, float, tuple[Link, ...]]] = [(0.0, next(order), 0.0, ())]
        found = 0
        while queue and found < _WAYS:
            _, _, cost, way = heappop(queue)
            last = way[-1] if way else None
            if last and is_end(last.target):
                found += 1
                yield way
                continue
            left = least[STEPS - len(way) - 1]
            for link in self.links(last.target if last else source):
                back = last and link.relation == last.relation and link.forward != last.forward
                if not back and link.target in left:
                    now = cost + link_cost(link)
                    heappush(queue, (now + left[link.target], next(order), now, (*way, link)))

    def _least_costs(self, is_end: Callable[[str], bool]) -> list[dict[str, float]]:
        """Return what ways of no more than 0, 1 and 2 steps to some classes cost at least, from where there are any."""
        classes = {NO_CLASS, *self.classes, *self._by_class[0], *self._by_class[1]}
        costs = [{cls: 0.0 for cls in classes if is_end(cls)}]
        for _ in range(STEPS - 1):
            links = (one for cls in classes - costs[0].keys() for one in self.links(cls) if one.target in costs[-1])
            onward = grouped((one.source, link_cost(one) + costs[-1][one.target]) for one in links)
            costs.append(costs[0] | {cls: min(found) for cls, found in onward.items()})
        return costs


def _datatypes(relation: RelationProfile) -> set[str]:
    return {end.datatype for bounds in relation.ranges for end in (bounds.least, bounds.greatest)}


def link_cost(link: Link) -> float:
    """Return what a step along a link costs that no word names: 1 and more; to a fact and on from it are one step."""
    return (1.0 + _RARE * (1.0 - link.share)) / (2 if link.relation.startswith(FACT) else 1)


def way_cost(way: Iterable[Link]) -> float:
    """Return what a way costs of whose steps no word names any."""
    return sum(map(link_cost, way))
