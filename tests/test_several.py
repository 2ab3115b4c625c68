"""Two of each, as `deploy/several` starts them: nodes, workers and servers, of each of which one is killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import pyoxigraph
import pytest
from elasticsearch import Elasticsearch

from tests.ports import free_port
from tests.server.site import PAGE
from tests.services import services
from tests.services.fixtures import TripleStore

ROOT = Path(__file__).resolve().parents[1]
FILES = ROOT / "deploy" / "several"
BIN = Path(sys.executable).parent
PATIENCE = 180.0
"""Seconds that something may take to come up on a machine that does much else."""

pytestmark = [pytest.mark.server, pytest.mark.slow(30)]


@dataclass(frozen=True)
class Several:
    """What the files of `deploy/several` have started."""

    variables: dict[str, str]
    conf: Path

    def control(self, *words: str) -> str:
        """Tell the supervisor something, and return what it says."""
        command = [str(BIN / "supervisorctl"), "-c", str(self.conf), *words]
        return subprocess.run(command, env=self.variables, capture_output=True, text=True, check=False).stdout

    def kill(self, program: str) -> None:
        """Kill a program of the supervisor at once, with all that it began."""
        pid = int(self.control("pid", program))
        os.killpg(pid, signal.SIGKILL)

    def listening(self, program: str) -> set[str]:
        """Return the addresses at which a program and what it began listen."""
        main = psutil.Process(int(self.control("pid", program)))
        found = (one for process in (main, *main.children(recursive=True)) for one in process.net_connections("tcp"))
        return {one.laddr.ip for one in found if one.status == psutil.CONN_LISTEN}

    def triad(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of Triad to its end."""
        command = [sys.executable, "-m", "triad", *arguments]
        return subprocess.run(command, env=self.variables, capture_output=True, text=True, check=False, cwd=ROOT)

    def log(self, program: str) -> str:
        """Return what a program has written."""
        return "\n".join(path.read_text("utf-8") for path in self.conf.parent.glob(f"{program}-std*"))


