"""How long it takes to begin, on this machine: `python benchmarks/startup.py [--times 9]`.

Each figure is the median of whole processes, from their start to their end, or for the server to its first answer;
beside it stands how often `python -c pass` fits into it. What is made once, such as the demo's index, is there before.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

QUESTION = "Who founded Intel?"
TRIAD = [sys.executable, "-c", "from triad.cli import main; main()"]


def run(*command: str) -> float:
    """Run a command, and return the seconds that it took."""
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - started


def first_answer() -> float:
    """Start a server, and return the seconds until it has answered a question."""
    with tempfile.TemporaryDirectory() as name:
        state = f"state=sqlite:///{Path(name) / 'state.db'}"
        started = time.perf_counter()
        process = subprocess.Popen(
            [*TRIAD, "serve", "demo", "--port", "0", "--set", state],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            request = urllib.request.Request(
                f"{address}/api/v1/ask",
                json.dumps({"question": QUESTION}).encode(),
                {"Content-Type": "application/json"},
            )
            while True:
                try:
                    with urllib.request.urlopen(request) as reply:
                        assert json.load(reply)["outcome"] == "answer"
                    return time.perf_counter() - started
                except urllib.error.URLError:  # the address is told before anybody listens
                    time.sleep(0.01)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()
            process.stdout.close()


def worked() -> float:
    """Return the seconds that all child processes worked until now."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=9)
    times = parser.parse_args().times
    parts: dict[str, Callable[[], float]] = {
        "python -c pass": lambda: run(sys.executable, "-c", "pass"),
        "triad --help": lambda: run(*TRIAD, "--help"),
        "triad ask": lambda: run(*TRIAD, "ask", QUESTION),
        "triad serve": first_answer,
    }
    for part in parts.values():
        part()  # so that files are in memory, and what is made once is made
    taken: dict[str, list[float]] = {name: [] for name in parts}
    work: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(times):  # in turns, for the machine may have other work for a while
        for name, part in parts.items():
            before = worked()
            taken[name].append(part())
            work[name].append(worked() - before)
    least = statistics.median(taken["python -c pass"])
    for name in parts:
        median = statistics.median(taken[name])
        print(
            f"{name}: {median:.3f} s, {median / least:.0f} x python -c pass; "
            f"the least {min(taken[name]):.3f} s; of processors {statistics.median(work[name]):.3f} s"
        )
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
