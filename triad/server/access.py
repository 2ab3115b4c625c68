"""Who asks: by an API key, by the session of a page, or nobody in particular where the server is open.

A page has a cookie that scripts cannot read and that other sites' requests do not carry. What a cookie allows needs
the header ``X-Triad``, too, which another site cannot send without being asked for its leave (CORS); and whatever says
that it comes from another site is refused, but for sites that the settings name, where a cookie opens nothing.
"""

import asyncio
import ipaddress
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Annotated, Final

from fastapi import Depends, Request, Response, Security
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from triad.server.problems import Problem
from triad.server.settings import ALL, KeyLimits, Reach, Settings
from triad.server.state.keys import SCOPES, Key, Keys, owner_of

_COOKIE: Final = "triad_session"
HEADER: Final = "X-Triad"
_SAFE: Final = ("GET", "HEAD", "OPTIONS")

_BEARER = HTTPBearer(auto_error=False, description="An API key, as `triad keys add` makes it.")
_SESSION = APIKeyCookie(name=_COOKIE, auto_error=False, description="The session of the page.")

_ANYBODY: Final = ("ask", "query")  # what all may do where the server is open


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks."""

    owner: str
    """Whose the conversations are: a key, or a session."""
    account: str
    """What requests and costs are counted for: a key, or an address, for sessions cost nothing."""
    scopes: frozenset[str]
    limits: KeyLimits
    key: Key | None = None
    fresh: str | None = None
    """The token of a session that the client does not have yet."""

    @property
    def reach(self) -> Reach:
        """What it sees."""
        return self.key.reach if self.key else ALL


async def identify(request: Request) -> Asker:
    """Return who asks.

    Raises:
        Problem: The key is none, or the request comes from another site.
    """
    settings: Settings = request.app.state.settings
    keys: Keys = request.app.state.keys
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if secret := secret.strip():
        if scheme.lower() != "bearer":
            raise Problem("not-authorised", "The header Authorization is 'Bearer' and a key.")
        if key := await asyncio.to_thread(keys.find, secret):
            return _of_key(key, settings)
        # Clients of OpenAI's protocol must send something; where all may ask, that something need not be a key.
        if not settings.open or secret.startswith("triad_"):
            raise await request.app.state.limiter.wrong_key(address_of(request))
    if _is_elsewhere(request, settings):
        return nobody(request)  # of whom nothing is known again
    token = "" if secret else request.cookies.get(cookie_of(settings), "")
    if token and request.method not in _SAFE and HEADER not in request.headers:
        raise Problem("forbidden", f"A request with the cookie of a session needs the header {HEADER}.")
    key, known = await asyncio.to_thread(keys.session, token, settings.session_days)
    if key:
        return _of_key(key, settings)
    return replace(nobody(request, known), fresh=None if known == token else known)


async def admit(request: Request, *scopes: str) -> Asker:
    """Return who asks, whose request is counted; raises as `identify` and `check_scopes` do."""
    found = await identify(request)
    await request.app.state.limiter.count_request(found)
    check_scopes(found, *scopes)
    return found


def address_of(request: Request) -> str:
    """Return the address that asks; of IPv6 the network, of which one client may have all addresses."""
    host = request.client.host if request.client else "unknown"
    try:
        known = ipaddress.IPv6Address(host)
    except ValueError:
        return host
    return str(known.ipv4_mapped or ipaddress.ip_network((int(known) >> 64 << 64, 64)))


def nobody(request: Request, token: str | None = None) -> Asker:
    """Return who asks by a session without a key; without its token by one that nobody knows again."""
    settings: Settings = request.app.state.settings
    scopes = frozenset(_ANYBODY if settings.open else ())
    owner = owner_of(token or secrets.token_urlsafe(32))
    return Asker(owner, f"address:{address_of(request)}", scopes, settings.limits)


def _of_key(key: Key, settings: Settings) -> Asker:
    owner = f"key:{key.id}"
    return Asker(owner, owner, frozenset(key.scopes), key.limits or settings.limits, key)


def _is_elsewhere(request: Request, settings: Settings) -> bool:
    """Tell whether a request says that it comes from a page of another site; refuse it, unless that may ask."""
    if (origin := request.headers.get("Origin")) is None:
        elsewhere = request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")
    else:
        elsewhere = origin == "null" or origin.partition("://")[2] != request.headers.get("Host")
    if elsewhere and origin not in settings.origins:
        raise Problem("forbidden", "Pages of other sites may not ask here.")
    return elsewhere


def cookie_of(settings: Settings, name: str = _COOKIE) -> str:
    """Return what a cookie is called; by TLS it is one that neither a subdomain nor another port can set."""
    return f"__Host-{name}" if settings.secure else name


def with_session(response: Response, asker: Asker, settings: Settings) -> None:
    """Have a client keep the session that it was given."""
    if asker.fresh is not None:
        age = settings.session_days * 24 * 3600
        response.set_cookie(
            cookie_of(settings), asker.fresh, age, path="/", secure=settings.secure, httponly=True, samesite="strict"
        )


def by_id(asker: Asker, protocol: str) -> Asker:
    """Return who asks by a protocol that knows no sessions.

    Those without a key have no name by which they are known again. There, who knows the id of a conversation, which
    nobody can guess, or all of its messages, goes on with it.
    """
    return replace(asker, owner=f"protocol:{protocol}") if asker.fresh is not None else asker


def needs(*scopes: str) -> Callable[..., Awaitable[Asker]]:
    """Return a dependency that gives who asks, if they have one of the scopes; without scopes, whoever they are."""
    assert set(scopes) <= set(SCOPES)

    async def asker(
        request: Request,
        response: Response,
        _bearer: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)] = None,
        _session: Annotated[str | None, Security(_SESSION)] = None,
    ) -> Asker:
        found = await admit(request, *scopes)
        with_session(response, found, request.app.state.settings)
        return found

    return asker


Asks = Annotated[Asker, Depends(needs("ask"))]
"""Who asks, and may."""


def check_scopes(asker: Asker, *scopes: str) -> None:
    """Refuse an asker who has none of the scopes: raise a `Problem`."""
    if not scopes or asker.scopes.intersection(scopes):
        return
    if asker.key is None:
        raise Problem("not-authorised", "A key is needed, as 'triad keys add' makes it: Authorization: Bearer triad_…")
    raise Problem("forbidden", f"The key {asker.key.name!r} lacks the scope {scopes[0]!r}.")
