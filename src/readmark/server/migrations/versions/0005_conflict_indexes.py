"""Open conflicts of an assignment are found without reading its other events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_index(
        "ix_events_conflicts",
        "events",
        ["assignment_id", "client", "object", "sequence"],
        sqlite_where=sa.text("is_conflict = 1"),
        postgresql_where=sa.text("is_conflict"),
    )
    op.create_index(
        "ix_events_assignment_resolves",
        "events",
        ["assignment_id", "resolves"],
        sqlite_where=sa.text("resolves IS NOT NULL"),
        postgresql_where=sa.text("resolves IS NOT NULL"),
    )
