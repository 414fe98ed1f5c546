"""The classes of a project: listed, and opened; page and API."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from readmark.core.errors import ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.classes import MOST_PUPILS, open_class
from readmark.server.days import end_of_day, start_of_day
from readmark.server.routes.classes_page import (
    ClassShown,
    ClassWanted,
    ListedClass,
    join_address,
    listed_classes,
    problem_of,
    show_classes_page,
)

pages = APIRouter(
    route_class=HallRoute, prefix="/projects/{project}/class", include_in_schema=False
)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}/classes", tags=["classes"])


@pages.get("")
def show_classes(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The classes of a project, and the form that opens one."""
    return show_classes_page(request, session, permitted)


@api.get("")
def list_classes(session: Reading, permitted: MayOrganise) -> list[ClassShown]:
    """The project's classes, newest first."""
    return [listed.shown() for listed in listed_classes(session, permitted.project.id)]


@pages.post("")
def make_class(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    name: Annotated[str, Form(min_length=1, max_length=100)],
    role: Annotated[str, Form(max_length=16)],
    until: Annotated[date, Form()],
    erase: Annotated[date, Form()],
    most: Annotated[int, Form(ge=1, le=MOST_PUPILS)] = 40,
) -> Response:
    """Open a class, and show its link and code this once."""
    new = ClassWanted(name=name, role=role, most=most, until=until, erase=erase)
    try:
        opened = _open(request, permitted, new)
    except ReadmarkError as error:
        problem = problem_of(request, error)
        return show_classes_page(request, session, permitted, 422, problem=problem, form=new)
    with hall_of(request).database.reading() as fresh:
        return show_classes_page(request, fresh, permitted, opened=opened)


@api.post("", status_code=201)
def add_class(request: Request, new: ClassWanted, permitted: MayOrganise) -> ClassShown:
    """Open a class; its link and code are never shown again."""
    return _open(request, permitted, new)


def _open(request: Request, permitted: Permitted, new: ClassWanted) -> ClassShown:
    """Open a class until the end of a day; its data are deleted when another begins."""
    hall = hall_of(request)
    with hall.database.writing() as session:
        classroom, codes = open_class(
            session,
            hall,
            permitted.project,
            name=new.name,
            role=new.role,
            most=new.most,
            until=end_of_day(new.until),
            erase=start_of_day(new.erase),
            by=permitted.person.id,
        )
        return ListedClass(classroom, 0).shown(join_address(request, codes.link), codes.code)
