"""Which variables the patterns of a query bind."""

from typing import Any

from triad.sparql.patterns import (
    Bind,
    ClassPattern,
    EdgePattern,
    Filter,
    GraphPart,
    NegatedPart,
    OptionalPart,
    Part,
    Service,
    Union,
    Values,
    Variable,
    terms,
)


def in_scope(parts: tuple[Part, ...]) -> tuple[Variable, ...]:
    """Return the variables that patterns bind: without those that occur in conditions or negated patterns only."""
    found: dict[Variable, None] = {}
    for part in parts:
        match part:
            case Filter() | NegatedPart():
                continue
            case Bind(_, variable):
                names: tuple[Any, ...] = (variable,)
            case Values(variables):
                names = variables
            case ClassPattern(kind, _, instance):
                names = (kind, instance)
            case OptionalPart(inner):
                names = in_scope(inner)
            case GraphPart(graph, inner) | Service(graph, inner):
                names = (graph, *in_scope(inner))
            case Union(groups):
                names = tuple(name for group in groups for name in in_scope(group))
            case EdgePattern():
                names = tuple(terms(part))
            case _:
                names = getattr(part, "columns", ())  # of a query graph within this one
        found |= dict.fromkeys(name for name in names if isinstance(name, Variable))
    return tuple(found)
