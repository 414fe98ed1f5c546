"""Shared tasks: the list, a task's page, its data, and the way into a team; and the API of them."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session
from starlette.responses import FileResponse, RedirectResponse, Response

from readmark.core.errors import UsageError
from readmark.core.records import ABSENT
from readmark.making import licence_named
from readmark.server.access import (
    Asking,
    Caller,
    HallRole,
    Reading,
    Scope,
    address_of,
    hall_of,
)
from readmark.server.accounts import (
    LONGEST_LOGIN,
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
    AccountError,
    Throttled,
)
from readmark.server.bodies import HallRoute
from readmark.server.invitations import invite, revoke_invitation
from readmark.server.pages import language_of, moment, render, words
from readmark.server.routes.account import link_to, origin_of, signed_in
from readmark.server.routes.paging import Listed, ListPart, PageQuery
from readmark.server.shared_tasks.access import (
    MANAGES_TEAM,
    REGISTERING,
    VISITOR,
    TaskPermitted,
)
from readmark.server.shared_tasks.jobs import add_job
from readmark.server.shared_tasks.marker import order_metric
from readmark.server.shared_tasks.options import NAME, Phase, SharedTaskOptions, options_of
from readmark.server.shared_tasks.people_row import people_row
from readmark.server.shared_tasks.publication import (
    DataFormat,
    NotOut,
    TaskSplit,
    data_file,
    paragraphs,
    stored_card,
    task_test,
)
from readmark.server.shared_tasks.teams import (
    leave_team,
    member_names,
    register,
    register_member,
    rename_team,
    team_invitations,
)
from readmark.server.tables import Membership, Project, ProjectFile, Submission, Team
from readmark.server.views import newest_configuration, newest_listings
from readmark.works import in_language
from readmark.works.configuration import ConfigurationListing, listing_of

router = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/tasks", tags=["shared tasks"])

Visitor = Annotated[TaskPermitted, Depends(VISITOR)]
TASKS_PAGE = 50
"""Tasks of a page."""
MEDIA = {
    ".jsonl": "application/x-ndjson",
    ".json": "application/json",
    ".zip": "application/zip",
    ".md": "text/markdown; charset=utf-8",
}


# What the API says of tasks.


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


@dataclass(frozen=True)
class TaskPhase:
    """When a phase is, as it was written and in seconds; null where it has no end or beginning."""

    name: str
    begins: str
    ends: str
    first: float | None
    last: float | None


@dataclass(frozen=True)
class TaskLimits:
    """How often a team may submit; 0 for any number."""

    per_day: int
    per_phase: int


@dataclass(frozen=True)
class TaskOrder:
    """What orders the board."""

    metric: str
    split: str


@dataclass(frozen=True)
class TaskDescription(TaskSummary):
    """A shared task with everything that its page says."""

    description: str
    rules: str
    licence: str
    source: str | None
    paper: str
    """The fingerprint of the whole test's paper."""
    splits: list[TaskSplit]
    phases: list[TaskPhase]
    closed: str
    """Why nothing is accepted now; empty while something is."""
    limits: TaskLimits
    metrics: list[str]
    order: TaskOrder
    ladder: bool
    team: str | None
    """The caller's team."""


@dataclass(frozen=True)
class TaskList:
    """Shared tasks that the caller may see."""

    tasks: list[TaskSummary]


@dataclass(frozen=True)
class VisibleTask:
    """A shared task in a list."""

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
    own = set()
    if person is not None:
        memberships = select(Membership.project_id).where(Membership.person_id == person.id)
        own = set(session.scalars(memberships))
    seen = []
    for project in projects:
        _, listing = listings[project.id]
        if listing.work != NAME:
            continue
        options = (
            options_of(newest_configuration(session, project.id))
            if listing.options is None
            else msgspec.convert(listing.options, SharedTaskOptions)
        )
        is_member = person is not None and (person.is_owner or project.id in own)
        if options.visibility == "public" or is_member:
            seen.append(VisibleTask(project, listing, options))
    return seen


