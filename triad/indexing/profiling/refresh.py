"""The profile of an index that is there, made anew by itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from triad.errors import ConfigError
from triad.indexing.crawl import open_endpoint
from triad.indexing.downloads import fetch
from triad.indexing.inference import follows
from triad.indexing.layout import Tell
from triad.indexing.profiling.counting import count_profile
from triad.indexing.profiling.endpoint import survey
from triad.indexing.profiling.kept import profile_of_store
from triad.indexing.reading import Faults, PartNotes, read
from triad.indexing.recipe import Recipe
from triad.indexing.targets import open_builder
from triad.indexing.triples import Triples
from triad.kg import INDEX_MARKER
from triad.kg.labels import Labels
from triad.kg.profile import GraphProfile
from triad.kg.stores import open_store
from triad.locks import lock_of, locked
from triad.resources import from_home


def refresh(
    target: str | Path,
    recipe: Recipe | None = None,
    *,
    downloads: Path,
    max_errors: int | None = None,
    tell: Tell | None = None,
) -> GraphProfile:
    """Make the profile of a graph, and put it in the place of the one that its index has.

    Without a recipe it is made of the store in the folder. ``tell`` is told how many triples or relations are done, and
    how many there are as far as that is known; the other arguments are those of `triad.indexing.pipeline.run`.

    Raises:
        ConfigError: There is no such index, no store in the folder, or another process builds it.
        DataError: A file cannot be fetched or read.
        ServiceError: The endpoint or the server of the index failed.
    """
    builder = open_builder(target)
    builder.check_built()
    with locked(lock_of(builder.work), repr(builder.name)):
        description = builder.description()
        known = Labels.from_json(description.get("label_properties"))
        labels = known.all if known else None
        if recipe is None:
            profile = _of_store(from_home(target), labels, tell)
        elif recipe.endpoint:
            with open_endpoint(recipe.endpoint) as graph:
                profile = survey(graph, recipe.endpoint, recipe.names, labels=labels, tell=tell)
        else:
            faults = Faults(recipe.max_errors if max_errors is None else max_errors)
            profile = _of_files(recipe, labels, downloads, faults, tell, infer="inferred" in description)
        try:
            builder.keep_profile(profile)
        except OSError as error:
            raise ConfigError(f"cannot write the profile of {builder.name!r}: {error}") from error
    return profile


def _of_store(folder: Path, labels: Sequence[str] | None, tell: Tell | None) -> GraphProfile:
    try:
        description = json.loads((folder / INDEX_MARKER).read_text(encoding="utf-8"))
        store = open_store(folder / description["store"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(
            f"{str(folder)!r} is no folder of 'triad index' with a store; name the files or the endpoint of the graph"
        ) from error
    return profile_of_store(
        store,
        labels=labels,
        fingerprint=str(description.get("fingerprint", "")),
        prefixes=description.get("prefixes"),
        tell=tell,
    )


def _of_files(
    recipe: Recipe,
    labels: Sequence[str] | None,
    downloads: Path,
    faults: Faults,
    tell: Tell | None,
    *,
    infer: bool,
) -> GraphProfile:
    digests: list[str] = []
    prefixes: dict[str, str] = {}
    with Triples() as triples:
        for source in recipe.sources:
            if source.use != "facts":
                continue
            notes = PartNotes(prefixes=prefixes)
            path = fetch(source, downloads, tell=tell)
            with closing(read(source, path, faults, tell, notes=notes, limits=recipe.parse_limits)) as batches:
                for quads in batches:
                    triples.take(quads)
            digests.append(notes.digest)
        for quads in follows(triples) if infer else ():
            triples.take(quads)
        fingerprint = hashlib.blake2b("".join(digests).encode(), digest_size=16).hexdigest()
        return count_profile(triples, recipe.names, labels=labels, fingerprint=fingerprint, prefixes=prefixes)
