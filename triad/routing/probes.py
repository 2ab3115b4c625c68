"""Probes: checks of an answer that ask the graph what its query would find with a part left out or changed.

Besides, whether a query reads a relation the other way round than was meant. A relation between things of two kinds can
be read in one way only, and models err in its direction, so that turning it repairs a query. One between things of one
kind, such as "depends on", says something else when it is turned, unless it holds both ways, as "is married to" does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from triad import sparql
from triad.errors import GraphError
from triad.kg.guard import check
from triad.lexical.choice import result_key
from triad.phases.context import Context
from triad.phases.diagnosis import PROBE_SECONDS
from triad.rdf import IRI, RDF_TYPE, ResultSet
from triad.routing.checks import Examined, Feature
from triad.sparql.patterns import Aggregate, Computed, EdgePattern, Filter, NegatedPart, Part, Variable

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


def is_turned(context: Context, query: str, wanted: sparql.QueryGraph) -> bool:
    """Return whether a query reads a relation of a named thing the other way round than is wanted, and so differently.

    Without a profile, nobody knows what a relation joins.
    """
    asked, said = set(_facts(wanted)), set(_facts(sparql.parse(query)))
    turned = {(end, relation, subject) for subject, relation, end in asked} - asked
    return any(_joins_alike(context, relation) for _, relation, _ in said & turned)


def _facts(tree: sparql.QueryGraph) -> Iterator[tuple[str, str, str]]:
    """Yield the patterns of a query that say something of a named thing; its variables are all alike."""
    for subject, path, end in sparql.triples(tree):
        if isinstance(subject, IRI) != isinstance(end, IRI):
            ends = [str(one) if isinstance(one, IRI) else "" for one in (subject, end)]
            for relation in sparql.terms(path):
                yield ends[0], str(relation), ends[1]


def _joins_alike(context: Context, relation: str) -> bool:
    """Return whether a relation joins things of one kind, and never both ways."""
    known = context.profile.relation_profile(relation) if context.profile else None
    if known is None or not any(one.subject and one.subject == one.object for one in known.ends):
        return False
    try:
        both = check(f"ASK {{ ?one <{relation}> ?other . ?other <{relation}> ?one }}", context.policy)
        mutual = context.execute(both, ask=True, timeout=PROBE_SECONDS)
    except GraphError:
        return False
    return not mutual.boolean
