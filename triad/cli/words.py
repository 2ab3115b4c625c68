"""``triad words``: what the words of a config's glossary stand for, of how much it holds, and a further one."""

from typing import Annotated, Any

import typer

from triad import resources
from triad.cli.options import AsJson, Changes, ConfigName, command, with_changes
from triad.errors import ConfigError

app = typer.Typer()


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
