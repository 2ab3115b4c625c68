from __future__ import annotations

import ast
import graphlib
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

import triad

PACKAGE = Path(triad.__file__).parent
LAYERS = [
    {"cli", "doctor", "server"},
    {"evaluation"},
    {"agent", "conversation", "routing"},
    {"lexical", "paths", "retrieval"},
    {"phases"},
    {"queries"},
    {"opening"},
    {"roles", "prompts", "configs", "indexing"},
    {"models", "kg", "search", "embedding"},
    {"language", "sparql"},
    {"locks", "resources", "strict", "textcache"},
    {"answers", "errors", "explain", "http", "questions", "rdf", "text", "trace", "types"},
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


def part(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "triad":
            names = node.module.split(".")[1:]
            found |= {names[0]} if names else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("triad.")}
    return found & set(RANK)


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE).with_suffix(""))
)
def test_imports_point_down(path: Path) -> None:
    if path == PACKAGE / "__init__.py":
        return
    own = part(path)
    assert own in RANK, f"{own!r} has no layer yet"
    upwards = {name for name in imports(path) if name != own and RANK[name] < RANK[own]}
    assert not upwards


def modules() -> dict[str, Path]:
    return {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in PACKAGE.rglob("*.py")
    }


def imported(tree: ast.AST, known: Collection[str]) -> Iterator[str]:
    """Yield the modules that a module imports, within functions too, but not for type checkers alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in known else node.module for name in inside)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        yield from imported(node, known)


def test_no_module_leads_back_to_itself() -> None:
    paths = modules()
    graph = {
        name: {one for one in imported(ast.parse(path.read_text(encoding="utf-8")), paths) if one in paths} - {name}
        for name, path in paths.items()
    }
    graphlib.TopologicalSorter(graph).prepare()  # raises a CycleError that names the modules


@pytest.mark.parametrize("port", ["kg", "models", "search"])
def test_adapters_meet_only_their_port(port: str) -> None:
    from_phases = {path for path in (PACKAGE / "phases").glob("*.py") if "import" in path.read_text(encoding="utf-8")}
    for path in from_phases:
        text = path.read_text(encoding="utf-8")
        for adapter in ("local", "endpoint", "elastic", "openai", "replay"):
            assert f"triad.{port}.{adapter}" not in text


def test_the_front_door_is_sorted_and_complete() -> None:
    assert triad.__all__ == sorted(triad.__all__, key=lambda name: (not name.isupper(), name))
    for name in triad.__all__:
        assert getattr(triad, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        triad.no_such_name  # noqa: B018


def test_the_former_place_of_values_still_gives_them() -> None:
    with pytest.warns(DeprecationWarning, match=r"triad\.types\.Question is triad\.questions\.Question now"):
        from triad.types import Question
    assert Question is triad.Question
