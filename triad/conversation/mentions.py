"""Mention detection for a conversation: the names in a question that the label index knows, found by one lookup.

Only exact names of entities count, the longest first: what is found here decides whether a question stands alone, and
what later turns may point back to.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from triad.language.mentions import Place, places
from triad.language.normalize import bare, fold
from triad.language.pack import Pack
from triad.phases.context import Context
from triad.questions import Candidate, Kind
from triad.search.base import CLOSE, Lookup


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a question."""

    text: str
    start: int
    end: int
    thing: Candidate
    sure: bool = True
    """False for a name in small letters, which may be meant as a plain word."""


def names_in(context: Context, text: str, pack: Pack) -> list[Name]:
    """Return the names of entities in a text, from left to right."""
    return _found(context, text, pack, sure=True) or _found(context, text, pack, sure=False)


def _found(context: Context, text: str, pack: Pack, *, sure: bool) -> list[Name]:
    spans = places(text, pack, capitals=sure)
    found = _exact(context, text, [(span, text[slice(*span)]) for span in spans], sure=sure)
    if sure and pack.data.cases:  # Италии, which is Италия
        left = [span for span in spans if not any(span[0] < name.end and name.start < span[1] for name in found)]
        forms = [(span, form) for span in left for form in pack.nominatives(text[slice(*span)])]
        found += _exact(context, text, forms, sure=sure)
    return sorted(found, key=lambda name: name.start)


def _exact(context: Context, text: str, forms: Sequence[tuple[Place, str]], *, sure: bool) -> list[Name]:
    """Return the names that are at some places of a text in some form, none over another; the first ones win."""
    lookups = [Lookup(form, ("entity",), 3, exact=True) for _, form in forms]
    found: list[Name] = []
    for ((start, end), _), candidates in zip(forms, context.search(lookups) if lookups else (), strict=True):
        exact = next((one for one in candidates if one.score >= CLOSE and one.kind == "entity"), None)
        if exact and not any(start < name.end and name.start < end for name in found):
            found.append(Name(text[start:end], start, end, exact, sure))
    return found


def names_class(context: Context, text: str, pack: Pack, *others: Kind) -> bool:
    """Return whether a word of a text, or two of them, name a class, or something of another kind."""
    words = bare(text).split()
    telling = [word for word in words if not pack.is_idle(word)]
    pairs = [f"{one} {other}" for one, other in itertools.pairwise(words) if {one, other} <= set(telling)]
    found = context.search([Lookup(span, ("class", *others), 3, exact=True) for span in (*telling, *pairs)])
    return any(one.score >= CLOSE for items in found for one in items)


def known_in(text: str, known: Mapping[str, Candidate]) -> dict[str, Candidate]:
    """Return the names that a text has in it, with what they stand for."""
    folded = f" {fold(text)} "
    return {name: thing for name, thing in known.items() if f" {fold(name)} " in folded}
