r"""Reasoning paths as text: a main path and restrictions by sort, in which things and relations have their names.

    Main Path:
     Lou Seal -[R[sports , sports team , team mascot]]-> ?c
     ?c -[sports , sports team , championships]-> ?x
    Numeric Restrictions:
     ?x -[time , event , start date]-> ?sk0
      ORDER BY DESC(?sk0)
      LIMIT 1

This is the text of RouterKGQA's constraint-aware reasoning paths (CRP). ``R[…]`` follows a relation against its
direction; ``?x`` is the answer. A name that would not lead back to its IRI is written as the IRI in angle brackets.

>>> path = parse_path("Main Path:\n Momo -[R[wrote]]-> ?x")
>>> path.topic, path.steps
(IRI(value='mention:Momo'), (Step(relation=IRI(value='mention:wrote'), forward=False),))
>>> print(write_path(path))
Main Path:
 Momo -[R[wrote]]-> ?x
"""

import re
from collections.abc import Callable
from typing import Final

from triad import sparql
from triad.errors import QuerySyntaxError
from triad.queries.paths import SORTS, NotAPath, ReasoningPath, Sort, from_parts
from triad.queries.template import written
from triad.rdf import IRI, Literal
from triad.sparql import QueryGraph, substituted
from triad.sparql.patterns import EdgePattern, Filter, QueryTerm, Value, Variable
from triad.sparql.writer import render_expression
from triad.text import one_line

_MENTION: Final = "mention:"
_MAIN: Final = "Main Path:"
_SECTIONS: Final[dict[Sort, str]] = {
    "entity": "Entity Restrictions:",
    "numeric": "Numeric Restrictions:",
    "string": "String Restrictions:",
}
_EDGE: Final = re.compile(r"(?P<start>(?:(?!-\[).)+)-\[(?P<relation>.+)\]->\s*(?P<end>\S.*)")
_BACK: Final = re.compile(r"R\s*\[(.+)\]")
_FILTER: Final = re.compile(r"FILTER\s*\(.*\)", re.IGNORECASE)
_MODIFIER: Final = re.compile(r"(ORDER(?=\s+BY\s)|(?:LIMIT|OFFSET)(?=\s+[0-9]{1,9}$))\s.+", re.IGNORECASE)
_VARIABLE: Final = re.compile(r"\?(\w+)")


class MalformedPath(ValueError):
    """A text that is no reasoning path; the message says where."""


def mention(text: str) -> IRI:
    """Return the placeholder for something that is named but not yet found in the graph."""
    return IRI(_MENTION + text)


def mentioned(term: QueryTerm | None) -> str | None:
    """Return the words of a placeholder; None for an IRI of a graph, and for any other term."""
    return str(term).removeprefix(_MENTION) if isinstance(term, IRI) and term.value.startswith(_MENTION) else None


def is_path_text(text: str) -> bool:
    """Return whether a text looks like a reasoning path."""
    return text.lstrip().startswith(_MAIN)


# Writing --------------------------------------------------------------------------------------------------


def write_path(path: ReasoningPath) -> str:
    """Return a path as text; placeholders are written as names, and other IRIs in angle brackets."""
    cut = [f"  LIMIT {path.limit}"] if path.limit is not None else []
    cut += [f"  OFFSET {path.offset}"] if path.offset else []
    ends = (path.topic, *path.nodes)
    steps = zip(ends, path.steps, ends[1:], strict=False)
    lines = [_MAIN, *(_line(start, step.relation, step.forward, end) for start, step, end in steps)]
    lines += [] if path.order else cut
    for sort in SORTS:
        found = [one for one in path.restrictions if one.sort == sort]
        lines += [_SECTIONS[sort]] if found else []
        for one in found:
            if one.step is not None and one.end is not None:
                lines.append(_line(one.node, one.step.relation, one.step.forward, one.end))
            lines += [f"  FILTER ({_expression(test)})" for test in one.tests]
            if one.order:
                lines.append(f"  ORDER BY {'DESC' if one.order.descending else 'ASC'}({_expression(one.order.key)})")
                lines += cut
    return "\n".join(lines)


def _line(start: QueryTerm, relation: IRI, forward: bool, end: QueryTerm) -> str:
    words = _node(relation)
    return f" {_node(start)} -[{words if forward else f'R[{words}]'}]-> {_node(end)}"


def _node(term: QueryTerm) -> str:
    words = mentioned(term)
    return words if words is not None else str(term) if isinstance(term, Variable) else term.n3()


