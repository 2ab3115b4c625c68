"""The tables of the server's database, as SQLAlchemy describes them. `triad.server.state.migrations` makes them."""

from typing import Final

import sqlalchemy as sql
from sqlalchemy import Column, ForeignKey, String, Table

METADATA: Final = sql.MetaData()
VERSION: Final = "0004"
"""The migration that makes these tables."""

KEYS: Final = Table(
    "api_keys",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("digest", String(64), nullable=False, unique=True),  # SHA-256 of the key, which is 256 bits of chance
    Column("scopes", String(100), nullable=False),
    Column("limits", sql.Text, nullable=False),
    Column("created", sql.DateTime(timezone=True), nullable=False),
    Column("revoked", sql.DateTime(timezone=True)),
)

REACHES: Final = Table(
    "reaches",  # what keys see; one without a row sees all
    METADATA,
    Column("api_key", String(16), ForeignKey("api_keys.id", ondelete="CASCADE"), primary_key=True),
    Column("reach", sql.Text, nullable=False),
)

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("api_key", String(16), ForeignKey("api_keys.id", ondelete="CASCADE"), nullable=False),
    Column("created", sql.DateTime(timezone=True), nullable=False),
)

SECRETS: Final = Table(
    "secrets",  # one row: by what the tokens of sessions are marked
    METADATA,
    Column("secret", String(64), primary_key=True),
)

CONVERSATIONS: Final = Table(
    "conversations",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("owner", String(80), nullable=False),
    Column("graph", String(100), nullable=False),
    Column("title", String(200), nullable=False),
    Column("created", sql.DateTime(timezone=True), nullable=False),
    Column("updated", sql.DateTime(timezone=True), nullable=False),
    Column("thread", String(64)),  # the messages that it stands at, for clients that know no conversations
    sql.Index("conversations_of_thread", "thread"),
    sql.Index("conversations_of_owner", "owner", "updated"),
)

TURNS: Final = Table(
    "turns",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("owner", String(80), nullable=False),
    Column("graph", String(100), nullable=False),
    Column("conversation", String(32), ForeignKey("conversations.id", ondelete="CASCADE")),
    Column("number", sql.Integer, nullable=False),
    Column("at", sql.DateTime(timezone=True), nullable=False),
    Column("content", sql.Text, nullable=False),
    Column("trace", sql.Text),
    Column("idempotency", String(100)),
    sql.UniqueConstraint("conversation", "number", name="turns_in_order"),
    sql.UniqueConstraint("owner", "idempotency", name="turns_once"),
)

FEEDBACK: Final = Table(
    "feedback",
    METADATA,
    Column("turn", String(32), ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    Column("graph", String(100), nullable=False),
    Column("question", sql.Text, nullable=False),
    Column("verdict", String(20), nullable=False),
    Column("query", sql.Text),
    Column("comment", sql.Text),
    Column("used", sql.Boolean, nullable=False),
    Column("at", sql.DateTime(timezone=True), nullable=False),
    sql.Index("feedback_of_graph", "graph", "used"),
)

PINS: Final = Table(
    "pins",  # of answers question and query, and no value: who opens one has the query run over what they see
    METADATA,
    Column("turn", String(32), ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    Column("question", sql.Text, nullable=False),
    Column("query", sql.Text, nullable=False),
    Column("part", sql.JSON, nullable=False),  # what its owner saw of the graph
    Column("place", sql.Integer, nullable=False),
)

SPENT: Final = Table(
    "spent",
    METADATA,
    Column("owner", String(80), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("calls", sql.Integer, nullable=False),
    Column("money", sql.Float, nullable=False),
)

AUDIT: Final = Table(
    "audit",
    METADATA,
    Column("id", sql.BigInteger().with_variant(sql.Integer, "sqlite"), primary_key=True),
    Column("at", sql.DateTime(timezone=True), nullable=False),
    Column("asker", String(200), nullable=False),
    Column("graph", String(100), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("asked", sql.Text, nullable=False),
    Column("query", sql.Text),
    Column("outcome", String(40), nullable=False),
    Column("rows", sql.Integer),
    Column("seconds", sql.Float, nullable=False),
    sql.Index("audit_by_time", "at"),
)
