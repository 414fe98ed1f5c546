"""Teams of a shared task: who is in which, their names, links into them, and open registration."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from readmark.server.access import Hall, HallRole
from readmark.server.account_errors import AccountError
from readmark.server.audit import AuditAction, record
from readmark.server.baselines import baseline_names
from readmark.server.credentials import check_login, check_name, hash_password
from readmark.server.shared_tasks.submissions import team_of, visible
from readmark.server.tables import (
    Invitation,
    Membership,
    Person,
    Project,
    Submission,
    Team,
    TeamMember,
)
from readmark.server.throttle import network_of, reserve

LONGEST_TEAM = 60
MOST_TEAMS = 2000
MOST_MEMBERS = 50
MOST_REGISTRATIONS = 10
"""Registrations from one address within the window in which failed log-ins are counted."""
_OF_THE_HALL = (
    "people",
    "person",
    "human",
    "humans",
    "human performance",
    "baseline",
    "baselines",
    "readmark",
    "organiser",
    "organisers",
    "organizer",
    "organizers",
    "n/a",
    "test",
    "all",
    "人",
    "人类",
    "真人",
    "人类表现",
    "人类水平",
    "基线",
    "基线系统",
    "组织者",
    "主办方",
    "官方",
)


def fold_team(name: str) -> str:
    """A team's name as it is compared: cases, widths, spaces and punctuation make no difference."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    letters = visible(unicodedata.normalize("NFKC", plain))
    return "".join(letter for letter in letters if unicodedata.category(letter)[0] not in "ZCP")


@cache
def _reserved() -> frozenset[str]:
    """Names of other rows of a board."""
    return frozenset(map(fold_team, (*_OF_THE_HALL, *baseline_names())))


def check_team(name: str, taken: Iterable[str]) -> str:
    """The name, if a team can have it: it must not look like another row of the board."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    folded = fold_team(name)
    is_plain = all(letter.isprintable() for letter in name)
    if not folded or len(name) > LONGEST_TEAM or not is_plain:
        raise AccountError("team_name_not_valid")
    if folded in _reserved():
        raise AccountError("team_name_reserved")
    if folded in set(map(fold_team, taken)):
        raise AccountError("team_name_taken")
    return name


# Joining, renaming, leaving. One after the other in each task: names are compared with all others.


def make_team(session: Session, project_id: str, name: str) -> Team:
    """A new team without members."""
    session.get(Project, project_id, with_for_update=True)
    names = list(session.scalars(select(Team.name).where(Team.project_id == project_id)))
    if len(names) >= MOST_TEAMS:
        raise AccountError("too_many_teams")
    team = Team(project_id=project_id, name=check_team(name, names))
    session.add(team)
    session.flush()
    return team


def join_team(
    session: Session, project_id: str, person: Person, *, team_id: str | None = None, name: str = ""
) -> Team:
    """Put a person into a team, a new one unless ``team_id`` names one; one team a task."""
    session.get(Project, project_id, with_for_update=True)
    own = team_of(session, project_id, person.id)
    if own is not None:
        if own.id == team_id:
            return own
        raise AccountError("in_a_team")
    if team_id is None:
        team = make_team(session, project_id, name)
    else:
        team = session.get_one(Team, team_id)
        members = select(func.count()).where(TeamMember.team_id == team_id)
        if (session.scalar(members) or 0) >= MOST_MEMBERS:
            raise AccountError("team_full")
    key = {"project_id": project_id, "person_id": person.id}
    session.add(TeamMember(**key, team_id=team.id))
    role = {**key, "role": str(HallRole.TEAM)}
    if session.get(Membership, role) is None:
        session.add(Membership(**role))
    session.flush()
    return team


def rename_team(session: Session, team: Team, name: str, *, by: str) -> None:
    """Give a team another name; the board shows it from its next version on."""
    session.get(Project, team.project_id, with_for_update=True)
    others = session.scalars(
        select(Team.name).where(Team.project_id == team.project_id, Team.id != team.id)
    )
    checked = check_team(name, others)
    session.get_one(Team, team.id).name = checked
    record(session, AuditAction.TEAM_RENAMED, by, team.project_id, team=team.id)


def leave_team(session: Session, team: Team, person_id: str) -> None:
    """Take a person out of their team; what the team has submitted stays the team's."""
    end_team_membership(session, team.project_id, person_id)
    session.execute(
        delete(Membership).where(
            Membership.project_id == team.project_id,
            Membership.person_id == person_id,
            Membership.role == str(HallRole.TEAM),
        )
    )
    record(session, AuditAction.TEAM_LEFT, person_id, team.project_id, team=team.id)


