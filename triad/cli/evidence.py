"""``triad tables`` and ``triad passages``: what was made of a graph beside its index, shown and searched."""

from __future__ import annotations

from dataclasses import asdict
from itertools import count, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triad.cli.options import AsJson, command
from triad.errors import ConfigError
from triad.naming import among

if TYPE_CHECKING:
    from triad.retrieval.search import Passage

app = typer.Typer()
tables = typer.Typer(
    name="tables", help="The tables that 'triad index --tables' made, and SQL on them.", no_args_is_help=True
)
passages = typer.Typer(
    name="passages", help="The passages that 'triad index --passages' made, to search.", no_args_is_help=True
)
app.add_typer(tables)
app.add_typer(passages)

Folder = Annotated[Path, typer.Option("--graph", "-g", help="The folder of 'triad index' whose tables they are.")]
Source = Annotated[
    str, typer.Option("--graph", "-g", help="The folder of 'triad index', or elasticsearch:http://HOST:9200/INDEX.")
]


@command(tables, "triad tables show --graph books", "triad tables show --graph books --tokens 2000", name="show")
def show_tables(
    graph: Folder,
    tokens: Annotated[
        int | None,
        typer.Option("--tokens", min=1, help="How long the text may be, about; the most useful tables come first."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the schema as a prompt shows it. It is CREATE TABLE statements with comments."""
    from triad.cli import display
    from triad.retrieval.tables.schema import FOLDER, read_schema

    schema = read_schema(graph / FOLDER)
    display.give(schema.to_json(), as_json, schema.text(tokens))


@command(
    tables,
    "triad tables query --graph books 'SELECT label FROM book LIMIT 5'",
    "triad tables query --graph books --csv 'SELECT count(*) FROM book'",
)
def query(
    sql: Annotated[str, typer.Argument(help="One SELECT, in the SQL of DuckDB.")],
    graph: Folder,
    rows: Annotated[int, typer.Option("--rows", min=1, help="Rows that are given at most.")] = 1000,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="How long the query may take.")] = 10.0,
    as_csv: Annotated[bool, typer.Option("--csv", help="Give CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run a query. It can only read, and is stopped when it takes too much time or memory."""
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


@command(
    passages,
    "triad passages search --graph books 'a girl who listens'",
    "triad passages search --graph books --source documents --since 2024 'new editions'",
)
def search(
    text: Annotated[str, typer.Argument(help="A question, or words.")],
    graph: Source,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Passages that are given at most.")] = 5,
    embedder: Annotated[str | None, typer.Option("--embedder", help="What the index was built with, if any.")] = None,
    classes: Annotated[list[str] | None, typer.Option("--class", help="IRI of a class of the thing.")] = None,
    languages: Annotated[list[str] | None, typer.Option("--language", help="A language, as a tag.")] = None,
    sources: Annotated[list[str] | None, typer.Option("--source", help="passages (of the graph) or documents.")] = None,
    since: Annotated[str | None, typer.Option("--since", help="The first date, as in 2024-05.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="The last date.")] = None,
    as_json: AsJson = False,
) -> None:
    """Find the passages nearest to a text."""
    from triad.cli import display
    from triad.retrieval.search import Filters, open_passages

    known = ("passages", "documents")
    for source in sources or ():
        if source not in known:
            raise ConfigError(f"unknown source {source!r}; known: {among(known, source)}")
    filters = Filters(
        classes=frozenset(classes or ()),
        languages=frozenset(languages or ()),
        sources=frozenset(source for source in known if source in (sources or ())),  # type: ignore[misc]
        since=since,
        until=until,
    )
    hits = open_passages(graph, embedder).search(text, limit, filters)
    found = [{"score": hit.score, "ranks": hit.ranks, **_plain(hit.passage)} for hit in hits]
    if found or as_json:
        display.give(found, as_json, "\n".join(f"{hit.score:.4f}  {_told(hit.passage)}\n" for hit in hits))


@command(
    passages,
    "triad passages show --graph books http://example.org/Momo",
    "triad passages show --graph books 'guide.md 1'",
    name="show",
)
def show_passages(
    name: Annotated[str, typer.Argument(help="The id of a passage, or the IRI of a thing.")],
    graph: Source,
    as_json: AsJson = False,
) -> None:
    """Print a passage with its facts, or all those of a thing."""
    from triad.cli import display
    from triad.retrieval.search import open_passages

    index = open_passages(graph)
    parts = takewhile(lambda part: index.get([part]), (f"{name} {number}" for number in count(1)))
    if not (found := index.get([name]) or index.get(list(parts))):
        about = index.search(name, 3)
        like = f"; such as {about[0].passage.id!r}" if about else ""
        raise ConfigError(f"there is no passage {name!r}{like}")
    facts = [[triple.n3() for sentence in one.sentences for triple in sentence.triples] for one in found]
    texts = ["\n".join([_told(one), *lines]) + "\n" for one, lines in zip(found, facts, strict=True)]
    display.give(list(map(_plain, found)), as_json, "\n".join(texts))


def _told(passage: Passage) -> str:
    about = ", ".join(filter(None, [passage.id, passage.date or ""]))
    return f"{passage.title}  [{about}]\n{passage.text}"


def _plain(passage: Passage) -> dict[str, Any]:
    sentences = [{"text": one.text, "triples": [triple.n3() for triple in one.triples]} for one in passage.sentences]
    return {**asdict(passage), "sentences": sentences}
