"""``triad learn``: the solver's weights, refitted to a graph's own questions."""

from pathlib import Path
from typing import Annotated

import typer

from triad.cli.options import AsJson, Changes, ConfigName, command, with_changes

app = typer.Typer()


@command(
    app,
    "triad learn questions.jsonl --graph books.ttl",
    "triad learn log.csv --config company.yaml --to company-weights.json",
    'triad ask "Who wrote Momo?" --graph books.ttl --set weights=weights.json',
)
@with_changes
def learn(
    *,
    file: Annotated[Path, typer.Argument(help="Questions with queries or answers, in any format of a data set.")],
    config: ConfigName = None,
    changes: Changes,
    to: Annotated[Path, typer.Option("--to", help="The file to write.")] = Path("weights.json"),
    folds: Annotated[int, typer.Option("--folds", min=2, help="Parts, each of which is left out once.")] = 5,
    force: Annotated[
        bool, typer.Option("--force", help="Write what was learned even where left-out questions are not better.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Refit the lexical solver to a graph's own questions.

    Its ranking and its confidence are refitted. The weights are drawn to those at hand, the more the fewer questions
    there are. Each question is answered once by what was learned without it: what these left-out questions are not
    better with is not written, and if that is all, nothing is. Questions whose answers are an empty list teach which
    ones to decline.

    Exits with 2 if nothing was written.
    """
    from triad.cli import display
    from triad.cli.faults import UNKNOWN
    from triad.cli.progress import open_agent
    from triad.datasets import load_dataset
    from triad.evaluation import need_extra
    from triad.evaluation.learning import learn_from
    from triad.log import logger

    need_extra()
    settled = changes.of(config)
    data = load_dataset(file, language=settled.language or "")
    for one in data.malformed[:3]:
        logger.warning("left out: {}", one)
    log = display.log_console()
    with open_agent(settled.without_model(), log) as agent, log.status("asking") as status:
        report = learn_from(
            agent,
            data.items,
            to,
            folds=folds,
            force=force,
            left_out=len(data.malformed),
            on_question=lambda number: status.update(f"{number} of {len(data.items)} questions asked"),
        )
    if force and not report.steps:
        logger.warning("left-out questions are not answered better by these weights")
    display.give(report.to_json(), as_json, report.to_text())
    if report.path is None:
        raise typer.Exit(UNKNOWN)
