"""The neighbourhood of an entity or a class in the graph: labels, types, and schema cards.

A schema card lists the distinct relations one hop away, in both directions, each with a count and a sample value.
Linking chooses from it, and prompts and diagnoses show it. Each lookup has a bound term or a limit, so that it works on
large graphs, and is made once.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, TypeVar
from typing import Literal as Choice

from triad.errors import QueryTimeout
from triad.kg.base import KnowledgeGraph
from triad.kg.labels import LabelFinder, Labels, called_after, may_be_label
from triad.kg.profile import GraphProfile
from triad.language.normalize import local_name
from triad.rdf import IRI, OWL, RDF, RDF_TYPE, RDFS, SKOS, Literal, ResultSet, Term, count_of, writable

__all__ = ["DOCUMENTATION", "Direction", "Hop", "Schema"]

Direction = Choice["out", "in"]
"""Whether a relation leads from an entity (``out``) or to it (``in``)."""

SAMPLE: Final = 200
"""Instances of a class, or bindings of a variable, that stand for all of them."""
SUBCLASSES: Final = 50
"""Subclasses of a class that are looked at."""
ABOVE: Final = 10
"""Classes right above a class that are looked at."""
HUB: Final = 5_000
"""Triples of one entity that one lookup reads."""
BRIEF: Final = 1_000
"""Triples whose ends' classes a brief card tells."""
_ROUNDS: Final = 4  # lookups for one entity, each for relations that the earlier ones have not seen
_STANDARD: Final = (RDFS, OWL, RDF)
DOCUMENTATION: Final = (RDFS, OWL, SKOS)
"""Namespaces of relations that hold names and documentation of entities, not facts."""
_BATCH: Final = 200

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Hop:
    """A relation one hop from an entity, as a schema card lists it."""

    relation: str
    """The relation's IRI."""
    label: str
    direction: Direction
    count: int
    """Triples with it among those that were looked at."""
    sample: Term
    """One of the values; for direction ``in`` one of the subjects."""
    sample_label: str
    """Its label; empty for an entity on a brief card."""
    classes: tuple[str, ...] = ()
    """IRIs of classes at the other end, the most frequent first."""
    partly: bool = False
    """True if entities without a class are at the other end, too."""
    coverage: float = 1.0
    """The share of the entities looked at that have it, from 0 to 1."""


