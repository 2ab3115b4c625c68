"""The notebooks of `examples/` run, and give what they were kept with."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]


def given(notebook: Any) -> list[str]:
    """The text that each cell gave, without times."""
    texts = [
        "".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    return [re.sub(r"[\d.]+ s\b", "… s", text) for text in texts]


@pytest.mark.slow(10)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the kernel's own packages
@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_gives_what_it_was_kept_with(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    kept = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    assert any(given(kept)), "make notebooks"
    run = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(run, timeout=600, resources=resources).execute()
    assert given(run) == given(kept), "make notebooks"
