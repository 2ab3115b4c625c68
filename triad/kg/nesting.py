"""EXISTS for pyoxigraph: patterns that are matched one after the other.

pyoxigraph plans the patterns of an EXISTS as if nothing were known of their variables, so that for each row it may join
all that any of them matches, which can take a hundred times as long as the rest of a query. Where each pattern stands
in an EXISTS of its own within that of the one before, it is matched with what is known by then. It means the same, for
an EXISTS tells only whether there is a match, and the rows and their order stay.

>>> from triad.sparql import parse, write
>>> print(write(nested(parse("SELECT * { ?x <of> ?y FILTER NOT EXISTS { ?z <in> ?u . ?y <at> ?z . } }"))))
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

from collections import Counter
from dataclasses import replace
from typing import Any

from triad import sparql
from triad.rdf import BlankNode
from triad.sparql.patterns import EdgePattern, Exists, Filter, NegatedPart, Part, Values, Variable

__all__ = ["nested"]


def nested(graph: sparql.QueryGraph) -> sparql.QueryGraph:
    """Return a query in which each pattern of an EXISTS stands in one of its own."""
    used = _uses(graph)

    def change(part: Any) -> Any:
        if not isinstance(part, Exists | NegatedPart) or (isinstance(part, NegatedPart) and part.minus):
            return part
        group = _nested(part.parts, used)
        return part if group is None else replace(part, parts=group)

    return sparql.rewritten(graph, change)


def _nested(parts: tuple[Part, ...], used: Counter[Variable]) -> tuple[Part, ...] | None:
    """Return a group with its patterns one inside the other; None if it has only one, or anything but patterns."""
    left = [part for part in parts if isinstance(part, EdgePattern)]
    values = [part for part in parts if isinstance(part, Values)]
    # A blank node stands for one thing within its patterns only, and values are joined to one pattern.
    own = _uses(parts)
    if len(left) + len(values) < len(parts) or len(left) < 2:
        return None
    if any(isinstance(term, BlankNode) for term in sparql.terms(parts)):
        return None
    if any(len(one.variables) != 1 or own[one.variables[0]] != 2 for one in values):
        return None
    known = {name for name, count in used.items() if count > own[name]}
    ordered: list[EdgePattern] = []
    while left:
        best = max(left, key=lambda edge: sum(_is_known(end, known) for end in (edge.subject, edge.object)))
        left.remove(best)
        ordered.append(best)
        known |= _uses(best).keys()
    inner: tuple[Part, ...] = ()
    for edge in reversed(ordered):
        limits = tuple(one for one in values if one.variables[0] in _uses(edge))
        inner = (*limits, edge, *inner)
        if edge is not ordered[0]:
            inner = (Filter(Exists(inner)),)
    return inner


def _uses(value: Any) -> Counter[Variable]:
    """Return how often each variable occurs in a part of a query."""
    return Counter(term for term in sparql.terms(value) if isinstance(term, Variable))


def _is_known(term: Any, known: set[Variable]) -> bool:
    return not isinstance(term, Variable) or term in known
