"""An indexing recipe: the files of a graph, and the properties in them that hold names.

A recipe is data, and its comments are its manual. It names dumps that publishers offer, or an endpoint, and says
which properties hold what; `triad.indexing.pipeline` does the rest. What it leaves out has the defaults of
`triad.indexing.entries.LabelProperties`.
"""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Literal, Self
from urllib.parse import unquote, urlsplit

from pydantic import ByteSize, Field, field_validator, model_validator

from triad import resources
from triad.errors import ConfigError, DataError
from triad.indexing.entries import LabelProperties, Popularity
from triad.kg.files import RDF_SUFFIXES, rdf_suffix
from triad.kg.labels import expanded
from triad.kg.parsing import DEFAULT_LIMITS, ParseLimits
from triad.strict import Strict, load_yaml, validate
from triad.text import without_secrets


class FileSource(Strict):
    """A file, where it is, and how to tell that it is the right one."""

    address: str
    """Where it is: an address on the web, or a path, which starts at the recipe's folder."""
    holds: str = ""
    """A description of its content."""
    size: int | None = Field(default=None, ge=0)
    """Its bytes, exactly; what is fetched must have as many."""
    about: ByteSize | None = None
    """About how many bytes it has, such as ``180 MB``, to estimate the time."""
    sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    """The checksum of what is fetched."""
    md5: str | None = Field(default=None, pattern="^[0-9a-f]{32}$")
    """The checksum of what is fetched, where the publisher gives no other."""

    @field_validator("address")
    @classmethod
    def _placed(cls, value: str) -> str:
        if is_address(value) and (urlsplit(value).hostname or "").strip(".") == "":
            raise ValueError("names no host")
        if not unquote(value).isprintable():
            raise ValueError("has characters that no name of a file has")
        return value

    @property
    def name(self) -> str:
        """The name of the file."""
        return PurePosixPath(unquote(urlsplit(self.address).path)).name if is_address(self.address) else self.path.name

    @property
    def shown(self) -> str:
        """The address as it may be shown and kept."""
        return without_secrets(self.address)

    @property
    def path(self) -> Path:
        """Where it is, if that is not on the web."""
        return resources.from_home(self.address.removeprefix("file://"))

    @property
    def expected_size(self) -> int | None:
        """The size as far as it is known before the file is there."""
        return self.size if self.size is not None else self.about


class Source(FileSource):
    """A file of a graph."""

    format: str | None = None
    """Its RDF format as a suffix, such as ``nt``, if its name does not tell or tells it wrongly."""
    members: tuple[str, ...] = ()
    """Which files of a zip archive are read, in this order; ``*`` and ``?`` stand for anything. None means all."""
    use: Literal["facts", "links"] = "facts"
    """Whether its triples are facts, or links between pages that are only counted."""

    @field_validator("format")
    @classmethod
    def _known_format(cls, value: str | None) -> str | None:
        if value is not None and f".{value}" not in RDF_SUFFIXES:
            raise ValueError(f"must be one of {', '.join(suffix[1:] for suffix in RDF_SUFFIXES)}")
        return value

    @model_validator(mode="after")
    def _readable(self) -> Self:
        zipped = self.name.lower().endswith(".zip")
        if self.members and not zipped:
            raise ValueError(f"{self.name!r} is no zip archive, so it has no 'members'")
        if not zipped and self.format is None and not rdf_suffix(self.name):
            raise ValueError(f"the name {self.name!r} does not tell the RDF format; 'format' can")
        return self


class Endpoint(Strict):
    """A SPARQL endpoint that a graph is read from, and how politely."""

    address: str
    """Where it is."""
    rate: float = Field(default=2.0, gt=0)
    """Requests a second at most."""
    user_agent: str = ""
    """Who asks, with an address for complaints; by default Triad and its version."""
    page: int = Field(default=500, ge=1, le=10_000)
    """Resources whose names are asked for at once."""
    timeout: float = Field(default=120.0, gt=0)
    """Seconds that a query may take."""
    degrees: bool = True
    """Whether to ask for the number of triples of each resource, its popularity; else popularity is not used."""

    @field_validator("address")
    @classmethod
    def _on_the_web(cls, value: str) -> str:
        if not is_address(value):
            raise ValueError("must be an address that starts with http:// or https://")
        return value


class Spread(Strict):
    """How an index in Elasticsearch is spread over the machines of its cluster."""

    shards: int = Field(default=1, ge=1, le=1024)
    """Parts of the index, which several machines search at once; one is right for up to some ten million names."""
    replicas: int | None = Field(default=None, ge=0, le=100)
    """Copies of each part, so that a machine may fail and others answer more questions; by default one where there is
    a second machine."""


