"""Sends the entries of a graph to Elasticsearch from all machines of a cluster.

Entries are written to files that all machines see, some thousands to a file, and a machine sends those of a file. A
file whose entries have arrived is replaced by a note.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from triad.embedding import open_embedder
from triad.indexing.cluster import Cluster
from triad.search.base import Entry
from triad.search.elastic import ElasticIndex

__all__ = ["Sending", "send_all", "send_file"]

ENTRIES: Final = 20_000
"""Entries of a file: some seconds' work, so that little is done twice, and some megabytes."""


@dataclass(frozen=True, slots=True)
class Sending:
    """Where entries come from and go to, as a machine of a cluster is told it."""

    folder: str
    """The folder for the files."""
    target: str
    """The address of the index that searches use."""
    index: str
    """The index that is loaded."""
    embedder: str | None

    def file(self, at: int) -> Path:
        """Return where the entries of a file lie."""
        return Path(self.folder) / f"{self.index}-{at:06}.entries"

    def note(self, at: int) -> Path:
        """Return what is there once they have arrived."""
        return self.file(at).with_suffix(".sent")


def send_all(cluster: Cluster, sending: Sending, entries: Iterable[Entry]) -> None:
    """Send entries, those aside that had arrived when an earlier build of the same entries was interrupted."""
    Path(sending.folder).mkdir(parents=True, exist_ok=True)
    rest, under_way = iter(entries), deque[Any]()
    at = 0
    while part := list(islice(rest, ENTRIES)):
        if not sending.note(at).is_file():
            sending.file(at).write_bytes(pickle.dumps(part, pickle.HIGHEST_PROTOCOL))
            under_way.append(cluster.begin(send_file, sending, at))
        while len(under_way) > cluster.places:
            cluster.result(under_way.popleft())
        at += 1
    while under_way:
        cluster.result(under_way.popleft())


def send_file(sending: Sending, at: int) -> None:
    """Send the entries of a file."""
    file = sending.file(at)
    entries: list[Entry] = pickle.loads(file.read_bytes())
    with (
        open_embedder(sending.embedder) if sending.embedder else nullcontext() as embedder,
        ElasticIndex(sending.target, embedder=embedder) as index,
    ):
        index.load(entries, sending.index)
    file.replace(sending.note(at))
    sending.note(at).write_bytes(b"")
