"""Wishes about the last answer: why, its query, how many, the first few, another order, only some.

They work on the last answer's query, as a tree, and start nothing again: the query is wrapped or given one more
condition, checked by the guard and run.

>>> wish = recognise(load_words("en"), "sort them by population")
>>> wish.kind, wish.by
('sort', 'population')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rdflib import Literal as RDFLiteral
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import URIRef, Variable

from triad import sparql
from triad.conversation.conditions import Condition, condition
from triad.conversation.words import FollowUp, Words
from triad.errors import AnswerError
from triad.kg.guard import check
from triad.kg.schema import LABELS, Hop
from triad.names import fold
from triad.phases import answering
from triad.phases.construction import BuiltQuery
from triad.phases.context import Context
from triad.phases.linking import Wording
from triad.types import IRI, XSD, Answer, AnswerType, Candidate, Literal

__all__ = ["Wish", "apply", "for_each", "recognise"]

_RELATION: Final = 0.7  # how well a relation must fit the words of a wish
_LISTED: Final = 50  # things of a list that are asked about at once
_NUMBERS: Final = tuple(XSD + name for name in ("integer", "decimal", "double", "float", "int", "long", "short"))


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wished of the last answer."""

    kind: FollowUp
    number: int = 0
    """How many: of ``first``."""
    by: str = ""
    """What to sort by."""
    descending: bool | None = None
    """Which way to sort; None leaves it to the values: numbers fall, all else rises."""
    what: str = ""
    """Which to keep: of ``only``."""


def recognise(words: Words, text: str) -> Wish | None:
    """Return the wish that a text is, or None if its words are those of a question."""
    bare = " ".join(text.strip().strip("¿¡?!. ").split())
    for kind, form in words.follow_ups:
        match = form.fullmatch(bare)
        if not match:
            continue
        found = {name: text for name, text in match.groupdict().items() if text}
        if kind == "first":
            number = words.number(found["n"])
            if not number:
                continue
            return Wish(kind, number)
        if kind == "sort":
            way = fold(found.get("way") or found.get("way1") or "")
            down, up = (set(map(fold, forms)) for forms in (words.file.down, words.file.up))
            return Wish(kind, by=found["by"], descending=way in down if way in down | up else None)
        return Wish(kind, what=found.get("what", ""))
    return None


def apply(context: Context, words: Words, last: Answer, wish: Wish) -> Answer:
    """Return the answer that a wish makes of the last one: ``count``, ``first``, ``sort`` or ``only``.

    Raises:
        AnswerError: The answer has no query, or nothing in the graph fits the wish; the message says so in words.
        GraphError: The graph failed.
        SearchError: The label index failed.
    """
    if last.query is None or last.boolean is not None:
        raise AnswerError(words.replies["no_query"])
    tree = sparql.parse(last.query)
    kind: AnswerType = "select"
    if wish.kind == "count":
        if last.answer_type == "count":
            return last
        tree, kind = _counted(tree, last), "count"
    elif wish.kind == "first":
        tree = _first(tree, wish.number)
    elif wish.kind == "sort":
        tree = _sorted(context, words, tree, last, wish)
    else:
        found = condition(context, words, last, wish.what)
        if found is None:
            raise AnswerError(words.replies["not_found"].format(what=repr(wish.what)))
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


def _counted(tree: sparql.Node, last: Answer) -> sparql.Node:
    counted = f"DISTINCT ?{last.variables[0]}" if len(last.variables) == 1 else "*"
    return _around(tree, f"SELECT (COUNT({counted}) AS ?{_free('count', last)})")


def _first(tree: sparql.Node, number: int) -> sparql.Node:
    """Return the query with a LIMIT that keeps its order."""
    clauses = CompValue("LimitOffsetClauses", **(tree.limitoffset or {}))
    if "limit" not in clauses or int(clauses.limit) > number:
        clauses["limit"] = RDFLiteral(number)
    copy = CompValue(tree.name, **tree)
    copy["limitoffset"] = clauses
    return copy


def _sorted(context: Context, words: Words, tree: sparql.Node, last: Answer, wish: Wish) -> sparql.Node:
    things = " ".join(f"?{name}" for name in last.variables)
    wording = Wording(wish.by)
    own = [name for name in last.variables if wording.similarity(name.replace("_", " ")) >= 0.9]
    if own:
        samples = last.result.column(own[0])[:1]
        down = _falls(samples[0] if samples else None) if wish.descending is None else wish.descending
        return _around(tree, f"SELECT {things}", tail=f"ORDER BY {'DESC' if down else 'ASC'}(?{own[0]})")
    column, iris = things_of(last)
    if column is None:
        raise AnswerError(words.replies["not_found"].format(what=repr(wish.by)))
    key = _free("sorted_by", last)
    if fold(wish.by) in words.folded("by_name"):
        named = " | ".join(f"<{iri}>" for iri in LABELS)
        tag = f"LANG(?{key}_any)"
        right = f"LANGMATCHES({tag}, '{context.question.language}') || {tag} = ''"
        inside = f"OPTIONAL {{ ?{column} {named} ?{key}_any FILTER({right}) }}"
        down = bool(wish.descending)
    else:
        hops = [hop for hop in context.schema.joint_card(iris) if hop.direction == "out"]
        best = max(hops, key=lambda hop: _worth(wording, hop), default=None)
        if best is None or wording.similarity(best.label, best.relation) < _RELATION:
            raise AnswerError(words.replies["not_found"].format(what=repr(wish.by)))
        key = _free(re.sub(r"\W+", "_", fold(best.label)) or "sorted_by", last)
        inside = f"OPTIONAL {{ ?{column} <{best.relation}> ?{key}_any }}"
        down = _falls(best.sample) if wish.descending is None else wish.descending
    extreme, order = ("MAX", "DESC") if down else ("MIN", "ASC")
    head = f"SELECT {things} ({extreme}(?{key}_any) AS ?{key})"
    return _around(tree, head, inside, f"GROUP BY {things} ORDER BY {order}(?{key})")


def _worth(wording: Wording, hop: Hop) -> tuple[float, int]:
    return wording.similarity(hop.label, hop.relation), hop.count


def _falls(sample: object) -> bool:
    return isinstance(sample, Literal) and sample.datatype in _NUMBERS


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


def _free(name: str, last: Answer) -> str:
    while name in last.variables or name[:1].isdigit():
        name = f"_{name}"
    return name


def things_of(last: Answer) -> tuple[str | None, list[str]]:
    """Return the first variable of an answer whose values are things, and their IRIs."""
    for name in last.variables:
        iris = [term.value for term in last.result.column(name) if isinstance(term, IRI)]
        if iris:
            return name, list(dict.fromkeys(iris))
    return None, []
