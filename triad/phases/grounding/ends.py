"""Ends: the classes at the other end of relations, as special as they can be said.

Where a graph says of each thing all classes above its own, too, the frequent classes tell nothing: everything is an
identified object. A profile counts the triples of relations by the most special classes of both ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from dataclasses import replace
from typing import Final

from triad.kg.profile import GraphProfile
from triad.kg.schema import Card, Hop

_ENOUGH: Final = 0.8  # the share of the triples that special classes have to stand for, two at most


def with_special_ends(profile: GraphProfile | None, card: Card, kinds: Set[str]) -> Card:
    """Return the schema card of things of some classes with the most special classes at the ends of its relations."""
    if profile is None:
        return card
    return tuple(
        replace(hop, classes=_special(profile, hop, kinds) or hop.classes) if hop.classes else hop for hop in card
    )


def _special(profile: GraphProfile, hop: Hop, kinds: Set[str]) -> tuple[str, ...]:
    """Return one or two classes that most of what a relation leads to is of; none where it takes more."""
    relation = profile.relation_profile(hop.relation)
    found: Counter[str] = Counter()
    for end in relation.ends if relation else ():
        own, other = (end.subject, end.object) if hop.direction == "out" else (end.object, end.subject)
        if not end.literal and own in kinds:
            found[other] += end.triples
    best = [iri for iri, count in found.most_common(2) if iri and count > (1 - _ENOUGH) / 2 * found.total()]
    return tuple(best) if sum(found[iri] for iri in best) >= _ENOUGH * found.total() else ()


def most_special(profile: GraphProfile | None, classes: tuple[str, ...]) -> list[str]:
    """Return the classes that none of the others is a kind of."""
    above = {iri for name in classes for iri in _above(profile, name)} if profile else set[str]()
    return [iri for iri in classes if iri not in above]


def _above(profile: GraphProfile, iri: str) -> set[str]:
    found: set[str] = set()
    ahead = [iri]
    while ahead:
        known = profile.class_profile(ahead.pop())
        more = set(known.superclasses if known else ()) - found - {iri}
        found |= more
        ahead += more
    return found
