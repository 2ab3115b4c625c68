"""Where an index is built: a folder, or a server.

A builder takes the entries of an index in one stream and puts the new index in the place of an old one at the very
end, so that whatever fails before harms nothing that is in use. `open_builder` opens one by what the user calls it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyoxigraph

from triad.embedding import Embedder, open_embedder
from triad.errors import ConfigError
from triad.indexing.layout import read_record
from triad.indexing.recipe import Spread
from triad.kg import INDEX_MARKER
from triad.kg.parsing import Statements
from triad.kg.profile import GraphProfile, write_profile
from triad.resources import cache_folder, from_home
from triad.search.base import Entry

if TYPE_CHECKING:
    from triad.indexing.cluster import Cluster

_STORE: Final = "store"
LABELS: Final = "labels"
_AHEAD: Final = 4  # batches that wait until the store takes them


class Builder(ABC):
    """Builds an index."""

    name: str
    """What the user calls the target, without secrets."""
    work: Path
    """The folder for what is unfinished."""
    keeps_store = False
    """Whether there is room for a store of the facts, too."""

    def check(self, *, overwrite: bool) -> None:  # noqa: B027 - not all have something that must stay
        """Raise a `ConfigError` if there is something that must not be replaced, before hours are spent."""

    def description(self) -> Mapping[str, Any]:
        """Return the description of the present index that `finish` got; empty if there is none."""
        return {}

    @abstractmethod
    def add(self, entries: Iterable[Entry], key: str, *, resume: bool, cluster: Cluster | None = None) -> None:
        """Take all entries, which the machines of a cluster may send.

        ``key`` stands for the entries and their order: what is unfinished is gone on with only if it has the same.
        """

    @abstractmethod
    def finish(self, store: Path | None, description: Mapping[str, Any], profile: GraphProfile | None = None) -> None:
        """Replace the present index by the new one, with this store, description and profile."""

    def check_built(self) -> None:  # noqa: B027 - a profile may be on a server before the index is
        """Raise a `ConfigError` if there is no index here that a profile could be made for."""

    @abstractmethod
    def keep_profile(self, profile: GraphProfile) -> None:
        """Put a profile in the place of the one of the index that is here, which stays as it is.

        Raises:
            SearchError: The server failed.
        """


def open_builder(target: str | Path, embedder: str | Embedder | None = None, spread: Spread | None = None) -> Builder:
    """Open a target.

    A target is a folder, or ``elasticsearch:https://HOST:9200/INDEX``, which may have vectors, and parts.

    Raises:
        ConfigError: It cannot be used.
        ModelError: The embedder cannot be loaded.
    """
    if str(target).partition(":")[0] == "elasticsearch":
        opened = open_embedder(embedder) if embedder is not None else None
        return ElasticBuilder(str(target), opened, embedder if isinstance(embedder, str) else None, spread)
    if embedder is not None:
        raise ConfigError(
            f"the index in the folder {str(target)!r} has no vectors, so it takes no embedder; the lexical solver uses "
            "the one of the config, whatever the index"
        )
    return FolderBuilder(from_home(target))


class FolderBuilder(Builder):
    """Builds a folder that `triad.open_graph` and `triad.open_index` open."""

    keeps_store = True

    def __init__(self, folder: Path) -> None:
        """Name the folder."""
        self.name = str(folder)
        self._folder = folder.absolute()
        # Beside the target, so that it can be renamed.
        self.work = self._folder.parent / f".{self._folder.name}-unfinished"
        self._draft = self.work / "built"

    def check(self, *, overwrite: bool) -> None:
        """Refuse to replace a folder that no earlier build made."""
        if not self._folder.exists() or (self._folder.is_dir() and not any(self._folder.iterdir())):
            return
        if not (self._folder / INDEX_MARKER).is_file():
            raise ConfigError(f"{self.name!r} exists and is not what an earlier build made; name another folder")
        if not overwrite:
            raise ConfigError(f"{self.name!r} exists; with --overwrite (overwrite=True in Python) it is replaced")

    def description(self) -> Mapping[str, Any]:
        """Return the description in the folder."""
        return read_record(self._folder / INDEX_MARKER)

    def add(self, entries: Iterable[Entry], key: str, *, resume: bool, cluster: Cluster | None = None) -> None:
        """Write the entries into a local index; one that is unfinished is begun again."""
        from triad.search.local import LocalIndex

        shutil.rmtree(self._draft, ignore_errors=True)
        with LocalIndex.create(self._draft / LABELS) as index:
            index.add(entries)

    def finish(self, store: Path | None, description: Mapping[str, Any], profile: GraphProfile | None = None) -> None:
        """Rename the new folder to the target."""
        parts = {"labels": LABELS}
        if store is not None:
            store.rename(self._draft / _STORE)
            parts["store"] = _STORE
        text = json.dumps({**parts, **description}, ensure_ascii=False, indent=2)
        (self._draft / INDEX_MARKER).write_text(text + "\n", encoding="utf-8")
        if profile is not None:
            write_profile(profile, self._draft)
        old = self.work / "replaced"
        shutil.rmtree(old, ignore_errors=True)
        if self._folder.exists():
            self._folder.rename(old)
        self._draft.rename(self._folder)

    def check_built(self) -> None:
        """Look for the files of an earlier build."""
        if not (self._folder / INDEX_MARKER).is_file():
            raise ConfigError(f"{self.name!r} has no index yet that a profile could go with; build it first")

    def keep_profile(self, profile: GraphProfile) -> None:
        """Write the profile into the folder."""
        write_profile(profile, self._folder)


class ElasticBuilder(Builder):
    """Builds an index in Elasticsearch; what is unfinished lies in the cache folder."""

    def __init__(
        self, target: str, embedder: Embedder | None, embedder_name: str | None, spread: Spread | None
    ) -> None:
        """Name the index."""
        from triad.search.elastic.index import ElasticIndex

        self._index = ElasticIndex(target, embedder=embedder)
        self.name = self._index.name
        self._target = target
        self._embedder = embedder
        self._embedder_name = embedder_name
        self._spread = spread or Spread()
        self.work = cache_folder() / "unfinished" / hashlib.sha256(self.name.encode()).hexdigest()[:32]

    def add(self, entries: Iterable[Entry], key: str, *, resume: bool, cluster: Cluster | None = None) -> None:
        """Send the entries, those aside that had arrived when an earlier build was interrupted.

        The machines of a cluster send them, but not where an embedder is here that they cannot open.
        """
        if self._embedder:  # entries with other vectors cannot be used
            key = hashlib.sha256(f"{key} {self._embedder.fingerprint}".encode()).hexdigest()
        unfinished: Any = {"resume": resume, "fingerprint": key, "shards": self._spread.shards}
        if cluster is None or (self._embedder is not None and self._embedder_name is None):
            self._index.store.build(entries, **unfinished, replicas=self._spread.replicas)
            return
        from triad.indexing.cluster import send_all

        index, _ = self._index.store.begin(**unfinished)
        send_all(cluster, entries, self.work / "entries", self._target, index, self._embedder_name)
        self._index.store.finish(index, self._spread.replicas)

    def finish(self, store: Path | None, description: Mapping[str, Any], profile: GraphProfile | None = None) -> None:
        """Close the connection: the last entry has put the index in its place."""
        if profile is not None:
            self._index.keep_profile(profile)
        self._index.close()
        if self._embedder:
            self._embedder.close()

    def keep_profile(self, profile: GraphProfile) -> None:
        """Put the profile into an index of its own."""
        self._index.keep_profile(profile)
        self._index.close()


class FilledStore:
    """A store that is filled in parallel with the parsing, with a checkpoint after each part of a file.

    A copy costs next to nothing: it shares the files of the store, which never change.
    """

    def __init__(self, work: Path, read: int) -> None:
        """Go on after so many parts."""
        self.folder = work / _STORE
        shutil.rmtree(self.folder, ignore_errors=True)
        self._forget(read)
        if read:
            pyoxigraph.Store(str(self._copy(read))).backup(str(self.folder))
        self._store: pyoxigraph.Store | None = pyoxigraph.Store(str(self.folder))
        self._pool = ThreadPoolExecutor(1)
        self._loading: deque[Future[None]] = deque()

    def take(self, batch: Statements) -> None:
        """Have triples put into the store; wait where many batches are not yet."""
        assert self._store is not None
        self._complete(_AHEAD)
        self._loading.append(self._pool.submit(batch.load, self._store))

    def keep(self, read: int) -> None:
        """Make a checkpoint, once all is in the store; the one before stays until this one is noted."""
        assert self._store is not None
        self._complete()
        self._forget(read - 1)
        self._store.flush()
        self._store.backup(str(self._copy(read)))

    def finish(self) -> int:
        """Close the store, once all is in it, and return how many triples it has."""
        assert self._store is not None
        self._complete()
        self._store.flush()
        triples = len(self._store)
        self._store = None  # closes it, so that its folder can be renamed
        return triples

    def close(self) -> None:
        """Leave it as it is."""
        self._pool.shutdown(cancel_futures=True)
        self._loading.clear()
        self._store = None  # or it would stay locked as long as an error is looked at

    def _complete(self, ahead: int = 0) -> None:
        """Wait until all batches but so many are in the store."""
        while len(self._loading) > ahead:
            self._loading.popleft().result()

    def _copy(self, read: int) -> Path:
        return self.folder.with_name(f"{_STORE}-{read}")

    def _forget(self, but: int) -> None:
        """Remove all checkpoints but one."""
        for copy in self.folder.parent.glob(f"{_STORE}-*"):
            if copy != self._copy(but):
                shutil.rmtree(copy)
