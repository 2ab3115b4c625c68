"""Run configs: which graph, index and model answer, with which roles and limits.

    graph: books.ttl                  # RDF files, a folder of 'triad index', or the address of a SPARQL endpoint
    model: openai:gpt-4.1-mini        # or openai:NAME@ADDRESS, ollama:NAME; none, the default, answers without a model
    roles:
      generalist: {examples: 2}       # changes to the shipped card; a name or path takes another card
    limits: {calls: 8}                # of one question
    route: {sure: 0.9, calls: {exploration: 4}}     # when the model is asked, and how often; see triad/route.py
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

from __future__ import annotations

import copy
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, TypeGuard
from typing import Literal as Choice

from pydantic import Field, field_validator

from triad import resources
from triad.answers import MIN_CONFIDENCE
from triad.errors import ConfigError, ResourceNotFound
from triad.kg.labels import expanded
from triad.models import Model, RateLimitedModel, open_model
from triad.models.keyring import key_of
from triad.roles import ROLES, Roles, all_or_none, load_roles
from triad.route import Retrieval, Route
from triad.strict import Amount, Seconds, Strict, load_yaml, validate
from triad.variables import filled, missing

__all__ = [
    "NO_MODEL",
    "Config",
    "DataSetOptions",
    "Limits",
    "ModelOptions",
    "OnModelFailure",
    "RunBudget",
    "RunOptions",
    "SpecialistOptions",
    "load_config",
    "make_config",
    "needs_key",
]

NO_MODEL: Final = "none"
"""The name for no model: the lexical solver answers the questions."""

OnModelFailure = Choice["error", "lexical"]
"""What happens where the model cannot be reached, or a question's budget is used up."""

_Text = Annotated[str, Field(coerce_numbers_to_str=True)]
_DATA = re.compile(r"\$(TRIAD_DATA\b|\{TRIAD_DATA\})")
_BEFORE_PATH = re.compile(r"replay:|records:|fastembed:([^@]*@)?")
_PATHS: Final = (
    "graph", "index", "model", "embedder", "specialist.model", "examples", "weights", "dataset.path", "dataset.answers",
    "documents", "passages", "index_options.ca_file", "model_options.api_key_file",
)  # fmt: skip
"""Keys whose values may be paths."""


class Limits(Strict):
    """What one question may cost at most; None is no limit."""

    calls: int | None = Field(default=None, ge=1)
    input_tokens: int | None = Field(default=None, ge=1)
    output_tokens: int | None = Field(default=None, ge=1)
    money: float | None = Field(default=None, gt=0)
    """US dollars."""


class ModelOptions(Strict):
    """Options of the model, as far as they are not in its name."""

    temperature: float = Field(default=0.0, ge=0)
    seed: int | None = None
    timeout: Seconds = 120.0
    """Seconds that a call may take."""
    retries: Amount = 4
    """How often a failed call is repeated."""
    api_key_file: str | None = None
    """A file that holds the key; by default the key is in the environment, in OPENAI_API_KEY, or kept."""
    calls_per_minute: int | None = Field(default=None, ge=1)
    cache: bool = False
    """Whether replies are kept on disk, and given again for the same prompt."""


class DataSetOptions(Strict):
    """The questions that a run asks, and their gold answers."""

    path: str
    """A file in a format of `triad.datasets`."""
    format: str | None = None
    """The file's format; by default the one that it looks like."""
    language: str | None = None
    """The language to ask in; by default the config's. Where neither says one, a set in several languages is asked in
    English, and that of other questions is told from their words."""
    answers: str | None = None
    """A file of gold answers, where they lie apart from the questions."""
    strict: bool = False
    """Whether a malformed record ends the run; otherwise it is left out and reported."""
    limit: int | None = Field(default=None, ge=1)
    """How many questions are asked at most, from the first on; all of them if None. `--limit` replaces it."""
    ids: tuple[_Text, ...] | None = None
    """The ids of the questions that are asked. `--ids` replaces it."""
    filter: Mapping[str, _Text] | None = None
    """Tags that they have; ``answer_type`` counts as one. `--filter` replaces it."""


class SpecialistOptions(Strict):
    """A fine-tuned model that writes reasoning paths, and is asked before the general one."""

    model: str
    """The model, such as ``openai:NAME@ADDRESS``, or ``records:FILE`` for predictions that were made elsewhere."""
    prompt: str = "crp"
    """Name or path of its prompt; ``crp`` is the form of the records that it was trained on."""
    beams: int = Field(default=15, ge=1)
    """How many paths it gives for a question, where the server can give several."""


