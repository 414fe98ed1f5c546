"""Alembic's entry: runs the migrations on the connection that the hall hands over."""

from __future__ import annotations

from alembic import context

from readmark.server.tables import HallTable

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=HallTable.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
