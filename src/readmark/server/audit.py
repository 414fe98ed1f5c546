"""The audit log: who did what in the hall, and when."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.server.tables import AuditEntry, Person, Project

AUDIT_PAGE = 100  # entries


class AuditAction(StrEnum):
    """What the audit log has entries of."""

    LOGGED_IN = "logged_in"
    LOGGED_OUT_EVERYWHERE = "logged_out_everywhere"
    PASSWORD_CHANGED = "password_changed"
    PASSWORD_LINK_MADE = "password_link_made"
    PASSWORD_RESET = "password_reset"
    TOKEN_CREATED = "token_created"
    TOKEN_REVOKED = "token_revoked"
    INVITED = "invited"
    INVITATION_REVOKED = "invitation_revoked"
    JOINED = "joined"
    MEMBER_REMOVED = "member_removed"
    PERSON_DISABLED = "person_disabled"
    PERSON_ENABLED = "person_enabled"
    PROJECT_CREATED = "project_created"
    PROJECT_OPENED = "project_opened"
    PROJECT_CLOSED = "project_closed"
    CONFIGURATION_CHANGED = "configuration_changed"
    ITEMS_ADDED = "items_added"
    ITEMS_REMOVED = "items_removed"
    ASSIGNED = "assigned"
    REASSIGNED = "reassigned"
    WITHDRAWN = "withdrawn"
    DISPUTES_OPENED = "disputes_opened"
    GOLD_FROZEN = "gold_frozen"
    REOPENED = "reopened"
    DEADLINE_CHANGED = "deadline_changed"
    EXPORTED = "exported"
    IMPORTED = "imported"
    CLASS_OPENED = "class_opened"
    CLASS_RENEWED = "class_renewed"
    CLASS_CLOSED = "class_closed"
    CLASS_RESULTS_KEPT = "class_results_kept"
    CLASS_ERASED = "class_erased"
    SITTING_ADDED = "sitting_added"
    GOLD_MADE = "gold_made"
    READING_TASK_OFFERED = "reading_task_offered"
    QUALITY_NOTE = "quality_note"
    SUBMITTED = "submitted"
    TEAM_RENAMED = "team_renamed"
    TEAM_LEFT = "team_left"
    SUBMISSION_WITHDRAWN = "submission_withdrawn"
    SUBMISSION_MARKED_AGAIN = "submission_marked_again"


def record(
    session: Session,
    action: AuditAction,
    person_id: str | None,
    project_id: str | None = None,
    **detail: object,
) -> None:
    """Enter who did what into the audit log; ``detail`` has ids, roles and counts only."""
    text = json.dumps(detail, ensure_ascii=False, sort_keys=True)
    session.add(AuditEntry(person_id=person_id, project_id=project_id, action=action, detail=text))


def audit_rows(
    session: Session, project_id: str | None, action: AuditAction | None, before: int | None
) -> list[dict[str, Any]]:
    """A page of the audit log, newest first: of a project, or of the whole hall."""
    query = select(AuditEntry).order_by(AuditEntry.number.desc()).limit(AUDIT_PAGE)
    if project_id is not None:
        query = query.where(AuditEntry.project_id == project_id)
    if action is not None:
        query = query.where(AuditEntry.action == action)
    if before is not None:
        query = query.where(AuditEntry.number < before)
    entries = session.scalars(query).all()
    people = {entry.person_id for entry in entries if entry.person_id}
    named = session.execute(select(Person.id, Person.name).where(Person.id.in_(people)))
    names: dict[str | None, str] = {row[0]: row[1] for row in named}
    slugs = session.execute(select(Project.id, Project.slug))
    projects: dict[str | None, str] = {row[0]: row[1] for row in slugs}
    return [
        {
            "number": entry.number,
            "time": entry.time,
            "person": names.get(entry.person_id),
            "project": projects.get(entry.project_id),
            "action": entry.action,
            "detail": json.loads(entry.detail),
        }
        for entry in entries
    ]
