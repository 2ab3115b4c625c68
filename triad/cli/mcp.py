"""``triad mcp``: graphs as tools of a language model, on standard input and output."""

from __future__ import annotations

import typer

from triad.cli.options import Served, examples

app = typer.Typer()


@app.command(epilog=examples("triad mcp demo", "triad mcp books.ttl", "triad mcp company.yaml"))
def mcp(
    source: Served = "demo",
) -> None:
    """Speak the Model Context Protocol: ask, find names, describe, profile, run a guarded query.

    A program that uses tools starts this command; over HTTP, 'triad serve' has the same at /mcp.
    """
    from triad.cli.extras import needed
    from triad.cli.graphs import served

    with needed("server"):
        from triad.server.settings import load_settings
        from triad.server.stdio import serve

    serve(load_settings(served(source), {"state": "sqlite://"}))
