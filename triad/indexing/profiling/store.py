"""A profile of the triples in a store, counted as they are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import islice
from typing import Final

from pyoxigraph import Store

from triad.indexing.dumps import Tell
from triad.indexing.labels import LabelProperties
from triad.indexing.profiling.collector import ProfileCollector
from triad.kg.profile import GraphProfile

__all__ = ["profile_of_store"]

_BATCH: Final = 10_000
"""Triples between two reports of progress."""


def profile_of_store(
    store: Store,
    *,
    labels: Sequence[str] | None = None,
    fingerprint: str = "",
    prefixes: Mapping[str, str] | None = None,
    tell: Tell | None = None,
) -> GraphProfile:
    """Make a profile of a store.

    Args:
        store: The store.
        labels: The relations that hold names, the preferred one first, if they are known.
        fingerprint: Of the graph.
        prefixes: Namespaces by prefix.
        tell: Is told how many triples are done, and how many there are.
    """
    with closing(ProfileCollector(LabelProperties())) as collector:
        quads, count, done = store.quads_for_pattern(None, None, None, None), len(store), 0
        while batch := list(islice(quads, _BATCH)):
            collector.take(batch)
            done += len(batch)
            if tell:
                tell(done, count)
        return collector.profile(labels=labels, fingerprint=fingerprint, prefixes=prefixes)
