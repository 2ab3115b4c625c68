"""What keys see, and who asked what."""

from alembic import op

from triad.server.state.tables import AUDIT, METADATA, REACHES

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables."""
    METADATA.create_all(op.get_bind(), [REACHES, AUDIT])
