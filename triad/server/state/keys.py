"""API keys and sessions: who may ask. Of a key only its hash is kept; it is shown once, when it is made.

A key is 256 bits of chance, so that no list of likely keys exists and a plain SHA-256 is as good as a slow hash.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sql

from triad.caching import cached_property
from triad.errors import ConfigError
from triad.naming import among
from triad.server.problems import Problem
from triad.server.settings import ADMINS_SEE_ALL, ALL, Grant, KeyLimits, Reach
from triad.server.state.database import Database, IntegrityError, as_utc, now
from triad.server.state.tables import CONVERSATIONS, FEEDBACK, KEYS, PINS, REACHES, SECRETS, SESSIONS, SPENT, TURNS
from triad.text import clean, one_line, writable

SCOPES: Final = ("ask", "query", "admin")
"""What a key may do: ask questions, run queries, and see prompts and reports."""
PREFIX: Final = "triad_"
"""How every key begins, so that one that leaked into a text is found."""
_CHANCE: Final = 32  # characters of a session's token that are chance: 192 bits


@dataclass(frozen=True, slots=True)
class Key:
    """What is known of a key."""

    id: str
    name: str
    scopes: tuple[str, ...]
    limits: KeyLimits | None
    """None where it has the limits that the settings say."""
    created: datetime
    revoked: datetime | None = None
    reach: Reach = ALL


def digest(secret: str) -> str:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def owner_of(token: str) -> str:
    """Return whose the conversations of a session without a key are."""
    return f"session:{digest(token)[:40]}"


class Keys:
    """The keys in a database. Safe to use from several threads and processes."""

    def __init__(self, database: Database) -> None:
        self.database = database
        more = database.insert(SPENT)  # made once: to put a statement together takes as long as to run it
        added = {name: SPENT.c[name] + more.excluded[name] for name in ("calls", "money")}
        self._spend = more.on_conflict_do_update(index_elements=["owner", "day"], set_=added)

    def add(
        self, name: str, scopes: Iterable[str] = ("ask", "query"), limits: KeyLimits | None = None, reach: Reach = ALL
    ) -> str:
        """Make a key, and return it: it cannot be had again.

        Raises:
            ConfigError: The name is taken or empty, there is no such scope, or an admin, who sees what others asked, is
                to see only a part.
        """
        name, scopes = " ".join(name.split()), tuple(dict.fromkeys(scopes))
        if unknown := [scope for scope in scopes if scope not in SCOPES]:
            raise ConfigError(f"unknown scope {unknown[0]!r}; known: {among(SCOPES, unknown[0])}")
        if "admin" in scopes and reach != ALL:
            raise ConfigError(ADMINS_SEE_ALL)
        if not name or len(name) > 100 or clean(name) != name:
            raise ConfigError("a key has a name of at most 100 characters, none of which steers a terminal")
        secret = PREFIX + secrets.token_urlsafe(32)
        try:
            with self.database.writing() as connection:
                _insert(connection, name, digest(secret), scopes, limits, reach)
        except IntegrityError as error:
            raise ConfigError(f"there is a key of the name {name!r} already; revoked keys keep their names") from error
        return secret

    def list(self) -> Sequence[Key]:
        """Return all keys, the latest last."""
        return list(map(_key, self.database.rows(_KEYS.order_by(KEYS.c.created))))

    def revoke(self, name: str) -> None:
        """Have a key, and the sessions that were begun with it, open nothing any more.

        What it taught counts no more, and what it pinned is pinned no more.

        Raises:
            ConfigError: There is no such key.
        """
        wanted = sql.and_(KEYS.c.name == name, KEYS.c.revoked.is_(None))
        own = sql.select(TURNS.c.id).join(KEYS, TURNS.c.owner == "key:" + KEYS.c.id).where(wanted)
        with self.database.writing() as connection:
            connection.execute(sql.update(FEEDBACK).where(FEEDBACK.c.turn.in_(own)).values(used=False))
            connection.execute(sql.delete(PINS).where(PINS.c.turn.in_(own)))
            done = connection.execute(sql.update(KEYS).where(wanted).values(revoked=now()))
        if not done.rowcount:
            known = among((key.name for key in self.list() if not key.revoked), name)
            raise ConfigError(f"no key has the name {name!r}; known: {known}")

    def find(self, secret: str) -> Key | None:
        """Return the key that a secret is; None if it is none, or was revoked."""
        return self._first(_KEYS.where(KEYS.c.digest == digest(secret), KEYS.c.revoked.is_(None)))

    def sign_on(self, subject: str, name: str, grant: Grant) -> Key:
        """Return the key of somebody who signed on, which nobody holds: only sessions ask with it.

        Where they may something else than before, it is another key, and sessions of the one before end.

        Raises:
            Problem: Their key was revoked, or they sign on twice at once for the first time.
        """
        mark = _SIGNED_ON + digest(subject)[:60]  # which no secret has as its digest
        name = f"{one_line(writable(name), 60)}-{digest(subject)[:8]}"
        if (known := self._first(_KEYS.where(KEYS.c.digest == mark))) and known.revoked:
            raise Problem("forbidden", "You may not ask here any more.")
        if known and (known.scopes, known.limits, known.reach) == (grant.scopes, grant.limits, grant.sees):
            return known
        try:
            with self.database.writing() as connection:
                if known:
                    gone = {"digest": secrets.token_hex(32), "name": f"{name}-{known.id}", "revoked": now()}
                    connection.execute(sql.update(KEYS).where(KEYS.c.id == known.id).values(gone))
                _insert(connection, name, mark, grant.scopes, grant.limits, grant.sees)
        except IntegrityError:
            raise Problem("conflict", "Sign on again.") from None
        found = self._first(_KEYS.where(KEYS.c.digest == mark))
        assert found is not None
        return found

    # Sessions

    def begin_session(self, key: Key) -> str:
        """Have a new session ask with a key, and return its token."""
        token = self._token()
        self.database.write(sql.insert(SESSIONS).values(digest=digest(token), api_key=key.id, created=now()))
        return token

    def session(self, token: str, days: int) -> tuple[Key | None, str]:
        """Return the key that a session asks with, and its token.

        A session has no key if it was begun without one, or with one more than some days ago. What no server of this
        database has given is no token: whoever set it would see what is asked by it. In its place there is a new one.
        """
        if token:
            begun = sql.select(SESSIONS.c.api_key).where(SESSIONS.c.digest == digest(token))
            lasts = SESSIONS.c.created > now() - timedelta(days=days)
            if key := self._first(_KEYS.where(KEYS.c.id.in_(begun.where(lasts)), KEYS.c.revoked.is_(None))):
                return key, token
        made = hmac.compare_digest(self._token(token[:_CHANCE]).encode(), token.encode())
        return None, token if made or (token and self._has_asked(token)) else self._token()

    def _token(self, chance: str = "") -> str:
        """Return a token: chance, and a mark by which it is known to be of this database."""
        chance = chance or secrets.token_urlsafe(24)
        return chance + hmac.new(self._secret, chance.encode(), "sha256").hexdigest()[:32]

    @cached_property
    def _secret(self) -> bytes:
        return next(bytes.fromhex(row.secret) for row in self.database.rows(sql.select(SECRETS.c.secret)))

    def _has_asked(self, token: str) -> bool:
        """Tell whether there are conversations of a session that version 1.0 began, whose tokens had no mark."""
        wanted = sql.select(CONVERSATIONS.c.id).where(CONVERSATIONS.c.owner == owner_of(token)).limit(1)
        return bool(self.database.rows(wanted))

    def end_sessions(self, days: int) -> None:
        """Forget the sessions that have lasted for some days."""
        self.database.write(sql.delete(SESSIONS).where(SESSIONS.c.created <= now() - timedelta(days=days)))

    def end_session(self, token: str) -> None:
        """Have a session ask with no key any more."""
        self.database.write(sql.delete(SESSIONS).where(SESSIONS.c.digest == digest(token)))

    # What was spent

    def spent(self, owner: str, connection: sql.Connection | None = None) -> tuple[int, float]:
        """Return the calls and the US dollars that an owner spent today; also in a transaction that is under way."""
        wanted = sql.select(SPENT.c.calls, SPENT.c.money).where(SPENT.c.owner == owner, SPENT.c.day == _today())
        rows = connection.execute(wanted).all() if connection else self.database.rows(wanted)
        return next(((row.calls, row.money) for row in rows), (0, 0.0))

    def spend(self, connection: sql.Connection, owner: str, calls: int, money: float, day: str = "") -> str:
        """Add to what an owner spent on a day, by default today, in a transaction under way; return the day."""
        day = day or _today()
        connection.execute(self._spend, {"owner": owner, "day": day, "calls": calls, "money": money})
        return day

    def _first(self, wanted: Any) -> Key | None:
        return next(map(_key, self.database.rows(wanted)), None)


_SIGNED_ON: Final = "sso:"
_KEYS: Final = sql.select(KEYS, REACHES.c.reach).select_from(KEYS.outerjoin(REACHES))


def _insert(
    connection: sql.Connection, name: str, mark: str, scopes: Iterable[str], limits: KeyLimits | None, reach: Reach
) -> None:
    id, said = secrets.token_hex(8), limits.model_dump_json() if limits else ""
    made = {"id": id, "name": name, "digest": mark, "scopes": ",".join(scopes), "limits": said, "created": now()}
    connection.execute(sql.insert(KEYS).values(made))
    if reach != ALL:
        connection.execute(sql.insert(REACHES).values(api_key=id, reach=reach.model_dump_json()))


def _key(row: Any) -> Key:
    scopes = tuple(filter(None, row.scopes.split(",")))
    limits = KeyLimits.model_validate_json(row.limits) if row.limits else None
    revoked = as_utc(row.revoked) if row.revoked else None
    reach = Reach.model_validate_json(row.reach) if row.reach else ALL
    return Key(row.id, row.name, scopes, limits, as_utc(row.created), revoked, reach)


def _today() -> str:
    return now().date().isoformat()
