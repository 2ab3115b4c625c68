"""Hostile documents and reports of runs: the page shows them as text, runs nothing, and asks nobody else."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator

import pytest

pytest.importorskip("playwright.sync_api", reason="the browser's driver is not there: pip install playwright")

from playwright.sync_api import Page, expect

from tests.models.openai_server import Server as Model, completion
from tests.retrieval.evidence_world import reply
from tests.web.asking import answer_to, open_place
from tests.web.conftest import GRAPHS, TRIAD, Server
from tests.web.turns import EVIL

pytestmark = pytest.mark.slow(2)

SAID = f"Ola has kept the light of Norrund since 1950 {EVIL}"
DOCUMENTS = {
    # As Markdown, with markup of HTML in it, a link that is a script, and a picture of another server.
    f"terms {EVIL}.md": f"""# Keepers <script>window.stolen=1</script>

{SAID}. [More](javascript:window.stolen=1) <a href="javascript:window.stolen=1" onclick="window.stolen=1">more</a>
![spy](https://pictures.invalid/spy.png) <iframe src="javascript:parent.stolen=1"></iframe>
""",
    # As HTML, with what is markup only for whoever reads the text as HTML once more.
    "keepers.html": """<html><head><title>&lt;img src=x onerror=window.stolen=1&gt;</title>
<script>window.stolen=1</script></head><body onload="window.stolen=1">
<h1>Keepers of lights</h1><p>The keepers of Sudrund are paid by
&lt;svg onload=window.stolen=1&gt; the harbour &lt;script&gt;window.stolen=1&lt;/script&gt;.</p></body></html>""",
}
FIGURE = {"mean": 0.5, "low": None, "high": None}
USAGE = {"calls": 1, "cached": 0, "input_tokens": 9, "output_tokens": 9, "money": 0.1, "seconds": 0.1}
REPORTS = {
    "marked-up": {
        "name": EVIL,
        "title": f"title {EVIL}",
        "graph": "javascript:window.stolen=1",
        "dataset": "<script>window.stolen=1</script>",
        "model": "<iframe srcdoc='<script>parent.stolen=1</script>'>",
        "questions": 3,
        "asked": 3,
        "failed": 0,
        "finished": "<img src=x onerror=window.stolen=1>",
        "scores": {EVIL: FIGURE},
        "rungs": {EVIL: {"climbed": 1, "answered": 1, "score": 0.5, "usage": USAGE}},
        "latency": {EVIL: {"mean": 1, "p50": 1, "p95": 1}},
        "usage": USAGE,
    },
    # Objects that a page which trusts them would take for elements, and shapes that no report has.
    "objects": {
        "name": {"type": "img", "props": {"src": "x", "onerror": "window.stolen=1"}, "constructor": None},
        "graph": {"dangerouslySetInnerHTML": {"__html": EVIL}},
        "scores": {"f": {"mean": EVIL}},
        "rungs": [],
        "usage": {"calls": EVIL},
        "__proto__": {"stolen": 1},
    },
    "empty": {},
    "list": [EVIL],
}


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    """A model that says what hostile documents say."""
    server = Model()
    said = reply(sentences=[(f"{SAID}.", [1])], values=[EVIL])
    server.rule = lambda _: (200, completion(said))
    yield server
    server.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model: Model) -> Iterator[Server]:
    """A server of a graph with hostile documents, with a model and without one, and with hostile reports."""
    pytest.importorskip("triad.server.app", reason="the server is not there: pip install 'triad-kgqa[server]'")
    folder = tmp_path_factory.mktemp("attacked")
    for place, files in (("documents", DOCUMENTS), ("runs", {name: json.dumps(one) for name, one in REPORTS.items()})):
        for name, text in files.items():
            path = folder / place / (name if place == "documents" else f"{name}/report.json")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    (folder / "found.yaml").write_text("graph: index\nmodel: none\n", encoding="utf-8")
    route = "route: {rungs: [retrieval]}\nretrieval: {branches: [passages]}"
    (folder / "read.yaml").write_text(f"graph: index\nmodel: openai:m@{model.url}\n{route}\n", encoding="utf-8")
    found = Server(
        folder,
        {"graphs": "{read: read.yaml, found: found.yaml}", "runs": "runs", "inspect": "true", "pictures": "false"},
    )
    sources = ["--passages", "--documents", "documents"]
    subprocess.run(
        [*TRIAD, "-q", "index", str(GRAPHS / "places.ttl"), "--to", "index", *sources],
        cwd=folder,
        env=found.environment,
        check=True,
    )
    found.start()
    yield found
    found.kill()


@pytest.fixture
def elsewhere(page: Page, server: Server) -> Iterator[list[str]]:
    """Addresses of other servers that the page asked for; at the end there are none, and nothing has run."""
    asked: list[str] = []
    own = (server.address, "blob:", "data:")
    page.on("request", lambda request: None if request.url.startswith(own) else asked.append(request.url))
    yield asked
    assert page.evaluate("window.stolen === undefined && Object.prototype.stolen === undefined")
    assert page.locator("iframe, img[src=x], script:not([src]), [onerror], [onload], [onclick]").count() == 0
    for link in page.locator("a[href]").all():
        assert re.match(r"https?://|#|api/v1/", link.get_attribute("href") or "")
    assert asked == []


def test_what_an_answer_cites_of_hostile_documents_is_text(page: Page, elsewhere: list[str]) -> None:
    turn = answer_to(page, "Who keeps the light of Norrund since 1950?")
    expect(turn.locator(".sentences")).to_contain_text(SAID)
    turn.get_by_role("button", name="Evidence 1").first.click()
    evidence = turn.locator(".citations details").first
    expect(evidence.locator(".evidence")).to_contain_text(SAID)
    expect(evidence).to_contain_text(f"terms {EVIL}.md")
    turn.get_by_role("button", name="How it came about").click()
    turn.get_by_role("button", name="Steps").click()
    expect(turn.locator(".steps pre").filter(has_text=EVIL).first).to_be_attached()  # all() waits for nothing
    for step in turn.locator(".steps summary").all():
        step.click()
    expect(turn.locator(".steps pre").filter(has_text=EVIL).first).to_be_visible()


def test_passages_that_no_model_read_are_text(page: Page, elsewhere: list[str]) -> None:
    page.get_by_role("combobox", name="Graphs").select_option("found")
    for question, text in (
        ("Since when is the light of Norrund kept by Ola?", EVIL),
        ("Who is paid by the harbour?", "<svg onload=window.stolen=1>"),
    ):
        turn = answer_to(page, question)
        expect(turn.get_by_role("heading", name="Passages that may help")).to_be_visible()
        passage = turn.locator(".citations details").filter(has_text=text).first
        passage.locator("summary").click()
        expect(passage.locator(".evidence")).to_contain_text(text)


def test_a_hostile_report_is_text_and_leaves_the_page_whole(page: Page, elsewhere: list[str]) -> None:
    for name in REPORTS:
        page.get_by_role("link", name="Runs", exact=True).click()
        expect(page.locator(".reports li")).to_have_count(len(REPORTS))
        open_place(page, f"/reports/{name}")
        expect(page.locator(".reports li")).to_have_count(0)
        if name == "marked-up":
            expect(page.get_by_role("heading", level=1)).to_have_text(EVIL)
            expect(page.get_by_role("row", name=EVIL)).to_have_count(3)
        else:
            expect(page.get_by_role("alert")).to_contain_text("is no report of a run")
        page.get_by_role("link", name="Graph", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_pictures_of_other_servers_are_links_where_the_settings_forbid_them(page: Page, elsewhere: list[str]) -> None:
    policies: list[str] = []
    page.on("response", lambda response: policies.append(response.headers.get("content-security-policy", "")))
    page.reload()
    open_place(page, "/graph?graph=found&iri=http%3A%2F%2Fexample.org%2FNorrund")
    link = page.get_by_role("link", name="Picture of Norrund")
    expect(link).to_have_attribute("href", "https://pictures.invalid/norrund.png")
    assert page.locator("main img").count() == 0
    assert policies
    assert all("img-src 'self' data:;" in policy for policy in policies)
