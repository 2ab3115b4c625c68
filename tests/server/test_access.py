"""Who may ask, what another site may do, and what one key sees of another's."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy
from fastapi import Request

from tests.server.site import PAGE, Site, serving, settings
from triad.server.access import address_of
from triad.server.limiting import GUESSES
from triad.server.settings import KeyLimits
from triad.server.state.database import now
from triad.server.state.tables import SESSIONS

ASK = "/api/v1/ask"
QUESTION = {"question": "Who founded Intel?"}


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that asks for a key."""
    with serving(settings(tmp_path_factory.mktemp("closed"), open=False, learn=False)) as site:
        yield site


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", ASK),
        ("POST", "/api/v1/query"),
        ("POST", "/api/v1/query/explain"),
        ("GET", "/api/v1/graphs"),
        ("GET", "/api/v1/names?q=x"),
        ("GET", "/api/v1/profile"),
        ("GET", "/api/v1/conversations"),
        ("GET", "/api/v1/reports"),
        ("GET", "/v1/models"),
        ("POST", "/v1/chat/completions"),
        ("POST", "/mcp"),
        ("GET", "/text2sparql?question=Who&dataset=demo"),
        ("GET", "/?question=Who&dataset=demo"),
        ("POST", "/gerbil"),
    ],
)
def test_without_a_key_a_closed_server_tells_nothing(closed: Site, method: str, path: str) -> None:
    with closed.stranger() as client:
        form = {"data": {"query": "Who?"}} if path == "/gerbil" else {}
        body = {} if form or method == "GET" else {"json": QUESTION | {"messages": [], "model": "demo", "query": "x"}}
        response = client.request(method, path, **form, **body)  # type: ignore[arg-type]
    assert response.status_code in (401, 422), response.text
    if response.status_code == 401:
        if path.startswith("/v1/"):
            assert response.json()["error"]["message"] == response.json()["detail"]
        assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.slow(0.1)
def test_a_key_opens_what_its_scopes_say(closed: Site) -> None:
    with closed.stranger() as client:
        asks, queries = closed.key("asks", "ask"), closed.key("queries", "query")
        admin = closed.key("admin", "ask", "query", "admin")
        query = {"query": "ASK { ?s ?p ?o }"}
        assert client.post(ASK, json=QUESTION, headers=asks).status_code == 200
        for path in ("/api/v1/query", "/api/v1/query/explain"):
            assert client.post(path, json=query, headers=asks).status_code == 403
            assert client.post(path, json=query, headers=queries).status_code == 200
        assert client.post(ASK, json=QUESTION, headers=queries).status_code == 403
        assert client.get("/api/v1/reports", headers=asks).status_code == 403
        assert client.get("/api/v1/reports", headers=admin).json() == {"reports": []}  # there is no folder of runs
        assert client.get("/api/v1/reports/first", headers=admin).status_code == 404


@pytest.mark.slow(0.1)
def test_a_key_that_is_revoked_opens_nothing_any_more_nor_do_its_sessions(closed: Site) -> None:
    header = closed.key("short")
    secret = header["Authorization"].removeprefix("Bearer ")
    with closed.visitor() as page, closed.stranger() as client:
        assert page.get("/api/v1/session").json()["scopes"] == []
        assert page.post("/api/v1/session", json={"key": secret}).json()["key"]["name"] == "short"
        assert page.post(ASK, json=QUESTION).status_code == 200
        closed.keys.revoke("short")
        assert client.post(ASK, json=QUESTION, headers=header).status_code == 401
        assert page.post(ASK, json=QUESTION).status_code == 401


def test_a_session_with_a_key_has_the_conversations_of_the_key_until_it_ends(closed: Site) -> None:
    header = closed.key("ann")
    with closed.visitor() as page, closed.stranger() as client:
        made = client.post("/api/v1/conversations", json={"title": "mine"}, headers=header).json()
        page.post("/api/v1/session", json={"key": header["Authorization"].removeprefix("Bearer ")})
        assert page.get(f"/api/v1/conversations/{made['id']}").json()["title"] == "mine"
        assert page.delete("/api/v1/session").status_code == 204
        assert page.get(f"/api/v1/conversations/{made['id']}").status_code == 401


