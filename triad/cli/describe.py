"""``triad describe``: what a graph is about, and what it can be asked."""

from typing import Annotated

import typer

from triad.cli.options import AsJson, Changes, command, with_changes

app = typer.Typer()


@command(
    app,
    "triad describe books.ttl",
    "triad describe https://dbpedia.org/sparql --questions 0",
    "triad describe demo --json",
)
@with_changes
def describe(
    *,
    named: Annotated[
        str | None,
        typer.Argument(
            metavar="GRAPH|CONFIG",
            help="RDF file, folder of 'triad index' or endpoint's address; or a config, by name or path. Without it "
            "and without --graph, the demo graph.",
        ),
    ] = None,
    changes: Changes,
    questions: Annotated[
        int, typer.Option("--questions", min=0, help="How many questions that it surely answers are looked for.")
    ] = 10,
    seconds: Annotated[float, typer.Option("--seconds", min=0, help="How long they are looked for.")] = 30.0,
    as_json: AsJson = False,
) -> None:
    """Tell what a graph is about, and questions that it answers.

    It is about classes, and what their instances have. The questions are made from its schema, and each is answered
    without a model and checked.
    """
    from triad.cli import display
    from triad.cli.progress import open_agent

    log = display.log_console()
    with open_agent(changes.named(named).without_model(), log) as agent:
        with log.status("looking at the graph"):
            found = agent.describe(questions=questions, seconds=seconds)
        display.give(found.to_json(indent=2), as_json, lambda out: display.show_description(out, found))
