"""Does the evidence that a sentence cites hold what it says? A program looks, no model.

Numbers are held if the evidence has them: written otherwise, in another unit of the same dimension, rounded to the
digits that the sentence gives, as the count of a result's rows, or one arithmetic step away. Operands of such a step
are the numbers of a small cited result, and those that the answer itself states and the evidence holds; so that a
number is not held because some two numbers of a long text happen to give it. Names are held if a piece of evidence has
all their words, but for a maker's name that most of them begin with.
"""

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from statistics import fmean, median
from typing import Final

from triad.citations import CitedSentence
from triad.language.normalize import fold
from triad.language.pack import Pack
from triad.language.text_quantities import Date, Number, dates, number_of, numbers
from triad.rdf import NUMERIC, Literal
from triad.retrieval.evidence import Evidence

_CELLS: Final = 24
"""Numbers of a result up to which each may be an operand; of a greater one only its sums and means are tried."""
_TOKEN: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_AMOUNT: Final = re.compile(r"\W{0,3}(?:[A-Z]{3} )?\d")  # how a text begins that is a number, and no name with one
_OPENING: Final = re.compile(r"[.:;!?(\"“„«–—]\s*$")


class Holding:
    """What a question's evidence holds; what the question says itself need not be held."""

    def __init__(self, evidence: Sequence[Evidence], asked: str, names: Iterable[str], packs: Sequence[Pack]) -> None:
        self._evidence = {one.citation.number: one for one in evidence}
        self._words = {number: one.words for number, one in self._evidence.items()}
        self._packs = packs
        self._asked = numbers(asked, packs)
        self._known_words = frozenset(fold(asked).split()).union(*self._words.values())
        self._asked_dates = dates(asked, packs)
        found = (*names, *(name for one in evidence for name in _names_of(one)))
        tokens = {tuple(fold(name).split()): name for name in found if _is_name(name)}
        self._names = sorted(tokens.items(), key=lambda pair: -len(pair[0]))
        firsts = Counter(words[0] for words in tokens if len(words) > 1)
        first, count = firsts.most_common(1)[0] if firsts else ("", 0)
        # names that begin with one word, from which on it may be left out, if they are most names
        self._shared = first if count >= max(3, len(tokens) / 2) else ""  # the first word of most names
        self._numbers: dict[int, list[Number]] = {}
        self._dates: dict[int, list[Date]] = {}

    def checked(self, sentences: Sequence[tuple[str, Sequence[int]]]) -> tuple[CitedSentence, ...]:
        """Return sentences with what their evidence does not hold of them."""
        stated = [number for text, cites in sentences for number in self._stated(text, cites)]
        found = ((text, tuple(cites), self._missing(text, cites, stated)) for text, cites in sentences)
        return tuple(CitedSentence(text, cites, bool(cites and not lacks), lacks) for text, cites, lacks in found)

    # What a sentence says ----------------------------------------------------------------------------------

    def _missing(self, text: str, cites: Sequence[int], stated: Sequence[Number]) -> tuple[str, ...]:
        """Return the numbers and names of a sentence that its evidence does not hold."""
        cited = [self._evidence[number] for number in cites]
        named, places = self._named(text)
        missing = [name for name in named if not any(self._is_in(name, one) for one in cited)]
        said = dates(text, self._packs)
        taken = [*places, *((date.start, date.end) for date in said)]
        missing += self._invented(text, taken)
        known = [*self._asked_dates, *(one for evidence in cited for one in self._dates_of(evidence))] if said else []
        for date in said:
            held = any(one.iso.startswith(date.iso) for one in known)
            if not held and not self._is_number_too(text, date, cited, stated):
                missing.append(text[date.start : date.end])
        for number in numbers(text, self._packs):
            inside = any(start < number.end and number.start < end for start, end in taken)
            if not inside and not self._has_number(number, text, cited, stated):
                missing.append(number.text)
        return tuple(dict.fromkeys(missing))

    def _is_in(self, name: str, evidence: Evidence) -> bool:
        """Return whether evidence has a name; without a first word that most names share, such as a maker's, too."""
        words = fold(name).split()
        if self._shared and words[0] == self._shared and len(words) > 1:
            words = words[1:]
        return self._words[evidence.citation.number].issuperset(words)

    def _named(self, text: str) -> tuple[list[str], list[tuple[int, int]]]:
        """Return the names that a sentence has, and where they stand."""
        words = [(fold(match[0]), match) for match in _TOKEN.finditer(text)]
        taken: set[int] = set()
        named: list[str] = []
        places: list[tuple[int, int]] = []
        for tokens, name in self._names:
            length = len(tokens)
            for at in range(len(words) - length + 1):
                run = words[at : at + length]
                if tuple(folded for folded, _ in run) != tokens or not taken.isdisjoint(range(at, at + length)):
                    continue
                if length == 1 and not run[0][1][0][0].isupper():
                    continue  # a common word, as which some names are spelt
                taken |= set(range(at, at + length))
                named.append(name)
                places.append((run[0][1].start(), run[-1][1].end()))
        return list(dict.fromkeys(named)), places

    def _invented(self, text: str, taken: Sequence[tuple[int, int]]) -> Iterator[str]:
        """Yield words that are written like a name and that neither the question nor any evidence has."""
        if self._packs[0].data.capital_nouns:
            return
        for match in _TOKEN.finditer(text):
            word = match[0]
            first = match.start() == 0 or _OPENING.search(text, 0, match.start())
            inside = any(start < match.end() and match.start() < end for start, end in taken)
            if not word[0].isupper() or first or inside or _is_known(fold(word), self._known_words):
                continue
            if not any(one.is_idle(word) or " ".join(one.stem_list(word)) in one.units for one in self._packs):
                yield word

    def _is_number_too(self, text: str, date: Date, cited: Sequence[Evidence], stated: Sequence[Number]) -> bool:
        """Return whether what looks like a year is a number that the evidence has."""
        year = text[date.start : date.end]
        found = numbers(year, self._packs) if year.isdecimal() else ()
        return any(self._has_number(one, text, cited, stated) for one in found)

    def _has_number(self, number: Number, text: str, cited: Sequence[Evidence], stated: Sequence[Number]) -> bool:
        return (
            any(number.is_held_by(other) for other in itertools.chain(self._asked, *map(self._numbers_of, cited)))
            or any(self._counts(number, one) for one in cited)
            or self._counts_itself(number, text, cited)
            or any(number.is_held_by(other) for other in self._computed(cited, stated))
        )

    # What the evidence has ---------------------------------------------------------------------------------

    def _stated(self, text: str, cites: Sequence[int]) -> Iterator[Number]:
        """Yield the numbers that a sentence states and that its evidence has as they are."""
        known = [other for at in cites for other in self._numbers_of(self._evidence[at])]
        return (one for one in numbers(text, self._packs) if any(one.is_held_by(other) for other in known))

    def _numbers_of(self, evidence: Evidence) -> list[Number]:
        if (at := evidence.citation.number) not in self._numbers:
            texts = [evidence.citation.title, evidence.citation.query or ""] if evidence.is_result else [""]
            texts += [evidence.citation.date or ""]
            if not evidence.is_result:
                texts += map(self._without_names, (evidence.citation.title, *evidence.lines))
            found = [number for text in texts for number in numbers(text, self._packs)]
            self._numbers[at] = [*found, *(number for column in self._columns(evidence) for number in column)]
        return self._numbers[at]

    def _without_names(self, text: str) -> str:
        """Return a text with its names blanked: a number in a name counts nothing."""
        for start, end in self._named(text)[1]:
            text = text[:start] + "_" * (end - start) + text[end:]
        return text

    def _dates_of(self, evidence: Evidence) -> list[Date]:
        if (at := evidence.citation.number) not in self._dates:
            one = evidence.citation
            texts = (one.title, *evidence.lines, one.query or "", one.date or "")
            self._dates[at] = [date for text in texts for date in dates(text, self._packs)]
        return self._dates[at]

    def _columns(self, evidence: Evidence) -> Iterator[list[Number]]:
        """Yield the numbers of each column of a result; texts that hold numbers give these."""
        for at, name in enumerate(evidence.variables):
            column: list[Number] = []
            for row in evidence.rows:
                if (value := row[at]) is None:
                    continue
                literal = value.term if isinstance(value.term, Literal) and value.term.datatype in NUMERIC else None
                if literal is not None and literal.number is not None:
                    column.append(number_of(literal.number, name, self._packs))
                elif _AMOUNT.match(value.label):
                    column += numbers(value.label, self._packs)
            yield column

    def _counts(self, number: Number, evidence: Evidence) -> bool:
        """Return whether a number is the count of a result's rows, or of the values in one of its columns."""
        if not evidence.is_result or evidence.truncated:
            return False
        columns = zip(*evidence.rows, strict=True) if evidence.rows else ()
        counts = {len(evidence.rows), *(len(set(column) - {None}) for column in columns)}
        return any((float(count), 0) in number.ways for count in counts)

    def _counts_itself(self, number: Number, text: str, cited: Sequence[Evidence]) -> bool:
        """Return whether a number without a unit counts what the sentence lists, or the evidence that it cites."""
        value, digits = number.ways[0]
        # the greatest number that may be the count of what a sentence lists
        if number.unit or digits or not 0 < value <= 20:
            return False
        return value in (len(self._named(text)[0]), len(re.findall(r",", text)) + 2, len(cited))

    def _computed(self, cited: Sequence[Evidence], stated: Sequence[Number]) -> Iterator[Number]:
        """Yield what one arithmetic step makes of the numbers of the evidence."""
        operands = list(stated)
        for one in cited:
            for column in self._columns(one):
                if len(column) > 1:
                    values = [number.ways[0][0] for number in column]
                    for value in (sum(values), fmean(values), median(values), max(values) - min(values)):
                        yield _derived(value, column[0])
                if len(column) <= _CELLS:
                    operands += column
        known = [other for one in cited for other in self._numbers_of(one)]
        operands = [one for one in operands if any(one.is_held_by(other) for other in known)]
        if len(operands) > 1:
            yield _derived(fmean(one.ways[0][0] for one in stated or operands), operands[0])
            yield _derived(sum(one.ways[0][0] for one in stated or operands), operands[0])
        distinct = list({(one.ways[0][0], one.unit): one for one in operands}.values())
        for left, right in itertools.permutations(distinct[:_CELLS], 2):
            a, b = left.ways[0][0], right.ways[0][0]
            if left.dimension == right.dimension or not left.unit or not right.unit:
                factor = right.factor / left.factor if left.unit and right.unit else 1.0
                yield _derived(a - b * factor, left)
                yield _derived(a + b * factor, left)
                if b:
                    yield Number("", 0, 0, ((100 * a / (b * factor), 9),))
                    yield Number("", 0, 0, ((100 * (a - b * factor) / (b * factor), 9),))
            yield Number("", 0, 0, ((a * b, 9),))
            if b:
                yield Number("", 0, 0, ((a / b, 9),))


def _derived(value: float, like: Number) -> Number:
    """Return a computed number in the unit of another one; a difference is also said without its sign."""
    return Number("", 0, 0, ((value, 9), (-value, 9)), like.unit)


def _names_of(evidence: Evidence) -> Iterator[str]:
    """Yield names that a piece of evidence is about or has as values."""
    yield from evidence.names
    if evidence.citation.source == "passages":
        yield evidence.citation.title
    for row in evidence.rows:
        yield from (value.label for value in row if value is not None and len(value.label) <= 80)


def _is_name(name: str) -> bool:
    """Return whether a text is written like a name: with a capital and with letters; no number, no sentence."""
    if not 0 < len(fold(name).split()) <= 12 or _AMOUNT.match(name):
        return False
    return bool(re.search(r"[^\W\d_]{2}", name)) and any(char.isupper() for char in name)


def _is_known(folded: str, words: Collection[str]) -> bool:
    """Return whether words have one, in the plural, too."""
    return all(part in words or part.removesuffix("s") in words or part + "s" in words for part in folded.split())
