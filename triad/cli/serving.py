"""``triad serve``, ``mcp``, ``keys`` and ``audit``: the server, its tools for a program, who may ask, and who did."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from triad.cli.graphs import served
from triad.cli.options import Served, command, setting
from triad.errors import need_extra
from triad.garbage import kept
from triad.text import clean

if TYPE_CHECKING:
    from triad.server.settings import Settings
    from triad.server.state.keys import Keys

app = typer.Typer()
_keys = typer.Typer(no_args_is_help=True, help="Make, list and revoke the keys of a server.")
app.add_typer(_keys, name="keys")

_need_server: Final = partial(need_extra, "server", "a server takes", "fastapi", "mcp", "sqlalchemy", "uvicorn")

_Server = Annotated[str, typer.Option("--server", "-s", help="The config or settings that 'triad serve' is given.")]
_State = Annotated[
    str | None, typer.Option("--state", help="The address of the server's database, if it is not that of the settings.")
]


@command(
    app,
    "triad serve demo",
    "triad serve books.ttl",
    "triad serve company.yaml --host 0.0.0.0 --workers 4",
    "triad serve demo --set state=postgresql://triad@db/triad --set counters=redis://cache:6379",
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
        str,
        typer.Option("--proxies", help="Addresses or networks of proxies whose word on the client's address is taken."),
    ] = "",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change a key of the settings, as YAML: --set inspect=true", metavar="KEY=VALUE"),
    ] = None,
) -> None:
    """Serve graphs: a page to ask in, and protocols of programs.

    These are REST with streaming, OpenAI's protocol, MCP, TEXT2SPARQL and GERBIL. SIGHUP has the settings read anew
    without a gap; SIGTERM ends the server when all questions are answered.
    """
    _need_server()
    with kept():
        from triad.server.running import serve as serve_graphs

    changes = dict(setting(one) for one in settings or [])
    serve_graphs(served(source), host, port, workers, changes, is_open=is_open, proxies=proxies)


@command(app, "triad mcp demo", "triad mcp books.ttl", "triad mcp company.yaml")
def mcp(source: Served = "demo") -> None:
    """Speak the Model Context Protocol, for programs that use tools.

    Its tools ask, find names, describe, profile and run a guarded query. Such a program starts this command; over
    HTTP, 'triad serve' has the same at /mcp.
    """
    import asyncio

    _need_server()
    with kept():
        from triad.server.app import create_app
        from triad.server.settings import load_settings
        from triad.server.tools import serve

    asyncio.run(serve(create_app(load_settings(served(source), {"state": "sqlite://"}))))


@command(
    _keys,
    "triad keys add ann",
    "triad keys add batch --scope ask --requests-a-minute 60 --money-a-day 5",
    "triad keys add shop --graphs books,films",
    "triad keys add sales --named-graphs https://example.org/2026 --only https://example.org/Product",
)
def add(
    name: Annotated[str, typer.Argument(help="Whose key it is.")],
    *,
    scopes: Annotated[
        list[str] | None, typer.Option("--scope", help="What it may do: ask, query, admin; by default ask and query.")
    ] = None,
    requests: Annotated[int | None, typer.Option("--requests-a-minute", min=1, help="How much it may ask.")] = None,
    calls: Annotated[int | None, typer.Option("--calls-a-day", min=1, help="Calls of the model in a day.")] = None,
    money: Annotated[float | None, typer.Option("--money-a-day", min=0.001, help="US dollars in a day.")] = None,
    graphs: Annotated[
        str, typer.Option("--graphs", help="The server's graphs that it sees: a,b; by default all.")
    ] = "",
    named_graphs: Annotated[
        list[str] | None,
        typer.Option("--named-graphs", help="IRI of a named graph that it sees; 'default' is what is in none."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="IRI of a class whose things it sees, and no others.")
    ] = None,
    server: _Server = "demo",
    state: _State = None,
) -> None:
    """Make a key, and show it once; only its hash is kept."""
    from triad.cli import display

    limits: dict[str, Any] = {"requests_a_minute": requests, "calls_a_day": calls, "money_a_day": money}
    given = {name: value for name, value in limits.items() if value is not None}
    with _opened(server, state) as (keys, settings):
        from triad.server.settings import KeyLimits, Reach
        from triad.strict import validate

        named = [one.strip() for one in graphs.split(",") if one.strip()]
        reach = validate(Reach, {"graphs": named, "named_graphs": named_graphs or (), "only": only or ()}, "the key")
        settings.check_reach(reach)
        secret = keys.add(name, scopes or ("ask", "query"), KeyLimits(**given) if given else None, reach)
    display.show_text(display.data_console(), secret)


@_keys.command(name="list")
def list_(*, server: _Server = "demo", state: _State = None) -> None:
    """List the keys, without what opens anything."""
    from triad.cli import display

    out = display.data_console()
    with _opened(server, state) as (keys, _):
        for key in keys.list():
            revoked = f", revoked {key.revoked:%Y-%m-%d}" if key.revoked else ""
            limits = key.limits.model_dump(exclude_none=True) if key.limits else {}
            said = "".join(f", {name.replace('_', ' ')}: {value:g}" for name, value in limits.items())
            seen = {name.replace("_", " "): names for name, names in key.reach.model_dump().items() if names}
            said += "".join(f", {name}: {' '.join(names)}" for name, names in seen.items())
            made = f"made {key.created:%Y-%m-%d}{said}{revoked}"
            display.show_text(out, clean(f"{key.name}: {', '.join(key.scopes)}; {made}"))


@_keys.command()
def revoke(
    name: Annotated[str, typer.Argument(help="Whose key it is.")], *, server: _Server = "demo", state: _State = None
) -> None:
    """Have a key open nothing any more, at once and on all servers."""
    with _opened(server, state) as (keys, _):
        keys.revoke(name)


@command(app, "triad audit --server company.yaml", "triad audit --since 2026-01-31 > january.jsonl")
def audit(
    *,
    since: Annotated[
        datetime | None, typer.Option("--since", help="The first day, or the first second, in UTC.")
    ] = None,
    server: _Server = "demo",
    state: _State = None,
) -> None:
    """Print who asked what, which query ran and how much it found.

    Each is a line of JSON; audit_days in the settings says how long they are kept.
    """
    from triad.cli import display

    out, last, start = display.data_console(), 0, since and since.replace(tzinfo=UTC)
    with _opened(server, state) as (keys, _):
        from triad.server.state.audit import Audit

        log = Audit(keys.database, 0)
        while found := log.list(since=start, after=last):
            for entry in found:
                display.show_json(out, json.dumps(asdict(entry), default=datetime.isoformat, ensure_ascii=False))
                last = entry.id or 0


@contextmanager
def _opened(server: str, state: str | None) -> Iterator[tuple[Keys, Settings]]:
    """Yield the keys of a server, and its settings."""
    _need_server()
    with kept():
        from triad.server.settings import load_settings
        from triad.server.state.database import Database
        from triad.server.state.keys import Keys

    settings = load_settings(served(server), {"state": state} if state else {})
    with closing(Database(settings.database)) as database:
        database.migrate()
        yield Keys(database), settings
