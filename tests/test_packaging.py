"""The packages that the metadata ask for are those that are imported."""

from __future__ import annotations

import ast
import importlib.metadata
import sys
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.source import is_type_checking, trees


def project() -> dict[str, Any]:
    path = Path(__file__).parents[1] / "pyproject.toml"
    data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    return data


def required() -> list[Requirement]:
    return [Requirement(text) for text in project()["dependencies"]]


def imported() -> set[str]:
    """The distributions that the package imports."""
    modules: set[str] = set()
    for tree in trees().values():
        checked = {id(node) for test in ast.walk(tree) if is_type_checking(test) for node in ast.walk(test)}
        for node in ast.walk(tree):
            if id(node) in checked:
                continue
            if isinstance(node, ast.Import):
                modules |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                modules.add(node.module.split(".")[0])
    owners = importlib.metadata.packages_distributions()
    foreign = modules - set(sys.stdlib_module_names) - {"triad"}
    return {canonicalize_name(owners[module][0]) if module in owners else module for module in foreign}


def test_installed_packages_are_those_that_the_metadata_ask_for() -> None:
    for requirement in required():
        try:
            version = importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            continue  # of a part that is not installed here
        assert requirement.specifier.contains(version, prereleases=True), requirement


def test_no_package_is_pinned_to_a_single_version() -> None:
    assert not [str(requirement) for requirement in required() if "==" in str(requirement.specifier)]


def test_no_package_is_imported_that_the_metadata_do_not_ask_for() -> None:
    asked_for = {canonicalize_name(requirement.name) for requirement in required()}
    # Each is asked for by a package that we ask for, or by an extra; numpy comes with fastembed and with scipy.
    extras = project()["optional-dependencies"]
    optional = {canonicalize_name(Requirement(text).name) for name in extras if name != "dev" for text in extras[name]}
    come_along = {
        "distributed": "dask",
        "elastic-transport": "elasticsearch",
        "markupsafe": "jinja2",
        "pyparsing": "rdflib",
        "opentelemetry-api": "opentelemetry-sdk",
        "pydantic-core": "pydantic",
    }
    assert {come_along.get(name, name) for name in imported()} - asked_for - optional == set()


def test_no_heavy_package_is_asked_for() -> None:
    asked_for = {canonicalize_name(requirement.name) for requirement in required()}
    assert not asked_for & {"transformers", "torch", "tensorflow", "spacy"}