class Schema:
    """Labels, types and schema cards of a graph, looked up once each."""

    def __init__(
        self, graph: KnowledgeGraph, languages: Sequence[str] = ("en",), finder: LabelFinder | None = None
    ) -> None:
        """Ask nothing yet.

        Args:
            graph: The graph.
            languages: The languages of labels, the preferred one first.
            finder: Which properties hold labels; by default the well-known ones.
        """
        self.graph = graph
        self.languages = tuple(languages)
        self.finder = finder or LabelFinder(graph, Labels())
        self._labels: dict[str, str] = {}
        self._descriptions: dict[str, str] = {}
        self._cards: dict[tuple[bool, tuple[Direction, ...], str, tuple[str, ...]], tuple[Hop, ...]] = {}
        self._kinds: dict[str, tuple[str, ...]] = {}
        self._superclasses: dict[str, tuple[str, ...]] = {}
        self._ends: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        self._lock = threading.Lock()

    def preferring(self, language: str) -> Schema:
        """Return the schema of the same graph with labels in another language first."""
        other = Schema(self.graph, tuple(dict.fromkeys([language, *self.languages])), self.finder)
        other._kinds, other._superclasses, other._ends = self._kinds, self._superclasses, self._ends
        return other

    def know(self, profile: GraphProfile) -> None:
        """Take what a profile tells of the graph, so that the graph is not asked for it.

        Args:
            profile: The profile of the graph.
        """
        above = {one.iri: _above(one.iri, one.superclasses) for one in profile.classes}
        with self._lock:
            for iri, names in above.items():
                self._superclasses.setdefault(iri, names)

    def labels(self, iris: Iterable[str]) -> dict[str, str]:
        """Return a name for each IRI: its label in the first language it has one in, or its local name."""
        wanted = list(dict.fromkeys(iris))
        missing = [iri for iri in wanted if iri not in self._labels]
        if missing:
            self._look_up_labels(missing)
        return {iri: self._labels[iri] for iri in wanted}

    @property
    def label_properties(self) -> tuple[str, ...]:
        """The properties that hold labels, the preferred one first."""
        return self.finder.labels.all

    def _look_up_labels(self, missing: Sequence[str]) -> None:
        was_done = self.finder.is_done
        found = self._labels_by(self.finder.known, missing)
        # The graph's own properties are looked for where they are first needed.
        if not was_done and (rest := [iri for iri in missing if iri not in found]):
            found |= self._labels_by(Labels((), self.finder.labels.own), rest)
        with self._lock:
            self._labels.update(found)
            for iri in missing:
                self._labels.setdefault(iri, local_name(iri))

    def _labels_by(self, properties: Labels, iris: Sequence[str]) -> dict[str, str]:
        """Return the labels that entities have by some properties."""
        if not properties.all:
            return {}
        places = {iri: (at >= len(properties.named), at) for at, iri in enumerate(properties.all)}
        names = ", ".join(f"<{name}>" for name in properties.all)
        found: dict[str, str] = {}
        for batch in _batches([iri for iri in iris if writable(iri)]):
            rows = self.graph.lookup(
                f"SELECT ?s ?p ?o {{ VALUES ?s {{ {_values(batch)} }} ?s ?p ?o FILTER(?p IN ({names})) }} "
                f"LIMIT {len(batch) * 50}"
            )
            best: dict[str, tuple[bool, int, int, str]] = {}
            for row in rows:
                label = row["o"]
                if not isinstance(label, Literal) or not label.value.strip():
                    continue
                own, place = places[str(row["p"])]
                rank = (own, self._language_rank(label), place, label.value)
                subject = str(row["s"])
                if subject not in best or rank < best[subject]:
                    best[subject] = rank
            doubtful = {
                iri: properties.all[place]
                for iri, (own, _, place, _) in best.items()
                if own and not may_be_label(properties.all[place])
            }
            others = self._not_called_after(doubtful)
            found |= {iri: best[iri][-1] for iri in batch if iri in best and iri not in others}
        return found

    def _not_called_after(self, properties: Mapping[str, str]) -> set[str]:
        """Return the entities of which none of the classes is called as the property that they have a label by."""
        if not properties:
            return set()
        rows = self.graph.lookup(
            f"SELECT ?s ?c {{ VALUES ?s {{ {_values(properties)} }} ?s <{RDF_TYPE}> ?c }} LIMIT {len(properties) * 20}"
        )
        classes: defaultdict[str, list[str]] = defaultdict(list)
        for row in rows:
            classes[str(row["s"])].append(str(row["c"]))
        return {iri for iri, name in properties.items() if not called_after(name, classes[iri])}

    def label(self, term: Term) -> str:
        """Return the name of an IRI, or the text of a literal."""
        return self.labels([term.value])[term.value] if isinstance(term, IRI) else term.value

    def descriptions(self, iris: Iterable[str]) -> dict[str, str]:
        """Return the comment on each IRI, in the first language that it has one in; "" where there is none."""
        wanted = list(dict.fromkeys(iris))
        for batch in _batches([iri for iri in wanted if iri not in self._descriptions and writable(iri)]):
            rows = self.graph.lookup(
                f"SELECT ?s ?o {{ VALUES ?s {{ {_values(batch)} }} ?s <{RDFS}comment> ?o }} LIMIT {len(batch) * 20}"
            )
            comments = [(str(row["s"]), row["o"]) for row in rows]
            ranked = sorted(
                (self._language_rank(comment), comment.value, iri)
                for iri, comment in comments
                if isinstance(comment, Literal)
            )
            found = {iri: text for _, text, iri in reversed(ranked)}
            with self._lock:
                self._descriptions.update((iri, found.get(iri, "")) for iri in batch)
        return {iri: self._descriptions.get(iri, "") for iri in wanted}

    def _language_rank(self, literal: Literal) -> int:
        tag = (literal.language or "").lower()
        for rank, language in enumerate(self.languages):
            if tag == language or tag.startswith(language + "-"):
                return rank
        return len(self.languages) + bool(tag)

    def prepare(self, entities: Iterable[str] = (), classes: Iterable[str] = ()) -> None:
        """Look up several schema cards at once, where that saves time; they are there when they are asked for."""
        calls = [(self.card, iri) for iri in entities] + [(self.class_card, iri) for iri in classes]
        if self.graph.concurrency > 1 and len(calls) > 1:
            with ThreadPoolExecutor(min(self.graph.concurrency, len(calls))) as pool:
                for _ in pool.map(lambda call: call[0](call[1]), calls):
                    pass

    def card(self, iri: str) -> tuple[Hop, ...]:
        """Return the schema card of an entity."""
        return self.joint_card([iri])

    def joint_card(
        self, iris: Sequence[str], directions: Iterable[Direction] = ("out", "in"), *, brief: bool = False
    ) -> tuple[Hop, ...]:
        """Return one schema card for several entities, such as the bindings of a variable.

        Args:
            iris: The entities.
            directions: The directions of the relations in it.
            brief: Whether samples need no labels and the frequent classes of a part of the values will do, which takes
                a third of the time.
        """
        wanted = tuple(sorted({iri for iri in iris if writable(iri)})[:SAMPLE])
        if not wanted:
            return ()
        bound = f"VALUES ?x {{ {_values(wanted)} }}"
        ends = {"out": f"{{ SELECT ?x {{ {bound} }} }}", "in": bound}
        return self._card({way: ends[way] for way in directions}, "entities", wanted, brief)

    def class_card(self, iri: str, *, brief: bool = False) -> tuple[Hop, ...]:
        """Return the schema card of a class, from a sample of its instances; ``brief`` is as for `joint_card`."""
        if not writable(iri):
            return ()
        instances = f"{{ SELECT ?x {{ {self.instance_pattern('?x', iri)} }} LIMIT {SAMPLE} }}"
        return self._card({"out": instances, "in": instances}, "instances", (iri,), brief)

    def pattern_card(self, variable: str, where: str) -> tuple[Hop, ...]:
        """Return a brief schema card for the entities that a variable stands for, which may be blank nodes."""
        sample = f"{{ SELECT DISTINCT (?{variable} AS ?x) {{ {where} }} LIMIT {SAMPLE} }}"
        return self._card({"out": sample, "in": sample}, "pattern", (variable, where), brief=True)

    def _card(self, ends: Mapping[Direction, str], kind: str, of: tuple[str, ...], brief: bool) -> tuple[Hop, ...]:
        key = (brief, tuple(ends), kind, of)
        if key not in self._cards:
            found: list[Hop] = []
            for direction, end in ends.items():
                one_way = (brief, (direction,), kind, of)
                if one_way not in self._cards:
                    hops = tuple(self._hops(end, direction, brief))
                    with self._lock:
                        self._cards[one_way] = hops
                found += self._cards[one_way]
            found.sort(key=lambda hop: (-hop.count, hop.direction, hop.relation))
            with self._lock:
                self._cards[key] = tuple(found)
        return self._cards[key]

    def _hops(self, end: str, direction: Direction, brief: bool) -> Iterator[Hop]:
        pattern = f"{end} ?x ?p ?y" if direction == "out" else f"{end} ?y ?p ?x"
        seen: list[str] = []
        total = 0
        for _ in range(_ROUNDS):
            others = f" FILTER(?p NOT IN ({', '.join(f'<{iri}>' for iri in seen)}))" if seen else ""
            triples = f"{{ SELECT ?x ?p ?y {{ {pattern}{others} }} LIMIT {HUB} }}"
            try:
                counted = self.graph.lookup(
                    f"SELECT ?p (COUNT(*) AS ?n) (COUNT(DISTINCT ?x) AS ?m) (SAMPLE(?y) AS ?v) {{ {triples} }} "
                    f"GROUP BY ?p"
                )
            except QueryTimeout:
                if not seen:
                    raise
                return  # the lookups so far have seen most of it
            # Instances all have their class, so that the frequency of types is the number of entities.
            total = max([total, *(count_of(row["m"]) for row in counted if str(row.get("p")) == RDF_TYPE)])
            typed = f"{{ SELECT ?x ?p ?y {{ {pattern}{others} }} LIMIT {BRIEF if brief else HUB} }}"
            yield from self._listed(typed, counted, direction, total, labelled=not brief)
            if sum(count_of(row["n"]) for row in counted) < HUB:
                return
            # A frequent relation, such as the type of a class's instances, leaves no room for rare ones.
            seen += [str(row["p"]) for row in counted if writable(str(row["p"]))]

    def _listed(
        self, triples: str, counted: ResultSet, direction: Direction, total: int, *, labelled: bool
    ) -> Iterator[Hop]:
        found = [row for row in counted if "p" in row and str(row["p"]) != RDF_TYPE and writable(str(row["p"]))]
        if not found:
            return
        classes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        partly: set[str] = set()
        typed = self.graph.lookup(
            f"SELECT ?p ?c (COUNT(*) AS ?n) {{ {triples} FILTER(isIRI(?y)) OPTIONAL {{ ?y <{RDF_TYPE}> ?c }} }} "
            f"GROUP BY ?p ?c LIMIT 2000"
        )
        for row in typed:
            if isinstance(row.get("c"), IRI):
                classes[str(row["p"])][str(row["c"])] += count_of(row["n"])
            else:
                partly.add(str(row["p"]))
        samples = [str(row["v"]) for row in found if labelled and isinstance(row.get("v"), IRI)]
        names = self.labels([*(str(row["p"]) for row in found), *samples])
        for row in found:
            if "v" not in row:
                continue
            relation, sample = str(row["p"]), row["v"]
            yield Hop(
                relation,
                names[relation],
                direction,
                count_of(row["n"]),
                sample,
                names.get(sample.value, "") if isinstance(sample, IRI) else sample.value,
                _most_frequent(classes[relation]),
                relation in partly,
                min(1.0, count_of(row["m"]) / total) if total else 1.0,
            )

    def types(self, iri: str) -> tuple[str, ...]:
        """Return the IRIs of an entity's classes."""
        if not writable(iri):
            return ()
        rows = self.graph.lookup(f"SELECT ?c {{ <{iri}> <{RDF_TYPE}> ?c }} LIMIT 20")
        return tuple(str(row["c"]) for row in rows if isinstance(row["c"], IRI))

    def relation_ends(self, iri: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the classes that a relation's subjects and objects have, in a sample, the most frequent first."""
        if not writable(iri):
            return ((), ())
        if iri not in self._ends:
            ends: list[tuple[str, ...]] = []
            for end in ("?s", "?o"):
                sample = f"{{ SELECT ?s ?o {{ ?s <{iri}> ?o }} LIMIT {SAMPLE} }}"
                rows = self.graph.lookup(
                    f"SELECT ?c (COUNT(*) AS ?n) {{ {sample} {end} <{RDF_TYPE}> ?c }} GROUP BY ?c LIMIT 50"
                )
                counts = Counter({str(row["c"]): count_of(row["n"]) for row in rows if isinstance(row.get("c"), IRI)})
                ends.append(_most_frequent(counts))
            self._ends[iri] = (ends[0], ends[1])
        return self._ends[iri]

    def kinds(self, iri: str) -> tuple[str, ...]:
        """Return a class and, where needed, its subclasses, whose instances are instances of the class.

        Subclasses are not needed where all instances in a sample have the class itself as a type, too.
        """
        if not writable(iri):
            return (iri,)
        if iri not in self._kinds:
            rows = self.graph.lookup(
                f"SELECT DISTINCT ?c {{ ?c <{RDFS}subClassOf>+ <{iri}> FILTER(isIRI(?c) && ?c != <{iri}>) }} "
                f"LIMIT {SUBCLASSES}"
            )
            below = sorted(str(term) for term in _column(rows) if writable(str(term)))
            samples = " UNION ".join(f"{{ SELECT ?x {{ ?x <{RDF_TYPE}> <{name}> }} LIMIT 20 }}" for name in below)
            matter = (
                samples
                and self.graph.lookup(
                    f"SELECT ?x {{ {samples} FILTER NOT EXISTS {{ ?x <{RDF_TYPE}> <{iri}> }} }} LIMIT 1"
                ).rows
            )
            self._kinds[iri] = (iri, *below) if matter else (iri,)
        return self._kinds[iri]

    def superclasses(self, iri: str) -> tuple[str, ...]:
        """Return the IRIs of the classes right above a class, those of OWL and RDFS aside."""
        if not writable(iri):
            return ()
        if iri not in self._superclasses:
            rows = self.graph.lookup(
                f"SELECT DISTINCT ?c {{ <{iri}> <{RDFS}subClassOf> ?c FILTER(isIRI(?c)) }} ORDER BY ?c LIMIT {ABOVE}"
            )
            self._superclasses[iri] = _above(iri, [str(term) for term in _column(rows)])
        return self._superclasses[iri]

    def instance_pattern(self, variable: str, iri: str) -> str:
        """Return the SPARQL pattern that binds a variable to the instances of a class and its subclasses."""
        path = f"<{RDF_TYPE}>" + (f"/<{RDFS}subClassOf>*" if len(self.kinds(iri)) > 1 else "")
        return f"{variable} {path} <{iri}>"

    def bindings(self, variable: str, where: str) -> list[str]:
        """Return a sample of the IRIs that a variable takes in a group of patterns."""
        rows = self.graph.lookup(f"SELECT DISTINCT ?{variable} {{ {where} }} LIMIT {SAMPLE}")
        return [term.value for term in _column(rows) if isinstance(term, IRI)]

    def literal_forms(self, relation: str, text: str) -> list[Literal]:
        """Return the literals of a text that a relation takes as values, whatever their language tag."""
        if not writable(relation):
            return []
        plain = Literal(text)
        tags = [Literal(text, plain.datatype, language) for language in self.languages]
        forms = " ".join(form.n3() for form in (plain, *tags))
        rows = self.graph.lookup(f"SELECT DISTINCT ?v {{ VALUES ?v {{ {forms} }} ?s <{relation}> ?v }} LIMIT 5")
        return [term for term in _column(rows) if isinstance(term, Literal)]


def _above(iri: str, superclasses: Sequence[str]) -> tuple[str, ...]:
    """Return the classes above a class that tell something, of all in alphabetical order."""
    return tuple(name for name in superclasses[:ABOVE] if name != iri and not name.startswith(_STANDARD))


def _most_frequent(counts: Counter[str]) -> tuple[str, ...]:
    """Return the three most frequent names; equally frequent ones are in alphabetical order."""
    return tuple(sorted(counts, key=lambda name: (-counts[name], name))[:3])


def _column(rows: ResultSet) -> list[Term]:
    return [row[0] for row in rows.rows if row[0] is not None]


def _values(iris: Iterable[str]) -> str:
    return " ".join(f"<{iri}>" for iri in iris)


def _batches(items: Sequence[K]) -> Iterator[Sequence[K]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]
