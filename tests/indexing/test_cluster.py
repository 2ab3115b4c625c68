"""The same index on one machine and on a Dask cluster, whatever becomes of the machines of the cluster."""

from __future__ import annotations

import bz2
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyoxigraph
import pytest
import zstandard
from elasticsearch import Elasticsearch
from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from tests.indexing.test_resume import EX, RDFS, entries, triples
from tests.services.fixtures import index_name
from triad.errors import ConfigError, DataError, ServiceError
from triad.indexing import cluster, reading
from triad.indexing.cluster import Cluster, send_file
from triad.indexing.pipeline import IndexReport, run
from triad.indexing.recipe import Recipe, Spread, load_recipe, recipe_of
from triad.kg.profile import read_profile

pytestmark = [
    pytest.mark.slow(3),
    pytest.mark.skipif(find_spec("distributed") is None, reason="the extra 'dask' is not installed"),
]

XSD = "http://www.w3.org/2001/XMLSchema#"
PART = 20_000
"""Bytes of a part."""


@pytest.fixture(scope="module")
def scheduler() -> Iterator[Any]:
    from distributed import LocalCluster  # a second, which not all processes that collect tests need wait

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True) as local:
        local.wait_for_workers(2, timeout=180)
        yield local


@pytest.fixture
def executor(scheduler: Any) -> str:
    return f"dask://{scheduler.scheduler_address.removeprefix('tcp://')}"


Made = tuple[Path, IndexReport]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recipe of three files, of which a large one has many parts, with blank nodes that several of these share."""
    folder = tmp_path_factory.mktemp("files")
    type_ = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    lines = {
        "types.nt.bz2": [f"<{EX}e{at}> <{type_}> <{EX}Book> ." for at in range(600)],
        # What holds the names is found out, some by the name of the class.
        "names.nt": [f'<{EX}e{at}> <{EX}{("name", "book")[at % 2]}> "thing {at}" .' for at in range(1500)],
        "facts.nt": [f"<{EX}e{at}> <{EX}p{at % 7}> <{EX}e{at * 3 % 1500}> ." for at in range(1500)]
        + [f'<{EX}e{at}> <{EX}colour> "dark red {at % 9}"@en .' for at in range(600)]
        + [f"_:b{at % 9} <{EX}of> <{EX}e{at}> ." for at in range(600)]
        + [f'<{EX}e{at}> <{EX}size> "{at}"^^<{XSD}integer> .' for at in range(600)]
        + ["nonsense"],
    }
    for name, content in lines.items():
        text = ("\n".join(content) + "\n").encode()
        (folder / name).write_bytes(bz2.compress(text) if name.endswith("bz2") else text)
    path = folder / "recipe.yaml"
    path.write_text("description: d\nsources:\n" + "".join(f"  - address: {name}\n" for name in lines))
    return path


@pytest.fixture
def recipe(files: Path, monkeypatch: pytest.MonkeyPatch) -> Recipe:
    monkeypatch.setattr(reading, "SIZE", PART)
    return load_recipe(files)


@pytest.fixture(scope="module")
def here(files: Path) -> Made:
    """What this machine alone makes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "SIZE", PART)
        return files.with_name("here"), run(load_recipe(files), files.with_name("here"))


def assert_same(one: Path, other: Path) -> None:
    assert entries(one) == entries(other)
    assert triples(one) == triples(other)
    first, second = read_profile(one), read_profile(other)
    assert first is not None
    assert second is not None
    assert {**vars(first), "created": ""} == {**vars(second), "created": ""}
    about = [json.loads((folder / "triad.json").read_text()) for folder in (one, other)]
    assert {**about[0], "created": ""} == {**about[1], "created": ""}


def test_a_cluster_makes_what_one_machine_makes(recipe: Recipe, here: Made, executor: str, tmp_path: Path) -> None:
    folder, made = here
    there = run(recipe, tmp_path / "there", executor=executor)
    assert (there.triples, there.entries, there.skipped) == (made.triples, made.entries, 1)
    assert made.entries["entity"] == 1500
    assert_same(folder, tmp_path / "there")