def summaries_of(
    session: Session, tasks: Sequence[VisibleTask], language: str
) -> list[TaskSummary]:
    """What a list says of tasks, with as many queries as for one."""
    now, ids = time.time(), [task.project.id for task in tasks]
    notes = {
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
        about = msgspec.json.decode(notes[project.id])
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
    session: Session, column: Any, ids: Sequence[str], *conditions: ColumnElement[bool]
) -> dict[str, int]:
    """How many rows there are of each project."""
    query = select(column, func.count()).where(column.in_(ids), *conditions).group_by(column)
    return {row[0]: row[1] for row in session.execute(query)}


def description_of(session: Session, permitted: TaskPermitted, language: str) -> TaskDescription:
    """What the page of a task says, for the visitor."""
    project, options, now = permitted.project, permitted.options, time.time()
    configuration = permitted.configuration
    task = VisibleTask(project, listing_of(configuration), options)
    (summary,) = summaries_of(session, [task], language)
    test = task_test(session, project.id, options, now)
    metrics = list(options.metrics or test.about["metrics"])
    closed = ""
    if summary.phase is None:
        is_over = "the task is closed: nothing is accepted"
        closed = options.closed_words(now) if project.is_open else is_over
    return TaskDescription(
        **asdict(summary),
        description=in_language(configuration.project.description, language),
        rules=in_language(configuration.project.guidelines, language),
        licence=test.licence,
        source=test.about["source"],
        paper=test.about["paper"],
        splits=list(test.splits),
        phases=[
            _phase(name, phase)
            for name, phase in (("practice", options.practice), ("formal", options.formal))
            if phase is not None
        ],
        closed=closed,
        limits=TaskLimits(options.per_day, options.per_phase),
        metrics=metrics,
        order=TaskOrder(
            order_metric(metrics, test.about["main_metric"], options.order_by),
            options.main_split(test.about),
        ),
        ladder=options.ladder and any(split.is_hidden for split in test.splits),
        team=None if permitted.team is None else permitted.team.name,
    )


def _phase(name: str, phase: Phase) -> TaskPhase:
    first, last = (None if math.isinf(end) else end for end in (phase.first, phase.last))
    return TaskPhase(name, phase.begins, phase.ends, first, last)


@api.get("")
def get_tasks(request: Request, session: Reading, caller: Asking) -> TaskList:
    """The shared tasks that the caller may see: public ones, and those they take part in."""
    tasks = visible_tasks(session, caller)
    return TaskList(summaries_of(session, tasks, language_of(request)))


@api.get("/{task}")
def get_task(request: Request, session: Reading, permitted: Visitor) -> TaskDescription:
    """A shared task: what is asked, when, how often, and what the board is ordered by."""
    return description_of(session, permitted, language_of(request))


Split = Annotated[str | None, Query(max_length=200)]


@api.get(
    "/{task}/data",
    response_class=Response,
    responses={
        200: {"content": {"application/x-ndjson": {}, "application/zip": {}}},
        409: {"description": "The paper is not published yet."},
    },
)
def get_data(
    request: Request,
    session: Reading,
    permitted: Visitor,
    split: Split = None,
    paper: bool = False,
    format: DataFormat = "native",
) -> Response:
    """The public part of the test: papers that are out, and keys of public splits.

    With ``paper`` no keys at all. ``format`` is ``native`` (JSON lines; a zip for reading tasks),
    ``squad``, ``folder`` (a zip of what ``readmark set export`` writes) or ``card``.
    """
    return data_response(request, session, permitted, split=split, paper=paper, format=format)


@router.get("/tasks/{task}/data")
def download_data(
    request: Request,
    session: Reading,
    permitted: Visitor,
    split: Split = None,
    paper: bool = False,
    format: DataFormat = "native",
) -> Response:
    """A download from the task's page."""
    return data_response(request, session, permitted, split=split, paper=paper, format=format)


