"""Where the profile of a graph is kept: in the folder of the graph or of its index, or with an index on a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from triad.errors import QueryTimeout
from triad.kg import INDEX_MARKER
from triad.kg.base import KnowledgeGraph
from triad.kg.profile import GraphProfile, read_profile
from triad.search.base import LabelIndex

__all__ = ["kept_profile", "outdated"]

_DRIFT: Final = 0.01
"""Share of a graph's triples that may be new or gone before its profile is out of date."""


def kept_profile(*sources: object, index: LabelIndex | None = None) -> GraphProfile | None:
    """Return the profile that is kept with a graph or its index; None if there is none.

    Args:
        sources: What opened graph and index; those that are folders are looked into.
        index: The index.

    Raises:
        DataError: The profile cannot be read, or comes from another version of Triad.
        SearchError: The server of the index failed.
    """
    for source in sources:
        if isinstance(source, str | Path) and Path(source).is_dir() and (found := read_profile(source)):
            return found
    return index.profile() if index is not None else None


def outdated(profile: GraphProfile, source: object, graph: KnowledgeGraph) -> str:
    """Tell why a profile is out of date; nothing if it is not, as far as can be told.

    Args:
        profile: The profile.
        source: What opened the graph. A folder says what it was made of; any other graph is asked for its size.
        graph: The graph.

    Raises:
        GraphError: The graph failed.
    """
    if isinstance(source, str | Path) and (Path(source) / INDEX_MARKER).is_file():
        description = json.loads((Path(source) / INDEX_MARKER).read_text(encoding="utf-8"))
        made_of = description.get("fingerprint")
        return "the graph was made of other files" if made_of not in (None, "", profile.fingerprint) else ""
    try:
        rows = graph.lookup("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
        count = int(str(rows.column("n")[0]))
    except (QueryTimeout, IndexError, ValueError):
        return ""
    if profile.triples and abs(count - profile.triples) > _DRIFT * profile.triples:
        return f"it was made of {profile.triples:,} triples, and now there are {count:,}"
    return ""
