"""The tools on standard input and output, for the program that starts them; nothing is kept when it ends."""

from __future__ import annotations

import asyncio
from typing import Any

from mcp.server.mcpserver import Context

from triad.server.access import Asker
from triad.server.app import create_app
from triad.server.settings import KeyLimits, Settings
from triad.server.state.keys import SCOPES
from triad.server.tools import tools

__all__ = ["serve"]


def serve(settings: Settings) -> None:
    """Serve until the input ends."""
    asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    app = create_app(settings)
    owner = Asker("program", "program", frozenset(SCOPES), KeyLimits(requests_a_minute=None))

    async def asker_of(_: Context[Any, Any]) -> Asker:
        return owner

    async with app.router.lifespan_context(app):
        await tools(app.state, asker_of).run_stdio_async()