class RunBudget(Strict):
    """What a whole run may cost at most; None is no limit."""

    calls: int | None = Field(default=None, ge=1)
    input_tokens: int | None = Field(default=None, ge=1)
    output_tokens: int | None = Field(default=None, ge=1)
    money: float | None = Field(default=None, gt=0)
    """US dollars."""
    seconds: float | None = Field(default=None, gt=0)
    """Time of a session; no model call is begun after it."""


class RunOptions(Strict):
    """How a run is made; only ``repeat``, ``seed`` and ``leak_guard`` affect its results."""

    workers: int = Field(default=1, ge=1)
    """How many questions are asked at once."""
    repeat: int = Field(default=1, ge=1)
    """How often each question is asked, for means and spread."""
    seed: int = 0
    """Of the confidence intervals, which are drawn at random."""
    out: str | None = None
    """The run's folder; by default ``runs/`` and the config's name, in the current folder."""
    executor: str | None = None
    """Where questions are asked: on ``threads`` of this process, in ``processes``, one a core, each with its part of
    the workers as threads, or on a Dask cluster, ``dask://scheduler:8786``. By default in processes where there are
    16 workers or more, and nothing that needs one process: no budget, no limit of calls a minute, no dialogues."""
    leak_guard: bool = True
    """Whether examples are left out that are the asked question, or nearly so, or have its query."""
    budget: RunBudget = RunBudget()

    @field_validator("executor")
    @classmethod
    def _known_executor(cls, name: str | None) -> str | None:
        if name is None or re.fullmatch(r"threads|processes|dask://.+", name):
            return name
        raise ValueError("should be 'threads', 'processes' or 'dask://HOST:PORT'")


