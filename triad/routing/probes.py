"""Probes: checks of an answer that ask the graph whether things are tied, and whether a relation was turned.

A relation between things of two kinds can be read in one way only, and models err in its direction, so that turning it
repairs a query. One between things of one kind, such as "depends on", says something else when it is turned, unless it
holds both ways, as "is married to" does.
"""

from collections.abc import Iterator
from dataclasses import replace

from triad import sparql
from triad.errors import GraphError
from triad.kg.guard import check
from triad.phases.context import Context
from triad.phases.diagnosis import PROBE_SECONDS
from triad.rdf import IRI
from triad.routing.checks import Examined, Feature
from triad.sparql.patterns import Computed, Variable


def check_ties(examined: Examined) -> Iterator[Feature]:
    """Check whether the first row that the limit leaves out has the same key as the last one that it lets in."""
    tree, limit, tied = examined.tree, examined.tree.limit, False
    if tree.order and tree.columns and limit is not None and len(examined.result.rows) >= limit <= 20:
        shown = Computed(tree.order[0].key, Variable("key_of_order"))
        keyed = check(replace(tree, columns=(*tree.columns, shown), limit=limit + 1), examined.context.policy)
        rows = examined.context.execute(keyed, ask=False, timeout=PROBE_SECONDS).rows
        tied = len(rows) > limit and rows[limit - 1][-1] == rows[limit][-1]
    yield Feature("tie", float(tied), "others share the last place that is given")


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
