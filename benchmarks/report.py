"""How long the page of a large run takes to open in a browser: `python benchmarks/report.py [--questions 10000]`.

The figure is the median from navigation to the load event, as the browser tells it; beside it stands how often the page
of a run of one question fits into it. TRIAD_CHROMIUM names a browser other than the first on the path.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from triad.answers import Answer
from triad.evaluation.folder import Record, RunFolder, Writer
from triad.evaluation.rendering import write_html
from triad.evaluation.summary import read_report
from triad.questions import Question
from triad.rdf import Literal, Value
from triad.trace import Trace

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
TELL = "addEventListener('load', () => document.title = `loaded in ${performance.now()}`);"


def page(folder: Path, questions: int) -> Path:
    """Write the page of a run of so many questions; when it is loaded, its title says after how long."""
    kept = RunFolder(folder)
    kept.begin({"graph": "g.ttl", "model": "m", "dataset": {"path": "q.yml"}, "run": {"seed": 0}}, {"name": "large"})
    with Writer(kept) as writer:
        for number in range(questions):
            question = Question(f"What is {number}?", id=str(number))
            value = Value(Literal(str(number)), str(number))
            answer = Answer(question, variables=("x",), rows=((value,),), text=str(number), trace=Trace(question))
            writer.append(Record(str(number), question, answer=answer, scores={"set_f": number % 3 / 2}))
    path = folder / "report.html"
    write_html([read_report(folder)], path)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"<script>{TELL}</script>")
    return path


def seconds(browser: str, path: Path) -> float:
    """Open a page, and return after how many seconds it was loaded."""
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", path.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(re.findall(r"loaded in ([\d.]+)", shown)[-1]) / 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    browser = os.environ.get("TRIAD_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise SystemExit("no browser is there: apt-get install chromium, or TRIAD_CHROMIUM names one")
    with tempfile.TemporaryDirectory() as folder:
        pages = [page(Path(folder) / str(count), count) for count in (1, given.questions)]
        taken: list[list[float]] = [[], []]
        for _ in range(given.times):  # in turns, for the machine may have other work for a while
            for path, times in zip(pages, taken, strict=True):
                times.append(seconds(browser, path))
    one, many = map(statistics.median, taken)
    print(f"{given.questions:,} questions: {many:.2f} s, {many / one:.0f} x one question ({one:.3f} s)")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
