"""Features: what the ranking sees of a proposal, as a few numbers of about 0 to 1.

They say how much of the question a proposal accounts for, how well its relations are named, how likely its names are
meant, whether it gives what is asked for, and whether its form is that of the question. `FEATURES` is the list of them;
a feature that does not apply to a proposal is left out, which weighs as much as 0.
"""

from __future__ import annotations

import itertools
import math
from typing import Final

from triad.language.analysis import Analysis
from triad.lexical.forms import CandidateQuery
from triad.lexical.graph_search import Walk
from triad.lexical.nodes import Edge, Node
from triad.rdf import Literal
from triad.search.base import CLOSE

__all__ = ["FEATURES", "describe"]

FEATURES: Final = {
    # How much of the question it accounts for
    "coverage": "The share of the question's content words that something in the proposal accounts for.",
    "complete": "1 if it accounts for all of them.",
    "uncovered": "How many it leaves out, a fifth each.",
    "long": "How many words the question has, a twentieth each, which says how hard it is.",
    # Its relations
    "fit": "How well its relations are named, on average.",
    "least_fit": "How well the worst of them is named.",
    "unnamed": "How many are not named at all, a half each.",
    "links": "How many relations it has, a third each.",
    "connects": "How many of its relations lead from one named thing to another, a third each.",
    "inverse": "How many of its relations are followed from object to subject, a third each.",
    "back": "1 if a step leads back along the one before: the other films of a film's director.",
    "back_both": 'The same, if the question says "same", "both" or "also".',
    "near": "How close to the name that it starts from a relation's words stand, on average; 1 is beside it.",
    "crossing": "The share of steps whose words are closer to the name than those of the step before.",
    # Its classes
    "kinds": "How well the question names a class of its things.",
    "restricted": "1 if its things are only those of a class.",
    "restricted_asked": "1 if moreover that class is what is asked for.",
    "sifted": "1 if the class leaves some of the things out.",
    "sorted_out": "1 if it leaves some out that are of another class.",
    "astray": "The share of its things, no class being said, that are not of the class that is asked for.",
    # Its names
    "names": "How many named things it has, a third each.",
    "nameless": "1 if it has none, though the question names something by its very name.",
    "prior": "How likely the words mean them, on average, by words and names alone.",
    "least_prior": "How likely the words mean the least likely of them.",
    "exact": "The share of them that are called just what the question says.",
    "name_score": "How like their names and the question's words are, on average.",
    "popularity": "How well known they are, on average: the logarithm of their triples.",
    "name_words": "The share of the question's words that are names.",
    "capitals": "The share of the names' words that the question writes with a capital.",
    "inside": "The share of names that are a part of a longer one.",
    "literal_name": "The share of names that are values and no things.",
    # What it gives
    "type_fit": 'How well its answers fit the question word: a person for "who".',
    "log_answers": "How many answers it has: the logarithm, 1 for a thousand.",
    "one_answer": "1 if it has just one.",
    "one_expected": "1 if it has more than five and the question asks for a date or a number.",
    "literal_answer": "1 if its answers are values and no things.",
    "asked": '1 if the words after "which" say what its answers are.',
    "asked_elsewhere": "1 if these words say something else in it.",
    # Its form
    "form_list": "1 if it lists things.",
    "form_number": "1 if it lists numbers that the graph holds.",
    "form_count": "1 if it counts things.",
    "form_ask": "1 if it asks whether something is true of a named thing.",
    "form_order": "1 if it takes the greatest by a value.",
    "form_filter": "1 if it compares values.",
    "form_group": "1 if it counts something for each of its things.",
    "form_difference": "1 if it gives the difference of two values.",
    "form_except": "1 if it leaves things out that the question says not to want.",
    "form_aggregate": "1 if it gives an average or a sum.",
    "form_columns": "1 if it gives something for each of its things beside it.",
    "except_missing": '1 if the question says "not" or "no" and the proposal leaves nothing out.',
    "aggregate_missing": "1 if the question asks for an average or a sum and the proposal does not give one.",
    "columns_missing": '1 if the question asks for two columns, as by "and when", and the proposal gives one.',
    "form_missing": "1 if the question compares or groups and the proposal does not.",
    "bound_missing": '1 if the question has a bound, as by "before 1970", and the proposal does not heed it.',
    "order_missing": "1 if the question has a superlative and the proposal does not heed it.",
    "than_missing": "1 if the question compares with something and the proposal does not.",
    "measure": "How well the values that it compares are named.",
    "count_stored": "1 if the question asks how many and the graph holds such a number.",
    "count_listed": "1 if the question asks how many and things are listed.",
    "holds": "1 if the graph says yes to a yes/no question.",
    "holds_named": "1 if moreover it is about two named things.",
    "denies": "1 if the graph says no.",
}
"""What each feature says of a proposal."""

