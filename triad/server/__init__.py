"""``triad serve``: one server, one page, every protocol that its users speak.

A request goes through `wrapping` (its id, its host, the bounds of its body), `access` (who asks), `limiting` (how
much), and a module of `routes`; `asking` answers the question in a place of `graphs` and keeps the turn in `state`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triad.server.app import create_app
    from triad.server.settings import Settings, load_settings

__all__ = ["Settings", "create_app", "load_settings"]


def __getattr__(name: str) -> Any:
    """Import the web framework when it is needed."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{'app' if name == 'create_app' else 'settings'}"), name)