def data_response(
    request: Request,
    session: Session,
    permitted: TaskPermitted,
    *,
    split: str | None,
    paper: bool,
    format: DataFormat,
) -> Response:
    """A file of the public part of a task's test."""
    test = task_test(session, permitted.project.id, permitted.options, time.time())
    language = "zh" if test.about["language"] == "zh" else "en"
    project = permitted.configuration.project
    said: Mapping[str, str] = {
        "name": in_language(project.name, language),
        "description": in_language(project.description, language),
    }
    session.commit()  # gives the connection back: making a file can take long
    try:
        path = data_file(
            hall_of(request).database, test, format=format, split=split, paper=paper, words=said
        )
    except NotOut as error:
        raise HTTPException(409, str(error)) from None
    parts = [permitted.project.slug, *([_safe(split)] if split else []), *(["paper"] * paper)]
    name = "-".join(parts) + path.suffix
    return FileResponse(
        path, media_type=MEDIA[path.suffix], filename=name, content_disposition_type="attachment"
    )


def _safe(split: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in split)


# Pages.


@router.get("/tasks")
def list_tasks(
    request: Request,
    session: Reading,
    caller: Asking,
    page: PageQuery = 1,
) -> Response:
    """The shared tasks that the visitor may see."""
    tasks = visible_tasks(session, caller)
    part = ListPart((page - 1) * TASKS_PAGE, TASKS_PAGE)
    shown = tasks[part.offset : part.offset + part.limit]
    return render(
        request,
        "tasks.html",
        person=caller.person,
        listed=Listed(summaries_of(session, shown, language_of(request)), len(tasks), part),
    )


def show_task_tab(
    request: Request,
    session: Session,
    permitted: TaskPermitted,
    tab: str,
    template: str,
    status: int = 200,
    **values: Any,
) -> Response:
    """A page of a task, with the links to its other pages."""
    return render(
        request,
        template,
        status,
        person=permitted.person,
        task=description_of(session, permitted, language_of(request)),
        tab=tab,
        is_organiser=permitted.is_organiser,
        **values,
    )


@router.get("/tasks/{task}")
def show_task(request: Request, session: Reading, permitted: Visitor) -> Response:
    """What is asked, when, under which rules, with which data."""
    test = task_test(session, permitted.project.id, permitted.options, time.time())
    return show_task_tab(
        request,
        session,
        permitted,
        "task",
        "task.html",
        now=_now(permitted, words(language_of(request)), bool(test.hidden)),
        card=stored_card(session, test),
        people=people_row(session, permitted.project.id).origin,
        licence=licence_named(test.licence),
        suffix=test.suffix,
        is_anything_out=bool(test.out),
        paragraphs=paragraphs,
        absent=ABSENT,
        origin=origin_of(request),
    )


def _now(permitted: TaskPermitted, t: Mapping[str, str], has_hidden: bool) -> list[str]:
    """What is open now and what comes next, in sentences."""
    options, now = permitted.options, time.time()
    phase = options.phase(now)
    if not permitted.project.is_open:
        return [t["task_now_closed"]]
    if options.practice is None and options.formal is None:
        return [t["task_now_always"]]
    coming = [
        (each.first, name)
        for name, each in (("practice", options.practice), ("formal", options.formal))
        if each is not None and each.first > now
    ]
    if phase is None:
        sentences = [t["task_now_before"] if coming else t["task_now_over"]]
    else:
        sentences = [t[f"task_now_{phase}"]]
        ending = {"practice": options.practice, "formal": options.formal}.get(phase)
        if ending is not None and math.isfinite(ending.last):
            sentences.append(t["task_ends"].format(moment(ending.last)))
    for first, name in sorted(coming):
        sentences.append(t[f"task_next_{name}"].format(moment(first)))
        if name == "formal" and has_hidden:
            sentences.append(t["task_papers_wait"])
    return sentences


# Teams: registration without an invitation, and a team's own page.


TeamText = Annotated[str, Form(max_length=LONGEST_PASSWORD + 100)]
Registering = Annotated[TaskPermitted, Depends(REGISTERING)]
InTeam = Annotated[TaskPermitted, Depends(MANAGES_TEAM)]


def _is_registering(permitted: TaskPermitted) -> bool:
    return permitted.options.registration == "open" and permitted.project.is_open


