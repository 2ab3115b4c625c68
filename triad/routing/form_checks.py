"""Checks of the form of a query: whether it does what the question's form asks for, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triad import sparql
from triad.language.operators import Operator, find_operators
from triad.rdf import Literal, is_number
from triad.routing.checks import SAMPLE, Examined, Feature
from triad.sparql.patterns import (
    Aggregate,
    Call,
    Comparison,
    Computed,
    Exists,
    NegatedPart,
    Not,
    OneOf,
    OptionalPart,
    Values,
)

__all__ = ["check_form"]


def check_form(examined: Examined) -> Iterator[Feature]:
    """Check whether the query does what the question's form asks for: a bound, a number, the greatest, not."""
    analysis, tree, has = examined.analysis, examined.tree, examined.has
    is_ask = tree.ask
    yield Feature("boolean", float(is_ask))
    bounds = [
        one
        for one in analysis.comparisons
        if (one.value is not None or one.date is not None) and examined.is_free(one.start, one.end)
    ]
    short = min(1.0, max(0, len(bounds) - _restrictions(examined)) / 2)
    yield Feature("bound", short, "a bound of the question is not in the query")
    taken = frozenset(at for one in bounds for at in range(one.start, one.end))
    operators = [
        one
        for one in find_operators(analysis.text, examined.pack)
        if examined.is_free(one.start, one.end) and taken.isdisjoint(range(one.start, one.end))
    ]
    superlative = any(one.kind == "superlative" for one in operators)
    limited = bool(tree.order) and tree.is_sliced
    within = sum(1 for _ in sparql.nodes(tree, sparql.QueryGraph)) > 1
    unmet = any(not one.minus for one in sparql.nodes(tree, NegatedPart)) or _denied(tree)
    greatest = limited or _aggregates(tree, "MAX", "MIN") or within or unmet
    text = "the question has a superlative, and the query does not order"
    yield Feature("superlative", float(superlative and not greatest), text)
    yield from _check_counts(examined, operators)
    excluded = has(NegatedPart, Not) or _denied(tree)
    compared = any(map(_differs, _compared(tree)))
    unbound = has(OptionalPart) or any(one.function == "BOUND" for one in sparql.nodes(tree, Call))
    negated = analysis.negated and not (excluded or compared or unbound or is_ask)
    yield Feature("negation", float(negated), "what the question leaves out is not left out")


def _restrictions(examined: Examined) -> int:
    """Return how many conditions a query has that may be a bound."""
    tree = examined.tree
    compared = sum(1 for one in _compared(tree) if not _differs(one))
    plain = sum(1 for _, _, end in examined.triples if isinstance(end, Literal))
    limits = sum(1 for one in sparql.nodes(tree, sparql.QueryGraph) if one.is_sliced)
    return compared + plain + limits + sum(1 for _ in sparql.nodes(tree, Values))


def _compared(tree: sparql.QueryGraph) -> Iterator[Comparison | OneOf]:
    yield from sparql.nodes(tree, Comparison)
    yield from sparql.nodes(tree, OneOf)


def _differs(condition: Comparison | OneOf) -> bool:
    """Return whether a condition says what something is not."""
    return condition.negated if isinstance(condition, OneOf) else condition.sign == "!="


def _denied(tree: sparql.QueryGraph) -> bool:
    return any(one.negated for one in sparql.nodes(tree, Exists))


def _aggregates(tree: sparql.QueryGraph, *functions: str) -> bool:
    return any(one.function in functions for one in sparql.nodes(tree, Aggregate))


def _check_counts(examined: Examined, operators: Sequence[Operator]) -> Iterator[Feature]:
    analysis, tree = examined.analysis, examined.tree
    counting = analysis.answer_type == "count" or any(one.kind == "count" for one in operators)
    counted = _aggregates(tree, "COUNT", "SUM", "AVG", "MAX", "MIN")
    cells = [term for row in examined.result.rows[:SAMPLE] for term in row if term is not None]
    numeric = any(is_number(term) for term in cells)
    yield Feature("count", float(counting and not counted), "the question asks how many, and nothing is counted")
    text = "the question asks how many, and the answer is no number"
    yield Feature("number", float(counting and not counted and not numeric), text)
    columns = [one.expression for one in tree.columns if isinstance(one, Computed)]
    shown = [one for one in columns if isinstance(one, Aggregate) and one.function == "COUNT"]
    wanted = counting or analysis.each is not None or bool(tree.order) or "number" in analysis.expected
    yield Feature("unasked_count", float(bool(shown) and not wanted), "things are counted, which was not asked for")
    averages = [one for one in operators if one.kind == "aggregate"]
    heeded = all(_aggregates(tree, one.function.upper()) for one in averages)
    text = "the question asks for an average or a total, and the query has none"
    yield Feature("aggregate", float(bool(averages) and not heeded and not numeric), text)
