"""The choice between what the schema and what the search in the graph make of a question, and how sure it is.

A question is read in two ways: as a tree over the schema (`triad.lexical.composition`), which knows all forms but only
what classes and relations are called, and as paths from what it names (`triad.lexical.graph_search`), which knows what
the named entities have. Each gives its best query; two logistic regressions say how likely each is right, from its own
evidence and from whether the other way found the same. `benchmarks/unseen.py` learns them, and judges them on
whole graphs that were left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from triad import sparql
from triad.kg.base import SafeQuery
from triad.lexical.candidates import CandidateQuery
from triad.lexical.ranking import certainty
from triad.lexical.weights import AHEAD, STEEP, Weights, probability
from triad.rdf import ResultSet

if TYPE_CHECKING:
    from triad.lexical.composition.partial_query import PartialQuery

_SURE_OTHER: Final = 0.8  # the confidence from which on the other way outvotes
_GUESS: Final = 0.45  # the most confidence in a query that does not do all that the question asks of it: a guess
_EVEN: Final = 0.55  # the most in one of two that are alike in all

TRIED: Final = 8
"""Candidates of the search that are run until one gives an answer; the weights were learned with as many."""

TRIAL: Final = 1.0
"""Seconds that a query which is tried may take, however long it took to find."""

_SURE_ALONE: Final = 0.92  # the confidence of a reading over the schema from which on the graph is not searched

COMPOSED: Final = (
    *("uncovered", "share", "uncovered_names", "complete", "least", "score", "inexact", "loose_names", "cost"),
    *("unnamed", "strained", "implied", "uncounted", "type_fit", "all", "support", "turned", "no", "inside", "one"),
    *("log_rows", "dropped", "bare", "far", "idle", "not_its", "nameless", "repeated", "columns"),
    *("dangling", "mistyped", "loose", "role", "echo", "given", "untermed", "unclassed"),
    *("ones", "keyless"),
)
"""The features of a reading that its sureness rests on."""

Ran = tuple[ResultSet, SafeQuery, sparql.QueryGraph]
"""What a query found, with its guarded text and its tree."""


@dataclass(slots=True, kw_only=True)
class Tried:
    """A reading over the schema whose query was run."""

    features: dict[str, float]
    """What speaks for it."""
    score: float = 0.0
    """The sum of that, weighed."""
    result: ResultSet = field(default_factory=ResultSet)
    """What its query found, or a digest of it to be compared."""

    @property
    def is_empty(self) -> bool:
        """True if that is nothing, not even a no."""
        return bool(self.features.get("empty"))


Evidence = Mapping[str, float]
"""What the sureness of a query rests on, by name."""


class Way(Protocol):
    """The best query of one way."""

    @property
    def result(self) -> ResultSet:
        """What it found."""

    @property
    def evidence(self) -> Evidence:
        """What its sureness rests on, the other way aside."""

    @property
    def tied(self) -> int:
        """How many share the first place that the question asks for; 0 if one has it."""


@dataclass(frozen=True, slots=True)
class Option:
    """The best query of one way, with what it found."""

    candidate: CandidateQuery
    result: ResultSet
    evidence: Evidence
    others: Sequence[CandidateQuery]
    """All candidates of the way from this one on, the best first."""
    ran: Ran | None = None
    """The result with the query; None if the query was only tried."""
    tied: int = 0
    partial: PartialQuery | None = None
    """What was read over the schema, if it was."""


W = TypeVar("W", bound=Way)


def result_key(result: ResultSet) -> object:
    """Return what two results are compared by."""
    return result.boolean if result.boolean is not None else frozenset(result.rows)


def found_at(ranked: Sequence[Tried]) -> int | None:
    """Return the place of the best reading that found something; None if none did."""
    return next((place for place, one in enumerate(ranked) if not one.is_empty), None)


def composed_evidence(ranked: Sequence[Tried], at: int, weights: Mapping[str, float]) -> dict[str, float]:
    """Return what the sureness of the reading at a place rests on, by its features and its lead over the others."""
    best = ranked[at]
    shares = [math.exp(max(-STEEP, min(STEEP, one.score - best.score))) for one in ranked]
    key = result_key(best.result)
    same = [result_key(one.result) == key for one in ranked]
    rivals = [one.score for one, alike in zip(ranked, same, strict=True) if not alike]
    lead = min(AHEAD, best.score - max(rivals)) / AHEAD if rivals else 1.0
    nothing = weights.get("empty", 0.0)
    before = [one.score - nothing for one in ranked if one.is_empty]
    return {name: best.features.get(name, 0.0) for name in COMPOSED} | {
        "bias": 1.0,
        "broken": best.features.get("broken", 0.0) + best.features.get("lacking", 0.0),
        "narrowing": best.features.get("narrowing", 0.0),
        "probability": sum(share for share, alike in zip(shares, same, strict=True) if alike) / sum(shares),
        "lead": lead,
        "emptied": max(0.0, min(AHEAD, max(before) - best.score)) / AHEAD if before else 0.0,
    }


def searched_evidence(
    ranked: Sequence[CandidateQuery], at: int, confidence: float, missed: Sequence[str], timely: bool | None = None
) -> dict[str, float]:
    """Return what the sureness of the candidate of the search at a place rests on.

    That is the search's own confidence, the words that it leaves out, and whether what it found gives a time; None if
    the question does not ask when.
    """
    found = ranked[at].features
    return (
        certainty(ranked[at:])
        | {
            "confidence": confidence,  # what the search says of its best candidate
            "broken": float(len(ranked[at].broken)),  # how many words ask for what it does not do
            "narrowing": ranked[at].features.get("narrowing", 0.0),  # 1 if words that it leaves out say which things
            "missed": len(missed) / 4,  # how many content words it leaves out, a fourth each
            # how many of them are written like names, a half each
            "missed_names": sum(word[:1].isupper() for word in missed) / 2,
            # 1 if what it gives is not of the kind that the question word asks for
            "mistyped": float(found.get("type_fit", 0.5) == 0 and timely is None),
            # 1 if the question asks when, and neither a date nor what has a year in its name is given
            "undated": float(timely is False),
            # 1 if it leaves words out and starts from no named thing
            "bare": float(bool(missed) and not ranked[at].node.mentions),
            # how well its relations are named; 0 if it leaves out words, or its names are not just what they say
            "whole": math.prod(found.get(name, 0.0) for name in ("complete", "least_fit", "exact")),
        }
    )


def is_doubtful_no(composed: Evidence) -> bool:
    """Return whether a reading says no to what had to be guessed; it gives way to a yes, for that found something."""
    return bool(composed["no"] and (composed["loose"] or composed["strained"]))


def behind_best(result: ResultSet, ranked: Sequence[Tried]) -> dict[str, float]:
    """Return how what the search found stands among what the readings over the schema found."""
    key = result_key(result)
    scores = [one.score for one in ranked if not one.is_empty]
    same = [one.score for one in ranked if not one.is_empty and result_key(one.result) == key]
    return {"behind": min(AHEAD, max(scores) - max(same)) / AHEAD if same else 0.0}


def question_evidence(strange: Sequence[int], things: int) -> dict[str, float]:
    """Return what is known of a question and a graph, whatever is answered.

    These are the positions of the words that are like nothing in the graph, and how many things it has.
    """
    return {
        "strange": len(strange) / 3,  # a third for each
        "strange_any": float(bool(strange)),
        "size": math.log10(1 + things) / 6,  # 1 for a million
    }


def evidence_alone(evidence: Evidence, known: Evidence) -> dict[str, float]:
    """Return what the sureness of one way rests on where the other way found nothing, or was not tried."""
    return {**evidence, **known, "failed": 1.0}  # the other way


def evidence_beside(evidence: Evidence, known: Evidence, other: float, agree: bool) -> dict[str, float]:
    """Return what the sureness of one way rests on where the other way found something, too.

    That is what it rests on by itself, what is known of question and graph, and how sure the other way is of its own
    answer.
    """
    return {
        **evidence,
        **known,
        "other": other,  # how sure the other way is of its own answer; 0 if it has none
        "agree": float(agree),  # 1 if the other way found the same
        "outvoted": float(other >= _SURE_OTHER and not agree),  # 1 if the other way is sure of something else
    }


def sureness(
    composed: Evidence | None, searched: Evidence | None, known: Evidence, agree: bool, weights: Weights
) -> tuple[float, float]:
    """Return how likely what was read over the schema is right, and how likely what the search found is."""
    own = _likely(weights.composed, evidence_alone(composed, known)) if composed is not None else 0.0
    if searched is None:
        return own, 0.0
    if composed is None:
        said = _no_more(searched["confidence"], searched)
        return 0.0, _likely(weights.searched, evidence_alone(searched, known)) if known else said
    one = _likely(weights.composed, evidence_beside(composed, known, searched["confidence"], agree))
    if agree:
        return one, one  # more is known of a reading, and two chances to be sure of one thing would be too many
    return one, _likely(weights.searched, evidence_beside(searched, known, own, agree))


def _likely(weights: Mapping[str, float], evidence: Evidence) -> float:
    """Return how likely a query is right; one that does less than is asked of it is a guess, and no more."""
    return _no_more(probability(weights, evidence), evidence)


def _no_more(likely: float, evidence: Evidence) -> float:
    even = evidence.get("lead") == 0  # nothing speaks for it that does not speak for another as well
    return min(likely, _GUESS if _is_guess(evidence) else _EVEN if even else 1.0)


def _is_guess(evidence: Evidence) -> bool:
    """Return whether a query does less than is asked of it, or leaves out words that say what is meant."""
    return bool(evidence.get("broken") or evidence.get("narrowing"))


def agree(one: Way, other: Way) -> bool:
    """Return whether two ways found the same; what leaves out what is meant says nothing of what does not."""
    guesses = _is_guess(one.evidence), _is_guess(other.evidence)
    return not any(guesses) and result_key(one.result) == result_key(other.result)


def contest(composed: W | None, searched: W | None) -> tuple[W | None, W | None]:
    """Return which of what two ways found can be answered where the other one is there, too."""
    if composed is None or searched is None:
        return composed, searched
    broken, other = bool(composed.evidence.get("broken")), bool(searched.evidence.get("broken"))
    if is_doubtful_no(composed.evidence) and searched.result.boolean and not other:
        return None, searched
    # What does not do all that is asked for says nothing of what does.
    return (None if broken and not other else composed), (None if other and not broken else searched)


def decided(
    composed: W | None, search: Callable[[], W | None], known: Evidence, weights: Weights, least: float = 0.0
) -> list[tuple[W, float]]:
    """Return what two ways found, the likelier first, and how likely each is right.

    The graph is searched only where the reading is not sure, and might come to the least sureness that is wanted if a
    search that is sure found the same: of 105 other searches on nine sets, none came to 0.85.
    """
    alone_sure = sureness(composed.evidence, None, known, False, weights)[0] if composed is not None else 0.0
    doubtful = composed is not None and is_doubtful_no(composed.evidence)
    at_best = _likely(weights.composed, evidence_beside(composed.evidence, known, 1.0, True)) if composed else 1.0
    is_needed = doubtful or alone_sure < _SURE_ALONE
    composed, searched = contest(composed, search() if is_needed and at_best >= least else None)
    same = bool(composed and searched and agree(composed, searched))
    one, other = composed.evidence if composed else None, searched.evidence if searched else None
    sure = sureness(one, other, known, same, weights)
    found = [(way, likely) for way, likely in zip((composed, searched), sure, strict=True) if way is not None]
    if same and composed and not composed.tied:
        found.reverse()  # of what is as likely, the search tells more plainly how it was found
    return sorted(found, key=lambda pair: -pair[1])
