"""Assignments know how much is stored of them, so that it can be limited."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

AMOUNTS = """
UPDATE assignments SET
stored_bytes = (SELECT coalesce(sum(200 + length(value)), 0) FROM events
                WHERE events.assignment_id = assignments.id),
stored_objects = (SELECT count(DISTINCT object) FROM events
                  WHERE events.assignment_id = assignments.id)
"""


def upgrade() -> None:
    # Not a batch: SQLite adds columns in place, and PostgreSQL rewrites no row for a constant.
    op.add_column(
        "assignments",
        sa.Column("stored_bytes", sa.BigInteger(), nullable=False, server_default="0"),
    )
    op.add_column(
        "assignments",
        sa.Column("stored_objects", sa.Integer(), nullable=False, server_default="0"),
    )
    op.execute(AMOUNTS)
