"""The shared tasks that somebody may see, and what a list says of each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from readmark.server.access import Caller, Scope
from readmark.server.shared_tasks.options import NAME, SharedTaskOptions, options_of
from readmark.server.tables import Membership, Project, ProjectFile, Submission, Team
from readmark.server.views import newest_configuration, newest_listings
from readmark.works import ConfigurationListing, in_language


@dataclass(frozen=True)
class VisibleTask:
    """A shared task that somebody may see, with the newest version of its options."""

    project: Project
    listing: ConfigurationListing
    options: SharedTaskOptions


def visible_tasks(session: Session, caller: Caller) -> list[VisibleTask]:
    """The shared tasks that somebody may see, newest first.

    Pupils, and tokens that may not read, see what anybody sees.
    """
    person = caller.person if caller.can(Scope.READ) else None
    if person is not None and person.class_id is not None:
        person = None
    ids = select(ProjectFile.project_id).where(ProjectFile.role == "task")
    projects = session.scalars(
        select(Project).where(Project.id.in_(ids)).order_by(Project.created.desc(), Project.slug)
    )
    listings = newest_listings(session, ids)
    joined = set()
    if person is not None:
        memberships = select(Membership.project_id).where(Membership.person_id == person.id)
        joined = set(session.scalars(memberships))
    tasks = []
    for project in projects:
        _, listing = listings[project.id]
        if listing.work != NAME:
            continue
        options = (
            options_of(newest_configuration(session, project.id))
            if listing.options is None
            else msgspec.convert(listing.options, SharedTaskOptions)
        )
        is_member = person is not None and (person.is_owner or project.id in joined)
        if options.visibility == "public" or is_member:
            tasks.append(VisibleTask(project, listing, options))
    return tasks


@dataclass(frozen=True)
class TaskSummary:
    """A shared task in a list."""

    task: str
    name: str
    kind: str
    language: str
    is_open: bool
    phase: str | None
    """``practice``, ``formal`` or ``late``; null where nothing is accepted now."""
    visibility: str
    registration: str
    teams: int
    submissions: int
    """Of teams, whatever became of them."""
    address: str


def summaries_of(
    session: Session, tasks: Sequence[VisibleTask], language: str
) -> list[TaskSummary]:
    """What a list says of tasks, with as many queries as for one."""
    now, ids = time.time(), [task.project.id for task in tasks]
    abouts = {
        row.project_id: row.about
        for row in session.execute(
            select(ProjectFile.project_id, ProjectFile.about).where(
                ProjectFile.project_id.in_(ids), ProjectFile.role == "task"
            )
        )
    }
    teams = _counts(session, Team.project_id, ids)
    submissions = _counts(session, Submission.project_id, ids, Submission.team_id.is_not(None))
    summaries = []
    for task in tasks:
        project, options = task.project, task.options
        about = msgspec.json.decode(abouts[project.id])
        summaries.append(
            TaskSummary(
                task=project.slug,
                name=in_language(task.listing.name, language),
                kind=about["kind"],
                language=about["language"],
                is_open=project.is_open,
                phase=options.phase(now) if project.is_open else None,
                visibility=options.visibility,
                registration=options.registration,
                teams=teams.get(project.id, 0),
                submissions=submissions.get(project.id, 0),
                address=f"/tasks/{project.slug}",
            )
        )
    return summaries


def _counts(
    session: Session,
    project_id: InstrumentedAttribute[str],
    ids: Sequence[str],
    *conditions: ColumnElement[bool],
) -> dict[str, int]:
    """How many rows of a table there are by project, named by the table's ``project_id``."""
    query = (
        select(project_id, func.count())
        .where(project_id.in_(ids), *conditions)
        .group_by(project_id)
    )
    return {row[0]: row[1] for row in session.execute(query)}
