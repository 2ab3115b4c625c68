"""Superlatives in a question: "the second longest", "most inhabitants", "the top three by price"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from triad.language.pack import Degree, Measures, Pack
from triad.language.quantities import number_at, ordinal_at
from triad.language.tokens import Sentence
from triad.language.units import degree_at, is_measure, noun_end

__all__ = ["Order", "find_order", "is_order", "singles_out", "superlative_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A superlative: the second longest, most inhabitants, the top three by population."""

    start: int
    """Position of its first word."""
    end: int
    """Position after the last."""
    measures: Measures
    """Names of the compared measure, as stems, the best first; for "most films", of the class to be counted."""
    descending: bool
    """True if the greatest value comes first."""
    first: int = 1
    """Rank of the first that is asked for: 2 for the second longest."""
    count: int = 1
    """How many are asked for from there."""


def find_order(sentence: Sentence, *, either: bool) -> Order | None:
    """Return the superlative of a question, and mark its words as used.

    Args:
        sentence: The question.
        either: Whether entities are named between which to choose; then "higher" means the highest of them.
    """
    for at in range(len(sentence)):
        if not sentence.free(at):
            continue
        order = _superlative(sentence, at) or (_top(sentence, at)) or (either and _chosen(sentence, at)) or None
        if order:
            order = _explicit(sentence, _ranked(sentence, order))
            sentence.use(order.start, order.end)
            return order
    return None


def is_order(text: str, pack: Pack) -> bool:
    """Return whether a text is nothing but a superlative, or the comparative by which one of several is chosen."""
    sentence = Sentence(text, pack)
    order = find_order(sentence, either=True)
    if order is None:
        return False
    around = [*range(order.start), *range(order.end, len(sentence))]
    return not any(sentence.content(at) for at in around)


def singles_out(text: str, pack: Pack) -> bool:
    """Return whether a text has a superlative that singles out one of a class by itself: the highest, not the first."""
    sentence = Sentence(text, pack)
    order = find_order(sentence, either=False)
    return order is not None and not any(
        ordinal_at(sentence, at) or sentence.folded[at] in pack.last for at in range(order.start, order.end)
    )


def _superlative(sentence: Sentence, at: int) -> Order | None:
    pack = sentence.pack
    for name in ("most", "least"):
        end = sentence.compare(name, at)
        if end is None:
            continue
        if found := pack.plain.longest(sentence.stems, end):
            return _order(sentence, at, found[0], found[1], name == "most")
        return _counted(sentence, at, end, name == "most")
    if found := superlative_at(sentence, at):
        return _order(sentence, at, *found, True)
    return _compound(sentence, at)


def superlative_at(sentence: Sentence, at: int) -> tuple[int, Degree] | None:
    """Read an adjective that is a superlative by itself: the end of "longest", and what it compares.

    None for the verb "last", and for the rank of another superlative: the first tallest.
    """
    most = sentence.pack.most
    found = most.longest(sentence.stems, at)
    if found is None or is_measure(sentence, at):
        return None
    end, degree = found
    if degree.attributive and at and not sentence.words[at - 1].empty:
        return None
    if at + 1 == end and ordinal_at(sentence, at) and most.longest(sentence.stems, end):
        return None
    return found


def _compound(sentence: Sentence, at: int) -> Order | None:
    """Read a superlative with its rank in one word: zweitlängste."""
    for prefix, rank in sentence.pack.data.numbers.ordinal_prefixes.items():
        if sentence.folded[at].startswith(prefix):
            rest = sentence.pack.stem(sentence.folded[at][len(prefix) :])
            if found := sentence.pack.most.longest([rest], 0):
                order = _order(sentence, at, at + 1, found[1], True)
                return order and replace(order, first=rank)
    return None


def _chosen(sentence: Sentence, at: int) -> Order | None:
    degree, end, greater = degree_at(sentence, at)
    if degree:
        return _order(sentence, at, end, degree, greater == degree.descending)
    for name in ("more", "less"):
        end_of = sentence.compare(name, at)
        if end_of is not None:
            return _counted(sentence, at, end_of, name == "more")
    return None


def _counted(sentence: Sentence, at: int, end: int, descending: bool) -> Order | None:
    """Read "most films", "fewest inhabitants", "most official languages"."""
    if not sentence.content(end) or not sentence.free(end):
        return None
    longest = noun_end(sentence, end)
    names = dict.fromkeys(sentence.names(end, longest))
    if longest == end + 1 and sentence.content(end + 1) and sentence.words[end + 1].text.islower():
        names = dict.fromkeys([*names, *sentence.names(end, end + 2)])
    return Order(start=at, end=longest, measures=tuple(names), descending=descending)


