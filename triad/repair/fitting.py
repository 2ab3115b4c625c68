"""Fitting: a main path of the graph with the restrictions of a plan, as many of them as it takes.

The relation of a restriction is looked for between the node and the entity that it names, or among those of the node.
Where no row meets all restrictions, they are relaxed one by one: a text may be a part of the value, then texts, numbers
and entities are left out, in this order. Each has its price, so that a path that keeps more of the question wins. A
negation, an order and a limit are never left out.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from triad import sparql
from triad.errors import QueryTimeout
from triad.kg.base import SafeQuery
from triad.kg.guard import check
from triad.kg.schema import Hop
from triad.language.analysis import analyse
from triad.phases.context import Context
from triad.queries.path_text import mentioned
from triad.queries.paths import ReasoningPath, Restriction, Sort, Step
from triad.rdf import IRI, RDF_TYPE, Literal, ResultSet, kind_of, writable
from triad.repair.plans import PlannedPath
from triad.repair.search import FoundPath, PathSearch, step_of, with_subclasses
from triad.sparql.patterns import Call, Comparison, Variable
from triad.sparql.writer import render_parts

PRICES: Final[dict[Sort, float]] = {"string": 0.49, "numeric": 0.45, "entity": 0.4}
"""What an answer keeps of its evidence where a restriction is left out: less than an answer needs that is no guess, for
the question was another one."""
_LOOSENED: Final = 0.9  # what it keeps where a text need only be a part of the value
_IDLE: Final = 0.9  # what it keeps where the restrictions leave no row out: they may be about something else
_OTHER_TYPE: Final = 0.6  # what it keeps where the answers are not of the type that the question asks for
_ENOUGH: Final = 0.35  # how alike a relation and the words of a restriction are at least, where a value is not named
_SECONDS: Final = 5.0  # that a query may take whose result is only evidence
_ROWS: Final = 500  # rows of the main path that are compared with those that are left


@dataclass(frozen=True, slots=True)
class Fitted:
    """A path that the graph has answers to."""

    plan: PlannedPath
    path: ReasoningPath
    tree: sparql.QueryGraph
    query: SafeQuery
    result: ResultSet
    score: float = 1.0
    """The evidence for it, from 0 to 1."""
    likeness: float = 1.0
    """How alike its relations and the words of the plan are, whatever was left out."""
    dropped: tuple[Restriction, ...] = ()
    """Restrictions of the plan that were left out."""
    loosened: tuple[Restriction, ...] = ()
    """Restrictions of the plan that a part of the value meets."""


def fit(search: PathSearch, planned: PlannedPath, found: FoundPath) -> Fitted | None:
    """Return a main path with as many of the plan's restrictions as leave anything; None where that is nothing."""
    plan, counts = planned.path, planned.counts
    grounded, missing, likeness = _grounded(search, plan, found)
    evidence = (found.score ** len(plan.steps) * likeness) ** (1 / (len(plan.steps) + len(plan.restrictions)))
    if any(_is_kept(one) for one in missing):
        return None
    least = _price(missing)
    for variant, dropped, loosened in _relaxed(grounded):
        if (missing or dropped) and all(relation == IRI(RDF_TYPE) for relation in variant.relations()):
            continue
        price = least * _price(dropped) * _LOOSENED ** len(loosened)
        if (made := executed(search, planned, variant)) is None:
            continue
        if variant.restrictions and not counts and not _shrinks(search, variant, made.result):
            price *= _IDLE
        if not counts:
            price *= _by_type(search.context, made.result)
        score = evidence * price * planned.score
        return replace(made, score=score, likeness=evidence, dropped=(*missing, *dropped), loosened=loosened)
    return None


# Restrictions over the graph ------------------------------------------------------------------------------


def _grounded(
    search: PathSearch, plan: ReasoningPath, found: FoundPath
) -> tuple[ReasoningPath, tuple[Restriction, ...], float]:
    """Return a path with a plan's restrictions, those that the graph has no relation for, and the likeness of all."""
    nodes = dict(zip(plan.nodes, (found.path.nodes[end - 1] for end in found.ends), strict=True))
    path = replace(found.path, limit=plan.limit, offset=plan.offset)
    missing: list[Restriction] = []
    likeness = 1.0
    bound = set(path.nodes)
    for planned in plan.restrictions:
        one = sparql.substituted(planned, nodes)
        if one.step is not None and mentioned(one.step.relation) is not None:
            step, fits = _related(search, path, one) if one.node in bound else (None, 0.0)
            likeness *= max(fits, 0.1)
            if step is None:
                missing.append(planned)
                continue
            one = replace(one, step=step)
        if any(mentioned(term) is not None for term in sparql.terms((one.end, one.tests))):
            missing.append(planned)
            continue
        path = replace(path, restrictions=(*path.restrictions, one))
        if isinstance(one.end, Variable):
            bound.add(one.end)
    return path, tuple(missing), likeness


def _related(search: PathSearch, path: ReasoningPath, one: Restriction) -> tuple[Step | None, float]:
    """Return the relation of the graph for a restriction, and how alike it is to the words."""
    assert one.step is not None
    if isinstance(one.end, IRI | Literal):
        if mentioned(one.end) is not None:
            return None, 0.0
        hops = _between(search, path, one.node, one.end)
    else:
        hops = search.hops(replace(path, limit=None, offset=0), one.node)
        if one.sort != "entity":
            hops = [hop for hop in hops if isinstance(hop.sample, Literal)]
    fits = search.fits(one.step, hops)
    best = max(fits, key=lambda hop: (fits[hop], hop.count), default=None)
    if best is None or (fits[best] < _ENOUGH and not isinstance(one.end, IRI | Literal)):
        return None, 0.0
    return step_of(best), fits[best]


