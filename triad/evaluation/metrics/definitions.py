"""The definition of each metric: formula and source, as reports print them; the list is data, `definitions.yaml`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from triad.resources import read
from triad.strict import load_yaml

_LIST: Final = Path(__file__).with_suffix(".yaml")
_GIVEN: Final = load_yaml(read(_LIST), str(_LIST))


def _filled(part: str) -> dict[str, str]:
    return {name: text.format_map(_GIVEN["sources"]) for name, text in _GIVEN[part].items()}


METRICS: Final[Mapping[str, str]] = _filled("questions")
"""For each number that `aggregate` gives its definition in a line."""
TURN_METRICS: Final[Mapping[str, str]] = _filled("turns")
"""The same of turns that are answered in words."""
DEFINITIONS: Final[Mapping[str, str]] = {**METRICS, **TURN_METRICS}
"""All of them."""
