"""What all who make or open a built folder know of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

__all__ = ["VERSION", "Progress", "Tell"]

VERSION: Final = 5
"""Version of the layout of a built folder."""

Progress = Callable[[str, int, int | None], None]
"""Is told how far a build has come: the stage, such as ``read books.ttl`` (in triples) or ``index`` (in entries); how
much of it is done; and how much there is, as far as that is known."""

Tell = Callable[[int, int | None], None]
"""Is told the amount done and, where known, the total."""
