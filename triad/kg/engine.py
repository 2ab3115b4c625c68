"""Queries as pyoxigraph answers them in good time and without a crash: other sort keys, and patterns one by one.

*ORDER BY.* pyoxigraph compares literals by value where they have comparable values, and by their text where not. By
that, ``10`` comes after ``9``, ``"9a"`` after ``9`` and ``10`` before ``"9a"``: comparing mixed values so has no
order, and the engine's sort, when it notices, aborts the process. So a key whose values may be of several types is
replaced by three: the family of a literal, within which all values can be compared; the value; and what makes those of
one family differ that are compared with a loss. Values of one family keep their order, and unbound, blank nodes and
IRIs come before literals, as SPARQL has it.

*EXISTS.* pyoxigraph plans its patterns as if nothing were known of their variables, so that for each row it may join
all that any of them matches, which can take a hundred times as long as the rest of a query. Where each pattern stands
in an EXISTS of its own within that of the one before, it is matched with what is known by then. It means the same, for
an EXISTS tells only whether there is a match, and the rows and their order stay.

*FILTER.* pyoxigraph plans a join as if conditions kept all rows, so that it may join thousands of which one is left.
Where a value of a relation has to meet a condition, and few do, these stand in place of it.

>>> for_engine("SELECT * { ?s ?p ?o } ORDER BY DESC(?o)").count("DESC")
3
>>> print(for_engine("SELECT * { ?x <of> ?y FILTER NOT EXISTS { ?z <in> ?u . ?y <at> ?z . } }"))
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

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from triad import sparql
from triad.errors import QuerySyntaxError
from triad.kg.base import SafeQuery
from triad.rdf import IRI, BlankNode, Literal
from triad.resources import read
from triad.sparql import patterns
from triad.sparql.patterns import Aggregate, Call, EdgePattern, Exists, Filter, NegatedPart, Not, Part, Values, Variable
from triad.sparql.query_graph import Order
from triad.text import remembered

_REWRITTEN: Final = re.compile(r"\b(?:ORDER\s|EXISTS\b)", re.IGNORECASE)
"""What occurs in each query that may be changed."""
# Expressions whose values are all of one family, and those that give a new value at each use.
_OF_ONE_FAMILY: Final = (patterns.Comparison, Exists, patterns.Logic, Not, patterns.OneOf)
_FUNCTIONS: Final = frozenset(
    "BOUND CONCAT CONTAINS DAY HOURS IRI LANG LANGMATCHES LCASE MINUTES MONTH NOW RAND REGEX STR STRAFTER STRBEFORE "
    "STRENDS STRLEN STRSTARTS STRUUID SUBSTR UCASE URI UUID YEAR isBLANK isIRI isLITERAL isNUMERIC isURI sameTerm "
    "COUNT GROUP_CONCAT".split()
)
_CHANGING: Final = frozenset(("BNODE", "NOW", "RAND", "STRUUID", "UUID"))
FEW: Final = 20
"""Values that stand in place of a condition at most."""


@remembered(1024, longest=5_000)
def for_engine(query: str) -> str:
    """Return a query as pyoxigraph answers it in good time and without a crash.

    A query that needs no change is returned as it is, and so is one that cannot be read, about which the engine has to
    complain.
    """
    graph = _read(query) if _REWRITTEN.search(query) else None
    changed = _nested(_by_family(graph)) if graph else None
    return query if changed is None or changed == graph else sparql.write(changed)


def _read(query: str) -> sparql.QueryGraph | None:
    known = query.graph if isinstance(query, SafeQuery) else None
    try:
        return sparql.plain(known or sparql.parse(query))
    except QuerySyntaxError:
        return None


def _by_family(graph: sparql.QueryGraph) -> sparql.QueryGraph:
    """Return a query whose keys of ORDER BY can be compared, whatever their values are."""

    def ordered(part: object) -> object:
        if not isinstance(part, sparql.QueryGraph) or not part.order:
            return part
        # What is changed is not looked into again, so queries within are changed here.
        inner = sparql.rewritten(replace(part, order=()), ordered)
        keys = sparql.rewritten(part.order, ordered)
        return replace(inner, order=tuple(key for given in keys for key in _keys(given)))

    return sparql.rewritten(graph, ordered)


def _keys(given: Order) -> Iterator[Order]:
    """Yield the keys that replace a sort key."""
    match given.key:
        case Call(name) | Aggregate(name) if name in _FUNCTIONS:
            yield given
        case key if isinstance(key, _OF_ONE_FAMILY):
            yield given
        case _:
            instead: dict[Any, Any] = {Variable("key"): given.key}
            for pattern in _patterns():
                yield Order(sparql.substituted(pattern, instead), given.descending)


@cache
def _patterns() -> list[Any]:
    return [order.key for order in sparql.parse(read(Path(__file__).with_suffix(".rq"))).order]


def _nested(graph: sparql.QueryGraph) -> sparql.QueryGraph:
    """Return a query in which each pattern of an EXISTS stands in one of its own."""
    used = _uses(graph)

    def change(part: Any) -> Any:
        if not isinstance(part, Exists | NegatedPart) or (isinstance(part, NegatedPart) and part.minus):
            return part
        group = _one_by_one(part.parts, used)
        return part if group is None else replace(part, parts=group)

    return sparql.rewritten(graph, change)


def _one_by_one(parts: tuple[Part, ...], used: Counter[Variable]) -> tuple[Part, ...] | None:
    """Return a group with its patterns one inside the other; None if it has only one, or anything but patterns."""
    left = [part for part in parts if isinstance(part, EdgePattern)]
    values = [part for part in parts if isinstance(part, Values)]
    tests = [part for part in parts if isinstance(part, Filter)]
    # A blank node stands for one thing within its patterns only, and values are joined to one pattern.
    own = _uses(parts)
    if len(left) + len(values) + len(tests) < len(parts) or len(left) < 2:
        return None
    if any(sparql.nodes(parts, BlankNode)) or any(sparql.nodes(tuple(tests), Exists)):
        return None
    if any(len(one.variables) != 1 or own[one.variables[0]] != 2 for one in values):
        return None
    known = {name for name, count in used.items() if count > own[name]}
    ordered: list[tuple[Part, ...]] = []
    while left:
        best = min(left, key=lambda edge: len(_uses(edge).keys() - known))
        left.remove(best)
        known |= _uses(best).keys()
        met = [one for one in tests if not left or _uses(one).keys() <= known]
        tests = [one for one in tests if one not in met]
        ordered.append((*(one for one in values if one.variables[0] in _uses(best)), best, *met))
    *outer, inner = ordered
    for group in reversed(outer):
        inner = (*group, Filter(Exists(inner)))
    return inner


Find = Callable[[str], Sequence[IRI | Literal] | None]


def with_values(query: SafeQuery, find: Find) -> SafeQuery:
    """Return a query with values in place of the conditions that few values of a relation meet.

    Args:
        query: A query.
        find: Returns the values that a query finds; None if they are more than `FEW`, or not found in time.
    """
    graph = _read(query) if "FILTER" in query.upper() else None
    if graph is None or graph.sources or any(sparql.nodes(graph, patterns.GraphPart, patterns.Service)):
        return query

    def change(group: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple([_values(part, group, find) if isinstance(part, Filter) else part for part in group])

    changed = patterns.regrouped(graph, change)
    return query if changed == graph else SafeQuery(sparql.render(changed), changed)


def _values(test: Filter, group: tuple[Part, ...], find: Find) -> Part:
    """Return the values that stand in place of a condition in a group of patterns, or the condition itself."""
    edges = [part for part in group if isinstance(part, EdgePattern)]
    tested = set(sparql.nodes(test, Variable))
    of = next((one for one in edges if {one.object} == tested and isinstance(one.relation, IRI)), None)
    changing = any(one.function in _CHANGING for one in sparql.nodes(test, Call))
    if of is None or len(edges) < 2 or changing or any(sparql.nodes(test, Exists)):
        return test
    [value] = tested
    name = Variable("value")
    alone = (EdgePattern(Variable("any"), of.relation, name), sparql.substituted(test, {value: name}))
    found = find(sparql.render(sparql.QueryGraph((name,), alone, distinct=True, limit=FEW + 1)))
    return test if found is None else Values.of(value, *found)


def _uses(value: Any) -> Counter[Variable]:
    """Return how often each variable occurs in a part of a query."""
    return Counter(sparql.nodes(value, Variable))
