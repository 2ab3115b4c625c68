"""How the triples of each relation are kept: literals apart from links, links apart by the classes that they lead to.

A relation with a single value for each thing becomes a column of the tables of its things; one with several values a
table of its own. Links that lead to things of one class name its table; where no class has them all, each class gets a
column or a table, and where that takes too many, things of several classes are in one.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from triad.grouping import grouped
from triad.indexing.triples import fill
from triad.resources import statements
from triad.retrieval.tables.staging import NO_CLASS, Staging

MIXED: Final = -1
"""Stands for targets of several classes."""
OUTSIDE: Final = -2
"""Stands for targets that the graph says nothing about, none of them: addresses of pictures and pages."""
_SQL: Final = statements(__file__)


@dataclass(slots=True)
class RelationPart:
    """The triples of a relation that are kept in one way."""

    number: int
    relation: str
    literal: bool
    target: int = NO_CLASS
    """The class of the targets, by number, `MIXED` or `OUTSIDE`."""
    alone: bool = True
    """Whether no other part of the relation has links."""
    triples: int = 0
    things: int = 0
    """Things that have a value."""
    single: bool = True
    """Whether no thing has two values."""
    strays: int = 0
    """Targets of no class, among those of a class."""
    subjects: Counter[int] = field(default_factory=Counter)
    """For each class, and for no class, how many of its things have a value."""
    column_of: set[int] = field(default_factory=set)
    """The classes, and no class, whose tables have a column for it."""
    own_table: bool = False
    """Whether it has a table of its own."""


def find_parts(staging: Staging) -> list[RelationPart]:
    """Sort the triples into parts: the table ``fact(s, k, o, d, lang, part)``; things without triples become rows."""
    run = staging.database.execute
    names = {number: iri for iri, number in staging.relations.items() if iri not in staging.typed_by}
    parts: list[RelationPart] = []
    routes: list[tuple[int, int, int]] = []
    for (p,) in run(_SQL["literals"]).fetchall():
        if p in names:
            routes.append((p, -1, len(parts)))
            parts.append(RelationPart(len(parts), names[p], literal=True))
    led: defaultdict[int, dict[int | None, int]] = defaultdict(dict)
    for p, k, count in run(_SQL["led"]).fetchall():
        if p in names:
            led[p][k] = count
    for p, counts in sorted(led.items()):
        ways = _targets(counts, staging.kinds, staging.sizes)
        found: dict[int, RelationPart] = {}
        for k, target in ways.items():
            if target not in found:
                found[target] = RelationPart(len(parts), names[p], False, target, alone=len(set(ways.values())) == 1)
                parts.append(found[target])
            if target > NO_CLASS and not staging.kinds[k or NO_CLASS]:
                found[target].strays += counts[k]
            routes.append((p, -2 if k is None else k, found[target].number))
    fill(staging.database, "route", {"p": "INTEGER", "way": "INTEGER", "part": "INTEGER"}, routes)
    run(_SQL["fact"])
    run(_SQL["stub"], [[part.number for part in parts if not part.literal and part.target != OUTSIDE]])
    run(_SQL["fan"])
    for number, triples, things, most in run(_SQL["counts"]).fetchall():
        parts[number].triples, parts[number].things, parts[number].single = triples, things, most == 1
    for number, c, count in run(_SQL["subjects"]).fetchall():
        parts[number].subjects[c] = count
    run("DROP TABLE fan")
    _decide(parts)
    return [part for part in parts if part.triples]


def _targets(
    counts: Mapping[int | None, int], kinds: Mapping[int, tuple[int, ...]], sizes: Mapping[int, int]
) -> dict[int | None, int]:
    """Return for each set of classes that links lead to the class whose table they name."""
    if not (known := {k: count for k, count in counts.items() if k is not None}):
        return dict.fromkeys(counts, OUTSIDE)
    left = {k: count for k, count in known.items() if kinds[k]}
    ways: dict[int | None, int] = {}
    chosen: list[int] = []
    while left:
        if len(chosen) == 4:  # classes that a relation has columns or tables of their own for, at most
            return dict.fromkeys(counts, MIXED)
        covered: Counter[int] = Counter()
        for k, count in left.items():
            covered.update(dict.fromkeys(kinds[k], count))
        best = min(covered, key=lambda c: (-covered[c], sizes[c], c))
        chosen.append(best)
        ways |= dict.fromkeys((k for k in left if best in kinds[k]), best)
        left = {k: count for k, count in left.items() if best not in kinds[k]}
    rest = chosen[0] if len(chosen) == 1 else NO_CLASS
    return {k: ways.get(k, rest) for k in counts}


def _decide(parts: Sequence[RelationPart]) -> None:
    """Decide what is a column and what a table; what there is no room for stays a fact."""
    several = sorted((part for part in parts if part.triples and not part.single), key=lambda one: -one.triples)
    for part in several[:400]:  # relations that have a table of their own, at most
        part.own_table = True
    wide = grouped((c, (-count, one.number)) for one in parts if one.single for c, count in one.subjects.items())
    for c, found in wide.items():
        for _, number in sorted(found)[:120]:  # columns that a class has for relations, at most
            parts[number].column_of.add(c)
