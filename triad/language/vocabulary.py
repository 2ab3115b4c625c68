"""What common words of other languages mean in English.

`triad.language.pack` says how people ask, and what they call the relations that graphs typically have. This is the rest
of the words: nouns, verbs and adjectives that name classes and relations anywhere, with the English words for them.
``words/translations.csv`` has a line for each English word, with its words in other languages; a bar separates
several, irregular forms among them. The English words occur in terms of schema.org, are among the nouns and verbs that
WordNet counts most often in texts, name what databases of any field hold, or were missing for the most frequent words
of German, French and Spanish; the translations were written for Triad. A language without a column has the words of its
pack only.

A word means what is spelt as it is, and less surely what only has its stem: *porte* is a door, and may be worn.

>>> from triad.language.pack import load_pack
>>> vocabulary = load_pack("de").vocabulary
>>> [one.english for one in vocabulary.meanings(["Versicherung"], 0)]
['insurance']
>>> [(one.english, one.weight) for one in vocabulary.meanings(["Passagierflugzeuge"], 0)][:2]
[('passenger aircraft', 0.85), ('passenger plane', 0.85)]
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, Final

from triad.language.phrases import Phrases

if TYPE_CHECKING:  # packs have a vocabulary each
    from triad.language.pack import Pack

_FILE: Final = Path(__file__).with_name("words") / "translations.csv"
_ENGLISH: Final = "en"

TRANSLATED: Final = 0.9
"""How well a translation stands for a word."""
ASSOCIATED: Final = 0.8
"""How well a word of the pack does, which may be any that asks for the same relation, where the file has another."""
COMPOUND: Final = 0.85
"""How well the translations of both parts stand for a compound."""
HEAD: Final = 0.6
"""How well the translation of its last part does."""

_ENDINGS: Final = ("e", "s", "n", "en", "es", "er")  # that nouns and adjectives take
_PART: Final = 3  # the least letters of a part of a compound


@dataclass(frozen=True, slots=True)
class Meaning:
    """What words mean in English."""

    end: int
    """Position after the last word."""
    english: str
    weight: float
    """How well it stands for the words, from 0 to 1."""


class Vocabulary:
    """The words of a language: those of its pack and those of the file."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        found: defaultdict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
        spelt: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for english, phrases in words_of(pack.language).items():
            for phrase in phrases:
                found[tuple(pack.stem_list(phrase))][english] = spelt[pack.key(phrase)][english] = TRANSLATED
        for english, asked in pack.data.words.items():
            for phrase in asked:
                key = tuple(pack.stem_list(phrase))
                weight = ASSOCIATED if TRANSLATED in found[key].values() else TRANSLATED
                spelt[pack.key(phrase)].setdefault(english, found[key].setdefault(english, weight))
        for entry in pack.data.degrees if pack.english is not pack else ():
            for phrase, like in product((*entry.plain, *entry.most), [entry.like] if entry.like else []):
                found[tuple(pack.stem_list(phrase))].setdefault(like, ASSOCIATED)
        self._phrases = Phrases((stems, meanings) for stems, meanings in found.items() if stems)
        self._single = {stems[0]: meanings for stems, meanings in found.items() if len(stems) == 1}
        self._spelt = spelt
        infinitive = re.compile(pack.data.verb_first)
        entries = chain.from_iterable((*words_of(pack.language).values(), *pack.data.words.values()))
        self._verbs = {pack.key(one) for one in entries if one == one.lower() and infinitive.search(one)}

    def meanings(self, words: Sequence[str], at: int, stems: Sequence[str] = ()) -> Iterator[Meaning]:
        """Yield what the phrases that begin at a position mean, and of a compound what its parts do.

        Stems are given where they are known: a verb and its particle have one.
        """
        own = self._pack.stem(words[at])
        stems = stems or [self._pack.stem(word) for word in words]
        for end, meanings in self._phrases.at(stems, at):
            if end > at + 1:
                yield from (Meaning(end, english, weight) for english, weight in meanings.items())
        spelt = self._spelt.get(self._base(words[at]), {}) if stems[at] == own else {}
        if found := {**self._single.get(stems[at], {}), **spelt}:
            most = ASSOCIATED if spelt else TRANSLATED  # for words that only have the same stem: port, porte
            yield from (Meaning(at + 1, one, spelt.get(one, min(most, weight))) for one, weight in found.items())
        else:
            yield from self._compound(words[at], at)

    def knows(self, word: str) -> bool:
        """Return whether a word, in any form, has a meaning."""
        return self._pack.stem(word) in self._single or bool(self._base(word))

    def is_noun(self, word: str) -> bool:
        """Return whether a word is no verb, though it may have the stem of one: the vintage, añada, but not añade."""
        base = self._base(word)
        return bool(base) and base not in self._verbs

    def _base(self, word: str) -> str:
        """Return what is spelt as a word, or as it without an ending; empty if nothing is.

        Stemmers do not join all forms: they take the s of *Kurs*, but not of *Kurse*, for an ending.
        """
        key = self._pack.key(word)
        bases = (key, *(key.removesuffix(ending) for ending in _ENDINGS if key.endswith(ending)))
        return next((base for base in bases if base in self._spelt and len(base) >= _PART), "")

    def _compound(self, word: str, at: int) -> Iterator[Meaning]:
        """Yield the meanings of a compound by the longest last part that is known."""
        if parts := self._pack.parts(word, self._single):
            firsts, lasts = self._single.get(parts[0], {}), self._single[parts[1]]
            yield from (Meaning(at + 1, f"{first} {last}", COMPOUND) for first, last in product(firsts, lasts))
            yield from (Meaning(at + 1, last, HEAD) for last in lasts)


@cache
def words_of(language: str) -> dict[str, tuple[str, ...]]:
    """Return the words of a language for each English one; none for a language that the file lacks."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if language == _ENGLISH or language not in (rows.fieldnames or ()):
            return {}
        return {row[_ENGLISH]: tuple(row[language].split("|")) for row in rows if row[language]}
