"""Phase 3, query construction: from a template and links to the one query that answers.

Joint candidates come in the order of their linking scores, at most a beam of them, and each uses one meaning for a
mention and only relations that its entities have. They are executed until one clearly wins; where several give
different results, the decision-maker chooses.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from triad import sparql
from triad.errors import GraphError, QueryRejected
from triad.kg.base import SafeQuery
from triad.kg.guard import check
from triad.language.definitions import Defined, unfolded
from triad.language.normalize import fold
from triad.lexical.choice import result_key
from triad.phases.attempts import BuiltQuery
from triad.phases.context import Context
from triad.phases.linking import OMITTED, LinkOption, Links
from triad.queries.path_names import best_first
from triad.queries.template import Template, written
from triad.questions import Query
from triad.rdf import IRI, Literal, ResultSet
from triad.sparql import QueryGraph
from triad.sparql.patterns import Computed, Exists, NegatedPart, Variable

CLEAR: Final = 0.93
"""The next candidate's score, as a share of the best one's, below which the best is clear."""
_COMBINATIONS: Final = 5_000  # joint candidates looked at to find a beam of consistent ones
_TIED: Final = 20  # rows up to which a limit is a place in an order, and no size of a page
_MORE: Final = 50  # rows that share the last place, above which the order tells nothing
_DROPPED: Final = 0.8  # what a query without its classes has of the score

Q = TypeVar("Q", bound=Query)


# Candidates -----------------------------------------------------------------------------------------------


def construct(context: Context, template: Template, links: Links) -> list[BuiltQuery]:
    """Return the candidate queries, the best linking score first, not yet executed."""
    if len(slots := [slot for slot in links if links[slot]]) < len(links):
        return []
    beam = context.roles.decision_maker.beam
    queries: dict[str, BuiltQuery] = {}
    for options in itertools.islice(best_first([links[slot] for slot in slots]), _COMBINATIONS):
        chosen = dict(zip(slots, options, strict=True))
        if not _consistent(template, chosen):
            continue
        terms = {slot: option.filler for slot, option in chosen.items()}
        filled = template.fill(terms)
        tree = context.glossary.unfolded(filled)
        linked = {slot: option.candidate for slot, option in chosen.items() if option and option is not OMITTED}
        names = {template.slots[slot].text: one for slot, one in linked.items() if slot in template.slots}
        try:
            text = check(tree, context.policy)
        except QueryRejected as error:
            return [BuiltQuery(template.words(), names, error=str(error), tree=tree)]
        except GraphError:
            continue  # an IRI of the graph that SPARQL cannot write
        score = math.prod(option.score for option in options) ** (1 / max(len(options), 1))
        stands_in = any(option.stands_in for option in options)
        made = BuiltQuery(text, names, round(score, 4), tree=tree, terms=terms, stands_in=stands_in)
        queries.setdefault(text, replace(made, defined=context.glossary.used(filled)))
        if len(queries) == beam:
            break
    return sorted(queries.values(), key=lambda query: query.stands_in)


def _consistent(template: Template, chosen: Mapping[str, LinkOption]) -> bool:
    """Return whether each relation is known of the entities that are chosen for its ends."""
    for option in chosen.values():
        for end, iris in (option.ends or {}).items():
            if end in chosen and chosen[end].candidate.iri and chosen[end].candidate.iri not in iris:
                return False
    for pattern in template.patterns:
        value = chosen.get(pattern.object)
        relation = chosen.get(pattern.relation or "")
        literal = value is not None and value.candidate.kind == "literal" and value.candidate.iri
        if literal and relation is not None and relation.candidate.iri != literal:
            return False
    return True


# Execution and choice -------------------------------------------------------------------------------------


def execute(context: Context, template: Template, queries: Sequence[BuiltQuery]) -> list[BuiltQuery]:
    """Execute candidates in order and return them with their results, until one clearly wins.

    Where none finds anything, the classes that the template states are dropped, and the answer says so; what users
    define never is.
    """
    executed: list[BuiltQuery] = []
    for at, query in enumerate(queries):
        if query.stands_in and any(map(finds, executed)):
            break
        executed.append(_executed(context, template, query))
        following = queries[at + 1].score if at + 1 < len(queries) else 0.0
        if at == 0 and finds(executed[0]) and following < CLEAR * query.score:
            break
    # Where what is not so is asked for, anything else would be that, too, without its class.
    negates = any(getattr(one, "negated", True) for one in sparql.nodes(template.tree, NegatedPart, Exists))
    spare = () if negates or any(query.defined for query in queries) else template.spare_classes
    if template.form == "SELECT" and spare and not any(map(finds, executed)):
        unclassed = (_without_classes(context, template, query) for query in executed[:3] if not query.error)
        executed += [found for one in unclassed if one and finds(found := _executed(context, template, one))]
    return executed


def left_by_definition(context: Context, template: Template, queries: Sequence[BuiltQuery]) -> Defined | None:
    """Return the condition that users define and that alone leaves nothing: nothing is then what is asked for."""
    empty = first_empty(queries)
    limits = {one.iri: one for one in empty.defined if one.value is None} if empty else {}
    if empty is None or not limits:
        return None
    anything = {**context.glossary.defined, **{iri: replace(one, parts=()) for iri, one in limits.items()}}
    tree = unfolded(template.fill(empty.terms), anything)
    found = _executed(context, template, replace(empty, sparql=check(tree, context.policy), tree=tree))
    return next(iter(limits.values())) if finds(found) else None


def _without_classes(context: Context, template: Template, query: BuiltQuery) -> BuiltQuery | None:
    """Return a query without the classes that the template states of variables; None if it needs them."""
    tree = context.glossary.unfolded(template.fill(query.terms, template.spare_classes))
    try:
        text = check(tree, context.policy)
    except GraphError:
        return None
    names = dict.fromkeys(query.links[template.slots[slot].text].label for slot in template.spare_classes)
    notes = tuple(context.pack.replies["class_dropped"].format(name=name) for name in names)
    return replace(query, sparql=text, tree=tree, score=round(query.score * _DROPPED, 4), notes=notes)


def _executed(context: Context, template: Template, query: BuiltQuery) -> BuiltQuery:
    if query.error:
        return query
    try:
        result = context.execute(SafeQuery(query.sparql), ask=template.form == "ASK")
    except GraphError as error:
        return replace(query, error=str(error))
    if valueless := [name for name in template.computed if result.rows and not result.column(name)]:
        fault = f"?{valueless[0]} has no value in any row: its expression fails, as sums over texts do; cast them"
        return replace(query, error=fault)
    tree, tied = _with_ties(context, query.tree, result)
    if tree is query.tree:
        return replace(query, result=result)
    return replace(query, sparql=check(tree, context.policy), tree=tree, result=tied)


def _with_ties(context: Context, tree: QueryGraph, result: ResultSet) -> tuple[QueryGraph, ResultSet]:
    """Return a query and its result, both with the rows that share the last place.

    Who asks for the oldest film means all films of that year. Both stay the same where the first rows are passed over:
    the second is one place, and no tie.
    """
    limit = tree.limit
    if not tree.order or limit is None or tree.offset or not tree.columns:
        return tree, result
    if not 0 < limit <= _TIED or len(result.rows) != limit:
        return tree, result
    width, places, keys = len(result.variables), list[int](), list[Computed]()
    for at, one in enumerate(tree.order, 1):
        if isinstance(one.key, Variable) and one.key.name in result.variables:
            places.append(result.variables.index(one.key.name))
        else:
            places.append(width + len(keys))
            keys.append(Computed(one.key, tree.free(f"key{at}")))
    keyed = replace(tree, columns=(*tree.columns, *keys), limit=limit + _MORE)
    try:
        rows = context.execute(check(keyed, context.policy), ask=False).rows
    except GraphError:
        return tree, result
    ordered = [tuple(row[place] for place in places) for row in rows]
    if len(rows) <= limit or not any(ordered[limit - 1]):
        return tree, result
    sharing = sum(1 for _ in itertools.takewhile(ordered[limit - 1].__eq__, ordered[limit:]))
    found = tuple(dict.fromkeys(row[:width] for row in rows[: limit + sharing]))
    if sharing == _MORE or len(found) <= len(set(result.rows)):
        return tree, result
    limit = len(found) if tree.distinct else limit + sharing
    return replace(tree, limit=limit), replace(result, rows=found)


def finds(query: Query) -> bool:
    """Return whether a query has a result; a single zero, the count of no rows, is no result."""
    if (result := query.result) is None or result.is_empty:
        return False
    values = [term for row in result.rows for term in row if term is not None]
    return not (len(values) == 1 and isinstance(values[0], Literal) and values[0].value in ("0", "0.0", "0E0"))


def first_empty(queries: Sequence[Q]) -> Q | None:
    """Return the first query that ran and found nothing."""
    return next((query for query in queries if query.result is not None and not finds(query)), None)


class _Chosen(BaseModel):
    query: int


def choose(context: Context, queries: Sequence[Q]) -> Q | None:
    """Return the query that answers, or None where none does.

    A false ASK and a count of zero are answers where nothing better is found.
    """
    if not (finding := [query for query in queries if finds(query)]):
        return next((query for query in queries if query.result is not None and not query.result.is_empty), None)
    distinct: dict[object, Q] = {}
    for query in finding:
        assert query.result is not None
        distinct.setdefault(result_key(query.result), query)
    candidates = list(distinct.values())[:8]
    if len(candidates) == 1 or context.roles.decision_maker.query_selection == "rank":
        return candidates[0]
    apart = _told_apart(context, candidates)
    inputs = {"question": context.question.text, "queries": [_shown(context, query, apart) for query in candidates]}

    def known(reply: _Chosen) -> str | None:
        return None if 0 <= reply.query <= len(candidates) else f"'query' must be from 0 to {len(candidates)}"

    reply = context.call("decision_maker", "query_selection", inputs, _Chosen, known)
    return candidates[reply.query - 1] if reply.query else None


def _told_apart(context: Context, queries: Sequence[Query]) -> dict[str, str]:
    """Return the names of the terms of queries; those that share one have the ends of their IRIs, too."""
    trees = [sparql.parse(query.sparql) for query in queries]
    iris = dict.fromkeys(str(term) for tree in trees for term in sparql.nodes(tree, IRI))
    names = context.schema.labels(iris)
    shared = {name for name, count in Counter(map(fold, names.values())).items() if count > 1}
    ends = Counter((fold(name), _end(iri, 1)) for iri, name in names.items())
    return {
        iri: f"{name} ({_end(iri, 1 if ends[fold(name), _end(iri, 1)] == 1 else 2)})" if fold(name) in shared else name
        for iri, name in names.items()
    }


def _end(iri: str, parts: int) -> str:
    return "/".join(re.split(r"[/#]", iri.rstrip("/#"))[-parts:])


def _shown(context: Context, query: Query, apart: Mapping[str, str]) -> dict[str, Any]:
    result = query.result if query.result is not None else ResultSet()
    preview = result.rows[:5]
    iris = [term.value for row in preview for term in row if isinstance(term, IRI)]
    types = [iri for candidate in query.links.values() for iri in candidate.types]
    names = context.schema.labels([*iris, *types])
    mentions = {IRI(iri): written(name) for iri, name in apart.items()}
    return {
        "text": sparql.write(sparql.substituted(sparql.parse(query.sparql), mentions), {}),
        "meanings": [
            {"mention": mention, "kind": ", ".join(names[iri] for iri in one.types[:2]), "is": one.description}
            for mention, one in query.links.items()
            if one.kind == "entity" and (one.types or one.description)
        ],
        "found": str(result.boolean).lower() if result.boolean is not None else f"{len(result)} rows",
        "rows": [", ".join(names.get(str(term), str(term)) if term else "-" for term in row) for row in preview],
    }
