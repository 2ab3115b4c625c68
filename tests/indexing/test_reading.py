"""Parts of a graph's files that several machines read: done once, and whole when they are there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest

from tests.indexing.test_resume import EX, triples
from triad.indexing import pipeline, reading
from triad.indexing.cluster import read_ahead, read_part
from triad.indexing.pipeline import run
from triad.indexing.reading import Part
from triad.indexing.recipe import Recipe, recipe_of
from triad.kg.parsing import DEFAULT_LIMITS

pytestmark = pytest.mark.slow(0.9)


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    path = tmp_path / "facts.nt"
    path.write_text("".join(f"<{EX}e{at}> <{EX}p> <{EX}e{at + 1}> .\n" for at in range(200)), encoding="utf-8")
    return recipe_of([path])


def test_a_part_that_is_done_is_left_to_who_uses_it(recipe: Recipe, tmp_path: Path) -> None:
    folder = tmp_path / "000000"
    part = (recipe.sources[0], Part(0), Path(recipe.sources[0].address), 0, DEFAULT_LIMITS)
    read_part(part, str(folder))
    (folder / "in use").touch()
    read_part(part, str(folder))  # by a machine that was thought to have died
    assert (folder / "in use").exists()
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["000000"]
    [(triples, taken)] = [
        (notes.triples, sum(map(len, batches)))
        for notes, batches in read_ahead(OneMachine("dask"), [part], tmp_path, 0)  # type: ignore[arg-type]
    ]
    assert triples == taken == 200
    assert not folder.exists()


class OneMachine:
    """A cluster that is this process."""

    places = 2

    def __init__(self, executor: str) -> None:
        assert executor == "dask"

    def check_files(self, files: list[Path], folder: Path) -> None:
        """Look at nothing."""

    def begin(self, task: Callable[..., Any], *arguments: Any) -> Any:
        return task(*arguments)

    def result(self, done: Any) -> Any:
        return done

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def test_what_is_left_of_a_part_is_deleted_before_it_is_read_again(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stopped(Exception):
        pass

    def stop(stage: str, done: int, total: int | None) -> None:
        if stage == "read parts":
            raise Stopped

    monkeypatch.setattr(reading, "SIZE", 1_000)
    monkeypatch.setattr(pipeline, "Cluster", OneMachine)
    with pytest.raises(Stopped):
        run(recipe, tmp_path / "built", executor="dask", progress=stop)
    left = tmp_path / ".built-unfinished" / "parts" / "000003"
    left.mkdir(parents=True)
    (left / "statements").write_bytes(b"half of it")
    run(recipe, tmp_path / "built", executor="dask", resume=True)
    assert len(triples(tmp_path / "built")) == 200
