"""``/healthz``, ``/readyz`` and ``/metrics``: whether the server lives, whether it can answer, and how it does."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """Tell that the process lives."""
    return {"status": "alive"}


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """Tell whether questions can be answered, and what is missing."""
    state = request.app.state
    every = list(state.asking.graphs)
    faults = await asyncio.gather(*(served.missing() for served in every))
    missing = {f"graph {served.name}": fault for served, fault in zip(every, faults, strict=True) if fault}
    for name, found in (("database", state.database.fault), ("counters", state.limiter.fault)):
        if fault := await asyncio.to_thread(found):
            missing[name] = fault
    if state.stopping:
        missing["server"] = "it is stopping"
    # Without its shared counters a server counts for itself, and answers.
    ready = not set(missing) - {"counters"}
    return JSONResponse({"ready": ready, "missing": missing}, 200 if ready else 503)


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Return what Prometheus reads."""
    return Response(request.app.state.metrics.text(), media_type=CONTENT_TYPE_LATEST)
