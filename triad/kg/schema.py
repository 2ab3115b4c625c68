"""The neighbourhood of an entity or a class in the graph: labels, types, and schema cards.

A schema card lists the distinct relations one hop away, in both directions, each with a count and a sample value.
Linking chooses from it, and prompts and diagnoses show it. Each lookup has a bound term or a limit, so that it works on
large graphs, and is made once. What the graph's profile tells is not looked up, and a look-up that takes too long ends
with what is known.
"""

import copy
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, Self, TypeVar

from triad.errors import QueryTimeout
from triad.kg.base import KnowledgeGraph
from triad.kg.cards import HUB, Card, Direction, Hop, Look, by_frequency, in_time, look_around
from triad.kg.labels import LabelFinder, Labels, called_after, may_be_label
from triad.kg.ontology import DESCRIPTIONS, Notes
from triad.kg.profile import GraphProfile
from triad.kg.profiled import ABOVE, BELOW, SUBCLASSES, ProfiledSchema, telling
from triad.language.normalize import local_name
from triad.rdf import IRI, OWL, RDF_TYPE, RDFS, SHACL, SKOS, Literal, ResultSet, Term, count_of, writable
from triad.resources import queries

__all__ = ["DOCUMENTATION", "HUB", "SAMPLE", "Card", "Direction", "Hop", "Schema"]

SAMPLE: Final = 200
"""Instances of a class, or bindings of a variable, that stand for all of them."""
DOCUMENTATION: Final = (RDFS, OWL, SHACL, SKOS)
"""Namespaces of relations that hold names and documentation of entities, not facts."""
_BATCH: Final = 200
_MOST: Final = 20_000  # names, or cards, that are kept
_LONGEST: Final = 1_000  # characters of an IRI with its name, or with what describes it, that are kept
_written: Final = queries(__file__, type=RDF_TYPE, rdfs=RDFS, sample=SAMPLE, below=BELOW, above=ABOVE)

_WAYS: Final[tuple[Direction, ...]] = ("out", "in")
_CardKey = tuple[bool, Direction | None, str, tuple[str, ...]]
"""Whether a card is brief, its direction if it is of one alone, and what it is of."""

K = TypeVar("K")
R = TypeVar("R")


