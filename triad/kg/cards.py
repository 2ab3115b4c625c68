"""Schema cards: the relations one hop away, looked up in the graph.

A card is asked for in two look-ups a direction: which relations there are, with counts and samples, and of which
classes the other ends are. Several entities are asked about together. Each look-up has a bound term and a limit, so
that it works on large graphs.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal as Choice

from triad.errors import QueryTimeout
from triad.kg.base import KnowledgeGraph
from triad.rdf import IRI, RDF_TYPE, ResultSet, Term, count_of, writable
from triad.resources import queries

Direction = Choice["out", "in"]
"""Whether a relation leads from an entity (``out``) or to it (``in``)."""

HUB: Final = 5_000
"""Triples of one entity that one lookup reads."""
_BRIEF: Final = 1_000  # triples whose ends' classes a brief card tells
_written: Final = queries(__file__, type=RDF_TYPE)
_ROUNDS: Final = 4  # lookups for one entity, each for relations that the earlier ones have not seen


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
    coverage: float = 1.0
    """The share of the entities looked at that have it, from 0 to 1."""


Card = tuple[Hop, ...]
"""The relations one hop from something, as far as they were read in time."""


@dataclass(slots=True)
class Look:
    """The relations in one direction, as far as they were seen."""

    hops: list[Hop] = field(default_factory=list)
    """The relations, without labels."""
    complete: bool = True
    """Whether no look-up took too long."""
    things: int = 0
    """How many entities they are of, as far as they have a type."""


def look_around(
    graph: KnowledgeGraph, ends: Sequence[str], directions: Iterable[Direction] = ("out", "in"), *, brief: bool = False
) -> dict[tuple[int, Direction], Look]:
    """Look up the relations of several groups of things together, by the place of the group and by direction.

    ``ends`` has patterns for each group that bind ``?x`` to its things. Where ``brief``, the frequent classes of a part
    of the values will do.
    """
    looks = {(at, way): Look() for at in range(len(ends)) for way in directions}
    ahead: dict[tuple[int, Direction], list[str]] = {way: [] for way in looks}
    for _ in range(_ROUNDS):
        # A frequent relation, such as the type of a class's instances, leaves no room for rare ones: those are next.
        patterns = [f"{ends[at]} {_pattern(way, seen)}" for (at, way), seen in ahead.items()]
        if (found := _one_round(graph, patterns, brief=brief)) is None:
            for way, seen in ahead.items():  # where there are some, the look-ups so far have seen most
                looks[way].complete = looks[way].complete and bool(seen)
            break
        for (way, seen), (counted, ends_of) in zip(list(ahead.items()), found, strict=True):
            look = looks[way]
            look.complete = look.complete and ends_of is not None
            # All entities have their class, so that there are as many as have a type.
            look.things = max([look.things, *(count_of(row["m"]) for row in counted if str(row.get("p")) == RDF_TYPE)])
            look.hops += _listed(counted, way[1], look.things, ends_of or {})
            ahead[way] = [*seen, *(str(row["p"]) for row in counted if writable(str(row.get("p", ""))))]
            if sum(count_of(row["n"]) for row in counted) < HUB:
                del ahead[way]
        if not ahead:
            break
    return looks


_Ends = Mapping[str, Counter[str]]  # the classes at the other end of each relation
_Round = list[tuple[list[Mapping[str, Term]], _Ends | None]]
"""For each pattern the relations, with counts and samples, and the classes at their ends, if these came in time."""


def _one_round(graph: KnowledgeGraph, patterns: Sequence[str], *, brief: bool) -> _Round | None:
    """Return what is found of triples by some patterns; None if it took too long."""

    def branches(limit: int) -> str:
        each = (_written("branch", at=at, pattern=pattern, limit=limit) for at, pattern in enumerate(patterns))
        return " UNION ".join(each)

    # Pyoxigraph takes half the time if equal values are put together first, for it looks up the classes of each anew;
    # servers have plans of their own.
    classes = "classes of equal values" if graph.concurrency == 1 else "classes"
    asked = [_written("counted", triples=branches(HUB)), _written(classes, triples=branches(_BRIEF if brief else HUB))]
    counted_rows, class_rows = graph.at_once(partial(in_time, graph), asked)
    if counted_rows is None:
        return None
    counted: list[list[Mapping[str, Term]]] = [[] for _ in patterns]
    for row in counted_rows:
        if (place := count_of(row["at"])) < len(counted):
            counted[place].append(row)
    ends: list[defaultdict[str, Counter[str]]] = [defaultdict(Counter) for _ in patterns]
    for row in class_rows or ():
        if isinstance(row.get("c"), IRI) and (place := count_of(row["at"])) < len(ends):
            ends[place][str(row["p"])][str(row["c"])] += count_of(row["n"])
    return [(rows, None if class_rows is None else of) for rows, of in zip(counted, ends, strict=True)]


def in_time(graph: KnowledgeGraph, query: str) -> ResultSet | None:
    """Return what a look-up finds; None if it takes too long."""
    try:
        return graph.lookup(query)
    except QueryTimeout:
        return None


def _pattern(direction: Direction, seen: Sequence[str]) -> str:
    others = f" FILTER(?p NOT IN ({', '.join(f'<{iri}>' for iri in seen)}))" if seen else ""
    return ("?x ?p ?y" if direction == "out" else "?y ?p ?x") + others


def _listed(counted: Iterable[Mapping[str, Term]], direction: Direction, total: int, ends: _Ends) -> Iterator[Hop]:
    for row in counted:
        relation = str(row.get("p", ""))
        if relation == RDF_TYPE or not writable(relation) or "v" not in row:
            continue
        sample = row["v"]
        sample_label = "" if isinstance(sample, IRI) else sample.value
        classes = by_frequency(ends.get(relation, Counter()))
        coverage = min(1.0, count_of(row["m"]) / total) if total else 1.0
        yield Hop(relation, "", direction, count_of(row["n"]), sample, sample_label, classes, coverage)


def by_frequency(counts: Counter[str]) -> tuple[str, ...]:
    """Return the three most frequent names; equally frequent ones are in alphabetical order."""
    return tuple(sorted(counts, key=lambda name: (-counts[name], name))[:3])
