"""The analysis of a question's form: the kind of its answer, and how it compares and counts.

The analysis does not use a graph. It says which words the form accounts for (`Analysis.used`) and what the others may
mean (`Analysis.senses`); the solver finds entities, relations and classes with such names.

>>> analysis = analyse("Which river is the second longest in Germany?", load_pack("en"))
>>> analysis.answer_type, analysis.order.first, sorted(analysis.order.measures[0])
('select', 2, ['length'])
"""

import itertools
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triad.caching import remembered_today
from triad.language.comparisons import Comparison, find_comparisons
from triad.language.lexical_database import is_noun_only, is_plural, is_verb_only, kinds, lemmas
from triad.language.operators import Operator, asks_what_is_done, find_order
from triad.language.pack import Expected, Pack, load_pack
from triad.language.tokens import Sentence, Word
from triad.questions import AnswerType

__all__ = ["Analysis", "Comparison", "Sense", "analyse", "load_pack", "second_clause"]

_OTHER_WAY: Final = 0.85  # weight of the best synonym; the words themselves weigh 1
_RANKS: Final = 0.015  # deduction for each place further down in a list of synonyms, up to the tenth
_PART_OF_WORD: Final = 0.9  # factor on a sense's weight if only the last part of a compound has it

_CLAUSE_GAP: Final = 3  # words between "and" and the question word of a second clause

_DATE: Final = frozenset[Expected]({"date"})
_LONGEST_RUN: Final = 3  # how many content words may name a relation together: place of birth


@dataclass(frozen=True, slots=True)
class Sense:
    """What some words may mean: a relation or class with all these stems in its name."""

    start: int
    """Position of the first word."""
    end: int
    """Position after the last word."""
    stems: frozenset[str]
    weight: float
    """1 for the words themselves, less for a synonym."""
    turned: bool = False
    """Whether the words call those whose relation it is: children, by who is their parent."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A question's form."""

    text: str
    language: str
    """The code of the pack it was read with."""
    words: tuple[Word, ...]
    senses: tuple[Sense, ...]
    by_date: tuple[Sense, ...]
    """What words may mean beside a date: "born before 1900", where *born* alone is a place."""
    answer_type: AnswerType
    expected: frozenset[Expected]
    """What may answer the question, by its question words; empty where they do not say (which film)."""
    asked: frozenset[int]
    """Positions of the words that say what is asked for: *films* in "which films", "list films", "how many films"."""
    order: Operator | None
    """The first superlative, with what it measures."""
    comparisons: tuple[Comparison, ...]
    each: int | None
    """Position of the noun in "for each band", "on each continent"."""
    negated: bool
    """True with "not", "without", "have no"."""
    either: bool
    """True with "or" between entities."""
    both: bool
    """True with "same", "both", "in common", "also"."""
    same: tuple[int, ...]
    """Positions after the words that ask for the same of things: *same*, *share*."""
    reason: tuple[int, int] | None
    """Positions of the first word that asks for a reason (why, how come), and after the last one."""
    used: frozenset[int]
    """Positions that the form accounts for; no relation or class has to be found for them."""

    @property
    def form(self) -> frozenset[int]:
        """The positions of the words that make a question of it: "how many", "which", "list"."""
        bounds = {at for one in self.comparisons for at in range(one.start, one.end)}
        return self.used - bounds - set(range(self.order.start, self.order.end) if self.order else ())

    def said(self, start: int, end: int) -> str:
        """Return some words, as they stand in the question."""
        return self.text[self.words[start].start : self.words[end - 1].end]

    def content(self, known: Container[int] = ()) -> list[int]:
        """Return the positions of the words that may name something, without those that are known.

        A verb that only connects says what an amount is of: how much somebody receives.
        """
        pack = load_pack(self.language)
        words = [(at, word) for at, word in enumerate(self.words) if not (word.empty or at in known)]
        heeded = pack.connecting if self.answer_type == "select" and "number" in self.expected else ()
        return [at for at, word in words if word.folded in heeded or not pack.is_idle(word.text)]


