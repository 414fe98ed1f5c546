"""Reading-task services: tasks that programs read, and the log of what they answered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "reading_tasks",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=True),
        sa.Column("project_id", sa.String(length=16), nullable=True),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("selection", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.Column("feeds_pool", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_reading_tasks_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_reading_tasks_project_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reading_tasks")),
        sa.UniqueConstraint("project_id", name=op.f("uq_reading_tasks_project_id")),
    )
    op.create_index(op.f("ix_reading_tasks_person_id"), "reading_tasks", ["person_id"])
    op.create_index(op.f("ix_reading_tasks_source"), "reading_tasks", ["source"])
    op.create_table(
        "reading_task_submissions",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("task_id", sa.String(length=40), nullable=False),
        sa.Column("root_id", sa.String(length=40), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("candidate", sa.String(length=200), nullable=False),
        sa.Column("gold", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("pooled", sa.String(length=200), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_reading_task_submissions_person_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reading_task_submissions")),
    )
    for column in ("task_id", "root_id"):
        name = op.f(f"ix_reading_task_submissions_{column}")
        op.create_index(name, "reading_task_submissions", [column])
    op.create_index(
        "ix_reading_task_submissions_person_created",
        "reading_task_submissions",
        ["person_id", "created"],
    )