def _between(search: PathSearch, path: ReasoningPath, node: Variable, end: IRI | Literal) -> list[Hop]:
    context = search.context
    where = render_parts(with_subclasses(context.schema, path.edges()))
    term = end.n3()
    ways = [("out", f"{node} ?p {term}")] + ([("in", f"{term} ?p {node}")] if isinstance(end, IRI) else [])
    found: list[Hop] = []
    for direction, pattern in ways:
        if not search.budget.spend():
            break
        rows = _evidence(search, f"SELECT DISTINCT ?p {{ {where} {pattern} }} LIMIT 40") or ()
        iris = [str(row["p"]) for row in rows if writable(str(row["p"]))]
        labels = context.schema.labels(iris)
        found += [Hop(iri, labels[iri], direction, 1, end, "") for iri in iris]  # type: ignore[arg-type]
    return found


# Relaxation -----------------------------------------------------------------------------------------------


def _is_kept(one: Restriction) -> bool:
    """Return whether a restriction may not be left out: it excludes something or orders the rows."""
    return one.negates or one.order is not None


def _price(dropped: tuple[Restriction, ...]) -> float:
    return math.prod(PRICES[one.sort] for one in dropped)


def _relaxed(path: ReasoningPath) -> Iterator[tuple[ReasoningPath, tuple[Restriction, ...], tuple[Restriction, ...]]]:
    """Yield a path, then what is left of it as restrictions are loosened and left out, the smallest price first.

    Each comes with what was left out, and what was loosened.
    """
    yield path, (), ()
    if loose := {one: looser for one in path.restrictions if (looser := _loosened(one))}:
        yield replace(path, restrictions=tuple(loose.get(one, one) for one in path.restrictions)), (), tuple(loose)
    kept = frozenset(filter(_is_kept, path.restrictions))
    free = [one for one in path.restrictions if kept.issubset(path.without(one).restrictions)]
    subsets = [part for size in range(1, min(len(free), 3) + 1) for part in itertools.combinations(free, size)]
    seen: set[tuple[Restriction, ...]] = set()
    for part in sorted(subsets, key=lambda part: -_price(part)):
        left = path.without(*part)
        gone = tuple(one for one in path.restrictions if one not in left.restrictions)
        if gone not in seen:
            seen.add(gone)
            yield left, gone, ()


def _loosened(one: Restriction) -> Restriction | None:
    """Return a restriction to a text that a part of the value meets, whatever its case and its language."""
    if isinstance(one.end, Literal) and one.sort == "string":
        value = Variable(f"{one.node.name}_text")
        return replace(one, end=value, tests=(*one.tests, _contains(value, one.end)))
    tests = tuple(
        _contains(left.arguments[0] if isinstance(left, Call) and left.function == "STR" else left, right)
        if isinstance(test, Comparison)
        and test.sign == "="
        and isinstance(right := test.right, Literal)
        and isinstance(left := test.left, Variable | Call)
        and one.sort == "string"
        else test
        for test in one.tests
    )
    return replace(one, tests=tests) if tests != one.tests else None


def _contains(value: object, text: Literal) -> Call:
    whole = Call("LCASE", (Call("STR", (value,)),))  # type: ignore[arg-type]  # a variable or a call
    return Call("CONTAINS", (whole, Literal(text.value.lower())))


# Execution ------------------------------------------------------------------------------------------------


def executed(search: PathSearch, plan: PlannedPath, path: ReasoningPath) -> Fitted | None:
    """Return a path with its query, over subclasses too, and its result; None if it has none."""
    if not search.budget.spend():
        return None
    context, graph = search.context, path.graph()
    graph = replace(graph, where=with_subclasses(context.schema, graph.where))
    tree = sparql.plain(graph.counted() if plan.counts else graph)
    try:
        query = check(tree, context.policy)
        result = context.execute(query, ask=False, timeout=search.budget.left or None)
    except QueryTimeout:
        return None
    if result.is_empty or (plan.counts and [str(term) for row in result.rows for term in row] == ["0"]):
        return None
    return Fitted(plan, path, tree, query, result)


def _evidence(search: PathSearch, query: str) -> ResultSet | None:
    """Return the result of a query that is only evidence; None where it takes too long."""
    try:
        safe = check(query, search.context.policy)
        return search.context.graph.select(safe, timeout=min(_SECONDS, search.budget.left) or None)
    except QueryTimeout:
        return None


def _shrinks(search: PathSearch, path: ReasoningPath, result: ResultSet) -> bool:
    """Return whether restrictions leave rows of the main path out."""
    if path.limit is not None or not search.budget.spend():
        return True
    main = sparql.QueryGraph.of(path.answer, *with_subclasses(search.context.schema, path.edges())).first(_ROWS)
    rows = _evidence(search, sparql.render(main))
    return rows is None or len(rows) > len(result)


def _by_type(context: Context, result: ResultSet) -> float:
    """Return what evidence keeps: less where a question for a date or a number has other answers, or the reverse."""
    asked = analyse(context.question.text, context.pack).expected
    terms = [term for row in result.rows[:20] for term in row if term is not None]
    kinds = {kind_of(term) if isinstance(term, Literal) else "entity" for term in terms}
    if not asked or not kinds:
        return 1.0
    measured = bool(asked & {"number", "date"})
    fits = bool(kinds & {"number", "date"}) if measured else kinds != {"number"} and kinds != {"date"}
    return 1.0 if fits or (measured and kinds == {"text"}) else _OTHER_TYPE
