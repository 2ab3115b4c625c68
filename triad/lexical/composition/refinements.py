"""Refinements: what is said of a draft as a whole, once it is put together: its named graphs, and steps gone again.

A reader composes a question without these words, and the drafts are refined by them afterwards. A draft to which such
words cannot apply is left as it is, or dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from triad.language.operators import Operator
from triad.language.pack import Measures
from triad.lexical.composition.draft import Draft
from triad.lexical.composition.elements import Extreme, Limit, Thing
from triad.lexical.composition.schema_graph import SchemaGraph
from triad.lexical.composition.sources import Source, SourceMark

__all__ = ["doubtful_dates", "repeated", "within_sources"]

Fit = Callable[[str, Measures], float]
"""How well a relation fits what a comparison measures, from 0 to 1."""

_LEAST_FIT: Final = 0.35
_MISTAKEN: Final = (
    0.5  # what it costs to take a date for the name of a graph though values are dates, or the other way round
)


def repeated(draft: Draft, operators: Iterable[Operator], schema: SchemaGraph) -> Draft:
    """Return a draft with steps that may be gone again and again, where words ask for that.

    Each of the words applies to the nearest step between things of one kind.
    """
    for operator in operators:
        if operator.kind != "transitive":
            continue
        able = [thing for thing in draft.things if _repeats(thing, schema) and not thing.transitive]
        if not able:
            continue
        nearest = min(able, key=lambda thing: _distance(operator, thing, draft))
        words = frozenset(range(operator.start, operator.end))
        draft = draft.changed(replace(nearest, transitive=True, said=nearest.said | words))
    return draft


def _repeats(thing: Thing, schema: SchemaGraph) -> bool:
    return len(thing.way) == 1 and schema.meet(thing.way[0].source, thing.way[0].target)


def _distance(operator: Operator, thing: Thing, draft: Draft) -> float:
    said = thing.said or (draft.thing(thing.parent).said if thing.parent is not None else ())
    return min((abs(at - operator.start) for at in said), default=99.0)


def within_sources(
    draft: Draft, marks: Sequence[SourceMark], operators: Iterable[Operator], schema: SchemaGraph, fit: Fit
) -> Draft | None:
    """Return a draft whose facts are those of the named graphs that words mean; None if it has none that stand there.

    Args:
        draft: What the other words say.
        marks: The words about named graphs.
        operators: The operators of the question.
        schema: The schema.
        fit: How well a relation fits what a comparison measures.
    """
    by_role = {role: [mark for mark in marks if mark.role == role] for role in ("in", "than", "more", "less", "which")}
    said = frozenset(at for mark in marks for at in mark.positions)
    if by_role["which"]:
        if by_role["than"] or len(by_role["which"]) > 1:
            return None
        return _asking(draft, by_role["which"][0], by_role["in"], operators, schema, said)
    if by_role["than"] or by_role["more"] or by_role["less"]:
        signs, rivals = [*by_role["more"], *by_role["less"]], by_role["than"]
        if len(signs) != 1 or len(rivals) != 1 or len(rivals[0].graphs) != 1:
            return None
        compared = _compared(draft, signs[0], rivals[0].graphs[0], schema, fit)
        if compared is None:
            return None
        draft = compared
    graphs = _meant(by_role["in"])
    terms = _standing(draft, graphs, schema)
    if not terms:
        return None
    if any(one in schema.relations and schema.value_kind(one) == "date" for one in terms):
        draft = _strained(draft)
    valued = any(column.relation and not column.function for column in draft.columns)
    return replace(draft, source=Source(graphs, terms, "last" if valued and len(graphs) > 1 else "", said))


def doubtful_dates(draft: Draft, marks: Iterable[SourceMark], schema: SchemaGraph, words: frozenset[int]) -> Draft:
    """Return a draft that says it is strained if it limits a date that no word names by the name of a named graph.

    "The sales of the shop in 2022" are rather those in the graph of that year than those of a shop that opened then.

    Args:
        draft: The draft.
        marks: The words about named graphs.
        schema: The schema.
        words: The positions of the content words.
    """
    named = [mark for mark in marks if mark.role == "in"]
    years = frozenset(at for mark in named for at in mark.positions)
    for limit in draft.limits:
        said = limit.said & words
        if not limit.choices or not said or not said <= years or schema.value_kind(limit.relation) != "date":
            continue
        graphs = [iri for mark in named if not said.isdisjoint(mark.positions) for iri in mark.graphs]
        if any(iri != limit.relation for iri in _standing(draft, graphs, schema)):
            return _strained(draft)
    return draft


def _strained(draft: Draft) -> Draft:
    return replace(draft, notes=draft.notes | {"strained": draft.notes.get("strained", 0.0) + _MISTAKEN})


def _meant(marks: Sequence[SourceMark]) -> tuple[str, ...]:
    """Return the graphs that words mean together: those that all of them may mean, or else those of each."""
    if not marks:
        return ()
    common = [iri for iri in marks[0].graphs if all(iri in mark.graphs for mark in marks)]
    return tuple(common or dict.fromkeys(iri for mark in marks for iri in mark.graphs))


def _used(draft: Draft) -> Iterator[str]:
    yield from (link.relation for thing in draft.things for link in thing.way)
    for parts in (draft.limits, draft.extremes, draft.columns):
        yield from (one.relation for one in parts if one.relation)
    yield from (thing.cls for thing in draft.things if thing.typed and thing.cls)


def _standing(draft: Draft, graphs: Iterable[str], schema: SchemaGraph) -> frozenset[str]:
    wanted = set(graphs)
    return frozenset(iri for iri in _used(draft) if not wanted.isdisjoint(_graphs_of(iri, schema)))


def _graphs_of(iri: str, schema: SchemaGraph) -> Mapping[str, int]:
    known = schema.relations.get(iri) or schema.classes.get(iri)
    return known.graphs if known else {}


def _compared(draft: Draft, mark: SourceMark, rival: str, schema: SchemaGraph, fit: Fit) -> Draft | None:
    """Return a draft whose value is held against the one of another named graph."""
    sign = ">" if mark.role == "more" else "<"
    places = [(one.thing, one.relation) for one in draft.limits if one.relation]
    places += [(one.thing, one.relation) for one in draft.columns if one.relation]
    able = {
        iri
        for iri, relation in schema.relations.items()
        if rival in relation.graphs and schema.value_kind(iri) in ("number", "date")
    }
    found = next((place for place in places if place[1] in able), None)
    if found is None:
        fits = [
            (fit(relation, mark.measures), thing.id, relation)
            for thing in draft.things
            for relation in able
            if mark.measures and schema.has(thing.cls, relation)
        ]
        best = max(fits, default=(0.0, 0, ""))
        if best[0] <= _LEAST_FIT:
            return None
        found = best[1:]
    thing, relation = found
    if not draft.thing(thing).terms:  # not the values are asked for, but the things whose values compare so
        draft = replace(
            draft,
            columns=tuple(
                replace(one, relation="") if (one.thing, one.relation, one.function) == (thing, relation, "") else one
                for one in draft.columns
            ),
        )
    limits = tuple(one for one in draft.limits if one != Limit(thing, relation, said=one.said))
    spoken = frozenset(at for one in draft.limits if one not in limits for at in one.said)
    limit = Limit(thing, relation, sign=sign, rival=rival, said=spoken | frozenset(mark.positions))
    return replace(draft, limits=(*limits, limit))


def _asking(
    draft: Draft,
    asked: SourceMark,
    others: Sequence[SourceMark],
    operators: Iterable[Operator],
    schema: SchemaGraph,
    said: frozenset[int],
) -> Draft | None:
    """Return a draft that asks for the named graph itself: the year in which something had its greatest value."""
    if draft.ask or others or any(thing.every for thing in draft.things):
        return None
    limits = list(draft.limits)
    extremes = [one for one in draft.extremes if one.key is None]
    heeded = said.union(*(one.said for one in draft.things), *(one.said for one in limits))
    heeded = heeded.union(*(one.said for one in extremes))
    best = [one for one in operators if one.kind == "superlative" and heeded.isdisjoint(range(one.start, one.end))]
    for column in draft.columns:
        if column.function and column.function not in ("MAX", "MIN"):
            return None
        if not column.relation:
            said |= column.said
        elif best and schema.value_kind(column.relation) in ("number", "date"):
            operator = best.pop(0)
            words = column.said | frozenset(range(operator.start, operator.end))
            extremes.append(Extreme(column.thing, column.relation, descending=operator.descending, said=words))
        else:
            limits.append(Limit(column.thing, column.relation, said=column.said))
    draft = replace(draft, limits=tuple(limits), extremes=tuple(extremes), columns=())
    terms = _standing(draft, asked.graphs, schema)
    graphs = tuple(iri for iri in asked.graphs if any(iri in _graphs_of(term, schema) for term in terms))
    return replace(draft, source=Source(graphs, terms, "only", said)) if graphs else None
