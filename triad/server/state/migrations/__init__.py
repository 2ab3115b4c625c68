"""Migrations of the server's tables, with Alembic: each version of them is a module of ``versions``."""

from pathlib import Path

import sqlalchemy
from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

__all__ = ["upgrade"]

_LOCK = 7_421_905  # of PostgreSQL: one server migrates, the others wait


def upgrade(engine: Engine) -> None:
    """Bring the tables of a database to this version; of several servers that do so at once, one does the work."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    with engine.connect() as connection:
        connection.execution_options(writes=True)  # SQLite locks the file, and others wait
        with connection.begin():
            if engine.dialect.name == "postgresql":
                connection.execute(sqlalchemy.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
