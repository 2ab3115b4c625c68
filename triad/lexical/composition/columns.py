"""Columns: whose the asked for things and values are, and what stands at the root."""

from __future__ import annotations

from triad.lexical.composition.elements import Column, Limit, Thing
from triad.lexical.composition.marks import Mark
from triad.lexical.composition.measuring import counts_down
from triad.lexical.composition.wishes import Wish
from triad.lexical.composition.wording import COMPARED
from triad.lexical.composition.work import Work

__all__ = ["place_columns"]


def place_columns(work: Work) -> Thing | None:
    """Find whose the asked for things and values are; return the root."""
    root: Thing | None = None
    pending: list[tuple[Wish, Mark]] = []
    for wish in work.wishes:
        mark = wish.mark
        if mark is not None and mark.kind in ("relation", "text", "name"):
            pending.append((wish, mark))
        elif mark is not None and id(mark) in work.of_mark:
            thing = work.things[work.of_mark[id(mark)]]
            work.say(thing.id, *wish.said)
            _show(work, thing.id, wish)
            if root is None or (root.terms and not thing.terms):
                root = work.things[thing.id]
    if not pending and not work.columns:
        return _implied_root(work)
    places = len(work.columns)
    for wish, mark in pending:
        work.taken.add(id(mark))
        if mark.kind == "name":
            continue
        owner = work.owner(mark.iri, mark, asked=True)
        if owner is None:
            return None
        _place_value(work, wish, mark, owner)
        root = root or work.things[owner.id]
    for wish, mark in pending:
        named = _named_by(work, mark, root) if mark.kind == "name" else None
        if named is None:
            continue
        root = root or named
        if not any(column.thing == named.id and not column.relation for column in work.columns):
            _show(work, named.id, wish)
    if places and pending:
        work.columns.sort(key=lambda column: min(column.said, default=0))
    if root is None:
        return None
    root = work.things[root.id]
    while root.parent is not None:
        root = work.things[root.parent]
    return root


def _show(work: Work, thing: int, wish: Wish) -> None:
    for function in wish.functions or ("",):
        work.columns.append(Column(thing, "", function, wish.key, wish.said))


def _place_value(work: Work, wish: Wish, mark: Mark, owner: Thing) -> None:
    """Add the columns of a relation: its values, the things that it leads to, or those that have a value."""
    if mark.kind == "text":
        work.limits.append(Limit(owner.id, mark.iri, options=(mark.text,), said=frozenset(mark.positions)))
        _show(work, owner.id, wish)
        return
    if not work.schema.is_literal(mark.iri):
        _show(work, work.end(owner, mark.iri, mark).id, wish)
        return
    functions = _functions(work, wish, mark.iri)
    if any(
        counts_down(work, one.measures, mark.iri)
        for one in work.covered.operators
        if set(range(one.start, one.end)) <= wish.said
    ):
        turned = {"MAX": "MIN", "MIN": "MAX"}
        functions = tuple(turned.get(one, one) for one in functions)
    for function in functions:
        work.columns.append(Column(owner.id, mark.iri, function, wish.key, wish.said))


def _named_by(work: Work, mark: Mark, root: Thing | None) -> Thing | None:
    """Return the things whose names are asked for: the next ones, or those that other columns are of."""
    if root is not None:
        return root
    after = [one for one in work.covered.marks if one.start >= mark.end and id(one) in work.of_mark]
    if after:
        return work.things[work.of_mark[id(after[0])]]
    return next(iter(work.things), None)


def _functions(work: Work, wish: Wish, relation: str) -> tuple[str, ...]:
    """Return the aggregates of a value; a number that the graph holds need not be counted."""
    if not wish.functions:
        return ("",)
    numeric = work.schema.value_kind(relation) == "number"
    if wish.functions == ("COUNT",) and numeric:
        total = any(
            work.wording.sentence.form("total", at) is not None
            for one in work.covered.operators
            if one.kind == "count"
            for at in range(one.start, one.end + 1)
        )
        many = any(other.functions and other is not wish for other in work.wishes) or any(w.key for w in work.wishes)
        single = any(thing.terms for thing in work.things)
        return ("SUM",) if (total or many) and not single else ("",)
    return tuple(one for one in wish.functions if not (one == "COUNT" and numeric)) or ("",)


def _implied_root(work: Work) -> Thing | None:
    """Return the things asked for where no word names them: who, or those that a yes/no question is about."""
    if work.analysis.answer_type == "boolean":
        first = next((thing for thing in work.things), None)
        if first is not None:
            return first
        for mark in work.covered.marks:
            if mark.kind in ("relation", "text"):
                return work.owner(mark.iri, mark)
        return None
    expected = work.analysis.expected
    candidates: list[tuple[float, str]] = []
    for cls in work.schema.classes:
        if not expected & {"person", "organisation"} or work.wording.is_person(cls):
            costs = [work.distance(cls, thing.cls) for thing in work.things]
            if costs and max(costs) < 9:
                candidates.append((sum(costs), cls))
    relations = [mark for mark in work.covered.marks if mark.kind in ("relation", "text")]
    if not candidates and not work.things and not relations:
        able = _able_classes(work, expected)
        if able:
            work.strained += 1.0
            root = work.add(able[0], typed=True)
            work.columns.append(Column(root.id))
            return root
    if not candidates and not work.things and relations:
        owner = work.owner(relations[0].iri, relations[0])
        if owner is not None:
            work.columns.append(Column(owner.id))
        return owner
    if not candidates:
        if len(work.things) == 1 and not expected:
            work.columns.append(Column(work.things[0].id))
            return work.things[0]
        return None
    work.strained += 1.0
    root = work.add(min(candidates)[1], typed=True)
    work.columns.append(Column(root.id))
    return root


def _able_classes(work: Work, expected: frozenset[str]) -> list[str]:
    """Return the classes whose things have what the question compares, the largest first."""
    dated = any(bound[0].date is not None for bound in work.covered.bounds)
    measured = [one.measures for one in work.covered.operators if one.kind == "superlative" and one.measures]

    def able(cls: str) -> bool:
        relations = [relation for relation in work.schema.relations if work.schema.has(cls, relation)]
        if dated and not any(work.schema.value_kind(relation) == "date" for relation in relations):
            return False
        return all(
            any(work.wording.fit(relation, one) > COMPARED for relation in relations)
            or (work.wording.is_time(one) and any(work.schema.value_kind(relation) == "date" for relation in relations))
            for one in measured
        )

    if not dated and not measured:
        return []
    found = [
        cls
        for cls in work.schema.classes
        if (not expected & {"person", "organisation"} or work.wording.is_person(cls)) and able(cls)
    ]
    return sorted(found, key=lambda cls: (-work.schema.instances(cls), cls))
