"""The words by which a language points back to what was said: data, one YAML file a language.

>>> words = load_words("de-AT")
>>> words.language, words.replies["none"]
('de', 'Es wurde nichts gefunden.')
>>> load_words("tlh").language
'en'
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, get_args
from typing import Literal as Choice

from pydantic import Field

from triad.language.normalize import fold
from triad.resources import read
from triad.strict import Strict, load_yaml, validate

__all__ = ["CAPITALS", "FOLLOW_UPS", "Feature", "FollowUpKind", "Words", "bare", "languages", "load_words"]

Feature = Choice["man", "woman", "thing", "group", "place"]
"""What a pronoun may stand for."""

FollowUpKind = Choice["why", "query", "count", "first", "sort", "only", "except"]
"""What may be asked about the last answer."""
FOLLOW_UPS: Final = get_args(FollowUpKind)
"""All of them."""

_FOLDER: Final = Path(__file__).with_name("dialogues")
_DEFAULT: Final = "en"
_LETTER: Final = r"[\w\u0900-\u0963\u200c]"
"""A letter, or a sign within a word: vowels of Devanagari, and what parts the letters of a Persian word."""
_START: Final = rf"(?<!{_LETTER})"
_END: Final = rf"(?!{_LETTER})"
_WORDS: Final = r"[\w\u0900-\u0963\u200c-]+(?: [\w\u0900-\u0963\u200c-]+){0,2}"
CAPITALS: Final = "".join(char for char in map(chr, range(0x41, 0x530)) if char.isupper())
"""The capitals of the scripts that have them: Latin, Greek, Cyrillic."""
_MARKS: Final = "¿¡?!.؟।… "


class _File(Strict):
    """A file of words; ``en.yaml`` says what the keys mean."""

    language: str
    pronouns: dict[str, tuple[Feature, ...]]
    possessives: dict[str, tuple[Feature, ...]]
    postposed: Mapping[str, tuple[Feature, ...]] = Field(default_factory=dict)
    owned: str
    demonstratives: tuple[str, ...]
    definite: tuple[str, ...]
    superlative: str
    noun_phrase: str
    of: str
    asks_for: str
    drops_subject: bool
    ellipsis: tuple[str, ...]
    expletives: tuple[str, ...]
    pair: dict[str, int]
    then: tuple[str, ...]
    in_time: str
    in_place: str
    asks: tuple[str, ...]
    first: dict[str, int]
    numbers: dict[str, int]
    small: str
    follow_ups: dict[FollowUpKind, tuple[str, ...]]
    down: tuple[str, ...]
    up: tuple[str, ...]
    by_name: tuple[str, ...]
    compare: dict[Choice[">", ">=", "<", "<="], tuple[str, ...]]
    dated: tuple[str, ...]
    replies: dict[str, str]
    sentences: tuple[tuple[str, str], ...]
    comma: str = ", "
    stop: str = "."
    people: tuple[str, ...]
    places: tuple[str, ...]
    groups: tuple[str, ...]
    of_people: tuple[str, ...]
    gender: tuple[str, ...]
    men: tuple[str, ...]
    women: tuple[str, ...]


class Words:
    """A language's words, ready to be looked for."""

    def __init__(self, file: _File) -> None:
        self.file = file
        self.language = file.language
        self.replies = file.replies
        self.asks = frozenset(map(fold, file.asks))
        """Words that are a question by themselves: when."""
        self.small = frozenset(map(fold, file.small.split())) | {word for one in self.asks for word in one.split()}
        """Words that name nothing by themselves, folded."""

    def is_small(self, text: str) -> bool:
        """Tell whether all words of a text name nothing by themselves."""
        return all(word in self.small for word in fold(text).split())

    @cached_property
    def pronouns(self) -> list[tuple[re.Pattern[str], tuple[Feature, ...]]]:
        """The pronouns that stand for a name, with the quotes that people put around them."""
        quotes = r"[\"'‘’“”*]*"
        return [
            (re.compile(rf"{quotes}(?:{_START}|(?=[-\u200c]))(?:{form}){_END}{quotes}", re.IGNORECASE), features)
            for form, features in self.file.pronouns.items()
        ]

    @cached_property
    def possessives(self) -> list[tuple[re.Pattern[str], tuple[Feature, ...]]]:
        """The possessives, each with what is owned as its group ``owned``."""
        owned = rf"(?P<owned>{self.file.noun_phrase})"
        before = [
            (re.compile(rf"{_START}(?i:{form}) {owned}{_END}"), features)
            for form, features in self.file.possessives.items()
        ]
        after = [
            (re.compile(rf"{_START}{owned} (?i:{form}){_END}"), features)
            for form, features in self.file.postposed.items()
        ]
        return before + after

    @cached_property
    def demonstrative(self) -> re.Pattern[str]:
        """``this film``: the words that may be the noun are the group ``noun``."""
        return re.compile(rf"{_START}(?:{_any(self.file.demonstratives)}) (?P<noun>{_WORDS})", re.IGNORECASE)

    @cached_property
    def definite(self) -> re.Pattern[str]:
        """``the director``: the words that may be the noun are the group ``noun``."""
        return re.compile(rf"{_START}(?:{_any(self.file.definite)})(?:(?<=')| )(?P<noun>{_WORDS})", re.IGNORECASE)

    @cached_property
    def superlative(self) -> re.Pattern[str]:
        """Words that single out one of a class by themselves: the highest."""
        return re.compile(rf"{_START}{self.file.superlative}{_END}", re.IGNORECASE)

    @cached_property
    def pairs(self) -> list[tuple[re.Pattern[str], int]]:
        """``the former``, ``the latter``: the form, and which one of two it is; -1 is the last."""
        return [
            (re.compile(rf"{_START}(?:{form}){_END}", re.IGNORECASE), place) for form, place in self.file.pair.items()
        ]

    @cached_property
    def then(self) -> re.Pattern[str]:
        """Words that point back to a time."""
        return re.compile(rf"{_START}(?:{'|'.join(self.file.then)}){_END}", re.IGNORECASE)

    @cached_property
    def ellipsis(self) -> list[re.Pattern[str]]:
        """Questions that are only a part of one; the part is the group ``x``."""
        return [re.compile(form, re.IGNORECASE) for form in self.file.ellipsis]

    @cached_property
    def expletive(self) -> re.Pattern[str]:
        """Pronouns that stand for nothing: is it true, is there."""
        return re.compile(rf"{_START}(?:{'|'.join(self.file.expletives)}){_END}", re.IGNORECASE)

    @cached_property
    def follow_ups(self) -> list[tuple[FollowUpKind, re.Pattern[str]]]:
        """Wishes about the last answer."""
        return [
            (kind, re.compile(form, re.IGNORECASE)) for kind, forms in self.file.follow_ups.items() for form in forms
        ]

    @cached_property
    def sentences(self) -> list[tuple[re.Pattern[str], str]]:
        """Questions whose words make the answer's sentence."""
        return [(re.compile(form, re.IGNORECASE), sentence) for form, sentence in self.file.sentences]

    def in_time(self, time: str) -> str:
        """Return what takes the place of "then"."""
        return self.file.in_time.format(time=time)

    def number(self, text: str) -> int | None:
        """Return the number that a text is, in digits or in a word."""
        word = fold(text)
        return int(word) if word.isdecimal() and len(word) < 6 else self._numbers.get(word)

    def place(self, text: str) -> int | None:
        """Return which one of a list a text means: "2", "the second"; -1 is the last."""
        for word in fold(text).split():
            if word in self._places:
                return self._places[word]
        return self.number(text)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {fold(word): number for word, number in self.file.numbers.items()}

    @cached_property
    def _places(self) -> dict[str, int]:
        return {fold(word): number for word, number in self.file.first.items()}

    @cached_property
    def comparisons(self) -> list[tuple[re.Pattern[str], str, bool]]:
        """Comparisons with a number or a year: the form, the operator, and whether a year may be meant."""
        pairs = sorted(
            ((form, sign) for sign, forms in self.file.compare.items() for form in forms),
            key=lambda pair: -len(pair[0]),
        )
        number = rf"(?P<number>\d[\d.,]*)(?: (?P<unit>{_any(self.magnitudes)}){_END})?"

        def compiled(form: str) -> re.Pattern[str]:
            before, _, after = map(re.escape, (form if "{n}" in form else f"{form} {{n}}").partition("{n}"))
            return re.compile(rf"{_START}{before}{number}{after}", re.IGNORECASE)

        return [(compiled(form), sign, form in self.file.dated) for form, sign in pairs]

    @cached_property
    def magnitudes(self) -> tuple[str, ...]:
        """Words for thousands and more."""
        return tuple(word for word, number in self.file.numbers.items() if number >= 1_000)

    def folded(self, *keys: str) -> frozenset[str]:
        """Return the folded words of some keys, those of English too: many graphs have English names only."""
        files = {self.language: self.file, _DEFAULT: load_words(_DEFAULT).file}
        return frozenset(_folded(files.values(), keys))


def _folded(files: Any, keys: tuple[str, ...]) -> Iterator[str]:
    for file in files:
        for key in keys:
            yield from map(fold, getattr(file, key))


def _any(forms: tuple[str, ...]) -> str:
    """Return an expression for one of some words; for none of none."""
    return "|".join(map(re.escape, sorted(forms, key=len, reverse=True))) or "(?!)"


def bare(text: str) -> str:
    """Return a text in one line, without the marks around it."""
    return " ".join(text.split()).strip(_MARKS)


def languages() -> tuple[str, ...]:
    """Return the languages that there are words of."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


def load_words(language: str) -> Words:
    """Return the words of a language, given as a tag; of English, where there are none.

    Raises:
        ConfigError: The file of the language is malformed.
    """
    name = language.lower().partition("-")[0]
    return _load(name if name in languages() else _DEFAULT)


@cache
def _load(name: str) -> Words:
    path = _FOLDER / f"{name}.yaml"
    return Words(validate(_File, load_yaml(unicodedata.normalize("NFC", read(path)), str(path)), path))
