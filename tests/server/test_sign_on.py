"""Sign-on by OpenID Connect: with a real provider, and with one that says what it should not."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.ports import free_port
from tests.server.site import PAGE, Site, serving, settings
from triad.errors import ConfigError
from triad.server import sign_on
from triad.server.problems import Problem
from triad.server.settings import ALL, Grant, KeyLimits, Reach, SignOn, load_settings
from triad.server.state.database import Database
from triad.server.state.keys import Keys

pytestmark = pytest.mark.slow

CITIES = Reach(graphs=("demo",))
GRANTS = {"sales": {"scopes": ["ask"], "sees": CITIES.model_dump()}, "boss": {"scopes": ["ask", "query", "admin"]}}
PEOPLE = (
    {"sub": "1", "preferred_username": "ann", "groups": ["staff", "sales"]},
    {"sub": "2", "groups": "boss"},
    {"sub": "3"},
)


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """The address of a real provider, at which three people are known."""
    program = Path(sys.executable).with_name("oidc-provider-mock")
    port = free_port()
    users = [text for one in PEOPLE for text in ("--user-claims", json.dumps(one))]
    with subprocess.Popen(
        [program, "--port", str(port), *users], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            for _ in range(200):
                try:
                    httpx.get(f"http://127.0.0.1:{port}/jwks")
                    break
                except httpx.TransportError:
                    time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


@pytest.fixture
def site(provider: str, tmp_path: Path) -> Iterator[Site]:
    """A closed server at which one signs on."""
    wanted = {"issuer": provider, "client_id": "triad", "client_secret": "s&cret", "grants": GRANTS}
    with serving(
        settings(tmp_path, {"demo": "demo", "other": "demo"}, open=False, sign_on=wanted, audit_days=1)
    ) as made:
        yield made


def signed_on(site: Site, subject: str, client: httpx.Client) -> httpx.Response:
    """Go through a sign-on as a browser does."""
    sent = client.get("/", follow_redirects=False)
    assert sent.headers["Location"] == "/api/v1/session/sign-on"
    at_provider = client.get(sent.headers["Location"], follow_redirects=False).headers["Location"]
    back = client.post(at_provider, data={"sub": subject}, follow_redirects=False).headers["Location"]
    assert back.startswith(f"{site.url}/api/v1/session/signed-on?")
    return client.get(back)


def test_who_signs_on_has_a_session_that_may_and_sees_what_is_granted(site: Site) -> None:
    with httpx.Client(base_url=site.url, headers=PAGE, timeout=60) as ann:
        assert signed_on(site, "1", ann).status_code == 200
        assert ann.get("/").status_code == 200
        session = ann.get("/api/v1/session").json()
        assert session["scopes"] == ["ask"]
        assert session["key"]["name"].startswith("ann-")
        assert [one["name"] for one in ann.get("/api/v1/graphs").json()["graphs"]] == ["demo"]
        assert ann.post("/api/v1/ask", json={"question": "Who founded Intel?"}).json()["outcome"] == "answer"
        with httpx.Client(base_url=site.url, headers=PAGE, timeout=60) as boss:
            signed_on(site, "2", boss)
            assert len(boss.get("/api/v1/graphs").json()["graphs"]) == 2
            entries = boss.get("/api/v1/audit").json()["entries"]
        assert [(one["asker"], one["asked"]) for one in entries] == [(session["key"]["name"], "Who founded Intel?")]
        site.keys.revoke(session["key"]["name"])
        assert ann.get("/api/v1/graphs").status_code == 401
        assert signed_on(site, "1", ann).status_code == 403


def test_who_has_no_grant_gets_no_session(site: Site) -> None:
    with httpx.Client(base_url=site.url, headers=PAGE, timeout=60) as client:
        assert signed_on(site, "3", client).status_code == 403
        session = client.get("/api/v1/session").json()
        assert (session["scopes"], session["sign_on"]) == ([], True)


def test_a_sign_on_that_this_browser_did_not_begin_opens_nothing(site: Site) -> None:
    with httpx.Client(base_url=site.url, timeout=60) as other, httpx.Client(base_url=site.url, timeout=60) as client:
        at_provider = other.get("/api/v1/session/sign-on", follow_redirects=False).headers["Location"]
        back = other.post(at_provider, data={"sub": "2"}, follow_redirects=False).headers["Location"]
        assert client.get(back).status_code == 401
        client.get("/api/v1/session/sign-on", follow_redirects=False)
        assert client.get(back).status_code == 401
        assert client.get("/api/v1/session/signed-on?error=access_denied").status_code == 401


def test_where_nobody_signs_on_there_is_no_such_path(tmp_path: Path) -> None:
    with serving(settings(tmp_path)) as plain, plain.stranger() as client:
        assert client.get("/api/v1/session/sign-on").status_code == 404
        assert client.get("/").status_code == 200


# What an ID token must be

_OURS, _OTHERS = (rsa.generate_private_key(65537, 2048) for _ in range(2))
_PUBLIC = {**json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(_OURS.public_key())), "kid": "a", "use": "sig"}
_ABOUT = "/.well-known/openid-configuration"
_SETTINGS = SignOn(issuer="https://login.example", client_id="triad", grants={"*": Grant()})
_GOOD = {"iss": "https://login.example", "aud": "triad", "sub": "1", "nonce": "n"}


def _token(key: Any = _OURS, algorithm: str = "RS256", kid: str = "a", **changes: Any) -> str:
    now = int(time.time())
    claims = {**_GOOD, "iat": now, "exp": now + 300, **changes}
    return jwt.encode({name: one for name, one in claims.items() if one is not None}, key, algorithm, {"kid": kid})


def _finished(token: str, monkeypatch: pytest.MonkeyPatch, told: Mapping[str, Any] | None = None) -> Any:
    about = {
        "issuer": "https://login.example",
        "token_endpoint": "https://login.example/t",
        "jwks_uri": "https://login.example/k",
    }
    tells = {_ABOUT: about, "/t": {"id_token": token, "access_token": "a"}, "/k": {"keys": [_PUBLIC]}, **(told or {})}
    sign_on._described.cache_clear()
    written = {path: one if isinstance(one, bytes) else json.dumps(one).encode() for path, one in tells.items()}
    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=written[request.url.path]))
    client = httpx.Client
    monkeypatch.setattr(httpx, "Client", lambda **_: client(transport=transport))
    return sign_on.finish(_SETTINGS, "https://ask.example/back", "s.n.v", "code", "s")


def test_a_token_of_the_provider_for_this_server_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _finished(_token(), monkeypatch)["sub"] == "1"


@pytest.mark.parametrize(
    "token",
    [
        _token(key=_OTHERS),
        _token(kid="b"),
        _token(key="", algorithm="none"),
        _token(key="secret" * 8, algorithm="HS256"),
        _token(iss="https://evil.example"),
        _token(aud="another"),
        _token(aud=["triad", "another"], azp="another"),
        _token(exp=1),
        _token(exp=None),
        _token(sub=None),
        _token(nonce="m"),
        _token(nonce=None),
        "no token",
    ],
    ids=range(13),
)
def test_any_other_token_is_refused(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Problem, match="The sign-on failed"):
        _finished(token, monkeypatch)


def test_of_a_key_that_a_provider_tells_all_of_no_more_is_read_than_what_is_public(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # To find the factors of what another one is the exponent of takes minutes.
    assert _finished(_token(), monkeypatch, {"/k": {"keys": [{**_PUBLIC, "d": "AQ"}]}})["sub"] == "1"


_DEEP = b"[" * 100_000
_TOLD = {"issuer": "https://login.example", "token_endpoint": "https://login.example/t"}


@pytest.mark.parametrize(
    "told",
    [
        {"/t": []},
        {"/t": _DEEP},
        {"/k": []},
        {"/k": _DEEP},
        {"/k": {"keys": [{"kty": "RSA", "alg": "none"}]}},
        {
            _ABOUT: {**_TOLD, "jwks_uri": "https://login.example/k", "userinfo_endpoint": "https://login.example/u"},
            "/u": [],
        },
    ],
    ids=range(6),
)
def test_a_provider_that_says_something_else_signs_nobody_on(
    told: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Problem, match="The sign-on failed"):
        _finished(_token(), monkeypatch, told)


@pytest.mark.parametrize("where", [5, ["a"], "http://login.example/\n", "http://login.example/\ud800"])
def test_nobody_is_sent_where_a_provider_has_no_page(where: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_on, "_about", lambda _: {"authorization_endpoint": where})
    with pytest.raises(Problem, match="The sign-on failed"):
        sign_on.begin(_SETTINGS, "https://ask.example/back")


def test_what_a_provider_has_in_its_address_stays_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_on, "_about", lambda _: {"authorization_endpoint": "https://login.example/a?policy=b%2Fc"})
    sent = httpx.URL(sign_on.begin(_SETTINGS, "https://ask.example/back")[0])
    assert (sent.params["policy"], sent.params["redirect_uri"]) == ("b/c", "https://ask.example/back")


def test_who_may_something_else_than_before_has_another_key_and_old_sessions_end(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'state.db'}")
    database.migrate()
    keys = Keys(database)
    first = keys.sign_on("issuer\n1", "\x1b[2Jann\n", Grant())
    assert first.name.startswith("[2Jann-")
    token = keys.begin_session(first)
    assert keys.sign_on("issuer\n1", "ann", Grant()) == first
    narrow = keys.sign_on("issuer\n1", "ann", Grant(sees=CITIES, limits=KeyLimits(calls_a_day=5)))
    assert (narrow.id != first.id, narrow.reach, first.reach) == (True, CITIES, ALL)
    assert keys.session(token, 30) == (None, token)
    assert keys.sign_on("issuer\n1", "ann", Grant()).reach == ALL
    assert keys.find("issuer\n1") is None
    database.close()


def test_grants_are_checked_when_settings_are_read() -> None:
    def read(grant: dict[str, Any]) -> None:
        wanted = {"issuer": "https://login.example", "client_id": "triad", "grants": {"*": grant}}
        load_settings({"graphs": {"demo": "demo"}, "sign_on": wanted})

    read({"sees": {"graphs": ["demo"]}})
    with pytest.raises(ConfigError, match="has no graph"):
        read({"sees": {"graphs": ["other"]}})
    with pytest.raises(ConfigError, match="sees what others asked"):
        read({"scopes": ["admin"], "sees": {"graphs": ["demo"]}})


def test_a_provider_that_hangs_keeps_nobody_waiting_who_has_a_key(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        issuer = f"http://127.0.0.1:{silent.getsockname()[1]}"
        wanted = {"issuer": issuer, "client_id": "triad", "client_secret": "s", "grants": GRANTS}
        with serving(settings(tmp_path, {"demo": "demo"}, open=False, sign_on=wanted)) as site:
            key = site.key("program")
            with ThreadPoolExecutor(30) as pool:
                url = f"{site.url}/api/v1/session/sign-on"
                asked = [pool.submit(httpx.get, url, timeout=60) for _ in range(30)]
                refused = next(one.result() for one in as_completed(asked))
                assert refused.status_code == 503
                known = httpx.get(f"{site.url}/api/v1/graphs", headers=key, timeout=60)
                assert known.status_code == 200
                assert sum(one.done() for one in asked) < 30
                silent.close()
