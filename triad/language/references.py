"""The words of a language that point back to earlier turns: pronouns, possessives, "the former", "then".

>>> from triad.language.pack import load_pack
>>> [features for form, features in load_pack("en").references.pronouns if form.fullmatch("she")]
[('woman',)]
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, cached_property
from typing import Final

from triad.language.normalize import fold
from triad.language.pack_schema import Feature, ReferenceData

__all__ = ["References", "any_whole"]

_LETTER: Final = r"[\w\u0900-\u0963\u200c]"
"""A letter, or a sign within a word: vowels of Devanagari, the non-joiner of Persian."""
_START: Final = rf"(?<!{_LETTER})"
_END: Final = rf"(?!{_LETTER})"
_WORDS: Final = r"[\w\u0900-\u0963\u200c-]+(?: [\w\u0900-\u0963\u200c-]+){0,2}"
_QUOTES: Final = r"[\"'‘’“”*]*"


class References:
    """A language's words that point back, compiled as regular expressions."""

    def __init__(self, data: ReferenceData) -> None:
        self.data = data
        self.asks = frozenset(map(fold, data.asks))
        """Words that are a question by themselves: when."""

    @cached_property
    def pronouns(self) -> list[tuple[re.Pattern[str], tuple[Feature, ...]]]:
        """The pronouns that stand for a name, with the quotes that people put around them."""
        return [
            (re.compile(rf"{_QUOTES}(?:{_START}|(?=[-\u200c]))(?:{form}){_END}{_QUOTES}", re.IGNORECASE), features)
            for form, features in self.data.pronouns.items()
        ]

    @cached_property
    def possessives(self) -> list[tuple[re.Pattern[str], tuple[Feature, ...]]]:
        """The possessives, each with the owned noun as its group ``owned``."""
        owned = rf"(?P<owned>{self.data.noun_phrase})"
        before = [(rf"(?i:{form}) {owned}", features) for form, features in self.data.possessives.items()]
        after = [(rf"{owned} (?i:{form})", features) for form, features in self.data.postposed.items()]
        return [(re.compile(f"{_START}{form}{_END}"), features) for form, features in before + after]

    @cached_property
    def demonstrative(self) -> re.Pattern[str]:
        """``this film``: the words that may be the noun are the group ``noun``."""
        return re.compile(rf"{_START}(?:{_any(self.data.demonstratives)}) (?P<noun>{_WORDS})", re.IGNORECASE)

    @cached_property
    def definite(self) -> re.Pattern[str]:
        """``the director``: the words that may be the noun are the group ``noun``."""
        return re.compile(rf"{_START}(?:{_any(self.data.definite)})(?:(?<=')| )(?P<noun>{_WORDS})", re.IGNORECASE)

    @cached_property
    def pairs(self) -> list[tuple[re.Pattern[str], int]]:
        """``the former``, ``the latter``: the form, and which one of two it is; -1 is the last."""
        return [(_whole(form), place) for form, place in self.data.pair.items()]

    @property
    def then(self) -> re.Pattern[str]:
        """Words that point back to a time."""
        return any_whole(self.data.then)

    @property
    def expletive(self) -> re.Pattern[str]:
        """Pronouns that stand for nothing: is it true, is there."""
        return any_whole(self.data.expletives)

    @cached_property
    def ellipsis(self) -> list[re.Pattern[str]]:
        """Elliptical questions; the part that they give is the group ``x``."""
        return [re.compile(form, re.IGNORECASE) for form in self.data.ellipsis]


@cache
def any_whole(forms: tuple[str, ...]) -> re.Pattern[str]:
    """Return a regular expression for any of some forms, as whole words; one that matches nothing if there are none."""
    return _whole("|".join(forms) or "(?!)")


def _whole(form: str) -> re.Pattern[str]:
    return re.compile(rf"{_START}(?:{form}){_END}", re.IGNORECASE)


def _any(forms: Iterable[str]) -> str:
    """Return a regular expression for any of some words; one that matches nothing if there are none."""
    return "|".join(map(re.escape, sorted(forms, key=len, reverse=True))) or "(?!)"
