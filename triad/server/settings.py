"""The settings of a server: which graphs it answers over, who may ask, and how much.

    graphs:
      company: company.yaml             # a config, by name or path
      books: {config: {graph: books.ttl}}             # or its keys
      films: {config: demo, title: Films, limits: {concurrent: 4, seconds: 30}, datasets: ["https://example.org/films/"]}
    open: false                         # whether one may ask without a key; by default on this machine only
    hosts: [ask.example.org]            # names that the server may be called by, besides those of this machine
    origins: ["https://intranet.example.org"]       # pages of others that may ask (CORS)
    state: sqlite:////var/lib/triad/state.db        # or postgresql+psycopg://triad@db/triad

A config of a graph alone (``graph: books.ttl``) is taken for a server with that one graph.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, Literal as Choice, Self

import platformdirs
from pydantic import Field, ValidationInfo, field_validator, model_validator

from triad import resources
from triad.configs import Config, load_config, make_config
from triad.errors import ConfigError
from triad.kg.files import rdf_suffix
from triad.naming import among
from triad.rdf import writable
from triad.strict import Strict, filled, load_yaml, missing, validate
from triad.text import without_secrets

ADMINS_SEE_ALL: Final = "with the scope 'admin' one sees what others asked, and so all graphs and all of each"
"""Why an admin is bound to nothing."""
DEFAULT_GRAPH: Final = "default"
"""What names the triples that stand in no named graph."""
_ELSE: Final = (
    "serve a dump of the graph ('triad index'), or, as a graph of its own that keys are bound to (--graphs), the "
    "address of a proxy or of an account at which the endpoint shows no more than they may see"
)
ELSEWHERE: Final = (
    "of {!r}, which is at an endpoint, a key cannot be bound to classes or to 'default': bind it to named graphs, or "
    + _ELSE
)
"""Why a graph that is named is not seen in part, and what works in place of it."""
UNHEEDING: Final = (
    "the endpoint {!r} answers from other graphs than those that it is asked for ('default-graph-uri'), so that no key "
    "can be bound to some of them: " + _ELSE
)
"""Why named graphs of an endpoint are not seen apart."""
LOCAL_HOSTS: Final = ("localhost", "127.0.0.1", "[::1]")
"""Names that a server on this machine is called by."""

_ORIGIN: Final = re.compile(r"https://[a-z0-9.-]+(:[0-9]+)?")


class GraphLimits(Strict):
    """How much may be asked of one graph at once."""

    concurrent: int = Field(default=256, ge=1)
    """Questions that a process answers at once, of one asker three quarters of them; others wait."""
    queries: int = Field(default=2, ge=1)
    """Queries that users wrote and that a process runs at once, one of each key; others wait. A graph on this machine
    needs more `workers`, so that questions do not wait for them."""
    queue: int = Field(default=1_000, ge=0)
    """Questions of a process that may wait, and queries of one key; beyond that the server says that it is busy."""
    seconds: float = Field(default=120.0, gt=0)
    """How long a question may take, waiting included; then it is cancelled."""


class GraphSettings(Strict):
    """One of the graphs of a server."""

    config: str | Mapping[str, Any]
    """A config, by name or path, or its keys."""
    title: str = ""
    """What people call it; by default its name."""
    datasets: tuple[str, ...] = ()
    """Ids of data sets for which TEXT2SPARQL and GERBIL ask it, besides its name."""
    limits: GraphLimits = GraphLimits()


class KeyLimits(Strict):
    """What one key, or one session without a key, may ask; None is no limit."""

    requests_a_minute: int | None = Field(default=600, ge=1)
    calls_a_day: int | None = Field(default=None, ge=1)
    """Calls of a model."""
    money_a_day: float | None = Field(default=None, gt=0)
    """US dollars."""


class Reach(Strict):
    """What a key sees of the data of a server; where it names nothing, it sees all."""

    graphs: tuple[str, ...] = ()
    """Names of graphs of the server."""
    named_graphs: tuple[str, ...] = ()
    """IRIs of the named graphs that exist for it; ``default`` is what stands in none."""
    only: tuple[str, ...] = ()
    """IRIs of the classes whose things, and those of their subclasses, exist for it."""

    @field_validator("named_graphs", "only")
    @classmethod
    def _iris(cls, names: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        for name in names:
            is_iri = writable(name) and ":" in name
            if not is_iri and (info.field_name, name) != ("named_graphs", DEFAULT_GRAPH):
                raise ValueError(f"{name!r} is no IRI; write all of it, without a prefix")
        return tuple(sorted(set(names)))

    @property
    def holds_elsewhere(self) -> bool:
        """Whether an endpoint can be asked for no more."""
        return not self.only and DEFAULT_GRAPH not in self.named_graphs

    @property
    def part(self) -> Self:
        """What it sees of each graph."""
        return self.model_copy(update={"graphs": ()})


ALL: Final = Reach()
"""What sees all."""


class Grant(Strict):
    """What somebody may who signs on."""

    scopes: tuple[Choice["ask", "query", "admin"], ...] = ("ask", "query")
    sees: Reach = ALL
    """The part of the data that they see, as a key's."""
    limits: KeyLimits | None = None

    @model_validator(mode="after")
    def _admins_see_all(self) -> Self:
        if "admin" in self.scopes and self.sees != ALL:
            raise ValueError(ADMINS_SEE_ALL)
        return self


