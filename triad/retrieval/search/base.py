"""What is searched for evidence: passages, how texts are cut into them, and the port of their index."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from triad.citations import EvidenceSource
from triad.closing import Closing
from triad.rdf import Triple
from triad.search.rank import fused, spread

POOL: Final = 100
"""Passages that each ranking gives to the fusion, at least."""
_DATE: Final = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
SIZE: Final = 1_000
"""Characters of a passage, about; sentence embedders read some 250 tokens."""


def day_number(date: str, month: str = "01", day: str = "01") -> int:
    """Return a date as a number, where it does not say them in a given month and day; 0 if it is none.

    >>> day_number("2024-05"), day_number("2024-05", "12", "31"), day_number("soon")
    (20240501, 20240531, 0)
    """
    match = _DATE.match(date)
    return int(match[1] + (match[2] or month) + (match[3] or day)) if match else 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage with the facts that it tells; a sentence of a document has none."""

    text: str
    triples: tuple[Triple, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text that is found and cited as a whole."""

    id: str
    """The same for the same piece in each build: the IRI with the part's number, or the path with the headings."""
    title: str
    """The name of the thing or of the class, or the title of the document with its headings."""
    sentences: tuple[Sentence, ...]
    source: EvidenceSource = "passages"
    things: tuple[str, ...] = ()
    """IRIs of what it is about, the main one first."""
    classes: tuple[str, ...] = ()
    """IRIs of the classes of the main thing."""
    language: str = ""
    date: str | None = None
    """As ISO 8601, where the thing or the document bears one."""
    document: str | None = None
    """The path of the document below its folder."""
    headings: tuple[str, ...] = ()
    """The headings above it in its document, the highest first."""
    before: str | None = None
    """The id of the piece before it in the same document or thing."""
    after: str | None = None

    @property
    def text(self) -> str:
        """All sentences, without the title."""
        return " ".join(sentence.text for sentence in self.sentences)


def side_by_side(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Yield the pieces of one document or thing, each with the ids of those before and after it."""
    ids = [None, *(one.id for one in passages), None]
    for one, before, after in zip(passages, ids, ids[2:], strict=False):
        yield replace(one, before=before, after=after)


def gathered(blocks: Iterable[Sequence[Sentence]], repeated: Sequence[Sentence] = ()) -> Iterator[tuple[Sentence, ...]]:
    """Yield the sentences of each passage, all of which begin with the repeated ones.

    Those of a block stay together where one passage has room for them.
    """
    part = list(repeated)
    length = start = sum(len(one.text) + 1 for one in repeated)
    for block in blocks:
        needed = sum(len(one.text) + 1 for one in block) - 1
        for sentence in block:
            if len(part) > len(repeated) and length + needed > SIZE:
                yield tuple(part)
                part, length = list(repeated), start
            part.append(sentence)
            length += len(sentence.text) + 1
            needed = 0
    if part:
        yield tuple(part)


def cut_text(text: str, size: int = SIZE) -> Iterator[str]:
    """Yield a text in pieces of a size at most, cut behind a sentence, or else behind a word.

    >>> list(cut_text("One. Two three.", 8))
    ['One.', 'Two', 'three.']
    """
    text, at = text.strip(), 0
    while len(text) - at > size:  # of which no copies are made: it may be long
        head = text[at : at + size + 1]
        end = max(head.rfind(mark) + 1 for mark in (". ", "! ", "? ", "。", "؟ ", "। "))
        if end < size // 2:
            end = max(head.rfind(" "), end)
        end = end if end > 0 else size
        yield head[:end].rstrip()
        at += end
        while text[at : at + 1].isspace():
            at += 1
    if at < len(text):
        yield text[at:]


@dataclass(frozen=True, slots=True)
class Filters:
    """What passages must be like to be found; what is empty does not filter."""

    classes: frozenset[str] = frozenset()
    """IRIs, one of which the main thing has."""
    things: frozenset[str] = frozenset()
    """IRIs, one of which it is about."""
    languages: frozenset[str] = frozenset()
    sources: frozenset[EvidenceSource] = frozenset()
    since: str | None = None
    """The first date, as ISO 8601; a passage without a date is not found."""
    until: str | None = None
    """The last date."""

    @property
    def terms(self) -> dict[str, list[str]]:
        """The fields of a passage with the terms of which it has one, as far as they filter."""
        wanted = {"class": self.classes, "thing": self.things, "language": self.languages, "source": self.sources}
        return {field: sorted(values) for field, values in wanted.items() if values}

    @property
    def days(self) -> tuple[int, int] | None:
        """The first and the last day as numbers; None where dates do not filter."""
        if not (self.since or self.until):
            return None
        return max(day_number(self.since or ""), 1), day_number(self.until, "12", "31") if self.until else 99_999_999


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found."""

    passage: Passage
    score: float
    """Reciprocal rank fusion of the rankings that found it; higher is better, and only the order has a meaning."""
    ranks: dict[str, int] = field(default_factory=dict)
    """Its rank, from 1, by ranking: ``words`` and ``vectors``."""


class PassageIndex(Closing, ABC):
    """An index of passages that finds them by words and, where there is an embedder, by vectors."""

    @abstractmethod
    def add(self, passages: Iterable[Passage]) -> None:
        """Add passages, which are found when it returns; one of the same id is replaced.

        Raises:
            SearchError: The index cannot be written.
            ModelError: The embedder failed.
        """

    @abstractmethod
    def remove(self, ids: Collection[str]) -> None:
        """Remove passages by their ids; those that are not there are passed over."""

    @abstractmethod
    def search(self, text: str, limit: int = 10, filters: Filters | None = None) -> list[Hit]:
        """Find the passages nearest to a text, the best first; raises as `add` does."""

    @abstractmethod
    def get(self, ids: Collection[str]) -> list[Passage]:
        """Return the passages of these ids that are there, in their order."""

    @abstractmethod
    def __len__(self) -> int:
        """Return how many passages there are."""

    def _hits(self, rankings: Mapping[str, Sequence[str]], limit: int, *, key: Callable[[str], str] = str) -> list[Hit]:
        """Return the best of what rankings found, which have the keys of passages' ids."""
        best = spread(fused(rankings))[:limit]
        found = {key(passage.id): passage for passage in self.get([one for one, _, _ in best])}
        return [Hit(found[one], score, ranks) for one, score, ranks in best if one in found]
