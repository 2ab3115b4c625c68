"""Sign-on at a provider of OpenID Connect: the code flow with PKCE, whose ID token says who somebody is.

What is needed when they come back (state, nonce, verifier) they bring along in a cookie that only this server reads.
"""

import base64
import hashlib
import secrets
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote

import httpx

from triad.http import client as bounded
from triad.log import logger
from triad.server.problems import Problem
from triad.server.settings import Grant, SignOn

_ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Of signatures with a public key; what else a token names is refused."""
_PUBLIC: Final = ("kty", "kid", "use", "alg", "crv", "n", "e", "x", "y")
"""What is read of a provider's keys; to read a private one may take minutes."""
_ODD: Final = (httpx.HTTPError, httpx.InvalidURL, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What is raised where a provider does not answer, or says something else than it should."""
_PATIENCE: Final = 10.0  # seconds that the provider has for an answer, all of it
_LARGEST: Final = 1_000_000  # bytes of an answer
_LASTS: Final = 300.0  # seconds that is known what the provider says of itself
_LEEWAY: Final = 60.0  # seconds that its clock may be off


def begin(settings: SignOn, back: str) -> tuple[str, str]:
    """Return where to send somebody, who comes back to an address, and what they bring along then.

    Raises:
        Problem: The provider does not answer.
    """
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    asked = {
        "response_type": "code",
        "client_id": settings.client_id,
        "redirect_uri": back,
        "scope": settings.scope,
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    try:
        where = str(httpx.URL(_about(settings)["authorization_endpoint"]).copy_merge_params(asked))
    except _ODD as error:
        raise _failed(error) from error
    return where, f"{state}.{nonce}.{verifier}"


def finish(settings: SignOn, back: str, brought: str, code: str, state: str) -> Mapping[str, Any]:
    """Return what the provider says of somebody who came back.

    Raises:
        Problem: It says nothing, or not of a sign-on that was begun here with this browser.
    """
    import jwt  # it loads OpenSSL, for which a server without sign-on need not wait

    expected, _, rest = brought.partition(".")
    nonce, _, verifier = rest.partition(".")
    if not (code and verifier and secrets.compare_digest(expected.encode(), state.encode())):
        raise Problem("not-authorised", "The sign-on was given up, or not begun here lately; begin again.")
    sent = {"grant_type": "authorization_code", "code": code, "redirect_uri": back, "code_verifier": verifier}
    secret = settings.secret and (quote(settings.client_id, safe=""), quote(settings.secret, safe=""))
    if not secret:
        sent["client_id"] = settings.client_id
    try:
        about = _about(settings)
        with bounded(_LARGEST, timeout=_PATIENCE) as client:
            told = _json(client.post(about["token_endpoint"], data=sent, auth=secret or httpx.Auth()))
            claims = _claims(told["id_token"], _json(client.get(about["jwks_uri"])), settings)
            if not secrets.compare_digest(str(claims.get("nonce")).encode(), nonce.encode()):
                raise ValueError("the ID token has another nonce")
            if settings.claim not in claims and "userinfo_endpoint" in about:
                bearer = {"Authorization": f"Bearer {told['access_token']}"}
                more = _json(client.get(about["userinfo_endpoint"], headers=bearer))
                if more.get("sub") != claims["sub"]:
                    raise ValueError("the user info is that of another subject")
                claims = {**more, **claims}
    except (*_ODD, jwt.PyJWTError) as error:
        raise _failed(error) from error
    return claims


def granted(settings: SignOn, claims: Mapping[str, Any]) -> Grant:
    """Return what somebody may: the first grant that is theirs; a `Problem` if none is."""
    found = claims.get(settings.claim, ())
    theirs = {found} if isinstance(found, str) else set(map(str, found)) if isinstance(found, list) else set()
    for value, grant in settings.grants.items():
        if value == "*" or value in theirs:
            return grant
    raise Problem("forbidden", "You are known, but nothing here is granted to you.")


def _about(settings: SignOn) -> Any:
    return _described(settings.issuer, time.monotonic() // _LASTS)


@lru_cache(maxsize=1)
def _described(issuer: str, _: float) -> Any:
    """Return what a provider says of itself, which is asked once in a while."""
    with bounded(_LARGEST, timeout=_PATIENCE) as client:
        about = _json(client.get(f"{issuer.rstrip('/')}/.well-known/openid-configuration"))
    if about["issuer"] != issuer:
        raise ValueError(f"the provider calls itself {about['issuer']!r}, not {issuer!r}")
    return about


def _json(response: httpx.Response) -> Any:
    return response.raise_for_status().json()


def _claims(token: str, keys: Any, settings: SignOn) -> dict[str, Any]:
    import jwt

    named = jwt.get_unverified_header(token).get("kid")
    known = jwt.PyJWKSet([{name: one[name] for name in _PUBLIC if name in one} for one in keys["keys"]]).keys
    key = next((one for one in known if one.key_id == named or (named is None and len(known) == 1)), None)
    if key is None:
        raise ValueError("the ID token is signed with a key that the provider does not name")
    needed: Any = {"require": ["exp", "iat", "sub"]}
    claims: dict[str, Any] = jwt.decode(
        token, key, _ALGORITHMS, needed, audience=settings.client_id, issuer=settings.issuer, leeway=_LEEWAY
    )
    if claims.get("azp", settings.client_id) != settings.client_id:
        raise ValueError("the ID token was made for another client")
    return claims


def _failed(error: Exception) -> Problem:
    logger.warning("a sign-on failed: {}", error)
    return Problem("not-authorised", "The sign-on failed; the log of the server says why.")
