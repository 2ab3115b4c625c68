"""Nine journeys of somebody who sees the page for the first time, each as a whole, from the start to where it leads.

The checker of accessibility looks at every stop, where it is there. TRIAD_JOURNEYS names a folder for pictures of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, Literal

import pytest

pytest.importorskip("playwright.sync_api", reason="the browser's driver is not there: pip install playwright")

from playwright.sync_api import Browser, Page, expect

from tests.web.asking import AXE, answer_to, findings, last_turn
from tests.web.conftest import PATIENCE, Server

pytestmark = pytest.mark.slow(2)

JOURNEYS = os.environ.get("TRIAD_JOURNEYS")
PICTURE = Path(__file__).parent / "graphs" / "picture.png"
Enter = Callable[..., Page]
Look = Callable[..., None]
Scheme = Literal["light", "dark"]


@pytest.fixture
def enter(browser: Browser, server: Server) -> Iterator[Enter]:
    """Open the page as a new visitor, with options of a browser's context. Errors of scripts fail the test."""
    complaints: list[str] = []
    with ExitStack() as opened:

        def entered(**options: Any) -> Page:
            usual = {"locale": "en-GB", "viewport": {"width": 1200, "height": 900}}
            # The page's policy would refuse the checker of accessibility.
            context = browser.new_context(bypass_csp=True, reduced_motion="reduce", **{**usual, **options})
            opened.callback(context.close)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.route("https://commons.wikimedia.org/**", lambda route: route.fulfill(path=PICTURE))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(server.address)
            return page

        yield entered
    assert complaints == []


@pytest.fixture
def look(request: pytest.FixtureRequest) -> Look:
    """Look at a stop: nobody is shut out of it, it is no wider than its window, and a picture of it is taken."""
    stops = count(1)

    def looked(page: Page, *schemes: Scheme) -> None:
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for scheme in schemes or ("light",):
            page.emulate_media(color_scheme=scheme)
            assert not AXE.is_file() or findings(page) == [], scheme
            if JOURNEYS:
                name = f"{request.node.name.removeprefix('test_')}-{next(stops)}.png"
                page.screenshot(path=Path(JOURNEYS) / name)

    return looked


def title_of(page: Page, name: str) -> None:
    """Expect a page of a class, a relation or a thing."""
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def test_from_the_start_to_a_thing_its_class_and_a_question_about_it(enter: Enter, look: Look) -> None:
    page = enter()
    expect(page.get_by_role("link", name="film", exact=True)).to_be_visible()
    look(page, "light", "dark")
    turn = answer_to(page, "Which rivers flow through Germany?")
    expect(turn.get_by_role("link", name="Rhine", exact=True).first).to_be_visible()
    look(page, "light", "dark")
    turn.get_by_role("button", name="How it came about").click()
    expect(turn.get_by_role("button", name="Steps")).to_be_visible()
    expect(turn).to_contain_text("Danube")
    look(page, "light", "dark")
    turn.get_by_role("link", name="Rhine", exact=True).first.click()
    title_of(page, "Rhine")
    expect(page.get_by_text("51.98°, 4.08°")).to_be_visible()
    look(page, "light", "dark")
    page.get_by_role("link", name="river", exact=True).click()
    title_of(page, "river")
    expect(page.get_by_role("row", name=re.compile("^Amazon River"))).to_be_visible()
    look(page, "light", "dark")
    page.get_by_role("row").get_by_role("link", name="Danube", exact=True).click()
    title_of(page, "Danube")
    page.get_by_role("button", name=re.compile("Danube.*[?]$")).first.click()
    expect(last_turn(page)).to_contain_text("Sure")
    look(page, "light", "dark")


def test_one_question_leads_to_the_next(enter: Enter, look: Look) -> None:
    page = enter()
    answer_to(page, "Which films did Stanley Kubrick direct?")
    turn = answer_to(page, "oldest first")
    expect(turn.get_by_role("list", name="Timeline")).to_contain_text("July 16, 1999 Eyes Wide Shut")
    turn = answer_to(page, "only long films")
    expect(turn.get_by_role("link", name="Eyes Wide Shut", exact=True).first).to_be_visible()
    expect(turn.get_by_role("link", name="The Shining", exact=True)).to_have_count(0)
    look(page)
    expect(answer_to(page, "how many are that?")).to_contain_text("1")
    page.reload()
    expect(page.get_by_role("article")).to_have_count(4)
    look(page)


