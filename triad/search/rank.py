"""The ranking of candidates for a lookup, the same for all label indexes.

A score lies between 0 and 1, in three bands that do not overlap: a name that is equal once folded (above 0.97),
a name that differs in singular and plural (0.95 to 0.97), and anything that is merely similar (below). Within a band,
popularity decides: the number of triples of a resource. Its weight is small among equal names, and large where the
words are a part of many names, as "Obama" is: popularity can then raise any name to the best score of its band.

Several rankings become one by reciprocal rank fusion: by the places that each gives.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from triad.language.normalize import fold
from triad.language.similarity import OTHER_NUMBER, SIMILAR, Wording
from triad.questions import Candidate
from triad.search.base import Entry

_BELOW_CLOSE = 0.949  # the best score of a similar name with popularity, below `triad.search.base.CLOSE`
_ALIAS = 0.004  # the deduction for an alias: that of a tenth of the popularity
_POPULARITY = 0.016
"""The greatest weight of popularity among equal names; it is logarithmic and full at ten thousand triples."""
_FULL = 4.0
_LONGEST = 8_000  # characters of a name that are compared

K: Final = 60
"""How little the first places count before the next; the value of Cormack, Clarke and Büttcher (SIGIR 2009)."""

T = TypeVar("T", bound=Hashable)

Found = tuple[T, float, dict[str, int]]
"""What was found, such as an id, with its score and its rank in each ranking."""


def rank(text: str, entries: Iterable[Entry], limit: int) -> list[Candidate]:
    """Return the entries as candidates for a text, the best first, at most `limit`."""
    wording = Wording(text)
    scored = [(*_score(wording, entry), entry) for entry in entries]
    scored.sort(key=lambda item: (-item[0], -item[-1].popularity, item[-1].iri, item[-1].label))
    return [
        Candidate(one.iri, one.kind, one.label, one.description, one.types, one.popularity, score, fit == 1, matched)
        for score, fit, matched, one in scored[: max(limit, 0)]
    ]


def _score(wording: Wording, entry: Entry) -> tuple[float, float, str]:
    """Return an entry's score, how well its best name fits, and that name."""
    folded = fold(entry.label[:_LONGEST])
    fit, matched = wording.fit_folded(folded), entry.label
    for alias in entry.aliases:
        if fit == 1:
            break
        other = fold(alias[:_LONGEST])
        better = wording.fit_folded(other)
        if better > fit:
            fit, matched, folded = better, alias, other
    popularity = min(1.0, math.log10(1 + entry.popularity) / _FULL)
    if fit >= OTHER_NUMBER:
        score = fit - _POPULARITY * (1 - popularity) - (_ALIAS if matched != entry.label else 0)
    elif wording.words.issubset(folded.split()):
        score = fit + (_BELOW_CLOSE - fit) * popularity
    else:
        score = fit + (_BELOW_CLOSE - SIMILAR) * popularity
    return round(score, 4), fit, matched


def fused(rankings: Mapping[str, Sequence[T]], *, smoothing: int = K) -> list[Found[T]]:
    """Return what rankings hold, with its score and its ranks from 1 on, the best first; none has anything twice.

    >>> fused({"words": ["a", "b"], "vectors": ["b"]})[0][0]
    'b'
    """
    ranks: dict[T, dict[str, int]] = {}
    for name, ranking in rankings.items():
        for rank, one in enumerate(ranking, 1):
            ranks.setdefault(one, {})[name] = rank
    scored = [(one, sum(1 / (smoothing + rank) for rank in places.values()), places) for one, places in ranks.items()]
    return sorted(scored, key=lambda found: -found[1])


def spread(ranking: Sequence[Found[str]]) -> list[Found[str]]:
    """Return what a ranking holds with the best part of each thing first, and the other parts behind all of these.

    The parts of a thing, or of a section of a document, have the same id but for the number at its end.

    >>> [one[0] for one in spread(fused({"words": ["a 1", "a 2", "b 1"]}))]
    ['a 1', 'b 1', 'a 2']
    """
    seen: set[str] = set()
    first: list[Found[str]] = []
    others: list[Found[str]] = []
    for found in ranking:
        whole = found[0].rpartition(" ")[0] or found[0]
        (others if whole in seen else first).append(found)
        seen.add(whole)
    return first + others
