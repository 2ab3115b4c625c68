"""The site of the documents is built strictly, and loads nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_LOADED = re.compile(
    r"<(?:link|script|img|iframe|source|video|audio|embed|object|form)\b[^>]*?\b(?:href|src|srcset|data|action)=[\"']?([^\s\"'>]+)"
    r"|url\([\"']?([^\"')]+)|@import\s+[\"']([^\"']+)"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow(10)
def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    files = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    loaded = {
        (path.name, next(filter(None, found)))
        for path in files
        for found in _LOADED.findall(path.read_text(encoding="utf-8"))
    }
    assert len(files) > 40
    assert loaded
    assert not {(name, address) for name, address in loaded if re.match(r"(?:\w+:)?//", address)}


@pytest.mark.slow(10)
def test_no_page_has_what_the_theme_would_fetch_a_program_for(site: Path) -> None:
    for path in site.rglob("*.html"):  # Mermaid and MathJax come from elsewhere
        assert not re.search(r'class="(?:mermaid|arithmatex)"', path.read_text(encoding="utf-8")), path


@pytest.mark.slow(10)
def test_the_reference_has_what_the_code_has(site: Path) -> None:
    def page(name: str) -> str:
        return (site / "reference" / f"{name}.html").read_text(encoding="utf-8")

    assert "--min-confidence" in page("commands")
    assert "on_model_failure" in page("configs")
    assert "uri_selection" in page("roles")
    assert "write_template" in page("prompts")
    assert "dialogues-in-context" in page("formats")
    assert "macro_f1_gerbil" in page("metrics")
    assert "/api/v1/ask" in page("rest")
    assert "limit-reached" in page("rest")
    assert "provenance" in page("answers")
    assert 'id="triad.Agent.ask"' in page("python")


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
