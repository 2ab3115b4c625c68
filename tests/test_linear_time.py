"""Texts of strangers, such that a pattern with several ways to match them would take minutes."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from triad.evaluation.metrics.sets import canonical
from triad.language.asking import Asking
from triad.queries.path_text import MalformedPath, parse_path
from triad.rdf import XSD, Literal
from triad.retrieval.documents.reading import read_document

READ: dict[str, Callable[[Path], object]] = {
    "a number": lambda _: Literal("1" * 30_000 + "x", XSD + "integer").number,
    "numbers that are compared": lambda _: canonical("1" * 30_000 + "x"),
    "a step of a path": lambda _: parse_path("Main Path:\n" + "a-[b]->" * 1_400 + "\\t"),
    "the language of a document": lambda folder: read_document(_written(folder, "aa" + "_a" * 40 + "!")),
    "the name of a relation": lambda _: Asking("en").form("a (" + " " * 30_000 + "x"),
}


@pytest.mark.parametrize("read", READ.values(), ids=READ.keys())
def test_a_text_is_read_in_linear_time(read: Callable[[Path], object], tmp_path: Path) -> None:
    begun = time.process_time()
    with suppress(MalformedPath):
        read(tmp_path)
    assert time.process_time() - begun < 5


def _written(folder: Path, language: str) -> Path:
    path = folder / "page.html"
    path.write_text(f'<html lang="{language}"><h1>A title</h1><p>What it says.', encoding="utf-8")
    return path
