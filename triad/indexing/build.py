"""From RDF files to a folder with all that questions need, by one call that leaves the folder or nothing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triad.errors import DataError
from triad.indexing.layout import Progress
from triad.kg.files import rdf_format
from triad.kg.parsing import ParseLimits

if TYPE_CHECKING:
    from triad.indexing.labels import LabelProperties
    from triad.indexing.pipeline import IndexReport

__all__ = ["build"]


def build(
    files: str | Path | Sequence[str | Path],
    target: str | Path,
    *,
    properties: LabelProperties | None = None,
    overwrite: bool = False,
    lenient: bool = False,
    max_errors: int | None = None,
    progress: Progress | None = None,
    limits: ParseLimits | None = None,
    wait: bool = False,
) -> IndexReport:
    """Make a folder with a store and a label index from RDF files.

    >>> report = build("books.ttl", "books")
    >>> report.triples, report.entries["entity"]
    (6, 2)

    Args:
        files: One file or several, which `triad.kg.files` can read. Relative IRIs in them are resolved against the
            file's own address.
        target: The folder to make.
        properties: Which properties hold names, if not the usual ones.
        overwrite: Replace what is there, if it was built before.
        lenient: Leave out invalid statements of N-Triples, N-Quads, Turtle and TriG, and count them; otherwise, and in
            other formats, they are errors.
        max_errors: How many statements may be left out; None is any number.
        progress: Is called with the stage, how much of it is done, and how much there is.
        limits: What the parser of a file may take.
        wait: Wait while another process makes the same folder, instead of refusing at once.

    Raises:
        ConfigError: The target exists and may not be overwritten, is being made by another process, or cannot be
            written.
        DataError: A file cannot be read, or is not valid; the target stays as it was.
    """
    # What reads dumps and crawls endpoints takes long to import; a graph that is there already needs none of it.
    from triad.indexing.pipeline import run
    from triad.indexing.recipe import recipe_of

    paths = [Path(files)] if isinstance(files, str | Path) else [Path(file) for file in files]
    if not paths:
        raise DataError("there are no files to index")
    for path in paths:
        rdf_format(path)
    recipe = recipe_of(paths)
    if properties is not None:
        recipe = recipe.model_copy(update={"names": properties})
    allowed = 0
    if lenient:
        allowed = sys.maxsize if max_errors is None else max_errors
    return run(
        recipe,
        target,
        overwrite=overwrite,
        max_errors=allowed,
        progress=progress,
        limits=limits,
        keep_unfinished=False,
        wait=wait,
    )
