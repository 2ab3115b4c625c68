"""EXISTS for pyoxigraph: patterns that are matched one after the other.

pyoxigraph plans the patterns of an EXISTS as if nothing were known of their variables, so that for each row it may join
all that any of them matches, which can take a hundred times as long as the rest of a query. Where each pattern stands
in an EXISTS of its own within that of the one before, it is matched with what is known by then. It means the same, for
an EXISTS tells only whether there is a match, and the rows and their order stay.

>>> print(nested("SELECT * { ?x <of> ?y FILTER NOT EXISTS { ?z <in> ?u . ?y <at> ?z . } }"))
SELECT *
WHERE {
  ?x <of> ?y .
  FILTER (NOT EXISTS {
    ?y <at> ?z .
    FILTER (EXISTS {
      ?z <in> ?u .
    })
  })
}
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Any, Final

from triad import sparql
from triad.errors import QuerySyntaxError
from triad.sparql.term import BNode, Variable

__all__ = ["nested"]

_EXISTS: Final = re.compile(r"\bEXISTS\s*\{(?:[^{}]|\{[^{}]*\})*?\s\.\s(?:[^{}]|\{[^{}]*\})*?\s\.\s", re.IGNORECASE)
"""An EXISTS of several patterns, as `triad.sparql.write` and `triad.queries.rendering` write it."""


@lru_cache(maxsize=1024)
def nested(query: str) -> str:
    """Return a query in which each pattern of an EXISTS stands in one of its own.

    A query without such patterns is returned as it is, and so is one that cannot be read, about which the engine has to
    complain.
    """
    if not _EXISTS.search(query):
        return query
    try:
        tree = sparql.parse(query)
    except QuerySyntaxError:
        return query
    used = _uses(tree)
    changed = False
    for node in sparql.nodes(tree, "Builtin_EXISTS", "Builtin_NOTEXISTS"):
        if (group := _nested(node.graph, used)) is not None:
            node["graph"] = group
            changed = True
    return sparql.write(tree) if changed else query


def _nested(group: sparql.Node, used: Counter[str]) -> sparql.Node | None:
    """Return a group with its patterns one inside the other; None if it has only one, or anything but patterns."""
    parts = group.part or []
    if group.name != "GroupGraphPatternSub" or any(part.name not in ("TriplesBlock", "InlineData") for part in parts):
        return None
    values = [part for part in parts if part.name == "InlineData"]
    left = [terms for part in parts if part.name == "TriplesBlock" for terms in _triples(part)]
    # A blank node stands for one thing within its patterns only, and values are joined to one pattern.
    own = _uses(group)
    if len(left) < 2 or any(isinstance(term, BNode) for term in sparql.terms(group)):
        return None
    if any(len(one.var) != 1 or own[str(one.var[0])] != 2 for one in values):
        return None
    known = {name for name, count in used.items() if count > own[name]}
    ordered = []
    while left:
        best = max(left, key=lambda terms: sum(_is_known(terms[at], known) for at in (0, 2)))
        left.remove(best)
        ordered.append(best)
        known |= _uses(best).keys()
    inner: list[sparql.Node] = []
    for terms in reversed(ordered):
        names = _uses(terms)
        block = sparql.Node("TriplesBlock", triples=[terms])
        limits = [one for one in values if str(one.var[0]) in names]
        inner = [*limits, block, *inner]
        if terms is not ordered[0]:
            within = sparql.Node("GroupGraphPatternSub", part=inner)
            inner = [sparql.Node("Filter", expr=sparql.Node("Builtin_EXISTS", graph=within))]
    return sparql.Node("GroupGraphPatternSub", part=inner)


def _triples(block: sparql.Node) -> list[list[Any]]:
    return [flat[at : at + 3] for flat in block.triples or [] for at in range(0, len(flat), 3)]


def _uses(tree: Any) -> Counter[str]:
    """Return how often each variable occurs in a part of a query."""
    return Counter(str(term) for term in sparql.terms(tree) if isinstance(term, Variable))


def _is_known(term: Any, known: set[str]) -> bool:
    return not isinstance(term, Variable) or str(term) in known
