"""Checks of the form of a query: whether it does what the question's form asks for, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triad import sparql
from triad.language.operators import Operator, find_operators
from triad.rdf import is_number
from triad.routing.checks import SAMPLE, Examined, Feature
from triad.sparql.term import BNode, URIRef, Variable

__all__ = ["check_form"]


def check_form(examined: Examined) -> Iterator[Feature]:
    """Check whether the query does what the question's form asks for: a bound, a number, the greatest, not."""
    analysis, tree, has = examined.analysis, examined.tree, examined.has
    is_ask = sparql.FORMS[tree.name] == "ASK"
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
    limited = bool(tree.orderby) and bool(tree.limitoffset)
    greatest = limited or has("Aggregate_Max", "Aggregate_Min", "SubSelect", "Builtin_NOTEXISTS")
    text = "the question has a superlative, and the query does not order"
    yield Feature("superlative", float(superlative and not greatest), text)
    yield from _check_counts(examined, operators)
    excluded = has("MinusGraphPattern", "Builtin_NOTEXISTS", "UnaryNot")
    compared = any(one.op in ("!=", "NOT IN") for one in sparql.nodes(tree, "RelationalExpression"))
    unbound = has("Builtin_BOUND", "OptionalGraphPattern")
    negated = analysis.negated and not (excluded or compared or unbound or is_ask)
    yield Feature("negation", float(negated), "what the question leaves out is not left out")


def _restrictions(examined: Examined) -> int:
    """Return how many conditions a query has that may be a bound."""
    tree = examined.tree
    compared = sum(1 for one in sparql.nodes(tree, "RelationalExpression") if one.op not in ("!=", "NOT IN"))
    plain = sum(1 for _, _, end in examined.triples if not isinstance(end, URIRef | Variable | BNode | sparql.Node))
    limits = sum(1 for _ in sparql.nodes(tree, "LimitOffsetClauses"))
    return compared + plain + limits + sum(1 for _ in sparql.nodes(tree, "InlineData"))


def _check_counts(examined: Examined, operators: Sequence[Operator]) -> Iterator[Feature]:
    analysis, tree = examined.analysis, examined.tree
    counting = analysis.answer_type == "count" or any(one.kind == "count" for one in operators)
    counted = examined.has("Aggregate_Count", "Aggregate_Sum", "Aggregate_Avg", "Aggregate_Max", "Aggregate_Min")
    cells = [term for row in examined.result.rows[:SAMPLE] for term in row if term is not None]
    numeric = any(is_number(term) for term in cells)
    yield Feature("count", float(counting and not counted), "the question asks how many, and nothing is counted")
    text = "the question asks how many, and the answer is no number"
    yield Feature("number", float(counting and not counted and not numeric), text)
    shown = [one for one in tree.projection or [] if getattr(one.get("expr"), "name", "") == "Aggregate_Count"]
    wanted = counting or analysis.each is not None or bool(tree.orderby) or "number" in analysis.expected
    yield Feature("unasked_count", float(bool(shown) and not wanted), "things are counted, which was not asked for")
    averages = [one for one in operators if one.kind == "aggregate"]
    heeded = all(examined.has(f"Aggregate_{one.function.title()}") for one in averages)
    text = "the question asks for an average or a total, and the query has none"
    yield Feature("aggregate", float(bool(averages) and not heeded and not numeric), text)
