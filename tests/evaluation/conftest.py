"""What the tests of runs share: a graph of companies, questions about it, and a model that reads them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.companies import questions, reply, turtle
from triad.configs import NO_MODEL, Config
from triad.evaluation.folder import RunFolder
from triad.models import ScriptedModel


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> list[ScriptedModel]:
    """Put the model that reads the questions in the place of all models; they are listed as they are opened."""
    opened: list[ScriptedModel] = []

    def open_model(self: Config, name: str | None = None) -> ScriptedModel | None:
        if (name or self.model) in (None, NO_MODEL):
            return None
        opened.append(ScriptedModel(reply))
        return opened[-1]

    monkeypatch.setattr(Config, "open_model", open_model)
    return opened


@pytest.fixture
def write_set(tmp_path: Path) -> Callable[..., Path]:
    """Write questions as a data set, by default all of them."""

    def write(records: Sequence[Mapping[str, Any]] | None = None, name: str = "questions.jsonl") -> Path:
        path = tmp_path / name
        rows = questions() if records is None else records
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


@pytest.fixture
def config(tmp_path: Path, write_set: Callable[..., Path], kept_file: Callable[[str, str], Path]) -> Path:
    """Write a config of a run over the companies, whose graph is indexed once."""
    graph = kept_file("companies.ttl", turtle())
    write_set()
    path = tmp_path / "companies.yaml"
    path.write_text(
        f"graph: {graph}\nmodel: ollama:none\nroute: phases\ndataset: {{path: questions.jsonl}}\n", encoding="utf-8"
    )
    return path


@pytest.fixture
def assert_same_answers() -> Callable[[Path, Path], None]:
    """Compare the answers of two runs, but for what they took."""

    def compare(first: Path, second: Path) -> None:
        ones, others = ({record.id: record.answer for record in RunFolder(at).records()} for at in (first, second))
        assert ones.keys() == others.keys()
        for id_, one in ones.items():
            assert one is not None
            assert (other := others[id_]) is not None
            assert (other.rows, other.boolean, other.query, other.links) == (
                one.rows,
                one.boolean,
                one.query,
                one.links,
            )

    return compare
