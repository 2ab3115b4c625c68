"""``triad serve``: the server, with its page, its API and the protocols of others."""

from __future__ import annotations

from typing import Annotated

import typer

from triad.cli.options import Served, examples

app = typer.Typer()


@app.command(
    epilog=examples(
        "triad serve demo",
        "triad serve books.ttl",
        "triad serve company.yaml --host 0.0.0.0 --workers 4",
        "triad serve demo --set state=postgresql://triad@db/triad --set counters=redis://cache:6379",
    )
)
def serve(
    source: Served = "demo",
    *,
    host: Annotated[str, typer.Option("--host", help="The address to listen at; 0.0.0.0 is all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65_535, help="The port; 0 takes a free one.")] = 8000,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes that answer.")] = 1,
    is_open: Annotated[
        bool | None,
        typer.Option("--open/--closed", help="Whether one may ask without a key; by default on this machine only."),
    ] = None,
    proxies: Annotated[
        str, typer.Option("--proxies", help="Addresses of proxies whose word on the client's address is taken.")
    ] = "",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change a key of the settings, as YAML: --set inspect=true", metavar="KEY=VALUE"),
    ] = None,
) -> None:
    """Serve graphs: a page to ask in, REST with streaming, OpenAI's protocol, MCP, TEXT2SPARQL and GERBIL.

    SIGHUP has the settings read anew without a gap; SIGTERM ends the server when all questions are answered.
    """
    from triad.cli.extras import needed
    from triad.cli.graphs import served
    from triad.cli.options import setting
    from triad.garbage import kept

    with needed("server"), kept():
        from triad.server.running import Running

    changes = dict(setting(one) for one in settings or [])
    Running(served(source), host, port, workers, changes, is_open=is_open, proxies=proxies).run()
