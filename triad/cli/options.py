"""Options that several commands share, how they are read, and what a shell completes of them.

A shell waits for what it completes at each press of a key; paths it completes by itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar, get_args, get_type_hints

import typer

from triad.errors import ConfigError
from triad.naming import among
from triad.resources import available, found_at, from_home

if TYPE_CHECKING:
    from triad.configs import Config

C = TypeVar("C", bound=Callable[..., Any])
T = TypeVar("T")

_SCHEMES: Final = ("openai", "ollama", "litellm", "replay", "records")
_RUNGS: Final = ("solver", "template", "repair", "retrieval", "exploration", "knowledge")

Kind = Literal["roles", "prompts", "configs", "index", "graph"]
"""A folder of files that users edit."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


def read_kind(text: str) -> Kind:
    """Return the folder that a text names, in the singular or the plural."""
    for kind in KINDS:
        if kind in (text, f"{text}s", text.removesuffix("s")):
            return kind
    raise typer.BadParameter(f"{text!r} is not one of {', '.join(map(repr, KINDS))}")


def complete_config(incomplete: str) -> list[str]:
    """Return the names of configs."""
    return _begin(available("configs"), incomplete)


def complete_name(ctx: Any, incomplete: str) -> list[str]:
    """Return the names of a kind of what users edit, which is the argument before."""
    kind = ctx.params.get("kind")
    return _begin(available(kind), incomplete) if kind else []


def complete_model(incomplete: str) -> list[str]:
    """Return the forms of models."""
    return _begin(("none", *(f"{scheme}:" for scheme in _SCHEMES)), incomplete)


def complete_route(incomplete: str) -> list[str]:
    """Return the rungs that may follow those that are named."""
    before, comma, last = incomplete.rpartition(",")
    rest = [rung for rung in _RUNGS if rung not in before.split(",")]
    return [f"{before}{comma}{rung}" for rung in _begin(rest if comma else [*rest, "phases"], last)]


def _begin(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


ConfigName = Annotated[
    str | None,
    typer.Option(
        "--config", "-c", help="A config, by name or path: see 'triad list configs'.", autocompletion=complete_config
    ),
]
Served = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH|CONFIG",
        help="RDF file, a pattern or a folder of them, folder of 'triad index' or endpoint's address; or a config, "
        "or settings with 'graphs:', by name or path.",
        autocompletion=complete_config,
    ),
]

Form = Literal["text", "json", "csv", "tsv", "markdown"]
"""A form in which answers and results are given."""
OutputForm = Annotated[
    Form | None, typer.Option("--format", help="How it is given: as a text for people, or for programs and documents.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Give JSON.")]


