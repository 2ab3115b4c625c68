"""Standard input as text; bytes that are no text stand as question marks in it, and end no command."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator

__all__ = ["lines", "whole"]


def lines() -> Iterator[str]:
    """Yield the lines that are not empty, without spaces around them."""
    _replace()
    yield from filter(None, map(str.strip, sys.stdin))


def whole() -> str:
    """Return all of it."""
    _replace()
    return sys.stdin.read()


def _replace() -> None:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
