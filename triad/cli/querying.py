"""``triad describe`` and ``triad query``: what a graph is about, and SPARQL by hand, under the guard."""

from typing import Annotated

import typer

from triad.cli.options import AsJson, Changes, OutputForm, Served, command, with_changes
from triad.errors import ConfigError

app = typer.Typer()


@command(
    app,
    "triad query demo 'SELECT ?who { dbr:Intel dbo:foundedBy ?who }'",
    "triad query demo 'SELECT ?who { dbr:Intel dbo:foundedBy ?who }' --words",
    "triad query books.ttl - --format csv < query.rq > rows.csv",
)
def query(
    *,
    graph: Served,
    sparql: Annotated[str, typer.Argument(help="A SELECT or ASK query, or - for standard input.")],
    words: Annotated[bool, typer.Option("--words", help="Say in words what it asks.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Count what each part matches alone, and what there is without it.")
    ] = False,
    form: OutputForm = None,
) -> None:
    """Run a SPARQL query, which can only read.

    The prefixes of the graph need not be declared. JSON is that of SPARQL 1.1; the other formats have labels, too.
    """
    from triad import handwritten
    from triad.cli import delimited, display
    from triad.cli.graphs import STDIN, input_text
    from triad.cli.progress import open_agent
    from triad.deadline import Deadline
    from triad.log import logger
    from triad.phases.diagnosis import count_parts, counted

    if words + explain + bool(form) > 1:
        raise ConfigError("--words, --explain and --format are for one each: the query, its parts, and what it finds")
    if graph == sparql == STDIN:
        raise ConfigError("standard input holds the query or the graph, not both")
    text = input_text() if sparql == STDIN else sparql
    out, form = display.data_console(), form or "text"
    with open_agent(Changes().named(graph).without_model(), display.log_console()) as agent:
        if words:
            display.show_text(out, handwritten.told(agent, text) or "it names nothing that can be told")
            return
        if explain:
            context, _, tree = handwritten.begun(agent, text)
            parts = count_parts(context, tree, handwritten.prefixes_of(agent))
            rows = [(one.part, counted(one.alone), counted(one.without), one.values) for one in parts]
            display.show_table(out, ("part", "alone", "without it", "such as"), rows)
            return
        found = handwritten.found_by(agent, text, Deadline(agent.graph.timeout))
    if form == "json":
        display.show_json(out, found.result.to_sparql_json())
    elif form == "text":
        display.show_values(out, found)
    else:
        display.show_text(out, delimited.answer_lines(found, form))
    if found.truncated:
        logger.warning("there are more rows than the {:,} that are given", len(found.rows))
    if not found.values:
        logger.info("nothing was found; --explain counts what each part finds")


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
