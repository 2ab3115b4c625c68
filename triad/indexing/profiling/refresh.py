"""The profile of an index that is there, made anew by itself."""

from functools import partial
from pathlib import Path

from triad.errors import ConfigError
from triad.indexing.layout import Progress
from triad.indexing.pipeline import Job
from triad.indexing.profiling.kept import profile_of_store
from triad.indexing.recipe import Recipe
from triad.indexing.targets import open_builder
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
    progress: Progress = lambda *_: None,
) -> GraphProfile:
    """Make the profile of a graph, and put it in the place of the one that its index has.

    Without a recipe it is made of the store in the folder. The other arguments are those of
    `triad.indexing.pipeline.run`.

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
        if recipe is not None:
            job = Job(recipe, builder, downloads, progress, recipe.parse_limits)
            profile = job.profile(labels, recipe.max_errors if max_errors is None else max_errors)
        elif "store" in description:
            profile = profile_of_store(
                open_store(from_home(target) / description["store"]),
                labels=labels,
                fingerprint=str(description.get("fingerprint", "")),
                prefixes=description.get("prefixes"),
                tell=partial(progress, "profile"),
            )
        else:
            raise ConfigError(
                f"{builder.name!r} is no folder of 'triad index' with a store; name the files or the endpoint of the "
                "graph"
            )
        builder.keep_profile(profile)
    return profile
