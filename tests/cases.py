"""Tables of cases: a file of tests has its longer ones in a YAML file of its name, by the names of the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml


def cases(file: str, test: str) -> list[Any]:
    """Return the cases of a test, for `pytest.mark.parametrize`.

    Args:
        file: The file of the test, ``__file__`` there.
        test: The name of the test.
    """
    tables = yaml.safe_load(Path(file).with_suffix(".yaml").read_text(encoding="utf-8"))
    return list(tables[test])
