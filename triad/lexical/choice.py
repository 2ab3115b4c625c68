"""The choice between what the schema and what the search in the graph make of a question, and how sure it is.

A question is read in two ways: as a tree over the schema (`triad.lexical.composition`), which knows all forms but only
what classes and relations are called, and as paths from what it names (`triad.lexical.graph_search`), which knows what
the named entities have. Each gives its best query; two logistic regressions say how likely each is right, from its own
evidence and from whether the other way found the same. `benchmarks/unseen.py` learns them, and judges them on
whole graphs that were left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from triad import sparql
from triad.kg.base import SafeQuery
from triad.lexical.forms import CandidateQuery
from triad.lexical.ranking import certainty
from triad.lexical.weights import Weights, probability
from triad.rdf import ResultSet

__all__ = [
    "COMPOSED",
    "OTHER",
    "SEARCHED",
    "SURE",
    "Option",
    "Tried",
    "alone",
    "beside",
    "composed_evidence",
    "found_at",
    "is_doubtful_no",
    "result_key",
    "searched_evidence",
    "strangeness",
    "sureness",
]

_SURE_OTHER: Final = 0.8  # the confidence from which on the other way outvotes
_STEEP: Final = 30.0  # scores further apart than this are as far apart as can be
_AHEAD: Final = 5.0  # the lead in score from which on a greater one makes nothing surer

SURE: Final = 0.92
"""The confidence of a reading over the schema from which on the graph is not searched."""

OTHER: Final = {
    "strange": "How many content words are like nothing in the graph, a third each.",
    "strange_any": "1 if there is such a word.",
    "other": "How sure the other way is of its own answer; 0 if it has none.",
    "agree": "1 if the other way found the same.",
    "outvoted": "1 if the other way is sure of something else.",
    "failed": "1 if the other way found nothing, or was not tried.",
}
"""What is known of the other way."""

COMPOSED: Final = (
    *("uncovered", "share", "uncovered_names", "complete", "least", "score", "inexact", "loose_names", "cost"),
    *("unnamed", "strained", "implied", "uncounted", "type_fit", "all", "support", "turned", "ask", "no"),
    *("inside", "one", "log_rows", "asked", "texts", "words", "dropped", "bare"),
    *("not_its", "nameless", "repeated", "columns", "own_column", "dangling", "mistyped", "loose"),
    *(f"unheeded_{kind}" for kind in ("superlative", "aggregate", "not", "each", "bound", "clause")),
)
"""The features of a reading that its sureness rests on."""

SEARCHED: Final = {
    "confidence": "What the search says of its best candidate.",
    "missed": "How many content words it leaves out, a fourth each.",
    "missed_names": "How many of them are written like names, a half each.",
    "mistyped": "1 if what it gives is not of the kind that the question word asks for.",
    "bare": "1 if it leaves words out and starts from no named thing.",
    "rank": "How many better candidates found nothing, a fourth each.",
    "whole": "How well its relations are named; 0 if it leaves out words, or its names are not just what they say.",
}
"""What the sureness of the search rests on, beside `triad.lexical.ranking.CERTAINTY`."""


class Tried(Protocol):
    """A reading over the schema whose query was run."""

    @property
    def features(self) -> Mapping[str, float]:
        """What speaks for it."""

    @property
    def score(self) -> float:
        """The sum of that, weighed."""

    @property
    def result(self) -> ResultSet:
        """What its query found."""

    @property
    def is_empty(self) -> bool:
        """True if that is nothing."""


@dataclass(frozen=True, slots=True)
class Option:
    """The best query of one way, with what it found."""

    candidate: CandidateQuery
    result: ResultSet
    evidence: Mapping[str, float]
    """What its sureness rests on, the other way aside."""
    others: Sequence[CandidateQuery]
    """All candidates of the way from this one on, the best first."""
    ran: tuple[ResultSet, SafeQuery, sparql.Node] | None = None
    """The result with the guarded query and its tree; None if the query was only tried."""
    tied: int = 0
    """How many share the first place that the question asks for; 0 if one has it."""


def result_key(result: ResultSet) -> object:
    """Return what two results are compared by."""
    return result.boolean if result.boolean is not None else frozenset(result.rows)


def found_at(ranked: Sequence[Tried]) -> int | None:
    """Return the place of the best reading that found something; None if none did."""
    return next((place for place, one in enumerate(ranked) if not one.is_empty), None)


def composed_evidence(ranked: Sequence[Tried], at: int, weights: Mapping[str, float]) -> dict[str, float]:
    """Return what the sureness of a reading rests on, by its features and its lead over the others.

    Args:
        ranked: The readings, the best first.
        at: The place of the one that found something.
        weights: What their features count.
    """
    best = ranked[at]
    shares = [math.exp(max(-_STEEP, min(_STEEP, one.score - best.score))) for one in ranked]
    key = result_key(best.result)
    same = [result_key(one.result) == key for one in ranked]
    rivals = [one.score for one, alike in zip(ranked, same, strict=True) if not alike]
    lead = min(_AHEAD, best.score - max(rivals)) / _AHEAD if rivals else 1.0
    nothing = weights.get("empty", 0.0)
    before = [one.score - nothing for one in ranked if one.is_empty]
    return {name: best.features.get(name, 0.0) for name in COMPOSED} | {
        "bias": 1.0,
        "probability": sum(share for share, alike in zip(shares, same, strict=True) if alike) / sum(shares),
        "lead": lead,
        "emptied": max(0.0, min(_AHEAD, max(before) - best.score)) / _AHEAD if before else 0.0,
    }


def searched_evidence(
    ranked: Sequence[CandidateQuery], at: int, confidence: float, missed: Sequence[str]
) -> dict[str, float]:
    """Return what the sureness of a candidate of the search rests on.

    Args:
        ranked: The candidates.
        at: The place of the one that found something.
        confidence: What the search says of it.
        missed: The words that it leaves out.
    """
    found = ranked[at].features
    return certainty(ranked[at:]) | {
        "confidence": confidence,
        "missed": len(missed) / 4,
        "missed_names": sum(word[:1].isupper() for word in missed) / 2,
        "rank": at / 4,
        "mistyped": float(found.get("type_fit", 0.5) == 0),
        "bare": float(bool(missed) and not ranked[at].node.mentions),
        "whole": math.prod(found.get(name, 0.0) for name in ("complete", "least_fit", "exact")),
    }


def is_doubtful_no(composed: Mapping[str, float]) -> bool:
    """Tell whether a reading says no to what had to be guessed; it gives way to a yes, for that found something.

    Args:
        composed: The evidence of the reading.
    """
    return bool(composed["no"] and (composed["loose"] or composed["strained"]))


def strangeness(strange: Sequence[int]) -> dict[str, float]:
    """Return how strange a question's words are, by the positions of those that are like nothing in the graph."""
    return {"strange": len(strange) / 3, "strange_any": float(bool(strange))}


