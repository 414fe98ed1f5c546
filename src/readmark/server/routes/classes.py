"""Class mode: the organiser's tab *Class*, and the page by which pupils join and return."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, HTTPException, Path, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import ReadmarkError
from readmark.server.access import Asking, MayOrganise, Permitted, Reading, address_of, hall_of
from readmark.server.accounts import AccountError, Throttled
from readmark.server.assignment import DAY
from readmark.server.bodies import HallRoute
from readmark.server.class_results import (
    FEWEST_KEPT,
    MACHINES,
    ClassResults,
    class_results,
    keep_results,
    machine_choices,
)
from readmark.server.classes import (
    MOST_PUPILS,
    PUPIL_ROLES,
    ClassCodes,
    classes_of,
    close_class,
    draw_pseudonyms,
    find_class,
    join_class,
    open_class,
    pupils_of,
    renew_class,
    require_code,
    return_to_class,
)
from readmark.server.erasure import class_named, erase_class
from readmark.server.pages import language_of, render, words
from readmark.server.routes.account import origin_of, start_session
from readmark.server.routes.files import attachment
from readmark.server.routes.project_page import back_to, end_of_day, show_tab
from readmark.server.tables import Classroom, Person
from readmark.server.views import newest_configuration
from readmark.works import in_language

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api", tags=["classes"])

ClassLink = Annotated[str, Path(max_length=64)]
Id = Annotated[str, Path(max_length=64)]
Code = Annotated[str, Form(max_length=40)]


# The organiser's tab.


@pages.get("/projects/{project}/class")
def show_classes(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The classes of a project, and the form that opens one."""
    return _tab(request, session, permitted)


def _tab(
    request: Request,
    session: Session,
    permitted: Permitted,
    *,
    status: int = 200,
    codes: ClassCodes | None = None,
    opened: Classroom | None = None,
    problem: str = "",
    **given: Any,
) -> Response:
    today = datetime.now(UTC).date()
    form = {
        "name": "",
        "role": str(PUPIL_ROLES[0]),
        "most": 40,
        "until": today + timedelta(days=7),
        "erase": today + timedelta(days=30),
    }
    return show_tab(
        request,
        session,
        permitted,
        "class",
        status,
        rows=[
            (row, count, _state(row)) for row, count in classes_of(session, permitted.project.id)
        ],
        codes=codes,
        opened=opened,
        chosen=None,
        link=_address(request, codes) if codes else "",
        roles=PUPIL_ROLES,
        most_pupils=MOST_PUPILS,
        today=today,
        given={**form, **given},
        problem=problem,
    )


def _address(request: Request, codes: ClassCodes) -> str:
    return f"{origin_of(request)}/join/{codes.link}"


def _state(classroom: Classroom) -> str:
    """``open``, ``closed``, ``over``, ``erasing`` or ``erased``."""
    if classroom.erased is not None:
        return "erased"
    if classroom.erasing is not None:
        return "erasing"
    if classroom.until < datetime.now(UTC).timestamp():
        return "over"
    return "open" if classroom.link else "closed"


@pages.post("/projects/{project}/class")
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
    hall = hall_of(request)
    given: dict[str, Any] = {
        "name": name,
        "role": role,
        "most": most,
        "until": until,
        "erase": erase,
    }
    try:
        with hall.database.writing() as writing:
            opened, codes = open_class(
                writing,
                hall,
                permitted.project,
                name=name,
                role=role,
                most=most,
                until=end_of_day(until) or 0.0,
                erase=(end_of_day(erase) or 0.0) + 1 - DAY,
                by=permitted.person.id,
            )
    except ReadmarkError as error:
        problem = _words(request, error)
        return _tab(request, session, permitted, status=422, problem=problem, **given)
    with hall_of(request).database.reading() as fresh:
        return _tab(request, fresh, permitted, codes=codes, opened=opened)


def _open(
    request: Request, permitted: Permitted, *, until: date, erase: date, **settings: Any
) -> tuple[Classroom, ClassCodes]:
    """Open a class until the end of a day; its data are deleted when another begins."""
    hall = hall_of(request)
    with hall.database.writing() as session:
        return open_class(
            session,
            hall,
            permitted.project,
            until=end_of_day(until) or 0.0,
            erase=(end_of_day(erase) or 0.0) + 1 - DAY,
            by=permitted.person.id,
            **settings,
        )


def _words(request: Request, error: ReadmarkError) -> str:
    if isinstance(error, AccountError):
        return words(language_of(request))[error.word]
    return str(error)


def _class(session: Session, permitted: Permitted, classroom: str) -> Classroom:
    try:
        return class_named(session, permitted.project, classroom)
    except ReadmarkError:
        raise HTTPException(404, "Not found.") from None


Action = Literal["renew", "close", "keep", "forget", "erase"]


