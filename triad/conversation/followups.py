"""Wishes about the last answer: why, its query, how many, the first few, another order, only some.

They work on the last answer's query, as a tree, and start nothing again: the query is wrapped or given one more
condition, checked by the guard and run.

"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from rdflib import Literal as RDFLiteral
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import URIRef, Variable

from triad import sparql
from triad.answers import Answer
from triad.conversation.conditions import Condition, condition
from triad.conversation.naming import names_in
from triad.conversation.relation_matching import Said
from triad.errors import AnswerError
from triad.kg.guard import check
from triad.kg.schema import Hop
from triad.language.follow_ups import FollowUp
from triad.language.pack import Pack
from triad.language.similarity import Wording
from triad.phases import answering
from triad.phases.construction import BuiltQuery
from triad.phases.context import Context
from triad.questions import AnswerType, Candidate
from triad.rdf import IRI, NUMERIC, BlankNode, Literal, Value

__all__ = ["apply", "for_each", "listed", "things_of"]

_RELATION: Final = 0.7  # how well a relation must fit the words of a wish
_DEEP: Final = 16  # braces in braces from which on a query's rows stand for it
_SHORT: Final = 500  # rows that may stand for a query
_MEASURE: Final = 0.5  # how well a relation must fit what a superlative compares by
_LISTED: Final = 50  # things of a list that are asked about at once


def apply(context: Context, pack: Pack, last: Answer, follow_up: FollowUp, without: Sequence[Value] = ()) -> Answer:
    """Return the answer that a wish makes of the last one: ``count``, ``first``, ``sort``, ``only`` or ``except``.

    Args:
        context: What it is answered with.
        pack: The pack of its language.
        last: The last answer.
        follow_up: The wish.
        without: What ``except`` leaves out where its words do not say.

    Raises:
        AnswerError: The answer has no query, or nothing in the graph fits the wish; the message says so in words.
        GraphError: The graph failed.
        SearchError: The label index failed.
    """
    if last.query is None or last.boolean is not None:
        raise AnswerError(pack.replies["no_query"])
    tree = _of_rows(last) if _depth(last.query) >= _DEEP and _is_short(last) else sparql.parse(last.query)
    kind: AnswerType = "select"
    if follow_up.kind == "count":
        if last.answer_type == "count":
            return last
        tree, kind = _counted(tree, last), "count"
    elif follow_up.kind == "first":
        tree = _first(
            tree, follow_up.number, follow_up.place - 1 if follow_up.place > 0 else max(0, len(last.rows) - 1)
        )
    elif follow_up.kind == "sort":
        tree = _sorted(context, pack, tree, last, follow_up)
    elif follow_up.of_order(pack):
        tree = _best(context, pack, tree, last, follow_up)
    else:
        found = _left_out(context, pack, last, follow_up.what, without) if follow_up.kind == "except" else None
        if found is None and (found := condition(context, pack, last, follow_up.what)) and follow_up.kind == "except":
            found = replace(found, patterns=f"FILTER NOT EXISTS {{ {found.patterns} }}")
        if found is None:
            raise _no_such(pack, follow_up.what)
        tree = _narrowed(tree, found, last)
        last = replace(last, links={**last.links, **found.links})
    return _run(context, tree, last, kind)


def for_each(context: Context, last: Answer, things: Sequence[Candidate]) -> Answer | None:
    """Return the answer for each of a list of things, given the one for the first of them; None if that cannot be."""
    first = URIRef(things[0].iri)
    if last.query is None or not 1 < len(things) <= _LISTED:
        return None
    tree = sparql.parse(last.query)
    if first not in set(sparql.terms(tree)) or tree.limitoffset or tree.groupby:
        return None
    thing = Variable("thing")
    each = sparql.node(sparql.substitute(tree, {first: thing}))
    values = CompValue("InlineData", var=[thing], value=[[URIRef(one.iri)] for one in things])
    each["where"]["part"] = [values, *(each.where.part or [])]
    projected = [CompValue("vars", var=thing)]
    if sparql.FORMS[each.name] == "ASK":
        each = CompValue("SelectQuery", projection=projected, where=each.where, modifier="DISTINCT")
    else:
        if _is_aggregated(each):
            each["groupby"] = CompValue("GroupClause", condition=[thing])
        each["projection"] = [*projected, *(each.projection or [])]
    return _run(context, each, last, "select")


def _run(context: Context, tree: sparql.Node, last: Answer, kind: AnswerType) -> Answer:
    safe = check(tree, context.policy)
    result = context.at("construction").execute(safe, ask=False)
    built = BuiltQuery(safe, dict(last.links), last.confidence, result, tree=tree)
    found = answering.answer(context.at("answering"), built, kind)
    # The facts of a sub-select are those that the answer before rests on, as far as they are about what is left.
    left = {value.term for value in found.values}
    facts = tuple(fact for fact in last.provenance if kind == "count" or left & {fact.subject, fact.object})
    facts = tuple(dict.fromkeys((*facts, *found.provenance)))[: answering.PROVENANCE_LIMIT]
    return replace(found, provenance=facts, method=last.method, confidence=last.confidence)


# Trees ----------------------------------------------------------------------------------------------------


def _around(tree: sparql.Node, head: str, inside: str = "", tail: str = "") -> sparql.Node:
    """Return a query around another one, which becomes its sub-select."""
    return sparql.parse(f"{head} WHERE {{ {{ {sparql.write(tree, {})} }} {inside} }} {tail}")


def _depth(query: str) -> int:
    """Return how deep the braces of a query go."""
    return max(itertools.accumulate({"{": 1, "}": -1}.get(char, 0) for char in query))


def _is_short(last: Answer) -> bool:
    """Tell whether the rows of an answer are all there, few, and can be written in a query."""
    blank = any(isinstance(value.term, BlankNode) for value in last.values)
    return not last.truncated and len(last.rows) <= _SHORT and not blank


def _of_rows(last: Answer) -> sparql.Node:
    """Return a query that is the rows of an answer, for one that has grown too deep: wishes upon wishes."""
    names = " ".join(f"?{name}" for name in last.variables)
    rows = " ".join(f"({' '.join(one.term.n3() if one else 'UNDEF' for one in row)})" for row in last.rows)
    return sparql.parse(f"SELECT {names} WHERE {{ VALUES ({names}) {{ {rows} }} }}")


def _counted(tree: sparql.Node, last: Answer) -> sparql.Node:
    counted = f"DISTINCT ?{last.variables[0]}" if len(last.variables) == 1 else "*"
    return _around(tree, f"SELECT (COUNT({counted}) AS ?{_free('count', last)})")


def _first(tree: sparql.Node, number: int, skipped: int = 0) -> sparql.Node:
    """Return the query with a LIMIT that keeps its order."""
    clauses = CompValue("LimitOffsetClauses", **(tree.limitoffset or {}))
    if skipped:
        clauses["offset"] = RDFLiteral((int(clauses.offset) if "offset" in clauses else 0) + skipped)
    if "limit" not in clauses or int(clauses.limit) > number:
        clauses["limit"] = RDFLiteral(number)
    copy = CompValue(tree.name, **tree)
    copy["limitoffset"] = clauses
    return copy


def _sorted(context: Context, pack: Pack, tree: sparql.Node, last: Answer, follow_up: FollowUp) -> sparql.Node:
    things = " ".join(f"?{name}" for name in last.variables)
    wording = Wording(follow_up.by)
    own = [name for name in last.variables if wording.similarity(name.replace("_", " ")) >= 0.9]
    if own:
        samples = last.result.column(own[0])[:1]
        down = _falls(samples[0] if samples else None) if follow_up.descending is None else follow_up.descending
        around = _around(tree, f"SELECT {things}", tail=f"ORDER BY {'DESC' if down else 'ASC'}(?{own[0]})")
        return around if tree.limitoffset else sparql.node(CompValue(tree.name, **{**tree, "orderby": around.orderby}))
    column, iris = things_of(last)
    if column is None:
        raise _no_such(pack, follow_up.by)
    if pack.is_by_name(follow_up.by):
        key = _free("sorted_by", last)
        named = " | ".join(f"<{iri}>" for iri in context.schema.label_properties)
        tag = f"LANG(?{key}_any)"
        right = " || ".join([f"{tag} = ''", *(f"LANGMATCHES({tag}, '{one}')" for one in context.schema.languages)])
        inside = f"OPTIONAL {{ ?{column} {named} ?{key}_any FILTER({right}) }}"
        return _by_key(tree, last, key, inside, bool(follow_up.descending))
    said = Said(follow_up.by, pack.language)
    hop = _fitting(context, iris, said.fits, _RELATION)
    if hop is None:
        raise _no_such(pack, follow_up.by)
    key = _free(_variable(hop), last)
    down = _falls(hop.sample) if follow_up.descending is None else follow_up.descending
    return _by_key(tree, last, key, f"OPTIONAL {{ ?{column} <{hop.relation}> ?{key}_any }}", down)


def _best(context: Context, pack: Pack, tree: sparql.Node, last: Answer, follow_up: FollowUp) -> sparql.Node:
    """Return the query for the largest, or the second largest, of the things of an answer."""
    column, iris = things_of(last)
    said = Said(follow_up.what, pack.language)
    hop = _fitting(context, iris, said.measures, _MEASURE)
    if column is None or hop is None or said.order is None:
        raise _no_such(pack, follow_up.what)
    key = _free(_variable(hop), last)
    ordered = _by_key(tree, last, key, f"?{column} <{hop.relation}> ?{key}_any", said.order.descending)
    return _first(ordered, said.order.count, said.order.first - 1)


def _fitting(context: Context, iris: Sequence[str], fit: Callable[[str, str], float], least: float) -> Hop | None:
    """Return the relation of things to values that fits best, if it fits at all."""
    hops = [hop for hop in context.schema.joint_card(iris) if hop.direction == "out"]
    ranked = [(fit(hop.label, hop.relation), isinstance(hop.sample, Literal), hop.count, hop) for hop in hops]
    best = max(ranked, key=lambda one: one[:3], default=None)
    return best[3] if best and best[0] >= least else None


def _by_key(tree: sparql.Node, last: Answer, key: str, inside: str, down: bool) -> sparql.Node:
    """Return the query in the order of a value ``?key_any`` that things have; those without it come last."""
    things = " ".join(f"?{name}" for name in last.variables)
    extreme, order = ("MAX", "DESC") if down else ("MIN", "ASC")
    head = f"SELECT {things} ({extreme}(?{key}_any) AS ?{key})"
    unbound = "" if down else f"(!BOUND(?{key})) "
    return _around(tree, head, inside, f"GROUP BY {things} ORDER BY {unbound}{order}(?{key})")


def _falls(sample: object) -> bool:
    return isinstance(sample, Literal) and sample.datatype in NUMERIC


def _left_out(context: Context, pack: Pack, last: Answer, what: str, without: Sequence[Value]) -> Condition | None:
    """Return the condition that leaves out some values of an answer: given ones, or those that words name."""
    terms = {value.term for value in without} or {IRI(name.thing.iri) for name in names_in(context, what, pack)}
    for name in last.variables:
        if found := terms & {term for term in last.result.column(name) if term is not None}:
            listed = ", ".join(sorted(term.n3() for term in found))
            return Condition(f"FILTER(?{name} NOT IN ({listed}))")
    return None


def _narrowed(tree: sparql.Node, found: Condition, last: Answer) -> sparql.Node:
    """Return the query with one more condition: among its own patterns where that means the same."""
    if tree.groupby or tree.having or tree.limitoffset or _is_aggregated(tree):
        things = " ".join(f"?{name}" for name in last.variables)
        around = _around(tree, f"SELECT DISTINCT {things}", found.patterns)
        order = [item for item in (tree.orderby.condition if tree.orderby else ()) if str(item.expr) in last.variables]
        if order:
            around["orderby"] = CompValue("OrderClause", condition=order)
        return around
    part = sparql.parse(f"SELECT * WHERE {{ {found.patterns} }}").where.part
    copy = sparql.node(sparql.substitute(tree, {}))
    copy["where"]["part"] = [*(copy.where.part or []), *part]
    copy["modifier"] = "DISTINCT"
    return copy


def _is_aggregated(tree: sparql.Node) -> bool:
    return any(one.name.startswith("Aggregate_") for item in tree.projection or [] for one in sparql.nodes(item))


def _variable(hop: Hop) -> str:
    """Return a relation's name as SPARQL writes variables, in its own script."""
    return re.sub(r"[^\w\u0900-\u0963]+", "_", hop.label.lower()).strip("_") or "sorted_by"


def _free(name: str, last: Answer) -> str:
    while name in last.variables or name[:1].isdigit():
        name = f"_{name}"
    return name


def _no_such(pack: Pack, what: str) -> AnswerError:
    return AnswerError(pack.replies["not_found"].format(what=repr(what)))


def listed(context: Context, things: Sequence[Candidate]) -> Answer:
    """Return some things as an answer, so that wishes may be about them."""
    values = " ".join(f"<{one.iri}>" for one in things)
    tree = sparql.parse(f"SELECT ?thing WHERE {{ VALUES ?thing {{ {values} }} }}")
    return _run(context, tree, Answer(context.question), "select")


def things_of(last: Answer) -> tuple[str | None, list[str]]:
    """Return the first variable of an answer whose values are things, and their IRIs."""
    for name in last.variables:
        iris = [term.value for term in last.result.column(name) if isinstance(term, IRI)]
        if iris:
            return name, list(dict.fromkeys(iris))
    return None, []
