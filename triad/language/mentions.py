"""Mention detection from words alone: the runs of words in a text that may be names.

This module does not use a graph; its callers look the runs up. The solver looks up nearly all of them (`spans`). The
vocabulary of the prompts and the conversation use runs that begin and end with a content word (`edged`); a conversation
takes those with capitals first (`places`). A capitalised function word within a text may be part of a name: "Brian
May", "The Who".
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from triad.language.normalize import CAPITALS, fold
from triad.language.pack import Pack
from triad.language.tokens import Word, split

_LONGEST: Final = 14  # tokens of a name that a conversation speaks of
_PLACES: Final = 60  # places of a text that are looked up at most
_GLUE: Final = re.compile(r"[.&+#%@/:'’-]*")
_APOSTROPHES: Final = "'’ʼ`´"
_QUOTED: Final = re.compile(r"[\"“«‘*'](?P<name>[^\"“”«»*]{2,}?)[\"”»’*'](?!\w)")
_RUN: Final = re.compile(rf"(?<!\w)[{CAPITALS}][\w-]*(?: (?:[a-zà-ÿ]{{1,3}} )?[{CAPITALS}][\w-]*)*")

_PARTS: Final = re.compile(r"(?=(?P<two>[\w-]+ [\w-]+))?(?P<one>[\w-]+)")
_SHORT: Final = 2  # letters of a word that is too short to stand for a name

Place = tuple[int, int]
"""Offsets of the first character and after the last one in a text."""


# Words, as the solver reads them ---------------------------------------------------------------------------


def spans(words: Sequence[Word], longest: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of words that may be names: all but those of function words that are not written like one."""
    for start in range(len(words)):
        for end in range(start + 1, min(start + longest, len(words)) + 1):
            run = words[start:end]
            if not all(word.empty for word in run) or _is_title(run, first=start == 0):
                yield start, end


def is_capital(text: str) -> bool:
    """Return whether a word begins like a name: with a capital or a digit."""
    return text[:1].isupper() or text[:1].isdigit()


def is_acronym(text: str) -> bool:
    """Return whether a word is written in capitals only: "US" is a name, "us" is none."""
    return text.isupper() and len(text) > 1


def _is_title(run: Sequence[Word], *, first: bool) -> bool:
    """Return whether function words are written like a name: "US", "Who" within a question, "How to Be"."""
    if len(run) == 1:
        return is_acronym(run[0].text) or (not first and is_capital(run[0].text))
    capitals = [is_capital(word.text) for word in run]
    return all(capitals) or (not first and capitals[0] and capitals[-1])


def capital_runs(words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each longest run of words with capitals."""
    return runs(is_capital(word.text) for word in words)


def runs(flags: Iterable[bool]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each run of positions whose flag is true."""
    start = 0
    for flag, group in itertools.groupby(flags):
        end = start + len([*group])
        if flag:
            yield start, end
        start = end


# Tokens: words without a space between them --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Token:
    """A token: one word, or several with hyphens or dots between them."""

    text: str
    start: int
    """Offset of its first character in the text."""
    end: int
    """Offset after its last character, an ending such as 's left out."""
    idle: bool
    """True if it names nothing by itself."""
    first: bool
    """True if it is the first one, which has a capital in any case."""

    @property
    def is_edge(self) -> bool:
        """True if a name may begin or end with it."""
        return not self.idle or is_acronym(self.text) or (self.text[0].isupper() and not self.first)

    @property
    def like_name(self) -> bool:
        """True if its letters are those of a name: a capital, a digit at the beginning, a script without capitals."""
        capitals = (char.isupper() or (char.isalpha() and not char.islower()) for char in self.text)
        return self.text[0].isdecimal() or any(capitals)


def tokens(text: str, pack: Pack) -> list[Token]:
    """Return the tokens of a text.

    >>> from triad.language.pack import load_pack
    >>> [token.text for token in tokens("Who is co-author of Kubrick's book?", load_pack("en")) if not token.idle]
    ['co-author', 'Kubrick', 'book']
    """
    found: list[Place] = []
    apart = True
    for word in split(text, pack):
        if word.text.lower() in pack.endings or word.text[-1] in _APOSTROPHES:
            apart = True
            continue
        if not apart and _GLUE.fullmatch(text, found[-1][1], word.start):
            found[-1] = (found[-1][0], word.end)
        else:
            found.append((word.start, word.end))
        apart = False
    return [Token(text[a:b], a, b, pack.is_idle(text[a:b]), at == 0) for at, (a, b) in enumerate(found)]


def edged(found: Sequence[Token], edges: Sequence[int], longest: int) -> Iterator[tuple[int, int]]:
    """Yield the positions of the first and last tokens of the runs between edges; an idle word alone is none."""
    for at, first in enumerate(edges):
        for last in edges[at:]:
            if last >= first + longest:
                break
            if first < last or not found[first].idle or is_acronym(found[first].text):
                yield first, last


def places(text: str, pack: Pack, *, capitals: bool) -> list[Place]:
    """Return the places where a name may be, the longest first; with `capitals`, only quotes and what is written so."""
    found = tokens(text, pack)
    edges = [at for at, token in enumerate(found) if token.is_edge and (token.like_name or not capitals)]
    quoted = [match.span("name") for match in _QUOTED.finditer(text)] if capitals else []
    named = [*quoted, *_widened(text, found, edges)]
    return sorted(dict.fromkeys(named), key=lambda place: place[0] - place[1])[:_PLACES]


def _widened(text: str, found: Sequence[Token], edges: Sequence[int]) -> Iterator[Place]:
    """Yield the runs between edges, each also with the article that begins the text, and the stop or bracket after."""
    for first, last in edged(found, edges, _LONGEST):
        start, end = found[first].start, found[last].end
        yield start, end
        if first == 1 and found[0].text[0].isupper():
            yield found[0].start, end
        if text[end : end + 1] in (".", ")", "!") and text[end:].strip(" ?."):
            yield start, end + 1


def guessed_name(text: str, pack: Pack) -> str | None:
    """Return the most likely name in a text whose names are unknown: a quote, or a run between capitals."""
    quoted = _QUOTED.search(text)
    found = [quoted.span("name")] if quoted else places(text, pack, capitals=True)
    name = text[slice(*found[0])] if found else ""
    return name if any(char.isupper() for char in name) else None


def parts_of_names(text: str, names: Iterable[str], pack: Pack) -> Iterator[tuple[int, int, str]]:
    """Yield the places of words that are a part of one name only, with the name: Kubrick, of Stanley Kubrick.

    A word in small letters has to be the first or the last of the name, as people shorten names.

    >>> from triad.language.pack import load_pack
    >>> list(parts_of_names("and what meds does anna take?", ["Anna Berg", "Boris Klein"], load_pack("en")))
    [(19, 23, 'Anna Berg')]
    """
    parts = {name: fold(name).split() for name in names}
    end_of_last = 0
    for match in _PARTS.finditer(text):
        if match.start() < end_of_last:
            continue
        for end in (match.end("two"), match.end("one")):
            said = fold(text[match.start() : end]).split()
            if end < 0 or not set(said) - pack.idle or max(map(len, said)) <= _SHORT:
                continue
            capital = text[match.start()].isupper()
            ends = (name for name, own in parts.items() if said in (own[: len(said)], own[-len(said) :]) or capital)
            if len(found := [name for name in ends if set(said) < set(parts[name])]) == 1:
                yield match.start(), end, found[0]
                end_of_last = end
                break