@router.get("/tasks/{task}/register")
def register_page(request: Request, session: Reading, permitted: Registering) -> Response:
    """The form for a new team."""
    if permitted.team is not None or not _is_registering(permitted):
        return RedirectResponse(f"/tasks/{permitted.project.slug}", 303)
    return _register_form(request, session, permitted)


def _register_form(
    request: Request,
    session: Session,
    permitted: TaskPermitted,
    status: int = 200,
    fault: str = "",
    **given: str,
) -> Response:
    return show_task_tab(
        request,
        session,
        permitted,
        "register",
        "task_register.html",
        status,
        fault=fault,
        shortest=SHORTEST_PASSWORD,
        given={"team": "", "name": "", "login": "", **given},
    )


@router.post("/tasks/{task}/register")
def register_team(
    request: Request,
    session: Reading,
    permitted: Registering,
    team: TeamText,
    name: TeamText = "",
    login: Annotated[str, Form(max_length=LONGEST_LOGIN)] = "",
    password: TeamText = "",
) -> Response:
    """Make a team for somebody who is logged in, or an account with its team."""
    if not _is_registering(permitted):
        raise UsageError("teams of this task need an invitation")
    hall, project = hall_of(request), permitted.project
    page = f"/tasks/{project.slug}"
    session.commit()
    try:
        if permitted.person is not None:
            person_id, address = permitted.person.id, address_of(request)
            register_member(hall, project.id, person_id, team, address=address)
            return RedirectResponse(page, 303)
        person = register(
            hall,
            project.id,
            team=team,
            name=name,
            login=login,
            password=password,
            language=language_of(request),
            address=address_of(request),
        )
    except AccountError as error:
        given = {"team": team, "name": name, "login": login}
        return _register_form(request, session, permitted, 422, error.word, **given)
    except Throttled as error:
        refused = _register_form(request, session, permitted, 429, "too_many_registrations")
        refused.headers["retry-after"] = str(error.seconds)
        return refused
    return signed_in(request, person, page)


@router.get("/tasks/{task}/team")
def team_page(request: Request, session: Reading, permitted: InTeam) -> Response:
    """Who is in the own team, and the forms to change it."""
    return _team_page(request, session, permitted)


def _team_page(
    request: Request, session: Session, permitted: TaskPermitted, status: int = 200, **values: Any
) -> Response:
    assert permitted.team is not None
    team = session.get_one(Team, permitted.team.id)
    return show_task_tab(
        request,
        session,
        replace(permitted, team=team),
        "team",
        "task_team.html",
        status,
        team=team,
        people=member_names(session, team.id),
        invitations=team_invitations(session, team),
        **{"fault": "", "link": "", "given": "", **values},
    )


@router.post("/tasks/{task}/team")
def change_team(
    request: Request,
    session: Reading,
    permitted: InTeam,
    action: Annotated[Literal["rename", "invite", "revoke", "leave"], Form()],
    name: TeamText = "",
    invitation: Annotated[str, Form(max_length=64)] = "",
) -> Response:
    """Rename the own team, make or end a link into it, or leave it."""
    hall, team, person = hall_of(request), permitted.team, permitted.person
    assert team is not None
    assert person is not None
    session.commit()
    link = ""
    try:
        with hall.database.writing() as writing:
            if action == "rename":
                rename_team(writing, team, name, by=person.id)
                add_job(writing, "board", permitted.project.id)
            elif action == "leave":
                leave_team(writing, team, person.id)
            elif action == "revoke":
                own = [row.id for row in team_invitations(writing, team)]
                if invitation in own:
                    revoke_invitation(writing, invitation, person)
            else:
                own_link = {"project_id": permitted.project.id, "team_id": team.id}
                _, secret = invite(writing, hall, HallRole.TEAM, by=person, **own_link)
                link = link_to(request, secret)
    except AccountError as error:
        return _team_page(request, session, permitted, 422, fault=error.word, given=name)
    if action == "leave":
        return RedirectResponse(f"/tasks/{permitted.project.slug}", 303)
    with hall.database.reading() as fresh:
        return _team_page(request, fresh, permitted, link=link)
