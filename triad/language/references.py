"""The words of a language that point back to earlier turns: pronouns, possessives, "the former", "then".

>>> from triad.language.pack import load_pack
>>> [features for form, features in load_pack("en").references.pronouns if form.fullmatch("she")]
[('woman',)]
"""

import re
from collections.abc import Iterable
from typing import Final

from triad.caching import cached_property
from triad.language.normalize import fold
from triad.language.templates import END, START, Templates
from triad.language.turn_schema import Feature, ReferenceData

_WORDS: Final = r"[\w\u0900-\u0963\u200c-]+(?: [\w\u0900-\u0963\u200c-]+){0,2}"
_QUOTES: Final = r"[\"'‘’“”*]*"
_BEFORE: Final = rf"(?<!{_QUOTES[:-1]}){_QUOTES}"  # a long run is read once


class References:
    """A language's words that point back, compiled as regular expressions."""

    def __init__(self, data: ReferenceData, templates: Templates) -> None:
        self.data = data
        self._templates = templates
        self.asks = frozenset(map(fold, data.asks))
        """Words that are a question by themselves: when."""
        self.articles = frozenset(map(fold, data.definite))
        """The definite articles."""

    def without_article(self, text: str) -> str:
        """Return a text without an article before it."""
        first, _, rest = text.partition(" ")
        return rest if fold(first) in self.articles else text

    @cached_property
    def pronouns(self) -> list[tuple[re.Pattern[str], tuple[Feature, ...]]]:
        """The pronouns that stand for a name, with the quotes that people put around them."""
        return [
            (re.compile(rf"{_BEFORE}(?:{START}|(?=[-\u200c]))(?:{form}){END}{_QUOTES}", re.IGNORECASE), features)
            for form, features in self.data.pronouns.items()
        ]

    @cached_property
    def possessives(self) -> list[tuple[re.Pattern[str], tuple[Feature, ...]]]:
        """The possessives, each with the owned noun as its group ``owned``."""
        owned = rf"(?P<owned>{self.data.noun_phrase})"
        before = [(rf"(?i:{form}) {owned}", features) for form, features in self.data.possessives.items()]
        after = [(rf"{owned} (?i:{form})", features) for form, features in self.data.postposed.items()]
        return [(re.compile(f"{START}{form}{END}"), features) for form, features in before + after]

    @cached_property
    def demonstrative(self) -> re.Pattern[str]:
        """``this film``: the words that may be the noun are the group ``noun``."""
        return re.compile(rf"{START}(?:{_any(self.data.demonstratives)}) (?P<noun>{_WORDS})", re.IGNORECASE)

    @cached_property
    def definite(self) -> re.Pattern[str]:
        """``the director``: the words that may be the noun are the group ``noun``."""
        return re.compile(rf"{START}(?:{_any(self.data.definite)})(?:(?<=')| )(?P<noun>{_WORDS})", re.IGNORECASE)

    @cached_property
    def pairs(self) -> list[tuple[re.Pattern[str], int]]:
        """``the former``, ``the latter``: the form, and which one of two it is; -1 is the last."""
        return [(self._templates.searched((form,)), place) for form, place in self.data.pair.items()]

    @property
    def then(self) -> re.Pattern[str]:
        """Words that point back to a time."""
        return self._templates.searched(self.data.then)

    @property
    def expletive(self) -> re.Pattern[str]:
        """Pronouns that stand for nothing: is it true, is there."""
        return self._templates.searched(self.data.expletives)

    @cached_property
    def ellipsis(self) -> list[re.Pattern[str]]:
        """Elliptical questions; the part that they give is the group ``x``."""
        return [*map(self._templates.pattern, self.data.ellipsis)]


def _any(forms: Iterable[str]) -> str:
    """Return a regular expression for any of some words; one that matches nothing if there are none."""
    return "|".join(map(re.escape, sorted(forms, key=len, reverse=True))) or "(?!)"