def test_a_cookie_that_somebody_else_set_opens_nothing_that_a_key_opens(closed: Site) -> None:
    planted = "A" * 43
    with closed.stranger() as victim, closed.stranger() as attacker:
        for client in (victim, attacker):
            client.cookies.set("triad_session", planted)
            client.headers.update(PAGE)
        body = {"key": closed.key("victim")["Authorization"].removeprefix("Bearer ")}
        begun = victim.post("/api/v1/session", json=body)
        assert begun.json()["key"]["name"] == "victim"
        assert planted not in begun.headers["Set-Cookie"]
        assert len(begun.headers.get_list("Set-Cookie")) == 1
        victim.cookies.clear()
        victim.cookies.set("triad_session", begun.cookies["triad_session"])
        assert victim.post(ASK, json=QUESTION).status_code == 200
        assert attacker.get("/api/v1/session").json()["key"] is None
        assert attacker.post(ASK, json=QUESTION).status_code == 401


@pytest.mark.slow(0.2)
def test_a_cookie_that_the_server_did_not_give_is_no_session(site: Site) -> None:
    for planted in ("A" * 43, "A" * 64, secrets.token_urlsafe(24) + "0" * 32):
        with site.stranger() as victim, site.stranger() as attacker:
            for client in (victim, attacker):
                client.headers.update(PAGE | {"Cookie": f"triad_session={planted}"})
            made = victim.post("/api/v1/conversations", json={"title": "private"})
            assert attacker.get("/api/v1/conversations").json()["conversations"] == []
            del victim.headers["Cookie"]
            assert made.cookies["triad_session"] != planted
            kept = victim.get("/api/v1/conversations")
            assert [one["title"] for one in kept.json()["conversations"]] == ["private"]
            assert "Set-Cookie" not in kept.headers


def test_a_session_of_version_1_0_keeps_its_conversations(site: Site) -> None:
    with site.stranger() as client:
        client.cookies.set("triad_session", old := secrets.token_urlsafe(32))
        assert client.get("/api/v1/conversations").json()["conversations"] == []
        site.app.state.conversations.create(f"session:{hashlib.sha256(old.encode()).hexdigest()[:40]}", "demo", "mine")
        client.cookies.clear()
        client.cookies.set("triad_session", old)
        assert [one["title"] for one in client.get("/api/v1/conversations").json()["conversations"]] == ["mine"]


def test_after_its_key_was_revoked_a_session_begins_with_another_one(closed: Site) -> None:
    with closed.visitor() as client:
        for name in ("before", "after"):
            body = {"key": closed.key(name)["Authorization"].removeprefix("Bearer ")}
            assert client.post("/api/v1/session", json=body).json()["key"]["name"] == name
            assert client.get("/api/v1/session").json()["key"]["name"] == name
            closed.keys.revoke(name)


def test_a_session_ends_after_its_days(closed: Site) -> None:
    key = closed.keys.find(closed.keys.add("old"))
    assert key is not None
    token = closed.keys.begin_session(key)
    assert closed.keys.session(token, 1) == (key, token)
    with closed.app.state.database.writing() as connection:
        connection.execute(sqlalchemy.update(SESSIONS).values(created=now() - timedelta(days=1, seconds=1)))
    assert closed.keys.session(token, 1) == (None, token)


@pytest.mark.slow(0.2)
def test_by_tls_the_cookie_is_one_that_no_subdomain_can_set(tmp_path: Path) -> None:
    with serving(settings(tmp_path, secure=True)) as site, site.stranger() as client:
        given = client.get("/api/v1/session").headers["Set-Cookie"]
        assert given.startswith("__Host-triad_session=")
        assert {"Secure", "Path=/"} <= set(given.split("; "))


def test_nothing_of_a_key_but_its_hash_is_kept(closed: Site) -> None:
    secret = closed.keys.add("hashed")
    folder = Path(str(closed.app.state.database.engine.url.database)).parent
    kept = b"".join(path.read_bytes() for path in folder.iterdir())
    assert b"hashed" in kept
    assert secret.encode() not in kept
    assert secret.removeprefix("triad_").encode() not in kept


