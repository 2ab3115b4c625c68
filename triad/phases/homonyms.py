"""Homonyms: things of one name get names that tell them apart and that a template can copy, such as "Dune (Film)".

What stands in the brackets is a class that only one of them has, else a fact. Templates that have it are understood: of
the things of the name, those are meant that the brackets fit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from triad.language.normalize import fold
from triad.phases.context import Context
from triad.questions import Candidate

__all__ = ["distinct_names", "facts_of", "fitting", "split"]

_UNWRITABLE: Final = re.compile(r"""[<>()"{}|^`\\\n]""")
_QUALIFIED: Final = re.compile(r"(?P<name>.*\S) \((?P<by>[^()]+)\)")


def distinct_names(context: Context, things: Iterable[Candidate]) -> dict[str, str]:
    """Return a name for each thing, by its IRI, that has one name with others and something that tells it apart."""
    groups: dict[str, dict[str, Candidate]] = {}
    for thing in things:
        groups.setdefault(fold(thing.label), {})[thing.iri] = thing
    found: dict[str, str] = {}
    for group in groups.values():
        for marks_of in (_classes, _facts):
            if len(group) == 1 or group.keys() <= found.keys():
                break
            marks = {iri: marks_of(context, thing) for iri, thing in group.items()}
            shared = Counter(mark for own in marks.values() for mark in {fold(mark) for mark in own})
            for iri, own in marks.items():
                if mark := next((mark for mark in own if shared[fold(mark)] == 1), ""):
                    found.setdefault(iri, f"{group[iri].label} ({mark})")
    return found


def split(text: str) -> tuple[str, str]:
    """Return a name without its last brackets, and what stands in them; nothing twice if it has none."""
    match = _QUALIFIED.fullmatch(text)
    return (match["name"], match["by"]) if match else ("", "")


def fitting(context: Context, things: Sequence[Candidate], by: str) -> list[Candidate]:
    """Return the things of one name of which it is true what stands in brackets."""
    for marks_of in (_classes, _facts):
        if found := [thing for thing in things if fold(by) in map(fold, marks_of(context, thing))]:
            return found
    return []


def facts_of(context: Context, thing: Candidate) -> list[str]:
    """Return the relations of a thing, each with a value."""
    if thing.kind != "entity":
        return []
    arrows = {"in": "<- ", "out": ""}
    return [f"{arrows[hop.direction]}{hop.label} {hop.sample_label}" for hop in context.schema.card(thing.iri)]


def _classes(context: Context, thing: Candidate) -> list[str]:
    """Return the names of the classes of a thing, the shortest first."""
    names = context.schema.labels(thing.types)
    return _short(sorted((names[iri] for iri in thing.types), key=lambda name: (len(name.split()), name)))


def _facts(context: Context, thing: Candidate) -> list[str]:
    return _short(fact for fact in facts_of(context, thing) if not fact.startswith("<- "))


def _short(marks: Iterable[str]) -> list[str]:
    """Return what can stand in the brackets of a mention."""
    return [mark for mark in marks if len(mark) <= 40 and not _UNWRITABLE.search(mark)]