@remembered_today(100)  # a question is read by each rung, and by what checks its answer
def analyse(text: str, pack: Pack) -> Analysis:
    """Read the form of a question."""
    sentence = Sentence(text, pack)
    for at, end in sentence.all("fixed", "transitive"):
        sentence.fixed.update(range(at, end))
    if reason := next(sentence.all("reason"), None):
        sentence.use(*reason)
    reasons = pack.measures_of(pack.data.kinds.reasons, pack.english.data.kinds.reasons) if reason else ()
    boolean = _opening(sentence) and reason is None
    comparisons = find_comparisons(sentence, boolean=boolean)
    either = _use(sentence, "either")
    order = find_order(sentence, either=either)
    each = None if boolean else _each(sentence)
    if boolean and either and order and not any(comparison.than for comparison in comparisons):
        boolean = False
    clock = any(part == "time" for _, _, part in pack.moments.all(sentence.folded))  # сколько, but во сколько
    counting = False if boolean or clock else _counting(sentence)
    expected = frozenset[Expected]() if boolean else _expected(sentence)
    if counting or any(comparison.difference for comparison in comparisons):
        expected = frozenset({"number"})
    for at in range(1, len(sentence)) if either else ():
        if sentence.folded[at] in pack.number_words and sentence.words[at - 1].empty:
            sentence.use(at, at + 1)  # which of the two: it counts what is named to choose from
    negated, both = _use(sentence, "negated"), _use(sentence, "both")
    _use(sentence, "which", "how", "whether")
    return Analysis(
        text=text,
        language=pack.language,
        words=sentence.words,
        by_date=tuple(_senses(sentence, _DATE)) if any(one.date for one in comparisons) else (),
        senses=(*_senses(sentence, expected), *(Sense(*reason, stems, _OTHER_WAY) for stems in reasons if reason)),
        answer_type="boolean" if boolean else "count" if counting else "select",
        expected=expected,
        asked=frozenset() if boolean or (expected and not counting) else _asked(sentence),
        order=order,
        comparisons=comparisons,
        each=each,
        negated=negated,
        either=either,
        both=both,
        same=tuple(sorted({end for _, end in sentence.all("same")})),
        reason=reason,
        used=frozenset(sentence.used),
    )


def second_clause(analysis: Analysis, pack: Pack) -> tuple[int, int] | None:
    """Return the positions of the "and" and of the question word of a second clause: "…, and by whom"."""
    words = analysis.words
    keys = [pack.key(word.text) for word in words]
    asking = (pack.expected, pack.forms["which"], pack.forms["how"])
    for at, end, _ in pack.compare["and"].all(keys):
        for place in range(end, min(end + _CLAUSE_GAP, len(keys))) if at else ():
            if any(words_of.longest(keys, place) for words_of in asking):
                return at, place
            if not words[place].empty:
                break
    return None


def _asked(sentence: Sentence) -> frozenset[int]:
    """Return the words after the question word that may name something, or the first of all: list *films* which …."""
    places = list(sentence.all("which", "count"))
    if sentence.form("ask", 0) is not None:
        empty = ((one, one[0] > 0 and sentence.words[one[0] - 1].empty) for one in places)  # the year *in which*
        behind = ((one, before and sentence.compare("and", one[0] - 1) is None) for one, before in empty)
        places = [one for one, before in behind if not _relative(sentence, one[0] - before)]
    _, start = next(iter(places), (0, 0))
    if asks_what_is_done(sentence):
        return frozenset()
    while start < len(sentence) and (not sentence.content(start) or start in sentence.used):
        start += 1
    end = start
    while end < min(start + _LONGEST_RUN, len(sentence)) and sentence.content(end) and not _after_noun(sentence, end):
        end += 1
    return frozenset(range(start, end))


def _after_noun(sentence: Sentence, at: int) -> bool:
    """Return whether a word comes after the noun that it might be a part of: *liefen* in "welche Filme liefen"."""
    if at == 0 or sentence.words[at - 1].empty:
        return False
    before, folded = sentence.folded[at - 1], sentence.folded[at]
    if sentence.pack.language == "en" and is_verb_only(folded):
        return is_noun_only(before)  # which women directed, but not official spoken languages
    if sentence.pack.language == "en" and "v" in kinds(folded) and folded in lemmas(folded):
        return is_plural(before)  # which tours visit
    noun, word = (sentence.words[position].text[0] for position in (at - 1, at))
    by_capital = sentence.pack.data.capital_nouns and noun.isupper() and word.islower()
    return by_capital or sentence.pack.may_be_verb(sentence.words[at].text, sentence.stems[at])


