from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.conversation.talks import DUNE, KUBRICK, LYNCH, SHINING, turn
from triad.answers import from_json
from triad.conversation import Conversation, Store, Turn
from triad.conversation.dialogue import Dialogue
from triad.conversation.store import as_json, as_markdown, default_path
from triad.conversation.turns import Interpretation
from triad.errors import ConfigError
from triad.questions import AnswerSet

Talk = Callable[..., Conversation]

FIRST = turn("Who directed The Shining?", SHINING, answers=(KUBRICK,), reply="Stanley Kubrick.")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "chats.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        yield store


def test_turns_come_back_as_they_were(store: Store, path: Path) -> None:
    asked_back = Turn("Where was he born?", "Where was he born?", True, kind="clarification", options=(
        Interpretation("David Lynch", "Where was David Lynch born?", {"David Lynch": LYNCH}, (LYNCH, KUBRICK)),
    ))  # fmt: skip
    id = store.create(graph="films.ttl")
    store.append(id, FIRST)
    store.append(id, asked_back)
    store.close()
    with Store(path) as again:
        assert again.turns(id) == [FIRST, asked_back]


def test_the_first_question_is_the_title(store: Store) -> None:
    id = store.create(graph="films.ttl")
    store.append(id, FIRST)
    store.append(id, turn("And Dune?", DUNE))
    kept = store.find(id)
    assert (kept.title, kept.graph, kept.turns) == ("Who directed The Shining?", "films.ttl", 2)
    assert kept.created < kept.updated


def test_conversations_are_listed_latest_first(store: Store) -> None:
    one, two = store.create(title="one"), store.create(title="two")
    assert [kept.id for kept in store.list()] == [two, one]
    store.append(one, FIRST)
    assert [kept.id for kept in store.list()] == [one, two]


def test_a_conversation_is_found_by_id_its_beginning_and_title(store: Store) -> None:
    id = store.create(title="films")
    assert store.find(id) == store.find(id[:5]) == store.find("films")
    for name in ("", "no such"):
        with pytest.raises(ConfigError, match="no conversation has"):
            store.find(name)
    store.create(title="films")
    with pytest.raises(ConfigError, match="several conversations have"):
        store.find("films")


def test_a_conversation_is_renamed_and_deleted(store: Store) -> None:
    id = store.create()
    store.append(id, FIRST)
    store.rename(id, " Kubrick's\n films ")
    assert store.find("Kubrick's films").id == id
    store.append(id, FIRST)
    assert store.find(id).title == "Kubrick's films"
    with pytest.raises(ConfigError, match="cannot be empty"):
        store.rename(id, " ")
    store.delete(id)
    assert store.list() == []
    with pytest.raises(ConfigError):
        store.turns(id)
    with pytest.raises(ConfigError, match="any more"):
        store.append(id, FIRST)


def test_traces_are_not_kept(talk: Talk, store: Store) -> None:
    conversation = talk(store=store)
    made = conversation.ask("Who directed The Shining?")
    assert made.trace is not None
    assert made.answer is not None
    assert made.answer.trace is not None
    [kept] = store.turns(str(conversation.id))
    assert kept.trace is None
    assert kept.answer is not None
    assert kept.answer.trace is None
    assert kept.answer.values == made.answer.values


@pytest.mark.slow(0.1)
def test_a_conversation_goes_on_after_it_was_closed(talk: Talk, store: Store) -> None:
    begun = talk(store=store)
    begun.ask("Who directed The Shining?")
    resumed = talk(store=store, id=begun.id)
    assert resumed.ask("Where was he born?").reply == "Stanley Kubrick was born in New York."
    assert resumed.ask("why?").reply.startswith("Because the graph says:")
    assert len(store.turns(str(begun.id))) == 3


@pytest.mark.slow(0.1)
def test_an_answer_is_given_even_if_it_cannot_be_kept(talk: Talk, store: Store) -> None:
    conversation = talk(store=store)
    conversation.ask("Who directed The Shining?")
    store.delete(str(conversation.id))
    assert conversation.ask("Where was he born?").reply == "Stanley Kubrick was born in New York."
    assert len(conversation.turns) == 2


def test_a_conversation_without_turns_is_not_kept(talk: Talk, store: Store) -> None:
    talk(store=store)
    assert store.list() == []


def test_threads_may_share_a_store(store: Store) -> None:
    id = store.create()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: store.append(id, FIRST), range(40)))
    assert len(store.turns(id)) == 40


WRITER = """
import sys
from triad.conversation import Store, Turn
store = Store(sys.argv[1])
for number in range(int(sys.argv[3])):
    store.append(sys.argv[2], Turn(f"{sys.argv[4]} {number}", "", reply="x" * 20_000))
    print(number + 1, flush=True)
"""