def end_team_membership(session: Session, project_id: str, person_id: str) -> None:
    """Take a person out of the team that they are in; an unused team goes with its last member."""
    team = team_of(session, project_id, person_id)
    session.execute(
        delete(TeamMember).where(
            TeamMember.project_id == project_id, TeamMember.person_id == person_id
        )
    )
    if team is None:
        return
    used = (
        select(TeamMember.person_id).where(TeamMember.team_id == team.id),
        select(Submission.id).where(Submission.team_id == team.id),
        select(Invitation.id).where(Invitation.team_id == team.id),
    )
    if all(session.scalar(query.limit(1)) is None for query in used):
        session.delete(session.get_one(Team, team.id))


def member_names(session: Session, team_id: str) -> list[str]:
    """The names of a team's people."""
    return list(
        session.scalars(
            select(Person.name)
            .join(TeamMember, TeamMember.person_id == Person.id)
            .where(TeamMember.team_id == team_id)
            .order_by(Person.name)
        )
    )


def team_invitations(session: Session, team: Team) -> list[Invitation]:
    """Links into a team that nobody has used yet."""
    return list(
        session.scalars(
            select(Invitation)
            .where(
                Invitation.team_id == team.id,
                Invitation.accepted_by.is_(None),
                Invitation.revoked.is_(None),
                Invitation.expires > time.time(),
            )
            .order_by(Invitation.created)
        )
    )


# Registration without an invitation.


def register(
    hall: Hall,
    project_id: str,
    *,
    team: str,
    name: str,
    login: str,
    password: str,
    language: str,
    address: str,
) -> Person:
    """A new account in a new team; every attempt counts against the address."""
    name, login = check_name(name), check_login(login)
    _count_registration(hall, address)
    hashed = hash_password(password, login=login)
    with hall.database.writing() as session:
        if session.scalar(select(Person.id).where(Person.login == login)) is not None:
            raise AccountError("login_taken")
        person = Person(login=login, name=name, password=hashed, language=language)
        session.add(person)
        session.flush()
        joined = join_team(session, project_id, person, name=team)
        role = str(HallRole.TEAM)
        record(session, AuditAction.JOINED, person.id, project_id, role=role, team=joined.id)
        return person


def _count_registration(hall: Hall, address: str) -> None:
    reserve(hall, {hall.hashed(f"registration {network_of(address)}"): MOST_REGISTRATIONS})


def register_member(
    hall: Hall, project_id: str, person_id: str, team: str, *, address: str
) -> None:
    """Put somebody who has an account into a new team; every attempt counts."""
    _count_registration(hall, address)
    with hall.database.writing() as session:
        person = session.get_one(Person, person_id)
        joined = join_team(session, project_id, person, name=team)
        role = str(HallRole.TEAM)
        record(session, AuditAction.JOINED, person_id, project_id, role=role, team=joined.id)


# What organisers see.


@dataclass(frozen=True)
class TeamRow:
    """A team with its people and how often it has submitted."""

    id: str
    name: str
    created: float
    people: tuple[tuple[str, str], ...]
    """Ids and names."""
    submissions: int


def teams_of(session: Session, project_id: str) -> list[TeamRow]:
    """The teams of a task in the order of their names."""
    people: dict[str, list[tuple[str, str]]] = {}
    for team_id, person_id, name in session.execute(
        select(TeamMember.team_id, Person.id, Person.name)
        .join(Person, Person.id == TeamMember.person_id)
        .where(TeamMember.project_id == project_id)
        .order_by(Person.name, Person.id)
    ):
        people.setdefault(team_id, []).append((person_id, name))
    counts: dict[str | None, int] = {
        row[0]: row[1]
        for row in session.execute(
            select(Submission.team_id, func.count())
            .where(Submission.project_id == project_id)
            .group_by(Submission.team_id)
        )
    }
    teams = session.scalars(select(Team).where(Team.project_id == project_id).order_by(Team.name))
    return [
        TeamRow(
            team.id,
            team.name,
            team.created,
            tuple(people.get(team.id, ())),
            counts.get(team.id, 0),
        )
        for team in teams
    ]
