"""Probes: checks of an answer that ask the graph what its query would find with a part left out or changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from triad import sparql
from triad.errors import GraphError
from triad.kg.guard import check
from triad.lexical.choice import result_key
from triad.rdf import RDF_TYPE, ResultSet
from triad.routing.checks import Examined, Feature
from triad.sparql.term import Literal, URIRef, Variable

__all__ = ["PROBE_SECONDS", "probe"]

PROBE_SECONDS: Final = 2.0
"""Seconds that a probe may take: it makes an answer surer, and is not waited for."""
_MUCH: Final = 0.5  # the share of rows that a class removes from which on it removes much


def probe(examined: Examined) -> Iterator[Feature]:
    """Ask whether things are tied at the limit, filters remove nothing, a class removes much, or counts repeat."""
    yield Feature("tie", float(_is_tied(examined)), "others share the last place that is given")
    idle = [one for one in _filters(examined.tree)[:2] if _is_idle(examined, one)]
    yield Feature("idle_filter", float(bool(idle)), "a condition removes nothing")
    yield Feature(
        "class_removes", float(_class_removes(examined)), "a class leaves out most of what would be found without it"
    )
    yield Feature("recount", float(_repeats(examined)), "what is counted is counted more than once")


def _ran(examined: Examined, tree: sparql.Node) -> ResultSet | None:
    try:
        text = check(tree, examined.context.policy)
        ask = sparql.FORMS[tree.name] == "ASK"
        return examined.context.execute(text, ask=ask, timeout=PROBE_SECONDS)
    except GraphError:
        return None


def _is_tied(examined: Examined) -> bool:
    """Return whether the first row that the limit leaves out has the same key as the last one that it lets in."""
    tree, clauses = examined.tree, examined.tree.limitoffset
    if not tree.orderby or clauses is None or "limit" not in clauses or tree.projection is None:
        return False
    limit = int(clauses["limit"])
    if limit > 20 or len(examined.result.rows) < limit:
        return False
    key = tree.orderby.condition[0]
    keyed = sparql.Node(tree.name, **tree)
    expression = key.expr if isinstance(key, sparql.Node) and "expr" in key else key
    shown = sparql.Node("vars", expr=expression, evar=Variable("key_of_order"))
    keyed["projection"] = [*tree.projection, shown]
    keyed["limitoffset"] = sparql.Node("LimitOffsetClauses", **{**clauses, "limit": Literal(limit + 1)})
    if (found := _ran(examined, keyed)) is None or len(found.rows) <= limit:
        return False
    return found.rows[limit - 1][-1] == found.rows[limit][-1]


def _filters(tree: sparql.Node) -> list[sparql.Node]:
    return list(sparql.nodes(tree.where, "Filter"))


def _is_idle(examined: Examined, condition: sparql.Node) -> bool:
    found = _ran(examined, sparql.without(examined.tree, condition))
    return found is not None and result_key(found) == result_key(examined.result)


def _class_removes(examined: Examined) -> bool:
    if not examined.classes or examined.result.boolean is not None or len(examined.triples) < 2:
        return False
    stripped = _without_classes(examined.tree)
    if next(sparql.patterns(stripped), None) is None:
        return False
    # One row more than that tells it, and the graph need not look for the others.
    found = _ran(examined, _limited(stripped, int(len(examined.result.rows) / _MUCH) + 1))
    return found is not None and len(examined.result.rows) < _MUCH * len(found.rows)


def _limited(tree: sparql.Node, rows: int) -> sparql.Node:
    """Return a query for some rows at most; how many it has decides where it is for fewer."""
    clauses = tree.limitoffset or {}
    limit = min(rows, int(clauses["limit"])) if "limit" in clauses else rows
    kept = sparql.Node(tree.name, **tree)
    kept["limitoffset"] = sparql.Node("LimitOffsetClauses", **{**clauses, "limit": Literal(limit)})
    return kept


def _without_classes(tree: Any) -> Any:
    """Return a copy of a query without the patterns that say of what class something is."""
    copy = sparql.substitute(tree, {})
    for block in sparql.nodes(copy, "TriplesBlock"):
        block["triples"] = [
            [
                term
                for at in range(0, len(flat), 3)
                if str(sparql.simple(flat[at + 1])) != RDF_TYPE or not isinstance(flat[at + 2], URIRef)
                for term in flat[at : at + 3]
            ]
            for flat in block.triples or []
        ]
    for group in sparql.nodes(copy, "GroupGraphPatternSub"):
        group["part"] = [part for part in group.part or [] if part.name != "TriplesBlock" or any(part.triples)]
    return copy


def _repeats(examined: Examined) -> bool:
    counts = [one for one in sparql.nodes(examined.tree, "Aggregate_Count") if not one.distinct and one.vars != "*"]
    if not counts:
        return False
    changed = sparql.substitute(examined.tree, {})
    for one in sparql.nodes(changed, "Aggregate_Count"):
        if one.vars != "*":
            one["distinct"] = "DISTINCT"
    found = _ran(examined, changed)
    return found is not None and result_key(found) != result_key(examined.result)
