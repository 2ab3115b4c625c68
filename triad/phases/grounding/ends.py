"""Ends: the class at the other end of a relation, as special as it can be said.

Where a graph says of each thing all classes above its own, too, the frequent classes tell nothing: everything is an
identified object. A profile counts the triples of relations by the most special classes of both ends; of these and the
classes above them, the smallest one is meant that nearly all are of.

And what lies between two classes: a question says "zone" and "temperature sensor", and leaves out the space and the
device between them. The profile tells which classes the relations connect: the shortest ways are meant.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace
from itertools import combinations
from typing import Final

from triad.errors import QueryTimeout
from triad.kg.profile import GraphProfile, reached
from triad.kg.schema import Card, Direction, Hop, Schema
from triad.rdf import BUILT_IN

_STEPS: Final = 3  # relations of a way at most
_WAYS: Final = 8  # relations on the shortest ways between two classes, above which these tell nothing

Steps = Mapping[str, Set[tuple[str, str]]]
"""For each class the relations from or to its things, each with a class at the other end."""

_NEARLY_ALL: Final = 0.9  # of a relation's triples
_TELLING: Final = 5  # triples from which on two relations with the same ends say the same
_MOST: Final = 0.7  # of a relation's triples, by two classes where none stands for nearly all


def with_special_ends(profile: GraphProfile | None, card: Card, kinds: Set[str], keeps: Callable[[Hop], bool]) -> Card:
    """Return the schema card of things of some classes with the most special classes at the ends of its relations.

    Those that do not matter are left as they are, which saves time.
    """
    if profile is None:
        return card
    ends = (
        special_ends(profile, one.relation, one.direction, kinds) if one.classes and keeps(one) else () for one in card
    )
    return tuple(replace(hop, classes=found or hop.classes) for hop, found in zip(card, ends, strict=True))


def special_ends(profile: GraphProfile, iri: str, side: Direction, kinds: Set[str] | None = None) -> tuple[str, ...]:
    """Return the classes of what a relation leads to from things of some classes, or of any; none if there are many."""
    relation = profile.relation_profile(iri)
    found: Counter[str] = Counter()
    for end in relation.ends if relation else ():
        own, other = (end.subject, end.object) if side == "out" else (end.object, end.subject)
        if (kinds is None or own in kinds) and not (end.literal and side == "out"):
            found[other] += end.triples
    total = found.total()
    del found[""]
    covered = Counter(found)
    for special, count in found.items():
        covered.update(dict.fromkeys(_above(profile, special), count))
    if all_of := [one for one, count in covered.items() if count >= _NEARLY_ALL * total]:
        return (min(all_of, key=lambda one: (_instances(profile, one), -len(_above(profile, one)), one)),)
    best = found.most_common(2)
    return tuple(one for one, _ in best) if sum(count for _, count in best) >= _MOST * total else ()


def is_below(profile: GraphProfile | None, iri: str, other: str) -> bool:
    """Return whether a class is below another one, and not above it, too."""
    return profile is not None and other in _above(profile, iri) and iri not in _above(profile, other)


def is_empty(profile: GraphProfile | None, iri: str) -> bool:
    """Return whether a class is known to have no things."""
    found = profile.class_profile(iri) if profile else None
    return found is not None and not found.instances


def with_kinds(profile: GraphProfile | None, iri: str) -> Set[str]:
    """Return a class and all classes below it."""
    if profile is None:
        return {iri}
    if (key := (with_kinds, iri)) not in profile.derived:
        below = (one.iri for one in profile.classes if iri in _above(profile, one.iri))
        profile.derived[key] = frozenset([iri, *below])
    found: Set[str] = profile.derived[key]
    return found


def _instances(profile: GraphProfile, iri: str) -> int:
    found = profile.class_profile(iri)
    return found.instances if found else 0


def _above(profile: GraphProfile, iri: str) -> Set[str]:
    if (key := (_above, iri)) not in profile.derived:
        known = profile.class_profile
        found = reached([iri], lambda name: one.superclasses if (one := known(name)) else ())
        profile.derived[key] = frozenset(filter(known, found - {iri}))
    above: Set[str] = profile.derived[key]
    return above


def without_repeated(profile: GraphProfile | None, schema: Schema, card: Card, rank: Callable[[Hop], float]) -> Card:
    """Return a schema card without relations that say what others on it say: "is part of" beside "has part".

    Of two such relations, that with the greater rank is left, and of one that holds both ways the way from here.
    """
    hops = sorted((hop for hop in card if hop.classes), key=lambda hop: (-rank(hop), hop.direction == "in"))
    dropped: set[tuple[str, str]] = set()
    for place, hop in enumerate(hops if profile else ()):
        if profile is None or (hop.relation, hop.direction) in dropped:
            continue
        for less in hops[place + 1 :]:
            turned = less.direction != hop.direction
            if less.count == hop.count and says_the_same(profile, schema, hop.relation, less.relation, turned=turned):
                dropped.add((less.relation, less.direction))
    return tuple(hop for hop in card if (hop.relation, hop.direction) not in dropped)


def says_the_same(profile: GraphProfile, schema: Schema, relation: str, other: str, *, turned: bool) -> bool:
    """Return whether two relations connect the same things, the other one turned; small ones may do so by chance."""
    one, back = profile.relation_profile(relation), profile.relation_profile(other)
    if one is None or back is None or one.triples < _TELLING:
        return False
    ends = (back.objects, back.subjects) if turned else (back.subjects, back.objects)
    if (one.triples, one.subjects, one.objects) != (back.triples, *ends):
        return False
    if (key := (says_the_same, relation, other, turned)) not in profile.derived:
        pair = f"?y <{other}> ?x" if turned else f"?x <{other}> ?y"
        query = f"ASK {{ ?x <{relation}> ?y FILTER NOT EXISTS {{ {pair} }} }}"
        try:
            profile.derived[key] = not schema.graph.lookup(query).boolean
        except QueryTimeout:
            return False
    return bool(profile.derived[key])


def between(profile: GraphProfile, classes: Iterable[str]) -> tuple[Set[str], list[str]]:
    """Return the relations on the shortest ways between each two classes, and the classes in between, by IRI."""
    relations, inner = set[str](), dict[str, None]()
    for one, other in combinations(dict.fromkeys(classes), 2):
        starts, ends = with_kinds(profile, one), with_kinds(profile, other)
        if starts.isdisjoint(ends):
            edges = _shortest(_steps(profile), starts, ends)
            if len(on_way := {relation for _, relation, _ in edges}) <= _WAYS:
                relations |= on_way
                inner |= dict.fromkeys(cls for start, _, end in edges for cls in (start, end))
                for cls in starts | ends:
                    inner.pop(cls, None)
    return relations, list(inner)


def _shortest(steps: Steps, starts: Set[str], ends: Set[str]) -> set[tuple[str, str, str]]:
    """Return the edges on the shortest ways between two sets of classes: class, relation, class."""
    layers = [set(starts)]
    seen = set(starts)
    while not seen & ends:
        ahead = {end for start in layers[-1] for _, end in steps.get(start, ())} - seen
        if not ahead or len(layers) > _STEPS:
            return set()
        layers.append(ahead)
        seen |= ahead
    found: set[tuple[str, str, str]] = set()
    reached = layers[-1] & ends
    for layer in layers[-2::-1]:
        edges = {(start, relation, end) for start in layer for relation, end in steps.get(start, ()) if end in reached}
        found |= edges
        reached = {start for start, _, _ in edges}
    return found


def _steps(profile: GraphProfile) -> Steps:
    if _steps not in profile.derived:
        steps: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        for relation in profile.relations:
            for end in relation.ends:
                if end.subject and end.object and not end.literal and not end.object.startswith(BUILT_IN):
                    steps[end.subject].add((relation.iri, end.object))
                    steps[end.object].add((relation.iri, end.subject))
        profile.derived[_steps] = dict(steps)
    found: Steps = profile.derived[_steps]
    return found
