"""Ranking: which candidate query answers the question, by a linear model, and how sure that is.

A candidate is described by a few numbers of about 0 to 1, its features: how much of the question it accounts for, how
well its relations are named, how likely its names are meant, whether it gives what is asked for, and whether its form
is that of the question. Their weights were learned from questions with known answers, by ``benchmarks/learn.py``, and
are a file beside this one. How sure the best candidate is, a logistic regression tells from its own features and from
how far ahead of the others it is: `CERTAINTY`.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Final

from triad.cancelling import check
from triad.errors import QuerySyntaxError
from triad.language.analysis import Analysis
from triad.lexical.candidates import CandidateQuery
from triad.lexical.graph_search import Walk
from triad.lexical.nodes import WIDTH, Edge, Node
from triad.lexical.weights import AHEAD, STEEP, Weights, probability
from triad.search.base import CLOSE

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
        if (known := best.get(text)) is None or known.score < candidate.score:
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


# Features -----------------------------------------------------------------------------------------------


def describe(walk: Walk, candidate: CandidateQuery) -> dict[str, float]:
    """Return the features of a candidate.

    Raises:
        GraphError: The graph failed.
    """
    node, analysis = candidate.node, walk.analysis
    covered = node.covered | candidate.positions
    candidate.broken = walk.contract.broken(candidate.graph, candidate.names)
    features = _coverage(covered, analysis) | _relations(node, analysis) | _names(node, analysis)
    if candidate.answer_type == "select":
        features |= _answers(walk, candidate)
    if asked := analysis.asked:
        said = node.said.get(node.focus, frozenset())
        # 1 if the words after "which" say something in it, but not what its answers are
        features["asked_elsewhere"] = float(asked.isdisjoint(said) and not asked.isdisjoint(covered))
        # 1 if its things are only those of a class, and that class is what is asked for
        features["restricted_asked"] = float(node.restricted and not asked.isdisjoint(node.kinds.positions))
    return features | {
        # 1 if it has no named thing, though the question names something by its very name
        "nameless": float(walk.named and not node.mentions),
        # 1 if words ask for what it does not do, as `triad.lexical.contract` tells
        "missing": float(bool(candidate.broken)),
        "form_list": float(candidate.form == "list"),  # 1 if it lists things
        "form_number": float(candidate.form == "number"),  # 1 if it lists numbers that the graph holds
        "holds": float(candidate.holds is True),  # 1 if the graph says yes to a yes/no question
        # 1 if moreover it is about two named things
        "holds_named": float(candidate.holds is True and len(node.mentions) > 1),
        "denies": float(candidate.holds is False),  # 1 if the graph says no
    }


def _coverage(covered: frozenset[int], analysis: Analysis) -> dict[str, float]:
    """Return how much of the question is accounted for."""
    idle = analysis.used - covered
    content = [at for at, word in enumerate(analysis.words) if not word.empty and at not in idle]
    missed = sum(at not in covered for at in content)
    return {
        # the share of the question's content words that something in the candidate accounts for
        "coverage": (len(content) - missed) / max(1, len(content)),
        "complete": float(not missed),  # 1 if it accounts for all of them
        "uncovered": min(1.0, missed / 5),  # how many it leaves out, a fifth each
    }


def _relations(node: Node, analysis: Analysis) -> dict[str, float]:
    """Return what there is to say of a node's relations and classes."""
    # One relation to several names, "with Pacino and De Niro", is said once.
    by_name = {(edge.relation, edge.forward): edge.mention for edge in reversed(node.edges)}
    own = (edge for edge in node.edges if not edge.connects)
    steps = [edge for edge in own if by_name[edge.relation, edge.forward] in (None, edge.mention)]
    fits = [edge.match.fit for edge in steps]
    gaps = [gap for edge in node.edges if (gap := _gap(edge)) is not None]
    return {
        "least_fit": min(fits, default=0.0),  # how well the worst of its relations is named
        "unnamed": sum(fit == 0 for fit in fits) / 2,  # how many are not named at all, a half each
        "edges": len(steps) / 3,  # how many relations it has, a third each
        # how many of its relations are followed from object to subject, a third each
        "inverse": sum(not edge.forward for edge in steps) / 3,
        "back": float(node.turns_back),  # 1 if a step leads back along the one before: a director's other films
        # the same, if the question says "same", "both" or "also"
        "back_both": float(node.turns_back and analysis.both),
        # how close to the name that it starts from a relation's words stand, on average; 1 is beside it
        "near": sum(1 / (1 + gap / 2) for gap in gaps) / max(1, len(gaps)),
        "crossing": _crossing(node),  # the share of steps whose words are closer to it than those of the step before
        "kinds": node.kinds.fit,  # how well the question names a class of its things
        # the share of its things, no class being said, that are not of the class that is asked for
        "astray": node.astray,
    }


def _names(node: Node, analysis: Analysis) -> dict[str, float]:
    """Return how likely the names are meant; nothing where the question names none."""
    if not node.mentions:
        return {}
    things = [mention.candidate for mention in node.mentions]
    count = len(things)
    words = [analysis.words[at].text for mention in node.mentions for at in mention.positions]
    return {
        # how likely the words mean them, on average, by words and names alone
        "prior": sum(mention.prior for mention in node.mentions) / count,
        # the share of them that are called just what the question says
        "exact": sum(thing.score >= CLOSE for thing in things) / count,
        # how well known they are, on average: the logarithm of their triples
        "popularity": sum(min(1.0, math.log10(1 + thing.popularity) / 4) for thing in things) / count,
        "name_words": len(words) / max(1, len(analysis.words)),  # the share of the question's words that are names
        # the share of the names' words that the question writes with a capital
        "capitals": sum(word[:1].isupper() for word in words) / len(words),
        "names": count / 3,  # how many named things it has, a third each
        # the share of names that are a part of a longer one
        "inside": sum(mention.inside for mention in node.mentions) / count,
    }


def _gap(edge: Edge) -> int | None:
    if edge.mention is None or not edge.match.positions:
        return None
    return min(min(abs(at - edge.mention.start), abs(at - edge.mention.end + 1)) for at in edge.match.positions)


def _crossing(node: Node) -> float:
    """Return the share of steps whose words are closer to the name than those of the step before."""
    by_item: dict[int, list[int]] = {}
    for edge in node.edges:
        if (gap := _gap(edge)) is not None and edge.mention is not None:
            by_item.setdefault(edge.mention.start, []).append(gap)
    pairs = [(one, other) for gaps in by_item.values() for one, other in itertools.pairwise(gaps)]
    return sum(one > other for one, other in pairs) / len(pairs) if pairs else 0.0


def _answers(walk: Walk, candidate: CandidateQuery) -> dict[str, float]:
    """Return what there is to say of the answers that are known, or of the things from which they are chosen."""
    node, count = candidate.node, len(candidate.ends)
    if not (things := candidate.ends or node.ends):
        return {}
    # how well its answers fit the question word: a person for "who"; and how many there are, 1 for a thousand
    fitting = {"type_fit": walk.kinds.fits(things[0], node.classes)}
    return fitting | {"log_answers": min(1.0, math.log10(count) / 3)} if count else fitting
