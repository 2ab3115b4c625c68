"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(100), nullable=False, unique=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("scopes", sa.String(100), nullable=False),
        sa.Column("limits", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked", sa.DateTime(timezone=True)),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("api_key", sa.String(16), sa.ForeignKey("api_keys.id", ondelete="CASCADE"), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "conversations",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("owner", sa.String(80), nullable=False),
        sa.Column("graph", sa.String(100), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated", sa.DateTime(timezone=True), nullable=False),
        sa.Column("thread", sa.String(64)),
    )
    op.create_index("conversations_of_thread", "conversations", ["thread"])
    op.create_index("conversations_of_owner", "conversations", ["owner", "updated"])
    op.create_table(
        "turns",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("owner", sa.String(80), nullable=False),
        sa.Column("graph", sa.String(100), nullable=False),
        sa.Column("conversation", sa.String(32), sa.ForeignKey("conversations.id", ondelete="CASCADE")),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("trace", sa.Text),
        sa.Column("idempotency", sa.String(100)),
        sa.UniqueConstraint("conversation", "number", name="turns_in_order"),
        sa.UniqueConstraint("owner", "idempotency", name="turns_once"),
    )
    op.create_table(
        "feedback",
        sa.Column("turn", sa.String(32), sa.ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("graph", sa.String(100), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("verdict", sa.String(20), nullable=False),
        sa.Column("query", sa.Text),
        sa.Column("comment", sa.Text),
        sa.Column("used", sa.Boolean, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("feedback_of_graph", "feedback", ["graph", "used"])
    op.create_table(
        "spent",
        sa.Column("owner", sa.String(80), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("calls", sa.Integer, nullable=False),
        sa.Column("money", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Remove them."""
    for name in ("spent", "feedback", "turns", "conversations", "sessions", "api_keys"):
        op.drop_table(name)
