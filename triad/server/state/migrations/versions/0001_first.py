"""The first tables, as they are described; whoever changes the description writes down here what they were."""

from alembic import op

from triad.server.state.tables import METADATA

revision = "0001"
down_revision = None
TABLES = [METADATA.tables[name] for name in ("api_keys", "sessions", "conversations", "turns", "feedback", "spent")]


def upgrade() -> None:
    """Make them."""
    METADATA.create_all(op.get_bind(), TABLES)