@dataclass(frozen=True, slots=True)
class Changes:
    """The options that replace keys of a config."""

    graph: Annotated[
        list[str] | None,
        typer.Option(
            "--graph",
            "-g",
            help="An RDF file, a pattern such as 'data/*.ttl', a folder of files or of 'triad index', an endpoint's "
            "address, or - for standard input; several may be named.",
        ),
    ] = None
    graph_format: Annotated[
        str | None,
        typer.Option("--graph-format", help="The format of --graph -, such as ttl; by default its content tells it."),
    ] = None
    index: Annotated[
        str | None, typer.Option("--index", "-i", help="A label index; by default the one that comes with the graph.")
    ] = None
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="Such as openai:gpt-4.1-mini, ollama:llama3.1 or replay:FILE; none answers without a model, as is "
            "done where neither a config nor 'triad models default' names one.",
            autocompletion=complete_model,
        ),
    ] = None
    min_confidence: Annotated[
        float | None,
        typer.Option(
            "--min-confidence",
            min=0,
            max=1,
            help="The confidence below which an answer is a guess, from 0 to 1; 0 gives every answer.",
        ),
    ] = None
    route: Annotated[
        str | None,
        typer.Option(
            "--route",
            help=f"The rungs that a question may climb where there is a model, with commas: {','.join(_RUNGS)}; or "
            "phases, the form of the Triad paper.",
            autocompletion=complete_route,
        ),
    ] = None
    examples: Annotated[
        str | None,
        typer.Option(
            "--examples",
            help="Questions with their queries, in any format of a data set: the model is shown the nearest.",
        ),
    ] = None
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="Change a key of the config, as YAML: --set roles.advisor.tries=1", metavar="KEY=VALUE"
        ),
    ] = None

    def keys(self) -> dict[str, Any]:
        """Return the keys that are replaced, with their values."""
        from triad.cli.graphs import STDIN, graph_paths

        keys: dict[str, Any] = {}
        if self.graph_format and STDIN not in (self.graph or ()):
            raise ConfigError("--graph-format is that of standard input; name it, too: --graph -")
        if self.graph:
            paths = graph_paths(self.graph, self.graph_format)
            keys["graph"] = paths[0] if len(paths) == 1 else paths
            if len(paths) > len(self.graph) or STDIN in self.graph:
                keys["graph_options.name"] = ", ".join("standard input" if one == STDIN else one for one in self.graph)
        if self.index:
            keys["index"] = _from_here(self.index)
        if self.model:
            keys["model"] = model_from_here(self.model)
        if self.examples:
            keys["examples"] = _from_here(self.examples)
        if self.min_confidence is not None:
            keys["min_confidence"] = self.min_confidence
        if self.route:
            rungs = [name.strip() for name in self.route.split(",")]
            if odd := [name for name in rungs if name not in _RUNGS and rungs != ["phases"]]:
                raise ConfigError(
                    f"--route knows no rung {odd[0]!r}; it takes phases, or some of {among(_RUNGS, odd[0])}"
                )
            keys |= {"route": "phases"} if rungs == ["phases"] else {"route.rungs": rungs}
        return {**keys, **dict(map(setting, self.settings or []))}

    def named(self, name: str | None) -> Config:
        """Return a config for what may be a config, by name or path, or a graph, with these changes."""
        if name is None or _is_config(name) or name.endswith((".yaml", ".yml")):
            return self.of(name)
        if self.graph:
            raise ConfigError("the graph is named twice: by itself and with --graph")
        return replace(self, graph=[name]).of(None)

    def of(self, name: str | None) -> Config:
        """Return a config with these changes; without a name, they are the config, or are made to the demo's."""
        from triad.configs import load_config, make_config
        from triad.log import logger
        from triad.models.keyring import load_preferences

        if name is None and self.graph and len(self.graph) == 1 and _is_config(self.graph[0]):
            return replace(self, graph=None).of(self.graph[0])
        keys = self.keys()
        model = None if "model" in keys else load_preferences().default
        default = {"model": model} if model else {}
        if name is None and "graph" not in keys:
            logger.info("no graph and no config is named: the config 'demo' is used")
            return load_config("demo", {**default, **keys})
        config = make_config({}, keys, "options") if name is None else load_config(name, keys)
        return config.model_copy(update=default) if config.model is None else config


def _is_config(name: str) -> bool:
    return name in available("configs") and not found_at(name)


def with_changes(command: Callable[..., T]) -> Callable[..., T]:
    """Give a command one option for each field of `Changes`, in place of its parameter ``changes``."""

    @wraps(command)
    def run(**given: Any) -> T:
        return command(changes=Changes(**{name: given.pop(name) for name in names}), **given)

    hints = get_type_hints(Changes, include_extras=True)
    names = [field.name for field in fields(Changes)]
    spread = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hints[name]) for name in names
    ]
    own = inspect.signature(command, eval_str=True)
    parameters = [one for given in own.parameters.values() for one in (spread if given.name == "changes" else [given])]
    run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]  # what typer reads
    return run


def key_and_value(text: str, option: str, example: str) -> tuple[str, str]:
    """Return what stands before and after the equals sign of an option's value; a `ConfigError` if it has none."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ConfigError(f"{option}, such as {example}, not {text!r}")
    return key.strip(), value.strip()


def setting(text: str) -> tuple[str, Any]:
    """Return the key and the value of an option ``--set``; raises a `ConfigError` if it has none, or no YAML."""
    from triad.strict import parse_yaml

    key, value = key_and_value(text, "--set takes KEY=VALUE", "roles.advisor.tries=1")
    try:
        return key, parse_yaml(value)
    except ValueError as error:
        raise ConfigError(f"the value of --set {text!r}: {error}") from error


def model_from_here(model: str) -> str:
    """Return the name of a model as it holds in any folder: recordings are files."""
    kind, _, path = model.partition(":")
    return f"{kind}:{_from_here(path)}" if kind in ("replay", "records") else model


def _from_here(source: str) -> str:
    """Return a path as an absolute one: those in a config would start at the config's folder."""
    path = from_home(source)
    return str(path.absolute()) if found_at(path) else source


def command(app: typer.Typer, *examples: str, name: str | None = None) -> Callable[[C], C]:
    """Return what makes a function a command of a program, with examples at the end of its help."""
    return app.command(name, epilog="\n  ".join(("\b\nExamples:", *examples)))
