"""Migrations of the server's tables, with Alembic: each version of them is a module of ``versions``."""

from pathlib import Path
from typing import Any

import sqlalchemy
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine

__all__ = ["configuration", "upgrade"]

_LOCK = 7_421_905  # of PostgreSQL: one server migrates, the others wait


def configuration(connection: Connection | None = None) -> Config:
    """Return what Alembic needs to know."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(engine: Engine, to: str = "head") -> None:
    """Bring the tables of a database to a version; of several servers that do so at once, one does the work."""
    with engine.connect() as connection:
        connection.execution_options(writes=True)  # SQLite locks the file, and others wait
        with connection.begin():
            if engine.dialect.name == "postgresql":
                connection.execute(sqlalchemy.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            config: Any = configuration(connection)
            command.upgrade(config, to)
