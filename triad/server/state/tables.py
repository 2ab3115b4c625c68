"""The tables of the server's database, as SQLAlchemy describes them. `triad.server.state.migrations` makes them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

__all__ = ["CONVERSATIONS", "FEEDBACK", "KEYS", "METADATA", "SESSIONS", "SPENT", "TURNS", "VERSION"]

METADATA: Final = MetaData()
VERSION: Final = "0001"
"""The migration that makes these tables."""

KEYS: Final = Table(
    "api_keys",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("digest", String(64), nullable=False, unique=True),  # SHA-256 of the key, which is 256 bits of chance
    Column("scopes", String(100), nullable=False),
    Column("limits", Text, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("revoked", DateTime(timezone=True)),
)

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("api_key", String(16), ForeignKey("api_keys.id", ondelete="CASCADE"), nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
)

CONVERSATIONS: Final = Table(
    "conversations",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("owner", String(80), nullable=False),
    Column("graph", String(100), nullable=False),
    Column("title", String(200), nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("updated", DateTime(timezone=True), nullable=False),
    Column("thread", String(64)),  # the messages that it stands at, for clients that know no conversations
    Index("conversations_of_thread", "thread"),
    Index("conversations_of_owner", "owner", "updated"),
)

TURNS: Final = Table(
    "turns",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("owner", String(80), nullable=False),
    Column("graph", String(100), nullable=False),
    Column("conversation", String(32), ForeignKey("conversations.id", ondelete="CASCADE")),
    Column("number", Integer, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("content", Text, nullable=False),
    Column("trace", Text),
    Column("idempotency", String(100)),
    UniqueConstraint("conversation", "number", name="turns_in_order"),
    UniqueConstraint("owner", "idempotency", name="turns_once"),
)

FEEDBACK: Final = Table(
    "feedback",
    METADATA,
    Column("turn", String(32), ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    Column("graph", String(100), nullable=False),
    Column("question", Text, nullable=False),
    Column("verdict", String(20), nullable=False),
    Column("query", Text),
    Column("comment", Text),
    Column("used", Boolean, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Index("feedback_of_graph", "graph", "used"),
)

SPENT: Final = Table(
    "spent",
    METADATA,
    Column("owner", String(80), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("calls", Integer, nullable=False),
    Column("money", Float, nullable=False),
)
