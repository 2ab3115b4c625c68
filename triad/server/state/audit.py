"""The audit log: who asked what, which query ran, and what it returned in numbers; never the values of an answer.

What is asked is written down when it is over, before its answer is told: where that fails, no answer is told.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

import sqlalchemy as sql

from triad.server.access import Asker
from triad.server.problems import Problem
from triad.server.state.database import Database, as_utc, now
from triad.server.state.tables import AUDIT


def outcome_of(error: BaseException) -> str:
    """Return what an error made of a request."""
    return {TimeoutError: "timeout", asyncio.CancelledError: "cancelled"}.get(type(error), type(error).__name__)


@dataclass
class Entry:
    """What somebody asked, and what came of it."""

    asker: str
    """The name of a key; without one an address."""
    graph: str
    kind: str
    """``question``, ``query``, ``names``, ``things``, ``instances``, ``words``, ``next`` or ``profile``."""
    asked: str
    """The question, the query as it came in, or the names or IRIs that were looked up."""
    at: datetime
    query: str | None = None
    """The query that ran."""
    outcome: str = "answer"
    """``answer``, ``unknown``, ``said``, ``cancelled``, or the name of an error."""
    rows: int | None = None
    """How much was found: rows, names, things or words."""
    seconds: float = 0.0
    id: int | None = None


class Audit:
    """The audit log in a database, kept for some days; with 0 there is none. Safe for several threads and processes."""

    def __init__(self, database: Database, days: int) -> None:
        self._database = database
        self._days = days

    @asynccontextmanager
    async def of(self, asker: Asker, graph: str, kind: str, asked: str) -> AsyncIterator[Entry]:
        """Yield the entry of something that is asked, to be filled in; it is kept however that ends.

        Raises:
            Problem: It cannot be kept.
        """
        entry, started = Entry(asker.key.name if asker.key else asker.account, graph, kind, asked, now()), time.time()
        try:
            yield entry
        except BaseException as error:
            entry.outcome = error.name if isinstance(error, Problem) else outcome_of(error)
            raise
        finally:
            entry.seconds = round(time.time() - started, 4)
            if self._days:
                await asyncio.shield(asyncio.to_thread(self._keep, entry))

    def _keep(self, entry: Entry) -> None:
        values = {name: value for name, value in asdict(entry).items() if name != "id"}
        # PostgreSQL keeps no text with a NUL, which whoever asks could put there to stay unknown.
        values = {name: one.replace("\0", "␀") if isinstance(one, str) else one for name, one in values.items()}
        self._database.write(sql.insert(AUDIT).values(values))

    def list(self, *, since: datetime | None = None, after: int = 0, limit: int = 1_000) -> Sequence[Entry]:
        """Return entries in order, from some time on, or after an entry."""
        wanted = sql.select(AUDIT).where(AUDIT.c.id > after).order_by(AUDIT.c.id).limit(limit)
        if since is not None:
            wanted = wanted.where(AUDIT.c.at >= since)
        return [Entry(**{**row._mapping, "at": as_utc(row.at)}) for row in self._database.rows(wanted)]

    def forget(self) -> None:
        """Delete what is older than some days."""
        self._database.write(sql.delete(AUDIT).where(AUDIT.c.at < now() - timedelta(days=self._days)))
