"""``triad learn`` and ``triad words``: weights refitted to a graph's own questions, and a glossary's words."""

from pathlib import Path
from typing import Annotated, Any

import typer

from triad import resources
from triad.cli.options import AsJson, Changes, ConfigName, command, with_changes
from triad.errors import ConfigError

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


@command(
    app,
    "triad words --config cities.yaml",
    "triad words 'large city' 'population > 300000' --of City --config cities.yaml",
    "triad words density 'population / area' --config cities.yaml --add",
)
@with_changes
def words(
    *,
    word: Annotated[str | None, typer.Argument(help="A word to be tried; without it, all are listed.")] = None,
    meaning: Annotated[
        str | None, typer.Argument(help="What it stands for: an IRI, a formula, a pattern, or with --of a condition.")
    ] = None,
    of: Annotated[str | None, typer.Option("--of", help="The class whose things are meant.")] = None,
    add: Annotated[bool, typer.Option("--add", help="Add the word to the file of the config.")] = False,
    config: ConfigName = None,
    changes: Changes,
    as_json: AsJson = False,
) -> None:
    """List what a glossary's words stand for, or try or add one. The list tells of how much each holds."""
    from triad.cli import display
    from triad.cli.progress import open_agent
    from triad.glossaries import add_words, held_by

    if (word is None) != (meaning is None):
        raise ConfigError("a word and what it stands for go together, such as 'large city' 'population > 300000'")
    opened = changes.of(config).without_model()
    tried: dict[str, Any] = {}
    if word is not None:
        tried = {word: {"of": of, "where": meaning} if of else meaning}
        opened = opened.model_copy(update={"words": {**opened.words, **tried}})
    with open_agent(opened, display.log_console()) as agent:
        found = held_by(agent, agent.glossary, tried)
    if add and tried:
        if config is None:
            raise ConfigError("--add needs --config, the file to which a word is added")
        add_words(resources.find("configs", config), tried)
    header = ("word", "stands for", "holds of", "such as", "owner")
    display.give(
        found,
        as_json,
        lambda out: display.show_table(out, header, [[str(cell) for cell in one.values()] for one in found]),
    )