def _order(sentence: Sentence, at: int, end: int, degree: Degree, most: bool) -> Order | None:
    """Return the order of an adjective, or of the quantity that it qualifies: the largest population."""
    number_of = sentence.compare("number_of", end)
    if number_of is not None and sentence.content(number_of):
        counted = _counted(sentence, at, number_of, degree.descending == most)
        return counted and replace(counted, start=at)
    # The shortest runtime is the least; the oldest date is the least, too.
    descending = degree.descending == most
    if noun := sentence.pack.measures.longest(sentence.stems, end):
        return Order(start=at, end=noun[0], measures=sentence.names(end, noun[0]), descending=descending)
    measures = degree.measures
    if at and sentence.content(end) and sentence.free(end) and sentence.joined(end) and _having(sentence, at):
        measures = tuple(dict.fromkeys([*sentence.names(end, end + 1), *measures]))
        end += 1
    return Order(start=at, end=end, measures=measures, descending=descending)


def _having(sentence: Sentence, at: int) -> bool:
    """Return whether a superlative follows "with the", "has the"."""
    return any(
        (end := sentence.compare("having", start)) is not None
        and all(sentence.words[between].empty for between in range(end, at))
        for start in range(max(0, at - 3), at)
    )


def _top(sentence: Sentence, at: int) -> Order | None:
    """Read "top ten", which ranks by a measure that other words name, or by rating."""
    end = sentence.compare("top", at)
    number = number_at(sentence, end) if end is not None else None
    if not number or not 1 <= number[0] <= 1000:
        return None
    found = _superlative(sentence, number[1])
    if found:
        return replace(found, start=at, count=int(number[0]))
    rating = frozenset({sentence.pack.english.stem("rating")})
    return Order(start=at, end=number[1], measures=(rating,), descending=True, count=int(number[0]))


def _ranked(sentence: Sentence, order: Order) -> Order:
    """Add which ranks are asked for: second longest, 6th to 10th most expensive, three largest."""
    gap = 2 if sentence.pack.analytic else 0
    for at in range(order.start - 1, max(-1, order.start - 2 - gap), -1):
        last = ordinal_at(sentence, at)
        if last and at not in sentence.fixed:
            first = ordinal_at(sentence, at - 2) if sentence.compare("to", at - 1) == at else None
            if first and first <= last:
                return _widened(sentence, replace(order, first=first, count=last - first + 1), at - 2, at + 1)
            return _widened(sentence, replace(order, first=last), at, at + 1)
        number = number_at(sentence, at)
        if number and number[0] >= 2 and number[0] <= 1000 and number[1] == at + 1 and at not in sentence.used:
            return _widened(sentence, replace(order, count=int(number[0])), at, at + 1)
    number = number_at(sentence, order.end)
    if number and 2 <= number[0] <= 1000 and not number[2]:
        return replace(order, end=number[1], count=int(number[0]))
    return _leading_number(sentence, order) if order.count == 1 else order


def _widened(sentence: Sentence, order: Order, start: int, end: int) -> Order:
    """Add words before an order to it; where others stand between, mark them as used only."""
    sentence.use(start, end)
    return replace(order, start=start) if end == order.start else order


def _leading_number(sentence: Sentence, order: Order) -> Order:
    """Read the number in "which three countries have the most …"."""
    for at in range(order.start):
        number = number_at(sentence, at)
        if not number or at in sentence.used or number[2] or not 2 <= number[0] <= 100:
            continue
        of = at > 1 and sentence.words[at - 1].empty and sentence.form("which", at - 2) == at - 1
        if sentence.content(number[1]) and (at == 0 or sentence.words[at - 1].empty) and not of:
            sentence.use(at, number[1])
            return replace(order, count=int(number[0]))
    return order


def _explicit(sentence: Sentence, order: Order) -> Order:
    """Add the quantity that is named after a superlative: the largest country by population."""
    for at in range(order.end, len(sentence)):
        end = sentence.compare("by", at)
        if end is None:
            continue
        target = sentence.skip_empty(end, 2)
        if noun := sentence.pack.measures.longest(sentence.stems, target):
            sentence.use(at, noun[0])
            measures = tuple(dict.fromkeys([*sentence.names(target, noun[0]), *order.measures]))
            return replace(order, measures=measures)
    return order
