"""Addresses as they may be shown: without users, passwords and keys."""

import re
from collections.abc import Mapping
from typing import Any, Final

from triad.text import each_text

SECRET: Final = re.compile(
    r"(^|[-_.]|api|access|app|client|subscription)key$|token|secret|passw|^pw[ds]?$|auth|credential|signature|^sig$",
    re.IGNORECASE,
)
"""What parameters are called that hold a secret."""
_OPTIONS: Final = ("api_key", "headers", "password")
_USER: Final = re.compile(r"(?<=://)[^/?#\s]*@")


def without_secrets(address: str) -> str:
    """Return an address as it may be shown: without user and password, and without parameters that look like keys.

    >>> without_secrets("openai:llama@https://ann:pw@example.org/v1?apikey=123&version=2")
    'openai:llama@https://example.org/v1?version=2'
    """
    start, mark, query = _USER.sub("", address).partition("?")
    kept = [part for part in query.split("&") if not SECRET.search(part.partition("=")[0])]
    return f"{start}{mark if any(kept) or not query else ''}{'&'.join(kept)}"


def without_secrets_of(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of a config without users and passwords: run folders are shared, and what is shown is, too."""
    kept: dict[str, Any] = each_text(keys, lambda text: without_secrets(text) if "://" in text else text)
    for key in ("graph_options", "index_options"):
        kept[key] = {name: "(not kept)" if name in _OPTIONS else value for name, value in kept[key].items()}
    return kept
