"""A cache on disk for schema lookups of a graph on a server.

Labels, types and schema cards of a remote graph change seldom, and every question asks for some. Only Triad's own
lookups are kept; queries of a model or a user always go to the graph.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Self

from triad.kg.base import KnowledgeGraph
from triad.kg.wrapper import GraphWrapper
from triad.rdf import ResultSet
from triad.resources import cache_folder
from triad.textcache import TextCache

__all__ = ["CachedLookups"]


class CachedLookups(GraphWrapper):
    """A graph that keeps the results of another's lookups for some hours.

    Args:
        graph: The graph.
        hours: How long a result is kept.
        folder: Where results are kept; by default in the cache folder.
    """

    def __init__(self, graph: KnowledgeGraph, hours: float = 24.0, folder: str | Path | None = None) -> None:
        super().__init__(graph)
        self._seconds = hours * 3600
        self._cache = TextCache(folder or cache_folder() / "lookups", "look-ups")

    def lookup(self, query: str) -> ResultSet:
        """Return the kept result of a query if it is recent enough, else run the query."""
        known = self._cache.get(self.graph.fingerprint, query)
        if known is not None:
            return ResultSet.from_sparql_json(json.loads(known))
        result = self.graph.lookup(query)
        if not result.truncated:
            text = json.dumps(result.to_sparql_json())
            self._cache.set(self.graph.fingerprint, query, text=text, seconds=self._seconds)
        return result

    def limited(self, seconds: float) -> Self:
        """Return the same graph with less time for a look-up that is not kept yet."""
        other = copy.copy(self)
        other.graph = self.graph.limited(seconds)
        return other

    def close(self) -> None:
        """Close the graph inside."""
        self.graph.close()