@pytest.mark.slow(0.2)
def test_one_asker_sees_nothing_of_another(closed: Site) -> None:
    ann, bob = closed.key("ann2"), closed.key("bob2")
    with closed.stranger() as client:
        made = client.post("/api/v1/conversations", json={"title": "secret"}, headers=ann).json()
        path = f"/api/v1/conversations/{made['id']}"
        turn = client.post(f"{path}/turns", json=QUESTION, headers=ann | {"Idempotency-Key": "one"}).json()
        for method, where, body in [
            ("GET", path, None),
            ("GET", f"{path}/export", None),
            ("PATCH", path, {"title": "taken"}),
            ("DELETE", path, None),
            ("POST", f"{path}/turns", QUESTION),
            ("POST", ASK, QUESTION | {"conversation": made["id"]}),
            ("GET", f"/api/v1/turns/{turn['id']}", None),
            ("POST", f"/api/v1/turns/{turn['id']}/feedback", {"verdict": "wrong"}),
            ("DELETE", f"/api/v1/turns/{turn['id']}/feedback", None),
        ]:
            response = client.request(method, where, json=body, headers=bob)
            assert (response.status_code, "secret" in response.text) == (404, False), where
        assert client.get("/api/v1/conversations", headers=bob).json()["conversations"] == []
        other = client.post(ASK, json=QUESTION, headers=bob | {"Idempotency-Key": "one"}).json()
        assert other["id"] != turn["id"]
        metadata = {"metadata": {"conversation": made["id"]}, "model": "demo"}
        body = metadata | {"messages": [{"role": "user", "content": "when was it founded?"}]}
        assert client.post("/v1/chat/completions", json=body, headers=bob).status_code == 404
        assert client.get(path, headers=ann).json()["turns"] == 1


def test_sessions_without_a_key_see_nothing_of_each_other(site: Site) -> None:
    with site.visitor() as one, site.visitor() as other:
        made = one.post("/api/v1/conversations", json={}).json()
        assert other.get(f"/api/v1/conversations/{made['id']}").status_code == 404


@pytest.mark.slow(0.2)
def test_keys_cannot_be_guessed_for_long(closed: Site) -> None:
    with closed.stranger() as client:
        statuses = [
            client.get("/api/v1/graphs", headers={"Authorization": f"Bearer triad_{number}"}).status_code
            for number in range(GUESSES + 3)
        ]
        assert statuses[:2] == [401, 401]
        assert statuses[-1] == 429
        assert client.get("/api/v1/graphs", headers=closed.key("right")).status_code == 200
        body = {"key": closed.key("typed")["Authorization"].removeprefix("Bearer ")}
        assert client.post("/api/v1/session", json=body, headers=PAGE).status_code == 200
    closed.app.state.limiter._own.storage.reset()


def test_a_key_has_its_own_number_of_requests_a_minute(closed: Site) -> None:
    few = closed.key("few", limits=KeyLimits(requests_a_minute=2))
    with closed.stranger() as client:
        responses = [client.get("/api/v1/graphs", headers=few) for _ in range(3)]
        assert [one.status_code for one in responses] == [200, 200, 429]
        assert 1 <= int(responses[2].headers["Retry-After"]) <= 61
        assert client.get("/api/v1/graphs", headers=closed.key("many")).status_code == 200


# Other sites ----------------------------------------------------------------------------------------------


def test_a_cookie_alone_changes_nothing(site: Site) -> None:
    with site.visitor() as client:
        cookies = dict(client.cookies)
    with site.stranger() as forged:
        forged.cookies.update(cookies)
        assert forged.post(ASK, json=QUESTION).json()["name"] == "forbidden"
        assert forged.post(ASK, json=QUESTION, headers=PAGE).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "http://[::1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize(
    "path", [ASK, "/gerbil", "/v1/chat/completions", "/mcp", "/text2sparql?question=Who&dataset=demo"]
)
def test_a_page_of_another_site_may_not_ask(stranger: httpx.Client, path: str, headers: dict[str, str]) -> None:
    method = "GET" if path.startswith("/text2sparql") else "POST"
    form = {"data": {"query": "Who founded Intel?"}} if path == "/gerbil" else {}
    body: dict[str, Any] = QUESTION
    if path.startswith("/v1"):
        body = {"model": "demo", "messages": [{"role": "user", "content": "Who?"}]}
    sent = form or ({} if method == "GET" else {"json": body})
    response = stranger.request(method, path, headers=headers, **sent)  # type: ignore[arg-type]
    assert response.status_code == 403
    assert "access-control-allow-origin" not in response.headers


