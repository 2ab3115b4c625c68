"""What the gold query tells: how hard a question is, what of it linking found, and which step went wrong."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, Literal as Choice, NamedTuple

from triad import sparql
from triad.answers import Answer
from triad.datasets import Item
from triad.datasets.base import answer_type
from triad.errors import QuerySyntaxError
from triad.rdf import IRI, RDF_TYPE, RDFS, Literal
from triad.sparql import QueryGraph
from triad.sparql.patterns import Aggregate, Bind, Call, Comparison, Filter, NegatedPart, OneOf, Union, Values, Variable
from triad.trace import Trace

# Relations that no mention of a question stands for.
_IMPLICIT: Final = frozenset({RDF_TYPE, RDFS + "label"})
_TYPE: Final = IRI(RDF_TYPE)
_LABEL: Final = IRI(RDFS + "label")


class Iris(NamedTuple):
    """The terms that a query names."""

    entities: frozenset[str]
    """Entities and classes."""
    relations: frozenset[str]


@lru_cache(maxsize=1024)
def tree_of(query: str) -> QueryGraph | None:
    """Return the tree of a query; None if it is not standard SPARQL."""
    try:
        return sparql.parse(query)
    except QuerySyntaxError:
        return None


# Shape ----------------------------------------------------------------------------------------------------


def shape(query: str) -> dict[str, str]:
    """Return the shape of a query: groups that scores are broken down by; nothing if it is not standard SPARQL.

    ``shape`` is the first that fits of ``boolean`` (ASK), ``superlative`` (ORDER BY with LIMIT, MIN or MAX), ``group``
    (GROUP BY, or SUM, AVG and the like), ``count``, ``union``, ``filter`` (FILTER or BIND) and ``plain``. ``hops`` is
    how many patterns lie between what is asked for and the farthest entity that the query names, by IRI or label;
    classes do not count. ``patterns`` counts the triple patterns.

    >>> shape("SELECT (COUNT(?film) AS ?n) { ?film <http://e/director> ?who . ?who <http://e/born> <http://e/Rome> }")
    {'answer_type': 'count', 'shape': 'count', 'hops': '2', 'patterns': '2'}
    """
    if (tree := tree_of(query)) is None:
        return {}
    patterns = list(sparql.triples(tree))
    return {
        "answer_type": answer_type(query),
        "shape": _form(tree),
        "hops": str(_hops(tree, patterns)),
        "patterns": str(len(patterns)),
    }


def _form(tree: QueryGraph) -> str:
    functions = {one.function for one in sparql.nodes(tree, Aggregate)}
    queries = list(sparql.nodes(tree, QueryGraph))
    if tree.ask:
        return "boolean"
    if any(one.order and one.limit is not None for one in queries) or functions & {"MAX", "MIN"}:
        return "superlative"
    if any(one.groups for one in queries) or functions - {"COUNT"}:
        return "group"
    if functions:
        return "count"
    if any(len(one.groups) > 1 for one in sparql.nodes(tree, Union)):
        return "union"
    conditions = sparql.nodes(tree, Filter, NegatedPart, Bind)
    return "filter" if any(not getattr(one, "minus", False) for one in conditions) else "plain"


def _hops(tree: QueryGraph, patterns: Iterable[tuple[Any, Any, Any]]) -> int:
    neighbours: defaultdict[Any, set[Any]] = defaultdict(set)
    named: set[Any] = set()
    for subject, predicate, value in patterns:
        if predicate == _LABEL and isinstance(value, Literal):
            named.add(subject)
        elif predicate != _TYPE:
            neighbours[subject].add(value)
            neighbours[value].add(subject)
    named |= {term for term in neighbours if isinstance(term, IRI | Literal)}
    asked = neighbours.keys() & sparql.nodes(tree.columns, Variable)
    return max([1, *(_distance(neighbours, term, (asked or named) - {term}) for term in named)])


def _distance(neighbours: Mapping[Any, set[Any]], start: Any, goals: set[Any]) -> int:
    """Return the number of patterns between a term and the nearest of the goals; 0 if none can be reached."""
    queue, seen = deque([(start, 0)]), {start}
    while queue:
        term, distance = queue.popleft()
        if term in goals:
            return distance
        for other in neighbours[term] - seen:
            seen.add(other)
            # A way through a literal, or through another entity that is named, is not a path that a question follows.
            if isinstance(other, Variable) or other in goals:
                queue.append((other, distance + 1))
    return 0


# Linking --------------------------------------------------------------------------------------------------


def iris(query: str | None) -> Iris | None:
    """Return the entities, classes and relations that a query names; None if it is not standard SPARQL."""
    if (tree := tree_of(query) if query else None) is None:
        return None
    entities: set[str] = set()
    relations: set[str] = set()
    for subject, predicate, value in sparql.triples(tree):
        entities |= {str(term) for term in (subject, value) if isinstance(term, IRI)}
        relations.update(map(str, sparql.nodes(predicate, IRI)))
    functions = {str(call.function) for call in sparql.nodes(tree, Call)}
    for node in sparql.nodes(tree, Comparison, OneOf, Values, Bind):
        entities |= set(map(str, sparql.nodes(node, IRI))) - functions - relations
    return Iris(frozenset(entities), frozenset(relations - _IMPLICIT))


def linking_recall(item: Item, answer: Answer | None, trace: Trace | None = None) -> dict[str, float]:
    """Return how many of the gold query's entities and relations linking found, before and after the choice among them.

    The keys are ``entities_proposed``, ``entities_found``, ``entities_wanted`` and the same of ``relations``: recall is
    over all wanted terms of a set, so the counts of questions are added up first. Nothing is returned where
    there is no gold query to tell.

    Source: Triad's paper, section 4.5. Proposed terms are the candidates that the label index and the graph gave for
    the mentions, as far as the decision-maker sees them, in any try. Found terms are those of the answer's query,
    without the other options of its at most K.
    """
    if (wanted := iris(item.gold_query)) is None:
        return {}
    trace = answer.trace if answer else trace
    found = {candidate.iri for candidate in answer.links.values()} if answer else set()
    proposed = found.union(*(step.candidates for step in trace.steps)) if trace else found
    return {
        f"{kind}_{name}": float(len(iris))
        for kind, gold in (("entities", wanted.entities), ("relations", wanted.relations))
        for name, iris in (("proposed", gold & proposed), ("found", gold & found), ("wanted", gold))
    }


# Failures -------------------------------------------------------------------------------------------------

FailureCause = Choice["question understanding", "entity", "relation", "query", "execution"]
"""The step to an answer that went wrong."""


def failure_cause(item: Item, answer: Answer | None) -> FailureCause | None:
    """Return the first step to a wrong answer that went wrong, judged by the gold query; None if there is none.

    - ``execution``: there is no answer, its query failed or was cut, or the query is the gold query;
    - ``question understanding``: no query was made, or one for another type of answer;
    - ``entity``, ``relation``: the query lacks one that the gold query names;
    - ``query``: all terms are there, but the query combines them differently.
    """
    if (wanted := iris(item.gold_query)) is None:
        return None
    if answer is None:
        return "execution"
    if answer.query is None:
        return "question understanding"
    if (found := iris(answer.query)) is None:
        return "query"
    if answer_type(answer.query) != item.answer_type:
        return "question understanding"
    if not wanted.entities <= found.entities:
        return "entity"
    if not wanted.relations <= found.relations:
        return "relation"
    same = item.gold_query is not None and tree_of(item.gold_query) == tree_of(answer.query)
    steps = answer.trace.steps if answer.trace else ()
    executed = [step for step in steps if step.service == "graph" and step.action == "execute"]
    return "execution" if same or answer.truncated or bool(executed and executed[-1].error) else "query"
