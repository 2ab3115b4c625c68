"""The memory of conversations: one SQLite file, which several processes may share.

A turn is written in one transaction when it is done, so that a crash loses at most the turn in flight, and a reader
sees whole turns only. The file is in WAL mode: readers and a writer do not wait for each other, and two writers wait
for a while. Traces are not kept; they are long, and a conversation goes on without them.

A conversation is given as a file, too: JSON keeps everything, Markdown reads well, and a notebook goes on.

>>> store = Store(":memory:")
>>> id = store.create(graph="books.ttl")
>>> store.append(id, Turn("Who wrote Momo?", "Who wrote Momo?", reply="Michael Ende."))
>>> [turn.reply for turn in store.turns(id)], store.find(id).title
(['Michael Ende.'], 'Who wrote Momo?')
>>> store.close()
"""

import json
import os
import sqlite3
import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import platformdirs

from triad.answers import Answer, from_json, to_json
from triad.closing import Closing
from triad.conversation.turns import Turn
from triad.errors import ConfigError, DataError, need_extra
from triad.resources import from_home, private
from triad.text import clean, escaped, fenced, table, writable

_VERSION: Final = 1
_WAIT: Final = 10.0  # seconds that a writer waits for another one
_TITLE: Final = 80  # characters of a title that is taken from the first question
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS conversations (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, graph TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS turns (
    conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    number INTEGER NOT NULL, at TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (conversation, number)
) WITHOUT ROWID;
"""
_GONE_ON: Final = "UPDATE conversations SET updated = ?, title = CASE title WHEN '' THEN ? ELSE title END WHERE id = ?"
_ADDED: Final = "INSERT INTO turns SELECT ?, coalesce(max(number), 0) + 1, ?, ? FROM turns WHERE conversation = ?"
_ROWS = 50  # rows of a table


def default_path() -> Path:
    """Return the file where chats are kept: ``TRIAD_CHATS``, or one in the system's folder for application data."""
    named = os.environ.get("TRIAD_CHATS")
    return from_home(named) if named else Path(platformdirs.user_data_dir("triad", appauthor=False)) / "chats.db"


def turn_to_json(turn: Turn) -> str:
    """Return a turn as it is kept, here and by the server: without traces; `triad.answers.from_json` reads it."""
    answer = replace(turn.answer, trace=None) if turn.answer else None
    unknown = replace(turn.unknown, trace=None) if turn.unknown else None
    return to_json(replace(turn, answer=answer, unknown=unknown, trace=None))


def title_of(turn: Turn) -> str:
    """Return what a conversation that begins with a turn is called."""
    return " ".join(writable(clean(turn.question)).split())[:_TITLE]


@dataclass(frozen=True, slots=True)
class Stored:
    """A conversation that is kept."""

    id: str
    title: str
    """What it is called: its first question, until it is renamed."""
    graph: str
    """What it is about: the graph's name."""
    turns: int
    """How many turns it has."""
    created: str
    """When its first turn was, in ISO 8601 and UTC."""
    updated: str
    """When its last turn was."""


class Store(Closing):
    """Keeps conversations in a file. Safe to use from several threads and processes.

    Args:
        path: The file; it is made where there is none. ``:memory:`` keeps nothing.

    Raises:
        ConfigError: The file cannot be opened, or holds no conversations.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self._lock = threading.RLock()
        try:
            if self.path != ":memory:":
                private(Path(self.path))
            self._connection = sqlite3.connect(
                self.path, timeout=_WAIT, isolation_level=None, check_same_thread=False, cached_statements=32
            )
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA foreign_keys = ON")
                self._prepare()
            except BaseException:
                self._connection.close()
                raise
        except (sqlite3.Error, OSError) as error:
            raise ConfigError(f"the conversations in {self.path!r} cannot be opened: {error}") from error

    def _prepare(self) -> None:
        with self._writing() as cursor:
            [version] = cursor.execute("PRAGMA user_version").fetchone()
            if version > _VERSION:
                raise ConfigError(f"{self.path!r} was written by a newer version of Triad; update it to read the file")
            if version == 0:
                for statement in _SCHEMA.split(";\n"):
                    cursor.execute(statement)
                cursor.execute(f"PRAGMA user_version = {_VERSION}")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Cursor]:
        """Yield a cursor in a transaction of its own: either all of it is written, or nothing."""
        with self._lock:
            cursor = self._connection.cursor()
            try:
                cursor.execute("BEGIN IMMEDIATE")
                try:
                    yield cursor
                except BaseException:
                    cursor.execute("ROLLBACK")
                    raise
                cursor.execute("COMMIT")
            except sqlite3.Error as error:
                raise DataError(f"the conversations in {self.path!r} cannot be written: {error}") from error

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise DataError(f"the conversations in {self.path!r} cannot be read: {error}") from error

    def create(self, *, graph: str = "", title: str = "", id: str | None = None) -> str:
        """Make a conversation without turns, called like its first question by default, and return its id.

        Raises:
            DataError: The file cannot be written, or the id is taken.
        """
        id = id or uuid.uuid4().hex[:8]
        with self._writing() as cursor:
            now = _now()
            cursor.execute("INSERT INTO conversations VALUES (?, ?, ?, ?, ?)", (id, title, graph, now, now))
        return id

    def append(self, id: str, turn: Turn) -> None:
        """Add a turn to a conversation; it is on disk when this returns.

        Raises:
            ConfigError: There is no such conversation; it may have been deleted.
            DataError: The file cannot be written.
        """
        content = turn_to_json(turn)  # before the file is locked for whoever else writes
        with self._writing() as cursor:
            now = _now()
            cursor.execute(_GONE_ON, (now, title_of(turn), id))
            if not cursor.rowcount:
                raise ConfigError(f"there is no conversation {id!r} in {self.path!r} any more")
            cursor.execute(_ADDED, (id, now, content, id))

    def turns(self, id: str) -> list[Turn]:
        """Return the turns of a conversation, in order.

        Raises:
            ConfigError: There is no such conversation.
            DataError: The file cannot be read.
        """
        self.find(id)
        rows = self._rows("SELECT content FROM turns WHERE conversation = ? ORDER BY number", id)
        try:
            return [from_json(Turn, content) for [content] in rows]
        except ValueError as error:
            why = str(error).partition("\n")[0]
            raise DataError(f"the conversation {id!r} in {self.path!r} cannot be read: {why}") from error

    def list(self) -> "list[Stored]":
        """Return the conversations, the latest first."""
        return [Stored(*row) for row in self._rows(_LISTED + " ORDER BY updated DESC, id")]

    def find(self, name: str) -> Stored:
        """Return a conversation by its id, by the beginning of its id, or by its title.

        Raises:
            ConfigError: There is none, or more than one.
        """
        rows = self._rows(_LISTED + " WHERE id = ?", name)
        rows = rows or self._rows(_LISTED + " WHERE title = ? OR substr(id, 1, ?) = ?", name, len(name), name)
        if len(rows) == 1 and name:
            return Stored(*rows[0])
        known = ", ".join(one.id for one in self.list()[:10]) or "none"
        what = "several conversations have" if len(rows) > 1 else "no conversation has"
        raise ConfigError(f"{what} the id or title {name!r}; known: {known}")

    def rename(self, name: str, title: str) -> None:
        """Rename a conversation.

        Raises:
            ConfigError: There is no such conversation, or the title is empty.
        """
        if not title.strip():
            raise ConfigError("a conversation's title cannot be empty")
        id = self.find(name).id
        with self._writing() as cursor:
            cursor.execute("UPDATE conversations SET title = ? WHERE id = ?", (" ".join(title.split()), id))

    def delete(self, name: str) -> None:
        """Delete a conversation with its turns.

        Raises:
            ConfigError: There is no such conversation.
        """
        id = self.find(name).id
        with self._writing() as cursor:
            cursor.execute("DELETE FROM conversations WHERE id = ?", (id,))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()


_LISTED: Final = """
SELECT id, title, graph, (SELECT count(*) FROM turns WHERE conversation = id), created, updated FROM conversations
"""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


# As a file ------------------------------------------------------------------------------------------------


def as_json(stored: Stored, turns: Sequence[Turn]) -> str:
    """Return a conversation as JSON text: what is known of it, and its turns as `Turn` has them."""
    content = {**asdict(stored), "turns": [json.loads(to_json(turn)) for turn in turns]}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def as_markdown(stored: Stored, turns: Sequence[Turn]) -> str:
    """Return a conversation as Markdown: questions, replies, values and queries."""
    lines = [f"# {escaped(stored.title)}", "", f"Graph: {escaped(stored.graph)}. Begun {stored.created[:16]}Z.", ""]
    shown_query = None
    for turn in turns:
        lines += [f"## {escaped(turn.question)}", ""]
        if turn.kind == "question" and turn.standalone != turn.question:
            lines += [f"*Understood as: {escaped(turn.standalone)}*", ""]
        if turn.answer and turn.reply == turn.answer.query:
            lines += [fenced(turn.reply, "sparql"), ""]
        else:
            lines += [*(escaped(line) + "  " for line in turn.reply.splitlines()), ""]
        if turn.answer is None or turn.answer.query == shown_query:
            continue
        shown_query = turn.answer.query
        lines += _table(turn.answer)
        if shown_query:
            lines += [fenced(shown_query, "sparql"), ""]
    return "\n".join(lines).rstrip() + "\n"


def as_notebook(stored: Stored, turns: Sequence[Turn]) -> str:
    """Return a conversation as a Jupyter notebook: each question as a cell that asks it, with what it gave.

    Raises:
        ConfigError: nbformat is not installed.
    """
    need_extra("notebook", "a notebook takes", "nbformat")
    import nbformat

    v4: Any = nbformat.v4
    begun = f"conversation = triad.Conversation(triad.Agent({stored.graph!r}))  # and model=, if there was one"
    heading = f"# {escaped(stored.title)}\n\nBegun {stored.created[:16]}Z."
    cells = [v4.new_markdown_cell(heading), v4.new_code_cell(f"import triad\n\n{begun}")]
    for number, turn in enumerate(turns, 1):
        shown = {"text/plain": clean(turn.reply), "text/html": turn._repr_html_()}
        output = v4.new_output("execute_result", data=shown, execution_count=number)
        cells.append(v4.new_code_cell(f"conversation.ask({turn.question!r})", execution_count=number, outputs=[output]))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"  # else it would be another one each time
    return f"{v4.writes(v4.new_notebook(cells=cells))}\n"


def _table(answer: Answer) -> list[str]:
    if len(answer.rows) < 2:
        return []
    rows = [[value.shown if value else "" for value in row] for row in answer.rows[:_ROWS]]
    more = len(answer.rows) - len(rows)
    return [*table(answer.headers, rows, escaped), *([f"\n… and {more:,} more"] if more else []), ""]
