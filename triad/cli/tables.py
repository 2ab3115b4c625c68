"""``triad tables``: the tables that were made of a graph, and SQL on them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triad.cli.options import AsJson, examples

app = typer.Typer()
tables = typer.Typer(
    name="tables", help="The tables that 'triad index --tables' made of a graph, and SQL on them.", no_args_is_help=True
)
app.add_typer(tables)

Folder = Annotated[Path, typer.Option("--graph", "-g", help="The folder of 'triad index' whose tables they are.")]


@tables.command(epilog=examples("triad tables show --graph books", "triad tables show --graph books --tokens 2000"))
def show(
    graph: Folder,
    tokens: Annotated[
        int | None,
        typer.Option("--tokens", min=1, help="How long the text may be, about; the most useful tables come first."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the schema as a prompt shows it: CREATE TABLE statements with comments."""
    from triad.cli import display
    from triad.retrieval.tables.schema import FOLDER, read_schema

    schema = read_schema(graph / FOLDER)
    display.give(schema.to_json(), as_json, schema.text(tokens))


@tables.command(
    epilog=examples(
        "triad tables query --graph books 'SELECT label FROM book LIMIT 5'",
        "triad tables query --graph books --csv 'SELECT count(*) FROM book'",
    )
)
def query(
    sql: Annotated[str, typer.Argument(help="One SELECT, in the SQL of DuckDB.")],
    graph: Folder,
    rows: Annotated[int, typer.Option("--rows", min=1, help="Rows that are given at most.")] = 1000,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="How long the query may take.")] = 10.0,
    as_csv: Annotated[bool, typer.Option("--csv", help="Give CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run a query: it can only read, and is stopped when it takes too much time or memory."""
    from triad.cli import display
    from triad.cli.delimited import csv_lines
    from triad.log import logger
    from triad.retrieval.tables.database import SqlLimits, Tables

    with Tables(graph, SqlLimits(seconds=seconds, rows=rows)) as opened:
        found = opened.query(sql)
    plain = found.plain()
    keys = {"columns": list(found.columns), "rows": plain, "truncated": found.truncated, "sql": found.sql}
    if as_csv:
        display.give(keys, as_json, csv_lines([found.columns, *plain]))
    else:
        shown = [["" if value is None else str(value) for value in row] for row in plain]
        display.give(keys, as_json, lambda out: display.show_table(out, found.columns, shown))
    if found.truncated:
        logger.warning("there are more rows than the {} that are given", len(found.rows))