def test_a_file_in_parts_has_the_triples_of_the_whole(
    recipe: Recipe, here: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "SIZE", 1 << 30)
    run(recipe, tmp_path / "whole")
    assert triples(here[0]) == triples(tmp_path / "whole")
    assert sorted(map(str, entries(here[0]))) == sorted(map(str, entries(tmp_path / "whole")))


def test_a_worker_that_is_killed_changes_nothing(
    recipe: Recipe, here: Made, executor: str, scheduler: Any, tmp_path: Path
) -> None:
    from distributed import Client

    killed: list[int] = []

    def kill(stage: str, done: int, total: int | None) -> None:
        if stage == "read parts" and not killed:
            with Client(scheduler, set_as_default=False) as client:
                killed.extend(client.run(os.getpid).values())
            os.kill(killed[0], signal.SIGKILL)

    run(recipe, tmp_path / "there", executor=executor, progress=kill)
    assert killed
    assert_same(here[0], tmp_path / "there")


def test_parts_that_are_done_are_not_read_again(
    recipe: Recipe, here: Made, executor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    real = Cluster.begin

    def begin(self: Cluster, task: Any, *arguments: Any) -> Any:
        begun.append(arguments[-1])
        return real(self, task, *arguments)

    class Interrupted(Exception):
        pass

    def interrupt(stage: str, done: int, total: int | None) -> None:
        if stage == "read parts" and done == 5:
            raise Interrupted

    monkeypatch.setattr(Cluster, "begin", begin)
    with pytest.raises(Interrupted):
        run(recipe, tmp_path / "there", executor=executor, progress=interrupt)
    begun.clear()
    run(recipe, tmp_path / "there", executor=executor, resume=True)
    assert min(int(Path(folder).name) for folder in begun) >= 5
    assert_same(here[0], tmp_path / "there")


def test_statements_of_a_part_are_read_as_they_were_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = (
        NamedNode("http://e/b"),
        BlankNode("b"),
        Literal("x\ny" * 20, language="en"),
        Literal("5", datatype=NamedNode("http://e/d")),
    )
    quads = [Quad(NamedNode("http://e/a"), NamedNode("http://e/p"), node) for node in nodes]
    text = pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.N_QUADS)
    assert text
    (tmp_path / "statements.nq.zst").write_bytes(zstandard.compress(text))
    monkeypatch.setattr(cluster, "_CHUNK", 50)
    assert [quad for batch in cluster._statements_in(tmp_path) for quad in batch] == quads


def test_too_many_faults_in_all_parts_are_an_error(executor: str, tmp_path: Path) -> None:
    for name in ("a.nt", "b.nt"):
        (tmp_path / name).write_text(f'nonsense\n<{EX}x> <{RDFS}label> "x" .\n')
    recipe = recipe_of([tmp_path / "a.nt", tmp_path / "b.nt"])
    with pytest.raises(DataError, match=r"2 statements are not valid and 1 may be left out; one is in 'b\.nt', line 1"):
        run(recipe, tmp_path / "built", executor=executor, max_errors=1)
    with pytest.raises(DataError, match=r"'a\.nt', line 1, is not valid N-Triples"):
        run(recipe, tmp_path / "built", executor=executor, max_errors=0)


