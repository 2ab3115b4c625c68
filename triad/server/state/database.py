"""The database: one SQLite file, or PostgreSQL where there are several servers; a server makes its tables."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import sqlalchemy
from sqlalchemy import Connection, Engine, Executable, Row, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DataError, IntegrityError, OperationalError, SQLAlchemyError

from triad.deadline import Deadline
from triad.errors import ConfigError
from triad.log import logger
from triad.resources import private
from triad.server.problems import Problem
from triad.server.state.tables import VERSION
from triad.text import without_secrets

__all__ = ["Database", "IntegrityError", "as_utc", "new_id", "now"]

_WAIT: Final = 10_000  # milliseconds that a writer of SQLite waits for another one
_RETRY: Final = 5.0  # seconds after which a database may be back
_PATIENCE: Final = 10.0
"""Seconds that a statement may take on a server, which may be frozen and then says nothing at all."""
_SLOW: Final = 4.0  # seconds after which a failure is that of a server that lets everybody wait
# What a statement was to write is told in no error: it has the words of questions.
_OPTIONS: Final[Mapping[str, Any]] = {"pool_size": 10, "max_overflow": 10, "hide_parameters": True}


class Database:
    """The connections to a database, which ``sqlite://`` keeps in memory. Safe for several threads and processes.

    Raises:
        ConfigError: The address cannot be used, or the tables cannot be made.
    """

    def __init__(self, address: str) -> None:
        try:
            url = make_url(address)
            if url.get_backend_name() == "postgresql" and url.drivername == "postgresql":
                url = url.set(drivername="postgresql+psycopg")
            self.name = url.render_as_string(hide_password=True)
            self.engine = _engine(url)
            self._is_prepared = False
            self._file = None if url.get_backend_name() != "sqlite" or _in_memory(url) else Path(str(url.database))
            self._inode: int | None = None
            self._away: Deadline | None = None  # until when a server is not asked that let everybody wait
        except (ArgumentError, ImportError, OSError) as error:
            raise ConfigError(f"the state {without_secrets(address)!r} cannot be opened: {error}") from error

    def migrate(self) -> None:
        """Make the tables, or bring those of an earlier version up to date; several servers may do so at once.

        Raises:
            ConfigError: They cannot be made.
        """
        try:
            self._prepare()
        except SQLAlchemyError as error:
            raise ConfigError(f"the state {self.name!r} cannot be prepared: {_said(error)}") from error

    def start(self) -> None:
        """Do what `migrate` does; where the database's server is away, it is done when that is back.

        Raises:
            ConfigError: The tables cannot be made.
        """
        try:
            self.migrate()
        except ConfigError as error:
            if self.engine.dialect.name == "sqlite" or not isinstance(error.__cause__, OperationalError):
                raise
            logger.error("{}; it is tried again", error)

    def _prepare(self) -> None:
        if not self._is_current():
            from alembic.util import CommandError  # which takes a while to import

            from triad.server.state.migrations import upgrade

            try:
                upgrade(self.engine)
            except CommandError as error:
                raise ConfigError(f"the state {self.name!r} is that of a later version of Triad: {error}") from error
        self._inode = _inode(self._file)
        self._is_prepared = True  # last, as other threads look at it

    def _is_current(self) -> bool:
        with self.engine.connect() as connection:
            if not sqlalchemy.inspect(connection).has_table("alembic_version"):
                return False
            versions = connection.execute(sqlalchemy.text("SELECT version_num FROM alembic_version")).scalars().all()
        return versions == [VERSION]

    def rows(self, query: Executable, parameters: Mapping[str, Any] | None = None) -> Sequence[Row[Any]]:
        """Return the rows of a query; raises as `reading` does."""
        with self.reading() as connection:
            return connection.execute(query, parameters).all()

    def write(self, statement: Executable) -> int:
        """Run a statement in a transaction of its own, and return of how many rows it was; raises as `reading` does."""
        with self.writing() as connection:
            return connection.execute(statement).rowcount

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection in a transaction of its own: either all of it is written, or nothing."""
        with self.reading() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                yield connection

    def insert(self, table: sqlalchemy.Table) -> Any:
        """Return an INSERT that can say what happens in a conflict."""
        return import_module(f"sqlalchemy.dialects.{self.engine.dialect.name}").insert(table)

    def fault(self) -> str | None:
        """Return what is wrong with the database; None if it can be written."""
        try:
            with self.writing() as connection:  # something that is kept: what is rolled back never reaches a disk
                connection.execute(sqlalchemy.text("UPDATE alembic_version SET version_num = version_num"))
        except (Problem, ConfigError):
            return "the database does not answer"
        return None

    def close(self) -> None:
        """Close the connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection.

        Raises:
            Problem: The database cannot be reached, or cannot keep what is written.
        """
        if self._away is not None:
            if not self._away.expired:
                raise Problem("busy", "The state of the server cannot be reached; try again soon.", wait=_RETRY)
            self._away.renew(_RETRY)  # one finds out whether it is back; all others are told so meanwhile
        asked = Deadline()
        try:
            if not self._is_prepared:
                self._prepare()
            if _inode(self._file) != self._inode:
                logger.error("the file of the state {!r} was removed or replaced: start the server anew", self.name)
                raise Problem("busy", "The state of the server is gone.", wait=_RETRY)
            with self.engine.connect() as connection:
                self._away = None
                yield connection
        except (DataError, UnicodeEncodeError):
            raise Problem("bad-request", "The request has characters that cannot be kept.") from None
        except IntegrityError:
            raise  # whoever writes knows what it means
        except SQLAlchemyError as error:
            if self._file is None and asked.elapsed > _SLOW:
                self._away = Deadline(_RETRY)
            # What a database says names its host and its user, which concern nobody who asks.
            logger.warning("the state cannot be reached: {}", _said(error))
            raise Problem("busy", "The state of the server cannot be reached; try again soon.", wait=_RETRY) from error


