"""Where passages are put: a folder or a server, each with a note of what they were made of.

New passages take the place of earlier ones when they are complete; until then, these are found.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from triad.embedding import Embedder
from triad.locks import replacing
from triad.retrieval.documents.folder import DocumentState
from triad.retrieval.search.base import PassageIndex
from triad.retrieval.search.embedded import LocalPassages

__all__ = ["VERSION", "FolderPlace", "Made", "PassagePlace", "ServerPlace", "place_of"]

VERSION: Final = 1
"""Version of how passages are made."""
_NOTE: Final = "passages.json"


@dataclass(frozen=True, slots=True)
class Made:
    """What passages were made of."""

    graph: str
    """The fingerprint of the graph."""
    embedder: str | None = None
    """The fingerprint of the embedder."""
    documents: str | None = None
    """The folder of documents."""
    files: dict[str, DocumentState] = field(default_factory=dict)
    """The documents by their paths."""
    things: int = 0
    """Passages of the graph."""
    created: str = ""
    """When they were made, in ISO 8601."""
    version: int = VERSION


Work = Callable[[PassageIndex], Made]
"""Fills an index, and returns what it is made of."""

_ADAPTER: Final = TypeAdapter(Made)


class PassagePlace(ABC):
    """A place for passages."""

    @abstractmethod
    def made(self) -> Made | None:
        """Return what the passages here were made of; None if there are none that can be used."""

    @abstractmethod
    def fill(self, embedder: Embedder | None, *, keep: bool, work: Work) -> None:
        """Have an index filled, and put it in the place of the one that is here.

        Args:
            embedder: What makes vectors.
            keep: Whether the index has the passages that are here; else it is empty.
            work: Fills it.

        Raises:
            ConfigError: Another process writes here, or nothing can be written.
        """


def place_of(target: str | Path) -> PassagePlace:
    """Return the place that a folder or ``elasticsearch:http://HOST:9200/INDEX`` names."""
    return ServerPlace(str(target)) if str(target).startswith("elasticsearch:") else FolderPlace(Path(target))


class FolderPlace(PassagePlace):
    """A folder."""

    def __init__(self, folder: Path) -> None:
        """Name it."""
        self._folder = folder.expanduser()

    def made(self) -> Made | None:
        """Read the note in the folder."""
        try:
            return _ADAPTER.validate_json((self._folder / _NOTE).read_bytes())
        except (OSError, ValueError):
            return None

    def fill(self, embedder: Embedder | None, *, keep: bool, work: Work) -> None:
        """Fill a draft beside the folder, and rename it."""
        with replacing(self._folder, f"the passages of {str(self._folder)!r}", keep=keep) as draft:
            made = work(LocalPassages(draft, embedder))
            (draft / _NOTE).write_bytes(_ADAPTER.dump_json(made, indent=1))


class ServerPlace(PassagePlace):
    """An index in Elasticsearch; the note is kept with its mapping."""

    def __init__(self, source: str) -> None:
        """Name it."""
        self._source = source

    def made(self) -> Made | None:
        """Ask for the note."""
        from triad.retrieval.search.elastic import ElasticPassages

        with closing(ElasticPassages(self._source)) as index:
            try:
                return _ADAPTER.validate_python(index.about().get("made"))
            except ValueError:
                return None

    def fill(self, embedder: Embedder | None, *, keep: bool, work: Work) -> None:
        """Fill a new index, and move the alias; what is kept is changed in place."""
        from triad.retrieval.search.elastic import ElasticPassages

        with closing(ElasticPassages(self._source, embedder)) as index:
            if keep:
                index.describe(made=_ADAPTER.dump_python(work(index), mode="json"))
                return
            index.begin()
            try:
                index.describe(made=_ADAPTER.dump_python(work(index), mode="json"))
                index.publish()
            except BaseException:
                index.abandon()
                raise
