"""Which models can be asked: those that servers tell, and those of the price list."""

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from triad.errors import ConfigError, ModelError
from triad.models import OLLAMA_URL
from triad.models.prices import Price, price_list
from triad.models.server import Server
from triad.text import without_secrets


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model that can be named."""

    name: str
    """As `triad.models.open_model` takes it, such as ``ollama:llama3.1``."""
    price: Price | None = None
    """What it costs; None where the price list does not know."""
    note: str = ""
    """What is missing to ask it."""


def list_models(address: str | None = None) -> Iterator[ListedModel]:
    """Yield the models of a server; without one those of OpenAI, and of Ollama on this machine if it runs.

    Without a key, OpenAI's are those of the price list. OPENAI_BASE_URL names another server in OpenAI's place.

    Raises:
        ConfigError: The address is none.
        ModelError: The server that is named cannot be reached, or does not tell its models.
    """
    if address is not None:
        if not (names := _models(address)):
            raise ModelError(
                f"the server at {without_secrets(address)} does not tell its models; does its address end in /v1?"
            )
        yield from _listed(names, "openai:", f"@{address}")
        return
    if os.environ.get("OPENAI_BASE_URL"):
        yield from _listed(_models(), "openai:")
    else:
        priced = price_list()  # which has the models that take questions, and no others
        try:
            yield from _listed([name for name in _models() if name in priced], "openai:")
        except (ConfigError, ModelError) as error:
            why = "needs a key" if isinstance(error, ConfigError) else "OpenAI cannot be reached, or refuses the key"
            yield from _listed(list(priced), "openai:", note=why)
    try:
        yield from _listed(_models(OLLAMA_URL, key="no-key"), "ollama:")
    except ModelError:
        return  # it does not run


def _models(address: str | None = None, key: str | None = None) -> list[str]:
    server = Server(
        "", limit=4_000_000, without="none can be listed", base_url=address, api_key=key, timeout=10, retries=0
    )
    with closing(server):
        return server.models()


def _listed(names: list[str], before: str, after: str = "", note: str = "") -> Iterator[ListedModel]:
    prices = price_list()
    for name in names:
        yield ListedModel(f"{before}{name}{after}", prices.get(name), note)
