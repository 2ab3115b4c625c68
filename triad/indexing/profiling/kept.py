"""Where the profile of a graph is kept: in the folder of the graph or of its index, or with an index on a server.

One that is kept nowhere is counted where that takes a moment: of a small graph on this machine.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from pyoxigraph import Store

from triad.errors import QueryTimeout
from triad.indexing.layout import Tell, read_record
from triad.kg import INDEX_MARKER
from triad.kg.base import KnowledgeGraph
from triad.kg.profile import GraphProfile, read_profile
from triad.kg.stores import open_store
from triad.resources import found_at
from triad.search.base import LabelIndex

_SMALL: Final = 100_000  # triples of a graph whose profile is counted where none is kept; it takes a second or two
_DRIFT: Final = 0.01  # share of a graph's triples that may be new or gone before its profile is out of date


def kept_profile(*sources: object, index: LabelIndex | None = None) -> GraphProfile | None:
    """Return the profile that is kept with a graph or its index; None if there is none.

    Of what opened graph and index, folders are looked into.

    Raises:
        DataError: The profile cannot be read, or comes from another version of Triad.
        SearchError: The server of the index failed.
    """
    for source in sources:
        if isinstance(source, str | Path) and found_at(source) == "folder" and (found := read_profile(source)):
            return found
    return index.profile() if index is not None else None


def counted_profile(graph: KnowledgeGraph, labels: Sequence[str]) -> GraphProfile | None:
    """Return the profile of a small graph on this machine, counted once as long as it stays the same; else None."""
    from triad.kg.local import LocalGraph

    if not isinstance(graph, LocalGraph) or graph.triples > _SMALL:
        return None
    return _counted(graph.folder, graph.fingerprint, tuple(labels), *graph.prefixes.items())


@lru_cache(maxsize=8)  # several agents may ask one graph
def _counted(folder: Path, fingerprint: str, labels: tuple[str, ...], *prefixes: tuple[str, str]) -> GraphProfile:
    return profile_of_store(open_store(folder), labels=labels, fingerprint=fingerprint, prefixes=dict(prefixes))


def profile_of_store(
    store: Store,
    *,
    labels: Sequence[str] | None = None,
    fingerprint: str = "",
    prefixes: Mapping[str, str] | None = None,
    tell: Tell = lambda *_: None,
) -> GraphProfile:
    """Count the profile of a store; ``tell`` is told how many triples are done, and how many there are."""
    from triad.indexing.profiling.counting import count_profile  # which needs what indexes graphs, and DuckDB
    from triad.indexing.triples import Triples

    with Triples() as triples:
        triples.take_all(store, tell)
        return count_profile(triples, labels=labels, fingerprint=fingerprint, prefixes=prefixes)


def outdated(profile: GraphProfile, source: object, graph: KnowledgeGraph) -> str:
    """Return why a profile is out of date; nothing if it is not, as far as can be told.

    A folder says what it was made of; any other graph is asked for its size.

    Raises:
        GraphError: The graph failed.
    """
    if isinstance(source, str | Path) and (made := read_record(Path(source) / INDEX_MARKER)):
        made_of = made.get("fingerprint")
        return "the graph was made of other files" if made_of not in (None, "", profile.fingerprint) else ""
    try:
        count = int(str(graph.lookup("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").column("n")[0]))
    except (QueryTimeout, IndexError, ValueError):
        return ""
    if profile.triples and abs(count - profile.triples) > _DRIFT * profile.triples:
        return f"it was made of {profile.triples:,} triples, and now there are {count:,}"
    return ""
