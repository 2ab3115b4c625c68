"""Answers that are pinned to boards."""

from alembic import op

from triad.server.state.tables import METADATA, PINS

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    METADATA.create_all(op.get_bind(), [PINS])