# The kind of answer ---------------------------------------------------------------------------------------


def _opening(sentence: Sentence) -> bool:
    """Skip the opening of a question, and return whether it is a yes/no question."""
    at = 0
    while (end := sentence.form("ask", at)) is not None:
        sentence.empty_out(at, end)
        at = sentence.skip_empty(end, 3) if sentence.form("whether", sentence.skip_empty(end, 1)) else end
    if at and (end := sentence.form("whether", at)) is not None:
        sentence.use(at, end)
        return True
    if (end := sentence.form("boolean", at)) is not None:
        sentence.use(at, end)
        return True
    for demand in later_demands(sentence, at):
        sentence.empty_out(*demand)
    asked = at > 0
    questions = [position for position in range(len(sentence)) if _question_word(sentence, position)]
    if any(start >= at for start, _ in sentence.all("inversion")):
        return not [position for position in questions if not _relative(sentence, position)]
    if asked or questions or not sentence.text.rstrip().endswith("?"):
        return False
    verbs = any(sentence.pack.may_be_verb(one.text, one.stem) for one in sentence.words[at + 1 :] if not one.empty)
    if verbs and (sentence.form("every", at) or sentence.form("everything", at)):  # ¿todos los jardineros hablan …?
        return True
    if _verb_first(sentence) or (sentence.pack.inverted and sentence.pack.inverted.search(sentence.text)):
        return True
    return any(at <= start < len(sentence) - 1 for start, _ in sentence.all("copula"))


def later_demands(sentence: Sentence, start: int) -> Iterator[tuple[int, int]]:
    """Yield where a demand stands after a comma, a full stop or an "and": for each party, *return* its theme.

    It does so before a word such as "the" or "its", else it may be a noun, as "name" is in any case.
    """
    for at, end in sentence.all("ask"):
        if at <= start or not sentence.content(at) or end >= len(sentence) or sentence.content(at + 1):
            continue
        if sentence.pack.is_by_name(sentence.words[at].text):
            continue
        sign = sentence.text[sentence.words[at - 1].end : sentence.words[at].start].strip()[:1]
        joined = (sign and sign in ",.;:?!") or sentence.compare("and", at - 1) is not None
        if joined and sentence.compare("and", end) is None:
            yield at, end


def _verb_first(sentence: Sentence) -> bool:
    """Return whether a question begins with a verb and its subject: "Nimmt Anna …?", "¿Toma el paciente …?"."""
    pack = sentence.pack
    if len(sentence) < 2 or sentence.stems[0] not in pack.first_verbs:
        return False
    subject = sentence.words[1]
    return subject.text[:1].isupper() or subject.text.lower() in pack.data.references.definite


def _question_word(sentence: Sentence, at: int) -> bool:
    if at > 1 and sentence.compare("than", at) is not None:
        return False
    formed = any(sentence.form(name, at) is not None for name in ("which", "count", "how"))
    return formed or sentence.pack.expected.longest(sentence.folded, at) is not None


def _relative(sentence: Sentence, at: int) -> bool:
    """Return whether a question word is rather a relative pronoun: films *which*, people *who*."""
    relate = not sentence.pack.data.in_place and sentence.form("count", at) is None
    return relate and at > 0 and sentence.content(at - 1) and at + 1 < len(sentence)


def _counting(sentence: Sentence) -> bool:
    for at in filter(sentence.free, range(len(sentence))):
        leading = all(sentence.words[before].empty or before in sentence.used for before in range(at))
        end = sentence.form("count", at) or (sentence.form("number", at) if leading else None)
        if end is not None:
            sentence.use(at, end)
            return True
    return False