class SignOn(Strict):
    """Sign-on at a provider of OpenID Connect, beside keys."""

    issuer: str
    """Its address, as it calls itself."""
    client_id: str
    client_secret: str = ""
    """May be a variable of the environment; without one this server is a public client."""
    scope: str = "openid profile email"
    """What is asked of the provider."""
    claim: str = "groups"
    """What the provider says of somebody that decides what they may."""
    grants: Mapping[str, Grant] = Field(min_length=1)
    """What each value of the claim allows, of which the first holds; ``*`` is for everybody who is known there."""

    @property
    def secret(self) -> str:
        """The secret; a `ConfigError` if it names a variable that is not set."""
        return _filled("client_secret", self.client_secret)


class Settings(Strict):
    """What ``triad serve`` serves, and to whom."""

    unwritten: ClassVar[frozenset[str]] = frozenset({"folder"})
    graphs: Mapping[str, GraphSettings] = Field(min_length=1)
    """The graphs by name; the first one is asked where a question names none."""
    open: bool = True
    """Whether one may ask and query without a key."""
    learn: bool = False
    """Whether feedback without a key teaches the server, too; that with a key always does."""
    pictures: bool | tuple[str, ...] = True
    """Whether the page shows pictures of other servers where a graph names them, or of which: these see that somebody
    looks."""
    inspect: bool = False
    """Whether all see prompts and replies of the model; else only keys with the scope ``admin`` do."""
    sign_on: SignOn | None = None
    """The provider at which people sign on; the page of a server that is not open sends them there."""
    hosts: tuple[str, ...] = ()
    """Names that the server may be called by, besides those of this machine; ``*`` is any."""
    origins: tuple[str, ...] = ()
    """Origins of other pages that may ask, with a key or as all may, and never by a cookie."""
    state: str = ""
    """The address of the database, as SQLAlchemy writes it; by default a SQLite file of the user's."""
    counters: str = "memory://"
    """Where requests are counted: ``memory://``, or the address of a Redis that several servers share."""
    limits: KeyLimits = KeyLimits()
    """Of a key that has none of its own, and of each address without a key."""
    runs: str | None = None
    """The folder of the runs whose reports are shown."""
    body_limit: int = Field(default=100_000, ge=1_000)
    """Bytes that the body of a request may have."""
    body_seconds: float = Field(default=10.0, gt=0)
    """Seconds in which the body of a request must be there."""
    grace: float = Field(default=30.0, ge=0)
    """Seconds that questions under way have to end when the server stops."""
    traces: bool = True
    """Whether the steps of an answer are kept with its turn."""
    session_days: int = Field(default=30, ge=1)
    """Days that a session of the page lasts, and that what was asked without a key is kept; by default a year on a
    server that listens to this machine alone."""
    session_turns: int = Field(default=20_000, ge=1)
    """Turns of all who ask without a key that are kept; beyond it the oldest are deleted."""
    audit_days: int = Field(default=0, ge=0)
    """Days that it is kept who asked what, which query ran and how much it found; with 0 it is not kept."""
    secure: bool = False
    """Whether cookies are for TLS only: a proxy before the server speaks it."""
    folder: Path = Field(default=Path(), exclude=True)
    """Where relative paths start; the folder of the settings' own file."""

    @field_validator("pictures")
    @classmethod
    def _origins(cls, pictures: bool | tuple[str, ...]) -> bool | tuple[str, ...]:
        for origin in () if isinstance(pictures, bool) else pictures:
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin!r} is no origin, such as https://pictures.example.org")
        return pictures

    @field_validator("graphs", mode="before")
    @classmethod
    def _named(cls, graphs: Any) -> Any:
        """Take the name of a config for the settings of a graph."""
        if not isinstance(graphs, Mapping):
            return graphs
        return {name: {"config": one} if isinstance(one, str) else one for name, one in graphs.items()}

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        ids = [one for graph in self.graphs.values() for one in graph.datasets]
        if twice := {one for one in ids if ids.count(one) > 1}:
            raise ValueError(f"data sets that several graphs have: {', '.join(sorted(twice))}")
        return self

    @property
    def database(self) -> str:
        """The address of the database; a `ConfigError` if it names a variable that is not set."""
        if self.state:
            return _filled("state", self.state)
        folder = Path(platformdirs.user_data_dir("triad", appauthor=False))
        return f"sqlite:///{os.environ.get('TRIAD_STATE') or folder / 'server.db'}"

    @property
    def counters_address(self) -> str:
        """Where requests are counted; a `ConfigError` if that names a variable that is not set."""
        return _filled("counters", self.counters)

    @property
    def runs_folder(self) -> Path | None:
        """The folder of runs, with a path that starts at the settings' folder."""
        return self.folder / resources.from_home(self.runs) if self.runs else None

    def check_reach(self, reach: Reach) -> None:
        """Raise a `ConfigError` where a reach names a graph that is none, or that is not seen in part."""
        for name in reach.graphs or self.graphs:
            if name not in self.graphs:
                raise ConfigError(f"the server has no graph {name!r}; known: {among(self.graphs, name)}")
            if not reach.holds_elsewhere and "://" in str(self.config(name).graph):
                raise ConfigError(ELSEWHERE.format(name))

    def config(self, name: str) -> Config:
        """Return the config of a graph; a `ConfigError` if it cannot be found or used."""
        source = self.graphs[name].config
        if not isinstance(source, str):
            return make_config({**source, "folder": self.folder}, origin=f"graphs.{name}.config")
        if rdf_suffix(source):
            keys = f"{{config: {{graph: {source}}}}}"
            raise ConfigError(f"graphs.{name}: {source!r} is a graph's file and no config; write {name}: {keys}")
        return load_config(self.file(name) or source)

    def file(self, name: str) -> Path | None:
        """Return the file of the config of a graph; None if it is a shipped one, or stands in the settings."""
        source = self.graphs[name].config
        here = self.folder / resources.from_home(source) if isinstance(source, str) else Path()
        return here if resources.found_at(here) == "file" else None