_COMPARING: Final = ("order", "filter", "group", "difference")  # forms that compare or group
_MANY: Final = 5  # answers; more are too many where one date or number is asked for


def describe(walk: Walk, proposal: CandidateQuery) -> dict[str, float]:
    """Return the features of a proposal.

    Raises:
        GraphError: The graph failed.
    """
    node, analysis = proposal.node, walk.analysis
    covered = node.covered | proposal.positions
    features = _coverage(covered, analysis) | _relations(node, analysis) | _names(node, analysis)
    if proposal.answer_type == "select":
        features |= _answers(walk, proposal)
    if analysis.asked:
        said = node.said.get(proposal.target or node.focus, frozenset())
        features |= _asked(analysis.asked, said, covered)
        features["restricted_asked"] = float(node.restricted and not analysis.asked.isdisjoint(node.kinds.positions))
    features["aggregate_missing"] = float(proposal.form != "aggregate" and not walk.aggregated <= covered)
    features["columns_missing"] = float(walk.second_clause is not None and proposal.form not in ("columns", "group"))
    features["nameless"] = float(walk.named and not node.mentions)
    return features | _form(proposal, analysis)


def _coverage(covered: frozenset[int], analysis: Analysis) -> dict[str, float]:
    """Return how much of the question is accounted for."""
    content = [
        at for at, word in enumerate(analysis.words) if not word.empty and (at not in analysis.used or at in covered)
    ]
    missed = sum(at not in covered for at in content)
    return {
        "coverage": (len(content) - missed) / max(1, len(content)),
        "complete": float(not missed),
        "uncovered": min(1.0, missed / 5),
        "long": min(1.0, len(analysis.words) / 20),
    }


def _relations(node: Node, analysis: Analysis) -> dict[str, float]:
    """Return what there is to say of a node's relations and classes."""
    # One relation to several names, "by King or Tolkien", is said once.
    by_name = {(edge.relation, edge.forward): edge.mention for edge in reversed(node.edges)}
    steps = [
        edge
        for edge in node.edges
        if not edge.connects and by_name[edge.relation, edge.forward] in (None, edge.mention)
    ]
    fits = [edge.match.fit for edge in steps]
    return {
        "fit": sum(fits) / len(fits) if fits else 0.0,
        "least_fit": min(fits, default=0.0),
        "unnamed": sum(fit == 0 for fit in fits) / 2,
        "links": len(steps) / 3,
        "connects": (len(node.edges) - len(steps)) / 3,
        "inverse": sum(not edge.forward for edge in steps) / 3,
        "back": float(node.turns_back),
        "back_both": float(node.turns_back and analysis.both),
        "near": _nearness(node),
        "crossing": _crossing(node),
        "kinds": node.kinds.fit,
        "restricted": float(node.restricted),
        "sifted": float(node.sifted),
        "sorted_out": float(node.sorted_out),
        "astray": node.astray,
    }


def _names(node: Node, analysis: Analysis) -> dict[str, float]:
    """Return how likely the names are meant; nothing where the question names none."""
    if not node.mentions:
        return {}
    candidates = [mention.candidate for mention in node.mentions]
    count = len(candidates)
    words = sum(mention.end - mention.start for mention in node.mentions)
    capitals = sum(
        analysis.words[at].text[:1].isupper() for mention in node.mentions for at in range(mention.start, mention.end)
    )
    return {
        "prior": sum(mention.prior for mention in node.mentions) / count / 3,
        "least_prior": min(mention.prior for mention in node.mentions) / 3,
        "exact": sum(candidate.score >= CLOSE for candidate in candidates) / count,
        "name_score": sum(candidate.score for candidate in candidates) / count,
        "popularity": sum(min(1.0, math.log10(1 + candidate.popularity) / 4) for candidate in candidates) / count,
        "name_words": words / max(1, len(analysis.words)),
        "capitals": capitals / words,
        "names": count / 3,
        "inside": sum(mention.inside for mention in node.mentions) / count,
        "literal_name": sum(candidate.kind == "literal" for candidate in candidates) / count,
    }


