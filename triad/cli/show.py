"""``triad show``: how a saved answer came about, what a config comes to, or a query in another form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from triad import resources, sparql
from triad.cli.options import AsJson, Changes, ConfigName, command
from triad.errors import AnswerError, ConfigError, DataError

if TYPE_CHECKING:
    from triad.answers import Answer, Unknown
    from triad.configs import Config

app = typer.Typer()

QueryForm = Literal["sparql", "crp"]
"""A form of a query."""


@command(
    app,
    "triad show answer.json",
    "triad show answer.json --step 2",
    "triad show answer.json --markdown > answer.md",
    "triad show qald9-servers",
    "triad show answer.json --as crp",
    "triad show query.rq --as crp --graph books.ttl",
    "triad show path.txt --as sparql --graph books.ttl",
)
def show(
    trace: Annotated[
        str,
        typer.Argument(
            help="What 'triad ask --save-trace' or --json gave; - is standard input. Or a config, by name or path. "
            "With --as also a file with a query or a reasoning path."
        ),
    ],
    step: Annotated[int | None, typer.Option("--step", help="Show this step's whole prompt and reply.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown.")] = False,
    as_json: AsJson = False,
    form: Annotated[
        QueryForm | None,
        typer.Option("--as", help="Show the query of it as SPARQL, or as a reasoning path with the graph's names."),
    ] = None,
    graph: Annotated[
        list[str] | None,
        typer.Option("--graph", "-g", help="The graph that has the names; without it and a config, the demo graph."),
    ] = None,
    config: ConfigName = None,
) -> None:
    """Tell how an answer came about, or all that a config comes to. Of the config, base and defaults are included."""
    from triad.answers import to_json
    from triad.asked import read_whole
    from triad.cli import display

    out = display.data_console()
    if form is not None:
        display.show_text(out, _query_as(form, trace, Changes(graph=graph).of(config)))
        return
    named = trace in resources.available("configs") and resources.found_at(trace) != "file"
    if named or trace.endswith((".yaml", ".yml")):
        import yaml

        from triad.configs import load_config
        from triad.text import without_secrets_of

        keys = without_secrets_of(load_config(trace).resolved())
        text = yaml.safe_dump(keys, sort_keys=False, allow_unicode=True).removesuffix("\n")
        display.give(keys, as_json, text)
        return
    text = _read_text(trace)
    answer = _answer_of(trace, text)
    steps = answer.trace.steps if answer.trace else ()
    if step is not None and not 1 <= step <= len(steps):
        raise ConfigError(f"{trace!r} has no step {step}; it has {f'steps 1 to {len(steps)}' if steps else 'none'}")
    if as_json:
        display.show_json(out, to_json(read_whole(text) if step is None else steps[step - 1], indent=2))
    elif step is not None:
        display.show_step_whole(out, steps[step - 1], markdown=markdown)
    else:
        display.show_text(out, answer.explain(markdown=markdown))
        if steps and not markdown:
            display.show_text(out, "")
            display.show_steps(out, steps)


def _query_as(form: QueryForm, source: str, config: Config) -> str:
    """Return the query of a saved answer, of a file with a query, or of one with a reasoning path, in a form."""
    from triad.cli import display
    from triad.cli.progress import open_agent
    from triad.queries.path_names import PathNames
    from triad.queries.path_text import MalformedPath, is_path_text
    from triad.queries.paths import NotAPath, from_graph

    text = _read_text(source)
    if text.lstrip().startswith("{"):
        text = getattr(_answer_of(source, text), "query", None) or ""
        if not text:
            raise DataError(f"{source!r} holds an answer without a query")
    if not is_path_text(text) and form == "sparql":
        return sparql.write(sparql.parse(text))
    with open_agent(config.without_model(), display.log_console()) as agent:
        names = PathNames(agent.schema, agent.index)
        try:
            query = names.query(text) if is_path_text(text) else sparql.parse(text).explicit()
            if form == "crp":
                return names.write(from_graph(query))
        except (MalformedPath, NotAPath) as error:
            raise DataError(f"{source!r} cannot be shown as {form}: {error}") from error
        return sparql.write(query, {**sparql.PREFIXES, **agent.graph.prefixes})


def _read_text(source: str) -> str:
    from triad.cli.graphs import input_text

    return input_text() if source == "-" else resources.read(Path(source))


def _answer_of(source: str, text: str) -> Answer | Unknown:
    from triad.asked import read_asked

    try:
        return read_asked(text)
    except AnswerError as error:
        raise DataError(f"{source!r} holds a question that failed: {error}") from error
    except ValueError as error:
        raise DataError(f"{source!r} is not an answer of 'triad ask --save-trace' or --json") from error
