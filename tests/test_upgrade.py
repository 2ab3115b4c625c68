"""What a user of an earlier version has is opened, migrated, or told how it is made anew.

`tests/upgrade/make.sh` made it, with that version installed: configs with all keys, an index with tables and passages,
a run, chats, a server's database, saved answers, learned weights, and copies of a role and of all prompts.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from tests.server.site import PAGE, serving
from triad import resources
from triad.agent import Agent
from triad.cli.program import app
from triad.configs import load_config
from triad.conversation.conversation import Conversation
from triad.conversation.store import Store
from triad.doctor import examine
from triad.evaluation.summary import read_report
from triad.examples.nearest import read_pairs
from triad.indexing.layout import VERSION as INDEX_VERSION
from triad.models.keyring import load_preferences
from triad.prompts import load_prompt
from triad.server.settings import load_settings
from triad.server.state.tables import VERSION as STATE_VERSION

pytestmark = pytest.mark.slow(0.1)

MADE = Path(__file__).parent / "upgrade" / "made_by_1.0.tar.xz"
ENDE = "http://example.org/Ende"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a user of 1.0 has, which is also where the user is."""
    subprocess.run(["tar", "-xf", MADE, "-C", tmp_path], check=True)  # Python 3.11.2 has no filters yet
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIAD_SETTINGS", str(tmp_path / "settings"))
    return tmp_path


def told(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.output


@pytest.mark.slow
def test_a_config_with_all_keys_is_opened_with_its_index_weights_tables_passages_and_prompts(kept: Path) -> None:
    config = load_config("config.yaml")
    moved = [finding for finding in examine(config) if not finding.ok]  # by this test, and told like a changed graph
    assert {finding.check for finding in moved} == {"tables", "passages"}
    assert all("triad index" in finding.mend for finding in moved)
    with Agent.from_config(config) as agent:
        answer = agent.ask("Who wrote Momo?")
    assert [str(value.term) for value in answer.values] == [ENDE]


def test_prompts_are_filled_with_what_is_asked_for_today(kept: Path) -> None:
    copies = sorted((kept / "settings" / "prompts").glob("*.prompt"))
    assert len(copies) == 18
    shipped = resources.bundled_root() / "prompts"
    gone = [copy for copy in copies if not (shipped / copy.name).exists()]
    assert {copy.stem for copy in gone} == {"classify_context", "rewrite_question", "translate_question"}
    for copy in [one for one in copies if one not in gone]:
        prompt, today = load_prompt(copy), load_prompt(shipped / copy.name)
        inputs = {**prompt.examples[0], **today.examples[0]} if today.examples else dict.fromkeys(today.inputs, "a")
        assert prompt.render({name: inputs[name] for name in today.inputs}), copy.name


@pytest.mark.slow
def test_an_index_is_asked_as_it_is_and_made_anew_on_demand(kept: Path) -> None:
    assert json.loads((kept / "books" / "triad.json").read_text(encoding="utf-8"))["version"] < INDEX_VERSION
    assert "Ende" in told("ask", "Who wrote Momo?", "--graph", "books", "--model", "none")[1]
    query = "SELECT label FROM book WHERE pages > 400"
    assert told("tables", "query", query, "--graph", "books")[1].split()[-1] == "Emma"
    assert "men in grey" in told("passages", "search", "who steals the time", "--graph", "books")[1]
    code, said = told("index", "books.ttl", "--to", "books")
    assert code == 1
    assert "--overwrite" in said
    assert told("index", "books.ttl", "--to", "books", "--overwrite", "--tables")[0] == 0
    assert json.loads((kept / "books" / "triad.json").read_text(encoding="utf-8"))["version"] == INDEX_VERSION


@pytest.mark.slow
def test_a_run_is_reported_and_is_not_gone_on_with_by_other_defaults(kept: Path) -> None:
    report = read_report("run")
    assert (report.questions, report.asked, report.failed) == (2, 2, 0)
    code, said = told("run", "config.yaml", "--resume")
    assert code == 1
    assert "by a version with other defaults" in said
    config = yaml.safe_load((kept / "run" / "config.yaml").read_text(encoding="utf-8"))
    assert config["graph"] == "/srv/library/books"


def test_chats_are_gone_on_with(kept: Path) -> None:
    with Store("chats.db") as store, Agent("books") as agent:
        [stored] = store.list()
        chat = Conversation(agent, store=store, id=stored.id)
        assert len(chat.turns) == 2
        turn = chat.ask("and The Neverending Story?")
    assert turn.answer is not None
    assert [str(value.term) for value in turn.answer.values] == [ENDE]


def test_saved_answers_are_shown_and_are_examples(kept: Path) -> None:
    assert "Michael Ende" in told("show", "answer.json")[1]
    assert [pair.question for pair in read_pairs("answers.jsonl").pairs] == ["Who wrote Momo?"]
    assert load_preferences().default == "openai:gpt-4.1-mini"


@pytest.mark.slow
def test_a_servers_database_is_migrated_with_keys_sessions_conversations_and_feedback(kept: Path) -> None:
    changes = {"state": f"sqlite:///{kept / 'server.db'}", "session_days": 36_500}  # however old the session is by now
    settings = load_settings("server.yaml", changes)
    key, [turn] = (kept / "key.txt").read_text().strip(), (kept / "asked.txt").read_text().split()
    cookie = (kept / "cookies.txt").read_text().split()[-1]
    with serving(settings) as site, site.stranger() as client:
        own = {"Authorization": f"Bearer {key}"}
        [conversation] = [
            one["id"]
            for one in client.get("/api/v1/conversations", headers=own).json()["conversations"]
            if one["turns"] == 2
        ]
        told_before = client.get(f"/api/v1/conversations/{conversation}", headers=own).json()
        assert told_before["items"][0]["outcome"] == "answer"
        assert client.get(f"/api/v1/turns/{turn}", headers=own).json()["feedback"]["verdict"] == "corrected"
        asked = client.post("/api/v1/ask", json={"question": "Who wrote Emma?"}, headers=own).json()
        assert "?scribe" in asked["answer"]["query"]
        path = f"/api/v1/conversations/{conversation}/turns"
        assert client.post(path, json={"question": "Who wrote Momo?"}, headers=own).json()["number"] == 3
        session = client.get("/api/v1/session", headers={**PAGE, "Cookie": f"triad_session={cookie}"}).json()
        assert session["key"]["name"] == "ann"
        assert [one.name for one in site.keys.list() if one.revoked] == ["bob"]
    with closing(sqlite3.connect(kept / "server.db")) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [(STATE_VERSION,)]
