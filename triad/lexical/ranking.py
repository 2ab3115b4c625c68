"""Ranking: which candidate query answers the question, by a linear model, and how sure that is.

A candidate is described by a few numbers, its `FEATURES`. Their weights were learned from questions with known answers,
by ``benchmarks/learn.py``, and are a file beside this one. How sure the best candidate is, a logistic regression tells
from its own features and from how far ahead of the others it is: `CERTAINTY`.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Final

from triad.cancelling import check
from triad.errors import QuerySyntaxError
from triad.lexical.candidates import CandidateQuery
from triad.lexical.features import describe
from triad.lexical.graph_search import Walk
from triad.lexical.nodes import WIDTH
from triad.lexical.weights import AHEAD, STEEP, Weights, probability

_DIGITS: Final = 6  # of a score; what differs less is equal, for sums depend on the order of what is added up

CERTAINTY: Final = {
    "bias": "Always 1.",
    "share": "The probability that a softmax over the scores gives to the best candidate.",
    "margin": "How far it is ahead of the next one that finds something else.",
    "exact": "Its feature of that name, as all below: the share of its names that are just what the question says.",
    "uncovered": "How many words it leaves out.",
    "unnamed": "How many relations are not named.",
    "missing": "Whether it leaves out a bound, a superlative, a negation or a column that is asked for.",
    "truth": "Whether it says yes or no.",
}
"""What the confidence is computed from, and what each number says."""


def rank(walk: Walk, candidates: Iterable[CandidateQuery], weights: Weights) -> list[CandidateQuery]:
    """Give candidate queries their features and scores, and return them, the best first and each query once.

    Raises:
        GraphError: The graph failed.
    """
    best: dict[str, CandidateQuery] = {}
    for candidate in candidates:
        check()
        try:
            text = candidate.query
        except QuerySyntaxError:
            continue  # SPARQL cannot write a name that the graph has
        candidate.features = describe(walk, candidate)
        candidate.score = round(weights.score(candidate.features), _DIGITS)
        known = best.get(text)
        if known is None or known.score < candidate.score:
            best[text] = candidate
    return [best[text] for text in sorted(best, key=lambda text: (-best[text].score, len(text), text))]


def confidence(ranked: Sequence[CandidateQuery], weights: Weights) -> float:
    """Return how probable it is that the best of some candidates is right, from 0 to 1."""
    return probability(weights.confidence, certainty(ranked))


def certainty(ranked: Sequence[CandidateQuery]) -> dict[str, float]:
    """Return what the confidence in the best of some candidates is computed from; `CERTAINTY` explains it."""
    best = ranked[0]
    share = 1 / sum(math.exp(max(-STEEP, other.score - best.score)) for other in ranked[:WIDTH])
    ends = frozenset(best.ends)
    # What finds the same is no rival, but what a proposal finds is not always known before it runs.
    rival = next((other for other in ranked[1:] if not ends or frozenset(other.ends) != ends), None)
    margin = min(AHEAD, best.score - rival.score) / AHEAD if rival else 1.0
    own = {name: best.features.get(name, 0.0) for name in CERTAINTY}
    return own | {"bias": 1.0, "share": share, "margin": margin, "truth": float(best.answer_type == "boolean")}
