"""How good the answers are: the shipped configs of all sets, in one table, with the page of each run beside it.

python benchmarks/quality.py                                # all sets, into a new folder of runs/
python benchmarks/quality.py --only qald9,lcquad --limit 50
python benchmarks/quality.py --model none                   # without a language model
python benchmarks/quality.py --only qald9,lcquad --model none --workers 1    # p50 and p95 of a question alone
python benchmarks/quality.py --servers                      # through the Virtuoso and Elasticsearch of `make services`

Each set is asked with the model of its config where the environment has a key for it, else with recorded replies where
there are any, else without a language model. What is not run is named below the table, with the reason.
"""

from __future__ import annotations

import os
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import parse_qs, urlsplit

import typer
from loguru import logger

from tests.services import services
from triad.cli.display import log_console
from triad.cli.progress import run_progress
from triad.configs import NO_MODEL, Config, load_config, needs_key
from triad.errors import ConfigError, TriadError
from triad.evaluation.folder import RunFolder
from triad.evaluation.plan import combinations
from triad.evaluation.report import Report
from triad.evaluation.run import run
from triad.indexing.pipeline import run as index
from triad.indexing.recipe import recipe_of
from triad.text import table

ROOT: Final = Path(__file__).resolve().parents[1]
DATA: Final = ROOT.parent / "shared" / "data"
SETS: Final = ("demo", "ck25", "qald9", "lcquad", "yago", "metaqa", "dialogues", "mondial")
REPLIES: Final = {name: ROOT / "tests" / "replies" / f"{name}.jsonl" for name in ("demo", "ck25")}
METRIC: Final = "macro_f1_gerbil"
HEADER: Final = (
    "set", "model", "questions", "macro F1 (GERBIL)", "95 % interval", "answered", "calls", "tokens", "money",
    "p50 s", "p95 s", "calibration error", "report",
)  # fmt: skip


def main(
    to: Annotated[Path | None, typer.Option(help="Folder of the table and the reports.")] = None,
    only: Annotated[str, typer.Option(help="Sets to run, with commas.")] = ",".join(SETS),
    limit: Annotated[int | None, typer.Option(help="Questions of each set at most.")] = None,
    model: Annotated[str | None, typer.Option(help="The model of all sets, or none.")] = None,
    servers: Annotated[bool, typer.Option("--servers", help="Through Virtuoso and Elasticsearch.")] = False,
    workers: Annotated[int, typer.Option(help="Questions at once.")] = 2,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the runs in the folder.")] = False,
) -> None:
    names = [name.strip() for name in only.split(",")]
    if unknown := sorted(set(names) - set(SETS)):
        raise typer.BadParameter(f"there is no set {unknown[0]!r}; there are {', '.join(SETS)}")
    logger.remove()
    logger.add(sys.stderr, level="WARNING", format="{message}")
    os.environ.setdefault("TRIAD_DATA", str(DATA))
    if servers:
        name_servers()
    folder = to or Path("runs") / f"quality-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    rows: list[tuple[str, ...]] = []
    skipped: list[str] = []
    for name in names:
        try:
            check(load_config(name))
            if servers:
                load(name)
            used = model or model_of(name, servers)
            config = f"{name}-servers" if servers else recorded(name, used)
            changes: dict[str, Any] = {"model": used, "run.workers": workers, "min_confidence": 0}
            with run_progress(log_console()) as progress:
                report = run(
                    config, limit=limit, changes=changes, out=folder / name, resume=resume, on_progress=progress
                )
        except TriadError as error:
            skipped.append(f"{name}: {error}")
            continue
        for part in report.parts or (report,):
            rows.append(row(name, used, part, folder))
            if part.stopped:
                skipped.append(f"{rows[-1][0]}, but for {part.asked} questions: {part.stopped}")
    where = "Virtuoso and Elasticsearch" if servers else "the embedded store"
    lines = [f"# Answers over {where}, {datetime.now(UTC):%Y-%m-%d}", "", *table(HEADER, rows), ""]
    lines.append(f"Calls, tokens and seconds are those of a question, {workers} at a time; money is that of the run.")
    lines += ["", "Not run:", "", *(f"- {line}" for line in skipped)] if skipped else []
    path = RunFolder(folder).write("quality.md", "\n".join(lines) + "\n")
    print("\n".join([*lines, "", f"written to {path}"]))