@pages.post("/projects/{project}/class/{classroom}")
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
    hall, by = hall_of(request), permitted.person.id
    found = _class(session, permitted, classroom)
    if action is None:
        raise HTTPException(422, "Choose what to do.")
    results = _results(session, found, machine) if action == "keep" else None
    session.commit()
    if action == "erase":
        if not sure:
            problem = words(language_of(request))["class_erase_unsure"]
            return _tab(request, session, permitted, status=422, problem=problem)
        erase_class(hall.database, found.id, by=by)
        return back_to(permitted.project, "class")
    if action == "forget":
        with hall.database.writing() as writing:
            writing.get_one(Classroom, found.id).results = None
        return back_to(permitted.project, f"class/{found.id}")
    codes = None
    try:
        with _changing(request, found) as (writing, own):
            if action == "renew":
                codes = renew_class(writing, hall, own, by=by)
            elif results is not None:
                keep_results(writing, own, results, by=by)
            else:
                close_class(writing, own, by=by)
    except ReadmarkError as error:
        return _tab(request, session, permitted, status=422, problem=_words(request, error))
    if codes is not None:
        with hall.database.reading() as fresh:
            return _tab(request, fresh, permitted, codes=codes, opened=own)
    return back_to(permitted.project, "class" if action != "keep" else f"class/{found.id}")


@contextmanager
def _changing(request: Request, found: Classroom) -> Iterator[tuple[Session, Classroom]]:
    """A class to change, unless its data are deleted or being deleted."""
    with hall_of(request).database.writing() as session:
        own = session.get_one(Classroom, found.id, with_for_update=True)
        if own.erasing is not None:
            raise AccountError("class_over")
        yield session, own


# Results.


@pages.get("/projects/{project}/class/{classroom}")
def show_class(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    classroom: Id,
    machine: str = MACHINES[0],
    order: Literal["paper", "hard"] = "paper",
) -> Response:
    """Who found what hard, question by question, and a machine next to the pupils."""
    found = _class(session, permitted, classroom)
    results = _results(session, found, machine)
    questions = results.hardest_first() if order == "hard" else results.questions
    return show_tab(
        request,
        session,
        permitted,
        "class",
        rows=[],
        chosen=found,
        state=_state(found),
        results=results,
        questions=questions,
        numbers={question.id: number for number, question in enumerate(results.questions, 1)},
        machines=machine_choices(session, permitted.project.id),
        machine=machine,
        order=order,
        fewest=FEWEST_KEPT,
        problem=results.problem,
        codes=None,
    )


def _results(session: Session, classroom: Classroom, machine: str) -> ClassResults:
    choices = machine_choices(session, classroom.project_id)
    return class_results(session, classroom, machine if machine in choices else "")


@pages.get("/projects/{project}/class/{classroom}/results.csv")
def download_results(
    session: Reading, permitted: MayOrganise, classroom: Id, machine: str = ""
) -> Response:
    """The table of questions and pupils as a sheet."""
    found = _class(session, permitted, classroom)
    text = _results(session, found, machine).as_csv()
    return attachment(b"\xef\xbb\xbf" + text.encode(), f"{permitted.project.slug}-class.csv")


@pages.get("/projects/{project}/class/{classroom}/kept.json")
def download_kept(session: Reading, permitted: MayOrganise, classroom: Id) -> Response:
    """The figures that the teacher keeps, without pseudonyms; null where none are kept."""
    found = _class(session, permitted, classroom)
    return attachment((found.results or "null").encode(), f"{permitted.project.slug}-class.json")


# The same for programs.


class ClassWanted(BaseModel):
    """A class to open."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=100)
    role: str = Field(str(PUPIL_ROLES[0]), max_length=16)
    most: int = Field(40, ge=1, le=MOST_PUPILS)
    until: date
    erase: date


class ClassShown(BaseModel):
    """A class; ``link`` and ``code`` are there only in the answer that makes them."""

    id: str
    name: str
    role: str
    state: str
    pupils: int
    most: int
    until: float
    erase: float
    link: str | None = None
    code: str | None = None


def _shown(row: Classroom, pupils: int, link: str = "", code: str = "") -> ClassShown:
    return ClassShown(
        id=row.id,
        name=row.name,
        role=row.role,
        state=_state(row),
        pupils=row.erased_pupils if row.erasing else pupils,
        most=row.most,
        until=row.until,
        erase=row.erase,
        link=link or None,
        code=code or None,
    )


@api.get("/projects/{project}/classes")
def list_classes(session: Reading, permitted: MayOrganise) -> list[ClassShown]:
    """The project's classes, newest first."""
    return [_shown(row, count) for row, count in classes_of(session, permitted.project.id)]


@api.post("/projects/{project}/classes", status_code=201)
def add_class(request: Request, wanted: ClassWanted, permitted: MayOrganise) -> ClassShown:
    """Open a class; its link and code are never shown again."""
    made, codes = _open(request, permitted, **wanted.model_dump())
    return _shown(made, 0, _address(request, codes), codes.code)