def test_a_form_cannot_stand_for_json(stranger: httpx.Client) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        response = stranger.post(ASK, content=b'{"question": "Who founded Intel?"}', headers={"Content-Type": kind})
        assert response.status_code in (415, 422), kind


def test_the_session_cookie_is_for_this_site_and_no_script(stranger: httpx.Client) -> None:
    cookie = stranger.get("/api/v1/session").headers["Set-Cookie"].lower()
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip() for part in cookie.split(";")}


@pytest.mark.slow(0.3)
def test_sites_that_are_named_may_ask(tmp_path: Path) -> None:
    origin = "https://intranet.example.org"
    with serving(settings(tmp_path, origins=[origin])) as site, site.stranger() as client:
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        allowed = client.options(ASK, headers=asked | {"Access-Control-Request-Headers": "content-type"})
        assert allowed.headers["Access-Control-Allow-Origin"] == origin
        assert "Access-Control-Allow-Credentials" not in allowed.headers
        assert client.post(ASK, json=QUESTION, headers={"Origin": origin}).status_code == 200
        pin = client.options("/api/v1/board/" + "0" * 32, headers=asked | {"Access-Control-Request-Method": "PUT"})
        assert pin.status_code == 200
        for header in ("x-triad", "cookie"):
            with_session = client.options(ASK, headers=asked | {"Access-Control-Request-Headers": header})
            assert with_session.status_code == 400
        refused = client.options(ASK, headers=asked | {"Origin": "https://evil.example"})
        assert "Access-Control-Allow-Origin" not in refused.headers


@pytest.mark.slow(0.3)
def test_a_site_that_is_named_asks_by_its_key_and_never_by_a_cookie(tmp_path: Path) -> None:
    origin = {"Origin": "https://intranet.example.org"}
    with serving(settings(tmp_path, origins=[*origin.values()], open=False)) as site, site.visitor() as page:
        header = site.key("embedded", "ask")
        page.post("/api/v1/session", json={"key": header["Authorization"].removeprefix("Bearer ")})
        assert page.post(ASK, json=QUESTION).status_code == 200
        refused = page.post(ASK, json=QUESTION, headers=origin)  # with the cookie, and with what the page sends
        assert refused.status_code == 401
        asked = page.post(ASK, json=QUESTION, headers=origin | header)
        assert asked.status_code == 200
        assert "Set-Cookie" not in refused.headers
        assert asked.headers["Access-Control-Allow-Origin"] == origin["Origin"]


def test_the_component_is_a_file_for_every_site_and_the_page_is_not(stranger: httpx.Client) -> None:
    for path, whose in (("/triad-ask.js", "cross-origin"), ("/", "same-origin"), ("/api/v1/graphs", "same-origin")):
        assert stranger.get(path).headers["Cross-Origin-Resource-Policy"] == whose, path


@pytest.mark.slow(0.4)
def test_the_server_answers_to_its_own_names_only(site: Site, tmp_path: Path) -> None:
    with site.stranger() as client:
        for host in ("evil.example", "127.0.0.1.evil.example:80", "", "localhost@evil.example"):
            assert client.get("/api/v1/graphs", headers={"Host": host}).status_code == 403, host
        assert client.get("/api/v1/graphs", headers={"Host": "LOCALHOST:1234"}).status_code == 200
    with serving(settings(tmp_path, hosts=["ask.example.org"])) as named, named.stranger() as client:
        assert client.get("/api/v1/graphs", headers={"Host": "ask.example.org"}).status_code == 200


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("2001:db8:1:2::5", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("testclient", "testclient"),
    ],
)
def test_of_ipv6_requests_are_counted_for_the_network(host: str, address: str) -> None:
    assert address_of(Request({"type": "http", "client": (host, 1)})) == address
