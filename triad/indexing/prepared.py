"""RDF files, made ready for questions once and kept in the cache folder.

Whoever asks about a file need not know that there is a store and a label index behind it: both are built at the
first question, and found again as long as the files stay the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyoxigraph

from triad.errors import ConfigError, DataError
from triad.indexing.build import build
from triad.indexing.layout import VERSION, Progress
from triad.kg import INDEX_MARKER
from triad.kg.files import rdf_format
from triad.kg.parsing import ParseLimits
from triad.kg.stores import fingerprint
from triad.locks import remove_abandoned
from triad.resources import cache_folder, found_at, how_to_get

__all__ = ["is_rdf", "prepared"]


def is_rdf(source: object) -> bool:
    """Tell whether a graph is named by RDF files, rather than by an address or a folder."""
    if isinstance(source, str | Path):
        return "://" not in str(source) and found_at(source) != "folder"
    return isinstance(source, Sequence) and all(is_rdf(item) for item in source)


def prepared(
    files: str | Path | Sequence[str | Path],
    *,
    labels: Sequence[str] = (),
    progress: Progress | None = None,
    limits: ParseLimits | None = None,
) -> Path:
    """Return a folder with a store and a label index of RDF files, built now if it is not there yet.

    Args:
        files: The files.
        labels: Properties that hold labels; none has them found out.
        progress: Is called with the stage, how much of it is done, and how much there is.
        limits: What the parser of a file may take.

    Raises:
        DataError: A file is missing, of an unknown format, or not valid.
        ConfigError: The cache folder cannot be written.
    """
    paths = [Path(files)] if isinstance(files, str | Path) else [Path(file) for file in files]
    for path in paths:
        if found_at(path) != "file":
            looked_in = str(path.absolute().parent)
            raise DataError(f"there is no file {str(path)!r} (looked in {looked_in!r}){how_to_get(path)}")
        rdf_format(path)
    key = fingerprint(paths, ", ".join([f"triad {VERSION}, pyoxigraph {pyoxigraph.__version__}", *labels]))
    folder = cache_folder() / "indexed" / key
    there = (folder / INDEX_MARKER).is_file()
    if labels or not there:
        from triad.indexing.labels import LabelProperties  # not needed by whoever asks a graph that is there already

        properties = LabelProperties.of(labels)
    if not there:
        try:
            remove_abandoned(folder.parent, ".*")
            build(paths, folder, properties=properties, progress=progress, limits=limits, wait=True)
        except ConfigError:
            if not (folder / INDEX_MARKER).is_file():  # else another process was faster
                raise
    return folder
