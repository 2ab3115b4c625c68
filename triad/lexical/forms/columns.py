"""Columns: further values that are asked for with the entities: "and by whom", "and when", "capital and currency".

A question with a second clause asks for a table. The second column is a step from the first one, named by the words of
the second clause or by its question word.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from triad.lexical.answer_types import AnswerTypes
from triad.lexical.forms.candidate_query import CandidateQuery
from triad.lexical.graph_search import Walk
from triad.lexical.matching import Match
from triad.lexical.nodes import Node
from triad.rdf import IRI
from triad.sparql.patterns import OptionalPart, Part, Variable

__all__ = ["columns"]

_COLUMNS: Final = 6  # columns at most beside the first one
_GAP: Final = 4  # words between two items of a list
_SINGLE: Final = 30  # nodes of one relation each that are combined in pairs
_UNSAID: Final = 0.6  # the fit of a value that only its question word asks for


def columns(walk: Walk, nodes: Sequence[Node], passing: Sequence[CandidateQuery]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for entities with a value of each, and for two values of one entity."""
    conditions = {each.node.focus: each for each in reversed(passing) if each.answer_type == "select"}
    yield from _listed(walk, nodes, conditions)
    clause = walk.second_clause
    if clause is None:
        return
    at, place = clause
    pack = walk.matcher.pack
    words = [pack.key(word.text) for word in walk.analysis.words]
    expected = frozenset(kind for _, kind in pack.expected.at(words, place))
    kinds = AnswerTypes(walk.context.schema, walk.matcher, expected)
    if expected:
        yield from _asked_of_one(walk, kinds, nodes)
    for node in nodes:
        if not node.before or not node.ends or not node.edges:
            continue
        named = node.edges[-1].match.positions
        fit = 1.0 if named and min(named) > at else kinds.fits(node.ends[0], node.classes) if expected else 0.0
        if not named or fit < 1:
            continue
        yield _beside(node, (), fit, frozenset())
        if each := conditions.get(node.before):
            own = tuple(part for part in each.node.parts if part not in node.parts)
            yield _beside(node, own, min(fit, each.measure), each.positions)


def _beside(node: Node, parts: Sequence[Part], fit: float, positions: frozenset[int]) -> CandidateQuery:
    query = node.graph.narrowed(*parts).showing(*_shown(node.before, node.focus))
    return CandidateQuery(query, "select", "columns", node, node.ends, fit, positions=positions, target=node.before)


def _shown(*columns: Variable | IRI | None) -> list[Variable]:
    return [column for column in columns if isinstance(column, Variable)]


def _listed(
    walk: Walk, nodes: Sequence[Node], conditions: Mapping[Variable | IRI, CandidateQuery]
) -> Iterator[CandidateQuery]:
    """Yield candidate queries for values that the question lists: "name, country and price"."""
    groups: defaultdict[tuple[object, ...], list[Node]] = defaultdict(list)
    for node in nodes:
        if node.ends and node.edges and node.edges[-1].match.positions and not node.restricted:
            groups[node.parts[:-1], node.mentions, node.before].append(node)
    for steps in groups.values():
        chosen = _enumerated(walk, steps)
        if not chosen:
            continue
        first, fit = chosen[0], sum(step.edges[-1].match.fit for step in chosen) / len(chosen)
        edges = (*first.edges[:-1], *(step.edges[-1] for step in chosen))
        kinds = Match(first.kinds.fit, first.kinds.positions.union(*(step.kinds.positions for step in chosen)))
        shown = _shown(*(step.focus for step in chosen))
        own = [step.parts[-1] for step in chosen]
        if first.before is None:
            node = replace(first, parts=(*first.parts[:-1], *own), edges=edges, kinds=kinds)
            yield CandidateQuery(node.graph.showing(*shown), "select", "columns", node, first.ends, fit)
            continue
        parts = (*first.parts[:-1], *(OptionalPart((part,)) for part in own))
        for each in (None, conditions.get(first.before)):
            further = [part for part in each.node.parts if part not in first.parts] if each else []
            node = replace(first, parts=(*parts, *further), edges=edges, kinds=kinds)
            query = node.graph.showing(first.before, *shown)
            said = each.positions if each else frozenset()
            yield CandidateQuery(query, "select", "columns", node, first.ends, fit, positions=said, target=first.before)


def _enumerated(walk: Walk, steps: Sequence[Node]) -> list[Node]:
    """Return the steps whose words form a list; words that fit several relations equally well give all of these."""
    by_words: defaultdict[tuple[int, int], list[Node]] = defaultdict(list)
    for step in steps:
        positions = step.edges[-1].match.positions
        by_words[min(positions), max(positions)].append(step)
    runs: list[list[tuple[int, int]]] = []
    for words in sorted(by_words):
        if runs and _separated(walk, runs[-1][-1][1], words[0]):
            runs[-1].append(words)
        elif not runs or words[0] > runs[-1][-1][1]:
            runs.append([words])
    run = max(runs, key=len, default=[])
    if len(run) < 2:
        return []
    best = {words: max(step.edges[-1].match.fit for step in by_words[words]) for words in run}
    chosen = [step for words in run for step in by_words[words] if step.edges[-1].match.fit == best[words]]
    return chosen if len(chosen) <= _COLUMNS else []


def _separated(walk: Walk, before: int, after: int) -> bool:
    """Return whether a comma or "and", and little else, separates words."""
    if not before < after <= before + _GAP:
        return False
    words, pack = walk.analysis.words, walk.matcher.pack
    between = walk.analysis.text[words[before].end : words[after].start]
    keys = [pack.key(word.text) for word in words]
    return "," in between or any(pack.compare["and"].longest(keys, at) for at in range(before + 1, after))


def _asked_of_one(walk: Walk, kinds: AnswerTypes, nodes: Sequence[Node]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for what two question words ask of one named entity: "where and when was she born"."""
    for one, other in _of_one_thing(nodes):
        if walk.kinds.fits(one.ends[0], one.classes) == 1 == kinds.fits(other.ends[0], other.classes):
            first, second = one.edges[0].match, other.edges[0].match
            if first.positions and second.positions <= first.positions:
                yield _both(one, other, 1.0 if second.positions else _UNSAID)


def _of_one_thing(nodes: Sequence[Node]) -> Iterator[tuple[Node, Node]]:
    single = [node for node in nodes if len(node.parts) == len(node.edges) == 1 and node.mentions and node.ends]
    for one, other in itertools.permutations(single[:_SINGLE], 2):
        if one.mentions == other.mentions and one.edges[0].relation != other.edges[0].relation:
            yield one, other


def _both(one: Node, other: Node, fit: float) -> CandidateQuery:
    parts, edges = (*one.parts, *other.parts), (*one.edges, *other.edges)
    both = replace(one, parts=parts, edges=edges, kinds=one.kinds | other.kinds)
    query = both.graph.showing(*_shown(one.focus, other.focus))
    return CandidateQuery(query, "select", "columns", both, one.ends, fit)