def _filled(key: str, address: str) -> str:
    found = filled(address)
    if name := missing(found):
        raise ConfigError(
            f"{key!r} is to be at {without_secrets(address)!r}, but the environment has no variable {name!r}; set it"
        )
    return found


def load_settings(
    source: str | Mapping[str, Any], changes: Mapping[str, Any] | None = None, defaults: Mapping[str, Any] | None = None
) -> Settings:
    """Read the settings of a server, or a config of one graph: by name or path, or their keys.

    Changes replace keys; defaults are for where the settings say nothing.

    Raises:
        ConfigError: It cannot be found or used.
    """
    if isinstance(source, str):
        path = resources.find("configs", source)
        data = load_yaml(resources.read(path), str(path))
        if "graphs" not in data:
            load_config(source)  # so that what is wrong with it is said now
            data = {"graphs": {path.stem: {"config": str(path.absolute()) if Path(source).suffix else source}}}
        origin, folder = str(path), path.parent
    else:
        data, origin, folder = dict(source), "settings", Path()
    found = validate(Settings, {**(defaults or {}), **data, **(changes or {}), "folder": folder}, origin)
    for name in found.graphs:
        if not name.replace("-", "").replace("_", "").replace(".", "").isalnum():
            raise ConfigError(f"{origin}: a graph's name has letters, digits, '-', '_' and '.', not {name!r}")
    for grant in found.sign_on.grants.values() if found.sign_on else ():
        found.check_reach(grant.sees)
    return found
