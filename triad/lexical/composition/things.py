"""Things: each class and each name of a question is one, and so may be a relation that is a noun."""

from __future__ import annotations

from dataclasses import replace

from triad.lexical.composition.marks import Mark
from triad.lexical.composition.schema_graph import NO_CLASS
from triad.lexical.composition.work import Work
from triad.rdf import IRI

__all__ = ["chain", "name_things"]


def name_things(work: Work) -> None:
    """Make a thing of each class and of each name."""
    by_class: dict[str, int] = {}
    previous: Mark | None = None
    reach = 0  # the end of the previous mark, with the words right after it that say "named"
    for mark in work.covered.marks:
        if mark.start >= work.sorted_from or mark.kind == "name":
            work.taken.add(id(mark))
            if mark.start == reach:
                reach = mark.end  # the ship named Lettice
            continue
        if mark.kind == "class":
            if previous is not None and mark.start == reach and _is_one(work, previous, mark):
                known = work.of_mark[id(previous)]  # the Guacamole recipe
                work.of_mark[id(mark)] = known
                work.taken.add(id(mark))
                work.say(known, *mark.positions)
            elif mark.iri in by_class:
                known = by_class[mark.iri]
                work.of_mark[id(mark)] = known
                work.taken.add(id(mark))
                work.say(known, *mark.positions)
            else:
                by_class[mark.iri] = work.add(mark.iri, mark, typed=True).id
        elif mark.kind == "thing":
            cls = mark.classes[0] if mark.classes else NO_CLASS
            near = previous if mark.start == reach else None
            if near is not None and near.kind == "class" and _apposed(work, near, mark):
                known = work.of_mark[id(near)]
                if not work.things[known].terms:
                    one = work.things[known]
                    work.change(replace(one, terms=(IRI(mark.iri),), typed=False, said=one.said | set(mark.positions)))
                    work.of_mark[id(mark)] = known
                    work.taken.add(id(mark))
                    previous, reach = mark, mark.end
                    continue
            if near is not None and near.kind == "thing" and near.start == mark.start:
                continue
            before = work.joined_before(mark)
            if before is not None and id(before[0]) in work.of_mark and _alike(work, before[0], mark):
                known = work.of_mark[id(before[0])]
                one = work.things[known]
                every = before[1] != "or"
                terms = (*one.terms, IRI(mark.iri))
                work.change(replace(one, terms=terms, said=one.said | set(mark.positions), every=every))
                work.of_mark[id(mark)] = known
                work.taken.add(id(mark))
            else:
                work.add(cls, mark, terms=(IRI(mark.iri),))
        previous, reach = mark, mark.end


def chain(work: Work) -> None:
    """Make things of relations that are nouns: "the dependencies of plotline", "the head of the ward"."""
    for mark in reversed(work.chained):
        owner = work.owner(mark.iri, mark, asked=True)
        if owner is None or mark.start >= work.sorted_from:
            continue
        work.taken.add(id(mark))
        work.end(owner, mark.iri, mark)
    work.strained += 0.1 * len(work.chained)


def _alike(work: Work, one: Mark, other: Mark) -> bool:
    return (
        not one.classes or not other.classes or any(work.schema.meet(a, b) for a in one.classes for b in other.classes)
    )


def _is_one(work: Work, thing: Mark, mark: Mark) -> bool:
    named = thing.kind == "thing" and id(thing) in work.of_mark
    return named and mark.exact and any(work.schema.is_a(cls, mark.iri) for cls in thing.classes)


def _apposed(work: Work, near: Mark, mark: Mark) -> bool:
    return not mark.classes or any(work.schema.meet(near.iri, cls) for cls in mark.classes)
