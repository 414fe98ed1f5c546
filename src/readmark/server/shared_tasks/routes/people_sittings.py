"""People's sittings, of which people's row of a board is made: forms and API for organisers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Request, UploadFile
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.routes.project_page import back_to
from readmark.server.shared_tasks.people_row import (
    PeopleRow,
    add_people,
    people_row,
    remove_people,
)
from readmark.server.shared_tasks.routes.baseline import (
    organised_sat_projects,
    show_baselines_tab,
)
from readmark.server.shared_tasks.routes.overview import require_task
from readmark.server.shared_tasks.sat_projects import people_of_project

pages = APIRouter(
    route_class=HallRoute, prefix="/projects/{project}/people-sittings", include_in_schema=False
)
api = APIRouter(
    route_class=HallRoute, prefix="/api/projects/{project}/people-sittings", tags=["shared tasks"]
)

UploadedFiles = Annotated[list[UploadFile] | None, File()]
LARGEST_PEOPLE = 50 << 20
"""Bytes of one file of people's sittings."""


@pages.post("")
def change_people(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    files: UploadedFiles = None,
    sat: Annotated[str, Form(max_length=60)] = "",
    remove: Annotated[bool, Form()] = False,
) -> Response:
    """Take people's sittings from files or from a project of the hall, or remove them."""
    require_task(session, permitted)
    try:
        if remove:
            _remove(request, session, permitted)
        elif sat:
            _take(request, session, permitted, sat)
        else:
            _store(request, session, permitted, files or [])
    except ReadmarkError as error:
        return show_baselines_tab(request, session, permitted, 422, problem=str(error))
    return back_to(permitted.project, "baselines")


@api.get("")
def get_people(session: Reading, permitted: MayOrganise) -> PeopleRow:
    """Where people's row comes from."""
    return people_row(session, permitted.project.id)


@api.post("", status_code=201)
def post_people(
    request: Request, session: Reading, permitted: MayOrganise, files: UploadedFiles = None
) -> PeopleRow:
    """Add files of people's sittings, each of one person or of several."""
    require_task(session, permitted)
    _store(request, session, permitted, files or [])
    with hall_of(request).database.reading() as fresh:
        return people_row(fresh, permitted.project.id)


@api.delete("", status_code=204)
def delete_people(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Remove people's sittings; the row comes from the key's answers again, if it can."""
    require_task(session, permitted)
    _remove(request, session, permitted)
    return Response(status_code=204)


def _store(
    request: Request, session: Session, permitted: Permitted, files: list[UploadFile]
) -> None:
    session.commit()  # gives the connection back
    contents = {}
    for file in files:
        if file.filename:
            contents[file.filename] = file.file.read(LARGEST_PEOPLE + 1)
            if len(contents[file.filename]) > LARGEST_PEOPLE:
                raise DataError("larger than 50 MB", file=file.filename)
    with hall_of(request).database.writing() as writing:
        add_people(writing, permitted.project, contents, by=permitted.person.id)


def _take(request: Request, session: Session, permitted: Permitted, slug: str) -> None:
    """Store the sittings of a project in which people sit the same test."""
    projects = {project.slug: project for project in organised_sat_projects(session, permitted)}
    if slug not in projects:
        raise UsageError(f"no project {slug!r} in which people sit this test")
    sittings = people_of_project(session, projects[slug])
    session.commit()
    with hall_of(request).database.writing() as writing:
        add_people(
            writing,
            permitted.project,
            sittings.files,
            of_people=sittings.of_people,
            by=permitted.person.id,
        )


def _remove(request: Request, session: Session, permitted: Permitted) -> None:
    session.commit()
    with hall_of(request).database.writing() as writing:
        remove_people(writing, permitted.project)
