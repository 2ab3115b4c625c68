"""Ranking: which candidate query answers the question, by a linear model, and how sure that is.

A candidate is described by a few numbers, its `FEATURES`. Their weights were learned from questions with known answers,
by ``benchmarks/learn.py``, and are a file beside this one. How sure the best proposal is, a logistic regression tells
from its own features and from how far ahead of the others it is: `CERTAINTY`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from triad.errors import QuerySyntaxError
from triad.lexical.features import describe
from triad.lexical.forms import CandidateQuery
from triad.lexical.graph_search import Walk

__all__ = ["CERTAINTY", "Weights", "certainty", "confidence", "load_weights", "rank"]

_FILE: Final = Path(__file__).with_name("weights.json")
_DIGITS: Final = 6  # of a score; what differs less is equal, for sums depend on the order of what is added up
_STEEP: Final = 30.0  # scores further apart than this are as far apart as can be
_RIVALS: Final = 30  # proposals that the best one is held against; as many as are learned from
_AHEAD: Final = 5.0  # the lead in score from which on a greater one makes nothing surer

CERTAINTY: Final = {
    "bias": "Always 1.",
    "share": "The probability that a softmax over the scores gives to the best proposal.",
    "margin": "How far it is ahead of the next one that finds something else.",
    "coverage": "Its feature of that name, as all below.",
    "fit": "How well its relations are named, on average.",
    "least_fit": "How well the worst of them is named.",
    "prior": "How likely the words mean its named things.",
    "type_fit": "How well its answers fit the question word.",
    "exact": "The share of its named things that are called just what the question says.",
    "complete": "Whether it accounts for all words.",
    "uncovered": "How many words it leaves out.",
    "long": "How long the question is.",
    "unnamed": "How many relations are not named.",
    "inside": "The share of names that are a part of a longer one.",
    "literal_name": "The share of names that are values.",
    "restricted": "Whether a class is said.",
    "log_answers": "How many answers it has.",
    "missing": "Whether it leaves out a bound, a superlative, a negation or a column that is asked for.",
    "compared": "Whether it compares, orders or groups.",
    "truth": "Whether it says yes or no.",
}
"""What the confidence is computed from, and what each number says."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the ranking has learned."""

    features: Mapping[str, float]
    """The weight of each feature in the score."""
    confidence: Mapping[str, float]
    """The weights by which what is known of the best proposal becomes a probability."""

    def score(self, features: Mapping[str, float]) -> float:
        """Return the score of a proposal; only differences mean anything."""
        return sum(self.features.get(name, 0.0) * value for name, value in features.items())


@cache
def load_weights() -> Weights:
    """Return the weights that come with Triad."""
    data = json.loads(_FILE.read_text(encoding="utf-8"))
    return Weights(data["features"], data["confidence"])


def rank(walk: Walk, candidates: Iterable[CandidateQuery], weights: Weights) -> list[CandidateQuery]:
    """Give candidate queries their features and scores, and return them, the best first and each query once.

    Raises:
        GraphError: The graph failed.
    """
    best: dict[str, CandidateQuery] = {}
    for candidate in candidates:
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
    """Return how probable it is that the best of some proposals is right, from 0 to 1."""
    values = certainty(ranked)
    total = sum(weights.confidence.get(name, 0.0) * value for name, value in values.items())
    return 1 / (1 + math.exp(-max(-_STEEP, min(_STEEP, total))))


def certainty(ranked: Sequence[CandidateQuery]) -> dict[str, float]:
    """Return what the confidence in the best of some proposals is computed from; `CERTAINTY` explains it."""
    best = ranked[0]
    share = 1 / sum(math.exp(max(-_STEEP, other.score - best.score)) for other in ranked[:_RIVALS])
    ends = frozenset(best.ends)
    # What finds the same is no rival, but what a proposal finds is not always known before it runs.
    rival = next((other for other in ranked[1:] if not ends or frozenset(other.ends) != ends), None)
    margin = min(_AHEAD, best.score - rival.score) / _AHEAD if rival else 1.0
    own = {name: best.features.get(name, 0.0) for name in CERTAINTY}
    return own | {
        "bias": 1.0,
        "share": share,
        "margin": margin,
        "missing": max((value for name, value in best.features.items() if name.endswith("_missing")), default=0.0),
        "compared": float(best.form not in ("list", "number", "count", "ask")),
        "truth": float(best.answer_type == "boolean"),
    }
