"""Wishes: what a question asks for, before it is known whose it is.

What stands at the beginning is asked for, as long as it is joined: "the name, the age and the average salary". So is
what stands in a last sentence that demands something, and what a row is wanted for each of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from triad.language.operators import Operator
from triad.lexical.composition.covered import Covered
from triad.lexical.composition.covers import bound_end
from triad.lexical.composition.marks import Mark

__all__ = ["Wish", "find_wishes"]


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for, before it is known whose it is."""

    mark: Mark | None
    functions: tuple[str, ...] = ()
    """Aggregates of it; ``COUNT`` for how many."""
    key: bool = False
    """True if the question asks for one row for each."""
    said: frozenset[int] = frozenset()
    """The positions of its words."""


def find_wishes(covered: Covered) -> Iterator[tuple[list[Wish], set[int]]]:
    """Yield what may be asked for, with the indices of the operators that this accounts for."""
    if covered.analysis.answer_type == "boolean":
        yield [], set()
        return
    functions, words, used = _functions(covered)
    region = _region(covered)
    wishes = _with_totals(covered, _wishes(covered, region, functions, words), used)
    for mark, spot in _keys(covered, bool(functions)):
        if covered.marks.index(mark) in region:
            wishes = [replace(wish, key=True, said=wish.said | spot) if wish.mark is mark else wish for wish in wishes]
        elif _is_counted(covered, wishes):
            wishes.insert(0, Wish(mark, (), key=True, said=spot))
    if any(wish.key for wish in wishes) and not any(wish.functions for wish in wishes):
        wishes = [
            replace(wish, functions=("COUNT",))
            if wish.mark is not None and wish.mark.kind == "class" and not wish.key
            else wish
            for wish in wishes
        ]
    expected = covered.analysis.expected
    if expected and not functions and not covered.analysis.asked:
        yield from _expected_wishes(covered, expected, used)
    elif wishes:
        yield wishes, used
        if len(region) > 1 and len(wishes) > 1:
            yield [wishes[0], *wishes[len(region) :]], used
    else:
        yield [Wish(None)], used


def _functions(covered: Covered) -> tuple[dict[int, list[str]], dict[int, set[int]], set[int]]:
    """Return the aggregates that are asked for, and their words, by the marks that they apply to; and the operators."""
    functions: dict[int, list[str]] = {}
    words: dict[int, set[int]] = {}
    used: set[int] = set()
    begin = _last_demand(covered)
    for index, operator in enumerate(covered.operators):
        mark = covered.operand(operator)
        if mark is None or (begin and operator.start < begin):
            continue
        function = _function(covered, operator, mark)
        if function:
            at = covered.marks.index(mark)
            functions.setdefault(at, []).append(function)
            words.setdefault(at, set()).update(range(operator.start, operator.end))
            used.add(index)
    return functions, words, used


def _function(covered: Covered, operator: Operator, mark: Mark) -> str:
    """Return the aggregate that an operator asks for; nothing if it is a condition."""
    if operator.kind == "count":
        superlative = any(
            one.kind == "superlative" and one.counted and one.end >= operator.start - 1 and one.start <= operator.start
            for one in covered.operators
        )
        return "" if superlative or _within_bound(covered, operator.start) else "COUNT"
    if mark.kind != "relation" or covered.schema.value_kind(mark.iri) not in ("number", "date"):
        return ""
    if operator.kind == "aggregate":
        return operator.function
    value = operator.kind == "superlative" and (not operator.counted or bool(operator.measures))
    if value and _asks_value(covered, operator, mark):
        return "MAX" if operator.descending else "MIN"
    return ""


