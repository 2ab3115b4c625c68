"""What all tests share: no key, no cache of the user's, a SPARQL server, the development data."""

from __future__ import annotations

import functools
import gc
import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import certifi
import filelock
import hypothesis
import pyoxigraph
import pytest

from tests.doubles import Clock
from tests.hostile_server import HostileServer, Script
from tests.services.fixtures import FIXTURES, elasticsearch_url, fuseki, postgresql, redis_url, triple_store, virtuoso
from tests.sparql_server import Serve, SparqlServer
from triad import deadline, sparql
from triad.agent import Agent
from triad.kg import lookups
from triad.language.detection import detect
from triad.log import logger

logger.enable("triad")  # tests look at what it says

__all__ = ["elasticsearch_url", "fuseki", "postgresql", "redis_url", "triple_store", "virtuoso"]

HERE = Path(__file__).parent

# What is tried is the same each time, however slow the machine is; `make fuzz` tries something else each time.
hypothesis.settings.register_profile(
    "same", derandomize=True, deadline=None, database=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("same")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background; programs under test inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Have what was put aside freed at the very end: DuckDB's binding tells the rest as leaks.

    What is registered first is done last, so pytest's own last collections do not look through it.
    """
    config.add_cleanup(gc.unfreeze)


def pytest_collection() -> None:
    """Have the collector of garbage wait: what collecting makes stays."""
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a real server, by its fixtures; begin with the files that take longest."""
    seconds: Counter[Path] = Counter()
    for item in items:
        if FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.server)
        if marker := item.get_closest_marker("slow") or item.get_closest_marker("server"):
            seconds[item.path] += next(iter(marker.args), 1)
    items.sort(key=lambda item: -seconds[item.path])


def pytest_collection_finish() -> None:
    """Keep the collector of garbage from looking through all modules and all tests again and again."""
    gc.set_threshold(50_000, 10, 10)
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def collected_between_tests() -> Iterator[None]:
    """Collect no garbage during a test: what is freed where a test has filled the stack cannot end cleanly."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that is empty at first.

    Of processes that run tests side by side, one finds what another has made of files. What servers said, each keeps
    for itself, since servers of tests follow each other at the same addresses.
    """
    own, base = tmp_path_factory.mktemp("cache"), tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        for name in ("graphs", "indexed", "languages", "packs", "parser", "wordnet"):
            shared = base.parent / "cache" / name
            shared.mkdir(parents=True, exist_ok=True)
            (own / name).symlink_to(shared)
    return own


@pytest.fixture(scope="session")
def settings_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("user") / "settings"


@pytest.fixture(scope="session", autouse=True)
def clean_environment(
    cache_folder: Path, settings_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Keep the user's keys, settings and caches out of the tests, and of what they share."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.endswith("_API_KEY") or name.startswith("OPENAI_") or name == "TRIAD_PATH":
                patch.delenv(name)
        patch.setenv("TRIAD_CACHE", str(cache_folder))
        patch.setenv("TRIAD_SETTINGS", str(settings_folder))
        patch.setenv("no_proxy", "*")
        # No test asks a server that is not its own; to read all authorities takes a client a twentieth of a second.
        first, end, _ = Path(certifi.where()).read_text(encoding="utf-8").partition("-----END CERTIFICATE-----\n")
        authority = tmp_path_factory.mktemp("authority") / "first.pem"
        authority.write_text(first + end, encoding="utf-8")
        patch.setenv("SSL_CERT_FILE", str(authority))
        if "PYTEST_XDIST_WORKER" in os.environ:  # what takes seconds to make, one process makes for all
            with filelock.FileLock(tmp_path_factory.getbasetemp().parent / "cache.lock"):
                detect("Which rivers flow through Germany?")
                sparql.parse("ASK {}")
        yield


@pytest.fixture(autouse=True)
def own_settings(settings_folder: Path) -> Iterator[None]:
    """Keep one test's settings out of the next."""
    yield
    shutil.rmtree(settings_folder, ignore_errors=True)


@pytest.fixture(scope="session")
def kept_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Write a text into a file of a name, once; so a graph is loaded once, and then found in the cache."""

    @functools.cache
    def write(name: str, text: str) -> Path:
        path = tmp_path_factory.mktemp("kept") / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def demo_agent() -> Iterator[Agent]:
    """The agent of the demo, without a model."""
    with Agent.from_config("demo") as agent:
        yield agent


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that all deadlines go by, and that a test moves on."""
    clock = Clock()
    for module in (deadline, lookups):
        monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """Collect what is logged, from INFO on, each line with its level before it."""
    lines: list[str] = []
    sink = logger.add(lambda line: lines.append(str(line)), level="INFO", format="{level} {message}")
    yield lines
    logger.remove(sink)


@pytest.fixture
def sparql_server() -> Iterator[Serve]:
    """Start SPARQL servers: call it with a store, and query ``.url``."""
    servers: list[SparqlServer] = []

    def start(store: pyoxigraph.Store) -> SparqlServer:
        servers.append(SparqlServer(store))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def hostile_server() -> Iterator[Callable[..., HostileServer]]:
    """Start servers that send what they are told to: call it with a script, and perhaps a pause."""
    servers: list[HostileServer] = []

    def start(script: Script, pause: float = 0.0) -> HostileServer:
        servers.append(HostileServer(script, pause))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of the development data, which does not come with the source."""
    folder = Path(os.environ.get("TRIAD_DATA") or HERE.parents[1] / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"there is no development data at {folder}; TRIAD_DATA can name its folder")
    return folder


@pytest.fixture(scope="session")
def minilm() -> Path:
    """The folder of all-MiniLM-L6-v2 in ONNX, a real embedder, which does not come with the source."""
    folder = Path(os.environ.get("TRIAD_MODELS") or HERE.parents[1] / "shared" / "models") / "all-MiniLM-L6-v2"
    if not folder.is_dir():
        pytest.skip(f"there is no model at {folder}; TRIAD_MODELS can name the folder that it is in")
    return folder
