"""Invitations: one-time links into a project or the hall, and to a new password."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from readmark.server.access import Hall, HallRole
from readmark.server.account_errors import AccountError
from readmark.server.accounts import set_password
from readmark.server.audit import AuditAction, record
from readmark.server.credentials import check_login, check_name, hash_password
from readmark.server.days import DAY
from readmark.server.demo import join_demo
from readmark.server.handing_out import top_up
from readmark.server.shared_tasks.options import NAME as SHARED_TASK
from readmark.server.shared_tasks.teams import end_team_membership, join_team
from readmark.server.tables import ApiToken, Invitation, Membership, Person, Project
from readmark.server.training import TrainingResult, results_to_hand_out_by
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
    _revoke(session, Invitation.role == HallRole.OWNER)
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
    revoked = _revoke(session, Invitation.id == invitation_id)
    for invitation, project_id in revoked:
        record(session, AuditAction.INVITATION_REVOKED, by.id, project_id, invitation=invitation)
    return bool(revoked)


def _revoke(session: Session, which: object) -> Sequence[tuple[str, str | None]]:
    rows = session.execute(
        update(Invitation)
        .where(which, Invitation.accepted_by.is_(None), Invitation.revoked.is_(None))  # type: ignore[arg-type]
        .values(revoked=time.time())
        .returning(Invitation.id, Invitation.project_id)
    )
    return [(row[0], row[1]) for row in rows]


def accept_as_new(
    hall: Hall, secret: str, *, name: str, login: str, password: str, language: str, team: str = ""
) -> tuple[Person, str]:
    """A new person by an open invitation, and the page to open next; ``team`` names a new team."""
    name, login = check_name(name), check_login(login)
    results = _results_before_joining(hall, secret)
    hashed = hash_password(password, login=login)
    with hall.database.writing() as session:
        invitation = _require(find_invitation(session, hall, secret))
        if session.scalar(select(Person.id).where(Person.login == login)) is not None:
            raise AccountError("login_taken")
        person = Person(login=login, name=name, password=hashed, language=language)
        session.add(person)
        session.flush()
        return person, _join(session, hall, invitation, person, results, team)


def accept_as_member(hall: Hall, secret: str, person_id: str, team: str = "") -> str:
    """Let a person who has an account join by an invitation; the page to open next."""
    results = _results_before_joining(hall, secret)
    with hall.database.writing() as session:
        invitation = _require(find_invitation(session, hall, secret))
        person = session.get(Person, person_id)
        assert person is not None
        if person.class_id is not None:
            raise AccountError("pupil_stays")
        return _join(session, hall, invitation, person, results, team)


def reset_password(hall: Hall, secret: str, password: str) -> None:
    """Set a password by an owner's link; the person's sessions and tokens end."""
    with hall.database.reading() as session:
        invitation = _require(find_invitation(session, hall, secret), PASSWORD)
        person = session.get(Person, invitation.person_id)
        assert person is not None
    hashed = hash_password(password, login=person.login)
    with hall.database.writing() as session:
        invitation = _require(find_invitation(session, hall, secret), PASSWORD)
        _use(session, invitation, person)
        set_password(session, person.id, hashed)
        session.execute(
            update(ApiToken)
            .where(ApiToken.person_id == person.id, ApiToken.revoked.is_(None))
            .values(revoked=time.time())
        )
        record(session, AuditAction.PASSWORD_RESET, person.id)


def _require(invitation: Invitation | None, role: str = "") -> Invitation:
    """The invitation, if it is open and of the right sort: to a password, or to a role."""
    if invitation is None or (invitation.role == PASSWORD) != (role == PASSWORD):
        raise AccountError("invitation_over")
    return invitation


def _use(session: Session, invitation: Invitation, person: Person) -> None:
    """Accept it, unless another request was quicker."""
    used = session.execute(
        update(Invitation)
        .where(Invitation.id == invitation.id, Invitation.accepted_by.is_(None))
        .values(accepted_by=person.id)
        .returning(Invitation.id)
    ).all()
    if not used:
        raise AccountError("invitation_over")


def _results_before_joining(hall: Hall, secret: str) -> Mapping[str, TrainingResult]:
    """The qualifying results of the project that an open invitation leads to."""
    with hall.database.reading() as session:
        project_id = _require(find_invitation(session, hall, secret)).project_id
    return {} if project_id is None else results_to_hand_out_by(hall.database, project_id)


def _join(
    session: Session,
    hall: Hall,
    invitation: Invitation,
    person: Person,
    results: Mapping[str, TrainingResult],
    team: str = "",
) -> str:
    _use(session, invitation, person)
    role, project_id = invitation.role, invitation.project_id
    record(session, AuditAction.JOINED, person.id, project_id, invitation=invitation.id, role=role)
    if project_id is None:
        person.is_owner = True
        session.flush()
        if hall.settings.shows_demo:
            return join_demo(session, person.id)
        return "/"
    if role == HallRole.TEAM:
        join_team(session, project_id, person, team_id=invitation.team_id, name=team)
        return f"/tasks/{session.get_one(Project, project_id).slug}"
    key = {"project_id": project_id, "person_id": person.id, "role": role}
    if session.get(Membership, key) is None:
        session.add(Membership(**key))
        session.flush()
        top_up(session, project_id, results)
    return "/assignments" if role != HallRole.ORGANISER else "/"


def remove_member(session: Session, project: Project, person_id: str, by: Person) -> bool:
    """Whether the person was in the project; their work stays, and they see it no more."""
    removed = session.scalars(
        delete(Membership)
        .where(Membership.project_id == project.id, Membership.person_id == person_id)
        .returning(Membership.role)
    ).all()
    if removed:
        end_team_membership(session, project.id, person_id)
        roles = sorted(removed)
        _revoke(
            session,
            (Invitation.invited_by == person_id) & (Invitation.project_id == project.id),
        )
        record(
            session, AuditAction.MEMBER_REMOVED, by.id, project.id, person=person_id, roles=roles
        )
    return bool(removed)