def _expression(value: Value) -> str:
    """Return an expression as SPARQL writes it, with names as mentions."""

    def as_mention(term: QueryTerm) -> QueryTerm:
        words = mentioned(term)
        return term if words is None else written(words)

    return render_expression(substituted(value, as_mention))


def named(path: ReasoningPath, name: Callable[[IRI, bool], str | None]) -> ReasoningPath:
    """Return a path with placeholders in place of IRIs, as far as they can stand in a text and be read back.

    ``name`` returns the name of an IRI, given whether it is a relation; None if the IRI itself is to stay.
    """

    def placeholder(iri: IRI, relation: bool) -> IRI:
        words = name(iri, relation) or ""
        whole = words == one_line(words).strip() and not re.search(r'^[?"<]|-\[|\]|\[', words)
        return mention(words) if words and whole else iri

    return path.mapped(placeholder)


# Reading --------------------------------------------------------------------------------------------------


def parse_path(text: str) -> ReasoningPath:
    """Return the path of a text, with placeholders for what it names; the module's own example shows them.

    Raises:
        MalformedPath: The text is no reasoning path.
    """
    if len(text) > sparql.MAX_LENGTH:
        raise MalformedPath(f"a path has at most {sparql.MAX_LENGTH:,} characters")
    edges: list[EdgePattern] = []
    starts: list[QueryTerm] = []
    filters: list[str] = []
    cut: dict[str, str] = {}
    chain = 0
    section = ""
    for line in filter(None, map(str.strip, text.splitlines())):
        if line == _MAIN or line in _SECTIONS.values():
            section = line
        elif not section:
            raise MalformedPath(f"a path begins with the line {_MAIN!r}, not {line!r}")
        elif _FILTER.fullmatch(line):
            filters.append(line)
        elif found := _MODIFIER.fullmatch(line):
            cut[found[1].upper()] = line
        elif found := _EDGE.fullmatch(line):
            start, end = _read_node(found["start"].strip()), _read_node(found["end"])
            back = _BACK.fullmatch(found["relation"].strip())
            relation = _read_name((back[1] if back else found["relation"]).strip())
            edges.append(EdgePattern(end, relation, start) if back else EdgePattern(start, relation, end))
            starts.append(start)
            chain += section == _MAIN
        else:
            raise MalformedPath(f"this line is no part of a path: {line!r}")
    modifiers = " ".join(cut[name] for name in ("ORDER", "LIMIT", "OFFSET") if name in cut)
    return _built(edges, starts[:chain], _query(f"SELECT * {{ {' '.join(filters)} }} {modifiers}"))


def _built(edges: list[EdgePattern], starts: list[QueryTerm], rest: QueryGraph) -> ReasoningPath:
    """Return the path of some edges, with the conditions and modifiers of a query."""
    if not starts or not isinstance(starts[0], IRI | Literal):
        raise MalformedPath("the main path starts at something that is named")
    reached: QueryTerm = starts[0]
    for start, edge in zip(starts, edges, strict=False):
        if start != reached:
            raise MalformedPath(f"a step of the main path starts at {_node(start)} and not at {_node(reached)}")
        reached = edge.object if edge.subject == start else edge.subject
        if not isinstance(reached, Variable):
            raise MalformedPath("a step of the main path leads to a variable")
    tests = [part.expression for part in rest.where if isinstance(part, Filter)]
    if len(tests) < len(rest.where):
        raise MalformedPath("a condition of a path has no patterns")
    try:
        return from_parts(starts[0], edges[: len(starts)], edges, tests, rest)
    except NotAPath as error:
        raise MalformedPath(str(error)) from error


def _query(text: str) -> QueryGraph:
    try:
        return substituted(sparql.parse(text).explicit(), _as_placeholder)
    except (QuerySyntaxError, ValueError) as error:
        raise MalformedPath(f"this cannot be read: {error}") from error


def _as_placeholder(term: QueryTerm) -> QueryTerm:
    if isinstance(term, IRI) and not re.match(r"\w+:", term.value):
        return mention(term.value.replace("_", " ").strip())
    return term


def _read_node(text: str) -> QueryTerm:
    if found := _VARIABLE.fullmatch(text):
        return Variable(found[1])
    if text.startswith('"'):
        [part] = _query(f"SELECT * {{ ?s ?p {text} }}").where
        assert isinstance(part, EdgePattern)
        return part.object
    return _read_name(text)


def _read_name(text: str) -> IRI:
    return IRI(text[1:-1]) if re.fullmatch(r"<\w+:[^<>\s]*>", text) else mention(text)