class Config(Strict):
    """A run config."""

    unwritten: ClassVar[frozenset[str]] = frozenset({"folder"})
    description: str = ""
    base: str | None = Field(default=None, exclude=True)
    """Name or path of a config that a file starts from."""
    graph: str | tuple[str, ...]
    """RDF files, a folder of ``triad index``, or the address of a SPARQL endpoint."""
    graph_options: Mapping[str, Any] = Field(default_factory=dict)
    """Options of the graph, such as ``timeout``, ``headers`` or ``default_graphs``."""
    lookup_hours: float = Field(default=24.0, ge=0)
    """How long lookups of labels and schema cards at an address are kept on disk; 0 keeps none."""
    index: str | None = None
    """The label index; by default the one that comes with the graph."""
    index_options: Mapping[str, Any] = Field(default_factory=dict)
    """Options of the index, such as ``ca_file`` or ``fields``."""
    fallback: str | None = None
    """The index to link with while the other one fails, such as ``endpoint``."""
    model: str | None = None
    """The language model, such as ``openai:gpt-4.1-mini``; ``none``, and the default, is to answer without one."""
    model_options: ModelOptions = ModelOptions()
    on_model_failure: OnModelFailure = "error"
    """Where the model fails or a question's limits are reached: ``error`` ends the question with that error,
    ``lexical`` has it answered without a model, and the answer says so. A run's budget ends the run in any case."""
    specialist: SpecialistOptions | None = None
    """A fine-tuned model that is asked first; where what it writes has no answer, the general model repairs it."""
    embedder: str | None = None
    """The embedder, such as ``fastembed:sentence-transformers/all-MiniLM-L6-v2``. An index that was
    built with it is searched by them, too, and the lexical solver finds relations that no word of a question names."""
    documents: str | None = None
    """A folder of documents that go with the graph: Markdown, HTML, text and PDF. ``triad index CONFIG --passages``
    takes them in."""
    passages: str | None = None
    """Where the passages of graph and documents are: a folder, or ``elasticsearch:http://HOST:9200/INDEX``; by default
    the folder of the graph's index."""
    roles: Mapping[str, str | dict[str, Any]] = Field(default_factory=dict)
    """For a role the name or path of another card, or changes to the shipped one."""
    language: str | None = None
    """The language of the questions, as a tag; ``auto``, and the default, has it told from each question."""
    labels: tuple[str, ...] = ()
    """Properties that hold labels, as IRIs or with a well-known prefix, such as ``schema:name``, the preferred one
    first. By default the well-known ones, and those of the graph's own that are found out."""
    min_confidence: float = Field(default=MIN_CONFIDENCE, ge=0, le=1)
    """The confidence below which an answer is a guess: the question counts as unknown. With 0 every answer is given."""
    words: Mapping[str, str | tuple[str, ...]] = Field(default_factory=dict)
    """A glossary: words of users, each with the class, relation or entity that it stands for, or with several: IRIs, or
    names with a prefix of the graph. Model and solver use it."""
    weights: str | None = None
    """A file of weights that ``triad learn`` wrote; by default the lexical solver has those that come with Triad."""
    examples: str | None = None
    """A file of questions with their queries, in any format of `triad.datasets`: the nearest are shown to the
    generalist in place of its prompt's own examples."""
    limits: Limits = Limits()
    route: Route | Choice["phases"] = Route()
    """The rungs of the ladder, where there is a model; ``phases`` is the form of the Triad paper: templates in at
    most T tries, then the model's own knowledge."""
    retrieval: Retrieval = Retrieval()
    """How evidence is gathered from tables, passages and the graph, where the graph's folder has tables or passages."""
    dataset: DataSetOptions | None = None
    """The data set that a run asks."""
    run: RunOptions = RunOptions()
    sweep: Mapping[str, Any] | tuple[Mapping[str, Any], ...] = ()
    """Keys and the values that each takes, one run for each combination; several such mappings add up. A key
    such as ``generalist.examples`` leads into a role, any other one into the config."""
    folder: Path = Field(default=Path(), exclude=True)
    """Where relative paths start; the config's own folder."""

    @field_validator("language")
    @classmethod
    def _said_language(cls, language: str | None) -> str | None:
        return None if language == "auto" else language

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
        if "embedder" in options:
            raise ValueError("'embedder' is a key of its own, beside 'index_options'")
        return options

    @property
    def graph_source(self) -> str | tuple[str, ...]:
        """The graph, with paths that start at the config's folder."""
        return self._resolved(self.graph) if isinstance(self.graph, str) else tuple(map(self._resolved, self.graph))

    @property
    def graph_arguments(self) -> dict[str, Any]:
        """The options of the graph, with variables of the environment filled in."""
        return self._arguments(self.graph_options)

    @property
    def index_arguments(self) -> dict[str, Any]:
        """The options of the index, with variables filled in, and with paths that start at the config's folder."""
        return self._arguments(self.index_options)

    @property
    def index_source(self) -> str | None:
        """The index, with a path that starts at the config's folder."""
        return self._resolved(self.index) if self.index else None

    @property
    def embedder_source(self) -> str | None:
        """The embedder, with a path that starts at the config's folder."""
        return self._resolved(self.embedder) if self.embedder else None

    @property
    def documents_source(self) -> Path | None:
        """The folder of documents, with a path that starts at the config's folder."""
        return Path(self._resolved(self.documents)) if self.documents else None

    @property
    def passages_source(self) -> str | None:
        """Where passages are, with a path that starts at the config's folder, also if it is not there yet."""
        if not self.passages or self.passages.startswith("elasticsearch:"):
            return self.passages or None
        return str(self.folder / resources.from_home(self._resolved(self.passages)))

    @property
    def examples_source(self) -> Path | None:
        """The path of the examples, which starts at the config's folder."""
        return Path(self._resolved(self.examples)) if self.examples else None

    @property
    def weights_source(self) -> Path | None:
        """The path of the solver's weights, which starts at the config's folder."""
        return Path(self._resolved(self.weights)) if self.weights else None

    @property
    def dataset_path(self) -> Path:
        """The data set's path, which starts at the config's folder.

        Raises:
            ConfigError: The config names no data set.
        """
        if self.dataset is None:
            raise ConfigError("the config names no data set; give one, such as dataset: {path: questions.json}")
        return Path(self._resolved(self.dataset.path))

    @property
    def answers_path(self) -> Path | None:
        """The path of the gold answers that lie apart from the data set."""
        return Path(self._resolved(self.dataset.answers)) if self.dataset and self.dataset.answers else None

    def resolved(self) -> dict[str, Any]:
        """Return all keys, defaults included, with paths that hold from any folder; `make_config` reads them."""
        keys = self.model_dump(mode="json")
        keys["graph"] = self.graph_source if isinstance(self.graph, str) else list(self.graph_source)
        keys["index"] = self.index_source
        keys["embedder"] = self.embedder_source
        for key, file in (("index_options", "ca_file"), ("model_options", "api_key_file")):
            if isinstance(named := keys[key].get(file), str):
                keys[key][file] = self._resolved(named)
        keys["documents"] = str(self.documents_source) if self.documents else None
        keys["passages"] = self.passages_source
        keys["examples"] = str(self.examples_source) if self.examples else None
        keys["weights"] = str(self.weights_source) if self.weights else None
        keys["model"] = self._resolved(self.model) if _is_model(self.model) else NO_MODEL
        if self.specialist:
            keys["specialist"]["model"] = self._resolved(self.specialist.model)
        if self.dataset:
            keys["dataset"]["path"] = str(self.dataset_path)
            keys["dataset"]["answers"] = str(self.answers_path) if self.answers_path else None
        return keys

    def with_cards(self) -> dict[str, Any]:
        """Return all keys, and all those of the roles' cards: shipped cards may change, and a default equals itself.

        Raises:
            ConfigError: A card cannot be used.
        """
        roles = load_roles(self.roles)
        return {**self.resolved(), "roles": {role: roles.card(role).model_dump(mode="json") for role in ROLES}}

    def _resolved(self, source: str) -> str:
        source = _DATA.sub(lambda _: str(resources.data_folder()), source)
        found = _filled(source, path="://" not in source)
        return _located(_located(found, self.folder), Path())

    def _arguments(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return options as they are meant: variables filled in, and files found from the config's folder."""
        found: dict[str, Any] = _filled_everywhere(options)
        if isinstance(file := found.get("ca_file"), str):
            found["ca_file"] = self._resolved(file)
        return found

    def without_model(self) -> Config:
        """Return the config for what takes no model: without its own, those of the roles and the specialist."""
        cards = {role: self.roles.get(role, {}) for role in ROLES}
        changes = {role: {"card": card} if isinstance(card, str) else card for role, card in cards.items()}
        roles = {role: {**change, "model": None} for role, change in changes.items()}
        return self.model_copy(update={"model": NO_MODEL, "roles": roles, "specialist": None})

    def model_names(self, roles: Roles) -> dict[str, str]:
        """Return the name of each role's model; nothing where questions are answered without one.

        Raises:
            ConfigError: One role has a model and another one has none.
        """
        names = {role: roles.card(role).model or self.model for role in ROLES}
        return all_or_none({role: name if _is_model(name) else None for role, name in names.items()})

    def open_model(self, name: str | None = None) -> Model | None:
        """Open the config's model, or another one with the same options; None where there is none.

        Raises:
            ConfigError: The model cannot be opened.
        """
        name = name or self.model
        if not _is_model(name):
            return None
        if name.startswith(("replay:", "records:")):
            return open_model(self._resolved(name))
        options = self.model_options.model_dump(exclude={"cache", "calls_per_minute"}, exclude_none=True)
        if file := self.model_options.api_key_file:
            options["api_key_file"] = self._resolved(file)
        model = open_model(_filled(name), **options)
        if self.model_options.calls_per_minute:
            model = RateLimitedModel(model, per_minute=self.model_options.calls_per_minute)
        if not self.model_options.cache:
            return model
        from triad.models import CachedModel  # with the database behind the cache

        return CachedModel(model, resources.cache_folder() / "replies")


def _filled(source: str, *, path: bool = False) -> str:
    found = filled(source)
    if name := missing(found.removeprefix(_before_path(found))):
        from triad.http import without_secrets

        raise ConfigError(
            f"the config names {without_secrets(source)!r}, but the environment has no variable {name!r}; "
            + (
                "set it to a folder, or name another path, as in --set dataset.path=questions.json"
                if path
                else f"set it, or give it a default: ${{{name}:-…}}"
            )
        )
    return found


def _filled_everywhere(value: Any) -> Any:
    if isinstance(value, str):
        return _filled(value)
    if isinstance(value, Mapping):
        return {key: _filled_everywhere(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_filled_everywhere(one) for one in value]
    return value


def _is_model(name: str | None) -> TypeGuard[str]:
    return name is not None and name != NO_MODEL


def needs_key(model: str) -> bool:
    """Tell whether a model is OpenAI's own and there is no key for it, neither in the environment nor kept."""
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
    """Return the keys of a file, those of its base included, and its name in errors.

    Args:
        path: The file.
        above: The files that start from it.
    """
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


def _anchored(keys: Mapping[str, Any], folder: Path, above: str = "") -> dict[str, Any]:
    """Return the keys of a config with paths that hold from any folder, those of a sweep included."""

    def anchored(key: str, value: Any) -> Any:
        if isinstance(value, dict):
            return _anchored(value, folder, "" if key == "sweep" else f"{key}.")
        if isinstance(value, list):
            return [anchored(key, one) for one in value]
        if not isinstance(value, str) or key not in _PATHS or (key, value) == ("model", NO_MODEL):
            return value
        return _located(value, folder)

    return {key: anchored(f"{above}{key}", value) for key, value in keys.items()}


def _located(source: str, folder: Path) -> str:
    """Return a path that starts at a folder as an absolute one; anything else, such as an address, as it is."""
    before = _before_path(source)
    place = folder / resources.from_home(source.removeprefix(before))
    return f"{before}{place.absolute()}" if resources.found_at(place) else source


def _before_path(source: str) -> str:
    """Return the prefix before the path in the name of a recording or an embedder."""
    found = _BEFORE_PATH.match(source)
    return found[0] if found else ""


def make_config(data: Mapping[str, Any], changes: Mapping[str, Any] | None = None, origin: str = "config") -> Config:
    """Make a config from its keys.

    Args:
        data: The keys.
        changes: Keys that replace some of them, as `load_config` takes them.
        origin: What errors call the config.

    Raises:
        ConfigError: The keys cannot be used.
    """
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