def _nearness(node: Node) -> float:
    """Return how close to the name that it starts from the words of a relation stand, on average."""
    gaps = [gap for edge in node.edges if (gap := _gap(edge)) is not None]
    return sum(1 / (1 + gap / 2) for gap in gaps) / len(gaps) if gaps else 0.0


def _gap(edge: Edge) -> int | None:
    """Return how many words a relation's words are away from the name that its path starts from, if there are both."""
    if edge.mention is None or not edge.match.positions:
        return None
    return min(min(abs(at - edge.mention.start), abs(at - edge.mention.end + 1)) for at in edge.match.positions)


def _crossing(node: Node) -> float:
    """Return the share of steps whose words are closer to the name than those of the step before."""
    by_item: dict[int, list[int]] = {}
    for edge in node.edges:
        gap = _gap(edge)
        if gap is not None and edge.mention is not None:
            by_item.setdefault(edge.mention.start, []).append(gap)
    pairs = [(one, other) for gaps in by_item.values() for one, other in itertools.pairwise(gaps)]
    return sum(one > other for one, other in pairs) / len(pairs) if pairs else 0.0


def _answers(walk: Walk, proposal: CandidateQuery) -> dict[str, float]:
    """Return what there is to say of the answers that are known, or of the things from which they are chosen."""
    node, count = proposal.node, len(proposal.ends)
    things = proposal.ends or (() if proposal.target not in (None, node.focus) else node.ends)
    if not things:
        return {}
    fitting = {
        "type_fit": walk.kinds.fits(things[0], node.classes),
        "literal_answer": float(isinstance(things[0], Literal)),
    }
    if not count:
        return fitting
    return fitting | {
        "log_answers": min(1.0, math.log10(count) / 3),
        "one_answer": float(count == 1),
        "one_expected": float(count > _MANY and not walk.analysis.expected.isdisjoint(("date", "number"))),
    }


def _asked(asked: frozenset[int], said: frozenset[int], covered: frozenset[int]) -> dict[str, float]:
    """Return whether the words that say what is asked for say what the answers are, or something else."""
    return {
        "asked": float(not asked.isdisjoint(said)),
        "asked_elsewhere": float(asked.isdisjoint(said) and not asked.isdisjoint(covered)),
    }


def _form(proposal: CandidateQuery, analysis: Analysis) -> dict[str, float]:
    """Return what the form of the question has to do with that of the query."""
    compared = proposal.form in _COMPARING
    asked = bool(analysis.order or analysis.each is not None or _bounded(proposal, analysis))
    unmet = any(bound.than is not None for bound in analysis.comparisons) and not compared
    return {
        "form_missing": float(asked and not compared),
        "bound_missing": float(_bounded(proposal, analysis, proposal.positions)),
        "order_missing": float(_unordered(proposal, analysis)),
        "than_missing": float(unmet),
        "except_missing": float(analysis.negated and proposal.form != "except"),
        "measure": proposal.measure if compared else 0.0,
        f"form_{proposal.form}": 1.0,
        "count_stored": float(analysis.answer_type == "count" and proposal.form == "number"),
        "count_listed": float(analysis.answer_type == "count" and proposal.form == "list"),
        "holds": float(proposal.holds is True),
        "holds_named": float(proposal.holds is True and len(proposal.node.mentions) > 1),
        "denies": float(proposal.holds is False),
    }


def _bounded(proposal: CandidateQuery, analysis: Analysis, heeded: frozenset[int] = frozenset()) -> bool:
    """Tell whether the question has a bound that is no part of a name and not heeded."""
    taken = heeded.union(*(mention.positions for mention in proposal.node.mentions))
    return any(
        (bound.value is not None or bound.date is not None) and taken.isdisjoint(range(bound.start, bound.end))
        for bound in analysis.comparisons
    )


def _unordered(proposal: CandidateQuery, analysis: Analysis) -> bool:
    """Tell whether the question has a superlative that is no part of a name and not heeded."""
    if analysis.order is None:
        return False
    taken = proposal.positions.union(*(mention.positions for mention in proposal.node.mentions))
    return taken.isdisjoint(range(analysis.order.start, analysis.order.end))