def _wishes(
    covered: Covered, region: Sequence[int], functions: dict[int, list[str]], words: dict[int, set[int]]
) -> list[Wish]:
    """Return what the marks of the region ask for, and those that aggregates apply to."""
    wishes: list[Wish] = []
    rest = [at for at in functions if at not in region]
    for place, at in enumerate([*region, *rest]):
        mark = covered.marks[at]
        if at in region and _owns_next(covered, region, place) and at not in functions:
            continue  # "building descriptions" asks for no buildings
        before = covered.marks[region[place - 1]] if place and at in region else None
        right_after = before is not None and before.end == mark.start and before.kind in ("class", "thing", "relation")
        if mark.kind == "name" and right_after:
            continue  # the building names are the buildings
        said = frozenset(words.get(at, ())) | frozenset(mark.positions)
        wishes.append(Wish(mark, tuple(functions.get(at, ())), said=said))
    return wishes


def _with_totals(covered: Covered, wishes: list[Wish], used: set[int]) -> list[Wish]:
    """Return the wishes with sums where a total is asked for: how many in total."""
    for index, operator in enumerate(covered.operators):
        if operator.kind == "aggregate" and operator.function == "SUM" and index not in used:
            for at, wish in enumerate(wishes):
                if wish.functions == ("COUNT",) and wish.mark is not None and wish.mark.kind == "relation":
                    said = wish.said | set(range(operator.start, operator.end))
                    wishes[at] = replace(wish, functions=("SUM",), said=said)
                    used.add(index)
    return wishes


def _is_counted(covered: Covered, wishes: Sequence[Wish]) -> bool:
    """Tell whether what is asked for can be counted for each of something: "packages per maintainer"."""
    superlative = any(one.kind == "superlative" for one in covered.operators)
    alone = len(wishes) == 1 and wishes[0].mark is not None and wishes[0].mark.kind == "class" and not superlative
    return not wishes or alone or any(wish.functions for wish in wishes)


def _keys(covered: Covered, counting: bool) -> Iterator[tuple[Mark, frozenset[int]]]:
    """Yield what the question asks for a row each of: "for each country", "the number of packages by licence"."""
    for operator in covered.operators:
        if operator.kind == "each" and (mark := covered.operand(operator)) is not None:
            yield mark, frozenset(range(operator.start, operator.end)) | frozenset(mark.positions)
    ranked = any(one.kind in ("superlative", "sort") for one in covered.operators)
    for at in range(len(covered.analysis.words) if counting and not ranked else 0):
        end = covered.wording.sentence.compare("by", at)
        mark = next((one for one in covered.marks if one.start == end), None)
        if end is not None and mark is not None and mark.kind in ("relation", "class") and at > covered.marks[0].start:
            near = next((one for one in covered.marks if one.start >= mark.end), None)
            if near is None:
                yield mark, frozenset(range(at, end)) | frozenset(mark.positions)


def _asks_value(covered: Covered, operator: Operator, mark: Mark) -> bool:
    """Tell whether a superlative asks for the greatest value itself: the maximum age, the highest price."""
    before = covered.marks[: covered.marks.index(mark)]
    return all(
        one.kind in ("relation", "name")
        and covered.wording.joined(one.end, mark.start if one is before[-1] else before[before.index(one) + 1].start)
        for one in before
    )


def _within_bound(covered: Covered, at: int) -> bool:
    return any(at in range(bound[0].start, bound_end(covered.analysis, bound)) for bound in covered.bounds)


