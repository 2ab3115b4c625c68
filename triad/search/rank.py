"""The ranking of candidates for a lookup, the same for all label indexes.

A score lies between 0 and 1, in three bands that do not overlap: a name that is equal once folded (above 0.97),
a name that differs in singular and plural (0.95 to 0.97), and anything that is merely similar (below). Within a band,
popularity decides: the number of triples of a resource. Its weight is small among equal names, and large where the
words are a part of many names, as "Obama" is: popularity can then raise any name to the best score of its band.
"""

import math
from collections.abc import Iterable

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
