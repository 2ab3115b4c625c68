"""The templates of a pack: how people say what is no question, for speakers of the language to review.

A template is words with a few marks. ``(a|b c)`` is one of a few, ``{name}`` one of the pack's list of that name. After
a word, a group or a list, ``?`` says that it may be missing, ``+`` that it may come more than once, ``*`` both. ``!``
before it says that it must not come next, ``&`` that it must. Words have their accents, which people may leave out;
their ``'``, ``-`` or non-joiner may be missing or a space. There may be a comma between words; a ``,`` must be there.
``orden-`` is any word that begins so, ``-en`` any that ends so; ``^`` is the beginning of the text, ``$`` its end; what
comes after ``~`` may be an ending of the word before.

>>> templates = Templates({"only": ("só", "apenas"), "lead": ("e", "mas", "por favor")}, frozenset({"what"}))
>>> form = templates.pattern("{lead}* {only} (os|as)? !tudo {what}")
>>> [match and match["what"] for match in map(form.fullmatch, ("E, por favor, so os filmes", "apenas tudo"))]
['filmes', None]

A slot, such as ``{what}``, is what is said there: ``{what:3}`` has three words at most, ``{what:no comma}`` no comma,
``{what:only}`` is an entry of a list. Lists that are always there: ``{number}`` from two on, ``{word}`` is any word,
``{words}`` any words, ``{capital}`` a word with a capital.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from triad.errors import ConfigError
from triad.language.normalize import CAPITALS, fold

_LETTER: Final = r"[\w\u0900-\u0963\u200c]"  # or a sign within a word: vowels of Devanagari, the non-joiner
START: Final = rf"(?<!{_LETTER})"
END: Final = rf"(?!{_LETTER})"
_PART: Final = r"[\w\u0900-\u0963\u200c-]*"
_BETWEEN: Final = "[,،]? "
_LEANS: Final = "['’ ]?"
_MAY_LACK: Final = {"'": _LEANS, "-": "[- ]?", "\u200c": "[\u200c ]?", "\u093c": "\u093c?"}
_TWINS: Final = {"é": "è", "è": "é", "ș": "ş", "ț": "ţ", "â": "î", "ی": "ي", "ک": "ك", "ँ": "ं"}
_MARKS: Final = {"^": "^", "$": r"(?=\W*$)", ",": "(?=[,،])", "~": "[\u200c ]?"}
_GRAVE: Final = "àèéìòù"  # at the end of a word, their accent may be typed as an apostrophe: perche'
_AHEAD: Final = {"!": "?!", "&": "?="}
_ONE: Final = r"\S+?"
_ANY: Final = ".+?"
_ALWAYS: Final = {"word": rf"{_LETTER}{_PART}", "words": _ANY, "capital": rf"(?-i:[{CAPITALS}]){_PART}"}
_TOKEN: Final = re.compile(r"\s*(\{[^{}]*\}|[()|?*+&!,~^$]|[^\s(){}|?*+&!,~^$]+)")


class Templates:
    """The templates of a language, as regular expressions."""

    def __init__(
        self,
        lists: Mapping[str, Iterable[str]],
        slots: frozenset[str],
        typed: Mapping[str, str] | None = None,
        whole_letters: bool = False,
    ) -> None:
        """Take lists of templates, the names of slots, and as a pack says it, what letters are typed for others."""
        self._lists, self._slots = lists, slots
        self._typed: dict[str, set[str]] = {}
        for letters, letter in (typed or {}).items():
            self._typed.setdefault(letter, set()).add(letters)
        self._whole = whole_letters
        self.pattern, self.searched = cache(self._pattern), cache(self._searched)
        self._list = cache(self._any_of_list)
        self._letter = cache(self._letter_forms)

    def _pattern(self, template: str) -> re.Pattern[str]:
        """Return the regular expression of a template."""
        try:
            return re.compile(self._regex(template), re.IGNORECASE)
        except (ValueError, IndexError, RecursionError, re.error) as error:
            raise ConfigError(f"the template {template!r} cannot be read: {error}") from error

    def _searched(self, templates: tuple[str, ...]) -> re.Pattern[str]:
        """Return the regular expression of any of some templates, wherever it stands; of nothing, if there are none."""
        return re.compile(f"{START}(?:{'|'.join(map(self._regex, templates)) or '(?!)'}){END}", re.IGNORECASE)

    def _regex(self, template: str) -> str:
        tokens = [match[1] for match in _TOKEN.finditer(template)]
        if _TOKEN.sub("", template).strip():
            raise ValueError("a brace has no other")
        regex, end = self._choice(tokens, 0)
        if end < len(tokens):
            raise ValueError("a bracket closes that was not opened")
        return regex

    def _choice(self, tokens: Sequence[str], at: int) -> tuple[str, int]:
        """Return the alternatives that begin at a token, and where they end."""
        found: list[str] = []
        while True:
            sequence, at = self._sequence(tokens, at)
            found.append(sequence)
            if at == len(tokens) or tokens[at] == ")":
                return _any(found), at
            at += 1

    def _sequence(self, tokens: Sequence[str], at: int) -> tuple[str, int]:
        """Return the words that begin at a token, and where they end.

        What is between words belongs to those that may be missing: after them before the first that must be there.
        """
        found, headed, last = "", False, ""
        while at < len(tokens) and tokens[at] not in ("|", ")"):
            sign, at = (tokens[at], at + 1) if tokens[at] in _AHEAD else ("", at)
            if at == len(tokens):
                raise ValueError("nothing follows at its end")
            if (token := tokens[at]) == "(":
                one, at = self._choice(tokens, at + 1)
                if at == len(tokens):
                    raise ValueError("a bracket is not closed")
            else:
                one = _MARKS.get(token) or self._word(token)
            at += 1
            often, at = (tokens[at], at + 1) if at < len(tokens) and tokens[at] in ("?", "*", "+") else ("", at)
            if sign:
                found += f"({_AHEAD[sign]}{f'(?:{_BETWEEN})?' if headed else ''}{one}{END})"
            elif token in _MARKS:
                found, last = found + one, token
            elif headed:
                between = "" if last == "~" else _between(last, one)
                found += f"(?:{between}{one}){often}" if often else between + one
                last = one
            elif often in ("?", "*"):
                found += f"(?:{one}{_between(one, '')}){often}"
            else:
                found = f"{found}{one}(?:{_between(one, one)}{one})*" if often else found + one if found else one
                headed, last = True, one
        if not (headed or found in _MARKS.values()):
            raise ValueError("all its words may be missing")
        return found, at

    def _word(self, token: str) -> str:
        if token[0] == "{":
            name, _, said = token[1:-1].partition(":")
            if name not in self._slots:
                return self._list(name)
            return f"(?P<{name}>{self._filling(said) if said else _ONE if name in ('n', 'nth') else _ANY})"
        before, after = _LETTER + _PART if token[0] == "-" else "", _PART if token[-1] == "-" else ""
        accent = "['’]?" if token[-1] in _GRAVE else ""
        return before + "".join(map(self._letter, token.strip("-"))) + accent + after

    def _filling(self, said: str) -> str:
        if said.isdecimal():
            return f"{_ONE}(?: {_ONE}){{0,{int(said) - 1}}}?"
        return "[^,،]+?" if said == "no comma" else self._list(said)

    def _any_of_list(self, name: str) -> str:
        if name in _ALWAYS:
            return _ALWAYS[name]
        if name not in self._lists:
            raise ValueError(f"there is no list {name!r}; there are: {', '.join(sorted(self._lists))}")
        return _any([*map(self._regex, self._lists[name]), *([r"\d+"] if name == "number" else [])])

    def _letter_forms(self, char: str) -> str:
        """Return a letter of a template with all that people type for it."""
        if char in _MAY_LACK:
            return _MAY_LACK[char]
        plain = fold(char) if unicodedata.category(char) == "Ll" and (not self._whole or char == "ё") else char
        return _any(sorted(map(re.escape, {char, plain, _TWINS.get(char, char), *self._typed.get(char, ())})))


def _between(last: str, one: str) -> str:
    """Return what may stand between two words: nothing, too, where one of them leans on the other, as l' and 's do."""
    leaning = [form for form, word in (("(?<=['’])", last), ("(?=['’])", one)) if _LEANS in word]
    return f"(?:{'|'.join([_BETWEEN, *leaning])})" if leaning else _BETWEEN


class _Choice(str):
    """A regular expression for one of several."""

    __slots__ = ("parts",)
    parts: tuple[str, ...]


def _any(forms: Iterable[str]) -> str:
    """Return a regular expression for one of some, the longest first, as a group if there are several."""
    parts = (part for one in forms for part in (one.parts if isinstance(one, _Choice) else (one,)))
    if len(found := sorted(dict.fromkeys(parts), key=len, reverse=True)) == 1:
        return found[0]
    choice = _Choice(f"[{''.join(found)}]" if all(len(one) == 1 for one in found) else f"(?:{'|'.join(found)})")
    choice.parts = tuple(found)
    return choice
