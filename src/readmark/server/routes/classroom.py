"""Changes to a class: new codes, closed, figures kept, pupils erased; page and API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, HTTPException, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import ReadmarkError
from readmark.server.access import Id, MayOrganise, Permitted, Reading, hall_of
from readmark.server.account_errors import AccountError
from readmark.server.bodies import HallRoute
from readmark.server.class_results import keep_results
from readmark.server.classes import close_class, pupils_of, renew_class
from readmark.server.erasure import erase_class
from readmark.server.routes.class_results import results_of
from readmark.server.routes.classes_page import (
    ClassShown,
    ListedClass,
    class_in_project,
    join_address,
    problem_of,
    show_classes_page,
)
from readmark.server.routes.project_page import back_to
from readmark.server.tables import Classroom

pages = APIRouter(
    route_class=HallRoute, prefix="/projects/{project}/class", include_in_schema=False
)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}/classes", tags=["classes"])

Action = Literal["renew", "close", "keep", "forget", "erase"]


@pages.post("/{classroom}")
def change_class(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    classroom: Id,
    action: Annotated[Action | None, Form()] = None,
    machine: Annotated[str, Form(max_length=40)] = "",
    sure: Annotated[bool, Form()] = False,
) -> Response:
    """New link and code, close, keep or drop the figures, or erase everything of the pupils."""
    database, by = hall_of(request).database, permitted.person.id
    row = class_in_project(session, permitted, classroom)
    if action is None:
        raise HTTPException(422, "Choose what to do.")
    # Marked before the writer begins, as others would wait for it.
    results = results_of(session, row, machine) if action == "keep" else None
    session.commit()  # gives the connection back before the writer takes one
    try:
        if action == "renew":
            renewed = _renew(request, permitted, row)
            with database.reading() as fresh:
                return show_classes_page(request, fresh, permitted, opened=renewed)
        if action == "close":
            _close(request, permitted, row)
        elif results is not None:
            with _changing(request, row) as (writing, changed):
                keep_results(writing, changed, results, by=by)
        elif action == "forget":
            with database.writing() as writing:
                writing.get_one(Classroom, row.id).results = None
        elif sure:
            erase_class(database, row.id, by=by)
        else:
            raise AccountError("class_erase_unsure")
    except ReadmarkError as error:
        problem = problem_of(request, error)
        return show_classes_page(request, session, permitted, 422, problem=problem)
    is_of_results = action in ("keep", "forget")
    return back_to(permitted.project, f"class/{row.id}" if is_of_results else "class")


@api.post("/{classroom}/codes", status_code=201)
def renew_codes(
    request: Request, session: Reading, permitted: MayOrganise, classroom: Id
) -> ClassShown:
    """A new link and code; those of before end."""
    return _renew(request, permitted, class_in_project(session, permitted, classroom))


def _renew(request: Request, permitted: Permitted, row: Classroom) -> ClassShown:
    with _changing(request, row) as (session, changed):
        codes = renew_class(session, hall_of(request), changed, by=permitted.person.id)
        listed = ListedClass(changed, len(pupils_of(session, changed.id)))
        return listed.shown(join_address(request, codes.link), codes.code)


@api.delete("/{classroom}/codes", status_code=204)
def end_codes(
    request: Request, session: Reading, permitted: MayOrganise, classroom: Id
) -> Response:
    """Close a class."""
    _close(request, permitted, class_in_project(session, permitted, classroom))
    return Response(status_code=204)


def _close(request: Request, permitted: Permitted, row: Classroom) -> None:
    with _changing(request, row) as (session, changed):
        close_class(session, changed, by=permitted.person.id)


@api.delete("/{classroom}")
def erase_pupils(
    request: Request, session: Reading, permitted: MayOrganise, classroom: Id
) -> dict[str, Any]:
    """Erase everything of the pupils of a class."""
    row = class_in_project(session, permitted, classroom)
    session.commit()  # gives the connection back before the writer takes one
    return erase_class(hall_of(request).database, row.id, by=permitted.person.id).as_json()


@contextmanager
def _changing(request: Request, row: Classroom) -> Iterator[tuple[Session, Classroom]]:
    """A class to change, unless its data are deleted or being deleted."""
    with hall_of(request).database.writing() as session:
        changed = session.get_one(Classroom, row.id, with_for_update=True)
        if changed.erasing is not None:
            raise AccountError("class_over")
        yield session, changed
