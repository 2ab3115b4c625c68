"""The package's source, read once for all tests that ask what is written in it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import triad

PACKAGE = Path(triad.__file__).parent
SOURCES = {path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))}


@functools.cache
def trees() -> dict[Path, ast.Module]:
    """The modules as trees; made when a test reads them, not wherever tests are collected."""
    return {path: ast.parse(text) for path, text in SOURCES.items()}


def calls(*named: str) -> Iterator[tuple[Path, ast.Call]]:
    """Yield the calls of functions with some names, or of all, in the package."""
    for name, path, call in _calls():
        if not named or name in named:
            yield path, call


@functools.cache
def _calls() -> list[tuple[str, Path, ast.Call]]:
    return [
        (ast.unparse(node.func), path, node)
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    ]


def is_type_checking(node: ast.AST) -> bool:
    """Tell whether a statement holds for the type checker only."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
