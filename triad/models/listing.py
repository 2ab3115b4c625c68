"""Which models can be asked: those that servers tell, and those of the price list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from triad.errors import ConfigError, ModelError
from triad.models import OLLAMA_URL
from triad.models.prices import Price, price_list
from triad.models.server import Server

__all__ = ["ListedModel", "list_models"]


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

    Without a key, OpenAI's are those of the price list.

    Raises:
        ConfigError: The address is none.
        ModelError: The server that is named cannot be reached, or does not tell its models.
    """
    if address is not None:
        if not (names := _server(address).models()):
            raise ModelError(f"the server at {address} does not tell its models; does its address end in /v1?")
        yield from _listed(names, "openai:", f"@{address}")
        return
    try:
        yield from _listed([name for name in _server(None).models() if name in price_list()], "openai:")
    except (ConfigError, ModelError) as error:
        missing = "needs a key" if isinstance(error, ConfigError) else "OpenAI cannot be reached, or refuses the key"
        yield from _listed(list(price_list()), "openai:", note=missing)
    try:
        yield from _listed(_server(OLLAMA_URL, key="no-key").models(), "ollama:")
    except ModelError:
        return  # it does not run


def _server(address: str | None, key: str | None = None) -> Server:
    return Server(
        "", limit=4_000_000, without="none can be listed", base_url=address, api_key=key, timeout=10, retries=0
    )


def _listed(names: list[str], before: str, after: str = "", note: str = "") -> Iterator[ListedModel]:
    prices = price_list()
    for name in names:
        yield ListedModel(f"{before}{name}{after}", prices.get(name), note)
