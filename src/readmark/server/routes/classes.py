"""Class mode: the organiser's tab *Class*, and the page by which pupils join and return."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, HTTPException, Path, Request
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import ReadmarkError
from readmark.server.access import Asking, Permitted, Reading, hall_of
from readmark.server.accounts import AccountError, Throttled
from readmark.server.assignment import DAY
from readmark.server.class_results import (
    FEWEST_KEPT,
    MACHINES,
    ClassResults,
    class_results,
    keep_results,
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
    renew_class,
    require_code,
    return_to_class,
)
from readmark.server.configuration import in_language
from readmark.server.erasure import class_named, erase_class
from readmark.server.pages import language_of, render, words
from readmark.server.routes.organise import MayOrganise, attachment, back_to, end_of_day, show_tab
from readmark.server.routes.people import address_of, start_session
from readmark.server.tables import Classroom, Person
from readmark.server.views import newest_configuration

router = APIRouter(include_in_schema=False)

Link = Annotated[str, Path(max_length=64)]
Id = Annotated[str, Path(max_length=64)]
Code = Annotated[str, Form(max_length=40)]


# The organiser's tab.


@router.get("/projects/{project}/class")
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
    hall = hall_of(request)
    origin = hall.settings.origin or f"{request.url.scheme}://{request.url.netloc}"
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
        link=f"{origin}/join/{codes.link}" if codes else "",
        roles=PUPIL_ROLES,
        most_pupils=MOST_PUPILS,
        today=today,
        given={**form, **given},
        problem=problem,
    )


def _state(classroom: Classroom) -> str:
    """``open``, ``closed``, ``over``, ``erasing`` or ``erased``."""
    if classroom.erased is not None:
        return "erased"
    if classroom.erasing is not None:
        return "erasing"
    if classroom.until < datetime.now(UTC).timestamp():
        return "over"
    return "open" if classroom.link else "closed"


@router.post("/projects/{project}/class")
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
    with hall.database.reading() as fresh:
        return _tab(request, fresh, permitted, codes=codes, opened=opened)


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


@router.post("/projects/{project}/class/{classroom}")
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
    try:
        with hall.database.writing() as writing:
            own = writing.get(Classroom, found.id, with_for_update=True)
            assert own is not None
            if action == "forget":
                own.results = None
            elif own.erasing is not None:
                raise AccountError("class_over")
            elif action == "renew":
                codes = renew_class(writing, hall, own, by=by)
            elif action == "close":
                close_class(writing, own, by=by)
            elif results is not None:
                keep_results(writing, own, results, by=by)
    except ReadmarkError as error:
        return _tab(request, session, permitted, status=422, problem=_words(request, error))
    if action == "renew":
        with hall.database.reading() as fresh:
            return _tab(request, fresh, permitted, codes=codes, opened=own)
    return back_to(permitted.project, "class" if action != "keep" else f"class/{found.id}")


# Results.


@router.get("/projects/{project}/class/{classroom}")
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
        machines=MACHINES,
        machine=results.machine,
        order=order,
        fewest=FEWEST_KEPT,
        problem=results.problem,
        codes=None,
    )


def _results(session: Session, classroom: Classroom, machine: str) -> ClassResults:
    return class_results(session, classroom, machine if machine in MACHINES else "")


@router.get("/projects/{project}/class/{classroom}/results.csv")
def download_results(
    session: Reading, permitted: MayOrganise, classroom: Id, machine: str = ""
) -> Response:
    """The table of questions and pupils as a sheet."""
    found = _class(session, permitted, classroom)
    text = _results(session, found, machine).as_csv()
    return attachment(b"\xef\xbb\xbf" + text.encode(), f"{permitted.project.slug}-class.csv")


@router.get("/projects/{project}/class/{classroom}/kept.json")
def download_kept(session: Reading, permitted: MayOrganise, classroom: Id) -> Response:
    """The figures that the teacher keeps, without pseudonyms; null where none are kept."""
    found = _class(session, permitted, classroom)
    return attachment((found.results or "null").encode(), f"{permitted.project.slug}-class.json")


# The pupils' page.


@router.get("/join/{link}")
def join_page(
    request: Request, link: Link, session: Reading, caller: Asking, code: str = ""
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


@router.post("/join/{link}")
def join(
    request: Request,
    link: Link,
    session: Reading,
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
        refused = _join(request, session, link, status=429, fault="class_too_many", code=code)
        refused.headers["retry-after"] = str(error.seconds)
        return refused
    except AccountError as error:
        if error.word != "pseudonym_taken":
            return _join(request, session, link, status=422, fault=error.word, code=code)
        fault = error.word
        known = find_class(session, hall, link) or Classroom(project_id="")
    names = draw_pseudonyms(session, known.project_id, language_of(request))
    status = 422 if fault else 200
    values = {"step": "name", "names": names, "code": code}
    return _join(request, session, link, status=status, fault=fault, **values)


def _inside(request: Request, session: Session, response: Response, person: Person) -> Response:
    """Sign the pupil's browser in, for as long as the class lasts."""
    session.commit()
    classroom = session.get(Classroom, person.class_id)
    assert classroom is not None
    start_session(request, response, person, until=classroom.until)
    return response
