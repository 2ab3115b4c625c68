"""What people do with the page, from the first visit on, each in a browser with a real server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("playwright.sync_api", reason="the browser's driver is not there: pip install playwright")

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.web.asking import answer_to, box, last_turn, open_place
from tests.web.conftest import Server

pytestmark = pytest.mark.slow(2)

SLOWLY = """() => {
  const asked = window.fetch;
  window.fetch = async (address, options) => {
    const response = await asked(address, options);
    if (!String(address).endsWith("/ask")) return response;
    const events = (await response.text()).split("\\n\\n").filter(Boolean);
    const body = new ReadableStream({
      async pull(controller) {
        await new Promise((done) => setTimeout(done, 300));
        const event = events.shift();
        if (event) controller.enqueue(new TextEncoder().encode(event + "\\n\\n"));
        else controller.close();
      },
    });
    return new Response(body, { headers: response.headers });
  };
}"""
"""Has the events of a question come one by one, as those of a model do."""


def test_a_first_visit_leads_to_an_answer(page: Page) -> None:
    expect(page.get_by_role("heading", name="Try one of these")).to_be_visible()
    box(page).press_sequentially("Which rivers flow through Germ")
    names = page.get_by_role("listbox", name="Names in the graph")
    expect(names.get_by_role("option").first).to_contain_text("German")
    box(page).press("ArrowDown")
    box(page).press("Enter")
    expect(box(page)).to_have_value(re.compile("Which rivers flow through German"))
    turn = answer_to(page, "Which rivers flow through Germany?")
    for river in ("Main", "Danube", "Elbe", "Rhine"):
        expect(turn.get_by_role("link", name=river, exact=True).first).to_be_visible()
    expect(turn.locator(".certainty")).to_contain_text("Sure")
    expect(page.get_by_role("navigation", name="Conversations")).to_contain_text("Which rivers flow")
    turn.get_by_role("link", name="Rhine", exact=True).first.click()
    expect(page.get_by_role("heading", name="Rhine")).to_be_visible()
    page.go_back()
    expect(last_turn(page).get_by_role("link", name="Rhine", exact=True).first).to_be_visible()
    page.get_by_role("link", name="New conversation").click()
    page.locator(".samples .chips button").first.click()
    expect(last_turn(page).locator(".certainty")).to_be_visible()


def test_a_follow_up_changes_the_last_answer(page: Page) -> None:
    answer_to(page, "Which rivers flow through Germany?")
    turn = answer_to(page, "only those longer than 1000 km")
    expect(turn).to_contain_text("Understood as")
    expect(turn.get_by_role("link", name="Rhine (1,230 km)", exact=True).first).to_be_visible()
    expect(turn.get_by_role("link", name="Main", exact=True)).to_have_count(0)
    expect(answer_to(page, "how many are that?").locator(".headline")).to_have_text("3")


def test_what_is_unknown_is_said_with_what_is_near(page: Page) -> None:
    turn = answer_to(page, "Who is the mayor of Atlantis?")
    expect(turn.locator(".headline")).to_have_text("I don’t know")
    expect(turn).to_contain_text("nothing in the graph is called Atlantis")
    turn.get_by_role("button", name="Atlantic").click()
    expect(page.locator("article.turn:not(.pending)")).to_have_count(2)
    expect(last_turn(page).get_by_role("heading", level=2)).to_have_text("Who is the mayor of Atlantic?")


def test_another_reading_is_one_click_away(page: Page) -> None:
    turn = answer_to(page, "Which lake is the largest?")
    reading = turn.locator(".readings button").first
    text = reading.inner_text()
    reading.click()
    expect(page.locator("article.turn:not(.pending)")).to_have_count(2)
    expect(last_turn(page).get_by_role("heading", level=2)).to_have_text(text)


def test_numbers_of_things_become_a_chart_and_files(page: Page, tmp_path: Path) -> None:
    def downloaded(turn: Locator, name: str) -> bytes:
        with page.expect_download() as download:
            turn.get_by_role("button", name=name).click()
        download.value.save_as(tmp_path / "saved")
        return (tmp_path / "saved").read_bytes()

    turn = answer_to(page, "How long are the rivers that flow through Germany?")
    expect(turn.get_by_role("row", name=re.compile("Danube.*2,?850"))).to_be_visible()
    answer_to(page, "Which rivers flow through Germany?")
    turn = answer_to(page, "sort by length")
    cells = turn.locator("tbody tr td:first-child")
    expect(cells.first).to_contain_text("Danube")
    turn.get_by_role("button", name="length").click()
    expect(cells.first).to_contain_text("Main")
    lines = downloaded(turn, "CSV").decode().splitlines()
    assert lines[:2] == ["river,river (IRI),length", "Main,http://dbpedia.org/resource/Main_(river),527"]
    assert json.loads(downloaded(turn, "JSON"))[0]["length"]["value"] == "527"
    first, second, *_ = downloaded(turn, "Markdown").decode().splitlines()
    assert (first, second) == ("| river | length |", "| --- | --- |")
    turn.get_by_role("button", name="Chart").click()
    expect(turn.locator(".drawing[data-drawn=bars] canvas")).to_be_visible()
    assert downloaded(turn, "Download SVG").startswith(b"<svg")
    turn.get_by_role("button", name="Line").click()
    expect(turn.locator(".drawing[data-drawn=line] canvas")).to_be_visible()
    assert downloaded(turn, "Download PNG").startswith(b"\x89PNG")
    turn.get_by_role("button", name="How it came about").click()
    expect(turn.locator(".fact-graph[data-drawn]")).to_be_visible()
    assert downloaded(turn.locator(".facts"), "Download PNG").startswith(b"\x89PNG")


def test_dates_become_a_timeline(page: Page) -> None:
    answer_to(page, "Which films did Stanley Kubrick direct?")
    turn = answer_to(page, "with their release dates")
    turn.get_by_role("button", name="Timeline").click()
    expect(turn.locator(".timeline li").first).to_contain_text("2001: A Space Odyssey")
    expect(turn.locator(".timeline li").last).to_contain_text("Eyes Wide Shut")


def test_an_answer_tells_how_it_came_about(page: Page) -> None:
    turn = answer_to(page, "Which rivers flow through Germany?")
    turn.get_by_role("button", name="How it came about").click()
    expect(turn.locator(".fact-graph[data-drawn='8'] canvas").first).to_be_visible()
    expect(turn.locator(".fact-list .path")).to_have_count(4)
    turn.get_by_role("button", name="Steps").click()
    expect(turn.get_by_role("heading", name="Building queries").first).to_be_visible()
    step = turn.locator(".steps details", has_text="execute").first
    step.locator("summary").click()
    expect(step.locator("pre").first).to_contain_text("SELECT")
    turn.get_by_role("button", name="Cost and time").click()
    expect(turn.get_by_role("row", name=re.compile("Total"))).to_be_visible()


def test_how_sure_an_answer_is_opens_to_what_its_words_became_and_what_the_number_means(page: Page) -> None:
    turn = answer_to(page, "Which rivers flow through Germany?")
    turn.locator(".certainty summary").click()
    became = turn.locator(".gloss div", has_text="Germany").get_by_role("link")
    expect(became).to_have_attribute("href", re.compile("http%3A%2F%2Fdbpedia.org%2Fresource%2FGermany$"))
    expect(turn.locator(".certainty")).to_contain_text(re.compile(r"About \d\d of 100 such answers are right"))


def test_a_query_is_changed_and_run_under_the_guard(page: Page) -> None:
    turn = answer_to(page, "Which rivers flow through Germany?")
    turn.get_by_role("button", name="Query").click()
    editor = turn.get_by_role("textbox", name="Query editor")
    expect(editor).to_contain_text("dbo:country")
    editor.press("Control+End")
    editor.press_sequentially("\nORDER BY ?river LIMIT 2")
    editor.press("Control+Enter")
    panel = turn.get_by_role("region", name="Query")
    expect(panel.locator("tbody tr")).to_have_count(2)
    editor.press("Control+a")
    editor.press_sequentially("INSERT DATA {{ <http://a.example/> a <http://b.example/> ")
    panel.get_by_role("button", name="Run").click()
    expect(panel.get_by_role("alert")).to_be_visible()
    panel.get_by_role("button", name="As it was").click()
    expect(editor).to_contain_text("dbo:country")


def test_the_editor_completes_the_terms_of_the_graph(page: Page) -> None:
    open_place(page, "/query?graph=demo")
    editor = page.get_by_role("textbox", name="Query editor")
    editor.press("Control+a")
    editor.press_sequentially("SELECT ?film { ?film dbo:director Kubric")
    page.get_by_role("option", name=re.compile("Stanley Kubrick")).click()
    expect(editor).to_contain_text("dbr:Stanley_Kubrick")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("tbody tr")).to_have_count(4)


def test_feedback_is_used_by_the_next_question(page: Page) -> None:
    question = "Which waters does the Loreley look down on?"
    turn = answer_to(page, question)
    expect(turn.get_by_role("link", name="Rhine", exact=True)).to_have_count(0)
    turn.get_by_role("button", name="Query").click()
    editor = turn.get_by_role("textbox", name="Query editor")
    editor.press("Control+a")
    page.keyboard.insert_text(
        "SELECT ?river { ?river a <http://dbpedia.org/ontology/River> ; "
        "<http://dbpedia.org/ontology/country> <http://dbpedia.org/resource/Germany> }"
    )
    turn.get_by_role("button", name="Run").click()
    expect(turn.locator(".query-panel tbody tr")).to_have_count(4)
    turn.get_by_role("button", name="This is the right query").click()
    expect(turn.locator(".query-panel")).to_contain_text("Later questions are answered with it.")
    page.get_by_role("link", name="New conversation").click()
    turn = answer_to(page, question)
    expect(turn.get_by_role("link", name="Rhine", exact=True).first).to_be_visible()
    expect(turn).to_contain_text("A person confirmed the query of this question.")


def test_an_answer_is_found_right_and_that_is_taken_back(page: Page) -> None:
    turn = answer_to(page, "Who founded Intel?")
    right = turn.get_by_role("button", name="Right")
    right.click()
    expect(turn).to_contain_text("Later questions are answered with it.")
    expect(right).to_have_attribute("aria-pressed", "true")
    right.click()
    expect(right).to_have_attribute("aria-pressed", "false")


def test_of_a_wrong_answer_one_tells_what_was_wrong(page: Page) -> None:
    turn = answer_to(page, "Who founded Intel?")
    turn.get_by_role("button", name="Wrong").click()
    turn.get_by_role("checkbox", name="Intel → Intel").check()
    turn.get_by_role("textbox", name="What was wrong?").fill("I meant another one")
    with page.expect_response("**/feedback") as response:
        turn.get_by_role("button", name="Save").click()
    assert response.value.json()["comment"] == "Intel → Intel; I meant another one"
    expect(turn.get_by_role("checkbox")).to_have_count(0)
    expect(turn).to_contain_text("It was noted.")


def test_a_new_topic_is_begun_from_the_box(page: Page) -> None:
    answer_to(page, "Who founded Intel?")
    box(page).fill("How long is the Rhine?")
    page.get_by_role("search").get_by_role("button", name="New conversation").click()
    expect(page.locator("article.turn")).to_have_count(0)
    expect(box(page)).to_have_value("How long is the Rhine?")
    expect(box(page)).to_be_focused()
    box(page).press("Enter")
    expect(page.locator("article.turn:not(.pending)")).to_have_count(1)
    expect(page.get_by_role("navigation", name="Conversations").get_by_role("listitem")).to_have_count(2)


def test_a_conversation_goes_on_after_a_reload(page: Page) -> None:
    answer_to(page, "Who founded Intel?")
    address = page.url
    page.reload()
    expect(last_turn(page).get_by_role("link", name="Gordon Moore", exact=True)).to_be_visible()
    assert page.url == address
    expect(answer_to(page, "which of the two is older?")).to_contain_text("Robert Noyce")


def test_a_question_under_way_is_taken_up_after_a_reload(page: Page, server: Server) -> None:
    page.route("**/api/v1/ask", lambda route: None)  # the request hangs
    box(page).fill("Who founded Intel?")
    box(page).press("Enter")
    expect(page.locator("article.turn.pending")).to_be_visible()
    page.unroute_all()
    page.reload()
    expect(last_turn(page).get_by_role("link", name="Gordon Moore", exact=True)).to_be_visible()


def test_phases_are_shown_as_they_happen(page: Page) -> None:
    page.evaluate(SLOWLY)
    box(page).fill("Which rivers flow through Germany?")
    box(page).press("Enter")
    pending = page.locator("article.turn.pending")
    expect(pending.locator(".phases .now")).to_contain_text("Finding names in the graph")
    expect(pending.locator(".phases .now")).to_contain_text("Building queries")
    expect(pending.locator(".phases .done")).to_contain_text(["Finding names in the graph"])
    expect(last_turn(page).get_by_role("link", name="Rhine", exact=True).first).to_be_visible()
    expect(pending).to_have_count(0)


def test_a_question_is_stopped(page: Page) -> None:
    page.route("**/api/v1/ask", lambda route: None)
    box(page).fill("Who founded Intel?")
    box(page).press("Enter")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Nothing was kept of the question")).to_be_visible()
    expect(box(page)).to_have_value("Who founded Intel?")


def test_a_server_that_was_killed_is_waited_for(page: Page, server: Server) -> None:
    answer_to(page, "Who founded Intel?")
    server.kill()
    try:
        box(page).fill("Which rivers flow through Germany?")
        box(page).press("Enter")
        expect(page.get_by_text("The server cannot be reached.")).to_be_visible()
    finally:
        server.start()
    expect(page.locator("article.turn:not(.pending)")).to_have_count(2)
    expect(last_turn(page).get_by_role("link", name="Rhine", exact=True).first).to_be_visible()


def test_all_is_there_at_the_width_of_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    answer_to(page, "Which rivers flow through Germany?")
    turn = answer_to(page, "sort by length")
    turn.get_by_role("button", name="Chart").click()
    expect(turn.locator(".drawing[data-drawn=bars] canvas")).to_be_visible()
    turn.get_by_role("button", name="How it came about").click()
    expect(turn.locator(".fact-graph canvas").first).to_be_visible()
    for place in ("", "/graph?graph=demo", "/query?graph=demo", "/reports"):
        if place:
            open_place(page, place)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Conversations").click()
    page.get_by_role("navigation", name="Conversations").get_by_role("link", name="Which rivers").click()
    expect(page.locator("article.turn")).to_have_count(2)


def test_a_conversation_is_renamed_exported_and_deleted(page: Page, tmp_path: Path) -> None:
    answer_to(page, "Who founded Intel?")
    side = page.get_by_role("navigation", name="Conversations")
    side.locator(".menu summary").click()
    with page.expect_download() as download:
        side.get_by_role("link", name="Download Markdown").click()
    download.value.save_as(tmp_path / "chat.md")
    assert "Gordon Moore" in (tmp_path / "chat.md").read_text(encoding="utf-8")
    side.get_by_role("button", name="Rename").click()
    side.get_by_role("textbox", name="Rename").fill("Chips")
    side.get_by_role("button", name="Save").click()
    expect(side.get_by_role("link", name="Chips")).to_be_visible()
    side.locator(".menu summary").click()
    side.get_by_role("button", name="Delete").click()
    side.get_by_role("button", name="Delete").click()
    expect(side.get_by_role("link", name="Chips")).to_have_count(0)
    expect(page.locator("article.turn")).to_have_count(0)


def test_a_link_opens_an_answer_and_another_one_fills_the_box(
    page: Page, context: BrowserContext, server: Server
) -> None:
    turn = answer_to(page, "Who founded Intel?")
    link = turn.locator("footer a[href*=turns]").evaluate("link => link.href")
    other = context.new_page()
    other.goto(link)
    expect(other.locator("article.turn")).to_contain_text("Gordon Moore")
    other.goto("about:blank")
    other.goto(f"{server.address}/#/?graph=demo&question=Who+founded+Intel%3F")
    expect(box(other)).to_have_value("Who founded Intel?")
    expect(other.locator("article.turn")).to_have_count(0)


def test_a_graph_that_an_address_names_is_the_only_one_that_is_asked(page: Page) -> None:
    expect(page.locator(".samples .chips button").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "graph=" in request.url else None)
    open_place(page, "/graph?graph=places&iri=http%3A%2F%2Fexample.org%2FNorrund")
    expect(page.get_by_role("heading", level=1)).to_have_text("Norrund")
    page.wait_for_load_state("networkidle")
    assert asked
    assert all("graph=places" in address for address in asked)


def test_an_empty_board_tells_how_something_comes_on_it(page: Page) -> None:
    page.get_by_role("link", name="Board").click()
    expect(page.get_by_role("main")).to_contain_text("choose “Pin to the board” under an answer")


def test_answers_are_pinned_to_a_board_in_order_and_opened_by_others(page: Page, browser: Browser) -> None:
    for question in (
        "Who founded Intel?",
        "Is Intel a company?",
        "Which rivers flow through Germany?",
        "sort by length",
    ):
        turn = answer_to(page, question)
        if question.startswith("Which"):
            continue
        turn.get_by_role("button", name="Pin to the board").click()
        expect(turn.get_by_role("link", name="Link for others")).to_be_visible()
        expect(turn.locator("footer a")).to_have_count(1)
    link = page.get_by_role("link", name="Link for others").first.evaluate("link => link.href")
    page.get_by_role("link", name="Board").click()
    cards = page.locator(".board .card")
    expect(cards).to_have_count(3)
    expect(cards.nth(0)).to_contain_text("Gordon Moore")
    expect(cards.nth(2).locator(".drawing[data-drawn=bars] canvas")).to_be_visible()
    cards.nth(2).get_by_role("button", name="↑").click()
    expect(cards.nth(1).locator(".drawing[data-drawn=bars] canvas")).to_be_visible()
    stranger = browser.new_page()
    stranger.goto(link)
    expect(stranger.locator(".card")).to_contain_text("Gordon Moore")
    expect(stranger.get_by_role("button", name="Pin to the board")).to_have_count(0)
    cards.nth(0).get_by_role("button", name="Pin to the board").click()
    expect(cards).to_have_count(2)
    stranger.reload()
    expect(stranger.get_by_role("alert")).to_contain_text("pinned no more")
    stranger.close()


def test_the_start_shows_main_classes_with_things_and_a_class_lists_its_things(page: Page, tmp_path: Path) -> None:
    card = page.locator(".samples .card").filter(has=page.get_by_role("link", name="film", exact=True))
    expect(card.get_by_role("link", name="The Godfather", exact=True)).to_be_visible()
    expect(page.locator(".samples .chips button")).to_have_count(6)
    expect(page.locator(".samples .card").get_by_role("link", name="agent", exact=True)).to_have_count(0)
    card.get_by_role("link", name="film", exact=True).click()
    expect(page.get_by_text("Rows: 32")).to_be_visible()
    expect(page.get_by_role("columnheader", name="film director")).to_be_visible()
    page.get_by_role("searchbox", name="Search a name: Things").fill("kubrick")
    expect(page.locator(".result tbody tr")).to_have_count(4)
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    download.value.save_as(tmp_path / "films.csv")
    assert "A Clockwork Orange" in (tmp_path / "films.csv").read_text(encoding="utf-8")


def test_enter_opens_the_best_match_and_a_thing_invites_questions(page: Page) -> None:
    open_place(page, "/graph?graph=demo")
    search = page.get_by_role("searchbox", name="Search a name")
    search.fill("film dir")
    expect(page.get_by_role("status", name="Names in the graph")).to_contain_text("Relation")
    search.fill("Stanley Kubrick")
    search.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Stanley Kubrick")
    page.get_by_role("button", name="When was Stanley Kubrick born?").click()
    expect(last_turn(page)).to_contain_text("July 26, 1928")


def test_queries_have_examples_from_the_graph_and_a_history(page: Page) -> None:
    open_place(page, "/query?graph=demo")
    page.get_by_role("link", name=re.compile("^city, country")).click()
    expect(page.get_by_role("textbox", name="Query editor")).to_contain_text("dbo:City")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("Rows: 20")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Asked")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^SELECT .*dbo:City"))).to_be_visible()


def test_a_query_is_told_in_words_and_its_parts_are_counted(page: Page) -> None:
    query = "SELECT ?film { ?film dbo:director dbr:Stanley_Kubrick }"
    open_place(page, f"/query?graph=demo&query={quote(query)}")
    editor = page.get_by_role("textbox", name="Query editor")
    page.get_by_role("button", name="What does this ask?").click()
    expect(page.get_by_text("Understood as: film director: Stanley Kubrick")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile(r"^\?film dbo:director dbr:Stanley_Kubrick 4 "))).to_be_visible()
    expect(editor.locator(".cm-line")).to_have_count(1)
    page.get_by_role("button", name="Format").click()
    expect(editor.locator(".cm-line", has_text=re.compile("^PREFIX dbo:"))).to_be_visible()
    expect(editor.locator(".cm-line", has_text=re.compile(r"^  \?film dbo:director"))).to_be_visible()


def test_the_editor_tells_what_a_name_is_and_where_a_query_cannot_be_read(page: Page) -> None:
    open_place(page, "/query?graph=demo")
    editor = page.get_by_role("textbox", name="Query editor")
    editor.press("Control+a")
    editor.press_sequentially("SELECT ?film {\n?film dbo:director dbr:Stanley_Kubrick")
    editor.locator(".cm-line", has_text="dbr:").hover(position={"x": 220, "y": 10})
    expect(page.locator(".cm-tooltip-hover strong")).to_have_text("Stanley Kubrick")
    page.keyboard.press("Escape")
    editor.press("Control+a")
    editor.press_sequentially("SELECT ?film { ?film nix:director ?who")
    editor.press("Control+Enter")
    expect(editor.locator(".cm-lintRange-error")).to_have_text("nix")
    expect(page.get_by_role("alert")).to_contain_text("is not declared")
