"""``/mcp``: the tools of `triad.server.tools` over streamable HTTP. No session is kept, so any server can answer.

MCP takes a while to import, and many servers are never asked by it; so it is set up for the first request.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from starlette.requests import HTTPConnection
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from triad.server.access import Asker, admit, by_id
from triad.server.problems import Problem, of, told

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context


class Tools:
    """The path of an app by which language models use its graphs as tools."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._inner: asyncio.Future[ASGIApp] | None = None
        self._running: asyncio.Task[None] | None = None
        self._ending = asyncio.Event()
        app.router.routes.append(Route("/mcp", self, methods=["GET", "POST", "DELETE"]))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, if who asks may."""
        scope["app"] = self._app
        request = Request(scope, receive)
        try:
            if request.method != "POST":  # without sessions there is no stream to listen to, and none to end
                raise Problem("method-not-allowed", "POST alone asks here.")
            asker = await admit(request, "ask", "query")
        except Exception as error:
            await told(of(error), request.state.request_id)(scope, receive, send)
            return
        scope["state"]["asker"] = by_id(asker, "mcp")
        if self._inner is None or (self._inner.done() and self._inner.exception()):
            self._inner = asyncio.get_running_loop().create_future()
            self._running = asyncio.create_task(self._run(self._inner))
        inner = await asyncio.shield(self._inner)
        await inner(scope, receive, send)

    async def _run(self, ready: asyncio.Future[ASGIApp]) -> None:
        """Have the tools answer until the app ends."""
        try:
            server, inner = await asyncio.to_thread(self._made)
            async with server.session_manager.run():
                ready.set_result(inner)
                await self._ending.wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)

    def _made(self) -> tuple[Any, ASGIApp]:
        from mcp.server.transport_security import TransportSecuritySettings

        from triad.server.tools import tools

        async def asker_of(context: Context[Any, Any]) -> Asker:
            request = context.request_context.request
            assert isinstance(request, HTTPConnection)
            asker: Asker = request.state.asker
            return asker

        state = self._app.state
        server = tools(state, asker_of)
        inner = server.streamable_http_app(
            streamable_http_path="/mcp",
            stateless_http=True,
            max_request_body_size=state.settings.body_limit,
            # Hosts and origins are checked before a request comes here.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        return server, inner

    async def end(self) -> None:
        """Have no tool answer any more."""
        self._ending.set()
        if self._running:
            await self._running
