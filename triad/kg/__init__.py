"""Knowledge graphs: the port `triad.kg.base`, and its adapters for files, stores and endpoints."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from triad.errors import ConfigError, ResourceNotFound
from triad.kg.base import KnowledgeGraph
from triad.resources import found_at
from triad.strict import check_options
from triad.text import without_secrets

INDEX_MARKER = "triad.json"
"""The file that marks what ``triad index`` wrote; its keys ``store`` and ``labels`` name the folders in there."""


def open_graph(source: str | Path | Sequence[str | Path] | KnowledgeGraph, /, **options: Any) -> KnowledgeGraph:
    """Open a knowledge graph by path or address.

    Args:
        source: The address of a SPARQL endpoint, ``https://dbpedia.org/sparql``; an RDF file, ``books.ttl``, or
            several; a folder that ``triad index`` wrote, or a pyoxigraph store. A graph that is already open is
            returned as it is.
        options: Options of the graph's constructor: those of `triad.kg.endpoint.EndpointGraph`,
            `triad.kg.local.LocalGraph` or `triad.kg.local.LocalGraph.load`.

    Raises:
        ConfigError: The source is none of these, or does not take one of the options.
        DataError: A file or a store cannot be read.
    """
    if isinstance(source, KnowledgeGraph):
        check_options(options, f"the graph {source.name!r}")
        return source
    if isinstance(source, str) and source.partition("://")[0].lower() in ("http", "https"):
        from triad.kg.endpoint import EndpointGraph

        check_options(options, f"the graph {without_secrets(source)!r}", EndpointGraph)
        return EndpointGraph(source, **options)

    from triad.kg.local import LocalGraph

    named = f"the graph {options.get('name') or str(source)!r}"
    if isinstance(source, str | Path):
        path = Path(source)
        found = found_at(path)
        if found == "folder":
            check_options(options, named, LocalGraph)
            folder, described = _described(path)
            return LocalGraph(folder, **{"name": str(source), **described, **options})
        if not found:
            from triad.kg.files import COMPRESSION_SUFFIXES, RDF_SUFFIXES

            raise ResourceNotFound(
                f"there is no graph {str(source)!r}: it is no file, no folder and no address (http://… or https://…); "
                f"files end in {', '.join(RDF_SUFFIXES)}, or in one of these and {', '.join(COMPRESSION_SUFFIXES)}"
            )
    check_options(options, named, LocalGraph.load, LocalGraph)
    return LocalGraph.load(source, **options)


def _described(folder: Path) -> tuple[Path, dict[str, Any]]:
    """Return the folder of the store that a folder is or has, and the options that come with it."""
    from triad.kg.stores import is_store

    marker = folder / INDEX_MARKER
    if marker.is_file():
        try:
            description = json.loads(marker.read_text(encoding="utf-8"))
            return folder / description.get("store", "store"), {"prefixes": dict(description.get("prefixes", {}))}
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise ConfigError(f"cannot read {str(marker)!r}: {error}") from error
    if is_store(folder):
        return folder, {}
    raise ConfigError(
        f"the folder {str(folder)!r} is neither a pyoxigraph store nor written by 'triad index' "
        f"(it has no {INDEX_MARKER})"
    )
