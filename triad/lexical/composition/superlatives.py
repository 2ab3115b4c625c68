"""Superlatives: the greatest and the least, by a value, by an aggregate or by how many there are."""

from __future__ import annotations

from dataclasses import replace

from triad.language.operators import Operator
from triad.lexical.composition.elements import Extreme, Thing
from triad.lexical.composition.marks import Mark
from triad.lexical.composition.measuring import counts_down, measured_near
from triad.lexical.composition.wording import NEAR
from triad.lexical.composition.work import Work

__all__ = ["place_superlatives"]


def place_superlatives(work: Work) -> None:
    """Make extremes of the superlatives that ask for no value themselves."""
    for index, operator in enumerate(work.covered.operators):
        if operator.kind != "superlative" or index in work.used or operator.start >= work.sorted_from:
            continue
        if any(bound[0].start <= operator.start < bound[0].end for bound in work.covered.bounds):
            continue
        _superlative(work, operator)


def _superlative(work: Work, operator: Operator) -> None:
    """Make the extreme of one superlative."""
    operand = work.covered.operand(operator)
    if operator.counted and operand is not None:
        if operand.kind == "class" and id(operand) in work.of_mark:
            counted = work.things[work.of_mark[id(operand)]]
            _count_extreme(work, operator, counted, _words(operator))
            return
        if operand.kind == "relation":
            _most(work, operator, operand)
            return
    if operand is not None and _is_value(work, operand):
        aggregate = next(
            (
                one.function
                for one in work.covered.operators
                if one.kind == "aggregate" and operator.end <= one.start and one.end <= operand.start
            ),
            "",
        )
        _named_extreme(work, operator, operand, aggregate)
        return
    last = next((mark for mark in reversed(work.covered.marks) if mark.end <= operator.start), None)
    free = operand is None or bool(operator.measures)
    if free and last is not None and _is_value(work, last) and operator.start - last.end <= 1:
        _named_extreme(work, operator, last)
        return
    ranked_by = _ranked_by(work, operator)
    host = _host(work, operator, operand)
    if host is None:
        return
    if ranked_by is not None:
        work.taken.add(id(ranked_by))
        _value_extreme(work, operator, host, ranked_by.iri, _words(operator, ranked_by))
        return
    found = measured_near(work, host, operator.measures)
    if found is not None:
        _value_extreme(work, operator, found[0], found[1], _words(operator))
        return
    _commonest(work, operator, host)


def _words(operator: Operator, mark: Mark | None = None) -> frozenset[int]:
    return frozenset(range(operator.start, operator.end)).union(mark.positions if mark is not None else ())


def _is_value(work: Work, mark: Mark) -> bool:
    return (
        mark.kind == "relation"
        and id(mark) not in work.asked
        and work.schema.value_kind(mark.iri) in ("number", "date")
    )


def _most(work: Work, operator: Operator, operand: Mark) -> None:
    """Read the most or the fewest of a relation: the highest number of it, or the most things that it leads to."""
    work.taken.add(id(operand))
    thing = work.owner(operand.iri, operand)
    if thing is None:
        return
    said = _words(operator, operand)
    if not work.schema.is_literal(operand.iri):
        _count_extreme(work, operator, work.end(thing, operand.iri, operand), said)
    elif work.schema.value_kind(operand.iri) in ("number", "date"):
        _value_extreme(work, operator, thing, operand.iri, said)


def _named_extreme(work: Work, operator: Operator, mark: Mark, aggregate: str = "") -> None:
    work.taken.add(id(mark))
    thing = work.owner(mark.iri, mark)
    if thing is not None:
        _value_extreme(work, operator, thing, mark.iri, _words(operator, mark), aggregate)


def _host(work: Work, operator: Operator, operand: Mark | None) -> Thing | None:
    """Return the things of which one is the greatest: those that the superlative stands before, else the last ones."""
    if operand is not None and operand.kind == "class" and id(operand) in work.of_mark:
        return work.things[work.of_mark[id(operand)]]
    several = [thing for thing in work.things if len(thing.terms) != 1]
    before = [thing for thing in several if 0 <= thing.at <= operator.start]
    return max(before, key=lambda thing: thing.at, default=None) or next(iter(several), None)


def _commonest(work: Work, operator: Operator, host: Thing) -> None:
    """Read a superlative that no value fits: the rarest, the most common."""
    other = next((one for one in work.things if one.id != host.id and not one.terms), None)
    if work.wording.rarity(operator) and not any(one.relation for one in work.columns):
        if other is None:
            links = sorted(work.schema.links(host.cls), key=lambda link: (link.forward, -link.share))
            if links:
                other = work.add(links[0].target)
                other = work.change(replace(other, parent=host.id, way=(links[0],)))
        if other is not None:
            _count_extreme(work, operator, other, _words(operator))
            return
    key = next((one for one in work.columns if one.relation and not one.function), None)
    if key is not None:  # "the most common location" is that of most things
        work.strained += 0.3
        said = _words(operator)
        work.extremes.append(
            Extreme(key.thing, "", key.thing, key, operator.descending, operator.first, operator.count, said)
        )


def _ranked_by(work: Work, operator: Operator) -> Mark | None:
    """Return what things are ranked by: "the largest by population"."""
    for mark in work.covered.marks:
        if mark.start > operator.end and mark.kind == "relation":
            sentence = work.wording.sentence
            if any(
                sentence.compare("by", at) is not None and mark.start - at <= NEAR
                for at in range(max(operator.end, mark.start - NEAR), mark.start)
            ) and work.schema.value_kind(mark.iri) in ("number", "date"):
                return mark
    return None


def _turned(work: Work, operator: Operator, relation: str) -> bool:
    """Tell whether the greatest value is asked for: the oldest has the greatest age, but the least year."""
    if operator.counted:
        return operator.descending
    return operator.descending != counts_down(work, operator.measures, relation)


def _value_extreme(
    work: Work, operator: Operator, thing: Thing, relation: str, said: frozenset[int], aggregate: str = ""
) -> None:
    """Make the extreme of a value, or of an aggregate of the values of each."""
    descending = _turned(work, operator, relation)
    if aggregate:
        owner = next((column.thing for column in work.columns if column.thing != thing.id), None)
        if owner is not None:
            work.extremes.append(
                Extreme(owner, relation, thing.id, None, descending, operator.first, operator.count, said, aggregate)
            )
            return
    work.extremes.append(Extreme(thing.id, relation, None, None, descending, operator.first, operator.count, said))


def _count_extreme(work: Work, operator: Operator, counted: Thing, said: frozenset[int]) -> None:
    """Make the extreme of how many things there are, for each of what is asked for."""
    owner = next((work.things[column.thing] for column in work.columns if column.thing != counted.id), None) or next(
        (thing for thing in work.things if thing.id != counted.id and not thing.terms), None
    )
    key = next((column for column in work.columns if column.thing == counted.id and column.relation), None)
    if owner is None and key is None:
        return
    work.extremes.append(
        Extreme(
            owner.id if owner is not None and key is None else counted.id,
            "",
            counted.id,
            key,
            operator.descending,
            operator.first,
            operator.count,
            said | counted.said,
        )
    )