def until(ask: Callable[[], Any]) -> Any:
    """Return what a question gives as soon as it is true, asking again where it fails."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            if found := ask():
                return found
        except Exception:
            if time.monotonic() > deadline:
                raise
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.2)


@pytest.fixture
def several(tmp_path: Path, virtuoso: TripleStore, postgresql: str, redis_url: str) -> Iterator[Several]:
    pytest.importorskip("supervisor")
    folder = services.home() / "several"
    shutil.rmtree(folder, ignore_errors=True)
    program = services.unpacked(services.fetch(services.ELASTICSEARCH))
    for node in ("elasticsearch-1", "elasticsearch-2"):
        shutil.copytree(program / "config", folder / node / "config")
    for path in (folder, *folder.rglob("*")):
        if os.geteuid() == 0:
            os.chown(path, services.NOBODY, services.NOBODY)
    one, two, first, second, scheduler, *servers = (str(free_port()) for _ in range(7))
    variables = {
        **os.environ,
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "SEVERAL": str(folder),
        "ELASTICSEARCH_HOME": str(program),
        "SERVICES_USER": "nobody" if os.geteuid() == 0 else str(os.geteuid()),
        "ELASTICSEARCH_JAVA": f"-Xms512m -Xmx512m {services.SOON}",
        "CLI_JAVA_OPTS": services.SOON,
        "ES_JAVA_HOME": str(services.java()),
        "ELASTICSEARCH_1": one,
        "ELASTICSEARCH_2": two,
        "ELASTICSEARCH_TRANSPORT_1": first,
        "ELASTICSEARCH_TRANSPORT_2": second,
        "SCHEDULER": scheduler,
        "SERVER_1": servers[0],
        "SERVER_2": servers[1],
        "TRIAD_GRAPH": virtuoso.address("demo"),
        "TRIAD_INDEX": f"elasticsearch:http://127.0.0.1:{one},http://127.0.0.1:{two}/demo",
        "TRIAD_STATE": postgresql,
        "TRIAD_COUNTERS": redis_url,
    }
    conf = folder / "supervisord.conf"
    included = "files=" + " ".join(str(FILES / name) for name in ("elasticsearch.conf", "triad.conf"))
    text = (FILES / "supervisord.conf").read_text("utf-8")
    conf.write_text(text.replace("files=elasticsearch.conf services.conf triad.conf", included), encoding="utf-8")
    supervisor = subprocess.Popen([str(BIN / "supervisord"), "-n", "-c", str(conf)], env=variables)
    try:
        yield Several(variables, conf)
    finally:
        supervisor.terminate()
        supervisor.wait()


def test_a_node_a_worker_and_a_server_die_and_nothing_is_lost(several: Several, tmp_path: Path) -> None:
    names = several.variables
    with Elasticsearch(f"http://127.0.0.1:{names['ELASTICSEARCH_1']}") as cluster:
        until(lambda: cluster.cluster.health()["number_of_nodes"] == 2)
        recipe = parts(tmp_path)
        indexing = subprocess.Popen(
            [
                *(sys.executable, "-m", "triad", "index", str(recipe), "--to", names["TRIAD_INDEX"]),
                *("--executor", f"dask://127.0.0.1:{names['SCHEDULER']}"),
            ],
            env=names,
            cwd=ROOT,
        )
        until(lambda: "Connection to" in several.log("worker-1") or "Registered to" in several.log("worker-1"))
        assert several.listening("scheduler") | several.listening("worker-1") == {"127.0.0.1"}
        several.kill("worker-1")
        assert indexing.wait(PATIENCE) == 0
        several.control("stop", "scheduler", "worker-1", "worker-2")
        until(lambda: cluster.cluster.health(index="demo")["status"] == "green")
        counts: Any = cluster.count(index="demo")
        assert counts["count"] > 700

        several.control("start", "server-1", "server-2")
        addresses = [f"http://127.0.0.1:{names[name]}" for name in ("SERVER_1", "SERVER_2")]
        servers = [httpx.Client(base_url=address, headers=PAGE) for address in addresses]
        for server in servers:
            until(lambda server=server: server.get("/readyz").status_code == 200)  # type: ignore[misc]
        servers[0].get("/api/v1/session").raise_for_status()
        servers[1].cookies = servers[0].cookies
        first = ask(servers[0], "Who founded Intel?", conversation="new")
        assert "Gordon Moore" in first["reply"]

        several.kill("elasticsearch-2")
        assert "Frank Herbert" in ask(servers[1], "Who wrote Dune?")["reply"]

        several.kill("server-1")
        again = ask(servers[1], "When was he born?", conversation=first["conversation"])
        assert again["conversation"] == first["conversation"]
        until(lambda: servers[0].get("/readyz").status_code == 200)
        until(lambda: cluster.cluster.health(index="demo")["status"] == "green")
        for server in servers:
            server.close()


def ask(server: httpx.Client, question: str, **more: str) -> Any:
    """Return what a server answers to a question."""
    answer = server.post("/api/v1/ask", json={"question": question, **more}, timeout=PATIENCE)
    assert answer.status_code == 200, answer.text
    return answer.json()


def parts(folder: Path) -> Path:
    """Write the demo's graph in eight parts, and a recipe of them whose index has a copy; return the recipe."""
    triples = list(pyoxigraph.parse(path=str(ROOT / "configs" / "demo" / "graph.ttl")))
    for number in range(8):
        part = (quad.triple for quad in triples[number::8])
        content = pyoxigraph.serialize(part, format=pyoxigraph.RdfFormat.N_TRIPLES)
        (folder / f"{number}.nt").write_bytes(content or b"")
    recipe = folder / "recipe.yaml"
    sources = "".join(f"  - address: {number}.nt\n" for number in range(8))
    recipe.write_text(
        f"description: d\nelasticsearch: {{shards: 2, replicas: 1}}\nsources:\n{sources}", encoding="utf-8"
    )
    return recipe
