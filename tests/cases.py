"""Tables of cases: a file of tests has its longer ones in a YAML file of its name, by the names of the tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from triad.strict import load_yaml


@cache
def _tables(path: Path) -> dict[str, Any]:
    return load_yaml(path.read_text(encoding="utf-8"), str(path))


def cases(file: str, test: str) -> list[Any]:
    """Return the cases of a test, for `pytest.mark.parametrize`.

    Args:
        file: The file of the test, ``__file__`` there.
        test: The name of the test.
    """
    return list(_tables(Path(file).with_suffix(".yaml"))[test])