@api.post("/projects/{project}/classes/{classroom}/codes", status_code=201)
def renew_codes(
    request: Request, session: Reading, permitted: MayOrganise, classroom: Id
) -> ClassShown:
    """A new link and code; those of before end."""
    with _changing(request, _class(session, permitted, classroom)) as (writing, own):
        codes = renew_class(writing, hall_of(request), own, by=permitted.person.id)
        count = len(pupils_of(writing, own.id))
    return _shown(own, count, _address(request, codes), codes.code)


@api.delete("/projects/{project}/classes/{classroom}/codes", status_code=204)
def end_codes(
    request: Request, session: Reading, permitted: MayOrganise, classroom: Id
) -> Response:
    """Close a class."""
    with _changing(request, _class(session, permitted, classroom)) as (writing, own):
        close_class(writing, own, by=permitted.person.id)
    return Response(status_code=204)


@api.delete("/projects/{project}/classes/{classroom}")
def erase_pupils(
    request: Request, session: Reading, permitted: MayOrganise, classroom: Id
) -> dict[str, Any]:
    """Erase everything of the pupils of a class."""
    found = _class(session, permitted, classroom)
    session.commit()
    return erase_class(hall_of(request).database, found.id, by=permitted.person.id).as_json()


@api.get("/projects/{project}/classes/{classroom}/results")
def class_figures(
    session: Reading, permitted: MayOrganise, classroom: Id, machine: str = ""
) -> dict[str, Any]:
    """Who found what hard, by question and by pupil."""
    return _results(session, _class(session, permitted, classroom), machine).as_json()


# The pupils' page.


@pages.get("/join/{link}")
def join_page(
    request: Request, link: ClassLink, session: Reading, caller: Asking, code: str = ""
) -> Response:
    """The form for the code; a longer link brings it along."""
    return _join(request, session, link, person=caller.person, code=code[:40])


def _join(
    request: Request,
    session: Session,
    link: str,
    *,
    status: int = 200,
    fault: str = "",
    person: Person | None = None,
    **values: Any,
) -> Response:
    classroom = find_class(session, hall_of(request), link)
    if classroom is None:
        return render(request, "join.html", 404, step="over", link=link, fault="", person=person)
    table = newest_configuration(session, classroom.project_id).project
    is_inside = person is not None and person.class_id == classroom.id
    return render(
        request,
        "join.html",
        status,
        person=person,
        link=link,
        classroom=classroom,
        project=in_language(table.name, language_of(request)),
        erased=datetime.fromtimestamp(classroom.erase, UTC).date(),
        fault=fault,
        **{"step": "inside" if is_inside else "code", "code": "", "names": [], **values},
    )


@pages.post("/join/{link}")
def join(
    request: Request,
    link: ClassLink,
    session: Reading,
    caller: Asking,
    how: Annotated[Literal["code", "join", "return"] | None, Form()] = None,
    code: Code = "",
    name: Annotated[str, Form(max_length=100)] = "",
    return_code: Code = "",
) -> Response:
    """Check the code and offer pseudonyms, join under one of them, or come back."""
    hall, address = hall_of(request), address_of(request)
    session.commit()
    try:
        if how == "return":
            person = return_to_class(hall, link, return_code, address)
            response: Response = RedirectResponse("/assignments", 303)
            return _inside(request, session, response, person)
        if how == "join" and name:
            language = language_of(request)
            person, again = join_class(hall, link, code, name, language=language, address=address)
            values: dict[str, Any]
            values = {"person": person, "step": "joined", "return_code": again}
            response = _join(request, session, link, **values)
            return _inside(request, session, response, person)
        known = require_code(hall, link, code, address)
        fault = "pseudonym_missing" if how == "join" else ""
    except Throttled as error:
        refused = _join(
            request, session, link, status=429, fault="class_too_many", person=caller.person
        )
        refused.headers["retry-after"] = str(error.seconds)
        return refused
    except AccountError as error:
        if error.word != "pseudonym_taken":
            values = {"person": caller.person, "code": code}
            return _join(request, session, link, status=422, fault=error.word, **values)
        fault = error.word
        known = find_class(session, hall, link) or Classroom(project_id="")
    names = draw_pseudonyms(session, known.project_id, language_of(request))
    status = 422 if fault else 200
    values = {"step": "name", "names": names, "code": code, "person": caller.person}
    return _join(request, session, link, status=status, fault=fault, **values)


def _inside(request: Request, session: Session, response: Response, person: Person) -> Response:
    """Sign the pupil's browser in, for as long as the class lasts."""
    session.commit()
    classroom = session.get(Classroom, person.class_id)
    assert classroom is not None
    start_session(request, response, person, until=classroom.until)
    return response
