"""The web component on pages of other origins: one that may ask, and one that may not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="the browser's driver is not there: pip install playwright")

from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from tests.web.asking import AXE, findings
from tests.web.conftest import ROOT, Server

pytestmark = pytest.mark.slow(2)

EXAMPLE = ROOT / "examples" / "embed.html"


class Site:
    """A site of its own, whose page is the example, on a server of Triad that is named later."""

    def __init__(self) -> None:
        site = self
        self.page = ""

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(site.page.encode())

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def sites() -> Iterator[tuple[Site, Site]]:
    """A site that the settings name, and one that they do not."""
    both = Site(), Site()
    yield both
    for site in both:
        site.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, sites: tuple[Site, Site]) -> Iterator[Server]:
    """A server that the pages of one site may ask."""
    pytest.importorskip("triad.server.app", reason="the server is not there: pip install 'triad-kgqa[server]'")
    found = Server(tmp_path_factory.mktemp("embedded"), {"graphs": "{demo: demo}", "origins": f"[{sites[0].origin}]"})
    for site in sites:
        site.page = EXAMPLE.read_text(encoding="utf-8").replace("http://127.0.0.1:8000", found.address)
    found.start()
    yield found
    found.kill()


def ask(page: Page, question: str) -> None:
    page.get_by_role("textbox", name="Question").fill(question)
    page.get_by_role("button", name="Ask").click()


def test_a_page_of_a_site_that_is_named_asks_without_cookies_and_breaks_no_policy(
    context: BrowserContext, server: Server, sites: tuple[Site, Site]
) -> None:
    context.new_page().goto(server.address)  # so that the browser has the cookie of a session
    page = context.new_page()
    complaints: list[str] = []
    asked: list[Request] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda request: asked.append(request) if "/api/" in request.url else None)
    page.goto(sites[0].origin)
    ask(page, "Who founded Intel?")
    box = page.locator("triad-ask")
    expect(box.get_by_role("status")).to_contain_text("Gordon Moore")
    expect(box.locator("details")).to_contain_text("Sure")
    address = f"{server.address}/#/?graph=demo&question=Who+founded+Intel%3F"
    expect(box.get_by_role("link", name="How it came about")).to_have_attribute("href", address)
    page.emulate_media(color_scheme="dark")
    ask(page, "Which rivers flow through Germany, and how long are they?")
    expect(box.get_by_role("status")).not_to_contain_text("Working")
    assert [request.method for request in asked] == ["POST", "POST"]
    assert all("cookie" not in request.all_headers() for request in asked)
    assert [text for text in complaints if "favicon" not in text] == []


def test_a_page_of_another_site_is_told_nothing(
    context: BrowserContext, server: Server, sites: tuple[Site, Site]
) -> None:
    page = context.new_page()
    page.goto(sites[1].origin)
    ask(page, "Who founded Intel?")
    expect(page.locator("triad-ask").get_by_role("status")).to_have_text(
        "The server cannot be reached. Please try again."
    )
    said = page.evaluate(
        "address => fetch(address, {mode: 'no-cors'}).then(answer => answer.type, () => 'nothing')",
        f"{server.address}/api/v1/graphs",
    )
    assert said == "nothing"


def test_nobody_is_shut_out_of_the_component(browser: Browser, server: Server, sites: tuple[Site, Site]) -> None:
    page = browser.new_page(bypass_csp=True, locale="en-GB")
    page.goto(sites[0].origin)
    ask(page, "Who founded Intel?")
    expect(page.locator("triad-ask").get_by_role("status")).to_contain_text("Gordon Moore")
    page.keyboard.press("Tab")
    assert not AXE.is_file() or findings(page) == []
    page.evaluate("document.documentElement.lang = 'fa'; document.body.append(document.createElement('triad-ask'))")
    expect(page.locator("triad-ask section[dir=rtl]").get_by_role("button", name="بپرس")).to_be_visible()
    page.close()


def test_what_a_graph_says_is_text_in_the_component(
    context: BrowserContext, server: Server, sites: tuple[Site, Site]
) -> None:
    evil = "<img src=x onerror=window.stolen=1>"
    turn = {
        "id": "0" * 32, "graph": evil, "question": evil, "standalone": "", "language": "en", "outcome": "answer",
        "reply": evil, "options": [{"label": evil, "question": evil}],
        "answer": {
            "variables": [evil, "b"], "confidence": 0.9, "words": [{"words": evil, "kind": "name", "became": evil}],
            "rows": [[{"type": "literal", "value": evil, "label": evil, "text": None, "kind": "text"}, None]],
        },
    }  # fmt: skip
    page = context.new_page()
    page.route("**/api/v1/ask", lambda route: route.fulfill(json=turn, headers={"Access-Control-Allow-Origin": "*"}))
    page.goto(sites[0].origin)
    page.locator("triad-ask").evaluate("box => box.setAttribute('server', box.getAttribute('server') + '/')")
    ask(page, evil)
    box = page.locator("triad-ask")
    expect(box.get_by_role("cell").first).to_have_text(evil)
    assert page.evaluate("window.stolen === undefined")
    assert box.locator("img").count() == 0


def test_the_component_is_one_small_file(server: Server) -> None:
    built = (Path(ROOT) / "triad" / "server" / "static" / "triad-ask.js").read_text(encoding="utf-8")
    assert len(built.encode()) <= 60_000
    assert "import(" not in built
    assert "innerHTML" not in built
