"""What English words mean to each other: synonyms, kinds, derived words and opposites.

WordNet 3.0 knows them. Triad ships a part of it, `wordnet/en.zst`, which `benchmarks/distil_wordnet.py` makes and its
licence lies beside; it is unpacked when the first word is looked up, and kept in the cache. WordNet is English;
`triad.language.pack` has what relations are called in other languages. `triad.language.relatedness` tells how near two
names are.

>>> lemmas("spouses"), list(synonyms("spouse"))
(('spouse',), ['partner', 'married person', 'mate', 'better half'])
"""

import math
import mmap
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import zstandard

from triad.language.normalize import fold, plural
from triad.resources import kept
from triad.text import remembered

_FILE: Final = Path(__file__).with_name("wordnet") / "en.zst"
_BASE: Final = 36  # of the numbers of places in the file
_WIDTH: Final = 5  # digits of a place in the file

_S_ENDINGS: Final = (("s", ""), ("ies", "y"), *((base + "es", base) for base in ("s", "x", "z", "ch", "sh", "o")))
_ENDINGS: Final = {
    "n": (*_S_ENDINGS, ("men", "man")),
    "v": (*_S_ENDINGS, ("ed", "e"), ("ed", ""), ("ied", "y"), ("ing", "e"), ("ing", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e"), ("ier", "y"), ("iest", "y")),
    "r": (),
}
"""Endings of inflected words by the kind of the word, and what stands in their place in the base form."""


class Sense(NamedTuple):
    """A sense of a word."""

    lemma: str
    kind: str
    place: int
    weight: float
    """Its share of the use of the word, against the sense used most."""


class _Pointer(NamedTuple):
    place: int
    own: int
    other: int  # the places, in their meanings, of the words that the pointer joins; -1 where it joins the meanings


class Meaning:
    """A meaning, with the words that have it."""

    def __init__(self, line: str) -> None:
        information, words, pointers, definition = line.split("\t")
        self.information = int(information) / 100
        self.words = tuple(words.split("|"))
        self.definition = tuple(definition.split())
        self._written = {group[0]: group[1:] for group in pointers.split()}
        self._read: dict[str, tuple[_Pointer, ...]] = {}

    def pointers(self, sign: str) -> tuple[_Pointer, ...]:
        """Return the pointers of a kind.

        Args:
            sign: ``@`` more general, ``~`` more special, ``=`` attribute, ``&`` similar, ``+`` derived, a backslash
                pertaining to, ``!`` opposite.
        """
        if sign not in self._written:
            return ()
        if sign not in self._read:
            # What is very general has hundreds of meanings below it, which are seldom asked for.
            self._read[sign] = tuple(map(_pointer, self._written[sign].split(",")))
        return self._read[sign]


def is_known(text: str) -> bool:
    """Return whether a word or phrase is known, inflected or not."""
    return bool(senses_of(fold(text)))


@lru_cache(maxsize=1 << 13)
def lemmas(text: str) -> tuple[str, ...]:
    """Return the base forms of a word or phrase, the one used most first; none if it is unknown.

    >>> lemmas("left"), lemmas("power plants")
    (('leave', 'left'), ('power plant',))
    """
    return tuple(dict.fromkeys(sense.lemma for sense in senses_of(fold(text))))


@lru_cache(maxsize=1 << 13)
def kinds(text: str) -> frozenset[str]:
    """Return the kinds that a word or a phrase may be of: ``n`` for nouns, ``v``, ``a`` and ``r`` for adverbs.

    >>> kinds("wrote"), sorted(kinds("plays"))
    (frozenset({'v'}), ['n', 'v'])
    """
    return frozenset(kind for _, kind in _bases(fold(text)))


def is_noun_only(text: str) -> bool:
    """Return whether a word may be a noun and no adjective: women, phone."""
    found = kinds(text)
    return "n" in found and "a" not in found


def is_plural(text: str) -> bool:
    """Return whether a word or a phrase may be the plural of a noun: sights, power plants."""
    return any(plural(one) == text != one for one in lemmas(text) if "n" in kinds(one))


def is_verb_only(text: str) -> bool:
    """Return whether a word may be a verb and no noun: directed."""
    found = kinds(text)
    return "v" in found and "n" not in found


def uses(text: str) -> dict[str, float]:
    """Return how often a word or a phrase is of each kind that it may be of, against the sense that it has most often.

    >>> uses("borders")
    {'n': 1.0, 'v': 0.894}
    """
    found: dict[str, float] = {}
    for sense in senses_of(fold(text)):  # the heaviest first
        found.setdefault(sense.kind, round(sense.weight, 3))
    return found


def is_often(text: str, kind: str) -> bool:
    """Return whether a word or a phrase is of a kind more than half as often as of that which it is most often."""
    return uses(text).get(kind, 0.0) > 0.5


@lru_cache(maxsize=1 << 13)
@remembered(1 << 13)
def synonyms(text: str) -> Mapping[str, float]:
    """Return the words with a meaning of this one, with the weight of the sense; the best first."""
    senses = senses_of(fold(text))
    return _ranked(text, ((word, sense.weight) for sense in senses for word in meaning_at(sense.place).words))


@remembered(1 << 13)
def derived(text: str) -> Mapping[str, float]:
    """Return the words derived from this one or the ones it is derived from; the best first.

    >>> list(derived("published"))[:2]
    ['publication', 'publisher']
    """
    return _pointed(text, "+\\")


def antonyms(text: str) -> dict[str, float]:
    """Return the opposites of a word; the best first."""
    return _pointed(text, "!")


# Words and their senses -----------------------------------------------------------------------------------


def _pointed(text: str, signs: str) -> dict[str, float]:
    """Return the words that pointers lead to from the word itself."""
    found = []
    for sense in senses_of(fold(text)):
        meaning = meaning_at(sense.place)
        for pointer in (pointer for sign in signs for pointer in meaning.pointers(sign)):
            if fold(meaning.words[pointer.own]) == sense.lemma:
                found.append((meaning_at(pointer.place).words[pointer.other], sense.weight))
    return _ranked(text, found)


def _ranked(text: str, found: Iterable[tuple[str, float]]) -> dict[str, float]:
    best: dict[str, float] = {}
    own = {fold(text), *lemmas(text)}
    for word, share in found:
        if fold(word) not in own:
            best[word] = max(best.get(word, 0.0), share)
    return {word: round(best[word], 3) for word in sorted(best, key=lambda word: -best[word])}


@lru_cache(maxsize=1 << 13)
def senses_of(text: str) -> tuple[Sense, ...]:
    """Return the senses of a folded word or phrase, the one used most first."""
    found: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for lemma, kind in _bases(text):
        senses = _entry(lemma)[0].get(kind, ())
        found[lemma, kind] = [(place, count + 2 / rank) for rank, (place, count) in enumerate(senses, 1)]
    most = max((use for senses in found.values() for _, use in senses), default=1.0)
    read = ((key, *one) for key, senses in found.items() for one in senses)
    weighed = (Sense(*key, place, math.cbrt(use / most)) for key, place, use in read)
    return tuple(sorted(weighed, key=lambda sense: -sense.weight))


def _bases(text: str) -> Iterator[tuple[str, str]]:
    """Yield the base forms of a folded word or phrase with their kinds."""
    senses, irregular = _entry(text)
    yield from ((base, kind) for kind, base in irregular)
    yield from ((text, kind) for kind in senses)
    head, of, rest = text.partition(" of ")
    before, space, last = head.rpartition(" ")
    for kind, endings in _ENDINGS.items():
        if any(kind == other for other, _ in irregular):
            continue
        for form in _bare_forms(last, endings):
            base = before + space + form + of + rest
            if kind in _entry(base)[0]:
                yield base, kind


def _bare_forms(word: str, endings: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield what a word may be without an ending; some forms are no words."""
    for ending, base in endings:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            bare = word.removesuffix(ending)
            yield bare + base
            if not base and len(bare) > 3 and bare[-1] == bare[-2]:
                yield bare[:-1]  # planned, bigger


# The file -------------------------------------------------------------------------------------------------


@cache
def _file() -> tuple[bytes | mmap.mmap, int, int]:
    """Return the text of the file, and where its words begin and its meanings: a line for each, the words in order."""
    known = _FILE.stat()
    key = (str(_FILE), known.st_size, known.st_mtime_ns)
    text = kept("wordnet", key, lambda: zstandard.ZstdDecompressor().decompress(_FILE.read_bytes()))
    head = text.find(b"\n") + 1
    return text, head, head + int(text[:head].split()[2])


@lru_cache(maxsize=1 << 14)
def _entry(word: str) -> tuple[dict[str, tuple[tuple[int, int], ...]], tuple[tuple[str, str], ...]]:
    """Return the senses of a word by kind, places with counts, and the kinds and words that it is a form of."""
    text, low, high = _file()
    wanted = word.encode()
    while low < high:
        start = text.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = text.find(b"\n", start)
        found, _, rest = text[start:end].partition(b"\t")
        if found == wanted:
            senses, _, bases = rest.decode().partition("\t")
            return (
                {
                    group[0]: tuple((int(one[:_WIDTH], _BASE), int(one[_WIDTH:] or 0)) for one in group[1:].split(","))
                    for group in senses.split()
                },
                tuple((base[0], base[1:]) for base in bases.split("|") if base),
            )
        low, high = (end + 1, high) if found < wanted else (low, start)
    return {}, ()


@lru_cache(maxsize=1 << 14)
def meaning_at(place: int) -> Meaning:
    """Return the meaning at a place of the file."""
    text, _, meanings = _file()
    start = meanings + place
    return Meaning(text[start : text.find(b"\n", start)].decode())


def _pointer(text: str) -> _Pointer:
    place, _, ends = text.partition(".")
    own, _, other = ends.partition(".")
    return _Pointer(int(place, _BASE), int(own or -1), int(other or -1))
