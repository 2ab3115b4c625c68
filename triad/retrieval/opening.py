"""Passages and documents that go with a setup: made and opened, and told of when they are out of date."""

from __future__ import annotations

from pathlib import Path

from triad.embedding import Embedder
from triad.errors import ConfigError
from triad.indexing.layout import Progress
from triad.log import logger
from triad.opening import Setup
from triad.resources import found_at
from triad.retrieval.passages.building import PassagesReport, make_passages, outdated
from triad.retrieval.search import open_passages
from triad.retrieval.search.base import PassageIndex

__all__ = ["make_passages_of", "passages_of", "why_outdated"]


def make_passages_of(setup: Setup, tell: Progress | None = None) -> PassagesReport:
    """Make the passages of the graph and the documents that a setup names.

    Raises:
        ConfigError: The graph has no folder with a store; and what `make_passages` raises.
    """
    ready = setup.prepared(tell)
    embedder = ready.open_embedder(cached=False)
    try:
        return make_passages(_folder(ready), ready.passages, documents=ready.documents, embedder=embedder, tell=tell)
    finally:
        if embedder and embedder is not setup.embedder:
            embedder.close()


def passages_of(setup: Setup, embedder: Embedder | None = None) -> PassageIndex | None:
    """Open the passages that go with a setup, with a warning if they are out of date; None if there are none.

    Args:
        setup: The setup.
        embedder: Its embedder, if that is open; passages without vectors are searched by words alone.

    Raises:
        SearchError: They are damaged, or of a newer version of Triad.
    """
    ready = setup.prepared()
    source = ready.passages_source
    if source is None or not ready.has_passages:
        return None
    if why := why_outdated(ready):
        logger.warning("the passages in {!r} are out of date: {}; 'triad index --passages' mends it", str(source), why)
    return open_passages(source, embedder)


def why_outdated(setup: Setup) -> str:
    """Tell why the passages of a setup are out of date; nothing if they are not, or cannot be looked into."""
    source = setup.passages_source
    if source is None or str(source).startswith("elasticsearch:"):
        return ""
    folder = setup.graph if isinstance(setup.graph, str) and found_at(setup.graph) == "folder" else None
    return outdated(source, folder, setup.documents)


def _folder(setup: Setup) -> Path:
    if isinstance(setup.graph, str) and found_at(setup.graph) == "folder":
        return Path(setup.graph)
    from triad.http import without_secrets

    raise ConfigError(
        f"passages are made of a folder of 'triad index' with a store, and {without_secrets(str(setup.graph))!r} is "
        "none; index the graph's files, as in triad index dump.nt.gz --to FOLDER --passages --documents DOCUMENTS, and "
        "name FOLDER/passages as 'passages' in the config"
    )
