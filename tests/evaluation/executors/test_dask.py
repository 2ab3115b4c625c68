"""The same run on threads and on a Dask cluster of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from triad import errors
from triad.evaluation.run import run
from triad.indexing import cluster

pytestmark = [
    pytest.mark.slow(10),
    pytest.mark.skipif(find_spec("distributed") is None, reason="the extra 'dask' is not installed"),
]

DEMO = str(Path(__file__).parents[2] / "replies" / "demo.yaml")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    from distributed import LocalCluster  # a second, which not all processes that collect tests need wait

    with LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0", processes=True) as cluster:
        cluster.scale(2)
        cluster.wait_for_workers(2, timeout=180)
        yield cluster.scheduler_address.removeprefix("tcp://")


def test_a_cluster_gives_the_same_results(
    scheduler: str, tmp_path: Path, assert_same_answers: Callable[[Path, Path], None]
) -> None:
    here = run(DEMO, out=tmp_path / "here", limit=8, changes={"run.workers": 2})
    there = run(DEMO, out=tmp_path / "there", limit=8, changes={"run.executor": f"dask://{scheduler}"})
    assert there.scores == here.scores
    assert (there.usage.calls, there.usage.input_tokens) == (here.usage.calls, here.usage.input_tokens)
    assert_same_answers(tmp_path / "here", tmp_path / "there")


def test_a_budget_holds_on_a_cluster(scheduler: str, tmp_path: Path) -> None:
    changes = {"run.executor": f"dask://{scheduler}", "run.budget.calls": 6}
    report = run(DEMO, out=tmp_path / "run", changes=changes)
    assert report.stopped is not None
    assert 6 <= report.asked < 30
    more = report.asked + 3
    assert run(DEMO, out=tmp_path / "run", resume=True, limit=more).asked == more


def test_a_cluster_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECTING", 0.5)
    with pytest.raises(errors.ServiceError, match=r"cannot reach the Dask scheduler at '127\.0\.0\.1:1'"):
        run(DEMO, out=tmp_path / "run", limit=1, changes={"run.executor": "dask://127.0.0.1:1"})
