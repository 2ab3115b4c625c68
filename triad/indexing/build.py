"""RDF files made ready for questions by one call, in a folder of the user's or in the cache.

Whoever asks about a file need not know that there is a store and a label index behind it: both are built at the
first question, and found again as long as the files stay the same.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pyoxigraph

from triad.errors import ConfigError, DataError
from triad.indexing.layout import VERSION, Progress
from triad.kg import INDEX_MARKER
from triad.kg.files import rdf_format
from triad.kg.parsing import ParseLimits
from triad.kg.stores import fingerprint
from triad.locks import remove_abandoned
from triad.log import logger
from triad.resources import cache_folder, found_at, how_to_get

if TYPE_CHECKING:
    from triad.indexing.entries import LabelProperties
    from triad.indexing.pipeline import IndexReport

_while_running = cache(partial(TemporaryDirectory[str], prefix="triad-", ignore_cleanup_errors=True))
"""Returns the folder of this process for what cannot be kept."""


def build(
    files: str | Path | Sequence[str | Path],
    target: str | Path,
    *,
    properties: LabelProperties | None = None,
    lenient: bool = False,
    max_errors: int | None = None,
    infer: bool | None = None,
    **options: Any,
) -> IndexReport:
    """Make a folder with a store and a label index from RDF files.

    >>> report = build("books.ttl", "books")
    >>> report.triples, report.entries["entity"]
    (315, 63)

    Args:
        files: One file or several, which `triad.kg.files` can read. Relative IRIs in them are resolved against the
            file's own address.
        target: The folder to make.
        properties: Which properties hold names, if not the usual ones.
        lenient: Leave out invalid statements of N-Triples, N-Quads, Turtle and TriG, and count them; otherwise, and in
            other formats, they are errors.
        max_errors: How many statements may be left out; None is any number.
        infer: Keep what follows from the facts with them; by default where the folder that is replaced did.
        options: What `triad.indexing.pipeline.run` takes besides, such as ``overwrite``; it says what is raised, too.
    """
    # What reads dumps and crawls endpoints takes long to import; a graph that is there already needs none of it.
    from triad.indexing.pipeline import run
    from triad.indexing.recipe import recipe_of

    if not (paths := _paths(files)):
        raise DataError("there are no files to index")
    for path in paths:
        rdf_format(path)
    changes = {"infer": infer, **({"names": properties} if properties else {})}
    allowed = (sys.maxsize if max_errors is None else max_errors) if lenient else 0
    recipe = recipe_of(paths).model_copy(update=changes)
    return run(recipe, target, max_errors=allowed, keep_unfinished=False, **options)


def is_rdf(source: object) -> bool:
    """Return whether a graph is named by RDF files, rather than by an address or a folder."""
    if isinstance(source, str | Path):
        return "://" not in str(source) and found_at(source) != "folder"
    return isinstance(source, Sequence) and all(is_rdf(item) for item in source)


def prepared(
    files: str | Path | Sequence[str | Path],
    *,
    labels: Sequence[str] = (),
    infer: bool = False,
    progress: Progress = lambda *_: None,
    limits: ParseLimits | None = None,
) -> Path:
    """Return a folder in the cache with a store and a label index of RDF files, built now if it is not there yet.

    ``labels`` are the properties that hold labels; without any, they are found out. With ``infer``, what follows from
    the facts is kept with them.

    Raises:
        DataError: A file is missing, of an unknown format, or not valid.
        ConfigError: Neither the cache folder nor a temporary one can be written.
    """
    paths = _paths(files)
    for path in paths:
        if found_at(path) != "file":
            looked_in = str(path.absolute().parent)
            raise DataError(f"there is no file {str(path)!r} (looked in {looked_in!r}){how_to_get(path)}")
        rdf_format(path)
    versions = f"triad {VERSION}, pyoxigraph {pyoxigraph.__version__}{', inferred' if infer else ''}"
    key = fingerprint(paths, ", ".join([versions, *labels]))
    folder = cache_folder() / "indexed" / key
    remove_abandoned(folder.parent, ".*")
    there = (folder / INDEX_MARKER).is_file()
    if labels or not there:
        from triad.indexing.entries import LabelProperties  # not needed by whoever asks a graph that is there already

        properties = LabelProperties.of(labels)
    if not there:
        given: dict[str, Any] = {"properties": properties, "infer": infer, "progress": progress, "limits": limits}
        try:
            build(paths, folder, wait=True, **given)
        except ConfigError as error:
            if (folder / INDEX_MARKER).is_file():  # another process was faster
                return folder
            try:
                folder = Path(_while_running().name) / key
            except OSError:
                raise error from None
            if not (folder / INDEX_MARKER).is_file():
                build(paths, folder, wait=True, **given)
            logger.warning("what is made of the graph is not kept: {}; TRIAD_CACHE can name another folder", error)
    return folder


def _paths(files: str | Path | Sequence[str | Path]) -> list[Path]:
    return [Path(files)] if isinstance(files, str | Path) else [Path(file) for file in files]
