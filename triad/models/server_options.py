"""How users name an OpenAI-compatible server, and what they can say of it."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypedDict, TypeVar

from triad.errors import ConfigError

T = TypeVar("T")

TIMEOUT: Final = 120.0
"""Seconds that a try of a call may take, unless it is told otherwise: large models on small machines take minutes."""
RETRIES: Final = 3
"""How often a call is tried again, unless it is told otherwise."""


class ServerOptions(TypedDict, total=False):
    """Options of everything that speaks to an OpenAI-compatible server."""

    base_url: str | None
    """The server's address, up to ``/v1``; if None, OPENAI_BASE_URL of the environment, else OpenAI's."""
    api_key: str | None
    """The key; if None, the content of ``api_key_file``, else OPENAI_API_KEY of the environment, else the one
    that is kept for the server. Servers other than OpenAI's can do without one."""
    api_key_file: str | Path | None
    """A file that holds nothing but the key."""
    timeout: float
    """Seconds that each try of a call may take, whatever the server does."""
    retries: int
    """How often a call is tried again after a rate limit, a failure of the server or a timeout."""


def name_and_options(named: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the name of a model and its options, the address included that may follow the name.

    >>> name_and_options("llama3.1@http://localhost:11434/v1", {"retries": 0})
    ('llama3.1', {'base_url': 'http://localhost:11434/v1', 'retries': 0})

    Raises:
        ConfigError: What follows is no address. Without it, prompts and key would go to OpenAI.
    """
    if found := re.fullmatch(r"(.+?)@(https?://.+)", named):
        return found[1], {"base_url": found[2], **options}
    name, _, address = named.rpartition("@")
    if name and not options.get("base_url"):
        shown = re.sub(r"//.*@|\?.*", "", address)
        raise ConfigError(
            f"{shown!r}, which follows the name {name.partition('@')[0]!r}, is not an address; one looks like "
            "'http://localhost:8000/v1'. A name that has an '@' itself needs the option base_url"
        )
    return named, options


def made(class_: Callable[..., T], argument: str, options: Mapping[str, Any]) -> T:
    """Return what a class makes of an argument and options.

    Raises:
        ConfigError: The class has no such option, or an option has a value that is not allowed.
    """
    from triad.strict import check_options  # with the parser of YAML, which models do without

    check_options(options, class_.__name__, class_)
    return class_(argument, **options)
