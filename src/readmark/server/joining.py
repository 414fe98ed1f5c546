"""Joining by an invitation, setting a password by one, and leaving a project."""

from __future__ import annotations

import time
from collections.abc import Mapping

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from readmark.server.access import Hall, HallRole
from readmark.server.account_errors import AccountError
from readmark.server.accounts import set_password
from readmark.server.audit import AuditAction, record
from readmark.server.credentials import check_login, check_name, hash_password
from readmark.server.demo import join_demo
from readmark.server.handing_out import top_up
from readmark.server.invitations import PASSWORD, find_invitation, revoke_open
from readmark.server.shared_tasks.teams import end_team_membership, join_team
from readmark.server.tables import ApiToken, Invitation, Membership, Person, Project
from readmark.server.training import TrainingResult, results_to_hand_out_by


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
        person = session.get_one(Person, person_id)
        if person.class_id is not None:
            raise AccountError("pupil_stays")
        return _join(session, hall, invitation, person, results, team)


def reset_password(hall: Hall, secret: str, password: str) -> None:
    """Set a password by an owner's link; the person's sessions and tokens end."""
    with hall.database.reading() as session:
        invitation = _require(find_invitation(session, hall, secret), PASSWORD)
        person = session.get_one(Person, invitation.person_id)
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
    """Give a person the role that an invitation is to; the page to open next."""
    _use(session, invitation, person)
    role, project_id = invitation.role, invitation.project_id
    record(session, AuditAction.JOINED, person.id, project_id, invitation=invitation.id, role=role)
    if project_id is None:
        person.is_owner = True
        session.flush()
        return join_demo(session, person.id) if hall.settings.shows_demo else "/"
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
    """Take a person out of a project, if they are in it: their work stays, unseen by them.

    Links that they made into the project end too.
    """
    removed = session.scalars(
        delete(Membership)
        .where(Membership.project_id == project.id, Membership.person_id == person_id)
        .returning(Membership.role)
    ).all()
    if removed:
        end_team_membership(session, project.id, person_id)
        by_member = Invitation.invited_by == person_id
        revoke_open(session, by_member & (Invitation.project_id == project.id))
        detail = {"person": person_id, "roles": sorted(removed)}
        record(session, AuditAction.MEMBER_REMOVED, by.id, project.id, **detail)
    return bool(removed)
