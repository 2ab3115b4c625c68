"""Probes: checks of an answer that ask the graph what its query would find with a part left out or changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from triad import sparql
from triad.errors import GraphError
from triad.kg.guard import check
from triad.lexical.choice import result_key
from triad.rdf import IRI, RDF_TYPE, ResultSet
from triad.routing.checks import Examined, Feature
from triad.sparql.patterns import Aggregate, Computed, EdgePattern, Filter, NegatedPart, Part, Variable

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


def _ran(examined: Examined, tree: sparql.QueryGraph) -> ResultSet | None:
    try:
        text = check(tree, examined.context.policy)
        return examined.context.execute(text, ask=tree.ask, timeout=PROBE_SECONDS)
    except GraphError:
        return None


def _is_tied(examined: Examined) -> bool:
    """Return whether the first row that the limit leaves out has the same key as the last one that it lets in."""
    tree, limit = examined.tree, examined.tree.limit
    if not tree.order or limit is None or not tree.columns or limit > 20 or len(examined.result.rows) < limit:
        return False
    shown = Computed(tree.order[0].key, Variable("key_of_order"))
    keyed = replace(tree, columns=(*tree.columns, shown), limit=limit + 1)
    if (found := _ran(examined, keyed)) is None or len(found.rows) <= limit:
        return False
    return found.rows[limit - 1][-1] == found.rows[limit][-1]


def _filters(tree: sparql.QueryGraph) -> list[Part]:
    conditions = sparql.nodes(tree.where, Filter, NegatedPart)
    return [one for one in conditions if not (isinstance(one, NegatedPart) and one.minus)]


def _is_idle(examined: Examined, condition: Part) -> bool:
    found = _ran(examined, sparql.rewritten(examined.tree, lambda part: () if part is condition else part))
    return found is not None and result_key(found) == result_key(examined.result)


def _class_removes(examined: Examined) -> bool:
    if not examined.classes or examined.result.boolean is not None or len(examined.triples) < 2:
        return False
    stripped = _without_classes(examined.tree)
    if next(sparql.triples(stripped), None) is None:
        return False
    # One row more than that tells it, and the graph need not look for the others.
    enough = int(len(examined.result.rows) / _MUCH) + 1
    found = _ran(examined, replace(stripped, limit=enough if stripped.limit is None else min(stripped.limit, enough)))
    return found is not None and len(examined.result.rows) < _MUCH * len(found.rows)


def _without_classes(tree: sparql.QueryGraph) -> sparql.QueryGraph:
    """Return a query without the patterns that say of what class something is."""

    def change(part: Any) -> Any:
        match part:
            case EdgePattern(_, IRI(relation), IRI()) if relation == RDF_TYPE:
                return ()
        return part

    return sparql.rewritten(tree, change)


def _repeats(examined: Examined) -> bool:
    def change(part: Any) -> Any:
        counted = isinstance(part, Aggregate) and part.function == "COUNT" and part.of is not None
        return replace(part, distinct=True) if counted and not part.distinct else part

    changed = sparql.rewritten(examined.tree, change)
    if changed == examined.tree:
        return False
    found = _ran(examined, changed)
    return found is not None and result_key(found) != result_key(examined.result)
