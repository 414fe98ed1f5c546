"""Events have a place in their assignment, which clients know them by instead of the number."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_PLACES = """
UPDATE events SET place = counted.place FROM (
    SELECT number, row_number() OVER (PARTITION BY assignment_id ORDER BY number) AS place
    FROM events
) AS counted WHERE events.number = counted.number
"""
_REFERENCES = """
UPDATE events SET {column} = (
    SELECT named.place FROM events AS named
    WHERE named.number = events.{column} AND named.assignment_id = events.assignment_id
) WHERE {column} IS NOT NULL
"""


def upgrade() -> None:
    op.add_column(
        "events", sa.Column("place", sa.Integer(), nullable=False, server_default=sa.text("0"))
    )
    op.execute(_PLACES)
    for column in ("base", "resolves"):
        op.execute(_REFERENCES.format(column=column))
    op.create_index("ix_events_assignment_place", "events", ["assignment_id", "place"], unique=True)