def test_what_is_not_known_leads_to_what_is(enter: Enter, look: Look) -> None:
    page = enter()
    turn = answer_to(page, "What is the blood type of Gordon Moore?")
    expect(turn).to_contain_text("I don’t know")
    expect(turn).to_contain_text("blood type")
    look(page)
    turn.get_by_role("button", name=re.compile("[?]$")).first.click()
    expect(page.get_by_role("article")).to_have_count(2)
    expect(last_turn(page)).to_contain_text("Sure")
    look(page)


def test_a_name_of_several_things_is_asked_back_and_chosen(enter: Enter, look: Look) -> None:
    page = enter()
    turn = answer_to(page, "What is Dune?")
    expect(turn).to_contain_text("Which one do you mean?")
    look(page)
    turn.get_by_role("listitem").get_by_role("button", name=re.compile("1965 novel")).click()
    expect(page.get_by_role("article")).to_have_count(2)
    expect(last_turn(page)).not_to_contain_text("Which one do you mean?")
    expect(last_turn(page)).to_contain_text("Frank Herbert")
    look(page)


def test_places_are_on_a_map_that_leads_to_them(enter: Enter, look: Look) -> None:
    page = enter()
    turn = answer_to(page, "Which major cities are there?")
    turn.get_by_role("button", name="Map").click()
    places = turn.get_by_role("group", name="Places on a map: 19")
    expect(places.get_by_role("link", name="Kyoto")).to_be_visible()
    look(page, "light", "dark")
    turn.get_by_role("button", name="Whole world").click()
    look(page, "light", "dark")
    places.get_by_role("link", name="Kyoto").click()
    title_of(page, "Kyoto")
    expect(page.get_by_role("group", name="Places on a map: 1")).to_be_visible()
    look(page, "light", "dark")


def test_a_query_is_written_by_hand(enter: Enter, look: Look) -> None:
    page = enter()
    page.get_by_role("link", name="Query", exact=True).click()
    editor = page.get_by_role("textbox", name="Query editor")
    expect(editor).to_be_visible()
    look(page)
    editor.press("Control+a")
    editor.press_sequentially("SELECT ?film { ?film dbo:director Kubric")
    page.get_by_role("option", name=re.compile("Stanley Kubrick")).click()
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("link", name="The Shining", exact=True)).to_be_visible()
    look(page)


def test_a_name_is_searched_and_opened_with_enter(enter: Enter, look: Look) -> None:
    page = enter()
    page.get_by_role("link", name="Graph", exact=True).click()
    search = page.get_by_role("searchbox", name="Search a name")
    search.fill("einst")
    expect(page.get_by_role("status", name="Names in the graph")).to_contain_text("Albert Einstein")
    look(page)
    search.fill("Albert Einstein")
    search.press("Enter")
    title_of(page, "Albert Einstein")
    expect(page.get_by_role("img", name="Picture of Albert Einstein")).to_be_visible()
    look(page)
    page.get_by_role("button", name="When was Albert Einstein born?").click()
    expect(last_turn(page)).to_contain_text("March 14, 1879")
    look(page)


def test_in_german(enter: Enter, look: Look) -> None:
    page = enter(locale="de-DE")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("link", name="Neues Gespräch")).to_be_visible()
    look(page)
    question = page.get_by_role("search").get_by_role("combobox")
    question.fill("Wie lang ist der Rhein?")
    question.press("Enter")
    expect(last_turn(page)).to_contain_text("1.230 km")
    question.fill("Welche Flüsse fließen durch Deutschland?")
    question.press("Enter")
    expect(last_turn(page).get_by_role("link", name="Donau", exact=True).first).to_be_visible()
    look(page)


def test_in_persian_on_a_phone(enter: Enter, look: Look) -> None:
    page = enter(locale="fa-IR", viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    look(page)
    page.get_by_role("search").get_by_role("combobox").fill("پایتخت آلمان کجاست؟")
    page.get_by_role("search").get_by_role("button").tap()
    berlin = last_turn(page).get_by_role("link", name="Berlin", exact=True)
    expect(berlin.first).to_be_visible()
    look(page)
    berlin.first.tap()
    title_of(page, "Berlin")
    look(page)
