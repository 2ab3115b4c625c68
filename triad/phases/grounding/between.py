"""Between: the relations and classes by which what a question names hangs together.

A question says "zone" and "temperature sensor", and leaves out the space and the device between them. The profile of a
graph tells which classes its relations connect: of the ways between two classes the shortest ones are meant.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from itertools import combinations
from typing import Final

from triad.kg.profile import GraphProfile
from triad.phases.grounding.ends import with_kinds
from triad.rdf import BUILT_IN

_STEPS: Final = 3  # relations of a way at most
_WAYS: Final = 8  # relations on the shortest ways between two classes, above which these tell nothing

Steps = Mapping[str, Set[tuple[str, str]]]
"""For each class the relations from or to its things, each with a class at the other end."""


def between(profile: GraphProfile, classes: Iterable[str]) -> tuple[Set[str], list[str]]:
    """Return the relations on the shortest ways between each two classes, and the classes in between, by IRI."""
    relations, inner = set[str](), dict[str, None]()
    for one, other in combinations(dict.fromkeys(classes), 2):
        starts, ends = with_kinds(profile, one), with_kinds(profile, other)
        if starts.isdisjoint(ends):
            edges = _shortest(_steps(profile), starts, ends)
            on_way = {relation for _, relation, _ in edges}
            if len(on_way) <= _WAYS:
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