def row(name: str, model: str, report: Report, folder: Path) -> tuple[str, ...]:
    """Return a line of the table: that of a set, or of a part of it."""
    asked, usage, score = max(1, report.asked), report.usage, report.scores.get(METRIC)
    part = report.name.partition(", ")[0].removeprefix("dataset.path=")
    title = name if report.folder == folder / name else part
    latency, error = report.latency.get("all"), report.calibration_error
    page = (report.folder / "report.html").relative_to(folder)
    return (
        title,
        "recorded" if model.startswith("replay:") else model,
        f"{report.asked:,}",
        f"{score.mean:.3f}" if score else "",
        f"{score.low:.3f} – {score.high:.3f}" if score and score.low is not None and score.high is not None else "",
        f"{(report.asked - report.declined - report.failed) / asked:.0%}",
        f"{usage.calls / asked:.2f}",
        f"{(usage.input_tokens + usage.output_tokens) / asked:,.0f}",
        f"${usage.money:.2f}",
        *((f"{latency.p50:.2f}", f"{latency.p95:.2f}") if latency else ("", "")),
        "" if error is None else f"{error:.3f}",
        f"[page](<{page.as_posix()}>)",
    )


def check(config: Config) -> None:
    """Refuse a set that has no questions, or whose data are not there."""
    if config.dataset is None:
        raise ConfigError("it has no questions")
    sources = [source for one in runs_of(config) for source in (*files_of(one), str(one.dataset_path))]
    if absent := [source for source in sources if not Path(source).exists()]:
        raise ConfigError(f"{absent[0]!r} is not there; TRIAD_DATA names the folder of the data")


def files_of(config: Config) -> tuple[str, ...]:
    """Return the files of a config's graph."""
    return (config.graph,) if isinstance(config.graph, str) else tuple(map(str, config.graph))  # type: ignore[arg-type]


def model_of(name: str, servers: bool) -> str:
    """Return the model to ask: the config's, or what there is without a key for it."""
    wanted = load_config(name).model_name or NO_MODEL
    if wanted != NO_MODEL and not needs_key(wanted):
        return wanted
    # On servers, prompts have other samples of the graph in them than those that were recorded.
    return f"replay:{REPLIES[name]}" if name in REPLIES and not servers else NO_MODEL


def recorded(name: str, model: str) -> str:
    """Return the config of a set, or of what it was when the replies of the model were recorded."""
    kept = ROOT / "tests" / "replies" / f"{name}.yaml"
    return str(kept) if model.startswith("replay:") and kept.is_file() else name


def runs_of(config: Config) -> list[Config]:
    return [one for _, one in combinations(config)] if config.sweep else [config]


# Servers --------------------------------------------------------------------------------------------------


def name_servers() -> None:
    """Have configs name the servers that run."""
    for kind in ("virtuoso", "elasticsearch"):
        os.environ[f"TRIAD_{kind.upper()}"] = found(kind).url


def found(kind: str) -> services.Service:
    """Return a server that runs."""
    service = services.find(kind)
    if service is None or not service.healthy():
        raise SystemExit(f"{kind} does not answer; 'make services' starts it")
    return service


def load(name: str) -> None:
    """Put a set's graphs into Virtuoso, by its bulk loader, and their names into Elasticsearch, by ``triad index``."""
    pairs = zip(runs_of(load_config(name)), runs_of(load_config(f"{name}-servers")), strict=True)
    sources = {files_of(one): other for one, other in pairs}
    for files, config in sources.items():
        [graph] = parse_qs(urlsplit(str(config.graph)).query)["default-graph-uri"]
        for file in files:
            bulk_load(Path(file), graph)
        index(recipe_of(files), str(config.index), overwrite=True)
    # It plans by what it knew of a graph before: after a restart, a schema card takes 0.05 s instead of 60.
    virtuoso = found("virtuoso")
    services.stop(virtuoso)
    services.launch(virtuoso)


def bulk_load(file: Path, graph: str) -> None:
    """Load a file, unless it was loaded before, which Virtuoso notes."""
    virtuoso = found("virtuoso")
    copy = virtuoso.folder / "load" / f"{graph.rpartition('/')[2]}-{file.name}"
    shutil.copyfile(file, copy)
    try:
        services.isql(
            virtuoso, f"ld_dir('{copy.parent}', '{copy.name}', '{graph}');", "rdf_loader_run();", "checkpoint;"
        )
    finally:
        copy.unlink()


if __name__ == "__main__":
    typer.run(main)
