"""``triad models``: which models there are, the one to use, and the keys that they need."""

import sys
from typing import Annotated

import typer

from triad.cli.options import AsJson, command, model_from_here
from triad.errors import ConfigError

app = typer.Typer()
_models = typer.Typer(no_args_is_help=True, help="List, choose and test language models, and keep their keys.")
_keys = typer.Typer(no_args_is_help=True, help="Keep keys of models in the system's keyring.")
app.add_typer(_models, name="models")
_models.add_typer(_keys, name="keys")

_Provider = Annotated[
    str,
    typer.Argument(
        help="Whose key it is: openai; a provider of LiteLLM, such as anthropic; or a server, such as "
        "llm.example.org:8000."
    ),
]


@command(_models, "triad models list", "triad models list --server http://localhost:8000/v1", name="list")
def list_(
    *,
    server: Annotated[
        str | None, typer.Option("--server", "-s", help="List those of a server, by its address up to /v1.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List models that can be asked.

    They are OpenAI's, those of Ollama on this machine, or those of a server, with prices in US dollars per million
    tokens. Others are named as openai:NAME@ADDRESS, or as litellm:PROVIDER/NAME.
    """
    from triad.cli import display
    from triad.log import logger
    from triad.models.keyring import load_preferences
    from triad.models.listing import list_models

    default = load_preferences().default
    listed, rows = [], []
    for one in list_models(server):
        prices = {"input": one.price.input if one.price else None, "output": one.price.output if one.price else None}
        listed.append({"model": one.name, "default": one.name == default, **prices, "note": one.note})
        shown = ("" if price is None else f"{price:g}" for price in prices.values())
        rows.append((one.name, *shown, "default" if one.name == default else one.note))
    display.give(listed, as_json, lambda out: display.show_table(out, ("model", "$/M input", "$/M output", ""), rows))
    if not as_json and default and default not in {name for name, *_ in rows}:
        logger.info("the default is {}", default)


@command(_models, "triad models default openai:gpt-4.1-mini", "triad models default none")
def default(
    name: Annotated[str | None, typer.Argument(help="A model, as --model takes it; none for no model.")] = None,
) -> None:
    """Show or set the model of ask, chat and doctor.

    It is used where neither an option nor a named config says one. Runs and servers take theirs from their config.
    """
    from triad.cli import display
    from triad.models import FORMS, SCHEMES
    from triad.models.keyring import load_preferences, update_preferences

    out = display.data_console()
    if name is None:
        display.show_text(out, load_preferences().default or "none")
        return
    kind, _, rest = name.partition(":")
    if name != "none" and (kind not in SCHEMES or not rest):
        raise ConfigError(f"cannot use the model {name!r}; a model is {FORMS}")
    chosen = model_from_here(name)
    update_preferences(lambda _: {"default": None if chosen == "none" else chosen})
    display.show_text(out, chosen)


@command(_models, "triad models test", "triad models test ollama:llama3.1", name="test")
def try_(
    name: Annotated[str | None, typer.Argument(help="A model, as --model takes it; by default the default.")] = None,
) -> None:
    """Make one tiny call of a model, and tell how it went. Exits with 1 if it cannot be used."""
    from triad.cli import display
    from triad.doctor import check_model
    from triad.models import open_model
    from triad.models.keyring import load_preferences

    if (name := name or load_preferences().default) is None:
        raise ConfigError("name a model, such as openai:gpt-4.1-mini, or set one with 'triad models default'")
    with open_model(name) as model:
        findings = list(display.show_findings(check_model(model)))
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)


@command(_keys, "triad models keys set openai", "pass openai | triad models keys set openai", name="set")
def set_(provider: _Provider) -> None:
    """Keep a key, which is asked for, or read from a pipe; OPENAI_API_KEY and its like go before it."""
    from triad.cli.graphs import input_lines
    from triad.models.keyring import set_key

    typed = typer.prompt(f"The key of {provider}", hide_input=True) if sys.stdin.isatty() else next(input_lines(), "")
    key = typed.strip()
    if not key or not (key.isascii() and key.isprintable()):
        raise ConfigError("that is no key: it is empty, or holds a character that no key has")
    set_key(provider, key)


@_keys.command(name="list")
def list_keys() -> None:
    """List whose keys are kept; no key is shown."""
    from triad.cli import display
    from triad.models.keyring import load_preferences

    kept = load_preferences().keys
    for provider in kept:
        display.show_text(display.data_console(), provider)
    if not kept:
        display.log_console().print("no key is kept; variables of the environment, such as OPENAI_API_KEY, count too")


@_keys.command()
def remove(provider: _Provider) -> None:
    """Keep a key no longer."""
    from triad.models.keyring import delete_key

    delete_key(provider)
