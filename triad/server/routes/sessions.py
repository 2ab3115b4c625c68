"""``/api/v1/session``: who the page asks for."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import replace
from importlib.metadata import version
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from triad.server.access import Asker, cookie_of, needs, with_session
from triad.server.problems import Problem, documented
from triad.server.settings import Settings
from triad.server.state.keys import Key, Keys
from triad.server.views import Body, View

router = APIRouter(prefix="/api/v1", tags=["session"])

Anyone = Annotated[Asker, Depends(needs())]


class KeyView(View):
    """A key, without what opens anything."""

    name: str
    scopes: list[str]


class SessionView(View):
    """What a session may do."""

    open: bool
    """Whether one may ask without a key."""
    key: KeyView | None
    scopes: list[str]
    pictures: bool
    """Whether pictures of other servers are shown."""
    version: str


class KeyBody(Body):
    """A key."""

    key: str = Field(min_length=1, max_length=200)


def _view(request: Request, asker: Asker) -> SessionView:
    settings: Settings = request.app.state.settings
    known = {"open": settings.open, "pictures": settings.pictures, "version": version("triad-kgqa")}
    return SessionView.model_validate({**known, "key": asker.key, "scopes": sorted(asker.scopes)})


@router.get("/session", responses=documented())
def session(request: Request, asker: Anyone) -> SessionView:
    """Return what this session may do; a browser without one gets a cookie."""
    return _view(request, asker)


@router.post("/session", responses=documented())
async def begin(request: Request, response: Response, asker: Anyone, body: KeyBody) -> SessionView:
    """Begin a session that asks with a key."""
    keys: Keys = request.app.state.keys
    address = request.client.host if request.client else "unknown"
    key: Key | None = await asyncio.to_thread(keys.find, body.key.strip())
    if key is None:
        raise await request.app.state.limiter.wrong_key(address)
    if asker.key is not None:
        raise Problem("conflict", "This session has a key already; end it first.")
    # The cookie that came may be known to whoever set it: what the key opens has one of its own.
    token = secrets.token_urlsafe(32)
    await asyncio.to_thread(keys.begin_session, token, key)
    keyed = replace(asker, key=key, scopes=frozenset(key.scopes), fresh=token)
    with_session(response, keyed, request.app.state.settings)
    return _view(request, keyed)


@router.delete("/session", status_code=204, responses=documented())
async def end(request: Request, response: Response, asker: Anyone) -> None:
    """End this session: the cookie opens nothing any more."""
    settings: Settings = request.app.state.settings
    if token := request.cookies.get(cookie_of(settings)):
        await asyncio.to_thread(request.app.state.keys.end_session, token)
    response.delete_cookie(cookie_of(settings), path="/", secure=settings.secure)
