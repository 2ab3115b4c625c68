"""Exploration: a model looks at the graph with a few tools until it can write the query that answers.

It takes one step a call, at most so many, and sees the results of the steps before. No model needs to know how tools
are called: a step is one JSON object. The result of its last query is the answer; the model never gives one in words.

The model never writes an IRI. What a tool shows is numbered, ``<7> "Stanley Kubrick", a Person``, and a query has these
numbers in place of IRIs. Names are quoted and cut: they are data. Every query passes the guard.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal as Choice

from pydantic import BaseModel

from triad import sparql
from triad.answers import Answer
from triad.errors import GraphError, SearchError
from triad.kg.guard import check
from triad.kg.schema import DOCUMENTATION, Card, Hop
from triad.language.similarity import Wording
from triad.phases import answering
from triad.phases.attempts import Attempt, BuiltQuery
from triad.phases.context import Context
from triad.phases.homonyms import fitting, split
from triad.prompts import quoted, quoted_text
from triad.questions import AnswerType, Candidate
from triad.rdf import IRI, RDF_TYPE, STANDARD, Literal, Term
from triad.routing.doubt import in_english
from triad.search.base import Lookup
from triad.sparql.patterns import CLASS_OR_BELOW, Aggregate, EdgePattern
from triad.text import one_line, within as lines_within

_TRANSCRIPT: Final = 6_000  # characters of the results of all steps, about 1,500 tokens
_DIAGNOSIS: Final = 800  # characters of what is told of a template that found nothing

RESULT: Final = 2_400
"""Characters of a result that the model sees: about 600 tokens."""
_ROWS: Final = 10  # rows of a query that are shown
_NAME: Final = 80  # characters of a name
_SECONDS: Final = 10.0  # that a query may take


# Tools ----------------------------------------------------------------------------------------------------


class GraphTools:
    """What a model may do with a graph. Each tool returns lines; what failed is a line, too."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.seen: dict[str, Candidate] = {}
        """All that was shown, in the order of its numbers."""

    def show(self, candidate: Candidate) -> str:
        """Return a line for something of the graph; it has its number from now on."""
        name = quoted(candidate.label, _NAME)
        if candidate.kind == "literal":
            relation = _name(self.context.schema.label(IRI(candidate.iri)))
            return f"{name}, a text, value of {self._numbered(candidate.iri, 'relation')} {relation}"
        classes = map(_name, self.context.schema.labels(candidate.types[:2]).values())
        kind = " and ".join(classes) if candidate.kind == "entity" else candidate.kind
        return f"{self._numbered(candidate.iri, candidate.kind, candidate.label)} {name}, a {kind or 'thing'}"

    def _numbered(self, iri: str, kind: Any, label: str = "") -> str:
        if iri not in self.seen:
            self.seen[iri] = Candidate(iri, kind, label or self.context.schema.label(IRI(iri)), exact=True)
        return f"<{list(self.seen).index(iri) + 1}>"

    def _iri(self, number: int) -> str | None:
        return list(self.seen)[number - 1] if 1 <= number <= len(self.seen) else None

    # The tools

    def find(self, text: str) -> list[str]:
        """Return the things, classes and relations with a name like a text."""
        if not text.strip():
            return ["'text' is empty"]
        kinds: tuple[tuple[Any, ...], ...] = (("entity", "literal"), ("class", "relation"))
        name, by = split(text)  # "Ohio (river)"
        try:
            found = self.context.search([Lookup(one[:200], kind, 7) for one in (name, text) if one for kind in kinds])
            meant = fitting(self.context, found[0], by) if name else []
        except (SearchError, GraphError) as error:
            return [f"failed: {quoted(error)}"]
        shown = [*meant, *(one for some in found for one in some)]
        return list(dict.fromkeys(map(self.show, shown)))[:10] or ["nothing has such a name"]

    def describe(self, number: int) -> list[str]:
        """Return the relations of a thing, or of the instances of a class."""
        return self._of(number, self._described)

    def relations(self, number: int, other: int) -> list[str]:
        """Return the relations between two things or classes, in either direction."""
        if (end := self._iri(other)) is None:
            return [_unknown(other)]
        return self._of(number, lambda iri: self._between(iri, end))

    def values(self, number: int) -> list[str]:
        """Return some values of a relation."""
        return self._of(number, self._sampled)

    def query(self, text: str) -> tuple[BuiltQuery | None, list[str]]:
        """Run a query with numbers in place of IRIs; return it with its result, and what the model sees of that."""
        try:
            tree, links = self._filled(sparql.parse(text))
            safe = check(tree, self.context.policy)
            result = self.context.execute(safe, ask=tree.ask, timeout=min(_SECONDS, self.context.graph.timeout))
        except GraphError as error:
            return None, [f"failed: {quoted(error)}"]
        query = BuiltQuery(safe, links, 1.0, result, tree=tree)
        if result.boolean is not None:
            return query, ["yes" if result.boolean else "no"]
        rows = [", ".join(self._cell(term) for term in row) for row in result.rows[:_ROWS]]
        count = f"{len(result.rows):,}{' or more' if result.truncated else ''} rows"
        more = f", such as (OFFSET {_ROWS} shows others)" if len(result.rows) > _ROWS else ""
        return query, [count + more, *rows]

    # How

    def _of(self, number: int, tool: Callable[[str], Iterable[str]]) -> list[str]:
        if (iri := self._iri(number)) is None:
            return [_unknown(number)]
        for _ in range(2):  # what was not read in time is read again
            late = self.context.late
            try:
                with self.context.look_around(f"{tool.__name__}: {self.seen[iri].label}"):
                    lines = list(tool(iri))
            except GraphError as error:
                return [f"failed: {quoted(error)}"]
            if self.context.late == late:
                return lines or ["nothing"]
            self.context.renew_time()
        return [*lines, "relations not read: it took too long; ask for them by a query"]

    def _card(self, iri: str) -> Card:
        """Return the card of a thing; of a class, or of what is told nothing about itself, that of its instances."""
        ways = [self.context.schema.card, self.context.schema.class_card]
        if self.seen[iri].kind == "class":
            ways.reverse()
        card = ways[0](iri)
        return card if any(map(_tells, card)) else (*card, *ways[1](iri))

    def _described(self, iri: str) -> Iterator[str]:
        """Yield what a query would show of a thing: its relations, or else its classes and its values as a relation."""
        card = self._card(iri)
        yield from self._hops(card)
        if not card:
            yield from (f"a {self._numbered(kind, 'class')}" for kind in self.context.schema.types(iri))
            yield from self._sampled(iri)

    def _hops(self, hops: Sequence[Hop]) -> Iterator[str]:
        """Yield a line for each relation; those whose names are like words of the question come first.

        Names and documentation are told where there is nothing else.
        """
        wording = [Wording(word) for word in self.context.question.text.split() if len(word) > 3]
        telling = [hop for hop in hops if _tells(hop)] or hops
        fits = {hop.label: max((one.fit(hop.label) for one in wording), default=0.0) for hop in telling}
        ranked = sorted(telling, key=lambda hop: (-round(fits[hop.label], 1), -hop.count))
        names = self.context.schema.labels(iri for hop in ranked for iri in hop.classes)
        for hop in ranked[:40]:
            name = f"{self._numbered(hop.relation, 'relation', hop.label)} {_name(hop.label)}"
            ends = " or ".join(dict.fromkeys(_name(names[iri]) for iri in hop.classes[:2]))
            if hop.direction == "in":
                yield f"<- {name} of {ends or 'things'}"
            elif isinstance(hop.sample, Literal):
                yield f"{name} = {quoted_text(hop.sample, 40)}"
            else:
                sample = f", such as {quoted(hop.sample_label, 40)}" if hop.sample_label else ""
                yield f"{name} -> {ends or 'things'}{sample}"

    def _between(self, iri: str, other: str) -> Iterator[str]:
        for one, end in ((iri, other), (other, iri)):
            if "class" in (self.seen[one].kind, self.seen[end].kind):
                hops = (hop for hop in self._card(one) if hop.direction == "out")
                found = [hop.relation for hop in hops if end in (*hop.classes, str(hop.sample))]
            else:
                query = f"SELECT DISTINCT ?relation WHERE {{ <{one}> ?relation <{end}> }}"
                found = [relation.value for relation in self._column(query) if isinstance(relation, IRI)]
            for relation in found:
                name = f"{self._numbered(relation, 'relation')} {_name(self.context.schema.label(IRI(relation)))}"
                yield f"{self._numbered(one, 'entity')} {name} {self._numbered(end, 'entity')}"

    def _sampled(self, iri: str) -> Iterator[str]:
        known = self.context.profile.relation_profile(iri) if self.context.profile else None
        if known and known.values:
            return (self._cell(one.term) for one in known.values[:_ROWS])
        query = f"SELECT DISTINCT ?value WHERE {{ ?thing <{iri}> ?value }} LIMIT {_ROWS}"
        return map(self._cell, self._column(query))

    def _column(self, query: str) -> list[Term | None]:
        return [row[0] for row in self.context.graph.select(check(query, self.context.policy), timeout=_SECONDS).rows]

    def _cell(self, term: Term | None) -> str:
        if isinstance(term, IRI):
            label = self.context.schema.label(term)
            return f"{self._numbered(term.value, 'entity', label)} {quoted(label, _NAME)}"
        if isinstance(term, Literal):
            return quoted_text(term, _NAME)
        return "-" if term is None else quoted(term.value, _NAME)

    def _filled(self, tree: sparql.QueryGraph) -> tuple[sparql.QueryGraph, Mapping[str, Candidate]]:
        """Return a query with IRIs in place of numbers, and what these stand for."""
        links: dict[str, Candidate] = {}

        def filled(term: Any) -> Any:
            if not isinstance(term, IRI) or term.value.startswith(STANDARD):
                return term
            iri = self._iri(int(term.value)) if term.value.isdecimal() and len(term.value) < 6 else None
            if iri is None:
                raise GraphError(f"<{term.value[:_NAME]}> is not a number that was shown; use find or describe first")
            links[self.seen[iri].label] = self.seen[iri]
            return IRI(iri)

        return self._with_subclasses(sparql.substituted(tree, filled)), links

    def _with_subclasses(self, tree: sparql.QueryGraph) -> sparql.QueryGraph:
        """Have a query count the instances of subclasses, too, where the class itself is not stated of them."""

        def change(part: Any) -> Any:
            match part:
                case EdgePattern(instance, IRI(relation), IRI(cls) as end) if relation == RDF_TYPE:
                    if len(self.context.schema.kinds(cls)) > 1:
                        return EdgePattern(instance, CLASS_OR_BELOW, end)
            return part

        return sparql.rewritten(tree, change)


