"""``/healthz``, ``/readyz`` and ``/metrics``: whether the server lives, whether it can answer, and how it does."""

import asyncio
from collections.abc import Callable
from typing import Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.datastructures import State

from triad.server.problems import Problem

_PATIENCE: Final = 3.0  # seconds in which the database and the counters answer

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """Tell that the process lives."""
    return {"status": "alive"}


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """Tell whether questions can be answered and kept, and what is missing."""
    state = request.app.state
    # Anybody may ask it: one look at a time serves all who wait for it.
    if state.looking is None or state.looking.done():
        state.looking = asyncio.create_task(_missing(state))
    missing = dict(await asyncio.shield(state.looking))
    if state.stopping:
        missing["server"] = "it is stopping"
    # Without its shared counters a server counts for itself, and answers.
    ready = not set(missing) - {"counters"}
    told = {"ready": ready} if _is_forwarded(request) else {"ready": ready, "missing": missing}
    return JSONResponse(told, 200 if ready else 503)


def _is_forwarded(request: Request) -> bool:
    """Tell whether a proxy sends a request on, whose client is to hear of no graph."""
    return "X-Forwarded-For" in request.headers or "Forwarded" in request.headers


async def _missing(state: State) -> dict[str, str]:
    async def found(look: Callable[[], str | None]) -> str | None:
        try:
            async with asyncio.timeout(_PATIENCE):
                return await asyncio.to_thread(look)
        except TimeoutError:
            return f"it does not answer in {_PATIENCE:g} seconds"

    looks = {f"graph {served.name}": served.missing() for served in state.asking.graphs}
    looks |= {"database": found(state.database.fault), "counters": found(state.limiter.fault)}
    faults = await asyncio.gather(*looks.values())
    return {name: fault for name, fault in zip(looks, faults, strict=True) if fault}


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Return what Prometheus reads."""
    if _is_forwarded(request):
        raise Problem("not-found", "There is no such path.")
    return Response(request.app.state.metrics.text(), media_type=CONTENT_TYPE_LATEST)
