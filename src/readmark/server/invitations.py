"""Invitations: one-time links into a project or the hall, and to a new password.

They are made, found and revoked here; `joining` has what happens when one is accepted.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from readmark.server.access import Hall, HallRole
from readmark.server.account_errors import AccountError
from readmark.server.audit import AuditAction, record
from readmark.server.days import DAY
from readmark.server.shared_tasks.options import NAME as SHARED_TASK
from readmark.server.tables import Invitation, Person
from readmark.server.views import newest_configuration

PASSWORD = "password"
"""The role of an invitation that is a link to a new password."""


def invite(
    session: Session,
    hall: Hall,
    role: HallRole | str,
    *,
    project_id: str | None = None,
    person_id: str | None = None,
    team_id: str | None = None,
    by: Person | None = None,
    note: str = "",
) -> tuple[Invitation, str]:
    """A new invitation and its secret; owners are invited into the hall, others into a project.

    Teams are of shared tasks; who accepts joins the one of ``team_id``, or names a new one.
    """
    if (role == HallRole.OWNER or role == PASSWORD) != (project_id is None):
        raise AccountError("role_needs_project")
    if project_id is not None:
        is_task = newest_configuration(session, project_id).project.work == SHARED_TASK
        if is_task != (role == HallRole.TEAM) and role != HallRole.ORGANISER:
            raise AccountError("role_of_other_work")
    secret = secrets.token_urlsafe(24)
    days = 1 if role in (HallRole.OWNER, PASSWORD) else hall.settings.invitation_days
    invitation = Invitation(
        secret=hall.hashed(secret),
        project_id=project_id,
        person_id=person_id,
        team_id=team_id,
        role=str(role),
        note=note.strip(),
        invited_by=by.id if by else None,
        expires=time.time() + days * DAY,
    )
    session.add(invitation)
    session.flush()
    if by is not None:
        action = AuditAction.PASSWORD_LINK_MADE if role == PASSWORD else AuditAction.INVITED
        detail = {"person": person_id} if person_id else {"role": str(role)}
        record(session, action, by.id, project_id, invitation=invitation.id, **detail)
    return invitation, secret


def invite_first_owner(session: Session, hall: Hall) -> str | None:
    """The secret of a fresh link while the hall has no owner; links printed before it end."""
    if has_owner(session):
        return None
    revoke_open(session, Invitation.role == HallRole.OWNER)
    return invite(session, hall, HallRole.OWNER)[1]


def has_owner(session: Session) -> bool:
    """Whether somebody owns the hall."""
    owners = select(func.count()).where(Person.is_owner, ~Person.is_disabled)
    return bool(session.scalar(owners))


def find_invitation(session: Session, hall: Hall, secret: str) -> Invitation | None:
    """The invitation behind a link, if it is still open."""
    return session.scalar(
        select(Invitation).where(
            Invitation.secret == hall.hashed(secret),
            Invitation.accepted_by.is_(None),
            Invitation.revoked.is_(None),
            Invitation.expires > time.time(),
        )
    )


def open_invitations(session: Session, project_id: str | None = None) -> Sequence[Invitation]:
    """Invitations that nobody has accepted yet: of a project, or of the whole hall."""
    query = select(Invitation).where(
        Invitation.accepted_by.is_(None),
        Invitation.revoked.is_(None),
        Invitation.expires > time.time(),
    )
    if project_id is not None:
        query = query.where(Invitation.project_id == project_id)
    return session.scalars(query.order_by(Invitation.created.desc())).all()


def revoke_invitation(session: Session, invitation_id: str, by: Person) -> bool:
    """Whether it was open; its link leads nowhere any more."""
    revoked = revoke_open(session, Invitation.id == invitation_id)
    for invitation, project_id in revoked:
        record(session, AuditAction.INVITATION_REVOKED, by.id, project_id, invitation=invitation)
    return bool(revoked)


def revoke_open(
    session: Session, condition: ColumnElement[bool]
) -> Sequence[tuple[str, str | None]]:
    """End the links that nobody has used; the ids of the invitations and of their projects."""
    rows = session.execute(
        update(Invitation)
        .where(condition, Invitation.accepted_by.is_(None), Invitation.revoked.is_(None))
        .values(revoked=time.time())
        .returning(Invitation.id, Invitation.project_id)
    )
    return [(row[0], row[1]) for row in rows]
