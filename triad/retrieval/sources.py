"""The sources beside a graph: its tables, and its passages with documents, opened together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from triad.citations import FoundPassage
from triad.embedding import Embedder
from triad.errors import ConfigError, SearchError
from triad.opening import TABLES, Setup
from triad.route import BRANCHES, Branch, Retrieval

if TYPE_CHECKING:
    from triad.retrieval.search import PassageIndex
    from triad.retrieval.tables.database import Tables


@dataclass(frozen=True, slots=True)
class Sources:
    """What evidence is gathered from, besides the graph.

    Raises:
        ConfigError: A branch is named that there is nothing for.
    """

    tables: Tables | None = None
    passages: PassageIndex | None = None
    options: Retrieval = field(default_factory=Retrieval)

    def __post_init__(self) -> None:
        for branch, source, flag in (("sql", self.tables, "--tables"), ("passages", self.passages, "--passages")):
            if source is None and branch in (self.options.branches or ()):
                raise ConfigError(
                    f"retrieval has the branch {branch!r}, and the graph's folder has nothing for it; "
                    f"'triad index {flag}' makes it"
                )

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The branches that may be used."""
        there: dict[Branch, bool] = {
            "graph": True,
            "sql": self.tables is not None,
            "passages": self.passages is not None,
        }
        return tuple(branch for branch in self.options.branches or there if there[branch])

    def __bool__(self) -> bool:
        """Return whether there is more than the graph, or a config that wants the graph alone."""
        return self.options.branches is not None or len(self.branches) > 1

    def found(self, text: str) -> tuple[FoundPassage, ...]:
        """Return the passages nearest to a text, for those who answer without a model; none where the search fails."""
        if self.passages is None or "passages" not in self.branches:
            return ()
        try:
            hits = self.passages.search(text, self.options.passages)
        except SearchError:
            return ()
        from triad.retrieval.evidence import from_passage

        found = [(replace(from_passage(hit.passage).citation, number=at), hit) for at, hit in enumerate(hits, 1)]
        return tuple(FoundPassage(citation, hit.score) for citation, hit in found)

    def close(self) -> None:
        """Free what is held."""
        for source in (self.tables, self.passages):
            if source is not None:
                source.close()


def open_sources(setup: Setup, options: Retrieval, embedder: Embedder | None = None) -> Sources:
    """Open the tables and the passages that go with a graph, as far as branches want them; tables lie in its folder.

    Raises:
        ConfigError: A branch is named that there is nothing for, or an extra is missing.
        DataError: The tables are of another release.
        SearchError: The passages are damaged.
    """
    setup = setup.prepared()
    wanted = options.branches or BRANCHES
    tables = None
    if "sql" in wanted and (folder := setup.beside(TABLES)):
        from triad.retrieval.tables.database import Tables

        tables = Tables(folder.parent)
    return Sources(tables, passages_of(setup, embedder) if "passages" in wanted else None, options)


def passages_of(setup: Setup, embedder: Embedder | None = None) -> PassageIndex | None:
    """Open the passages that go with a setup; None if there are none.

    Raises:
        SearchError: They are damaged, or of a newer version of Triad.
    """
    ready = setup.prepared()
    if (source := ready.passages_source) is None or not ready.has_passages:
        return None
    from triad.retrieval.search import open_passages

    return open_passages(source, embedder)
