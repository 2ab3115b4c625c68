"""What is said where a command needs packages that were not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from triad.errors import ConfigError

__all__ = ["needed"]


@contextmanager
def needed(extra: str) -> Iterator[None]:
    """Say which extra to install where a package is missing.

    Raises:
        ConfigError: A package is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == "triad":
            raise
        raise ConfigError(f"{error.name!r} is not installed; pip install 'triad-kgqa[{extra}]'") from error