def test_a_cluster_that_is_not_there_is_named(recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECTING", 0.5)
    with pytest.raises(ServiceError, match=r"cannot reach the Dask scheduler at '127\.0\.0\.1:1'"):
        run(recipe, tmp_path / "built", executor="dask://127.0.0.1:1")
    with pytest.raises(ConfigError, match="'spark' is no executor"):
        run(recipe, tmp_path / "built", executor="spark")


def test_a_cluster_that_cannot_be_begun_is_a_told_failure(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: Any) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr("distributed.LocalCluster", fail)
    with pytest.raises(ServiceError, match=r"cannot begin a Dask cluster on this machine: Nanny failed to start\."):
        run(recipe, tmp_path / "built", executor="dask")


INTERRUPTED = """
import sys, time
from triad.cli import main
from triad.indexing import cluster

def read_ahead(*_):
    print("reading", flush=True)
    time.sleep(60)

if __name__ == "__main__":
    cluster.read_ahead = read_ahead
    sys.argv = ["triad", "index", "a.nt", "--to", "built", "--executor", "dask"]
    main()
"""


def test_ctrl_c_ends_the_cluster_of_this_machine_without_a_word_of_its_processes(tmp_path: Path) -> None:
    (tmp_path / "a.nt").write_text(f'<{EX}x> <{RDFS}label> "x" .\n')
    (tmp_path / "child.py").write_text(INTERRUPTED)
    with subprocess.Popen(
        [sys.executable, "child.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(cluster.__file__).parents[2])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "reading\n"
        os.killpg(child.pid, signal.SIGINT)
        _, said = child.communicate(timeout=180)
    assert child.returncode == 130
    assert [line.partition(" ")[0] for line in said.splitlines()] == ["triad:", "triad:"]


def test_workers_that_lack_something_are_named(
    recipe: Recipe, executor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = cluster.Cluster._everywhere

    def answers(answer: Any) -> None:
        def everywhere(self: Any, function: Any, *arguments: Any) -> dict[str, Any]:
            found = real(self, function, *arguments)
            return dict.fromkeys(found, answer) if function.__name__ == wanted else found

        monkeypatch.setattr(cluster.Cluster, "_everywhere", everywhere)

    wanted = "version"
    answers("0.1")
    with pytest.raises(ConfigError, match=r"the worker tcp://\S+ has triad-kgqa 0\.1, and here it is .*"):
        run(recipe, tmp_path / "built", executor=executor)
    answers(ModuleNotFoundError("triad"))
    with pytest.raises(ServiceError, match="has no triad-kgqa: pip install"):
        run(recipe, tmp_path / "built", executor=executor)
    wanted = "getsize"
    answers(FileNotFoundError("types.nt.bz2"))
    with pytest.raises(ConfigError, match=r"does not see the file '\S+types\.nt\.bz2' as it is here"):
        run(recipe, tmp_path / "built", executor=executor)


def test_elasticsearch_gets_the_same_entries_from_the_cluster(
    recipe: Recipe, executor: str, tmp_path: Path, elasticsearch_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path))
    monkeypatch.setattr(cluster, "ENTRIES", 300)
    spread = recipe.model_copy(update={"elasticsearch": Spread(shards=3, replicas=0)})
    with index_name(elasticsearch_url) as name, Elasticsearch(elasticsearch_url) as client:
        target = f"elasticsearch:{elasticsearch_url}/{name}"

        def documents() -> dict[str, Any]:
            found = client.search(index=name, size=10_000)["hits"]["hits"]
            return {hit["_id"]: hit["_source"] for hit in found}

        here = run(recipe, target)
        whole = documents()
        sent: list[int] = []
        real = Cluster.begin

        def begin(self: Cluster, task: Any, *arguments: Any) -> Any:
            if task is send_file:
                sent.append(arguments[1])
            if len(sent) == 4:
                raise KeyboardInterrupt
            return real(self, task, *arguments)

        with monkeypatch.context() as patch:
            patch.setattr(Cluster, "begin", begin)
            with pytest.raises(KeyboardInterrupt):
                run(spread, target, executor=executor)
        assert documents() == whole  # what is in use stays until the end
        there = run(spread, target, executor=executor, resume=True)
        assert there.entries == here.entries
        assert documents() == whole
        [settings] = client.indices.get_settings(index=name).values()
        assert settings["settings"]["index"]["number_of_shards"] == "3"


@pytest.mark.parametrize("status", ["finished", "error"])
def test_a_task_that_ends_while_it_is_looked_at_has_its_result(status: str) -> None:
    """Of two timeouts, one is that of looking, and the other one the task's own."""

    class Task:
        looks = 0

        def __init__(self) -> None:
            self.status = status

        def result(self, timeout: float) -> int:
            self.looks += 1
            if self.status == "error" or self.looks == 1:
                raise TimeoutError(f"timed out after {timeout:g} s")
            return 5

    machines = Cluster.__new__(Cluster)
    client: Any = SimpleNamespace(status="running", nthreads=lambda: {"worker": 1})
    machines._client = client
    task: Any = Task()
    if status == "finished":
        assert machines.result(task) == 5
    else:
        with pytest.raises(ServiceError, match="timed out"):
            machines.result(task)
