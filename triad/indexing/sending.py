"""Sends the entries of a graph to Elasticsearch from all machines of a cluster.

What was collected of the names lies in divisions, which have no resource in common; so each machine makes entries of
some, and sends them. A division that has arrived is noted, with how many entries of which kind it has.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from triad.embedding import open_embedder
from triad.indexing.cluster import Cluster
from triad.indexing.labels import LabelCollector
from triad.indexing.recipe import Recipe
from triad.indexing.spill import COUNT
from triad.questions import Kind
from triad.search.base import Entry
from triad.search.elastic import ElasticIndex

__all__ = ["Sending", "send_all", "send_division"]

_DIVIDED: Final = "divided"
_SENT: Final = "sent"


@dataclass(frozen=True, slots=True)
class Sending:
    """Where entries come from and go to, as a machine of a cluster is told it."""

    recipe: Recipe
    work: str
    """The folder for what is unfinished."""
    target: str
    """The address of the index that searches use."""
    index: str
    """The index that is loaded."""
    embedder: str | None


def send_all(
    cluster: Cluster, sending: Sending, collector: LabelCollector, kinds: Counter[Kind], index: ElasticIndex
) -> None:
    """Send all entries, those of divisions from the cluster and those of texts from here.

    Args:
        cluster: The cluster.
        sending: Where from and where to.
        collector: What was collected.
        kinds: Counts the entries.
        index: The index, opened here.
    """
    work = Path(sending.work)
    if not (work / _DIVIDED).is_dir():
        collector.divide(work / _DIVIDED)
    (work / _SENT).mkdir(exist_ok=True)
    sent = {at: _sent(sending, at) for at in range(COUNT)}
    under_way = {at: cluster.begin(send_division, sending, at) for at, found in sent.items() if found is None}
    index.load(_counted(collector.text_entries(), kinds), sending.index)
    for at, found in sent.items():
        kinds.update(cluster.result(under_way[at]) if found is None else found)


def send_division(sending: Sending, division: int) -> dict[Kind, int]:
    """Send the entries of a division, and return how many of each kind there are."""
    work, kinds = Path(sending.work), Counter[Kind]()
    recipe = sending.recipe
    entries = LabelCollector.entries_in(work / _DIVIDED, division, recipe.names, recipe.popularity)
    with (
        open_embedder(sending.embedder) if sending.embedder else nullcontext() as embedder,
        ElasticIndex(sending.target, embedder=embedder) as index,
    ):
        index.load(_counted(entries, kinds), sending.index)
    note = work / _SENT / f"{sending.index}-{division}.json"
    draft = note.with_suffix(".draft")
    draft.write_text(json.dumps(kinds), encoding="utf-8")
    draft.replace(note)
    return dict(kinds)


def _sent(sending: Sending, division: int) -> Mapping[Kind, int] | None:
    try:
        note = Path(sending.work) / _SENT / f"{sending.index}-{division}.json"
        found: Any = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return dict(found)


def _counted(entries: Iterable[Entry], kinds: Counter[Kind]) -> Iterator[Entry]:
    for entry in entries:
        kinds[entry.kind] += 1
        yield entry
