"""A phrase table: it finds phrases at a position of a question, the longest first."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class Phrases(Generic[T]):
    """Phrases of one or more words, each with its meaning; the first of two equal phrases wins.

    >>> phrases = Phrases([(["how", "many"], "count")])
    >>> phrases.longest(["and", "how", "many", "rivers"], 1)
    (3, 'count')
    """

    def __init__(self, entries: Iterable[tuple[Sequence[str], T]] = ()) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], T]]] = {}
        for words, value in entries:
            self.add(words, value)

    def add(self, words: Sequence[str], value: T) -> None:
        """Add a phrase."""
        found = self._by_first.setdefault(words[0], [])
        found.append((tuple(words), value))
        found.sort(key=lambda entry: -len(entry[0]))

    def at(self, words: Sequence[str], start: int) -> Iterator[tuple[int, T]]:
        """Yield the phrases that begin at a position, longest first: their end and what they stand for."""
        if start >= len(words):
            return
        for phrase, value in self._by_first.get(words[start], ()):
            end = start + len(phrase)
            if len(phrase) == 1 or tuple(words[start:end]) == phrase:
                yield end, value

    def around(self, words: Sequence[str], start: int) -> Iterator[tuple[int, T]]:
        """Yield the phrases whose last word comes later: its position and what they stand for.

        >>> phrases = Phrases([(["what", "for"], "purpose")])
        >>> list(phrases.around(["what", "is", "it", "for"], 0))
        [(3, 'purpose')]
        """
        for phrase, value in self._by_first.get(words[start], ()):
            *first, last = phrase
            end = start + len(first)
            if first and tuple(words[start:end]) == tuple(first) and last in words[end + 1 :]:
                yield words.index(last, end + 1), value

    def longest(self, words: Sequence[str], start: int) -> tuple[int, T] | None:
        """Return the longest phrase that begins at a position: its end and what it stands for."""
        begins = start < len(words) and words[start] in self._by_first  # which is seldom, and soon told
        return next(self.at(words, start), None) if begins else None

    def end(self, words: Sequence[str], start: int) -> int | None:
        """Return the end of the longest phrase that begins at a position."""
        found = self.longest(words, start)
        return found[0] if found else None

    def all(self, words: Sequence[str]) -> Iterator[tuple[int, int, T]]:
        """Yield the longest phrase at each position where one begins: its start, its end and what it stands for."""
        for start in range(len(words)):
            if found := self.longest(words, start):
                yield start, *found

    def apart(self, words: Sequence[str]) -> Iterator[tuple[int, int, T]]:
        """Yield the longest phrases from left to right that do not overlap, as `all` does."""
        last = 0
        for start, end, value in self.all(words):
            if start >= last:
                yield start, end, value
                last = end

    @property
    def starts(self) -> Collection[str]:
        """The first words of all phrases."""
        return self._by_first.keys()

    def __len__(self) -> int:
        return sum(len(found) for found in self._by_first.values())