def _engine(url: sqlalchemy.URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        engine = sqlalchemy.create_engine(
            url, pool_pre_ping=True, pool_timeout=10, connect_args={"connect_timeout": 5}, **_OPTIONS
        )
        if engine.dialect.driver == "psycopg":
            event.listen(engine, "do_connect", lambda _, __, arguments, named: _bounded().connect(*arguments, **named))
        return engine
    if _in_memory(url):
        engine = sqlalchemy.create_engine(
            url, poolclass=sqlalchemy.StaticPool, connect_args={"check_same_thread": False}, hide_parameters=True
        )
    else:
        if not str(url.database).startswith("file:"):
            private(Path(str(url.database)))
        engine = sqlalchemy.create_engine(url, connect_args={"timeout": _WAIT / 1_000}, **_OPTIONS)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # BEGIN is ours: sqlite3 would put it off to the first change
        cursor = connection.cursor()
        for pragma in (f"busy_timeout = {_WAIT}", "journal_mode = WAL", "foreign_keys = ON", "synchronous = FULL"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # Two that read first and write later would have to give way to each other; to read alone needs no transaction.
        if connection.get_execution_options().get("writes"):
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


@cache
def _bounded() -> Any:
    """Return the kind of connection that waits for its server no longer than a statement may take."""
    import psycopg

    class Bounded(psycopg.Connection[Any]):
        def wait(self, gen: Any, *arguments: Any, **named: Any) -> Any:
            try:
                return super().wait(gen, *arguments, **{"timeout": _PATIENCE, **named})
            except psycopg.OperationalError:
                self.close()  # its server may still answer, to whoever had it next
                raise

    return Bounded


def _in_memory(url: sqlalchemy.URL) -> bool:
    return not url.database or url.database == ":memory:"


def _inode(file: Path | None) -> int | None:
    """Return what tells a file from another one that has its name later; None if there is none."""
    try:
        return file.stat().st_ino if file else None
    except OSError:
        return None


def _said(error: SQLAlchemyError) -> str:
    """Return the first line of what a database said, without the statement and its values."""
    return str(getattr(error, "orig", None) or type(error).__name__).partition("\n")[0][:300]


def new_id() -> str:
    """Return an id that nobody can guess."""
    return uuid.uuid4().hex


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def as_utc(time: datetime) -> datetime:
    """Return a time as it came from a database, which may not keep that it is in UTC."""
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
