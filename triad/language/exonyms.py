"""The forms of names in a language: with a genitive ending, as its own word for a place, as an adjective.

Most entities have the same name in all languages, and graphs often name entities in English only. Rules cover endings
("Kubricks") and the words for kinds of entities ("Lago Maggiore"). Names of places ("Deutschland") and their adjectives
("deutsche") are data: those of countries come from CLDR, the others from ``names``, which has a line for each kind or
place with its names in English and in other languages. A bar separates several names in one language.

>>> naming = Naming(load_pack("de"))
>>> naming.forms("Kubricks"), naming.forms("deutschen"), naming.forms("Chinas")
(('Kubricks', 'Kubrick'), ('deutschen', 'Germany', 'Deutschland'), ('Chinas', 'China'))
"""

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from babel import Locale

from triad.language.normalize import fold
from triad.language.pack import Pack, load_pack
from triad.language.vocabulary import TRANSLATED

_FOLDER: Final = Path(__file__).with_name("names")
_NAME: Final = "0"  # stands for a name while the words around it are folded
_ENGLISH: Final = "en"
_NO_PLACES: Final = frozenset(("001", "EZ", "QO", "XA", "XB", "ZZ"))
"""Codes of CLDR that stand for no country or continent: the world, currency areas, leftovers, the unknown region."""
_LEFT: Final = 3  # characters of a name that an ending must leave


class Naming:
    """The names of a language."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._places: dict[tuple[str, ...], tuple[str, ...]] = {}
        """English names of places by the stems of what they are called in the language; by adjectives its own, too."""
        names, said = list(_column("names", "en", pack.language)), Locale(pack.language).territories
        abroad = _english_countries() if pack.language != _ENGLISH else {}
        countries = [([said[code]], english) for code, english in abroad.items() if code in said]
        own = {fold(one): called for called, english in [*countries, *names] for one in english}
        adjectives = (
            (called, (*english, *(one for place in english for one in own.get(fold(place), ()))))
            for called, english in _column("adjectives", "place", pack.language)
        )
        for called, english in [*names, *adjectives, *countries]:
            for name in called:
                self._places.setdefault(tuple(pack.stem_list(name)), english)
        self._kinds: list[tuple[str, str, tuple[str, ...]]] = []
        """The folded words before and after a name that tell its kind, and the English ones for the same kind."""
        for called, english in _column("kinds", "en", pack.language):
            for name in called:
                before, after = fold(name.replace("{}", _NAME)).split(_NAME)
                self._kinds.append((before, after, english))

    def forms(self, text: str) -> tuple[str, ...]:
        """Return the texts by which a name in a question may be found: itself, without its ending, in English."""
        own = self._own(text)
        kinds = [name for form in own for name in self._of_kind(form)]
        return tuple(dict.fromkeys([*own, *self.english(text), *kinds]))

    def english(self, text: str) -> tuple[str, ...]:
        """Return the English names of a place; of an adjective for one also those in the language."""
        found = (self._places.get(tuple(self._pack.stem_list(form)), ()) for form in self._own(text))
        return tuple(name for names in found for name in names)

    def common(self, word: str) -> tuple[str, ...]:
        """Return the English words for a word of another language."""
        return tuple(one.english for one in self._pack.vocabulary.meanings([word], 0) if one.weight >= TRANSLATED)

    def is_common(self, word: str) -> bool:
        """Return whether the pack knows a capitalised word as a common noun."""
        return self._pack.data.capital_nouns and self._pack.stem(word) in self._pack.translations

    def sexes(self, noun: str) -> list[str]:
        """Return what graphs may call the sex of those whom a noun calls.

        >>> load_naming("de").sexes("Frauen")
        ['weiblich', 'female', 'woman']
        """
        pack, own, usual = self._pack, self._pack.data.kinds, self._pack.english.data.kinds
        stem = pack.stem(pack.key(noun))
        for here, there in ((own.men, usual.men), (own.women, usual.women)):
            stems = {one: pack.stem(pack.key(one)) for one in (*here, *there)}
            if stem in (stems[one] for one in here):
                return [one for one, other in stems.items() if len(one) > 1 and other != stem]
        return []

    def _of_kind(self, text: str) -> Iterator[str]:
        """Yield English names for what is called by its kind and a name: "Lago Maggiore"."""
        folded = fold(text)
        for before, after, english in self._kinds:
            name = folded[len(before) : len(folded) - len(after)].strip()
            if folded.startswith(before) and folded.endswith(after) and len(name) >= _LEFT:
                yield from (kind.replace("{}", one) for one in (*self.english(name), name) for kind in english)

    def _own(self, text: str) -> list[str]:
        rests = [text.removesuffix(ending) for ending in self._pack.data.genitives]
        return [text, *(rest for rest in rests if rest != text and len(rest.rpartition(" ")[2]) >= _LEFT)]


def _column(name: str, place: str, language: str) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    with (_FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row.get(language) and place != language:
                yield row[language].split("|"), tuple(row[place].split("|"))


@cache
def _english_countries() -> dict[str, tuple[str, ...]]:
    """Return the English names of CLDR's territories, the ones of ``names.csv`` where it has further ones."""
    with (_FOLDER / "names.csv").open(encoding="utf-8", newline="") as file:
        rows = [tuple(row[_ENGLISH].split("|")) for row in csv.DictReader(file)]
    further = {fold(name): names for names in rows for name in names}
    names = ((code, name) for code, name in Locale(_ENGLISH).territories.items() if code not in _NO_PLACES)
    written = {code: name.replace("&", "and").replace("St. ", "Saint ").replace("’", "'") for code, name in names}
    return {code: further.get(fold(name), (name,)) for code, name in written.items()}


@cache
def load_naming(language: str) -> Naming:
    """Return the forms of names in a language that has a pack."""
    return Naming(load_pack(language))
