"""``triad keys``: who may ask a server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triad.cli.options import examples

if TYPE_CHECKING:
    from triad.server.state.keys import Keys

app = typer.Typer()
_keys = typer.Typer(no_args_is_help=True, help="Make, list and revoke the keys of a server.")
app.add_typer(_keys, name="keys")

_Server = Annotated[str, typer.Option("--server", "-s", help="The config or settings that 'triad serve' is given.")]
_State = Annotated[
    str | None, typer.Option("--state", help="The address of the server's database, if it is not that of the settings.")
]


@_keys.command(
    epilog=examples("triad keys add ann", "triad keys add batch --scope ask --requests-a-minute 60 --money-a-day 5")
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
    server: _Server = "demo",
    state: _State = None,
) -> None:
    """Make a key, and show it once; only its hash is kept."""
    from triad.cli import display

    limits: dict[str, Any] = {"requests_a_minute": requests, "calls_a_day": calls, "money_a_day": money}
    given = {name: value for name, value in limits.items() if value is not None}
    with _opened(server, state) as keys:
        from triad.server.settings import KeyLimits

        secret = keys.add(name, scopes or ("ask", "query"), KeyLimits(**given) if given else None)
    display.show_text(display.data_console(), secret)


@_keys.command(name="list")
def list_(*, server: _Server = "demo", state: _State = None) -> None:
    """List the keys, without what opens anything."""
    from triad.cli import display

    out = display.data_console()
    with _opened(server, state) as keys:
        for key in keys.list():
            revoked = f", revoked {key.revoked:%Y-%m-%d}" if key.revoked else ""
            limits = key.limits.model_dump(exclude_none=True) if key.limits else {}
            said = "".join(f", {name.replace('_', ' ')}: {value:g}" for name, value in limits.items())
            display.show_text(out, f"{key.name}: {', '.join(key.scopes)}; made {key.created:%Y-%m-%d}{said}{revoked}")


@_keys.command()
def revoke(
    name: Annotated[str, typer.Argument(help="Whose key it is.")], *, server: _Server = "demo", state: _State = None
) -> None:
    """Have a key open nothing any more, at once and on all servers."""
    with _opened(server, state) as keys:
        keys.revoke(name)


@contextmanager
def _opened(server: str, state: str | None) -> Iterator[Keys]:
    """Yield the keys of a server."""
    from triad.cli.extras import needed
    from triad.cli.graphs import served

    with needed("server"):
        from triad.server.settings import load_settings
        from triad.server.state.database import Database
        from triad.server.state.keys import Keys

    settings = load_settings(served(server), {"state": state} if state else {})
    database = Database(settings.database)
    try:
        database.migrate()
        yield Keys(database)
    finally:
        database.close()
