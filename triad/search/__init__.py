"""Label indexes: names in, candidates out."""

import json
from pathlib import Path
from typing import Any

from triad.embedding import Embedder, open_embedder
from triad.errors import ConfigError
from triad.kg import INDEX_MARKER
from triad.kg.base import KnowledgeGraph
from triad.kg.labels import LabelFinder, Labels
from triad.resources import found_at
from triad.search.base import LabelIndex
from triad.strict import check_options
from triad.text import without_secrets

_KNOWN = (
    "a folder that 'triad index' wrote, the folder of a label index, 'elasticsearch:http://HOST:9200/INDEX', "
    "'endpoint' or 'endpoint:DIALECT' for lookups in the graph itself"
)


def open_index(
    source: str | Path | LabelIndex,
    /,
    *,
    graph: KnowledgeGraph | None = None,
    embedder: str | Embedder | None = None,
    finder: LabelFinder | None = None,
    **options: Any,
) -> LabelIndex:
    """Open a label index by path or address.

    Args:
        source: A folder that ``triad index`` wrote, or that of a label index; ``endpoint`` for lookups in the
            graph itself, as ``endpoint:virtuoso`` with a dialect, which is detected by default;
            ``elasticsearch:https://HOST:9200,HOST:9200/INDEX`` for an index in Elasticsearch. An index that is
            already open is returned as it is.
        graph: The graph that an endpoint index looks names up in.
        embedder: The embedder with which an index in Elasticsearch is built and searched; other indexes have no
            vectors.
        finder: Which properties of the graph hold labels, for lookups in the graph itself; by default the well-known
            ones.
        options: What the index's own constructor takes: that of `triad.search.endpoint.EndpointIndex` or of
            `triad.search.elastic.index.ElasticIndex`.

    Raises:
        ConfigError: The source is none of these, or does not take one of the options.
        SearchError: A folder is no label index, or one of a newer version.
    """
    if isinstance(source, LabelIndex):
        check_options(options, f"the index {source.name!r}")
        return source
    scheme, _, rest = str(source).partition(":")
    if scheme == "endpoint":
        from triad.search.endpoint import EndpointIndex

        if graph is None:
            raise ConfigError(f"the index {source!r} looks names up in a graph; name one as graph=…")
        check_options(options, f"the index {source!r}", EndpointIndex, besides=["finder"])
        return EndpointIndex(graph, rest or "auto", finder=finder, **options)
    if scheme == "elasticsearch":
        from triad.search.elastic.client import connect
        from triad.search.elastic.index import ElasticIndex

        name = without_secrets(str(source))
        check_options(options, f"the index {name!r}", ElasticIndex, connect, besides=["embedder"])
        opened = open_embedder(embedder) if isinstance(embedder, str) else embedder
        return ElasticIndex(str(source), embedder=opened, **options)
    path = Path(source)
    if found_at(path) != "folder":
        raise ConfigError(f"there is no label index {str(source)!r}; what works is {_KNOWN}")
    check_options(options, f"the index {str(source)!r}")
    from triad.search.local import LocalIndex

    folder, labels = _described(path)
    index = LocalIndex(folder)
    index.labels = labels
    return index


def _described(folder: Path) -> tuple[Path, Labels | None]:
    """Return the folder of the label index that a folder is or has, and the properties that its labels come from."""
    marker = folder / INDEX_MARKER
    if not marker.is_file():
        return folder, None
    try:
        description = json.loads(marker.read_text(encoding="utf-8"))
        labels = description.get("labels", "labels")
    except (OSError, ValueError, AttributeError) as error:
        raise ConfigError(f"cannot read {str(marker)!r}: {error}") from error
    if not isinstance(labels, str):
        raise ConfigError(f"the key 'labels' of {str(marker)!r} is {labels!r}; it must name a folder")
    return folder / labels, Labels.from_json(description.get("label_properties"))
