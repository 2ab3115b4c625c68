"""What a server keeps: in SQLite and in a real PostgreSQL, by several servers, through crashes; counters in Redis."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from tests.server.site import PAGE, serving, settings
from triad.conversation.store import Store
from triad.conversation.turns import Turn
from triad.errors import ConfigError
from triad.questions import Question
from triad.resources import private
from triad.server import app
from triad.server.access import Asker
from triad.server.limiting import Limiter
from triad.server.problems import Problem
from triad.server.settings import KeyLimits
from triad.server.state import database as database_module, keys as keys_module
from triad.server.state.conversations import Conversations, Kept
from triad.server.state.database import Database, IntegrityError, now
from triad.server.state.keys import Keys
from triad.server.state.tables import CONVERSATIONS, FEEDBACK, METADATA, SPENT, TURNS, VERSION
from triad.textcache import TextCache
from triad.trace import Step, Trace, Usage

QUESTION = {"question": "Who founded Intel?"}


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'state.db'}"
    found: str = request.getfixturevalue("postgresql")
    return found


@pytest.fixture
def database(address: str) -> Iterator[Database]:
    """A database with its tables."""
    found = Database(address)
    found.migrate()
    yield found
    found.close()


def test_the_migrations_make_the_tables_that_the_code_uses(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
        assert context.get_current_revision() == VERSION


def test_the_state_of_a_later_version_is_told_as_such(database: Database) -> None:
    with database.engine.connect() as connection, connection.begin():
        connection.execute(sqlalchemy.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ConfigError, match="later version of Triad"):
        database.start()


def test_several_servers_may_make_the_tables_at_once(address: str) -> None:
    databases = [Database(address) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(Database.migrate, databases))
    for one in databases:
        assert Keys(one).list() == []
        one.close()


@pytest.mark.slow(0.1)
def test_turns_that_are_written_at_once_are_numbered_without_a_gap(address: str, database: Database) -> None:
    other = Database(address)
    kept = [Conversations(one) for one in (database, other)]
    conversation = kept[0].create("ann", "demo").id

    def write(at: int) -> int:
        turn = Turn(f"Question {at}?", f"Question {at}?", reply="yes")
        return kept[at % 2].append("ann", "demo", turn, conversation=conversation, idempotency=f"key {at // 2}").number

    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(write, range(24)))
    assert sorted(set(numbers)) == list(range(1, 13))  # each idempotency key came twice, and made one turn
    assert [one.number for one in kept[1].turns("ann", conversation)] == list(range(1, 13))
    other.close()


def test_questions_under_way_count_on_all_servers_as_the_dearest_one(address: str, database: Database) -> None:
    other = Database(address)
    here, there = (Limiter("memory://", Keys(one)) for one in (database, other))
    ann = Asker("ann", "ann", frozenset(), KeyLimits(calls_a_day=10, money_a_day=2))
    with database.writing() as connection:
        here.spend(connection, ann, "demo", Usage(calls=3, money=1.5))
    database.write(sqlalchemy.delete(SPENT))

    async def ask() -> None:
        async with here.asking(ann, "demo"):
            assert Keys(other).spent("ann") == (3, 1.5)
            async with here.asking(ann, "demo"):
                with pytest.raises(Problem, match="\\$2 a day"):
                    await there.check_spending(ann)
                for limiter in (here, there):
                    with pytest.raises(Problem, match="\\$2 a day"):
                        async with limiter.asking(ann, "demo"):
                            pass
        assert Keys(other).spent("ann") == (0, 0.0)

    asyncio.run(ask())
    other.close()


def test_what_a_question_under_way_holds_is_given_back_to_the_day_that_it_was_taken_from(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    limiter, keys = Limiter("memory://", Keys(database)), Keys(database)
    ann = Asker("ann", "ann", frozenset(), KeyLimits(calls_a_day=10))
    evening = datetime(2026, 1, 1, 23, 59, 59, tzinfo=UTC)

    async def ask() -> None:
        monkeypatch.setattr(keys_module, "now", lambda: evening)
        async with limiter.asking(ann, "demo"):
            assert keys.spent("ann") == (1, 0.0)
            monkeypatch.setattr(keys_module, "now", lambda: evening + timedelta(seconds=2))
        assert keys.spent("ann") == (0, 0.0)
        monkeypatch.setattr(keys_module, "now", lambda: evening)
        assert keys.spent("ann") == (0, 0.0)

    asyncio.run(ask())


def test_what_is_spent_adds_up_from_several_servers(address: str, database: Database) -> None:
    other = Database(address)
    databases = [database, other]
    keys = [Keys(one) for one in databases]

    def spend(which: int) -> None:
        with databases[which].writing() as connection:
            keys[which].spend(connection, "ann", 1, 0.5)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda at: spend(at % 2), range(40)))
    assert keys[0].spent("ann") == (40, 20.0)
    other.close()


def test_who_comes_while_the_state_is_made_ready_is_not_told_that_it_is_gone(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, real, others = Database(address), database_module._inode, ["another thread"]

    def inode(file: Path | None) -> int | None:
        if others:
            others.pop()
            assert state.rows(sqlalchemy.select(FEEDBACK)) == []
        return real(file)

    monkeypatch.setattr(database_module, "_inode", inode)
    assert state.rows(sqlalchemy.select(FEEDBACK)) == []
    assert not others
    state.close()


def test_what_is_said_of_a_turn_that_was_deleted_meanwhile_is_no_error_that_holds_its_words(database: Database) -> None:
    conversations = Conversations(database)
    made = conversations.create("ann", "demo")
    kept = conversations.append("ann", "demo", Turn("secret", "secret"), conversation=made.id)
    conversations.delete("ann", made.id)
    with pytest.raises(Problem, match="deleted meanwhile"):
        conversations.judge(kept, "wrong", None, "secret", used=False)
    values = {"turn": "none", "graph": "", "question": "secret", "verdict": "", "used": False, "at": now()}
    with database.writing() as connection, pytest.raises(IntegrityError) as failed:
        connection.execute(sqlalchemy.insert(FEEDBACK).values(values))
    assert "secret" not in str(failed.value)


def test_what_was_asked_without_a_key_is_kept_for_some_days_and_up_to_a_number_of_turns(database: Database) -> None:
    conversations = Conversations(database)
    stranger, made = "session:1", conversations.create("session:1", "demo")

    def ask(owner: str, days: int, conversation: str | None = None) -> Kept:
        kept = conversations.append(owner, "demo", Turn("Who?", "Who?"), conversation=conversation)
        with database.writing() as connection:
            aged = now() - timedelta(days=days)
            connection.execute(sqlalchemy.update(TURNS).where(TURNS.c.id == kept.id).values(at=aged))
            connection.execute(sqlalchemy.update(CONVERSATIONS).values(updated=aged))
        return kept

    def left() -> set[str]:
        with database.reading() as connection:
            return set(connection.execute(sqlalchemy.select(TURNS.c.id)).scalars())

    taught, old, keyed = ask(stranger, 9), ask(stranger, 8, made.id), ask("key:1", 7)
    conversations.judge(taught, "right", "ASK {}", None, used=True)
    new = [ask(owner, 0) for owner in (stranger, "protocol:mcp", "protocol:mcp")]
    conversations.forget(days=8, turns=100)
    assert left() == {taught.id, keyed.id, *(one.id for one in new)}
    assert old.id not in left()
    assert len(conversations.list(stranger)) == 1  # it was gone on with just now
    conversations.forget(days=8, turns=2)
    assert left() == {taught.id, keyed.id, *(one.id for one in new[1:])}


def test_of_conversations_of_strangers_without_turns_the_latest_are_kept(database: Database) -> None:
    conversations = Conversations(database)
    for owner in ("session:1", "protocol:mcp", "key:1"):
        for number in range(4):
            conversations.create(owner, "demo", str(number))
    begun = conversations.create("session:2", "demo")
    conversations.append("session:2", "demo", Turn("Who?", "Who?"), conversation=begun.id)
    conversations.forget(days=1, turns=3)
    titles = {owner: {one.title for one in conversations.list(owner)} for owner in ("session:1", "protocol:mcp")}
    assert titles == {"session:1": set(), "protocol:mcp": {"1", "2", "3"}}
    assert len(conversations.list("key:1")) == 4
    assert len(conversations.list("session:2")) == 1


def test_long_traces_are_kept_for_those_with_a_key_alone(database: Database) -> None:
    conversations = Conversations(database)
    turn = Turn(
        "Who?", "Who?", trace=Trace(Question("Who?"), (Step("linking", "graph", "schema", request="x" * 200_000),))
    )
    for owner, kept in (("session:1", False), ("key:1", True)):
        id = conversations.append(owner, "demo", turn).id
        assert (conversations.turn(owner, id).trace is not None) is kept


@pytest.mark.slow
def test_a_server_forgets_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "FORGETTING", 0.3)
    with serving(settings(tmp_path, session_turns=1)) as site, site.visitor() as client:
        first, *_ = [client.post("/api/v1/ask", json=QUESTION).json()["id"] for _ in range(2)]
        deadline = time.monotonic() + 120
        while client.get(f"/api/v1/turns/{first}").status_code != 404:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_who_deletes_a_conversation_meanwhile_has_spent_what_the_answer_cost(database: Database) -> None:
    keys, conversations = Keys(database), Conversations(database)
    conversation = conversations.create("ann", "demo").id
    conversations.delete("ann", conversation)
    with pytest.raises(Problem, match="deleted meanwhile"):
        conversations.append(
            "ann",
            "demo",
            Turn("Who founded Intel?", "Who founded Intel?", reply="Gordon Moore"),
            conversation=conversation,
            also=lambda connection: keys.spend(connection, "ann", 1, 0.5),
        )
    assert keys.spent("ann") == (1, 0.5)


@pytest.mark.slow
def test_two_servers_behind_a_proxy_act_as_one(address: str, tmp_path: Path) -> None:
    chosen = settings(tmp_path, state=address)
    with serving(chosen) as one, serving(chosen) as other, httpx.Client(headers=PAGE, timeout=60) as client:
        client.get(f"{one.url}/api/v1/session")
        first = client.post(f"{one.url}/api/v1/ask", json=QUESTION | {"conversation": "new"}).json()
        follow_up = {"question": "When was it founded?", "conversation": first["conversation"]}
        assert client.post(f"{other.url}/api/v1/ask", json=follow_up).json()["standalone"] == "When was Intel founded?"
        query = "SELECT ?x { <http://dbpedia.org/resource/Intel> <http://dbpedia.org/ontology/foundingDate> ?x }"
        judged = client.post(
            f"{one.url}/api/v1/turns/{first['id']}/feedback", json={"verdict": "corrected", "query": query}
        )
        assert judged.json()["used"]
        assert client.post(f"{other.url}/api/v1/ask", json=QUESTION).json()["answer"]["query"] == query
        key = one.key("shared")
        assert client.get(f"{other.url}/api/v1/graphs", headers=key).status_code == 200
        other.keys.revoke("shared")
        assert client.get(f"{one.url}/api/v1/graphs", headers=key).status_code == 401


@pytest.mark.slow
def test_text_that_a_database_cannot_keep_is_the_askers_fault(address: str, tmp_path: Path) -> None:
    with serving(settings(tmp_path, state=address)) as site, site.visitor() as client:
        messages = [{"role": "user", "content": "Who founded \0 Intel?"}]
        chat = {"model": "demo", "messages": messages}
        assert client.post("/v1/chat/completions", json=chat).status_code == 200
        for metadata in ({"conversation": "\ud800"}, {"conversation": "\0"}):
            body = json.dumps({**chat, "metadata": metadata})
            answer = client.post("/v1/chat/completions", content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code in (400, 404)
        assert client.post("/api/v1/conversations", json={"title": "a\0b"}).status_code in (201, 400)
        assert client.get("/api/v1/conversations", params={"graph": "\0"}).status_code in (200, 400)


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_what_an_earlier_version_made_for_all_is_for_one_account_then(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("state.db", "state.db-wal", "chats.history")]
    for one in files:
        one.touch(mode=0o644)
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o755)
    private(files[0])
    private(files[2])
    TextCache(cache, "replies")
    assert [stat.S_IMODE(one.stat().st_mode) for one in (*files, cache)] == [0o600, 0o600, 0o600, 0o700]


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_what_people_ask_is_for_the_account_of_the_server_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        Database(f"sqlite:///{tmp_path / 'made' / 'state.db'}").migrate()
        Store(tmp_path / "made" / "chats.db").close()
        TextCache(tmp_path / "cache", "replies")
    finally:
        os.umask(before)
    assert {one.name: stat.S_IMODE(one.stat().st_mode) for one in (tmp_path / "made").iterdir()}.items() >= {
        ("state.db", 0o600),
        ("chats.db", 0o600),
    }
    assert [stat.S_IMODE((tmp_path / one).stat().st_mode) for one in ("made", "cache")] == [0o700, 0o700]


def test_a_database_that_cannot_be_opened_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is no database, " * 100)
    for address in (f"sqlite:///{tmp_path / 'text.db'}", f"sqlite:///{tmp_path}", "nonsense", "mysql+none://x/y"):
        with pytest.raises(ConfigError, match="state"):
            Database(address).migrate()


@pytest.mark.slow(0.2)
def test_a_password_of_the_database_is_in_no_message() -> None:
    database = Database("postgresql://ann:word@127.0.0.1:9/none")
    with pytest.raises(ConfigError) as caught:
        database.migrate()
    assert "word" not in str(caught.value)
    assert "word" not in str(database.fault())
    database.close()


# Crashes --------------------------------------------------------------------------------------------------

_WRITER = """
import sys
from triad.conversation.turns import Turn
from triad.server.state.conversations import Conversations
from triad.server.state.database import Database, IntegrityError, now

