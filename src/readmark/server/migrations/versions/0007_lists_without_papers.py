"""Lists of projects, items and assignments are made without configurations, papers and events."""

from __future__ import annotations

import json
import tomllib

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

SECONDS = """
UPDATE assignments SET seconds = (SELECT coalesce(sum(seconds), 0) FROM events
                                  WHERE events.assignment_id = assignments.id)
"""
STATUSES = """
SELECT events.assignment_id, events.value, events.received FROM events
WHERE events.number IN (SELECT max(number) FROM events
                        WHERE object = 'status' AND NOT is_conflict GROUP BY assignment_id)
"""
LARGEST_OPTIONS = 4000


def upgrade() -> None:
    op.drop_index("ix_items_project_id", "items")
    op.create_index(
        "ix_items_project_purpose_position", "items", ["project_id", "purpose", "position"]
    )
    op.add_column("assignments", sa.Column("handed_in", sa.Float(53), nullable=True))
    op.add_column(
        "assignments", sa.Column("seconds", sa.Float(53), nullable=False, server_default="0")
    )
    op.add_column(
        "configurations", sa.Column("listing", sa.Text(), nullable=False, server_default="")
    )
    connection = op.get_bind()
    connection.execute(sa.text(SECONDS))
    done = [
        {"id": row.assignment_id, "time": row.received}
        for row in connection.execute(sa.text(STATUSES))
        if (json.loads(row.value) or {}).get("done")
    ]
    if done:
        update = "UPDATE assignments SET handed_in = :time WHERE id = :id"
        connection.execute(sa.text(update), done)
    texts = connection.execute(sa.text("SELECT number, text FROM configurations")).all()
    listed = [{"number": row.number, "listing": _listing(row.text)} for row in texts]
    if listed:
        update = "UPDATE configurations SET listing = :listing WHERE number = :number"
        connection.execute(sa.text(update), listed)


def _listing(text: str) -> str:
    """What `ConfigurationListing` stores, without the checks; empty where the text is odd."""
    try:
        data = tomllib.loads(text)
        project = data["project"]
        listing = {"name": project["name"], "work": project["work"]}
        listing["roles"] = project.get("roles", [])
        options = data.get("options", {})
        if len(json.dumps(options, ensure_ascii=False)) <= LARGEST_OPTIONS:
            listing["options"] = options
        return json.dumps(listing, ensure_ascii=False)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return ""