def _expected(sentence: Sentence) -> frozenset[Expected]:
    """Return what the question's main question word asks for."""
    places = [at for at in range(len(sentence)) if _question_word(sentence, at) and at not in sentence.fixed]
    if (main := next((at for at in places if not _relative(sentence, at)), None)) is None:
        return frozenset()
    if not (found := list(sentence.pack.expected.at(sentence.folded, main))):
        return frozenset({"number"}) if sentence.asked_degree(main) else frozenset()
    longest = max(end for end, _ in found)
    if (sentence.form("which", main) or 0) > longest:
        return frozenset()  # "कौन सी", which, though "कौन" is who
    kinds = frozenset(kind for end, kind in found if end == longest)
    if "text" not in kinds:
        sentence.use(main, longest)
    return kinds


def _each(sentence: Sentence) -> int | None:
    for at, end in sentence.all("each"):
        noun = sentence.skip_empty(end, 3)
        if sentence.free(at) and sentence.content(noun) and sentence.free(noun):
            sentence.use(at, end)
            return noun
    return None


def _use(sentence: Sentence, *forms: str) -> bool:
    """Return whether form words occur, and mark them as used."""
    found = False
    for at, end in sentence.all(*forms):
        if sentence.free(at):
            sentence.use(at, end)
            found = True
    return found


# What the words may mean ----------------------------------------------------------------------------------


def _senses(sentence: Sentence, expected: frozenset[Expected]) -> Iterator[Sense]:
    seen: set[tuple[int, int, frozenset[str]]] = set()
    # Several entries may give words the same meaning; the one with the greatest weight counts.
    for sense in sorted([*_own(sentence), *_other(sentence, expected)], key=lambda sense: -sense.weight):
        key = (sense.start, sense.end, sense.stems)
        if key not in seen:
            seen.add(key)
            yield sense


def _own(sentence: Sentence) -> Iterator[Sense]:
    """Yield the words themselves: each, and runs of them with function words between."""
    content = [at for at, word in enumerate(sentence.words) if not word.empty]
    for index, start in enumerate(content):
        stems: set[str] = set()
        previous = start
        for at in content[index : index + _LONGEST_RUN]:
            if at - previous > 3:
                break
            stems.add(sentence.stems[at])
            yield Sense(start, at + 1, frozenset(stems), 1.0)
            previous = at


def _other(sentence: Sentence, expected: frozenset[Expected]) -> Iterator[Sense]:
    """Yield synonyms of the words."""
    pack = sentence.pack
    for at in range(len(sentence)):
        for end, way in pack.ways.at(sentence.stems, at):
            if way.expecting is not None and way.expecting not in expected:
                continue
            if sentence.words[end - 1].empty and set(range(at, end)) <= sentence.used:
                continue
            yield from _ranked(at, end, way.measures, turned=way.turned)
        if sentence.words[at].empty and (at == 0 or sentence.form("which", at) is not None):
            for other, way in pack.ways.around(sentence.stems, at):  # "woran … gestorben", "de quoi … mort"
                if sentence.content(other):
                    yield from _ranked(other, other + 1, way.measures)
        yield from _compound(sentence, at)
        if adjective := sentence.asked_degree(at):
            yield from _ranked(at, adjective[0], adjective[1].measures)


def _compound(sentence: Sentence, at: int) -> Iterator[Sense]:
    """Yield the meanings of a compound that the pack lacks, from the words that it is made of."""
    pack = sentence.pack
    parts = pack.parts(sentence.words[at].text) if sentence.stems[at] not in pack.translations else None
    if parts is None:
        return
    first, last = parts
    pairs = itertools.product(pack.translations.get(first, ()), pack.translations[last])
    both = [pack.english.stems(f"{one} {other}") for one, other in pairs]
    yield from _ranked(at, at + 1, [frozenset(parts), *both])
    for _, way in pack.ways.at([last], 0):
        for sense in _ranked(at, at + 1, way.measures):
            yield replace(sense, weight=sense.weight * _PART_OF_WORD)


def _ranked(start: int, end: int, ways: Sequence[frozenset[str]], *, turned: bool = False) -> Iterator[Sense]:
    for rank, stems in enumerate(ways):
        yield Sense(start, end, stems, _OTHER_WAY - _RANKS * min(rank, 10), turned)
