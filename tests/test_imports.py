"""The house is built as `docs/explanation/architecture.md` draws it, and the front door is in order."""

from __future__ import annotations

import ast
import functools
import graphlib
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import triad
from tests.source import PACKAGE, SOURCES, is_type_checking, trees

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "architecture.md"


def _drawn() -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
    """The layers of the diagram with their modules, from top to bottom, and its arrows."""
    [diagram] = re.findall(r"^```mermaid\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    layers = {
        name: re.findall(r"^ +(\w+)$", body, re.MULTILINE)
        for name, body in re.findall(r'^  subgraph (\w+)\["[^"]+"\]\n(.*?)^  end$', diagram, re.MULTILINE | re.DOTALL)
    }
    return layers, re.findall(r"^  (\w+) --> (\w+)$", diagram, re.MULTILINE)


LAYERS, ARROWS = _drawn()
RANK = {name: rank for rank, names in enumerate(LAYERS.values()) for name in names}


def _name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_name(path): path for path in SOURCES}


def _imports(path: Path) -> Iterator[str]:
    """The modules of the package that a module imports, at its top or in a function; not those for types alone."""
    tree = trees()[path]
    typed = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and is_type_checking(node)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in typed:
            continue
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield from {full if full in MODULES else str(node.module)} & set(MODULES)
        elif isinstance(node, ast.Import):
            yield from {alias.name for alias in node.names} & set(MODULES)


@functools.cache
def _graph() -> dict[str, set[str]]:
    return {name: set(_imports(path)) - {name} for name, path in MODULES.items()}


def _part(name: str) -> str:
    return name.split(".")[1]


# The house ------------------------------------------------------------------------------------------------


def test_the_diagram_has_every_module_once() -> None:
    names = [name for layer in LAYERS.values() for name in layer]
    assert sorted(names) == sorted({_part(name) for name in MODULES if name != "triad"})


@pytest.mark.slow(1.6)
def test_the_arrows_of_the_diagram_go_from_layer_to_layer() -> None:
    assert list(pairwise(LAYERS)) == ARROWS
    for upper, lower in ARROWS:
        below = {name for layer in list(LAYERS)[list(LAYERS).index(lower) :] for name in LAYERS[layer]}
        imported = {
            _part(other)
            for name in MODULES
            if name != "triad" and _part(name) in LAYERS[upper]
            for other in _graph()[name]
        }
        assert imported & below, f"nothing in {upper!r} imports anything below it"


@pytest.mark.slow(5.3)
def test_imports_point_down() -> None:
    top = LAYERS[next(iter(LAYERS))]
    wrong = {}
    for name in set(MODULES) - {"triad"}:
        own = _part(name)
        upwards = {other for other in _graph()[name] if other != "triad" and RANK[_part(other)] < RANK[own]}
        if "triad" in _graph()[name] and own not in top:
            upwards.add("triad")  # the front door is for those outside
        if upwards:
            wrong[name] = upwards
    assert wrong == {}


@pytest.mark.slow
def test_no_two_modules_import_each_other() -> None:
    """Imports inside functions count, too: a cycle that is hidden is a cycle."""
    try:
        list(graphlib.TopologicalSorter(_graph()).static_order())
    except graphlib.CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("port", ["kg", "models", "search", "embedding"])
def test_phases_meet_ports_and_no_adapter(port: str) -> None:
    adapters = {"local", "endpoint", "elastic", "openai", "replay", "fastembed"}
    for name, imported in _graph().items():
        if name.startswith("triad.phases"):
            assert not {other for other in imported if other.split(".")[1:3][-1] in adapters and _part(other) == port}


# The front door -------------------------------------------------------------------------------------------


def test_the_front_door_is_sorted_and_complete() -> None:
    assert triad.__all__ == sorted(triad.__all__, key=lambda name: (not name.isupper(), name))
    assert set(dir(triad)) == {*triad.__all__, "__version__"}
    for name in triad.__all__:
        assert getattr(triad, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        triad.no_such_name  # noqa: B018


def test_the_former_place_of_values_still_gives_them() -> None:
    with pytest.warns(DeprecationWarning, match=r"triad\.types\.Question is triad\.questions\.Question now"):
        from triad.types import Question
    assert Question is triad.Question
