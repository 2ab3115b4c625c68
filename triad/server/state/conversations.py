"""Conversations, turns, feedback and boards: what was asked and answered, each of it of one owner.

A turn is written in one transaction when it is done, before anybody is told of it. Its owner's idempotency key is
unique: who sends a question again, because the first reply was lost, gets the turn that was kept.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sql

from triad.answers import from_json, to_json
from triad.conversation.store import Stored, title_of, turn_to_json
from triad.conversation.turns import Turn
from triad.server.problems import Problem
from triad.server.settings import Reach
from triad.server.state.database import Database, IntegrityError, as_utc, new_id, now
from triad.server.state.tables import CONVERSATIONS, FEEDBACK, PINS, TURNS
from triad.server.views import FeedbackView, PinView
from triad.trace import Trace

_STRANGERS: Final = ("session:", "protocol:")  # how owners begin that have no key

_SAME: Final = ("id", "owner", "graph", "conversation", "number", "at")  # of a turn, as it is kept
_SAID: Final = ("verdict", "query", "comment", "used", "at")  # of feedback
_TRIES: Final = 20  # turns of one conversation that may be written at once
_TRACE: Final = 100_000  # characters of a trace that is kept for those without a key
_PINS: Final = 50  # answers that a board has
_BATCH: Final = 500  # turns that are deleted in one transaction, so that nobody waits long to write


@dataclass(frozen=True, slots=True)
class Kept:
    """A turn that is kept."""

    id: str
    owner: str
    graph: str
    conversation: str | None
    number: int
    at: datetime
    turn: Turn
    trace: Trace | None = None
    feedback: FeedbackView | None = None


class Conversations:
    """The conversations in a database, with the traces of turns or without. Safe for several threads and processes."""

    def __init__(self, database: Database, *, traces: bool = True) -> None:
        self._database = database
        self._traces = traces

    # Conversations

    def create(self, owner: str, graph: str, title: str = "") -> Stored:
        """Make a conversation without turns."""
        time = now()
        made = Stored(new_id(), " ".join(title.split()), graph, 0, time.isoformat(), time.isoformat())
        values = {"id": made.id, "owner": owner, "graph": graph, "title": made.title, "created": time, "updated": time}
        self._database.write(sql.insert(CONVERSATIONS).values(values))
        return made

    def list(
        self, owner: str, *, graph: str | None = None, before: datetime | None = None, limit: int = 50
    ) -> Sequence[Stored]:
        """Return conversations of an owner, the latest first."""
        wanted = _LISTED.where(CONVERSATIONS.c.owner == owner).order_by(CONVERSATIONS.c.updated.desc()).limit(limit)
        if graph is not None:
            wanted = wanted.where(CONVERSATIONS.c.graph == graph)
        if before is not None:
            wanted = wanted.where(CONVERSATIONS.c.updated < before)
        return list(map(_listed, self._database.rows(wanted)))

    def find(self, owner: str, id: str) -> Stored:
        """Return a conversation; a `Problem` if the owner has none such."""
        for row in self._database.rows(_LISTED.where(CONVERSATIONS.c.owner == owner, CONVERSATIONS.c.id == id)):
            return _listed(row)
        raise Problem("not-found", "There is no such conversation.")

    def rename(self, owner: str, id: str, title: str) -> None:
        """Rename a conversation; raises as `find` does."""
        self._change(owner, id, sql.update(CONVERSATIONS).values(title=" ".join(title.split())))

    def delete(self, owner: str, id: str) -> None:
        """Delete a conversation with its turns; raises as `find` does."""
        self._change(owner, id, sql.delete(CONVERSATIONS))

    def _change(self, owner: str, id: str, statement: Any) -> None:
        if not self._database.write(statement.where(CONVERSATIONS.c.owner == owner, CONVERSATIONS.c.id == id)):
            raise Problem("not-found", "There is no such conversation.")

    def of_thread(self, owner: str, graph: str, thread: str) -> str | None:
        """Return the conversation that stands at some messages; None if there is none."""
        c = CONVERSATIONS.c
        wanted = sql.select(c.id).where(c.owner == owner, c.graph == graph, c.thread == thread)
        return next((row.id for row in self._database.rows(wanted.order_by(c.updated.desc()).limit(1))), None)

    def follow_thread(self, owner: str, id: str, thread: str) -> None:
        """Note at which messages a conversation stands."""
        statement = sql.update(CONVERSATIONS).values(thread=thread)
        self._database.write(statement.where(CONVERSATIONS.c.owner == owner, CONVERSATIONS.c.id == id))

    # Turns

    def append(
        self,
        owner: str,
        graph: str,
        turn: Turn,
        *,
        id: str | None = None,
        conversation: str | None = None,
        idempotency: str | None = None,
        also: Callable[[sql.Connection], Any] | None = None,
    ) -> Kept:
        """Keep a turn; it is on disk when this returns.

        A turn without a conversation stands alone. What has the same name of its owner's (``idempotency``) is kept
        once, and returned. ``also`` writes what is kept together with it: all of it or nothing. Only if the
        conversation was deleted is this kept alone: who deletes it while a question is answered has spent what that
        cost.

        Raises:
            Problem: The conversation was deleted, or the database cannot be reached.
        """
        kept = Kept(id or new_id(), owner, graph, conversation, 1, now(), turn, turn.trace if self._traces else None)
        for _ in range(_TRIES):
            if idempotency is not None and (known := self.once(owner, idempotency)) is not None:
                if also:  # the same question came twice at once: one turn is kept, but both were answered
                    with self._database.writing() as connection:
                        also(connection)
                return known
            try:
                written = self._write(kept, idempotency, also)
            except IntegrityError:  # another turn took its number, or the same question came twice at once
                continue
            if written is None:
                raise Problem("not-found", "The conversation was deleted meanwhile.")
            return written
        raise Problem("busy", "Too many turns of this conversation are written at once.", wait=1)

    def _write(self, kept: Kept, idempotency: str | None, also: Callable[[sql.Connection], Any] | None) -> Kept | None:
        """Write a turn, and return it with its number; None if its conversation was deleted."""
        # Before the database is locked for whoever else writes.
        content, trace = turn_to_json(kept.turn), to_json(kept.trace) if kept.trace else None
        if trace and len(trace) > _TRACE and kept.owner.startswith(_STRANGERS):
            trace = None
        with self._database.writing() as connection:
            if also:
                also(connection)
            if kept.conversation is not None:
                done = connection.execute(
                    sql.update(CONVERSATIONS)
                    .where(CONVERSATIONS.c.id == kept.conversation, CONVERSATIONS.c.owner == kept.owner)
                    .values(
                        updated=kept.at,
                        title=sql.case((CONVERSATIONS.c.title == "", title_of(kept.turn)), else_=CONVERSATIONS.c.title),
                    )
                )
                if not done.rowcount:
                    return None
                last = sql.select(sql.func.max(TURNS.c.number)).where(TURNS.c.conversation == kept.conversation)
                kept = replace(kept, number=(connection.execute(last).scalar() or 0) + 1)
            values = {name: getattr(kept, name) for name in _SAME}
            connection.execute(_NEW_TURN, {**values, "content": content, "trace": trace, "idempotency": idempotency})
        return kept

    def once(self, owner: str, idempotency: str) -> Kept | None:
        """Return the turn that an owner's name for it has; None if there is none."""
        return next(self._turns(TURNS.c.owner == owner, TURNS.c.idempotency == idempotency), None)

    def turn(self, owner: str, id: str) -> Kept:
        """Return a turn with its trace; a `Problem` if the owner has none such."""
        if (found := next(self._turns(TURNS.c.owner == owner, TURNS.c.id == id, trace=True), None)) is None:
            raise Problem("not-found", "There is no such turn.")
        return found

    def turns(self, owner: str, conversation: str) -> Sequence[Kept]:
        """Return the turns of a conversation, in order, without their traces."""
        return [*self._turns(TURNS.c.owner == owner, TURNS.c.conversation == conversation)]

    def extent(self, conversation: str) -> tuple[int, int]:
        """Return how many turns a conversation has, and how many characters these have together."""
        [row] = self._database.rows(_EXTENT, {"conversation": conversation})
        return row.turns, row.size or 0

    def _turns(self, *conditions: Any, trace: bool = False) -> Iterator[Kept]:
        columns = [TURNS.c[name] for name in (*_SAME, "content", *(["trace"] if trace else []))]
        said = [FEEDBACK.c[name].label(f"feedback_{name}") for name in _SAID]
        wanted = sql.select(*columns, *said).select_from(TURNS.outerjoin(FEEDBACK)).where(*conditions)
        return map(_kept, self._database.rows(wanted.order_by(TURNS.c.number)))

    def forget(self, days: int, turns: int) -> None:
        """Delete what was asked without a key: what is older than some days, and the oldest beyond a number of turns.

        Turns that teach are kept. Conversations without turns count and end by themselves in the same way.
        """
        teaches = sql.exists().where(FEEDBACK.c.turn == TURNS.c.id, FEEDBACK.c.used)
        has_turns = sql.exists().where(TURNS.c.conversation == CONVERSATIONS.c.id)
        for table, time, kept in ((TURNS, TURNS.c.at, teaches), (CONVERSATIONS, CONVERSATIONS.c.updated, has_turns)):
            by_strangers = sql.or_(*(table.c.owner.startswith(one) for one in _STRANGERS))
            these, before = sql.and_(by_strangers, ~kept), now() - timedelta(days=days)
            for row in self._database.rows(sql.select(time).where(these).order_by(time.desc()).offset(turns).limit(1)):
                before = max(before, as_utc(row[0]))
            some = sql.select(table.c.id).where(these, time <= before).limit(_BATCH)
            while self._database.write(sql.delete(table).where(table.c.id.in_(some))) == _BATCH:
                pass

    # Boards

    def board(self, owner: str) -> Sequence[PinView]:
        """Return the answers that an owner pinned, in order."""
        return [*map(_pin, self._database.rows(_PINNED.where(TURNS.c.owner == owner)))]

    def pinned(self, id: str) -> PinView:
        """Return an answer that anybody pinned; a `Problem` if nobody did."""
        for row in self._database.rows(_PINNED.where(TURNS.c.id == id)):
            return _pin(row)
        raise Problem("not-found", "There is no such answer, or it is pinned no more.")

    def pin(self, kept: Kept, query: str, part: Reach, place: int) -> None:
        """Put the answer of a turn on its owner's board, or elsewhere on it; a `Problem` if that is full."""
        same: dict[str, Any] = {"turn": kept.id, "question": kept.turn.standalone, "query": query, "place": place}
        insert = self._database.insert(PINS).values(**same, part=part.model_dump(mode="json"))
        try:
            with self._database.writing() as connection:
                board = connection.execute(_PINNED.where(TURNS.c.owner == kept.owner)).scalars()
                if len(ids := [one for one in board if one != kept.id]) >= _PINS:
                    raise Problem("conflict", f"A board has at most {_PINS} answers; take one away first.")
                ids.insert(place, kept.id)
                connection.execute(insert.on_conflict_do_nothing(index_elements=["turn"]))
                for at, id in enumerate(ids):
                    connection.execute(sql.update(PINS).where(PINS.c.turn == id).values(place=at))
        except IntegrityError:
            raise Problem("not-found", "The turn was deleted meanwhile.") from None

    def unpin(self, owner: str, id: str) -> None:
        """Take an answer from its owner's board: nobody can open it any more."""
        own = sql.select(TURNS.c.id).where(TURNS.c.owner == owner, TURNS.c.id == id)
        self._database.write(sql.delete(PINS).where(PINS.c.turn.in_(own)))

    # Feedback

    def judge(self, kept: Kept, verdict: str, query: str | None, comment: str | None, *, used: bool) -> FeedbackView:
        """Keep what a person says of a turn, in place of what was said before.

        Raises:
            Problem: The turn was deleted.
        """
        values: dict[str, Any] = {"verdict": verdict, "query": query, "comment": comment, "used": used, "at": now()}
        same: dict[str, Any] = {"turn": kept.id, "graph": kept.graph, "question": kept.turn.standalone}
        insert = self._database.insert(FEEDBACK).values(**same, **values)
        try:
            self._database.write(insert.on_conflict_do_update(index_elements=["turn"], set_=values))
        except IntegrityError:
            raise Problem("not-found", "The turn was deleted meanwhile.") from None
        return FeedbackView(**values)

    def forget_judgement(self, kept: Kept) -> None:
        """Forget what was said of a turn."""
        self._database.write(sql.delete(FEEDBACK).where(FEEDBACK.c.turn == kept.id))

    def confirmed(self, graph: str) -> str:
        """Return a text that changes with the queries of a graph that people confirmed."""
        return " ".join(map(str, self._database.rows(_CONFIRMED, {"graph": graph})[0]))

    def examples(self, graph: str) -> Sequence[tuple[str, str]]:
        """Return questions of a graph with their queries that people confirmed, the latest last."""
        return [(row.question, row.query) for row in self._database.rows(_EXAMPLES, {"graph": graph})]


