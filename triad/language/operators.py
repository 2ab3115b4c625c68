"""Operators in a question: the words that count, aggregate, rank, negate, group, sort and join what others name.

`triad.language.analysis` reads the one form that a question has as a whole. A question may have several operators, each
of which applies to the words beside it: "the average and the maximum age of the singers for each country". They are
told here with their places; what they apply to is for the reader of the question to find out. `find_order` reads the
first superlative together with what it measures.

>>> from triad.language.pack import load_pack
>>> english = load_pack("en")
>>> [(one.kind, one.function) for one in find_operators("the average and the highest price of each film", english)]
[('aggregate', 'AVG'), ('superlative', ''), ('each', '')]
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Final, Literal as Choice

from triad.caching import remembered_today
from triad.grouping import grouped
from triad.language.comparisons import Comparison, find_comparisons
from triad.language.lexical_database import is_often, kinds
from triad.language.pack import Degree, Measures, Pack
from triad.language.quantities import number_at, ordinal_at
from triad.language.tokens import Sentence
from triad.language.units import comparative_at, is_measure, noun_end

OperatorKind = Choice[
    "count", "aggregate", "superlative", "beside", "each", "not", "both", "or", "sort", "order", "transitive"
]
"""What an operator does. ``sort`` stands before what rows are sorted by, ``order`` says which way; ``transitive`` asks
for what a relation leads to in one step or more."""

Bound = tuple[Comparison, ...]
"""The comparisons with one number, date or range."""

_AGGREGATES: Final = {"average": "AVG", "total": "SUM"}
_KINDS: Final[dict[str, OperatorKind]] = {
    "beside": "beside",
    "each": "each",
    "negated": "not",
    "both": "both",
    "either": "or",
    "transitive": "transitive",
}
"""Kinds of operators by the forms of the packs."""
_MANY: Final = 1000  # ranks that are asked for at most; what is more is a year


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
    """What a superlative measures, as stems, the best first; for "most films", the class to be counted."""
    descending: bool = False
    """True if a superlative asks for the greatest, or rows are sorted from the greatest on."""
    counted: bool = False
    """True for "most" and "fewest", which count what follows or compare by it."""
    first: int = 1
    """Rank of the first that is asked for: 2 for the second longest."""
    count: int = 1
    """How many are asked for from there."""


@lru_cache(100)  # what reads a question and what checks its answer asks for them
def find_operators(text: str, pack: Pack, *, choice: bool = False) -> tuple[Operator, ...]:
    """Return the operators of a question, in the order of the text; two that begin together exclude each other.

    Where things are named between which to choose (``choice``), "higher" means the highest of them; where a number is
    asked for, "together" means its total.
    """
    sentence = Sentence(text, pack)
    asking = ("count", "number", "how")
    numeric = any(sentence.form(name, at) is not None for name in asking for at in range(len(sentence)))
    numeric |= asks_what_is_done(sentence)
    found: list[Operator] = []
    at = 0
    while at < len(sentence):
        if (end := sentence.form("fixed", at)) is not None:
            sentence.fixed.update(range(at, end))
            at = end
            continue
        here = list(_at(sentence, at, choice=choice))
        if numeric and (end := sentence.form("together", at)) is not None:
            here.insert(0, Operator("aggregate", at, end, "SUM"))
        if (operator := max(here, key=lambda one: one.end, default=None)) is None:
            at += 1
            continue
        # "the most dependencies" may be about how dependable something is, or about how many there are.
        may_count = operator.kind == "superlative" and not is_of_frequency(operator, pack)
        found += [one for one in here if one is operator or (one.counted and may_count)]
        if operator.kind == "count":  # "the total number of employees" may add up what is called so
            within = chain.from_iterable(_at(sentence, one, choice=choice) for one in range(at, operator.end))
            found += [one for one in within if one.kind == "aggregate" and one.end < operator.end]
        at = max(min(one.end for one in found if one.start == at), at + 1)
    if any(one.kind == "superlative" for one in found):
        compared = find_comparisons(sentence, boolean=False)  # whose numbers are no ranks
        taken = [range(one.start, one.end) for one in compared if one.date and not one.date.isdecimal()]
        if pack.analytic:  # taller than Ann or the tower, and not the tallest; but "el río más largo que pasa"
            of, words = {*pack.data.references.definite, *pack.data.compare.loose_than}, sentence.folded
            nouns = {at for at, one in enumerate(sentence.words) if one.text[0].isupper() or of & {*words[at - 1 : at]}}
            taken += [range(one.start, one.end) for one in compared if one.than is None or one.than in nouns]
        found = [one for one in found if not any(one.start in words for words in taken)]
    return tuple(_ranked(sentence, one) if one.kind == "superlative" else one for one in found)


def asks_what_is_done(sentence: Sentence) -> bool:
    """Return whether a question begins with "what" and an auxiliary: what did the treatment cost."""
    does, first = sentence.pack.data.naming.auxiliaries, sentence.form("which", 0)
    return first == 1 < len(sentence) and sentence.folded[1] in (*does.get("does", ()), *does.get("did", ()))


def is_of_frequency(operator: Operator, pack: Pack) -> bool:
    """Return whether a superlative is about how many there are: the most common, the rarest."""
    return frozenset({pack.english.stem("frequency")}) in operator.measures


def find_order(sentence: Sentence, *, either: bool) -> Operator | None:
    """Return the first superlative of a question with what it measures, and mark its words as used.

    Where entities are named between which to choose (``either``), "higher" means the highest of them.
    """
    for at in filter(sentence.free, range(len(sentence))):
        found = next(_superlatives(sentence, at, choice=either), None)
        if order := found and _measured(sentence, found):
            order = _by(sentence, _ranked(sentence, order))
            sentence.use(order.start, order.end)
            return order
    return None


def is_order(text: str, pack: Pack) -> bool:
    """Return whether a text is nothing but a superlative, or the comparative by which one of several is chosen."""
    sentence = Sentence(text, pack)
    order = find_order(sentence, either=True)
    rest = set(range(len(sentence))).difference(range(order.start, order.end) if order else ())
    return order is not None and not any(map(sentence.content, rest))


def singles_out(text: str, pack: Pack) -> bool:
    """Return whether a text has a superlative that singles out one of a class by itself: the highest, not the first."""
    sentence = Sentence(text, pack)
    order = find_order(sentence, either=False)
    places = range(order.start, order.end) if order else ()
    return order is not None and not any(ordinal_at(sentence, at) or sentence.folded[at] in pack.last for at in places)


@remembered_today(100)
def find_bounds(text: str, pack: Pack, *, boolean: bool) -> tuple[Bound, ...]:
    """Return the comparisons of a question with numbers and dates; those of one range together."""
    found = find_comparisons(Sentence(text, pack), boolean=boolean)
    told = (one for one in found if one.value is not None or one.date is not None)
    return tuple(map(tuple, grouped(((one.start, one.end), one) for one in told).values()))


def _at(sentence: Sentence, at: int, *, choice: bool) -> Iterator[Operator]:
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
    if (end := _per(sentence, at)) is not None:
        yield Operator("each", at, end)
    for kind, end in (("sort", _sort_end(sentence, at)), ("order", pack.sort_orders.end(sentence.folded, at))):
        if end is not None:
            orders = (pack.sort_orders.longest(sentence.folded, one) for one in range(at, end))
            superlatives = (_superlative_word(sentence, one) for one in range(at, end))
            measures = next((one[1].measures for one in superlatives if one), ())
            descending = next((one[1] for one in orders if one), False)
            yield Operator(kind, at, end, measures=measures, descending=descending)
    yield from _superlatives(sentence, at, choice=choice)
    yield from _first_or_last(sentence, at)
    for best in _superlatives(sentence, at, choice=False):
        if best.measures and ordinal_at(sentence, best.end) == 1:  # "cheapest first"
            yield replace(best, kind="order", end=best.end + 1)
    for name in ("starting", "from"):  # with the oldest; the oldest to the youngest
        first = _superlative_behind(sentence, sentence.compare(name, at))
        last = _superlative_behind(sentence, sentence.compare("to", first.end)) if first and name == "from" else first
        if first and last:
            yield replace(first, kind="order", start=at, end=last.end)


def _per(sentence: Sentence, at: int) -> int | None:
    """Return the end of a word for an agent that stands between two nouns, and groups: matchs par arbitre."""
    pack, end = sentence.pack, sentence.form("agent", at)
    if pack.language == "en" or end is None or at == 0 or not (sentence.content(at - 1) and sentence.content(end)):
        return None
    before, after = sentence.words[at - 1], sentence.words[end]
    sorts = pack.measures.longest(sentence.stems, end) or pack.may_be_verb(before.text, before.stem)
    return end if after.text.islower() and not (sorts or after.text.endswith("s")) else None


def _superlative_behind(sentence: Sentence, at: int | None) -> Operator | None:
    """Return the adjective that is a superlative at a position, or behind an article there."""
    found = chain.from_iterable(_superlatives(sentence, one, choice=False) for one in (at, at + 1)) if at else ()
    return next((one for one in found if one.measures and not one.counted), None)


def _sort_end(sentence: Sentence, at: int) -> int | None:
    """Return the end of words that sort; what somebody did sorts nothing: "who ordered wine", "was never ordered"."""
    end = sentence.pack.sorts.end(sentence.folded, at)
    if end != at + 1 or at == 0:
        return end
    if end == len(sentence):
        verb = sentence.pack.language == "en" and "v" in kinds(sentence.folded[at]) and sentence.joined(at)
        return None if verb and any(sentence.form("boolean", one) for one in range(at)) else end
    done = sentence.joined(end) and (sentence.content(at - 1) or sentence.form("copula", at - 1) == at)
    return end if not done or {"sort", "order"} & {one.kind for one in _at(sentence, end, choice=False)} else None


# Superlatives ---------------------------------------------------------------------------------------------


def _superlatives(sentence: Sentence, at: int, *, choice: bool) -> Iterator[Operator]:
    """Yield the superlatives that may begin at a position, the likeliest first; for a choice, comparatives, too."""
    pack = sentence.pack
    if at >= len(sentence):
        return
    for name in ("most", "least"):
        if (end := sentence.compare(name, at)) is not None:
            if found := pack.plain.longest(sentence.stems, end):
                yield _of_degree(sentence, at, found[0], found[1], found[1].descending == (name == "most"))
            counted_from = sentence.compare("number_of", end) or end
            yield Operator("superlative", at, counted_from, descending=name == "most", counted=True)
    if found := _superlative_word(sentence, at):
        yield _of_degree(sentence, at, found[0], found[1], found[1].descending)
    for prefix, rank in pack.data.numbers.ordinal_prefixes.items():  # zweitlängste
        rest = sentence.folded[at].removeprefix(prefix)
        if rest != sentence.folded[at] and (found := pack.most.longest([pack.stem(rest)], 0)):
            yield replace(_of_degree(sentence, at, at + 1, found[1], found[1].descending), first=rank)
    top_end = sentence.compare("top", at)
    number = number_at(sentence, top_end) if top_end is not None else None
    if number and 1 <= number[0] <= _MANY and not number[2]:
        ranked = max(_superlatives(sentence, number[1], choice=False), key=lambda one: one.end, default=None)
        rating = frozenset({pack.english.stem("rating")})
        top = ranked or Operator("superlative", at, number[1], measures=(rating,), descending=True)
        yield replace(top, start=at, count=int(number[0]))
    if (compared := comparative_at(sentence, at)) and (choice or _compares_with_all(sentence, at, *compared[:2])):
        degree, end, greater = compared
        if degree is None:
            yield Operator("superlative", at, end, descending=greater, counted=True)
        else:
            yield _of_degree(sentence, at, end, degree, greater)


def _compares_with_all(sentence: Sentence, at: int, degree: Degree | None, end: int) -> bool:
    """Return whether a comparative has nothing to compare with but all others: which country has more rivers."""
    things = (sentence.content(earlier) and not number_at(sentence, earlier) for earlier in range(at))  # not of the two
    asked = sentence.form("which", 0) is not None and any(things)
    compared = (sentence.compare("than", later) or number_at(sentence, later) for later in range(at, len(sentence)))
    other = (sentence.form("negated", one) or comparative_at(sentence, one) for one in range(at))  # n'ont plus de
    placed = end == len(sentence) if degree else end < len(sentence) and sentence.content(end)
    return asked and placed and not any(compared) and not any(other)


def _first_or_last(sentence: Sentence, at: int) -> Iterator[Operator]:
    """Yield the superlative of time that an ordinal is behind a verb: founded first, opened last."""
    pack, words = sentence.pack, sentence.words
    last = words[at].folded in pack.last
    if not (last or ordinal_at(sentence, at) == 1) or at == 0 or not sentence.content(at - 1):
        return
    verb = words[at - 1].text.islower() and is_often(words[at - 1].folded, "v")
    noun = at > 1 and words[at - 2].folded in ("a", "an", "the", "each", "every")
    counted = (sentence.form("count", one) or len(words) for one in range(at))
    lasting = any(pack.unit_phrases.longest(sentence.stems, one) for one in counted)  # how many minutes it lasts
    noun |= last and (lasting or any(map(sentence.asked_degree, range(at))))
    if pack.language == "en" and (noun or not verb):
        return  # how long a war lasts, or a match, or Mass in Winter
    if at + 1 == len(words) or sentence.text[words[at].end : words[at + 1].start].strip():
        yield Operator("superlative", at, at + 1, measures=(frozenset({pack.english.stem("date")}),), descending=last)


def _superlative_word(sentence: Sentence, at: int) -> tuple[int, Degree] | None:
    """Read an adjective that is a superlative by itself: the end of "longest", and what it compares.

    Not the verb: how long did the war *last*, or Game 3 *last*?
    """
    if (found := sentence.pack.most.longest(sentence.stems, at)) is None or is_measure(sentence, at):
        return None
    _, degree = found
    numbered = at > 1 and at + 1 == len(sentence) and number_at(sentence, at - 1) is not None
    behind = at > 0 and (numbered or not sentence.words[at - 1].empty)
    return None if degree.attributive and behind else found


def _of_degree(sentence: Sentence, at: int, end: int, degree: Degree, descending: bool) -> Operator:
    """Return the superlative of an adjective; "the highest number of" counts."""
    number_of = sentence.compare("number_of", end)
    counted, end = number_of is not None, number_of or end
    return Operator("superlative", at, end, measures=degree.measures, descending=descending, counted=counted)


def _measured(sentence: Sentence, order: Operator) -> Operator | None:
    """Add the words after a superlative that say what it measures; None for "most" if it counts nothing.

    It may be a class ("most films") or a quantity that an adjective qualifies: the largest population.
    """
    end = order.end
    if order.counted:
        if not sentence.content(end) or not sentence.free(end):
            return None
        last = noun_end(sentence, end)
        names = dict.fromkeys(sentence.names(end, last))
        if last == end + 1 and sentence.content(last) and sentence.words[last].text.islower():
            names |= dict.fromkeys(sentence.names(end, end + 2))
        return replace(order, end=last, measures=tuple(names))
    # The shortest runtime is the least; the oldest date is the least, too.
    if noun := sentence.pack.measures.longest(sentence.stems, end):
        return replace(order, end=noun[0], measures=sentence.names(end, noun[0]))
    at = order.start
    behind = (sentence.compare("having", start) for start in range(max(0, at - 3), at))  # with the, has the
    having = any(one is not None and all(word.empty for word in sentence.words[one:at]) for one in behind)
    if at and sentence.content(end) and sentence.free(end) and sentence.joined(end) and having:
        measures = dict.fromkeys([*sentence.names(end, end + 1), *order.measures])
        return replace(order, end=end + 1, measures=tuple(measures))
    return order


def _ranked(sentence: Sentence, one: Operator) -> Operator:
    """Add which ranks a superlative asks for: second longest, 6th to 10th most expensive, three largest."""
    if one.count > 1:
        return one
    for at in range(one.start - 1, max(-1, one.start - (4 if sentence.pack.analytic else 2)), -1):
        if (last := ordinal_at(sentence, at)) and at not in sentence.fixed:
            first = ordinal_at(sentence, at - 2) if sentence.compare("to", at - 1) == at else None
            if first and first <= last:
                return _widened(sentence, replace(one, first=first, count=last - first + 1), at - 2, at + 1)
            return _widened(sentence, replace(one, first=last), at, at + 1)
        number = number_at(sentence, at)
        beside = at == one.start - 1 and at not in sentence.used
        if number and 2 <= number[0] <= _MANY and number[1:] == (at + 1, None) and (beside or _selects(sentence, at)):
            return _widened(sentence, replace(one, count=int(number[0])), at, at + 1)
    number = None if one.counted else number_at(sentence, one.end)  # "at least two" is a bound
    if number and 2 <= number[0] <= _MANY and not number[2]:
        return replace(one, end=number[1], count=int(number[0]))
    return _leading_number(sentence, one)


def _widened(sentence: Sentence, one: Operator, start: int, end: int) -> Operator:
    """Add words before a superlative to it; where others stand between, mark them as used only."""
    sentence.use(start, end)
    return replace(one, start=start) if end == one.start else one


def _leading_number(sentence: Sentence, one: Operator) -> Operator:
    """Read the number in "which three countries have the most …"."""
    for at in range(one.start):
        number = number_at(sentence, at)
        if not number or number[2] or not 2 <= number[0] <= 100 or not _selects(sentence, at):
            continue
        if sentence.content(number[1]) and (at == 0 or sentence.words[at - 1].empty):
            sentence.use(at, number[1])
            return replace(one, count=int(number[0]))
    return one


def _selects(sentence: Sentence, at: int) -> bool:
    """Return whether a number may say how many are asked for: not that of "which of the two", nor one of a bound."""
    start = at
    while start and sentence.words[start - 1].empty and sentence.form("which", start - 1) is None:
        start -= 1
    among = 0 < start < at and sentence.form("which", start - 1) and sentence.form("copula", start) is None
    return not among and at not in sentence.used


def _by(sentence: Sentence, order: Operator) -> Operator:
    """Add the quantity that is named after a superlative: the largest country by population."""
    for at in range(order.end, len(sentence)):
        if (end := sentence.compare("by", at)) is None:
            continue
        target = sentence.skip_empty(end, 2)
        if noun := sentence.pack.measures.longest(sentence.stems, target):
            sentence.use(at, noun[0])
            return replace(order, measures=tuple(dict.fromkeys([*sentence.names(target, noun[0]), *order.measures])))
    return order
