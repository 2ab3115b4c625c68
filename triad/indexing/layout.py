"""What all who make or open a built folder know of it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from triad.resources import cache_folder

VERSION: Final = 7
"""Version of the layout of a built folder."""

Progress = Callable[[str, int, int | None], None]
"""Is told how far a build has come: the stage, such as ``read books.ttl`` (in triples) or ``index`` (in entries); how
much of it is done; and how much there is, as far as that is known."""

Tell = Callable[[int, int | None], None]
"""Is told the amount done and, where known, the total."""


def downloads_folder() -> Path:
    """Return the folder for downloads, if none is named."""
    return cache_folder() / "downloads"


def read_record(path: Path) -> dict[str, Any]:
    """Return the record that a file of JSON holds; an empty one if there is none that can be read."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
