"""Who may see a shared task, and who may submit to it. Paths name it as ``{task}``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, HTTPException, Request
from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.server.access import (
    AccessRule,
    Caller,
    HallRole,
    Reading,
    Scope,
    caller_of,
    hall_of,
    roles_in,
)
from readmark.server.shared_tasks.options import NAME, SharedTaskOptions, options_of
from readmark.server.shared_tasks.teams import team_of
from readmark.server.tables import Person, Project, Team
from readmark.server.views import newest_configuration
from readmark.works import Configuration


@dataclass(frozen=True)
class TaskPermitted:
    """Who visits a task, if they have logged in, and the task."""

    person: Person | None
    project: Project
    configuration: Configuration
    options: SharedTaskOptions
    roles: frozenset[str] = frozenset()
    team: Team | None = None

    @property
    def is_organiser(self) -> bool:
        """Whether the visitor runs the task."""
        return HallRole.ORGANISER in self.roles

    @property
    def own_team(self) -> Team:
        """The visitor's team, for routes that let in nobody without one."""
        assert self.team is not None
        return self.team


@dataclass(frozen=True)
class TaskRule:
    """Lets visitors of a task pass; with ``team`` or ``organisers``, only those of them."""

    rule: AccessRule
    team: bool = False
    organisers: bool = False

    @property
    def name(self) -> str:
        """The words for it, as `AccessRule.name` has them."""
        return self.rule.name

    @property
    def is_for_some(self) -> bool:
        """Whether not everybody passes who sees the task."""
        return self.team or self.organisers

    def __call__(self, request: Request, session: Reading) -> TaskPermitted:
        """Let the request pass, or answer 401 or 404."""
        caller = caller_of(request, session)
        with hall_of(request).database.glancing(session):
            return self._permitted(request, caller, session)

    def _permitted(self, request: Request, caller: Caller, session: Session) -> TaskPermitted:
        lacks_scope = HTTPException(403, f"The API token lacks the scope {self.rule.scope}.")
        if self.rule.in_browser and caller.scopes is not None:
            raise HTTPException(403, "This needs a browser, not an API token.")
        if not caller.can(self.rule.scope) and self.is_for_some:
            raise lacks_scope
        # A task that somebody may not see is answered like one that does not exist.
        unseen = HTTPException(404, "Not found.")
        if caller.person is None:
            unseen = HTTPException(401, "Please log in.")
        person = caller.person
        if not caller.can(self.rule.scope):
            person, unseen = None, lacks_scope  # a token that may not read sees what anybody sees
        elif person is not None and person.class_id is not None:
            person = None  # so do pupils
        project = session.scalar(select(Project).where(Project.slug == request.path_params["task"]))
        if project is None or (person is None and self.is_for_some):
            raise unseen
        configuration = newest_configuration(session, project.id)
        if configuration.project.work != NAME:
            raise unseen
        options = options_of(configuration)
        roles = frozenset[str]() if person is None else roles_in(session, project, person)
        team = None if person is None else team_of(session, project.id, person.id)
        is_seen = options.visibility == "public" or roles or team is not None
        if not caller.can(Scope.ORGANISE):
            roles -= {HallRole.ORGANISER}  # a token to read or to submit runs nothing
        is_of_team = self.team and team is not None
        is_organiser = self.organisers and HallRole.ORGANISER in roles
        if not is_seen or (self.is_for_some and not is_of_team and not is_organiser):
            raise unseen
        return TaskPermitted(person, project, configuration, options, roles, team)


# A rule that several routes follow, then the parameter by which a route takes whom it lets in.

VISITOR = TaskRule(AccessRule("visitor of a task"))
"""Anybody, if the task is public; else its members."""
Visitor = Annotated[TaskPermitted, Depends(VISITOR)]

REGISTERING = TaskRule(AccessRule("visitor of a task, in a browser", in_browser=True))
Registering = Annotated[TaskPermitted, Depends(REGISTERING)]

TEAM_MEMBER = TaskRule(AccessRule("member of a team", Scope.SUBMIT), team=True)
TeamMemberOnly = Annotated[TaskPermitted, Depends(TEAM_MEMBER)]

MANAGES_TEAM = TaskRule(
    AccessRule("member of a team, in a browser", Scope.SUBMIT, in_browser=True), team=True
)
"""For what changes a team and makes links into it: no token does."""
InTeam = Annotated[TaskPermitted, Depends(MANAGES_TEAM)]

TEAM_OR_ORGANISER = TaskRule(
    AccessRule("team or organiser of a task", Scope.SUBMIT), team=True, organisers=True
)
"""For what a team sent: its members, and those who run the task."""
TeamOrOrganiser = Annotated[TaskPermitted, Depends(TEAM_OR_ORGANISER)]

ORGANISER_OF_TASK = TaskRule(AccessRule("organiser of a task", Scope.ORGANISE), organisers=True)
OrganiserOfTask = Annotated[TaskPermitted, Depends(ORGANISER_OF_TASK)]
