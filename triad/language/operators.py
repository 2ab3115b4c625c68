"""Operators in a question: the words that count, aggregate, rank, negate, group, sort and join what others name.

`triad.language.analysis` reads the one form that a question has as a whole. A question may have several operators, each
of which applies to the words beside it: "the average and the maximum age of the singers for each country". They are
told here with their places; what they apply to is for the reader of the question to find out.

>>> from triad.language.pack import load_pack
>>> english = load_pack("en")
>>> [(one.kind, one.function) for one in find_operators("the average and the highest price of each film", english)]
[('aggregate', 'AVG'), ('superlative', ''), ('each', '')]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final
from typing import Literal as Choice

from triad.language.comparisons import Comparison, find_comparisons
from triad.language.pack import Measures, Pack
from triad.language.quantities import number_at, ordinal_at
from triad.language.superlatives import superlative_at
from triad.language.tokens import Sentence
from triad.language.units import degree_at

__all__ = ["Operator", "OperatorKind", "find_bounds", "find_operators"]

OperatorKind = Choice["count", "aggregate", "superlative", "each", "not", "both", "or", "sort", "order", "transitive"]
"""What an operator does. ``sort`` stands before what rows are sorted by, ``order`` says which way; ``transitive`` asks
for what a relation leads to in one step or more."""

_AGGREGATES: Final = {"average": "AVG", "total": "SUM"}
_KINDS: Final[dict[str, OperatorKind]] = {
    "each": "each",
    "negated": "not",
    "both": "both",
    "either": "or",
    "transitive": "transitive",
}
"""Kinds of operators by the forms of the packs."""


@dataclass(frozen=True, slots=True)
class Operator:
    """Words that do something to what the words beside them name."""

    kind: OperatorKind
    start: int
    """Position of the first word."""
    end: int
    """Position after the last word."""
    function: str = ""
    """The aggregate, as SPARQL calls it."""
    measures: Measures = ()
    """What an adjective in the superlative measures, as stems, the best first."""
    descending: bool = False
    """True if a superlative asks for the greatest, or rows are sorted from the greatest on."""
    counted: bool = False
    """True for "most" and "fewest", which count what follows or compare by it."""
    first: int = 1
    """Rank of the first that is asked for: 2 for the second longest."""
    count: int = 1
    """How many are asked for from there."""


def find_operators(text: str, pack: Pack, *, choice: bool = False) -> tuple[Operator, ...]:
    """Return the operators of a question, in the order of the text; two that begin together exclude each other.

    Args:
        text: The question.
        pack: The pack of its language.
        choice: Whether things are named between which to choose; then "higher" means the highest of them.
    """
    sentence = Sentence(text, pack)
    found: list[Operator] = []
    at = 0
    while at < len(sentence):
        if (end := sentence.form("fixed", at)) is not None:
            at = end
            continue
        here = [*_at(sentence, at), *(_chosen(sentence, at) if choice else ())]
        operator = max(here, key=lambda one: one.end, default=None)
        if operator is None:
            at += 1
            continue
        # "the most dependencies" may be about how dependable something is, or about how many there are.
        found += [one for one in here if one is operator or (one.counted and operator.kind == "superlative")]
        at = max(min(one.end for one in found if one.start == at), at + 1)
    return tuple(_ranked(sentence, found))


def find_bounds(text: str, pack: Pack, *, boolean: bool) -> tuple[tuple[Comparison, ...], ...]:
    """Return the comparisons of a question with numbers and dates; those of one range together."""
    sentence = Sentence(text, pack)
    together: dict[tuple[int, int], list[Comparison]] = {}
    for comparison in find_comparisons(sentence, boolean=boolean):
        if comparison.value is not None or comparison.date is not None:
            together.setdefault((comparison.start, comparison.end), []).append(comparison)
    return tuple(tuple(found) for found in together.values())


def _at(sentence: Sentence, at: int) -> Iterator[Operator]:
    """Yield the operators that may begin at a position."""
    pack = sentence.pack
    for end in (sentence.form("count", at), sentence.form("number", at), sentence.compare("number_of", at)):
        if end is not None:
            yield Operator("count", at, end)
    for name, function in _AGGREGATES.items():
        if (end := sentence.form(name, at)) is not None:
            yield Operator("aggregate", at, end, function)
    for name, kind in _KINDS.items():
        if (end := sentence.form(name, at)) is not None:
            yield Operator(kind, at, end)
    for kind, phrases in (("sort", pack.sorts), ("order", pack.sort_orders)):
        if found := phrases.longest(sentence.folded, at):
            yield Operator(kind, at, found[0], descending=found[1])
    yield from _superlatives(sentence, at)


def _superlatives(sentence: Sentence, at: int) -> Iterator[Operator]:
    pack = sentence.pack
    for name in ("most", "least"):
        end = sentence.compare(name, at)
        if end is None:
            continue
        if found := pack.plain.longest(sentence.stems, end):
            down = found[1].descending == (name == "most")
            yield Operator("superlative", at, found[0], measures=found[1].measures, descending=down)
        number_of = sentence.compare("number_of", end)
        yield Operator("superlative", at, number_of or end, descending=name == "most", counted=True)
    if found := superlative_at(sentence, at):
        end, degree = found
        number_of = sentence.compare("number_of", end)
        yield Operator(
            "superlative",
            at,
            number_of or end,
            measures=degree.measures,
            descending=degree.descending,
            counted=number_of is not None,
        )
    if (end := sentence.compare("top", at)) is not None and (number := number_at(sentence, end)):
        inner = max(_superlatives(sentence, number[1]), key=lambda one: one.end, default=None)
        rating = frozenset({pack.english.stem("rating")})
        top = inner or Operator("superlative", at, number[1], measures=(rating,), descending=True)
        if 1 <= number[0] <= 1000 and not number[2]:
            yield replace(top, start=at, count=int(number[0]))


def _chosen(sentence: Sentence, at: int) -> Iterator[Operator]:
    """Yield the comparatives by which one of several things is chosen: heavier, more calories."""
    degree, end, greater = degree_at(sentence, at)
    if degree is not None:
        yield Operator("superlative", at, end, measures=degree.measures, descending=greater)
    for name in ("more", "less"):
        if degree is None and (end_of := sentence.compare(name, at)) is not None:
            yield Operator("superlative", at, end_of, descending=name == "more", counted=True)


def _ranked(sentence: Sentence, operators: list[Operator]) -> Iterator[Operator]:
    """Yield the operators; superlatives know which ranks are asked for: second longest, the five oldest."""
    for one in operators:
        if one.kind != "superlative" or one.count > 1:
            yield one
            continue
        before = one.start - 1
        if before >= 0 and (rank := ordinal_at(sentence, before)):
            yield replace(one, start=before, first=rank)
            continue
        number = number_at(sentence, before) if before >= 0 else None
        if number and number[1] == one.start and 2 <= number[0] <= 1000 and not number[2]:
            yield replace(one, start=before, count=int(number[0]))
            continue
        yield one
