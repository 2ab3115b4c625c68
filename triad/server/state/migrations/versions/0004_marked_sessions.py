"""What marks the tokens of sessions."""

import secrets

from alembic import op

from triad.server.state.tables import METADATA, SECRETS

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table, with a secret."""
    METADATA.create_all(op.get_bind(), [SECRETS])
    op.bulk_insert(SECRETS, [{"secret": secrets.token_hex(32)}])
