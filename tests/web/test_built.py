"""What is shipped of the page: built from the sources that are there, small, and without anything from elsewhere."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
STATIC = ROOT / "triad" / "server" / "static"
SOURCES = ("building.ts", "index.html", "package-lock.json", "package.json", "tsconfig.json", "vite.config.ts")


def test_the_page_is_built_from_its_sources() -> None:
    files = [WEB / name for name in SOURCES] + [path for path in (WEB / "src").rglob("*") if path.is_file()]
    digest = hashlib.sha256()
    for path in sorted(files, key=lambda path: path.relative_to(WEB).as_posix()):
        digest.update(f"{path.relative_to(WEB).as_posix()}\n".encode() + path.read_bytes())
    built = (STATIC / "sources.sha256").read_text(encoding="utf-8").strip()
    assert built == digest.hexdigest(), "the page is older than its sources: make web"


def test_what_a_first_visit_loads_is_small() -> None:
    index = (STATIC / "index.html").read_text(encoding="utf-8")
    loaded = re.findall(r'(?:src|href)="\./(assets/[^"]+)"', index)
    assert loaded
    assert sum((STATIC / name).stat().st_size for name in loaded) < 150_000


def test_the_frame_of_the_page_is_there_before_its_script() -> None:
    index = (STATIC / "index.html").read_text(encoding="utf-8")
    header = index[index.index("<header>") : index.index("</header>")]
    assert "<span>Triad</span>" in header


@pytest.mark.parametrize("needle", [r"<script(?![^>]*\bsrc=)", r"<style", r"\sstyle=", r"\son\w+=", r"https?://"])
def test_the_page_has_nothing_inline_and_nothing_from_elsewhere(needle: str) -> None:
    assert not re.search(needle, (STATIC / "index.html").read_text(encoding="utf-8"))


def test_all_that_is_in_the_page_is_named_with_its_licence() -> None:
    text = (STATIC / "LICENSES.txt").read_text(encoding="utf-8")
    for name in ("preact", "vega-lite", "cytoscape", "@codemirror/view", "world-atlas", "Natural Earth"):
        assert name in text