def within(steps: Sequence[Mapping[str, Any]], most: int) -> list[dict[str, Any]]:
    """Return steps whose results have so many characters at most; the last result is cut least."""
    kept: list[dict[str, Any]] = []
    room = most
    for step in reversed(steps):
        lines = lines_within(step["result"], min(room, RESULT if not kept else RESULT // 3))
        lines += ["…"] if len(lines) < len(step["result"]) else []
        room -= sum(len(line) + 1 for line in lines)
        kept.append({"action": step["action"], "result": lines})
    return kept[::-1]


def _tells(hop: Hop) -> bool:
    """Return whether a relation is a fact, and no name or documentation."""
    return not hop.relation.startswith(DOCUMENTATION)


def _name(text: str) -> str:
    return quoted(text, _NAME)[1:-1].replace("<", "").replace(">", "")


def _unknown(number: int) -> str:
    return f"<{number}> is not a number that was shown"


# Steps ----------------------------------------------------------------------------------------------------


class _Step(BaseModel):
    action: Choice["find", "describe", "relations", "values", "query", "answer", "not_in_graph"]
    text: str = ""
    thing: int = 0
    other: int = 0
    sparql: str = ""


@dataclass(frozen=True, slots=True)
class Explored:
    """How an exploration ended."""

    answer: Answer | None = None
    absent: str = ""
    """What the graph lacks, as the model says."""


def explore(context: Context, steps: int, before: Sequence[Answer] = (), attempt: Attempt | None = None) -> Explored:
    """Have the model look at the graph, in at most so many steps."""
    context = context.at("construction")
    tools = GraphTools(context)
    first = [options[0].candidate for options in attempt.links.values() if options] if attempt else []
    known = list(dict.fromkeys(tools.show(one) for one in first if one.iri))[:6]
    told = list(_before(before, attempt))
    taken: list[dict[str, Any]] = []
    for left in range(steps, 0, -1):
        inputs = {
            "question": context.question.text,
            "before": told,
            "known": known,
            "steps": within(taken, _TRANSCRIPT),
            "left": left,
        }
        step = context.call("generalist", "exploration", inputs, _Step)
        if step.action == "not_in_graph":
            return Explored(absent=one_line(step.text) or "what the question needs is not in the graph")
        action, query, result = _done(tools, step)
        found = query is not None and query.result is not None and not query.result.is_empty
        if step.action == "answer" and query and (left == 1 or found):
            return Explored(answering.answer(context.at("answering"), query, _answer_type(query)))
        if step.action == "answer" and query:
            result = [*result, "That is no answer yet: look further, or say that it is not in the graph."]
        if any(one["action"] == action for one in taken):
            result = ["This step was taken before: take another one."]
        taken.append({"action": action, "result": result})
    return Explored()


def _done(tools: GraphTools, step: _Step) -> tuple[str, BuiltQuery | None, list[str]]:
    """Return a step in words, its query, and its result."""
    match step.action:
        case "find":
            return f"find {quoted(step.text, 80)}", None, tools.find(step.text)
        case "describe":
            return f"describe <{step.thing}>", None, tools.describe(step.thing)
        case "values":
            return f"values <{step.thing}>", None, tools.values(step.thing)
        case "relations":
            return f"relations <{step.thing}> <{step.other}>", None, tools.relations(step.thing, step.other)
    return f"{step.action} {one_line(step.sparql, 400)}", *tools.query(step.sparql)


def _answer_type(query: BuiltQuery) -> AnswerType:
    if query.tree.ask:
        return "boolean"
    columns = query.tree.columns
    counted = len(columns) == 1 and any(one.function == "COUNT" for one in sparql.nodes(columns, Aggregate))
    return "count" if counted else "select"


def _before(answers: Sequence[Answer], attempt: Attempt | None) -> Iterator[str]:
    """Yield what a template lacked, and a line for each result of the rungs below, with what speaks against it."""
    if attempt and attempt.diagnosis and not attempt.answer:
        yield one_line(attempt.diagnosis, _DIAGNOSIS)
    for answer in {answer.text: answer for answer in answers if answer.values}.values():
        doubts = one_line(in_english(answer.doubts[:3]), 240)
        yield f"another way found {quoted(answer.text, 120)}, {f'but {doubts}' if doubts else 'which is in doubt'}"
