"""Data sets that others publish: where they are, on which terms, and which files the shipped configs read.

The list is data, `published.yaml`, and `triad.datasets.fetching` does what it says.
"""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Final, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from triad.errors import ResourceNotFound
from triad.indexing.recipe import FileSource
from triad.naming import among
from triad.resources import read
from triad.strict import Strict, load_yaml, validate

LIST: Final = Path(__file__).with_name("published.yaml")

Form = Literal["copy", "graph", "metaqa"]
"""How a file is made: as it is, as N-Triples of RDF files, or as N-Triples of MetaQA's ``subject|relation|object``."""


class Download(FileSource):
    """A file at the publisher."""

    called: str = ""
    """Its name, where that is not the end of the address."""
    by_hand: str = ""
    """How to get it, where the address is a page for people: then it is taken from a folder."""

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.called or super().name

    @model_validator(mode="after")
    def _named(self) -> Self:
        if not self.name or PurePosixPath(self.name).name != self.name:
            raise ValueError("'called' must be the name of the file, as the address does not end in it")
        return self


class MadeFile(Strict):
    """A file that configs read."""

    of: Annotated[tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)]
    """The names of the downloads that it is made of."""
    member: str = ""
    """Which file of the download, an archive, is taken; ``*`` stands for anything."""
    form: Form = "copy"

    @model_validator(mode="after")
    def _single(self) -> Self:
        if len(self.of) != 1 and self.form != "graph":
            raise ValueError("only a graph is made of several files")
        if self.member and self.form == "graph":
            raise ValueError("a graph is made of whole files")
        return self


class PublishedSet(Strict):
    """A data set, as its publisher gives it and as configs read it."""

    description: str
    home: str
    """The page of its publisher."""
    licence: str
    configs: tuple[str, ...] = ()
    """The shipped configs that read it."""
    downloads: tuple[Download, ...] = Field(min_length=1)
    files: Mapping[str, MadeFile] = Field(min_length=1)
    """What is made of the downloads, by its path in the data folder."""
    needs: str = ""
    """What a run needs beside it."""

    @property
    def size(self) -> int | None:
        """The bytes to fetch, about; None if that of a file is not known."""
        sizes = [download.expected_size for download in self.downloads]
        return sum(size for size in sizes if size is not None) if None not in sizes else None

    @field_validator("files")
    @classmethod
    def _inside(cls, files: Mapping[str, MadeFile]) -> Mapping[str, MadeFile]:
        for name in files:
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or len(path.parts) < 2:
                raise ValueError(f"{name!r} must be a path inside the data folder, in a folder of its own")
        return files

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        names = [download.name for download in self.downloads]
        if len(set(names)) < len(names):
            raise ValueError("two downloads have the same name; 'called' can give one another")
        if unknown := [name for made in self.files.values() for name in made.of if name not in names]:
            raise ValueError(f"no download is called {unknown[0]!r}")
        return self


def published_sets() -> dict[str, PublishedSet]:
    """Return the sets by name."""
    data = load_yaml(read(LIST), str(LIST))
    return {name: validate(PublishedSet, entry, f"{LIST}: {name}") for name, entry in data.items()}


def published_set(name: str) -> PublishedSet:
    """Return a set by its name.

    >>> published_set("metaqa").licence
    'CC BY 3.0'

    Raises:
        ResourceNotFound: None has that name.
    """
    sets = published_sets()
    if name not in sets:
        raise ResourceNotFound(f"no published data set has the name {name!r}; known: {among(sets, name)}")
    return sets[name]
