"""Plain forms: the entities themselves, their number, and one for each of others."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from triad.language.analysis import Analysis
from triad.lexical.forms.candidate_query import CandidateQuery, Form
from triad.lexical.graph_search import Walk
from triad.lexical.nodes import Node
from triad.rdf import IRI, XSD, Literal, is_number
from triad.sparql.patterns import ClassPattern, EdgePattern, Values

__all__ = ["counts", "grouped", "lists", "unions"]

_PAIRED: Final = 40  # nodes of one relation each that unions are made of
_SEEN: Final = 5  # entities of a node that show whether it holds numbers


def lists(nodes: Iterable[Node]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for the entities themselves."""
    for node in nodes:
        if node.ends and not node.blank:
            form: Form = "number" if all(map(is_number, node.ends[:_SEEN])) else "list"
            yield CandidateQuery(node.graph, "select", form, node, node.ends)


def counts(analysis: Analysis, nodes: Iterable[Node]) -> Iterator[CandidateQuery]:
    """Yield candidate queries that count the entities; values that are numbers are the answer and are not counted."""
    if analysis.answer_type != "count":
        return
    for node in nodes:
        if node.ends and not any(map(is_number, node.ends[:_SEEN])):
            number = Literal(str(len(node.ends)), XSD + "integer")
            yield CandidateQuery(node.graph.counted(), "count", "count", node, (number,))


def unions(walk: Walk, nodes: Sequence[Node]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for what has one relation to either of two named entities: "by King or Tolkien"."""
    if not walk.analysis.either:
        return
    single = [
        node
        for node in nodes
        if len(node.mentions) == len(node.edges) == 1 and node.mentions[0].candidate.kind == "entity" and _plain(node)
    ]
    for one, other in itertools.combinations(single[:_PAIRED], 2):
        first, second = one.mentions[0], other.mentions[0]
        same = _step(one) == _step(other)
        if not same or first.overlaps(second):
            continue
        either, options = walk.variable(), (IRI(first.candidate.iri), IRI(second.candidate.iri))
        graph = one.graph.swapped(options[0], either)
        node = replace(
            one,
            parts=(Values.of(either, *options), *graph.where),
            mentions=(first, second),
            edges=(*one.edges, *other.edges),
            ends=tuple(dict.fromkeys((*one.ends, *other.ends))),
        )
        yield CandidateQuery(node.graph, "select", "list", node, node.ends)


def _plain(node: Node) -> bool:
    return isinstance(node.parts[0], EdgePattern) and (
        len(node.parts) == 1 or (node.restricted and len(node.parts) == 2 and isinstance(node.parts[1], ClassPattern))
    )


def _step(node: Node) -> tuple[str, bool, tuple[str, ...]]:
    return node.edges[0].relation, node.edges[0].forward, node.classes if node.restricted else ()


def grouped(analysis: Analysis, nodes: Iterable[Node]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for a number or a list per entity: "for each band", "on each continent"."""
    each = analysis.each
    if each is None:
        return
    for node in nodes:
        if not node.before or each not in node.covered:
            continue
        for group, other in ((node.focus, node.before), (node.before, node.focus)):
            if each not in node.said.get(group, ()) or isinstance(group, IRI) or isinstance(other, IRI):
                continue
            if analysis.answer_type == "count":
                query = node.graph.aggregated("COUNT", other, by=group)
            else:
                query = node.graph.showing(group, other)
            yield CandidateQuery(query, "select", "group", node, measure=1.0, target=other)
