"""Assignments know how large their objects are now, so that a page of them stays small."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

AMOUNTS = """
UPDATE assignments SET object_bytes = (
    SELECT coalesce(sum(length(value)), 0) FROM events WHERE number IN (
        SELECT max(own.number) FROM events AS own
        WHERE own.assignment_id = assignments.id AND NOT own.is_conflict GROUP BY own.object))
"""


def upgrade() -> None:
    op.add_column(
        "assignments",
        sa.Column("object_bytes", sa.BigInteger(), nullable=False, server_default="0"),
    )
    op.execute(AMOUNTS)
