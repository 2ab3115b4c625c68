"""The port to a label index: names in, candidates out.

An `Entry` is a resource of the graph as an index knows it; a `Lookup` is a name to look up. An index takes
several lookups at once, so that all mentions of a question cost one round trip.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Final, Self

from pydantic_core import from_json, to_json

from triad.closing import Closing
from triad.errors import SearchError
from triad.kg.labels import Labels
from triad.kg.profile import GraphProfile
from triad.questions import Candidate, Kind

CLOSE: Final = 0.95
"""Candidates with this score or more have a name equal to the text that was looked up: case, accents, punctuation, and
singular and plural aside."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One resource of the graph and its names."""

    iri: str
    """Its IRI; for a literal that of the relation whose value it is."""
    kind: Kind
    label: str
    """The preferred name; for a literal its text."""
    aliases: tuple[str, ...] = ()
    """Other names, labels in other languages among them."""
    description: str = ""
    types: tuple[str, ...] = ()
    """IRIs of its classes."""
    popularity: int = 0
    """How many triples it takes part in."""

    def packed(self) -> bytes:
        """Return it as JSON, in a third of the time that the json module takes."""
        return to_json(_FIELDS(self))

    @classmethod
    def unpacked(cls, data: bytes) -> Self:
        """Read what `packed` made."""
        iri, kind, label, aliases, description, types, popularity = from_json(data)
        return cls(iri, kind, label, tuple(aliases), description, tuple(types), popularity)


_FIELDS: Final = attrgetter(*(field.name for field in fields(Entry)))


@dataclass(frozen=True, slots=True)
class Lookup:
    """One name to look up."""

    text: str
    kinds: tuple[Kind, ...] = ()
    """Kinds of entries to search; empty means all."""
    limit: int = 10
    exact: bool = False
    """True if only exact names are wanted. The index then skips the search for similar names, so that all spans of a
    question can be looked up, most of which name nothing."""


class LabelIndex(Closing, ABC):
    """Finds entities, relations, classes and literals by name. Safe to use from several threads."""

    name: str
    """The path or address that the user gave, without secrets."""
    labels: Labels | None = None
    """The properties that its labels come from; None where the index does not know."""

    def add(self, entries: Iterable[Entry]) -> int:
        """Add entries and return how many; they can be found when it returns.

        Raises:
            SearchError: The index is read-only or failed.
        """
        raise SearchError(f"the index {self.name!r} takes no entries")

    @abstractmethod
    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates, the best first.

        Exact names come first (case, accents and punctuation aside), then names that share words, then
        names with a typo. A blank text has no candidates.

        Raises:
            SearchError: The index failed.
        """

    def search(self, text: str, limit: int = 10, kind: Kind | None = None) -> list[Candidate]:
        """Return the candidates for one text, the best first; raises as `search_many` does."""
        [candidates] = self.search_many([Lookup(text, (kind,) if kind else (), limit)])
        return candidates

    def complete(self, text: str, limit: int = 10) -> list[Candidate]:
        """Return candidates with a name that begins with a text, or has a word that does, as far as the index can tell.

        Raises:
            SearchError: The index failed.
        """
        return self.search(text, limit)

    def profile(self) -> GraphProfile | None:
        """Return the profile of the graph, if one is kept with the index.

        Raises:
            DataError: It cannot be read.
            SearchError: The index failed.
        """
        return None
