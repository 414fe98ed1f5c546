"""Shared tasks: teams, submissions, boards, and the jobs of worker processes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("invitations", sa.Column("team_id", sa.String(length=16), nullable=True))
    op.create_table(
        "jobs",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(length=80), nullable=False),
        sa.Column("lease", sa.Float(precision=53), nullable=True),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("started", sa.Float(precision=53), nullable=True),
        sa.Column("finished", sa.Float(precision=53), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_jobs")),
    )
    op.create_index(
        "ix_jobs_state_priority_number", "jobs", ["state", "priority", "number"], unique=False
    )
    op.create_index(
        "uq_jobs_waiting",
        "jobs",
        ["kind", "subject"],
        unique=True,
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )

    op.create_table(
        "workers",
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("started", sa.Float(precision=53), nullable=False),
        sa.Column("seen", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_workers")),
    )
    op.create_index(op.f("ix_workers_seen"), "workers", ["seen"], unique=False)

    op.create_table(
        "board_versions",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("project_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_board_versions_project_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_board_versions")),
        sa.UniqueConstraint(
            "project_id", "number", name=op.f("uq_board_versions_project_id_number")
        ),
    )
    op.create_table(
        "teams",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("project_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_teams_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teams")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_teams_project_id_name")),
    )
    op.create_table(
        "submissions",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("project_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.String(length=16), nullable=True),
        sa.Column("person_id", sa.String(length=16), nullable=True),
        sa.Column("client_key", sa.String(length=64), nullable=True),
        sa.Column("origin", sa.String(length=16), nullable=False),
        sa.Column("system", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("is_ensemble", sa.Boolean(), nullable=False),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("file_name", sa.String(length=200), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("received", sa.Float(precision=53), nullable=False),
        sa.Column("marked", sa.Float(precision=53), nullable=True),
        sa.Column("marks", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_submissions_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_submissions_project_id")
        ),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_submissions_team_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
        sa.UniqueConstraint("project_id", "number", name=op.f("uq_submissions_project_id_number")),
        sa.UniqueConstraint(
            "project_id",
            "person_id",
            "client_key",
            name=op.f("uq_submissions_project_id_person_id_client_key"),
        ),
    )
    op.create_index(op.f("ix_submissions_state"), "submissions", ["state"], unique=False)
    op.create_index(op.f("ix_submissions_team_id"), "submissions", ["team_id"], unique=False)

    op.create_table(
        "team_members",
        sa.Column("project_id", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("team_id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_team_members_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_team_members_project_id")
        ),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_team_members_team_id")),
        sa.PrimaryKeyConstraint("project_id", "person_id", name=op.f("pk_team_members")),
    )
    op.create_index(op.f("ix_team_members_team_id"), "team_members", ["team_id"], unique=False)

    op.create_table(
        "sat_answers",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("submission_id", sa.String(length=16), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("row", sa.Text(), nullable=False),
        sa.Column("received", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_sat_answers_submission_id")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_sat_answers")),
    )
    op.create_index(
        "ix_sat_answers_submission_unit", "sat_answers", ["submission_id", "unit"], unique=False
    )

    op.create_table(
        "submission_comparisons",
        sa.Column("a_id", sa.String(length=16), nullable=False),
        sa.Column("b_id", sa.String(length=16), nullable=False),
        sa.Column("split", sa.String(length=200), nullable=False),
        sa.Column("metric", sa.String(length=200), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["a_id"], ["submissions.id"], name=op.f("fk_submission_comparisons_a_id")
        ),
        sa.ForeignKeyConstraint(
            ["b_id"], ["submissions.id"], name=op.f("fk_submission_comparisons_b_id")
        ),
        sa.PrimaryKeyConstraint(
            "a_id", "b_id", "split", "metric", name=op.f("pk_submission_comparisons")
        ),
    )
    op.create_index(
        op.f("ix_submission_comparisons_b_id"), "submission_comparisons", ["b_id"], unique=False
    )

    op.create_table(
        "submission_files",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("submission_id", sa.String(length=16), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("split", sa.String(length=200), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_submission_files_submission_id")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_submission_files")),
        sa.UniqueConstraint(
            "submission_id",
            "role",
            "split",
            name=op.f("uq_submission_files_submission_id_role_split"),
        ),
    )
