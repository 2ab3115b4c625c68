"""The server as an ASGI app: what it is made of, and in which order a request goes through it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version

from fastapi import FastAPI
from starlette.datastructures import State
from starlette.middleware.cors import CORSMiddleware

from triad.server import problems, telemetry
from triad.server.asking import Asking
from triad.server.limiting import Limiter
from triad.server.metrics import Metrics
from triad.server.places import Places
from triad.server.problems import Problem
from triad.server.routes import asking, audit, challenges, chat, graphs, operation, page, reports, sessions, tools
from triad.server.served import Graphs
from triad.server.settings import Settings
from triad.server.state.audit import Audit
from triad.server.state.conversations import Conversations
from triad.server.state.database import Database
from triad.server.state.keys import Keys
from triad.server.wrapping import Bodies, Hosts, Requests

FORGETTING = 600.0
"""Seconds after which it is looked for what is not to be kept any longer."""


def create_app(settings: Settings, *, logs: bool = False) -> FastAPI:
    """Return the server of some settings, which may log a line of JSON for each request to standard error.

    Raises:
        ConfigError: The database or the counters cannot be opened.
    """
    app = FastAPI(
        title="Triad",
        version=version("triad-kgqa"),
        description="Asks RDF graphs in plain language. Errors are problem details (RFC 9457).",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # they come from elsewhere, which the page's policy forbids
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
    )
    state = app.state
    state.settings = settings
    state.stopping = False
    state.looking = None  # the task that finds out what is missing
    state.database = Database(settings.database)
    state.keys = Keys(state.database)
    state.comparing = Places("comparing", 1, 4)  # it reads all answers of two runs
    state.telling = Places("telling", 2, 100, 1)  # of whole conversations, each of which may fill some memory
    state.signing_on = Places("sign-on", 4, 16)  # who waits for a provider keeps nobody waiting who does not
    state.conversations = Conversations(state.database, traces=settings.traces)
    state.limiter = Limiter(settings.counters_address, state.keys)
    every = Graphs(settings)
    state.metrics = Metrics(every)
    state.audit = Audit(state.database, settings.audit_days)
    state.telemetry = telemetry.from_environment()
    state.asking = Asking(every, state.conversations, state.limiter, state.metrics, state.audit, state.telemetry)
    problems.install(app)
    for module in (operation, sessions, asking, graphs, reports, audit, chat, challenges):
        app.include_router(module.router)
    state.tools = tools.Tools(app)
    app.router.default = page.files  # for every path that nothing else has, with any method

    app.add_middleware(Bodies, state=state)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key"],
            expose_headers=["X-Request-Id", "Retry-After"],
        )
    app.add_middleware(Hosts, state=state)
    app.add_middleware(Requests, state=state, logs=logs)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    state = app.state
    await asyncio.to_thread(state.database.start)
    state.asking.graphs.open()
    forgetting = asyncio.create_task(_forget(state))
    try:
        yield
    finally:
        state.stopping = True
        forgetting.cancel()
        await state.tools.end()
        state.asking.graphs.close()
        for places in (state.signing_on, state.comparing, state.telling):
            places.close()
        if state.telemetry:
            await asyncio.to_thread(state.telemetry.close)
        state.database.close()


async def _forget(state: State) -> None:
    """Delete now and then what is not to be kept any longer; what fails is logged, and tried again."""
    while True:
        await asyncio.sleep(FORGETTING)
        days, turns = state.settings.session_days, state.settings.session_turns
        with suppress(Problem):
            await asyncio.to_thread(state.conversations.forget, days, turns)
            await asyncio.to_thread(state.keys.end_sessions, days)
            await asyncio.to_thread(state.audit.forget)


async def exchange(app: FastAPI, settings: Settings) -> None:
    """Have a server take other settings while it answers; its database and its counters stay what they are."""
    await app.state.asking.graphs.exchange(settings)
    app.state.settings = settings
