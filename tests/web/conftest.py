"""A real server and a real browser. The tests of this folder are skipped where either is not there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import httpx
import pytest

from tests.evaluation.recorded import reported
from tests.ports import free_port

if TYPE_CHECKING:  # what is not installed skips the tests, and must not fail their collection
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

BROWSERS: Final = ("chromium-headless-shell", "chromium", "google-chrome")
"""Programs that the page is tested in; the first has no windows of its own, and takes half as long."""
CHROMIUM: Final = os.environ.get("TRIAD_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
TRIAD: Final = (sys.executable, "-c", "from triad.cli import main; main()")
GRAPHS: Final = Path(__file__).parent / "graphs"
ROOT: Final = Path(__file__).parents[2]
STARTS: Final = 180.0  # seconds in which a server must be there
PATIENCE: Final = 90_000  # milliseconds in which the page must show what is expected


@dataclass
class Server:
    """``triad serve`` in a process of its own, which can be killed and started again at the same address."""

    folder: Path
    settings: dict[str, Any]
    port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def config(self) -> Path:
        path = self.folder / "server.yaml"
        path.write_text("\n".join(f"{key}: {value}" for key, value in self.settings.items()), encoding="utf-8")
        return path

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(ROOT), "TRIAD_STATE": str(self.folder / "state.db")}

    def new_key(self, name: str) -> str:
        """Return a new key, which may ask and query."""
        command = [*TRIAD, "keys", "add", name, "--server", str(self.config)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout.split()[-1]

    def start(self) -> None:
        command = [*TRIAD, "serve", str(self.config), "--port", str(self.port)]
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)
        deadline = time.monotonic() + STARTS
        while not self._is_there():
            if self._process.poll() is not None or time.monotonic() > deadline:
                text = (self.folder / "server.log").read_text(encoding="utf-8")
                raise RuntimeError(f"the server did not start: {text[-2000:]}")
            time.sleep(0.1)

    def _is_there(self) -> bool:
        try:
            return httpx.get(f"{self.address}/healthz", timeout=2).is_success
        except httpx.HTTPError:
            return False

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait(timeout=10)
            self._process = None


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of the demo graph and of a graph with hostile names, places and pictures; feedback teaches it."""
    pytest.importorskip("triad.server.app", reason="the server is not there: pip install 'triad-kgqa[server]'")
    folder = tmp_path_factory.mktemp("server")
    graphs = f"{{demo: demo, places: {{config: {GRAPHS / 'places.yaml'}, title: Places}}}}"
    runs = shutil.copytree(GRAPHS / "reports", folder / "runs")
    reported(runs / "before", 0.0, 1.0, 0.5)
    reported(runs / "after", 1.0, 0.0, 0.5)
    found = Server(folder, {"graphs": graphs, "learn": "true", "inspect": "true", "runs": str(runs)})
    found.start()
    yield found
    found.kill()


@pytest.fixture(scope="module")  # no longer: the driver's loop of events would run beside other tests
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        missing = "no browser is there: apt-get install chromium, or TRIAD_CHROMIUM names one"
        pytest.fail(missing) if os.environ.get("TRIAD_SERVICES_REQUIRED") else pytest.skip(missing)
    driver_of = pytest.importorskip("playwright.sync_api", reason="the browser's driver is not there: playwright")
    driver_of.expect.set_options(timeout=PATIENCE)
    with driver_of.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(locale="en-GB", viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, server: Server) -> Iterator[Page]:
    """The page, as a new visitor sees it. Errors of scripts and breaches of the page's policy fail the test."""
    page = context.new_page()
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # What the server refuses and what the network loses is told by the page; a test looks there.
        if message.type in {"error", "warning"} and not message.text.startswith("Failed to load resource"):
            complaints.append(message.text)

    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(server.address)
    yield page
    assert complaints == []
