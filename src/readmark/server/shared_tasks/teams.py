"""Teams of a shared task: joining, renaming and leaving one, and who is in which.

Changes to the teams of a task take turns: each locks the task first, since a name is compared with
all others and members are counted.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from readmark.server.access import HallRole
from readmark.server.account_errors import AccountError
from readmark.server.audit import AuditAction, record
from readmark.server.shared_tasks.names import check_team
from readmark.server.tables import (
    Invitation,
    Membership,
    Person,
    Project,
    Submission,
    Team,
    TeamMember,
)

MOST_TEAMS = 2000
MOST_MEMBERS = 50


def team_of(session: Session, project_id: str, person_id: str) -> Team | None:
    """The team of a person in a shared task."""
    return session.scalar(
        select(Team)
        .join(TeamMember, TeamMember.team_id == Team.id)
        .where(TeamMember.project_id == project_id, TeamMember.person_id == person_id)
    )


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
    """Put a person into a team: one that ``team_id`` names, or a new one of this name.

    A person is in one team of a task at most.
    """
    session.get(Project, project_id, with_for_update=True)
    current = team_of(session, project_id, person.id)
    if current is not None:
        if current.id == team_id:
            return current
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
    session.get_one(Team, team.id).name = check_team(name, others)
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
    uses = (
        select(TeamMember.person_id).where(TeamMember.team_id == team.id),
        select(Submission.id).where(Submission.team_id == team.id),
        select(Invitation.id).where(Invitation.team_id == team.id),
    )
    if all(session.scalar(query.limit(1)) is None for query in uses):
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


@dataclass(frozen=True)
class TeamRow:
    """A team with its people and how often it has submitted, as organisers see it."""

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
