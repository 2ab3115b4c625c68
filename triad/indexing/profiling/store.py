"""A profile of the triples in a store, counted as they are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from pyoxigraph import Store

from triad.indexing.layout import Tell
from triad.indexing.profiling.counting import count_profile
from triad.indexing.triples import Triples
from triad.kg.profile import GraphProfile

__all__ = ["profile_of_store"]

_BATCH: Final = 50_000
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
    with Triples() as triples:
        quads, count, done = store.quads_for_pattern(None, None, None, None), len(store), 0
        while batch := list(islice(quads, _BATCH)):
            triples.take(batch)
            done += len(batch)
            if tell:
                tell(done, count)
        return count_profile(triples, labels=labels, fingerprint=fingerprint, prefixes=prefixes)
