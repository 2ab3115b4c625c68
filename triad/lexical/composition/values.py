"""Values: texts and bare numbers that relations have, and what is held against averages and other things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from triad.language.quantities import number_at, ordinal_at
from triad.language.units import degree_at
from triad.lexical.composition.covers import bound_end
from triad.lexical.composition.elements import Limit
from triad.lexical.composition.marks import Mark
from triad.lexical.composition.measuring import counts_down, measured_relation
from triad.lexical.composition.work import Work
from triad.rdf import Literal
from triad.sparql.patterns import Comparison as Comparing
from triad.sparql.patterns import Expression, Variable, number

__all__ = ["place_averages", "place_numbers", "place_rivals", "place_texts"]


def place_texts(work: Work) -> None:
    """Make limits of the texts that are values of relations."""
    for mark in work.covered.marks:
        if mark.kind != "text" or id(mark) in work.taken or id(mark) in work.asked:
            continue
        work.taken.add(id(mark))
        said = frozenset(mark.positions)
        before = work.joined_before(mark)
        if before is not None and before[0].iri == mark.iri:
            known = next(
                (
                    at
                    for at, one in enumerate(work.limits)
                    if one.relation == mark.iri and before[0].text in one.options
                ),
                None,
            )
            if known is not None:
                one = work.limits[known]
                every = before[1] != "or" and (_both(work) or not work.schema.relations[mark.iri].functional)
                options = (*one.options, mark.text)
                work.limits[known] = replace(one, options=options, said=one.said | said, every=every)
                continue
        near = work.adjacent_relation(mark)
        if near is not None and near.iri == mark.iri:
            work.taken.add(id(near))
            said |= frozenset(near.positions)
        thing = work.owner(mark.iri, mark)
        if thing is None:
            continue
        work.limits.append(Limit(thing.id, mark.iri, options=(mark.text,), said=said))


def _both(work: Work) -> bool:
    return any(one.kind == "both" for one in work.covered.operators)


def place_averages(work: Work) -> None:
    """Read what is held against an average: "older than average", "with a price above the average"."""
    sentence = work.wording.sentence
    for index, operator in enumerate(work.covered.operators):
        if operator.function != "AVG" or index in work.used:
            continue
        for at in range(max(0, operator.start - 4), operator.start):
            degree, end, greater = degree_at(sentence, at)
            if degree is None:
                over, under = sentence.compare("greater", at), sentence.compare("smaller", at)
                if over is None and under is None:
                    continue
                greater, end = over is not None, over or under or at
            if not all(work.analysis.words[one].empty for one in range(end, operator.start)):
                continue
            said = frozenset(range(at, operator.end))
            spot = Mark("text", at, operator.end, "", 1.0)
            near = work.adjacent_relation(spot)
            hosts = sorted((one for one in work.things if one.at >= 0), key=lambda one: abs(one.at - at))
            relation = thing = None
            if near is not None and work.schema.value_kind(near.iri) == "number":
                work.taken.add(id(near))
                relation, thing = near.iri, work.owner(near.iri, near)
                said |= frozenset(near.positions)
            elif degree is not None:
                for host in hosts:
                    if (relation := measured_relation(work, host, degree.measures)) is not None:
                        thing = host
                        break
            if relation is not None and thing is not None:
                turned = degree is not None and counts_down(work, degree.measures, relation)
                work.limits.append(Limit(thing.id, relation, above_average=greater != turned, said=said))
                work.used.add(index)
            break


def _opener(work: Work, at: int) -> str:
    """Return how words before a position compare with what follows: above, at least."""
    sentence = work.wording.sentence
    for start in range(max(0, at - 3), at):
        for name, sign in (("at_least", ">="), ("at_most", "<="), ("greater", ">"), ("smaller", "<")):
            end = sentence.compare(name, start)
            if end is not None and all(work.analysis.words[one].empty for one in range(end, at)):
                return sign
    return "="


def _joined_number(work: Work, at: int, value: float) -> bool:
    """Read a number that is joined to the one before: "grade 9 or 10"; tell whether it is."""
    for index in reversed(range(len(work.limits))):
        limit = work.limits[index]
        if not limit.tests or limit.tests[-1][0] != "=" or max(limit.said) >= at:
            continue
        how = work.wording.joined(max(limit.said) + 1, at)
        if not how:
            return False
        both = how != "or" and any(one.kind == "both" for one in work.covered.operators)
        values = (*(bound for _, bound in limit.tests), number(value))
        choices = limit.choices or tuple(_equals(one) for one in values[:-1])
        work.limits[index] = replace(
            limit, tests=(), choices=(*choices, _equals(values[-1])), every=both, said=limit.said | {at}
        )
        return True
    return False


def place_rivals(work: Work) -> None:
    """Read what is held against another thing: "more expensive than Metformin"."""
    for comparison in work.analysis.comparisons:
        if comparison.than is None or comparison.difference:
            continue
        mark = next(
            (
                one
                for one in work.covered.marks
                if one.kind == "thing" and comparison.than <= one.start <= comparison.than + 1
            ),
            None,
        )
        if mark is None or id(mark) not in work.of_mark:
            continue
        rival = work.things[work.of_mark[id(mark)]]
        host = next((one for one in work.things if one.id != rival.id and work.schema.meet(one.cls, rival.cls)), None)
        if host is None:
            continue
        said = frozenset(range(comparison.start, comparison.end))
        inside = [
            one
            for one in work.covered.marks
            if one.kind == "relation"
            and one.start >= comparison.start
            and one.end <= mark.start
            and work.schema.value_kind(one.iri) in ("number", "date")
        ]
        near = inside[0] if inside else None
        if near is not None:
            relation: str | None = near.iri
            work.taken.add(id(near))
            said |= frozenset(near.positions)
        else:
            relation = measured_relation(work, host, comparison.measures)
        if relation is None:
            continue
        sign: str = comparison.operator
        if counts_down(work, comparison.measures, relation):
            sign = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}[sign] if sign != "=" else sign
        work.limits.append(Limit(host.id, relation, than=rival.id, sign=sign, said=said | rival.said))
        work.apart.add(rival.id)


def place_numbers(work: Work) -> None:
    """Read bare numbers beside a relation: "flight number 99", "grade 10", "4 cylinders"."""
    covered = {at for mark in work.covered.cover.marks for at in mark.positions}
    for bound in work.covered.bounds:
        covered |= set(range(bound[0].start, bound_end(work.analysis, bound)))
    for operator in work.covered.operators:
        covered |= set(range(operator.start, operator.end))
    for at in range(len(work.analysis.words)):
        if at in covered or at >= work.sorted_from:
            continue
        read = number_at(work.wording.sentence, at)
        rank = ordinal_at(work.wording.sentence, at)
        if rank:
            read = (float(rank), at + 1, None)  # on the third floor
        elif read is None or read[1] != at + 1 or not any(c.isdigit() for c in work.analysis.words[at].text):
            continue
        spot = Mark("text", at, at + 1, "", 1.0)
        near = work.adjacent_relation(spot, reach=1)
        kind = work.schema.value_kind(near.iri) if near is not None else "thing"
        if near is None and work.limits and _joined_number(work, at, float(f"{read[0]:g}")):
            continue
        if near is None or kind not in ("number", "text"):
            continue
        if kind == "text":
            if (thing := work.owner(near.iri, near)) is not None:
                work.taken.add(id(near))
                text = work.analysis.words[at].text
                said = frozenset({at, *near.positions})
                work.limits.append(Limit(thing.id, near.iri, options=(text,), said=said))
            continue
        thing = work.owner(near.iri, near)
        if thing is None:
            continue
        work.taken.add(id(near))
        said = frozenset({at, *near.positions})
        sign = _opener(work, min(at, near.start))
        work.limits.append(Limit(thing.id, near.iri, tests=((sign, number(float(f"{read[0]:g}"))),), said=said))


def _equals(bound: Literal) -> Callable[[Variable], Expression]:
    return lambda value: Comparing(value, "=", bound)