database = Database(sys.argv[1])
kept = Conversations(database)
while True:
    made = kept.append("ann", "demo", Turn("Q?", "Q?", reply="yes " * 1000), conversation=sys.argv[2])
    print(made.id, flush=True)
"""


@pytest.mark.slow
def test_what_was_acknowledged_is_there_after_kill_9(address: str, database: Database) -> None:
    kept = Conversations(database)
    conversation = kept.create("ann", "demo").id
    acknowledged: list[str] = []
    for seconds in (0.1, 0.3):
        process = subprocess.Popen(
            [sys.executable, "-c", _WRITER, address, conversation], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        acknowledged += [process.stdout.readline().strip() for _ in range(5)]
        time.sleep(seconds)
        os.kill(process.pid, signal.SIGKILL)
        acknowledged += process.stdout.read().split()
        process.stdout.close()
        process.wait()
    turns = kept.turns("ann", conversation)
    ids = [one.id for one in turns]
    whole = {id for id in acknowledged if len(id) == 32}
    assert len(whole) >= 10
    assert whole <= set(ids)
    assert len(ids) == len(set(ids))
    assert len(ids) - len(whole) <= 3  # one a crash may have been written and not been told
    assert [one.number for one in turns] == list(range(1, len(turns) + 1))


@pytest.mark.slow(0.1)
def test_a_sqlite_file_is_locked_for_a_moment_and_the_writer_waits(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'state.db'}")
    database.migrate()
    other = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(1) as pool:
        written = pool.submit(Conversations(database).create, "ann", "demo")
        time.sleep(0.3)
        assert not written.done()
        other.execute("COMMIT")
        assert written.result(120).graph == "demo"
    other.close()
    database.close()


# Counters -------------------------------------------------------------------------------------------------


@pytest.mark.slow(0.3)
def test_a_clock_that_is_set_back_is_not_held_against_who_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(settings(tmp_path, limits={"requests_a_minute": 2})) as site, site.stranger() as client:
        assert [client.get("/api/v1/graphs").status_code for _ in range(3)] == [200, 200, 429]
        real = time.time
        monkeypatch.setattr(time, "time", lambda: real() - 3_600)
        assert [client.get("/api/v1/graphs").status_code for _ in range(3)] == [200, 200, 429]


@pytest.mark.server
def test_requests_are_counted_together_in_redis(redis_url: str, tmp_path: Path) -> None:
    chosen = settings(tmp_path, counters=redis_url, open=False)
    with serving(chosen) as one, serving(chosen) as other, one.stranger() as client:
        from triad.server.settings import KeyLimits

        key = one.key(f"few-{time.time()}", limits=KeyLimits(requests_a_minute=3))
        statuses = [client.get(f"{site.url}/api/v1/graphs", headers=key).status_code for site in (one, other) * 2]
        assert statuses == [200, 200, 200, 429]


@pytest.mark.slow(0.3)
def test_without_its_redis_a_server_counts_for_itself(tmp_path: Path, logged: list[str]) -> None:
    with serving(settings(tmp_path, counters="redis://127.0.0.1:9"), ready=True) as site, site.visitor() as client:
        assert client.post("/api/v1/ask", json=QUESTION).status_code == 200
        ready = client.get("/readyz")
        assert (ready.status_code, "counters" in ready.json()["missing"]) == (200, True)
    assert any("counts for itself" in line for line in logged)


def test_counters_that_do_not_exist_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"memory:// or redis://"):
        Limiter("carrier-pigeon://loft", Keys(Database("sqlite://")))
