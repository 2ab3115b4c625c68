"""ORDER BY for pyoxigraph: sort keys that order values of all types.

pyoxigraph compares literals by value where they have comparable values, and by their text where not. By that, ``10``
comes after ``9``, ``"9a"`` after ``9`` and ``10`` before ``"9a"``: such a comparison of mixed values has no order, and
the engine's sort, when it notices, aborts the process. So a key whose values may be of several types is replaced by
three: the family of a literal, within which all values can be compared; the value; and what makes values of one
family differ that are compared with a loss. Values of one family keep their order, and unbound, blank nodes and IRIs
come before literals, as SPARQL has it.

>>> from triad.sparql import parse, write
>>> write(by_family(parse("SELECT * { ?s ?p ?o } ORDER BY DESC(?o)"))).count("DESC")
3
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Final

from triad import sparql
from triad.sparql.patterns import Aggregate, Call, Comparison, Exists, Logic, Not, OneOf, Variable
from triad.sparql.query_graph import Order

__all__ = ["by_family"]

_KEYS: Final = """
    SELECT * { } ORDER BY
      # All numbers are one family, all strings another. NaN is none, for it is not even equal to itself. Dates with
      # and without a time zone cannot be compared, nor can dates with what is a date by its datatype only.
      (IF(isNumeric(?key) && ?key = ?key, "", IF(LANG(?key) = "",
        CONCAT(STR(DATATYPE(?key)), COALESCE(IF(TZ(?key) = "", "1", "2"), "3")), CONCAT(STR(xsd:string), "3"))))
      # A number is compared with a double as a double. A month and a number of days cannot be compared.
      (COALESCE(IF(isNumeric(?key), xsd:double(?key),
        IF(DATATYPE(?key) = xsd:duration, xsd:yearMonthDuration(?key), ?key)), ?key))
      (COALESCE(xsd:decimal(?key), xsd:dayTimeDuration(?key)))
"""
# Expressions whose values are all of one family, and those that give a new value at each use.
_OF_ONE_FAMILY: Final = (Comparison, Exists, Logic, Not, OneOf)
_FUNCTIONS: Final = frozenset(
    "BOUND CONCAT CONTAINS DAY HOURS IRI LANG LANGMATCHES LCASE MINUTES MONTH NOW RAND REGEX STR STRAFTER STRBEFORE "
    "STRENDS STRLEN STRSTARTS STRUUID SUBSTR UCASE URI UUID YEAR isBLANK isIRI isLITERAL isNUMERIC isURI sameTerm "
    "COUNT GROUP_CONCAT".split()
)


def by_family(graph: sparql.QueryGraph) -> sparql.QueryGraph:
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
    return [order.key for order in sparql.parse(_KEYS).order]
