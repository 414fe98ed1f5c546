"""Copies of people's work know whose it is, and tasks made of a project's gold know the project."""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    # With the key in the column: SQLite adds no constraint to a table that there is.
    for table, column, target in (
        ("project_files", "of_person_id", "people"),
        ("reading_tasks", "made_of", "projects"),
    ):
        op.execute(
            f"ALTER TABLE {table} ADD COLUMN {column} VARCHAR(16) "
            f"CONSTRAINT fk_{table}_{column} REFERENCES {target} (id)"
        )
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column])
    _find_sources()


def _find_sources() -> None:
    """Find whose sittings were taken into shared tasks: their files are called PROJECT-NAME.jsonl.

    One that could be of two people is given to nobody rather than to the wrong one.
    """
    connection = op.get_bind()
    files = connection.execute(
        sa.text("SELECT number, name FROM project_files WHERE role = 'people'")
    ).all()
    if not files:
        return
    people = connection.execute(
        sa.text(
            "SELECT DISTINCT projects.slug, people.id, people.name, people.login FROM assignments "
            "JOIN people ON people.id = assignments.person_id "
            "JOIN projects ON projects.id = assignments.project_id"
        )
    ).all()
    owners: dict[str, set[str]] = {}
    for slug, person, name, login in people:
        for label in (name, login):
            owners.setdefault(_safe_name(f"{slug}-{label}.jsonl"), set()).add(person)
    for number, name in files:
        if len(found := owners.get(name, set())) == 1:
            connection.execute(
                sa.text("UPDATE project_files SET of_person_id = :person WHERE number = :number"),
                {"person": next(iter(found)), "number": number},
            )


def _safe_name(name: str) -> str:
    """A file's name as it was stored then."""
    safe = re.sub(r"[^\w.-]", "_", name)
    return safe.encode()[-120:].decode("utf-8", "ignore").lstrip(".-")
