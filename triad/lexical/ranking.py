"""Ranking: which proposal answers the question, by a linear model, and how sure that is.

A proposal is described by a few numbers between 0 and 1: how much of the question it accounts for, how well its
relations are named, how likely its names are meant, whether it gives what the question word asks for. Their weights
were learned from questions with known answers, by ``benchmarks/learn.py``, and are a file beside this one.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from triad.lexical.forms import Proposal
from triad.lexical.reading import Reading
from triad.lexical.walking import Link, Node, Walk
from triad.search.base import CLOSE
from triad.types import Literal

__all__ = ["Weights", "describe", "load_weights", "rank"]

_FILE: Final = Path(__file__).with_name("weights.json")


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


def rank(walk: Walk, proposals: Iterable[Proposal], weights: Weights) -> list[Proposal]:
    """Return proposals with their features and scores, the best first, each query once."""
    best: dict[str, Proposal] = {}
    for proposal in proposals:
        proposal.features = describe(walk, proposal)
        proposal.score = weights.score(proposal.features)
        key = proposal.query
        if key not in best or best[key].score < proposal.score:
            best[key] = proposal
    return sorted(best.values(), key=lambda proposal: (-proposal.score, len(proposal.query), proposal.query))


def confidence(ranked: Sequence[Proposal], weights: Weights) -> float:
    """Return how probable it is that the best proposal is right, from 0 to 1."""
    values = certainty(ranked)
    total = sum(weights.confidence.get(name, 0.0) * value for name, value in values.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def certainty(ranked: Sequence[Proposal]) -> dict[str, float]:
    """Return what the confidence in the best proposal is computed from."""
    best = ranked[0]
    share = 1 / sum(math.exp(max(-30.0, other.score - best.score)) for other in ranked[:100])
    same = {frozenset(best.ends)} if best.ends else set()
    rival = next((other for other in ranked[1:] if frozenset(other.ends) not in same or not same), None)
    margin = min(5.0, best.score - rival.score) / 5 if rival else 1.0
    wanted = ("coverage", "fit", "least_fit", "prior", "type_fit", "exact")
    return {"bias": 1.0, "share": share, "margin": margin} | {name: best.features.get(name, 0.0) for name in wanted}


def describe(walk: Walk, proposal: Proposal) -> dict[str, float]:
    """Return the features of a proposal, each about from 0 to 1."""
    node, reading = proposal.node, walk.reading
    covered = node.covered | proposal.positions
    content = [
        at for at, word in enumerate(reading.words) if not word.empty and (at not in reading.used or at in covered)
    ]
    steps = [link for link in node.links if not link.connects]
    fits = [link.match.fit for link in steps]
    features = {
        "coverage": sum(at in covered for at in content) / max(1, len(content)),
        "complete": float(all(at in covered for at in content)),
        "uncovered": min(1.0, sum(at not in covered for at in content) / 5),
        "fit": sum(fits) / len(fits) if fits else 0.0,
        "least_fit": min(fits, default=0.0),
        "unnamed": sum(fit == 0 for fit in fits) / 2,
        "links": len(steps) / 3,
        "connects": (len(node.links) - len(steps)) / 3,
        "similar": sum(link.match.similar for link in node.links) / 3,
        "kinds": node.kinds.fit,
        "restricted": float(node.restricted),
        "back": float(node.turns_back),
        "inverse": sum(not link.forward for link in steps) / 3,
    }
    if node.items:
        features |= _names(node, reading)
    features |= {"near": _nearness(node), "crossing": _crossing(node)}
    if proposal.ends and proposal.answer_type == "select":
        sample = proposal.ends[0]
        features["type_fit"] = walk.fits(sample, node.classes)
        features["log_answers"] = min(1.0, math.log10(len(proposal.ends)) / 3)
        features["one_answer"] = float(len(proposal.ends) == 1)
        plural = _asks_for_one(reading)
        features["one_expected"] = float(plural and len(proposal.ends) > 5)
        features["literal_answer"] = float(isinstance(sample, Literal))
    if asked := reading.asked:
        said = node.said.get(proposal.target or node.focus, frozenset())
        features["restricted_asked"] = float(node.restricted and not asked.isdisjoint(node.kinds.positions))
        features["asked"] = float(not asked.isdisjoint(said))
        features["asked_elsewhere"] = float(asked.isdisjoint(said) and not asked.isdisjoint(covered))
    features["back_both"] = features["back"] * reading.both
    return features | _form(proposal, reading)


def _names(node: Node, reading: Reading) -> dict[str, float]:
    candidates = [item.candidate for item in node.items]
    count = len(candidates)
    words = sum(item.end - item.start for item in node.items)
    capitals = sum(reading.words[at].text[:1].isupper() for item in node.items for at in range(item.start, item.end))
    return {
        "prior": sum(item.prior for item in node.items) / count / 3,
        "least_prior": min(item.prior for item in node.items) / 3,
        "exact": sum(candidate.score >= CLOSE for candidate in candidates) / count,
        "name_score": sum(candidate.score for candidate in candidates) / count,
        "popularity": sum(min(1.0, math.log10(1 + candidate.popularity) / 4) for candidate in candidates) / count,
        "name_words": words / max(1, len(reading.words)),
        "capitals": capitals / words,
        "names": count / 3,
        "inside": sum(item.inside for item in node.items) / count,
        "literal_name": sum(candidate.kind == "literal" for candidate in candidates) / count,
    }


def _nearness(node: Node) -> float:
    """Return how close to the name that it starts from the words of a relation stand, on average."""
    gaps = [gap for link in node.links if link.match.positions and (gap := _gap(link)) is not None]
    return sum(1 / (1 + gap / 2) for gap in gaps) / len(gaps) if gaps else 0.0


def _gap(link: Link) -> int | None:
    if link.item is None:
        return None
    return min(min(abs(at - link.item.start), abs(at - link.item.end + 1)) for at in link.match.positions)


def _crossing(node: Node) -> float:
    """Return the share of steps whose words are closer to the name than those of the step before."""
    by_item: dict[int, list[int]] = {}
    for link in node.links:
        gap = _gap(link) if link.match.positions else None
        if gap is not None and link.item is not None:
            by_item.setdefault(link.item.start, []).append(gap)
    pairs = [(one, other) for gaps in by_item.values() for one, other in itertools.pairwise(gaps)]
    return sum(one > other for one, other in pairs) / len(pairs) if pairs else 0.0


def _asks_for_one(reading: Reading) -> bool:
    return bool(reading.expected & {"date", "number"})


def _form(proposal: Proposal, reading: Reading) -> dict[str, float]:
    compared = proposal.form in ("order", "filter", "group", "difference")
    asked = bool(reading.order or reading.each is not None or _bounded(proposal, reading))
    unmet = any(bound.than is not None for bound in reading.comparisons) and not compared
    return {
        "form_missing": float(asked and not compared),
        "than_missing": float(unmet),
        "measure": proposal.measure if compared else 0.0,
        f"form_{proposal.form}": 1.0,
        "count_stored": float(reading.answer_type == "count" and proposal.form == "number"),
        "count_listed": float(reading.answer_type == "count" and proposal.form == "list"),
        "holds": float(proposal.holds is True),
        "holds_named": float(proposal.holds is True and len(proposal.node.items) > 1),
        "denies": float(proposal.holds is False),
    }


def _bounded(proposal: Proposal, reading: Reading) -> bool:
    """Tell whether the question has a bound that is no part of a name."""
    inside = frozenset(at for item in proposal.node.items for at in item.positions)
    return any(
        (bound.value is not None or bound.date is not None) and inside.isdisjoint(range(bound.start, bound.end))
        for bound in reading.comparisons
    )
