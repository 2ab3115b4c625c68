"""What holds for the page whatever is done on it: nobody is shut out, nothing foreign runs, all is translated."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("playwright.sync_api", reason="the browser's driver is not there: pip install playwright")

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.asking import AXE, answer_to, box, findings, last_turn, open_place
from tests.web.conftest import ROOT, Server
from tests.web.turns import EVIL, TURN

pytestmark = pytest.mark.slow(2)

IMAGES = os.environ.get("TRIAD_SCREENSHOTS")
LANGUAGES = ("en", "de", "es", "fr", "it", "nl", "pt", "ro", "ru", "fa", "hi")
PLACES = (
    "/graph?graph=demo",
    "/query?graph=demo",
    "/reports",
    "/graph?graph=places",
    "/graph?graph=places&iri=http%3A%2F%2Fexample.org%2FLighthouse",
    "/graph?graph=places&iri=http%3A%2F%2Fexample.org%2FNorrund",
)
PICTURES = "https://pictures.invalid/**"
PICTURE = Path(__file__).parent / "graphs" / "picture.png"
STOLEN = "window.stolen === undefined"


@pytest.fixture
def checked(browser: Browser, server: Server) -> Iterator[Page]:
    """A page into which the checker of accessibility can be put, which its policy would refuse."""
    if not AXE.is_file():
        pytest.skip("the checker of accessibility is not there: make web")
    context = browser.new_context(locale="en-GB", bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    page.goto(server.address)
    yield page
    context.close()


def findings_in_both(page: Page) -> dict[str, list[tuple[str, list[str]]]]:
    """Return what the checker finds in light and in dark colours."""
    found = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found[scheme] = findings(page)
    return found


NOTHING: dict[str, list[tuple[str, list[str]]]] = {"light": [], "dark": []}


def test_nobody_is_shut_out_of_answers(checked: Page) -> None:
    expect(checked.locator(".samples .chips button").first).to_be_visible()
    assert findings_in_both(checked) == NOTHING
    answer_to(checked, "Which rivers flow through Germany?")
    turn = answer_to(checked, "sort by length")
    turn.get_by_role("button", name="Chart").click()
    expect(turn.locator("canvas").first).to_be_visible()
    turn.get_by_role("button", name="Pin to the board").click()
    turn.get_by_role("button", name="Query").click()
    expect(turn.get_by_role("textbox", name="Query editor")).to_be_visible()
    assert findings_in_both(checked) == NOTHING
    turn.get_by_role("button", name="How it came about").click()
    expect(turn.locator(".fact-graph canvas").first).to_be_visible()
    answer_to(checked, "Who is the mayor of Atlantis?")
    answer_to(checked, "What is Dune?")
    assert findings_in_both(checked) == NOTHING
    open_place(checked, "/board")
    expect(checked.locator(".board canvas")).to_be_visible()
    assert findings_in_both(checked) == NOTHING


@pytest.mark.parametrize("place", PLACES)
def test_nobody_is_shut_out_of_the_other_places(checked: Page, place: str) -> None:
    open_place(checked, place)
    expect(checked.get_by_role("heading", level=1)).to_be_visible()
    checked.wait_for_load_state("networkidle")
    for details in checked.locator("details.class").all()[:1]:
        details.locator("summary").click()
    assert findings_in_both(checked) == NOTHING


def test_all_is_done_with_the_keyboard(page: Page) -> None:
    expect(page.locator(".samples .chips button").first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the question")).to_be_focused()
    page.keyboard.press("Enter")
    expect(box(page)).to_be_focused()
    page.keyboard.type("Which rivers flow through Germany?")
    page.keyboard.press("Enter")
    turn = last_turn(page)
    expect(turn.locator(".certainty")).to_be_visible()
    expect(box(page)).to_be_focused()
    query = turn.get_by_role("button", name="Query")
    query.focus()
    page.keyboard.press("Space")
    editor = turn.get_by_role("textbox", name="Query editor")
    expect(editor).to_be_visible()
    editor.focus()
    page.keyboard.press("Tab")  # the editor is no trap
    expect(turn.get_by_role("button", name="Run")).to_be_focused()


def test_names_of_the_graph_are_text_wherever_they_are_shown(page: Page) -> None:
    page.route(PICTURES, lambda route: route.fulfill(path=PICTURE))
    page.get_by_role("combobox", name="Graphs").select_option("Places")
    turn = answer_to(page, "Who is the keeper of Norrund?")
    expect(turn).to_contain_text("<img src=x onerror=window.stolen=1>")
    turn.get_by_role("button", name="How it came about").click()
    expect(turn.locator(".fact-graph canvas").first).to_be_visible()
    turn = answer_to(page, "Which lighthouses are there?")
    expect(turn.get_by_role("button", name="Map")).to_have_attribute("aria-pressed", "true")
    expect(turn.locator(".map circle")).to_have_count(2)
    with page.expect_download() as download:
        turn.get_by_role("button", name="Download SVG").click()
    saved = ElementTree.parse(download.value.path())  # it is well-formed, whatever the names are
    assert len([*saved.iter("{http://www.w3.org/2000/svg}circle")]) == 2
    with page.expect_download() as download:
        turn.get_by_role("button", name="Download PNG").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    expect(turn.locator(".card")).to_have_count(2)
    open_place(page, "/graph?graph=places&iri=http%3A%2F%2Fexample.org%2FSudrund")
    expect(page.get_by_role("link", name='"><svg onload=window.stolen=1>', exact=True)).to_be_visible()
    box_of_names = page.get_by_role("searchbox", name="Search a name")
    box_of_names.fill("Norrund")
    expect(page.get_by_role("status", name="Names in the graph")).to_contain_text("Norrund")
    assert page.evaluate(STOLEN)
    for link in page.locator("a[href]").all():
        assert re.match(r"(https?://|#|api/v1/|http://127)", link.get_attribute("href") or "")


def test_a_question_and_an_address_are_text_too(page: Page) -> None:
    evil = "<img src=x onerror=window.stolen=1>"
    turn = answer_to(page, evil)
    expect(turn.get_by_role("heading", level=2)).to_have_text(evil)
    for hash in (
        "/?graph=demo&question=%3Cimg%20src%3Dx%20onerror%3Dwindow.stolen%3D1%3E",
        "/graph?graph=demo&iri=javascript:window.stolen=1",
        "/conversations/..%2F..%2Fgraphs",
        "/turns/%E0%A4%A",
        "/reports/%3Cscript%3E",
    ):
        open_place(page, hash)
        page.wait_for_load_state("networkidle")
    assert page.evaluate(STOLEN)


def test_what_a_model_and_documents_said_is_text_and_can_be_looked_into(page: Page) -> None:
    page.route("**/api/v1/turns/*", lambda route: route.fulfill(json=TURN))
    open_place(page, f"/turns/{TURN['id']}")
    turn = last_turn(page)
    expect(turn.locator(".certainty")).to_contain_text("Likely 62%")
    for text in ("From the graph’s tables", "brave", "“Norrund” was taken for “Norund”"):
        expect(turn.locator(".certainty summary")).to_contain_text(text)
    turn.locator(".certainty summary").click()
    expect(turn.locator(".certainty")).to_contain_text("a person was asked for")
    expect(turn).to_contain_text("The evidence does not hold: 1950")
    evidence = turn.locator(".citations details")
    expect(evidence.get_by_text("Ola keeps the light.")).not_to_be_visible()
    turn.get_by_role("button", name="Evidence 1").first.click()
    expect(evidence.get_by_text("Ola keeps the light.")).to_be_visible()
    turn.get_by_role("button", name="How it came about").click()
    turn.get_by_role("button", name="Steps").click()
    turn.locator(".steps summary").first.click()
    expect(turn.locator(".steps pre").first).to_have_text(EVIL)
    expect(turn.locator(".steps .failed")).to_contain_text("the graph did not answer")
    turn.get_by_role("button", name="Cost and time").click()
    expect(turn.get_by_role("row", name=re.compile("Exploration 2 1 900 40"))).to_be_visible()
    turn.get_by_role("button", name="What others said").click()
    expect(turn.locator(".below")).to_contain_text(EVIL)
    turn.get_by_role("button", name="Query").click()
    expect(turn.get_by_role("textbox", name="Query editor")).to_contain_text("FROM lighthouse")
    assert page.evaluate(STOLEN)
    hrefs = [link.get_attribute("href") or "" for link in page.locator("a[href]").all()]
    assert not [href for href in hrefs if not re.match(r"https?://|#|api/v1/", href)]


def test_the_report_of_a_run_is_shown_and_two_runs_are_compared(page: Page) -> None:
    page.get_by_role("link", name="Runs").click()
    page.get_by_role("link", name="<b>small</b>").click()
    expect(page.get_by_role("heading", name="<b>small</b>")).to_be_visible()
    expect(page.get_by_role("row", name="set f 95% 85% – 100%")).to_be_visible()
    expect(page.get_by_role("row", name="Solver, no model 20 19 95% 0")).to_be_visible()
    open_place(page, "/reports")
    expect(page.get_by_text("triad run demo --out")).to_be_visible()
    page.get_by_role("link", name="after").click()
    page.get_by_label("Compare with").select_option("before")
    expect(page.get_by_role("row", name=re.compile(r"^set f 50% .* – .* 50% .* – .* 0% "))).to_be_visible()
    expect(page.get_by_role("heading", name="Better: 1")).to_be_visible()
    expect(page.get_by_role("row", name="Question 1? 0% 100%")).to_be_visible()
    expect(page.get_by_role("row", name="Question 2? 100% 0%")).to_be_visible()


def test_runs_are_in_nobodys_way_where_there_are_none(page: Page) -> None:
    page.route("**/api/v1/reports", lambda route: route.fulfill(json={"reports": []}))
    page.reload()
    expect(page.get_by_role("link", name="Query")).to_be_visible()
    expect(page.get_by_role("link", name="Runs")).to_have_count(0)


def test_a_thing_and_a_single_value_are_shown_with_a_picture_or_else_with_a_place(page: Page) -> None:
    page.route(PICTURES, lambda route: route.fulfill(path=PICTURE))
    page.get_by_role("combobox", name="Graphs").select_option("Places")
    expect(page.locator(".card").get_by_role("img", name="Picture of Norrund")).to_be_visible()
    turn = answer_to(page, "What is the height of Norrund?")
    expect(turn.locator(".headline")).to_have_text("41")
    expect(turn.get_by_role("img", name="Picture of Norrund")).to_be_visible()
    turn = answer_to(page, "What is the height of Sudrund?")
    expect(turn.locator(".headline")).to_have_text("27")
    expect(turn.locator(".map circle")).to_have_count(1)
    open_place(page, "/graph?graph=places&iri=http%3A%2F%2Fexample.org%2FNorrund")
    expect(page.get_by_role("img", name="Picture of Norrund")).to_be_visible()
    expect(page.locator(".map circle")).to_have_count(1)


def test_a_picture_that_cannot_be_had_is_a_link(page: Page) -> None:
    page.route(PICTURES, lambda route: route.abort())
    open_place(page, "/graph?graph=places&iri=http%3A%2F%2Fexample.org%2FNorrund")
    link = page.get_by_role("link", name="Picture of Norrund")
    expect(link).to_have_attribute("href", "https://pictures.invalid/norrund.png")


def test_nothing_but_pictures_that_the_graph_names_is_asked_of_another_server(page: Page, server: Server) -> None:
    asked: list[str] = []
    places = (ROOT / "configs/demo/places.ttl").read_text(encoding="utf-8")
    pictures = set(re.findall(r'"(https://[^"]+)"\^\^xsd:anyURI', places))
    page.route("https://commons.wikimedia.org/**", lambda route: route.fulfill(path=PICTURE))
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    answer_to(page, "Which rivers flow through Germany?")
    turn = answer_to(page, "sort by length")
    turn.get_by_role("button", name="Chart").click()
    expect(turn.locator("canvas").first).to_be_visible()
    turn.get_by_role("button", name="Query").click()
    expect(turn.get_by_role("textbox", name="Query editor")).to_be_visible()
    elsewhere = {address for address in asked if not address.startswith((server.address, "blob:", "data:"))}
    assert pictures
    assert elsewhere <= pictures


def test_the_page_speaks_eleven_languages(page: Page) -> None:
    # One page that is loaded again takes a third of what pages of their own take.
    visitor = page.context.new_cdp_session(page)
    agent = page.evaluate("navigator.userAgent")
    for language in LANGUAGES:
        visitor.send("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": language})
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "fa" else "ltr")
        word = page.get_by_role("search").get_by_role("button")
        if language != "en":
            expect(word).not_to_have_text("Ask")
        expect(page.locator(".samples .chips button").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), language


def test_a_language_and_colours_are_chosen_and_kept(page: Page) -> None:
    page.locator(".settings summary").click()
    page.get_by_label("Colours").select_option("dark")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("link", name="Neues Gespräch")).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="Neues Gespräch")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_closed_server_asks_for_a_key(browser: Browser, server: Server, tmp_path: Path) -> None:
    closed = Server(tmp_path, {"graphs": "{demo: demo}", "open": "false"})
    closed.start()
    context = browser.new_context(locale="en-GB")
    try:
        page = context.new_page()
        page.goto(closed.address)
        page.get_by_label("Key").fill("triad_wrong")
        page.get_by_role("button", name="Open").click()
        expect(page.get_by_role("alert")).to_contain_text("does not know this key")
        page.get_by_label("Key").fill(closed.new_key("ann"))
        page.get_by_role("button", name="Open").click()
        expect(answer_to(page, "Who founded Intel?")).to_contain_text("Gordon Moore")
        # A key for questions alone shows no reports, and leaves when it is told to.
        expect(page.get_by_role("link", name="Runs")).to_have_count(0)
        page.locator(".settings summary").click()
        page.get_by_role("button", name="Leave (ann)").click()
        expect(page.get_by_label("Key")).to_be_visible()
    finally:
        context.close()
        closed.kill()


@pytest.mark.skipif(IMAGES is None, reason="TRIAD_SCREENSHOTS names no folder for the pictures of the documentation")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_for_the_documentation_are_made(context: BrowserContext, server: Server, scheme: str) -> None:
    folder = Path(IMAGES or "")
    page = context.new_page()
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": 1200, "height": 1100})
    page.goto(server.address)
    answer_to(page, "Which rivers flow through Germany?")
    turn = answer_to(page, "sort by length")
    turn.get_by_role("button", name="Chart").click()
    expect(turn.locator("canvas").first).to_be_visible()
    page.screenshot(path=folder / f"page-answer-{scheme}.png")
    turn.get_by_role("button", name="How it came about").click()
    expect(turn.locator(".fact-graph canvas").first).to_be_visible()
    turn.locator(".inspector").scroll_into_view_if_needed()
    page.screenshot(path=folder / f"page-facts-{scheme}.png")
    turn.get_by_role("button", name="Query").click()
    expect(turn.get_by_role("textbox", name="Query editor")).to_be_visible()
    turn.locator(".query-panel").scroll_into_view_if_needed()
    page.screenshot(path=folder / f"page-query-{scheme}.png")