def alone(evidence: Mapping[str, float], strange: Mapping[str, float]) -> dict[str, float]:
    """Return what the sureness of one way rests on where the other way found nothing, or was not tried."""
    return {**evidence, **strange, "failed": 1.0}


def beside(evidence: Mapping[str, float], strange: Mapping[str, float], other: float, agree: bool) -> dict[str, float]:
    """Return what the sureness of one way rests on where the other way found something, too.

    Args:
        evidence: What it rests on, the other way aside.
        strange: How strange the question's words are.
        other: How sure the other way is of its own answer.
        agree: Whether both found the same.
    """
    return {
        **evidence,
        **strange,
        "other": other,
        "agree": float(agree),
        "outvoted": float(other >= _SURE_OTHER and not agree),
    }


def sureness(
    composed: Mapping[str, float] | None,
    searched: Mapping[str, float] | None,
    strange: Mapping[str, float],
    agree: bool,
    weights: Weights,
) -> tuple[float, float]:
    """Return how likely what was read over the schema is right, and how likely what the search found is.

    Args:
        composed: The evidence of the reading; None if there is none.
        searched: The evidence of the candidate of the search; None if there is none.
        strange: How strange the question's words are; empty where the schema was not read at all.
        agree: Whether both found the same.
        weights: What was learned.
    """
    own = probability(weights.composed, alone(composed, strange)) if composed is not None else 0.0
    if searched is None:
        return own, 0.0
    if composed is None:
        return 0.0, probability(weights.searched, alone(searched, strange)) if strange else searched["confidence"]
    one = beside(composed, strange, searched["confidence"], agree)
    other = beside(searched, strange, own, agree)
    return probability(weights.composed, one), probability(weights.searched, other)
