"""A question as words: each with its place in the text, its normal form and its stem.

Hyphens separate words, and so do the endings and elisions that a pack lists: "Germany's" is "Germany" and "'s",
"l'Italie" is "l'" and "Italie". The names of entities must therefore be taken from the text between two offsets
(`Sentence.folded_span`), not by joining words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Final

from triad.language.lexical_database import is_noun_only
from triad.language.normalize import fold
from triad.language.pack import Degree, Pack

_APOSTROPHES: Final = "'’ʼ`´"
_LETTER: Final = r"\w\u0300-\u036f\u064b-\u065f\u0900-\u0963\u200c"
"""Letters, and the signs within words: accents, the vowels of Persian and Hindi, the Persian non-joiner."""
_TOKEN: Final = re.compile(
    rf"\d+(?:[.,{_APOSTROPHES}]\d+)*(?:[^\W\d]+[\w]*)?|[{_LETTER}][{_LETTER}+#]*(?:[{_APOSTROPHES}][{_LETTER}]+)*"
)
_ENDS: Final = ",;:.!?"
_ELISION: Final = re.compile(rf"([^\W\d]+[{_APOSTROPHES}])(?=\w)")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a question."""

    text: str
    folded: str
    """Its normal form, as `triad.language.normalize.fold` makes it."""
    stem: str
    start: int
    """Offset of its first character in the text."""
    end: int
    """Offset after its last character."""
    empty: bool
    """True for a function word (the, of, is, please): it names nothing by itself."""


@lru_cache(maxsize=64)  # each reading of a question looks at its words
def split(text: str, pack: Pack) -> tuple[Word, ...]:
    """Return the words of a text."""
    return tuple(one_by_one(text, pack))


def one_by_one(text: str, pack: Pack) -> Iterator[Word]:
    """Yield the words of a text, for those who may need but the first."""
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        lower = match[0].lower()
        for ending in pack.endings:
            if lower.endswith(ending) and end - start > len(ending):
                yield _word(text, start, end - len(ending), pack)
                start = end - len(ending)
                break
        elision = _ELISION.match(text, start, end) if pack.elisions else None
        if elision and elision[1][:-1].lower() in pack.elisions:
            yield _word(text, start, elision.end(), pack)
            start = elision.end()
        begun = pack.beginnings.match(text, start, end)
        rest = text[begun.end() : end] if begun else ""
        averages = begun and pack.forms["average"].end(pack.keys(begun[0]), 0)
        if begun and rest and (averages or pack.measures.end([pack.stem(rest)], 0)):  # a Gesamtschule is a school
            yield _word(text, start, begun.end(), pack)
            start = begun.end()
        yield _word(text, start, end, pack)


def _word(text: str, start: int, end: int, pack: Pack) -> Word:
    own = text[start:end]
    folded = fold(own)
    empty = (pack.key(own) in pack.empty and not pack.is_name(text, start, end)) or own[-1] in _APOSTROPHES
    return Word(own, folded, pack.stem(own), start, end, empty)


