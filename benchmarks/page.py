"""What a visitor waits for, in Chromium with a server of this machine: `python benchmarks/page.py [--times 5]`.

A first visit, with nothing kept by the browser, on this machine's network and on a slow one, in light and dark: until
something is painted and until the largest part is, what came over the network before the first paint, how long scripts
blocked the page, and how far parts of it moved. Then a question is asked, and somebody types on while its answer comes:
the time from a key to the paint that shows it. Each figure is the median of so many visits; of keys the 95th percentile
of all, and the slowest.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TRIAD = [sys.executable, "-c", "from triad.cli import main; main()"]
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
"""Milliseconds, and bytes a second: what Lighthouse takes for a phone on the way."""
QUESTION = "Which rivers flow through Germany?"
TYPED = "Which of them are longer than a thousand kilometres, and where is their mouth"
PAUSE = 40  # milliseconds between keys
BLOCKING = 50  # milliseconds from which a task is felt
GOALS = "goals: first paint within 1,000 ms, 150 kB before it; a key shown within 100 ms"

WATCHING = """() => {
  window.seen = { largest: 0, shifted: 0, tasks: [], keys: [] };
  const watch = (type, told) =>
    new PerformanceObserver((list) => list.getEntries().forEach(told)).observe({ type, buffered: true });
  watch("largest-contentful-paint", (entry) => { seen.largest = entry.startTime; });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.shifted += entry.value; });
  watch("longtask", (entry) => { seen.tasks.push([entry.startTime, entry.duration]); });
  addEventListener("keydown", (event) => requestAnimationFrame(() => {
    const painted = new MessageChannel();
    painted.port1.onmessage = () => seen.keys.push(performance.now() - event.timeStamp);
    painted.port2.postMessage(null);
  }), true);
}"""
READING = """() => ({
  ...window.seen,
  first: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  loaded: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(
    (entry) => [entry.responseEnd, entry.transferSize]),
})"""


@dataclass(frozen=True)
class Visit:
    """What was measured of a first visit."""

    first: float
    """Milliseconds until something is painted."""
    largest: float
    """Milliseconds until the largest part is."""
    size: float
    """Kilobytes that came, compressed, before the first paint."""
    blocked: float
    """Milliseconds for which scripts kept the page from answering, after the first paint."""
    shifted: float
    """How far parts moved, as the share of the window that they moved over."""


def visit_of(seen: Mapping[str, Any]) -> Visit:
    """Return the figures of what the browser noted."""
    first = seen["first"]
    blocked = sum(max(0, length - BLOCKING) for start, length in seen["tasks"] if start + length > first)
    size = sum(size for end, size in seen["loaded"] if end <= first)
    return Visit(first, seen["largest"], size / 1000, blocked, seen["shifted"])


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that a share of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


@contextmanager
def served() -> Iterator[str]:
    """Serve the demo, and yield the address of its page."""
    with tempfile.TemporaryDirectory() as folder:
        state = f"state=sqlite:///{Path(folder) / 'state.db'}"
        process = subprocess.Popen(
            [*TRIAD, "serve", "demo", "--port", "0", "--set", state],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()
            process.stdout.close()


def visit(
    browser: Browser, address: str, scheme: Literal["light", "dark"], *, slow: bool
) -> tuple[Visit, Sequence[float]]:
    """Visit the page for the first time and ask; return the figures, and the milliseconds of each key."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1200, "height": 900}, locale="en-GB")
    try:
        page = context.new_page()
        page.add_init_script(f"({WATCHING})()")
        if slow:
            network = context.new_cdp_session(page)
            network.send("Network.enable")
            network.send("Network.emulateNetworkConditions", SLOW)
        page.goto(address, wait_until="networkidle")
        found = visit_of(page.evaluate(READING))
        box = page.get_by_role("combobox", name="Question")
        box.fill(QUESTION)
        box.press("Enter")
        page.evaluate("seen.keys.length = 0")
        box.press_sequentially(TYPED, delay=PAUSE)
        page.get_by_role("link", name="Rhine", exact=True).first.wait_for()
        keys: list[float] = page.evaluate("seen.keys")
        return found, keys
    finally:
        context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    from playwright.sync_api import sync_playwright

    program = os.environ.get("TRIAD_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise SystemExit("no browser is there: apt-get install chromium, or TRIAD_CHROMIUM names one")
    with served() as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        visit(browser, address, "light", slow=False)  # so that the graph is open, and what is made once is made
        for slow in (False, True):
            for scheme in ("light", "dark"):
                visits = [visit(browser, address, scheme, slow=slow) for _ in range(times)]
                figures = zip(*(astuple(one) for one, _ in visits), strict=True)
                first, largest, size, blocked, shifted = map(statistics.median, figures)
                keys = [key for _, pressed in visits for key in pressed]
                print(
                    f"{'slow network' if slow else 'this machine'}, {scheme}: first paint {first:.0f} ms, "
                    f"largest {largest:.0f} ms; {size:.0f} kB before the first; blocked {blocked:.0f} ms; "
                    f"layout shift {shifted:.3f}; a key {percentile(keys, 0.95):.0f} ms, the slowest {max(keys):.0f} ms"
                )
        browser.close()
    print(GOALS)
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
