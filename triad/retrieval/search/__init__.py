"""Search over passages by words and vectors; one string opens any index of them."""

from pathlib import Path

from triad.embedding import Embedder, open_embedder
from triad.errors import SearchError
from triad.opening import PASSAGES
from triad.resources import found_at, from_home
from triad.retrieval.search.base import Filters, Hit, Passage, PassageIndex, Sentence

__all__ = ["Filters", "Hit", "Passage", "PassageIndex", "Sentence", "open_passages"]


def open_passages(source: str | Path, embedder: str | Embedder | None = None) -> PassageIndex:
    """Open an index of passages for searching.

    Args:
        source: The folder of a graph's index, or of its passages; or ``elasticsearch:http://HOST:9200/INDEX``.
        embedder: What makes vectors of questions; only an index that was built with it is searched by them.

    Raises:
        ConfigError: The embedder cannot be opened.
        SearchError: There are no passages, or they are damaged or of a newer version.
    """
    opened = open_embedder(embedder) if isinstance(embedder, str) else embedder
    if str(source).startswith("elasticsearch:"):
        from triad.retrieval.search.elastic import ElasticPassages

        return ElasticPassages(str(source), opened)
    from triad.retrieval.search.embedded import LocalPassages

    folder = from_home(source)
    place = folder / PASSAGES if found_at(folder / PASSAGES) == "folder" else folder
    if found_at(place) != "folder":
        raise SearchError(f"there are no passages in {str(source)!r}; 'triad index --passages' makes them")
    return LocalPassages(place, opened, writable=False)