class Sentence:
    """A question during its analysis: its words, and which of them the form has accounted for so far."""

    def __init__(self, text: str, pack: Pack) -> None:
        self.text = text
        self.pack = pack
        self.words = split(text, pack)
        # Names in capitals stay as they are: they are no function words.
        self.folded = [
            word.text if pack.is_name(text, word.start, word.end) else pack.key(word.text) for word in self.words
        ]
        self.used: set[int] = set()
        self._join_verbs()
        self.stems = [word.stem for word in self.words]
        self._empty_frame()
        self.fixed: set[int] = set()
        """Positions of phrases whose words do not affect the form."""

    def __len__(self) -> int:
        return len(self.words)

    def _join_verbs(self) -> None:
        """Give verbs that are separated from their particle the stem of both: "spielt … mit" is "mitspielen"."""
        words, start = list(self.words), 0
        for at, particle in enumerate(self.words):
            if at + 1 < len(words) and self.text[particle.end : words[at + 1].start].strip()[:1] not in {*_ENDS}:
                continue  # it ends no clause
            if self.folded[at] in self.pack.data.particles:
                for verb in reversed(range(start, at)):
                    if stem := self.pack.parted_verb(words[verb].text, particle.text):
                        words[verb] = replace(words[verb], stem=stem)
                        words[at] = replace(particle, empty=True)
                        self.use(at, at + 1)
                        break
            start = at + 1
        self.words = tuple(words)

    def _empty_frame(self) -> None:
        """Empty out what only says where the data is, and "in total" after "how many", which counts all in any case."""
        counted = len(self)
        for at in range(len(self)):
            counted = self.form("count", at) or self.form("number", at) or counted
            end = self.form("frame", at) or (self.form("total", at) if at >= counted else None)
            if end is not None:
                self.empty_out(at, end)

    def free(self, position: int) -> bool:
        """Return whether a position's word may still give the question its form."""
        return position not in self.used and position not in self.fixed

    def form(self, name: str, position: int) -> int | None:
        """Return the end of a phrase of the pack's ``forms`` that begins at a position."""
        if name == "number" and self._is_named(position):
            return None
        return self.pack.forms[name].end(self.folded, position)

    def _is_named(self, position: int) -> bool:
        """Return whether a noun right before a word makes a name of it: the phone *number of* Ann."""
        before = self.words[position - 1] if position and self.pack.language == "en" else None
        return before is not None and not before.empty and is_noun_only(before.folded)

    def all(self, *names: str) -> Iterator[tuple[int, int]]:
        """Yield the start and end of phrases of the pack's ``forms``, wherever they begin."""
        for start in range(len(self)):
            for name in names:
                if (end := self.form(name, start)) is not None:
                    yield start, end

    def compare(self, name: str, position: int) -> int | None:
        """Return the end of a phrase of the pack's ``compare`` that begins at a position."""
        if name == "number_of" and self._is_named(position):
            return None
        return self.pack.compare[name].end(self.folded, position)

    def compare_after(self, name: str, position: int) -> int | None:
        """Return the end of a phrase that compares with the number or date before a position."""
        return self.pack.compare_after[name].end(self.folded, position)

    def content(self, position: int) -> bool:
        """Return whether there is a word at a position that may name something."""
        return position < len(self.words) and not self.words[position].empty

    def asked_degree(self, position: int) -> tuple[int, Degree] | None:
        """Return the end of an adjective that is asked for, and what it measures: "how long", "how very old"."""
        end = self.form("how", position)
        return self.pack.plain.longest(self.stems, self.skip_empty(end, 2)) if end is not None else None

    def skip_empty(self, position: int, most: int = 3) -> int:
        """Return the position of the next content word, at most so many words on."""
        end = min(position + most, len(self.words))
        while position < end and self.words[position].empty:
            position += 1
        return position

    def joined(self, position: int) -> bool:
        """Return whether at most a space or a hyphen separates a word from the one before it."""
        before, after = self.words[position - 1], self.words[position]
        return not self.text[before.end : after.start].strip(" -\u00a0")

    def empty_out(self, start: int, end: int) -> None:
        """Mark words as accounted for and as naming nothing: the "name" of "name all rivers"."""
        self.use(start, end)
        emptied = (replace(word, empty=True) for word in self.words[start:end])
        self.words = (*self.words[:start], *emptied, *self.words[end:])

    def folded_span(self, start: int, end: int) -> str:
        """Return the normal form of the text from one word to before another."""
        return fold(self.text[self.words[start].start : self.words[end - 1].end])

    def use(self, start: int, end: int) -> None:
        """Mark words as accounted for."""
        self.used.update(range(start, end))

    def names(self, start: int, end: int) -> tuple[frozenset[str], ...]:
        """Return what relations or classes named by these words may be called, as stems, the words themselves first."""
        own = frozenset(self.stems[at] for at in range(start, end) if not self.words[at].empty)
        found = dict.fromkeys([own] if own else [])
        ways = [way for at, way in self.pack.ways.at(self.stems, start) if at <= end and way.expecting is None]
        said = self.folded_span(start, end)
        # Words with one stem may have different meanings: a visitor is counted, to visit is to study.
        for way in sorted(ways, key=lambda way: -begin_alike(way.said, said)):
            found.update(dict.fromkeys(way.measures))
        return tuple(found)


def begin_alike(one: str, other: str) -> int:
    """Return how many letters two words have in common at the beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
