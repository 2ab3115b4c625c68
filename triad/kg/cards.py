"""Schema cards: the relations one hop away, looked up in the graph.

A card is asked for in two look-ups a direction: which relations there are, with counts and samples, and of which
classes the other ends are. Several entities are asked about together. Each look-up has a bound term and a limit, so
that it works on large graphs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from typing import Literal as Choice

from triad.errors import QueryTimeout
from triad.kg.base import KnowledgeGraph
from triad.rdf import IRI, RDF_TYPE, ResultSet, Term, count_of, writable

__all__ = ["BRIEF", "HUB", "Direction", "Hop", "Look", "by_frequency", "look_around", "look_around_each"]

Direction = Choice["out", "in"]
"""Whether a relation leads from an entity (``out``) or to it (``in``)."""

HUB: Final = 5_000
"""Triples of one entity that one lookup reads."""
BRIEF: Final = 1_000
"""Triples whose ends' classes a brief card tells."""
_ROUNDS: Final = 4  # lookups for one entity, each for relations that the earlier ones have not seen
_FREQUENT: Final = 3  # classes at the other end that are told
_ROWS: Final = 2_000  # pairs of a relation and a class that are read


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


@dataclass(slots=True)
class Look:
    """The relations in one direction, as far as they were seen."""

    hops: list[Hop] = field(default_factory=list)
    """The relations, without labels."""
    complete: bool = True
    """Whether no look-up took too long."""


@dataclass(slots=True)
class _Ends:
    """The classes at the other end of a relation."""

    classes: Counter[str] = field(default_factory=Counter)
    partly: bool = False

    def add(self, row: Mapping[str, Term]) -> None:
        if isinstance(row.get("c"), IRI):
            self.classes[str(row["c"])] += count_of(row["n"])
        else:
            self.partly = True


def look_around(graph: KnowledgeGraph, end: str, direction: Direction, *, brief: bool) -> Look:
    """Look up the relations of some things in one direction.

    Args:
        graph: The graph.
        end: A group of patterns that binds ``?x`` to the things.
        direction: Whether relations lead from them or to them.
        brief: Whether the frequent classes of a part of the values will do.
    """
    pattern = f"{end} ?x ?p ?y" if direction == "out" else f"{end} ?y ?p ?x"
    look = Look()
    seen: list[str] = []
    total = 0
    for _ in range(_ROUNDS):
        others = f" FILTER(?p NOT IN ({', '.join(f'<{iri}>' for iri in seen)}))" if seen else ""
        triples = f"{{ SELECT ?x ?p ?y {{ {pattern}{others} }} LIMIT {HUB} }}"
        try:
            counted = graph.lookup(
                f"SELECT ?p (COUNT(*) AS ?n) (COUNT(DISTINCT ?x) AS ?m) (SAMPLE(?y) AS ?v) {{ {triples} }} GROUP BY ?p"
            )
        except QueryTimeout:
            look.complete = bool(seen)  # the lookups so far have seen most of it
            return look
        # Instances all have their class, so that the frequency of types is the number of entities.
        total = max([total, *(count_of(row["m"]) for row in counted if str(row.get("p")) == RDF_TYPE)])
        typed = f"{{ SELECT ?x ?p ?y {{ {pattern}{others} }} LIMIT {BRIEF if brief else HUB} }}"
        ends = _ends(graph, typed, counted, look)
        look.hops += _listed(counted, direction, total, ends)
        if sum(count_of(row["n"]) for row in counted) < HUB:
            return look
        # A frequent relation, such as the type of a class's instances, leaves no room for rare ones.
        seen += [str(row["p"]) for row in counted if writable(str(row["p"]))]
    return look


def _ends(graph: KnowledgeGraph, triples: str, counted: ResultSet, look: Look) -> Mapping[str, _Ends]:
    ends: defaultdict[str, _Ends] = defaultdict(_Ends)
    if all(str(row.get("p")) == RDF_TYPE for row in counted):
        return ends
    try:
        for row in graph.lookup(
            f"SELECT ?p ?c (COUNT(*) AS ?n) {{ {triples} FILTER(isIRI(?y)) OPTIONAL {{ ?y <{RDF_TYPE}> ?c }} }} "
            f"GROUP BY ?p ?c LIMIT {_ROWS}"
        ):
            ends[str(row["p"])].add(row)
    except QueryTimeout:
        look.complete = False
    return ends


def _listed(
    counted: Iterable[Mapping[str, Term]], direction: Direction, total: int, ends: Mapping[str, _Ends]
) -> Iterator[Hop]:
    for row in counted:
        relation = str(row.get("p", ""))
        if relation == RDF_TYPE or not writable(relation) or "v" not in row:
            continue
        end = ends.get(relation) or _Ends()
        sample = row["v"]
        yield Hop(
            relation,
            "",
            direction,
            count_of(row["n"]),
            sample,
            "" if isinstance(sample, IRI) else sample.value,
            by_frequency(end.classes),
            end.partly,
            min(1.0, count_of(row["m"]) / total) if total else 1.0,
        )


def look_around_each(graph: KnowledgeGraph, iris: Sequence[str]) -> dict[tuple[str, Direction], Look]:
    """Look up the relations of several entities together, by entity and direction.

    What has too many triples for that, or takes too long, is left out.

    Args:
        graph: The graph.
        iris: The entities.
    """
    ways: tuple[tuple[Direction, str], ...] = (("out", "?x ?p ?y"), ("in", "?y ?p ?x"))
    branches = " UNION ".join(
        f"{{ SELECT ?x ?p ?y ({place} AS ?at) {{ VALUES ?x {{ <{iri}> }} {pattern} }} LIMIT {HUB} }}"
        for place, (iri, (_, pattern)) in enumerate((iri, way) for iri in iris for way in ways)
    )
    try:
        counted = graph.lookup(
            f"SELECT ?at ?p (COUNT(*) AS ?n) (1 AS ?m) (SAMPLE(?y) AS ?v) {{ {branches} }} GROUP BY ?at ?p"
        )
        typed = graph.lookup(
            f"SELECT ?at ?p ?c (COUNT(*) AS ?n) {{ {branches} FILTER(isIRI(?y)) OPTIONAL {{ ?y <{RDF_TYPE}> ?c }} }} "
            "GROUP BY ?at ?p ?c"
        )
    except QueryTimeout:
        return {}
    if counted.truncated or typed.truncated:
        return {}
    rows: defaultdict[int, list[Mapping[str, Term]]] = defaultdict(list)
    for row in counted:
        rows[count_of(row["at"])].append(row)
    ends: defaultdict[int, defaultdict[str, _Ends]] = defaultdict(lambda: defaultdict(_Ends))
    for row in typed:
        ends[count_of(row["at"])][str(row["p"])].add(row)
    return {
        (iri, direction): Look(list(_listed(rows[at], direction, 1, ends[at])))
        for at, (iri, (direction, _)) in enumerate((iri, way) for iri in iris for way in ways)
        if sum(count_of(row["n"]) for row in rows[at]) < HUB
    }


def by_frequency(counts: Counter[str]) -> tuple[str, ...]:
    """Return the three most frequent names; equally frequent ones are in alphabetical order."""
    return tuple(sorted(counts, key=lambda name: (-counts[name], name))[:_FREQUENT])