class Schema:
    """Labels, types and schema cards of a graph, looked up once each."""

    def __init__(
        self,
        graph: KnowledgeGraph,
        languages: Sequence[str] = ("en",),
        finder: LabelFinder | None = None,
        notes: Mapping[str, Notes] | None = None,
        hints: Sequence[str] = (),
    ) -> None:
        """Ask nothing yet.

        ``notes`` are what an ontology beside the graph says of its terms; ``hints`` are properties of the graph that
        describe its terms better than the well-known ones.
        """
        self.graph = graph
        self.languages = tuple(languages)
        self.finder = finder or LabelFinder(graph, Labels())
        self.notes = dict(notes or {})
        """What the ontology says of classes and relations, as far as it is known without asking the graph."""
        self._hints = tuple(hints)
        self._labels: dict[str, str] = {}
        self._descriptions: dict[str, str] = {}
        self._cards: dict[_CardKey, Card] = {}
        self._known = ProfiledSchema()
        self._kinds: dict[str, tuple[str, ...]] = {}
        self._superclasses: dict[str, tuple[str, ...]] = {}
        self._ends: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def preferring(self, language: str) -> Self:
        """Return the schema of the same graph with labels in another language first."""
        other = copy.copy(self)
        other.languages = tuple(dict.fromkeys([language, *self.languages]))
        other._labels, other._descriptions, other._cards = {}, {}, {}
        return other

    def know(self, profile: GraphProfile) -> None:
        """Take what a profile tells of the graph, so that the graph is not asked for it."""
        self.finder.learn(profile.named_by)
        self.notes |= profile.notes
        self._known = ProfiledSchema(profile, self.finder.known if self.finder.is_done else None)

    def over(self, graph: KnowledgeGraph) -> Self:
        """Return the same schema with look-ups by way of another graph that gives the same; what is found is shared."""
        other = copy.copy(self)
        other.graph = graph
        return other

    def labels(self, iris: Iterable[str]) -> dict[str, str]:
        """Return a name for each IRI: its label in the first language it has one in, or its local name."""
        named = {iri: self._labels.get(iri) for iri in iris}
        if None not in named.values():
            return named  # type: ignore[return-value]  # as they are all known
        told = {iri: self._known.names(iri) for iri, name in named.items() if name is None}
        found = {iri: self.best(names) for iri, names in told.items() if names is not None}
        if missing := [iri for iri in told if iri not in found]:
            with suppress(QueryTimeout):
                found |= dict.fromkeys(missing, "") | self._look_up_labels(missing)
        found = {iri: name or self._otherwise(iri) for iri, name in found.items()}
        _keep(self._labels, {iri: name for iri, name in found.items() if len(iri) + len(name) <= _LONGEST})
        return {iri: name or found.get(iri) or self._otherwise(iri) for iri, name in named.items()}

    def _otherwise(self, iri: str) -> str:
        """Return the name of an IRI that has no label in the graph: what its ontology calls it, or its local name."""
        note = self.notes.get(iri)
        return (note and self.best(note.labels)) or local_name(iri)

    def best(self, names: Iterable[Literal]) -> str:
        """Return the first of some names in the language that is preferred; empty if there are none."""
        texts = [name for name in names if name.value.strip()]
        return min(texts, key=self._language_rank).value if texts else ""

    @property
    def label_properties(self) -> tuple[str, ...]:
        """The properties that hold labels, the preferred one first."""
        return self.finder.labels.all

    def _look_up_labels(self, missing: Sequence[str]) -> dict[str, str]:
        was_done = self.finder.is_done
        found = self._labels_by(self.finder.known, missing)
        # The graph's own properties are looked for where they are first needed.
        if not was_done and (rest := [iri for iri in missing if iri not in found]):
            found |= self._labels_by(Labels((), self.finder.labels.own), rest)
        return found

    def _labels_by(self, properties: Labels, iris: Sequence[str]) -> dict[str, str]:
        """Return the labels that entities have by some properties."""
        if not properties.all:
            return {}
        places = {iri: (at >= len(properties.named), at) for at, iri in enumerate(properties.all)}
        names = _values(properties.all, ", ")
        found: dict[str, str] = {}
        for batch in _batches([iri for iri in iris if writable(iri)]):
            asked = _written("texts", things=_values(batch), properties=names, limit=len(batch) * 50)
            best: dict[str, tuple[bool, int, int, str]] = {}
            for row in self.graph.lookup(asked):
                label = row["o"]
                if not isinstance(label, Literal) or not label.value.strip() or str(row["p"]) not in places:
                    continue
                own, place = places[str(row["p"])]
                rank = (own, self._language_rank(label), place, label.value)
                subject = str(row["s"])
                best[subject] = min(rank, best.get(subject, rank))
            of_own = {iri: place for iri, (own, _, place, _) in best.items() if own}
            doubtful = {iri: properties.all[at] for iri, at in of_own.items() if not may_be_label(properties.all[at])}
            others = self._not_called_after(doubtful)
            found |= {iri: best[iri][-1] for iri in batch if iri in best and iri not in others}
        return found

    def _not_called_after(self, properties: Mapping[str, str]) -> set[str]:
        """Return the entities of which none of the classes is called as the property that they have a label by."""
        if not properties:
            return set()
        rows = self.graph.lookup(_written("classes of", things=_values(properties), limit=len(properties) * 20))
        classes: defaultdict[str, list[str]] = defaultdict(list)
        for row in rows:
            classes[str(row["s"])].append(str(row["c"]))
        return {iri for iri, name in properties.items() if not called_after(name, classes[iri])}

    def label(self, term: Term) -> str:
        """Return the name of an IRI, or the text of a literal."""
        return self.labels([term.value])[term.value] if isinstance(term, IRI) else term.value

    def descriptions(self, iris: Iterable[str]) -> dict[str, str]:
        """Return what describes each IRI, in the first language that it has a text in; "" where nothing does."""
        wanted = list(dict.fromkeys(iris))
        told = {iri: self.notes[iri].descriptions for iri in wanted if iri in self.notes}
        described = {iri: kept for iri in wanted if (kept := self._descriptions.get(iri)) is not None}
        described |= {iri: self.best(texts) for iri, texts in told.items() if texts}
        properties = (*self._hints, *DESCRIPTIONS)
        names = _values(properties, ", ")
        for batch in _batches([iri for iri in wanted if iri not in described and writable(iri)]):
            asked = _written("texts", things=_values(batch), properties=names, limit=len(batch) * 50)
            if (rows := in_time(self.graph, asked)) is None:
                break
            ranked = sorted(
                (self._language_rank(text), properties.index(str(row["p"])), text.value, str(row["s"]))
                for row in rows
                if isinstance(text := row["o"], Literal) and str(row["p"]) in properties
            )
            found = {iri: text for *_, text, iri in reversed(ranked)}
            described |= {iri: found.get(iri, "") for iri in batch}
        _keep(self._descriptions, {iri: text for iri, text in described.items() if len(iri) + len(text) <= _LONGEST})
        return {iri: described.get(iri, "") for iri in wanted}

    def _language_rank(self, literal: Literal) -> int:
        tag = (literal.language or "").lower()
        for rank, language in enumerate(self.languages):
            if tag == language or tag.startswith(language + "-"):
                return rank
        return len(self.languages) + bool(tag)

    def prepare(self, entities: Iterable[str] = (), classes: Iterable[str] = (), *, brief: bool = False) -> None:
        """Look up several schema cards together; they are there when they are asked for."""
        wanted = filter(writable, dict.fromkeys(entities))
        missing = [iri for iri in wanted if any((brief, way, "entities", (iri,)) not in self._cards for way in _WAYS)]

        def look(batch: Sequence[str]) -> None:
            looks = look_around(self.graph, [_one_of([iri]) for iri in batch], brief=brief)
            self._labelled([hop for look in looks.values() for hop in look.hops], brief)  # in one look-up
            for (at, way), look in looks.items():
                self._keep((brief, way, "entities", (batch[at],)), look)

        self.graph.at_once(look, list(_batches(missing, 4)))  # a few in one look-up, which takes about as long as one
        if self.graph.concurrency > 1:
            unknown = [iri for iri in dict.fromkeys(classes) if not self._known.has_card(iri)]
            self.graph.at_once(self.class_card, unknown)

    def card(self, iri: str) -> Card:
        """Return the schema card of an entity."""
        return self.joint_card([iri])

    def joint_card(self, iris: Sequence[str], *, brief: bool = False) -> Card:
        """Return one schema card for several entities, such as the bindings of a variable.

        A brief one takes a third of the time: samples have no labels, and classes are the frequent ones of a part of
        the values.
        """
        wanted = tuple(sorted({iri for iri in iris if writable(iri)})[:SAMPLE])
        if not wanted:
            return ()
        return self._card("entities", wanted, brief, _one_of(wanted))

    def class_card(self, iri: str, *, brief: bool = False) -> Card:
        """Return the schema card of a class, from a sample of its instances; ``brief`` is as for `joint_card`."""
        if not writable(iri):
            return ()
        key = (brief, None, "instances", (iri,))
        if (kept := self._cards.get(key)) is not None:
            return kept
        if self._known.has_card(iri):
            return self._kept(key, self._known.card(iri, self.labels, brief=brief))
        # An instance of a class and of one below it counts once.
        distinct = "DISTINCT " if len(self.kinds(iri)) > 1 else ""
        instances = _written("instances", distinct=distinct, pattern=self.instance_pattern("?x", iri))
        return self._card("instances", (iri,), brief, instances)

    def pattern_card(self, variable: str, where: str) -> Card:
        """Return a brief schema card for the entities that a variable stands for, which may be blank nodes."""
        sample = f"{{ SELECT DISTINCT (?{variable} AS ?x) {{ {where} }} LIMIT {SAMPLE} }}"
        return self._card("pattern", (variable, where), True, sample)

    def _card(self, kind: str, of: tuple[str, ...], brief: bool, end: str) -> Card:
        key: _CardKey = (brief, None, kind, of)
        if (known := self._cards.get(key)) is not None:
            return known
        each = {way: self._cards.get((brief, way, kind, of)) for way in _WAYS}
        missing = [way for way in _WAYS if each[way] is None]
        # What leads to the instances of a class may take too long, and what they have does not.
        for directions in [missing] if missing and kind == "entities" else [[way] for way in missing]:
            looks = look_around(self.graph, [end], directions, brief=brief)
            each |= {way: self._keep((brief, way, kind, of), looks[0, way]) for way in directions}
        hops = itertools.chain(*(part for part in each.values() if part is not None))
        card = tuple(sorted(hops, key=lambda hop: (-hop.count, hop.direction, hop.relation)))
        if all((brief, way, kind, of) in self._cards for way in _WAYS):
            _keep(self._cards, {key: card})
        return card

    def _keep(self, key: _CardKey, look: Look) -> Card:
        """Give the relations that were looked up their labels, and keep them if nothing took too long."""
        return self._kept(key, tuple(self._labelled(look.hops, brief=key[0])), look.complete)

    def _kept(self, key: _CardKey, card: Card, complete: bool = True) -> Card:
        """Return a card, and keep it if neither its relations nor their labels took too long."""
        if complete and all(iri in self._labels for iri in _named_on(card, brief=key[0])):
            _keep(self._cards, {key: card})
        return card

    def _labelled(self, hops: Sequence[Hop], brief: bool) -> list[Hop]:
        """Return relations with their labels, and with those of their samples unless the card is brief."""
        names = self.labels(_named_on(hops, brief))
        own = (names.get(hop.sample.value, "") if isinstance(hop.sample, IRI) else "" for hop in hops)
        pairs = zip(hops, own, strict=True)
        return [replace(hop, label=names[hop.relation], sample_label=name or hop.sample_label) for hop, name in pairs]

    def types(self, iri: str) -> tuple[str, ...]:
        """Return the IRIs of an entity's classes."""
        if not writable(iri):
            return ()
        rows = self._look_up(_written("types", iri=iri))
        return tuple(str(row["c"]) for row in rows if isinstance(row["c"], IRI))

    def relation_ends(self, iri: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the classes that a relation's subjects and objects have, in a sample, the most frequent first."""
        return _once(self._ends, iri, self._known.relation_ends, self._look_up_ends, ((), ()))

    def _look_up_ends(self, iri: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        ends: list[tuple[str, ...]] = []
        for end in ("?s", "?o"):
            rows = self.graph.lookup(_written("classes of ends", iri=iri, end=end))
            counts = Counter({str(row["c"]): count_of(row["n"]) for row in rows if isinstance(row.get("c"), IRI)})
            ends.append(by_frequency(counts))
        return ends[0], ends[1]

    def kinds(self, iri: str) -> tuple[str, ...]:
        """Return a class and, where needed, all subclasses that have instances, which are instances of the class.

        Subclasses are not needed where all instances in a sample have the class itself as a type, too.
        """
        return _once(self._kinds, iri, self._known.kinds, self._look_up_kinds, (iri,))

    def _look_up_kinds(self, iri: str) -> tuple[str, ...]:
        rows = self.graph.lookup(_written("below", iri=iri))
        below = sorted(str(term) for term in rows.column("c") if writable(str(term)))
        for start in range(0, len(below), SUBCLASSES):
            samples = " UNION ".join(_written("some", iri=name) for name in below[start : start + SUBCLASSES])
            if self.graph.lookup(_written("lacking", samples=samples, iri=iri)).rows:
                return (iri, *below)
        return (iri,)

    def superclasses(self, iri: str) -> tuple[str, ...]:
        """Return the IRIs of the classes right above a class, those of OWL and RDFS aside."""
        return _once(self._superclasses, iri, self._known.superclasses, self._look_up_superclasses, ())

    def _look_up_superclasses(self, iri: str) -> tuple[str, ...]:
        return telling(iri, [str(term) for term in self.graph.lookup(_written("above", iri=iri)).column("c")])

    def instance_pattern(self, variable: str, iri: str) -> str:
        """Return the SPARQL pattern that binds a variable to the instances of a class and its subclasses."""
        path = f"<{RDF_TYPE}>" + (f"/<{RDFS}subClassOf>*" if len(self.kinds(iri)) > 1 else "")
        return f"{variable} {path} {IRI(iri).n3()}"

    def best_known(self, iri: str, most: int) -> str:
        """Return the query for the things of a class that most is said of; to sort all by IRI, too, takes too long."""
        return _written("best known", pattern=self.instance_pattern("?x", iri), most=most)

    def bindings(self, variable: str, where: str) -> list[str]:
        """Return a sample of the IRIs that a variable takes in a group of patterns."""
        rows = self._look_up(f"SELECT DISTINCT ?{variable} {{ {where} }} LIMIT {SAMPLE}")
        return [term.value for term in rows.column(variable) if isinstance(term, IRI)]

    def literal_forms(self, relation: str, text: str) -> list[Literal]:
        """Return the literals of a text that a relation takes as values, whatever their language tag."""
        if not writable(relation):
            return []
        plain = Literal(text)
        tags = [Literal(text, plain.datatype, language) for language in self.languages]
        forms = " ".join(form.n3() for form in (plain, *tags))
        rows = self._look_up(f"SELECT DISTINCT ?v {{ VALUES ?v {{ {forms} }} ?s <{relation}> ?v }} LIMIT 5")
        return [term for term in rows.column("v") if isinstance(term, Literal)]

    def _look_up(self, query: str) -> ResultSet:
        return in_time(self.graph, query) or ResultSet()


def _once(kept: dict[str, R], iri: str, known: Callable[[str], R | None], look_up: Callable[[str], R], unknown: R) -> R:
    """Return what is told or found of an IRI, which is looked up once; ``unknown`` where that takes too long."""
    if (value := kept.get(iri)) is None and writable(iri):
        with suppress(QueryTimeout):
            value = known(iri)
            value = look_up(iri) if value is None else value
            _keep(kept, {iri: value} if len(iri) <= _LONGEST else {})
    return unknown if value is None else value


def _keep(kept: dict[K, R], found: Mapping[K, R]) -> None:
    """Keep what was found; when that is very much, what was kept before is forgotten."""
    if len(kept) + len(found) > _MOST:
        kept.clear()
    kept.update(itertools.islice(found.items(), _MOST))


def _named_on(hops: Sequence[Hop], brief: bool) -> list[str]:
    """Return the IRIs that are named on a card: its relations, and their samples unless it is brief."""
    samples = [hop.sample.value for hop in hops if not brief and isinstance(hop.sample, IRI)]
    return [*(hop.relation for hop in hops), *samples]


def _one_of(iris: Iterable[str]) -> str:
    return f"VALUES ?x {{ {_values(iris)} }}"


def _values(iris: Iterable[str], separator: str = " ") -> str:
    return separator.join(IRI(iri).n3() for iri in iris)


def _batches(items: Sequence[K], size: int = _BATCH) -> Iterator[Sequence[K]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
