"""What Alembic runs to migrate, on the connection that it is given."""

from alembic import context

from triad.server.state.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"], target_metadata=METADATA, transaction_per_migration=False
)
context.run_migrations()
