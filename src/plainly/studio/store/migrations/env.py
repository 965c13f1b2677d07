"""Alembic runs this to migrate. The connection comes from `plainly.studio.store.schema`, within its transaction."""

from __future__ import annotations

from alembic import context

from plainly.studio.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,  # SQLite can, if the driver does not interfere
    render_as_batch=True,
)
context.run_migrations()
