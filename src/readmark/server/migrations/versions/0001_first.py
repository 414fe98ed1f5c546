"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "login_attempts",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("who", sa.String(length=64), nullable=False),
        sa.Column("time", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_login_attempts")),
    )
    op.create_index(op.f("ix_login_attempts_who"), "login_attempts", ["who"], unique=False)
    op.create_table(
        "projects",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=60), nullable=False),
        sa.Column("headers", sa.Text(), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
        sa.UniqueConstraint("slug", name=op.f("uq_projects_slug")),
    )
    op.create_table(
        "classes",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("project_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("link", sa.String(length=64), nullable=True),
        sa.Column("code", sa.String(length=64), nullable=True),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("until", sa.Float(precision=53), nullable=False),
        sa.Column("erase", sa.Float(precision=53), nullable=False),
        sa.Column("erasing", sa.Float(precision=53), nullable=True),
        sa.Column("erased", sa.Float(precision=53), nullable=True),
        sa.Column("erased_pupils", sa.Integer(), nullable=False),
        sa.Column("erased_event", sa.BigInteger(), nullable=False),
        sa.Column("results", sa.Text(), nullable=True),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_classes_project_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_classes")),
        sa.UniqueConstraint("link", name=op.f("uq_classes_link")),
    )
    op.create_index(op.f("ix_classes_project_id"), "classes", ["project_id"], unique=False)
    op.create_table(
        "people",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("login", sa.String(length=200), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("password", sa.String(length=200), nullable=False),
        sa.Column("is_owner", sa.Boolean(), nullable=False),
        sa.Column("is_disabled", sa.Boolean(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("class_id", sa.String(length=16), nullable=True),
        sa.Column("return_code", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["class_id"], ["classes.id"], name=op.f("fk_people_class_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("login", name=op.f("uq_people_login")),
    )
    op.create_index(op.f("ix_people_class_id"), "people", ["class_id"], unique=False)
    op.create_table(
        "audit",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("time", sa.Float(precision=53), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=True),
        sa.Column("project_id", sa.String(length=16), nullable=True),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_audit_person_id")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_audit_project_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_project_id"), "audit", ["project_id"], unique=False)
    op.create_table(
        "configurations",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("project_id", sa.String(length=16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=True),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_configurations_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_configurations_project_id")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_configurations")),
        sa.UniqueConstraint(
            "project_id", "version", name=op.f("uq_configurations_project_id_version")
        ),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=16), nullable=True),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=True),
        sa.Column("note", sa.String(length=200), nullable=False),
        sa.Column("invited_by", sa.String(length=16), nullable=True),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("expires", sa.Float(precision=53), nullable=False),
        sa.Column("accepted_by", sa.String(length=16), nullable=True),
        sa.Column("revoked", sa.Float(precision=53), nullable=True),
        sa.ForeignKeyConstraint(
            ["accepted_by"], ["people.id"], name=op.f("fk_invitations_accepted_by")
        ),
        sa.ForeignKeyConstraint(
            ["invited_by"], ["people.id"], name=op.f("fk_invitations_invited_by")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_invitations_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_invitations_project_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("secret", name=op.f("uq_invitations_secret")),
    )
    op.create_table(
        "items",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("project_id", sa.String(length=16), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=300), nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("paper", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("about_id", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(["about_id"], ["items.id"], name=op.f("fk_items_about_id")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_items_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_items")),
        sa.UniqueConstraint(
            "project_id", "name", "purpose", name=op.f("uq_items_project_id_name_purpose")
        ),
    )
    op.create_index(op.f("ix_items_about_id"), "items", ["about_id"], unique=False)
    op.create_index(op.f("ix_items_project_id"), "items", ["project_id"], unique=False)
    op.create_table(
        "gold_versions",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("project_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=True),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_gold_versions_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_gold_versions_project_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_gold_versions")),
        sa.UniqueConstraint(
            "project_id", "number", name=op.f("uq_gold_versions_project_id_number")
        ),
    )
    op.create_table(
        "memberships",
        sa.Column("project_id", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_memberships_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_memberships_project_id")
        ),
        sa.PrimaryKeyConstraint("project_id", "person_id", "role", name=op.f("pk_memberships")),
    )
    op.create_index(op.f("ix_memberships_person_id"), "memberships", ["person_id"], unique=False)
    op.create_table(
        "quality_notes",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("project_id", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("author_id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"], ["people.id"], name=op.f("fk_quality_notes_author_id")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_quality_notes_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_quality_notes_project_id")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_quality_notes")),
    )
    op.create_index(
        op.f("ix_quality_notes_project_id"), "quality_notes", ["project_id"], unique=False
    )
    op.create_table(
        "sessions",
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("expires", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_sessions_person_id")),
        sa.PrimaryKeyConstraint("secret", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_person_id"), "sessions", ["person_id"], unique=False)
    op.create_table(
        "project_files",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("project_id", sa.String(length=16), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=True),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_project_files_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_project_files_project_id")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_project_files")),
    )
    op.create_index(
        op.f("ix_project_files_project_id"), "project_files", ["project_id"], unique=False
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("scopes", sa.String(length=200), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("expires", sa.Float(precision=53), nullable=True),
        sa.Column("revoked", sa.Float(precision=53), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_tokens_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("secret", name=op.f("uq_tokens_secret")),
    )
    op.create_index(op.f("ix_tokens_person_id"), "tokens", ["person_id"], unique=False)
    op.create_table(
        "assignments",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("project_id", sa.String(length=16), nullable=False),
        sa.Column("item_id", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("due", sa.Float(precision=53), nullable=True),
        sa.Column("withdrawn", sa.Float(precision=53), nullable=True),
        sa.Column("locked", sa.String(length=16), nullable=True),
        sa.Column("ends", sa.Float(precision=53), nullable=True),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["items.id"], name=op.f("fk_assignments_item_id")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_assignments_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_assignments_project_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
        sa.UniqueConstraint("item_id", "person_id", name=op.f("uq_assignments_item_id_person_id")),
    )
    op.create_index(
        "ix_assignments_person_project", "assignments", ["person_id", "project_id"], unique=False
    )
    op.create_index(op.f("ix_assignments_project_id"), "assignments", ["project_id"], unique=False)
    op.create_table(
        "events",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("assignment_id", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("client", sa.String(length=40), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("object", sa.String(length=60), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("base", sa.BigInteger(), nullable=True),
        sa.Column("is_conflict", sa.Boolean(), nullable=False),
        sa.Column("resolves", sa.BigInteger(), nullable=True),
        sa.Column("seconds", sa.Float(precision=53), nullable=False),
        sa.Column("received", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignments.id"], name=op.f("fk_events_assignment_id")
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_events_person_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_events")),
        sa.UniqueConstraint(
            "assignment_id",
            "client",
            "sequence",
            name=op.f("uq_events_assignment_id_client_sequence"),
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_events_assignment_object", "events", ["assignment_id", "object"], unique=False
    )
