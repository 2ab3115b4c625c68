"""Run configs: which graph, index and model answer, with which roles and limits.

    graph: books.ttl                  # RDF files, a folder of 'triad index', or the address of a SPARQL endpoint
    model: openai:gpt-4.1-mini        # or openai:NAME@ADDRESS, ollama:NAME; none, the default, answers without a model
    roles:
      generalist: {examples: 2}       # changes to the shipped card; a name or path takes another card
    limits: {calls: 8}                # of one question
    route: {sure: 0.87, calls: {exploration: 4}}     # when the model is asked, and how often; see triad/route.py
    retrieval: {branches: [sql, passages], rounds: 2}   # how evidence is gathered beside the graph
    dataset: {path: questions.json}   # what 'triad run' asks
    run: {workers: 8, budget: {money: 5}}
    sweep: {generalist.examples: [1, 2, 3]}     # a run for each value, or for each combination of several keys

Paths in a config start at the folder of the file that they are written in; they, addresses, and options of graph and
index may hold variables of the environment, as in ``$TRIAD_DATA/qald9/questions.json``; ``${NAME:-default}`` has a
default. ``TRIAD_DATA`` has one: the folder that ``triad data get`` writes to.

A config may start from another one, by name or path, and say only what differs:

    base: qald9
    graph: http://localhost:8890/sparql
    run: {workers: 2}                 # mappings are merged key by key, anything else replaces what the base has
    index: null                       # takes a key of the base away
"""

import copy
import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal as Choice, Self, TypeGuard

from pydantic import BaseModel, Field, field_validator, model_validator

from triad import resources, sections
from triad.answers import MIN_CONFIDENCE
from triad.embedding import Embedder
from triad.errors import ConfigError, ResourceNotFound
from triad.kg.base import KnowledgeGraph
from triad.kg.labels import expanded
from triad.language.definitions import Meaning
from triad.log import logger
from triad.models import Model, open_model
from triad.models.keyring import key_of
from triad.models.prices import Price
from triad.models.wrappers import RateLimitedModel
from triad.roles import ROLES, Roles, all_or_none, load_roles
from triad.route import Retrieval, Route
from triad.search.base import LabelIndex
from triad.sections import DataSetOptions, Limits, ModelOptions, RunOptions, Source, checked, filled_in, located
from triad.strict import Opened, Strict, kinds, load_yaml, validate
from triad.text import each_text

NO_MODEL: Final = "none"
"""The name for no model: the lexical solver answers the questions."""


