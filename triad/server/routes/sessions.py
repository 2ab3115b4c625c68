"""``/api/v1/session``: who the page asks for."""

import asyncio
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import Field

from triad.server.access import Asker, address_of, cookie_of, needs, nobody, with_session
from triad.server.problems import Problem, documented
from triad.server.settings import Settings, SignOn
from triad.server.sign_on import begin as begin_sign_on, finish, granted
from triad.server.state.keys import Key, Keys
from triad.server.views import Body, View

router = APIRouter(prefix="/api/v1", tags=["session"])

_BROUGHT: Final = "triad_sign_on"
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
    pictures: bool | tuple[str, ...]
    """Whether pictures of other servers are shown, or of which."""
    sign_on: bool
    """Whether one may sign on at a provider."""
    version: str


class KeyBody(Body):
    """A key."""

    key: str = Field(min_length=1, max_length=200)


def _view(request: Request, asker: Asker) -> SessionView:
    settings: Settings = request.app.state.settings
    known = {"open": settings.open, "pictures": settings.pictures, "sign_on": settings.sign_on is not None}
    own = {"key": asker.key, "scopes": sorted(asker.scopes), "version": version("triad-kgqa")}
    return SessionView.model_validate({**known, **own})


@router.get("/session", responses=documented())
def session(request: Request, asker: Anyone) -> SessionView:
    """Return what this session may do; a browser without one gets a cookie."""
    return _view(request, asker)


@router.post("/session", responses=documented())
async def begin(request: Request, response: Response, asker: Anyone, body: KeyBody) -> SessionView:
    """Begin a session that asks with a key."""
    keys: Keys = request.app.state.keys
    key: Key | None = await asyncio.to_thread(keys.find, body.key.strip())
    if key is None:
        raise await request.app.state.limiter.wrong_key(address_of(request))
    if asker.key is not None:
        raise Problem("conflict", "This session has a key already; end it first.")
    del response.headers["Set-Cookie"]  # of the session without a key that somebody new was given
    await _begun(request, response, key)
    return _view(request, replace(asker, key=key, scopes=frozenset(key.scopes)))


async def _begun(request: Request, response: Response, key: Key) -> None:
    """Begin a session, whose cookie is a new one: one that came may be known to whoever set it."""
    token = await asyncio.to_thread(request.app.state.keys.begin_session, key)
    with_session(response, replace(nobody(request, token), fresh=token), request.app.state.settings)


# Sign-on


@router.get("/session/sign-on", include_in_schema=False)
async def sign_on(request: Request) -> Response:
    """Send a browser to the provider."""
    settings, back = await _signing_on(request)
    where, brought = await request.app.state.signing_on.do(partial(begin_sign_on, settings, back))
    answer = RedirectResponse(where, status_code=303)
    chosen: Settings = request.app.state.settings
    answer.set_cookie(cookie_of(chosen, _BROUGHT), brought, 600, secure=chosen.secure, httponly=True, samesite="lax")
    return answer


@router.get("/session/signed-on", include_in_schema=False)
async def signed_on(request: Request, code: str = "", state: str = "") -> Response:
    """Begin the session of somebody who comes back from the provider."""
    settings, back = await _signing_on(request)
    keys: Keys = request.app.state.keys
    brought = cookie_of(request.app.state.settings, _BROUGHT)
    asked = partial(finish, settings, back, request.cookies.get(brought, ""), code, state)
    claims = await request.app.state.signing_on.do(asked)
    name = str(claims.get("preferred_username") or claims.get("email") or claims["sub"])
    subject = f"{settings.issuer}\n{claims['sub']}"
    key = await asyncio.to_thread(keys.sign_on, subject, name, granted(settings, claims))
    # A browser sends the cookie, which is for this site alone, only with what a page of this site asks for.
    answer = HTMLResponse('<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>Triad</title>')
    answer.delete_cookie(brought, secure=request.app.state.settings.secure)
    await _begun(request, answer, key)
    return answer


async def _signing_on(request: Request) -> tuple[SignOn, str]:
    """Return the provider of a request, which is counted, and where browsers come back to."""
    settings: Settings = request.app.state.settings
    await request.app.state.limiter.count_request(nobody(request))
    if settings.sign_on is None:
        raise Problem("not-found", "Nobody signs on here.")
    back = request.url_for("signed_on")
    return settings.sign_on, str(back.replace(scheme="https") if settings.secure else back)


@router.delete("/session", status_code=204, responses=documented())
async def end(request: Request, response: Response, asker: Anyone) -> None:
    """End this session: the cookie opens nothing any more."""
    settings: Settings = request.app.state.settings
    if token := request.cookies.get(cookie_of(settings)):
        await asyncio.to_thread(request.app.state.keys.end_session, token)
    response.delete_cookie(cookie_of(settings), secure=settings.secure)