# What each question needs is made once: to put a statement together takes as long as to run it.
_NEW_TURN: Final = sql.insert(TURNS)
_PINNED: Final = (
    sql.select(TURNS.c.id, TURNS.c.graph, TURNS.c.at, PINS.c.question, PINS.c.query, PINS.c.part)
    .join(PINS, PINS.c.turn == TURNS.c.id)
    .order_by(PINS.c.place)
)
_TEACHES: Final = sql.and_(FEEDBACK.c.graph == sql.bindparam("graph"), FEEDBACK.c.used, FEEDBACK.c.query.is_not(None))
_CONFIRMED: Final = sql.select(sql.func.count(), sql.func.max(FEEDBACK.c.at)).where(_TEACHES)
_EXAMPLES: Final = (
    sql.select(FEEDBACK.c.question, FEEDBACK.c.query).where(_TEACHES).order_by(FEEDBACK.c.at, FEEDBACK.c.turn)
)
_EXTENT: Final = sql.select(
    sql.func.count().label("turns"), sql.func.sum(sql.func.length(TURNS.c.content)).label("size")
).where(TURNS.c.conversation == sql.bindparam("conversation"))
_LISTED: Final = sql.select(
    CONVERSATIONS.c.id,
    CONVERSATIONS.c.title,
    CONVERSATIONS.c.graph,
    sql.select(sql.func.count()).where(TURNS.c.conversation == CONVERSATIONS.c.id).scalar_subquery().label("turns"),
    CONVERSATIONS.c.created,
    CONVERSATIONS.c.updated,
)


def _listed(row: Any) -> Stored:
    created, updated = as_utc(row.created).isoformat(), as_utc(row.updated).isoformat()
    return Stored(row.id, row.title, row.graph, row.turns, created, updated)


def _pin(row: sql.Row[Any]) -> PinView:
    return PinView.model_validate({**row._mapping, "at": as_utc(row.at)})


def _kept(found: sql.Row[Any]) -> Kept:
    row, feedback = found._mapping, None
    if row["feedback_verdict"] is not None:
        said: dict[str, Any] = {name: row[f"feedback_{name}"] for name in _SAID}
        feedback = FeedbackView(**{**said, "at": as_utc(said["at"])})
    same: dict[str, Any] = {name: row[name] for name in _SAME}
    trace = from_json(Trace, row["trace"]) if row.get("trace") else None
    turn = from_json(Turn, row["content"])
    return Kept(**{**same, "at": as_utc(row["at"])}, turn=turn, trace=trace, feedback=feedback)