def _region(covered: Covered) -> list[int]:
    """Return the indices of the marks that say what is asked for: the first ones, as long as they are joined."""
    region: list[int] = []
    begin = _last_demand(covered)
    stops = [bound[0].start for bound in covered.bounds]
    stops += [one.start for one in covered.operators if one.kind in ("not", "sort")]
    limit = min(stops, default=len(covered.analysis.words))
    limit = limit if limit > begin else len(covered.analysis.words)
    for at, mark in enumerate(covered.marks):
        if mark.start < begin:
            continue
        if mark.start >= limit and region:
            break
        if mark.kind in ("text", "thing") and not region:
            after = covered.marks[at + 1] if at + 1 < len(covered.marks) else None
            if after is not None and after.start == mark.end and after.kind in ("class", "relation"):
                continue  # "Python packages"
            if mark.kind == "thing" and after is not None and after.start - mark.end <= 1:
                continue  # "Kyle's friends"
        if not region:
            after = covered.marks[at + 1] if at + 1 < len(covered.marks) else None
            if mark.kind == "relation" and after is not None and after.kind == "class" and after.start == mark.end:
                continue  # "the least downloaded package"
            region.append(at)
            continue
        before = covered.marks[region[-1]]
        between = range(before.end, mark.start)
        operators = {
            one
            for operator in covered.operators
            for one in range(operator.start, operator.end)
            if operator.kind in ("count", "aggregate", "superlative", "both")
        }
        content = [one for one in between if one not in operators and not covered.analysis.words[one].empty]
        plain = [one for one in between if one not in operators]
        compound = not between and (mark.kind != "relation" or covered.schema.is_literal(mark.iri))
        if compound and mark.kind == "relation" and _is_said_of(covered, at):
            break  # "buildings managed by Emma", "pilots aged 30"
        if compound or (
            (
                covered.wording.joined(before.end, before.end + len(plain) if len(plain) < len(between) else mark.start)
                or (operators & set(between) and _has_and(covered, before.end, mark.start))
            )
            and len(content) <= 1
        ):
            if mark.kind in ("thing", "text"):
                break
            region.append(at)
            continue
        if all(covered.marks[one].kind == "name" for one in region) and mark.kind == "class":
            region = [at]  # "names of singers" are the singers
            continue
        break
    return region


def _last_demand(covered: Covered) -> int:
    """Return where a last sentence that demands begins: "Which … ? List their names."; 0 if there is none."""
    words, text = covered.analysis.words, covered.analysis.text
    for at in range(len(words) - 1, 0, -1):
        if any(sign in text[words[at - 1].end : words[at].start] for sign in ".?!;"):
            return at if covered.wording.sentence.form("ask", at) is not None else 0
    return 0


def _is_said_of(covered: Covered, at: int) -> bool:
    """Tell whether a relation stands before the value or the bound that it has."""
    mark = covered.marks[at]
    after = covered.marks[at + 1] if at + 1 < len(covered.marks) else None
    if after is not None and after.kind == "text" and after.iri == mark.iri and after.start - mark.end <= 2:
        return True
    near = range(mark.end, mark.end + 2)
    if any(one.counted and one.start in near and covered.operand(one) is None for one in covered.operators):
        return True  # "the plant produced the most"
    if any(bound[0].start in near for bound in covered.bounds):
        return True
    words = covered.analysis.words
    return any(one < len(words) and words[one].text[:1].isdigit() for one in near)


def _owns_next(covered: Covered, region: Sequence[int], place: int) -> bool:
    mark = covered.marks[region[place]] if place < len(region) else None
    if mark is None or mark.kind != "class" or place + 1 >= len(region):
        return False
    after = covered.marks[region[place + 1]]
    return after.kind == "relation" and after.start == mark.end


def _has_and(covered: Covered, start: int, end: int) -> bool:
    wording = covered.wording
    return any(wording.sentence.compare("and", at) for at in range(start, end)) or "," in wording.gap(start, end)


def _expected_wishes(
    covered: Covered, expected: frozenset[str], used: set[int]
) -> Iterator[tuple[list[Wish], set[int]]]:
    """Yield what "who", "when", "where" and "how much" may ask for."""
    for mark in covered.marks:
        if (mark.kind == "relation" and _answers(covered, mark, expected)) or (
            mark.kind == "class" and "person" in expected and covered.wording.is_person(mark.iri)
        ):
            yield [Wish(mark, said=frozenset(mark.positions))], used
    yield [Wish(None)], used


def _answers(covered: Covered, mark: Mark, expected: frozenset[str]) -> bool:
    """Tell whether the values of a relation are of a kind that the question expects."""
    kind = covered.schema.value_kind(mark.iri)
    if kind == "date":
        return "date" in expected
    if kind == "number":
        return "number" in expected or "date" in expected
    return bool(expected & {"person", "organisation", "place", "text"})