class Options(Strict):
    """The options of an agent: keys of a config, and keywords of `triad.Agent`.

    In Python, graph, index, model and embedder may also be given opened, in place of what opens them.
    """

    unwritten: ClassVar[frozenset[str]] = frozenset({"folder"})
    graph: Annotated[Source | tuple[Source, ...] | KnowledgeGraph, Opened(KnowledgeGraph)]
    """RDF files, a folder of ``triad index``, or the address of a SPARQL endpoint."""
    graph_options: Mapping[str, Any] = Field(default_factory=dict)
    """Options of the graph, such as ``timeout``, ``headers`` or ``default_graphs``."""
    lookup_hours: float = Field(default=24.0, ge=0)
    """How long lookups of labels and schema cards at an address are kept on disk; 0 keeps none."""
    index: Annotated[Source | LabelIndex | None, Opened(LabelIndex)] = None
    """The label index; by default the one that comes with the graph."""
    index_options: Mapping[str, Any] = Field(default_factory=dict)
    """Options of the index, such as ``ca_file`` or ``timeout``."""
    model: Annotated[Source | Model | None, Opened(Model)] = None
    """The language model, such as ``openai:gpt-4.1-mini``; ``none``, and the default, is to answer without one."""
    model_options: ModelOptions = ModelOptions()
    prices: Mapping[str, Price] = Field(default_factory=dict)
    """What models cost, in US dollars for a million tokens, beside or in place of Triad's own list: for each as in
    ``gpt-4.1-mini: {input: 0.40, output: 1.60}``."""
    on_model_failure: sections.OnModelFailure = "error"
    """Where the model's server fails, or nothing is left but its failure: ``error`` ends the question with that error,
    ``lexical`` has it answered without a model, and the answer says so. A run's budget ends the run in any case."""
    specialist: sections.SpecialistOptions | None = None
    """A fine-tuned model that is asked first; where what it writes has no answer, the general model repairs it."""
    embedder: Annotated[Source | Embedder | None, Opened(Embedder)] = None
    """The embedder, such as ``fastembed:sentence-transformers/all-MiniLM-L6-v2``: passages, examples and steps of a
    path are compared by it, and an index that was built with it is searched by its vectors, too."""
    documents: Source | None = None
    """A folder of documents that go with the graph: Markdown, HTML, text and PDF. ``triad index CONFIG --passages``
    takes them in."""
    passages: Source | None = None
    """Where the passages of graph and documents are: a folder, or ``elasticsearch:http://HOST:9200/INDEX``; by default
    the folder of the graph's index."""
    roles: Mapping[str, str | dict[str, Any]] = Field(default_factory=dict)
    """For a role the name or path of another card, or changes to the shipped one."""
    language: str | None = None
    """The language of the questions, as a tag; ``auto``, and the default, has it told from each question."""
    labels: tuple[str, ...] = ()
    """Properties that hold labels, as IRIs or with a well-known prefix, such as ``schema:name``, the preferred one
    first. By default the well-known ones, and those of the graph's own that are found out."""
    infer: bool = False
    """Whether what follows from the facts of RDF files by the axioms among them is asked, too; takes the extra
    ``infer``."""
    min_confidence: float = Field(default=MIN_CONFIDENCE, ge=0, le=1)
    """The confidence below which an answer is a guess: the question counts as unknown. With 0 every answer is given."""
    ontology: tuple[Source, ...] = ()
    """RDF files beside the graph that say what its classes and relations are called, and what they mean; their triples
    are no answers."""
    hints: tuple[str, ...] = ()
    """Properties of the ontology's own whose texts say what a class or a relation means, or how it is used: IRIs, or
    names with a prefix of the graph."""
    questions: tuple[str, ...] = ()
    """Questions of one's own, which are suggested before those that are made of the schema: all of them with the
    description of the graph, and after an answer those that name a thing or a class of it. One that the solver does not
    answer is left out."""
    words: Mapping[str, Meaning] = Field(default_factory=dict)
    """A glossary: words of users, each with the class, relation or entity that it stands for, or with several: IRIs, or
    names with a prefix of the graph; or with its definition, a condition or a formula over the graph's names. Model and
    solver use it."""
    weights: Source | None = None
    """A file of weights that ``triad learn`` wrote; by default the lexical solver has those that come with Triad."""
    examples: Source | None = None
    """A file of questions with their queries, in any format of `triad.datasets`: the nearest are shown to the
    generalist in place of its prompt's own examples."""
    limits: Limits = Limits()
    route: Route | Choice["phases"] = Route()
    """The rungs of the ladder, where there is a model; ``phases`` is the form of the Triad paper: templates in at
    most T tries, then the model's own knowledge."""
    retrieval: Retrieval = Retrieval()
    """How evidence is gathered from tables, passages and the graph, where the graph's folder has tables or passages."""
    folder: Path = Field(default=Path(), exclude=True)
    """Where relative paths start; a config's own folder."""

    @field_validator("language")
    @classmethod
    def _said_language(cls, language: str | None) -> str | None:
        return None if language == "auto" else language

    @field_validator("ontology", mode="before")
    @classmethod
    def _listed(cls, files: Any) -> Any:
        return (files,) if isinstance(files, str) else files

    @field_validator("labels")
    @classmethod
    def _known_labels(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        try:
            expanded(names)
        except ConfigError as error:
            raise ValueError(str(error)) from error
        return names

    @field_validator("index_options")
    @classmethod
    def _without_embedder(cls, options: Mapping[str, Any]) -> Mapping[str, Any]:
        for name in {"embedder", "finder", "graph"} & options.keys():
            raise ValueError(f"{name!r} is a key of its own, beside 'index_options'")
        return options

    def arguments(self) -> dict[str, Any]:
        """Return all options by name, with variables of the environment filled in; `open_model` does so for the model.

        Raises:
            ConfigError: One is not set.
        """
        keys = {name: getattr(self, name) for name in Options.model_fields if name != "model"}
        options = {
            name: each_text(keys[name], lambda text: checked(text, is_path=False))
            for name in ("graph_options", "index_options")
        }
        return {**_each_source(keys, checked), **options, "model": self.model}

    @property
    def model_name(self) -> str | None:
        """What opens the model, or the name of one that is open."""
        return self.model.name if isinstance(self.model, Model) else self.model

    def model_names(self, roles: Roles) -> dict[str, str]:
        """Return the name of each role's model; nothing where questions are answered without one.

        Raises:
            ConfigError: One role has a model and another one has none.
        """
        names = {role: roles.card(role).model or self.model_name for role in ROLES}
        return all_or_none({role: name if _is_model(name) else None for role, name in names.items()})

    def open_model(self, name: str | None = None) -> Model | None:
        """Open the config's model, or another one with the same options; None where there is none.

        Raises:
            ConfigError: The model cannot be opened.
        """
        source = name or self.model
        if isinstance(source, Model):
            return source
        if not _is_model(source):
            return None
        source = located(located(filled_in(source), self.folder), Path())
        if source.startswith(("replay:", "records:")):
            return open_model(checked(source))
        options = self.model_options.model_dump(exclude={"cache", "calls_per_minute"}, exclude_none=True)
        if file := self.model_options.api_key_file:
            options["api_key_file"] = checked(file)
        if self.prices:
            options["prices"] = self.prices
        model = open_model(checked(source, is_path=False), **options)
        if self.model_options.calls_per_minute:
            model = RateLimitedModel(model, per_minute=self.model_options.calls_per_minute)
        if not self.model_options.cache:
            return model
        from triad.models.cache import CachedModel  # with the database behind the cache

        return CachedModel(model, resources.cache_folder() / "replies")


class Config(Options):
    """A run config: the options of an agent, and what a run asks."""

    description: str = ""
    base: str | None = Field(default=None, exclude=True)
    """Name or path of a config that a file starts from."""
    dataset: DataSetOptions | None = None
    """The data set that a run asks."""
    run: RunOptions = RunOptions()
    sweep: Mapping[str, Any] | tuple[Mapping[str, Any], ...] = ()
    """Keys and the values that each takes, one run for each combination; several such mappings add up. A key
    such as ``generalist.examples`` leads into a role, any other one into the config."""

    @model_validator(mode="before")
    @classmethod
    def _with_paths(cls, keys: Any) -> Any:
        if not isinstance(keys, Mapping):
            return keys
        if (stand_in := keys.get("fallback")) is not None:
            logger.warning("'fallback' names {!r}, which nothing takes any more: take it out", stand_in)
        keys = {key: value for key, value in keys.items() if key != "fallback"}
        return _anchored(_anchored(keys, Path(keys.get("folder", ""))), Path())

    @property
    def dataset_path(self) -> Path:
        """The data set's path; a `ConfigError` says that the config names none."""
        if self.dataset is None:
            raise ConfigError("the config names no data set; give one, such as dataset: {path: questions.json}")
        return Path(checked(self.dataset.path))

    @property
    def answers_path(self) -> Path | None:
        """The path of the gold answers that lie apart from the data set."""
        return Path(checked(self.dataset.answers)) if self.dataset and self.dataset.answers else None

    def resolved(self) -> dict[str, Any]:
        """Return all keys, defaults included, with paths that hold from any folder; `make_config` reads them.

        Raises:
            ConfigError: A path or an address names a variable that is not set.
        """
        keys = self.model_dump(mode="json")
        sweep = keys.pop("sweep")
        return {**_each_source(keys, checked), "model": checked(self.model_name or NO_MODEL), "sweep": sweep}

    def with_cards(self) -> dict[str, Any]:
        """Return all keys, and all those of the roles' cards: shipped cards may change, and a default equals itself.

        Raises:
            ConfigError: A card cannot be used.
        """
        roles = load_roles(self.roles)
        return {**self.resolved(), "roles": {role: roles.card(role).model_dump(mode="json") for role in ROLES}}

    def without_model(self) -> Self:
        """Return the config for what takes no model: without its own, those of the roles and the specialist."""
        cards = {role: self.roles.get(role, {}) for role in ROLES}
        changes = {role: {"card": card} if isinstance(card, str) else card for role, card in cards.items()}
        roles = {role: {**change, "model": None} for role, change in changes.items()}
        return self.model_copy(update={"model": NO_MODEL, "roles": roles, "specialist": None})


def _is_model(name: str | None) -> TypeGuard[str]:
    return name is not None and name != NO_MODEL


def needs_key(model: str) -> bool:
    """Return whether a model is OpenAI's own and there is no key for it, neither in the environment nor kept."""
    hosted = model.startswith("openai:") and "@" not in model and not os.environ.get("OPENAI_BASE_URL")
    return hosted and not os.environ.get("OPENAI_API_KEY") and not key_of("openai")


def load_config(name: str | Path, changes: Mapping[str, Any] | None = None) -> Config:
    """Load a config.

    Args:
        name: Its name, or its path.
        changes: Keys that replace those of the file; dots lead into it: ``{"roles.generalist.examples": 1}``.

    Raises:
        ConfigError: It cannot be found or used.
    """
    path = resources.find("configs", name)
    data, origin = _read(path)
    return make_config({**data, "folder": path.parent}, changes, origin)


def _read(path: Path, above: tuple[Path, ...] = ()) -> tuple[dict[str, Any], str]:
    """Return the keys of a file, those of its base included, and its name in errors; files above start from it."""
    data = load_yaml(resources.read(path), str(path))
    base = data.pop("base", None)
    if base is None:
        return data, str(path)
    if not isinstance(base, str):
        raise ConfigError(f"{path}: 'base': the name or path of a config is expected, got {base!r}")
    files = (*above, path.resolve())
    try:
        found = resources.find("configs", path.parent / base if "/" in base or Path(base).suffix else base)
    except ResourceNotFound as error:
        raise ConfigError(f"{path}: 'base': {error}") from error
    if found.resolve() in files:
        circle = " → ".join(str(file) for file in (*files, found.resolve()))
        raise ConfigError(f"{path}: 'base': configs cannot start from each other: {circle}")
    inherited, origin = _read(found, files)
    return _merged(_anchored(inherited, found.parent), data), f"{path} (base: {origin})"


def _merged(base: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in keys.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = _merged(merged[key], value)
        else:
            merged[key] = value
    return merged


def _anchored(keys: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the keys of a config with paths that start at a folder, as far as there is something in it."""
    anchored: dict[str, Any] = _each_source(keys, lambda source: located(filled_in(source), folder))
    if isinstance(place := keys.get("passages"), str) and not place.startswith("elasticsearch:"):
        anchored["passages"] = str(folder / resources.from_home(filled_in(place)))  # also where there is nothing yet
    return anchored


def _each_source(value: Any, change: Callable[[str], str], key: str = "") -> Any:
    """Return the value of a key with every source in it changed, those of a sweep included."""
    if isinstance(value, Mapping):
        above = "" if key in ("", "sweep") else f"{key}."
        return {name: _each_source(one, change, f"{above}{name}") for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_each_source(one, change, key) for one in value]
    return change(value) if isinstance(value, str) and key in _sources() and value != NO_MODEL else value


@cache
def _sources() -> frozenset[str]:
    """Return the keys whose values may be paths."""
    return frozenset([*_marked(Config), "index_options.ca_file"])


def _marked(model: type[BaseModel], above: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        for part in (*field.metadata, *kinds(field.annotation)):
            if isinstance(part, sections.SourceMark):
                yield above + name
            elif isinstance(part, type) and issubclass(part, BaseModel):
                yield from _marked(part, f"{above}{name}.")


def make_config(data: Mapping[str, Any], changes: Mapping[str, Any] | None = None, origin: str = "config") -> Config:
    """Make a config from keys and changes, as `load_config` takes them; a `ConfigError` names their origin."""
    keys = copy.deepcopy(dict(data))
    if "base" in {**keys, **(changes or {})}:
        raise ConfigError(f"{origin}: 'base' is a key of files")
    for key, value in (changes or {}).items():
        *parents, last = key.split(".")
        place = keys
        for parent in parents:
            place = place.setdefault(parent, {})
            if not isinstance(place, dict):
                raise ConfigError(f"{origin}: cannot set {key!r}, for {parent!r} is {place!r}")
        place[last] = value
    return validate(Config, keys, origin)
