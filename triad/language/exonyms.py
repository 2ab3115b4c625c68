"""How names are said in a language: with the ending of a genitive, in its own word for a place, as an adjective.

Most things are called the same everywhere, and graphs often name things in English only. What differs by rule are
endings ("Kubricks") and the words for kinds of things ("Lago Maggiore"); what differs by custom are the names of places
("Deutschland") and what is made of them ("deutsche"). The words are data: in ``names``, a line for each kind or place
with what it is called in English and in the other languages; names in one language are parted by a bar.

>>> naming = Naming(load_lexicon("de"))
>>> naming.forms("Kubricks"), naming.forms("deutschen"), naming.forms("Chinas")
(('Kubricks', 'Kubrick'), ('deutschen', 'Germany'), ('Chinas', 'China'))
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from triad.language.normalize import fold
from triad.language.pack import Lexicon, load_lexicon

__all__ = ["Naming", "load_naming"]

_FOLDER: Final = Path(__file__).with_name("names")
_NAME: Final = "0"  # stands for a name while the words around it are folded
_LEFT: Final = 3  # characters of a name that an ending must leave


class Naming:
    """The names of a language."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._english: dict[tuple[str, ...], tuple[str, ...]] = {}
        """English names of places by the stems of what they are called in the language."""
        for names, english in [
            *_column("names", "en", lexicon.language),
            *_column("adjectives", "place", lexicon.language),
        ]:
            for name in names:
                self._english.setdefault(tuple(lexicon.stem_list(name)), english)
        self._kinds: list[tuple[str, str, tuple[str, ...]]] = []
        """What comes before and after a name to tell its kind, as it is folded, and how English tells it."""
        for names, english in _column("kinds", "en", lexicon.language):
            for name in names:
                before, after = fold(name.replace("{}", _NAME)).split(_NAME)
                self._kinds.append((before, after, english))

    def forms(self, text: str) -> tuple[str, ...]:
        """Return the texts by which a name in a question may be found: itself, without its ending, in English."""
        own = self._own(text)
        kinds = [name for form in own for name in self._of_kind(form)]
        return tuple(dict.fromkeys([*own, *self.english(text), *kinds]))

    def english(self, text: str) -> tuple[str, ...]:
        """Return the English names of a place."""
        found = (self._english.get(tuple(self._lexicon.stem_list(form)), ()) for form in self._own(text))
        return tuple(name for names in found for name in names)

    def common(self, stem: str) -> tuple[str, ...]:
        """Return what a common noun of another language than English is called in English, by its stem."""
        return tuple(dict.fromkeys(self._lexicon.translations.get(stem, ())))

    def is_common(self, word: str) -> bool:
        """Return whether a word in capitals is a common noun all the same, as far as the lexicon knows."""
        return self._lexicon.data.capital_nouns and self._lexicon.stem(word) in self._lexicon.translations

    def _of_kind(self, text: str) -> Iterator[str]:
        """Yield English names for what is called by its kind and a name: "Lago Maggiore"."""
        folded = fold(text)
        for before, after, english in self._kinds:
            if folded.startswith(before) and folded.endswith(after):
                name = folded[len(before) : len(folded) - len(after)].strip()
                if len(name) >= _LEFT:
                    yield from (kind.replace("{}", one) for one in (*self.english(name), name) for kind in english)

    def _own(self, text: str) -> list[str]:
        """Return a text, and the same without the endings that it may have."""
        rests = [text.removesuffix(ending) for ending in self._lexicon.data.genitives]
        return [text, *(rest for rest in rests if rest != text and len(rest.rpartition(" ")[2]) >= _LEFT)]


def _column(name: str, place: str, language: str) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    """Yield what a file says for a language, each with the English names of the place."""
    with (_FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row[language] and place != language:
                yield row[language].split("|"), tuple(row[place].split("|"))


@cache
def load_naming(language: str) -> Naming:
    """Return how names are said in a language that has a lexicon."""
    return Naming(load_lexicon(language))
