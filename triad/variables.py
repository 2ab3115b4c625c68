"""Variables of the environment in what configs and settings say: ``$NAME``, ``${NAME}`` and ``${NAME:-default}``."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Final
from urllib.parse import quote

__all__ = ["filled", "missing"]

_VARIABLE: Final = re.compile(r"\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\})", re.ASCII)
_BRACED: Final = re.compile(r"\$\{(\w+)\}", re.ASCII)
_USER: Final = re.compile(r"(?<=://)(?:[^/?#@$]|\$\{[^}]*\}|\$)+(?=@)")
"""The user and the password of an address; a variable may have any characters in its default."""


def filled(text: str) -> str:
    """Return a text with its variables filled in; one that is neither set nor has a default stays as it is.

    A value in the user or the password of an address is quoted: a password may have characters that would end it there,
    and what follows them be taken for the host.

    >>> os.environ["PASSWORD"] = "a/b@c"
    >>> filled("https://ann:${PASSWORD}@${HOST:-example.org}/sparql")
    'https://ann:a%2Fb%40c@example.org/sparql'
    """
    return _filled(_USER.sub(lambda found: _filled(found[0], lambda value: quote(value, safe=":")), text))


def missing(text: str) -> str:
    """Return the name of a variable that was not filled in; nothing if there is none.

    A ``$`` may belong to a path or an address; only at the beginning, or with braces, it is a variable for certain.
    """
    found = _BRACED.search(text)
    if found:
        return found[1]
    found = _VARIABLE.match(text)
    return found[1] or found[2] if found else ""


def _filled(text: str, written: Callable[[str], str] = str) -> str:
    def value(found: re.Match[str]) -> str:
        known = os.environ.get(found[1] or found[2])
        if found[3] is not None:
            return written(known or found[3])
        return found[0] if known is None else written(known)

    return _VARIABLE.sub(value, text)
