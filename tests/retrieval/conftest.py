"""Tables of small graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph
import pytest

from tests.retrieval.evidence_world import made_bikes, made_tables
from triad.kg.profile import GraphProfile
from triad.retrieval.tables.database import Tables

PREFIXES = """
@prefix ex: <http://example.org/> .
@prefix v: <http://example.org/v#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""

Make = Callable[..., Tables]


@pytest.fixture(autouse=True)
def extra() -> None:
    """Skip what needs the extra where it is not installed."""
    pytest.importorskip("duckdb")
    pytest.importorskip("sqlglot")


@pytest.fixture(scope="session")
def bikes_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the bikes, with tables."""
    return made_bikes(tmp_path_factory.mktemp("bikes"))


@pytest.fixture
def tables_of(tmp_path: Path) -> Iterator[Make]:
    """Make the tables of a graph in Turtle."""
    opened: list[Tables] = []

    def make(turtle: str, *, profile: GraphProfile | None = None) -> Tables:
        store = pyoxigraph.Store()
        store.load(input=PREFIXES + turtle, format=pyoxigraph.RdfFormat.TURTLE)
        made_tables(store, tmp_path, profile)
        opened.append(Tables(tmp_path))
        return opened[-1]

    yield make
    for tables in opened:
        tables.close()
