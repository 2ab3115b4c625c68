"""The things of a graph that a text names: their labels occur in it, letter by letter."""

import re
from collections.abc import Iterator
from typing import Final

from triad.search.base import LabelIndex, Lookup

_WORD: Final = re.compile(r"\w[\w'’]*")


def mentioned(index: LabelIndex, text: str) -> tuple[str, ...]:
    """Return the IRIs of the things that a text names, in their order; of names in each other, the longest."""
    spans = list(_spans(text))
    lookups = [Lookup(span, ("entity",), limit=5, exact=True) for _, _, span in spans]
    found: dict[str, None] = {}
    taken = 0
    for (start, end, span), candidates in zip(spans, index.search_many(lookups), strict=True):
        named = [one.iri for one in candidates if one.exact and one.matched == span]
        if start >= taken and named:
            found |= dict.fromkeys(named)
            taken = end
    return tuple(found)[:50]  # things of one text at most


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield what may be names, from left to right, the longest first."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    for at, (start, _) in enumerate(words):
        for _, end in reversed(words[at : at + 8]):  # words of a label at most
            if end - start >= 3:  # characters of a label at least
                yield start, end, text[start:end]