class Recipe(Strict):
    """How a graph is made ready for questions."""

    description: str
    """A description of the result, in a line."""
    sources: tuple[Source, ...] = ()
    """The files, in the order in which they are read."""
    endpoint: Endpoint | None = None
    """Where to ask, in place of files."""
    names: LabelProperties = LabelProperties()
    """Which properties hold names, descriptions and types, in which languages, and which IRIs are kept."""
    popularity: Popularity = "degree"
    """The measure of popularity: the number of triples, or of links between pages."""
    store: bool = True
    """Whether a folder gets a store of the facts as well as an index of the names."""
    infer: bool | None = None
    """Whether what follows from the facts is kept with them; by default where it was in the folder that is replaced."""
    profile: bool = True
    """Whether a profile of the graph is made, too: of files with all facts (`store`), or of an endpoint, by some ten
    queries a relation."""
    elasticsearch: Spread = Spread()
    """How an index in Elasticsearch is spread over machines; a folder is in one place."""
    max_errors: int = Field(default=10_000, ge=0)
    """How many malformed lines are left out before it is an error."""
    parse_memory: ByteSize = ByteSize(DEFAULT_LIMITS.memory)
    """Bytes that the parser of a file, or inferring, may take, such as ``4 GB``; 0 is no limit. Files may be larger."""
    parse_timeout: float = Field(default=DEFAULT_LIMITS.seconds, gt=0)
    """Seconds that the parser may be busy without coming any further, and inferring for each 100,000 facts."""

    @property
    def parse_limits(self) -> ParseLimits:
        """The limits of the parser of a file."""
        return ParseLimits(self.parse_memory, self.parse_timeout)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if bool(self.sources) == bool(self.endpoint):
            raise ValueError("either 'sources' or 'endpoint' is needed, and not both")
        counted = any(source.use == "links" for source in self.sources)
        if self.sources and counted != (self.popularity == "links"):
            raise ValueError("'popularity: links' and a source with 'use: links' need each other")
        return self

    def with_labels(self, labels: Sequence[str]) -> Self:
        """Return the recipe with labels by just some properties.

        Raises:
            ConfigError: One is neither an IRI nor begins with a known prefix.
        """
        changes = {"labels": expanded(labels), "local_names": ()}
        return self.model_copy(update={"names": self.names.model_copy(update=changes)})

    def with_rate(self, rate: float) -> Self:
        """Return the recipe with so many requests a second to its endpoint; a `ConfigError` if it has none."""
        if self.endpoint is None:
            raise ConfigError("--rate is for an endpoint, and files are read as fast as they can be")
        return self.model_copy(update={"endpoint": self.endpoint.model_copy(update={"rate": rate})})


def load_recipe(name: str | Path) -> Recipe:
    """Read a recipe.

    >>> load_recipe("wikidata").names.languages
    ('en',)

    Args:
        name: The name of a file in a folder ``index``, or a path.

    Raises:
        ConfigError: There is none, or it cannot be used.
    """
    path = resources.find("index", name)
    recipe = validate(Recipe, load_yaml(resources.read(path), str(path)), path)
    sources = tuple(
        one if is_address(one.address) else one.model_copy(update={"address": str((path.parent / one.path).absolute())})
        for one in recipe.sources
    )
    return recipe.model_copy(update={"sources": sources})


def recipe_of(sources: Iterable[str | Path]) -> Recipe:
    """Return the recipe that the files, addresses of dumps, or the address of an endpoint are.

    Raises:
        ConfigError: Files and an endpoint are named at once, or a name does not tell the format.
    """
    names = [str(source) for source in sources]
    endpoints = [name for name in names if is_address(name) and not is_dump(name)]
    if endpoints and len(names) > 1:
        raise ConfigError(f"the endpoint {without_secrets(endpoints[0])!r} is indexed by itself; name nothing else")
    if endpoints:
        data: dict[str, Any] = {"endpoint": {"address": endpoints[0]}}
    else:
        addresses = [name if is_address(name) else str(resources.from_home(name).absolute()) for name in names]
        data = {"sources": [{"address": address} for address in addresses], "max_errors": 0}
    return validate(Recipe, {"description": ", ".join(map(without_secrets, names)), **data}, "what to index")


def is_address(text: str) -> bool:
    """Return whether a text is an address on the web."""
    return text.partition("://")[0].lower() in ("http", "https") and "://" in text


def is_dump(address: str) -> bool:
    """Return whether an address on the web is that of an RDF file, as far as its name tells."""
    try:
        path = urlsplit(address).path
    except ValueError as error:
        raise ConfigError(f"{without_secrets(address)!r} is not an address: {error}") from error
    return path.lower().endswith(".zip") or bool(rdf_suffix(path))


def local_path(source: FileSource, folder: Path) -> Path:
    """Return where a source lies on disk: its own path, or where its download comes to lie."""
    if not is_address(source.address):
        return source.path
    address = urlsplit(source.address)
    parts = [part for part in unquote(address.path).split("/") if part not in ("", ".", "..")]
    if address.query:  # by which it may be another file; the end of a name tells the format
        parts.insert(-1, hashlib.sha256(address.query.encode()).hexdigest()[:16])
    return folder.joinpath(address.netloc.rpartition("@")[2].replace(":", "_"), *parts)


def given(source: FileSource) -> Path:
    """Return the path of a source that is a file here; a `DataError` if it is missing, or another one."""
    if resources.found_at(source.path) != "file":
        raise DataError(f"there is no file {str(source.path)!r}")
    verified(source, source.path)
    return source.path


def verified(source: FileSource, path: Path) -> None:
    """Compare a file with its size and checksum in the recipe.

    Raises:
        DataError: It is another one; if it was downloaded, it is deleted.
    """
    size, fault = path.stat().st_size, ""
    if source.size is not None and size != source.size:
        fault = f"has {size:,} bytes, and the recipe says {source.size:,}"
    for kind, expected in (("sha256", source.sha256), ("md5", source.md5)):
        if expected and not fault and (found := checksum(path, kind)) != expected:
            fault = f"has the {kind} checksum {found!r}, and the recipe says {expected!r}"
    if fault and is_address(source.address):
        path.unlink()
        fault += "; it was deleted. If the publisher has put another file there, the recipe must be changed"
    if fault:
        raise DataError(f"{source.shown!r} {fault}")


def checksum(path: Path, kind: str = "sha256") -> str:
    """Return the checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, kind).hexdigest()