def writer(path: Path, id: str, turns: int, name: str) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", WRITER, str(path), id, str(turns), name]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_two_processes_share_the_file(store: Store, path: Path) -> None:
    id = store.create()
    processes = [writer(path, id, 50, name) for name in ("a", "b")]
    for process in processes:
        _, err = process.communicate(timeout=180)
        assert process.returncode == 0, err
    questions = [kept.question for kept in store.turns(id)]
    assert len(questions) == 100
    for name in ("a", "b"):
        assert [one for one in questions if one.startswith(name)] == [f"{name} {number}" for number in range(50)]


@pytest.mark.slow
def test_a_killed_process_loses_at_most_the_turn_in_flight(store: Store, path: Path) -> None:
    id = store.create()
    said = 0
    with writer(path, id, 100_000, "a") as process:
        assert process.stdout is not None
        while said < 20:
            said = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
        rest = process.stdout.read().split()  # communicate() would lose what readline() took in beyond its line
    written = int(rest[-1]) if rest else said
    with Store(path) as again:
        kept = again.turns(id)
    assert len(kept) in (written, written + 1)
    assert all(turn.reply == "x" * 20_000 for turn in kept)
    store.append(id, FIRST)
    assert store.turns(id)[-1] == FIRST


def test_a_file_that_is_no_store_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("these are notes, and no data base of anything" * 50)
    with pytest.raises(ConfigError, match=r"notes\.db"):
        Store(path)


def test_a_file_of_a_newer_version_is_refused(store: Store, path: Path) -> None:
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(ConfigError, match="newer version"):
        Store(path)


def test_the_default_place_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIAD_CHATS", str(tmp_path / "mine.db"))
    assert default_path() == tmp_path / "mine.db"
    monkeypatch.delenv("TRIAD_CHATS")
    assert default_path().name == "chats.db"


# What a conversation has come to --------------------------------------------------------------------------


def test_a_turn_about_an_earlier_answer_comes_back_with_its_set(store: Store) -> None:
    films = AnswerSet("http://example.org/Film", "SELECT ?film { ?film a <http://example.org/Film> }", "film")
    option = Interpretation("Dune", "Which films are long?", {"Dune": DUNE}, within=films)
    kept = Turn("the long ones", "which films are long", True, kind="follow_up", about=films, options=(option,))
    id = store.create()
    store.append(id, kept)
    assert store.turns(id) == [kept]


@pytest.mark.slow
def test_lists_corrections_and_undone_turns_are_gone_on_from(talk: Talk, store: Store) -> None:
    begun = talk(store=store)
    for text in (
        "Which cities are there?",
        "which of these are in the United States?",
        "sort by population",
        "the first two",
        "undo",
        "Who directed Dune?",
        "no, I meant The Shining",
    ):
        begun.ask(text)
    resumed = talk(store=store, id=begun.id)
    assert Dialogue(resumed.turns).turns == Dialogue(store.turns(str(begun.id))).turns
    assert resumed.ask("Where was he born?").standalone == "Where was Stanley Kubrick born?"
    assert resumed.ask("back to the cities").reply == "New York: 8,804,190, Tacoma: 219,346 and Missoula: 73,489."
    assert resumed.ask("which of these is the smallest?").reply == "Missoula: 73,489."
    assert resumed.ask("undo").kind == "undo"


@pytest.mark.slow(0.3)
def test_a_question_back_is_answered_after_the_conversation_was_closed(talk: Talk, store: Store) -> None:
    begun = talk(store=store)
    begun.ask("Did Stanley Kubrick or David Lynch direct The Shining?")
    asked = begun.ask("Where was he born?")
    resumed = talk(store=store, id=begun.id)
    assert resumed.turns[-1].options == asked.options
    assert resumed.ask("the second").reply == "David Lynch was born in Missoula."


# Export ---------------------------------------------------------------------------------------------------


def test_json_keeps_everything(store: Store) -> None:
    id = store.create(graph="films.ttl")
    store.append(id, FIRST)
    content = json.loads(as_json(store.find(id), store.turns(id)))
    assert content["title"] == "Who directed The Shining?"
    assert [from_json(Turn, json.dumps(one)) for one in content["turns"]] == [FIRST]


@pytest.mark.slow(0.2)
def test_markdown_has_questions_replies_and_queries_once(talk: Talk, store: Store) -> None:
    conversation = talk(store=store)
    for text in ("Which cities are there?", "sort by population", "show the query", "What is *its* population?"):
        conversation.ask(text)
    id = str(conversation.id)
    text = as_markdown(store.find(id), store.turns(id))
    assert text.startswith("# Which cities are there?\n")
    assert "## sort by population" in text
    assert "| New York | 8,804,190 |" in text
    assert text.count("```sparql") == 4
    assert "## What is \\*its\\* population?" in text


def test_markdown_of_strangers_stays_text(store: Store) -> None:
    id = store.create(graph="films.ttl")
    store.append(id, turn("<script>alert(1)</script> [x](http://evil)", reply="| a | b |\n# no title"))
    text = as_markdown(store.find(id), store.turns(id))
    assert "<script>" not in text
    assert "\n# no title" not in text
