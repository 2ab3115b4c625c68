"""Which names of the graph a question has in it, found in the label index by one look-up.

Only exact names of entities count, the longest first: what is found here decides whether a question stands alone, and
what later turns may point back to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triad.language.normalize import CAPITALS, fold
from triad.language.pack import Pack
from triad.phases.context import Context
from triad.questions import Candidate
from triad.search.base import CLOSE, Lookup

__all__ = ["Name", "guessed_name", "known_in", "names_in", "parts_of_names"]

_LONGEST: Final = 14  # words of a name
_SPANS: Final = 60  # spans that are looked up at most
_WORD = re.compile(r"[^\s?!¿¡؟।،\"“”«»*]+")
_QUOTED = re.compile(r"[\"“«‘*'](?P<name>[^\"“”«»*]{2,}?)[\"”»’*'](?!\w)")
_RUN = re.compile(rf"(?<!\w)[{CAPITALS}][\w-]*(?: (?:[a-zà-ÿ]{{1,3}} )?[{CAPITALS}][\w-]*)*")
_ELIDED = re.compile(r"(\w{1,5})['’](?=\w)")
_EDGE = " ,.;:'’‘?!؟।،"


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
    """Return the names of entities in a text, from left to right.

    Raises:
        SearchError: The label index failed.
    """
    return _found(context, text, _big(text, pack), True) or _found(context, text, _plain(text, pack), False)


def _found(context: Context, text: str, spans: Sequence[tuple[int, int]], sure: bool) -> list[Name]:
    if not spans:
        return []
    lookups = [Lookup(text[start:end], ("entity",), 3, exact=True) for start, end in spans]
    found: list[Name] = []
    for (start, end), candidates in zip(spans, context.search(lookups), strict=True):
        exact = [one for one in candidates if one.score >= CLOSE and one.kind == "entity"]
        if exact and not any(start < name.end and name.start < end for name in found):
            found.append(Name(text[start:end], start, end, exact[0], sure))
    return sorted(found, key=lambda name: name.start)


def guessed_name(text: str, pack: Pack) -> str | None:
    """Return what is most likely a name that the index does not have: a quote, or a run between capitals."""
    quoted = _QUOTED.search(text)
    spans = [quoted.span("name")] if quoted else _big(text, pack)
    name = text[slice(*spans[0])] if spans else ""
    return name if any(char.isupper() for char in name) else None


def parts_of_names(text: str, names: Iterable[str], pack: Pack) -> Iterator[tuple[int, int, str]]:
    """Yield the places where capitals are a part of a name, with the name: Kubrick, of Stanley Kubrick."""
    for match in _RUN.finditer(text):
        start, end = match.span()
        while pack.is_idle(text[start:end].split()[0]) and " " in text[start:end]:
            start += text[start:end].index(" ") + 1
        said = set(fold(text[start:end]).split()) - pack.idle
        if said and max(map(len, said)) > 2:
            name = next((name for name in names if said < set(fold(name).split())), None)
            if name is not None:
                yield start, end, name


def known_in(text: str, known: Mapping[str, Candidate]) -> dict[str, Candidate]:
    """Return the names that a text has in it, with what they stand for."""
    said = f" {fold(text)} "
    return {name: thing for name, thing in known.items() if f" {fold(name)} " in said}


def _big(text: str, pack: Pack) -> list[tuple[int, int]]:
    """Return the places where a name may be: quotes and runs between capitals, the longest first."""
    tokens = _tokens(text, pack)
    edges = [at for at, (start, end) in enumerate(tokens) if _is_big(text[start:end], pack)]
    return _limited([*(match.span("name") for match in _QUOTED.finditer(text)), *_runs(tokens, edges, text, pack)])


def _plain(text: str, pack: Pack) -> list[tuple[int, int]]:
    """Return the places where a name in small letters may be, the longest first."""
    tokens = _tokens(text, pack)
    edges = [at for at, (start, end) in enumerate(tokens) if not pack.is_idle(text[start:end])]
    return _limited(_runs(tokens, edges, text, pack))


def _tokens(text: str, pack: Pack) -> list[tuple[int, int]]:
    spans = (_trimmed(text, *match.span(), pack) for match in _WORD.finditer(text))
    return [(start, end) for start, end in spans if end > start]


def _limited(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return sorted(dict.fromkeys(spans), key=lambda span: span[0] - span[1])[:_SPANS]


def _runs(tokens: list[tuple[int, int]], edges: list[int], text: str, pack: Pack) -> Iterator[tuple[int, int]]:
    """Yield the runs of words that start and end at an edge, each also with the full stop or bracket behind it.

    A small word with a capital in front of a run may belong to it, as the article of a title does.
    """
    for at, first in enumerate(edges):
        for last in edges[at : at + _LONGEST]:
            if last < first + _LONGEST:
                start, end = tokens[first][0], tokens[last][1]
                yield _trimmed(text, start, end, pack)
                if first and text[tokens[first - 1][0]].isupper():
                    yield tokens[first - 1][0], end
                if text[end : end + 1] in (".", ")", "!") and text[end:].strip(" ?."):
                    yield start, end + 1


def _is_big(word: str, pack: Pack) -> bool:
    """Tell whether a word may be a name: by a capital, or in a script without capitals by being no small word."""
    big = word[:1].isdecimal() or any(char.isupper() or (char.isalpha() and not char.islower()) for char in word)
    return big and not pack.is_idle(word)


def _trimmed(text: str, start: int, end: int, pack: Pack) -> tuple[int, int]:
    """Leave out punctuation around a span, an article that is written together with it, and the 's of its end."""
    if (elided := _ELIDED.match(text, start, end)) and pack.is_idle(elided[1]):
        start = elided.end()
    while start < end and text[start] in _EDGE + "(" and not text[start:end].count(")"):
        start += 1
    while start < end and text[end - 1] in _EDGE:
        end -= 1
    for suffix in ("'s", "’s"):
        if text[start:end].endswith(suffix):
            end -= 2
    return start, end
