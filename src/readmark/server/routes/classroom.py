"""The classes of a project: opened, changed and erased, and what one found hard; page and API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, HTTPException, Request
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import ReadmarkError
from readmark.reporting import ClassQuestion, ClassResults
from readmark.server.access import Id, MayOrganise, Permitted, Reading, hall_of
from readmark.server.account_errors import AccountError
from readmark.server.bodies import HallRoute, Sent
from readmark.server.class_codes import spaced
from readmark.server.class_results import (
    FEWEST_KEPT,
    DatedResults,
    best_reader,
    class_results,
    keep_results,
    machine_choices,
)
from readmark.server.classes import (
    MOST_PUPILS,
    PUPIL_ROLES,
    ClassState,
    class_named,
    class_state,
    classes_of,
    close_class,
    open_class,
    pupils_of,
    renew_class,
)
from readmark.server.days import DAY, end_of_day
from readmark.server.erasure import erase_class
from readmark.server.pages import language_of, words
from readmark.server.routes.account import origin_of
from readmark.server.routes.files import attachment
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.tables import Classroom

pages = APIRouter(
    route_class=HallRoute, prefix="/projects/{project}/class", include_in_schema=False
)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}/classes", tags=["classes"])

Order = Literal["paper", "hard"]


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


@dataclass(frozen=True)
class ListedClass:
    """A class, and how many pupils have joined it."""

    classroom: Classroom
    joined: int

    @property
    def state(self) -> ClassState:
        """Whether pupils can join, or why not."""
        return class_state(self.classroom)

    def shown(self, link: str | None = None, code: str | None = None) -> ClassShown:
        """The same for programs."""
        row = self.classroom
        return ClassShown(
            id=row.id,
            name=row.name,
            role=row.role,
            state=self.state,
            pupils=row.erased_pupils if row.erasing else self.joined,
            most=row.most,
            until=row.until,
            erase=row.erase,
            link=link,
            code=code,
        )


def _listed_classes(session: Session, project_id: str) -> list[ListedClass]:
    return [ListedClass(row, joined) for row, joined in classes_of(session, project_id)]


def _class(session: Session, permitted: Permitted, classroom: str) -> Classroom:
    try:
        return class_named(session, permitted.project, classroom)
    except ReadmarkError:
        raise HTTPException(404, "Not found.") from None


# The list, and a new one.


class ClassWanted(Sent):
    """A class to open."""

    name: str = Field(min_length=1, max_length=100)
    role: str = Field(str(PUPIL_ROLES[0]), max_length=16)
    most: int = Field(40, ge=1, le=MOST_PUPILS)
    until: date
    erase: date


def _empty_form(today: date) -> ClassWanted:
    """What the form says before anybody has written in it: no name yet."""
    week, month = today + timedelta(days=7), today + timedelta(days=30)
    return ClassWanted.model_construct(name="", until=week, erase=month)


@dataclass(frozen=True)
class ClassesPage:
    """The classes of a project, the form for another, and what a form has just opened."""

    classes: Sequence[ListedClass]
    form: ClassWanted
    opened: ClassShown | None
    """With its link and code, shown this once."""
    today: date
    roles: Sequence[str] = PUPIL_ROLES
    most_pupils: int = MOST_PUPILS

    @property
    def spaced_code(self) -> str:
        """The code of the class just opened, as it is read aloud."""
        return spaced(self.opened.code or "") if self.opened else ""


def _page(
    request: Request,
    session: Session,
    permitted: Permitted,
    status: int = 200,
    *,
    opened: ClassShown | None = None,
    form: ClassWanted | None = None,
    problem: str = "",
) -> Response:
    today = datetime.now(UTC).date()
    classes = _listed_classes(session, permitted.project.id)
    view = ClassesPage(classes, form or _empty_form(today), opened, today)
    return show_tab(
        request,
        session,
        permitted,
        "class",
        status,
        template="project_classes.html",
        view=view,
        problem=problem,
    )


def _problem(request: Request, error: ReadmarkError) -> str:
    if isinstance(error, AccountError):
        return words(language_of(request))[error.word]
    return str(error)


@pages.get("")
def show_classes(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The classes of a project, and the form that opens one."""
    return _page(request, session, permitted)


@api.get("")
def list_classes(session: Reading, permitted: MayOrganise) -> list[ClassShown]:
    """The project's classes, newest first."""
    return [each.shown() for each in _listed_classes(session, permitted.project.id)]


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
    wanted = ClassWanted(name=name, role=role, most=most, until=until, erase=erase)
    try:
        opened = _open(request, permitted, wanted)
    except ReadmarkError as error:
        problem = _problem(request, error)
        return _page(request, session, permitted, 422, problem=problem, form=wanted)
    with hall_of(request).database.reading() as fresh:
        return _page(request, fresh, permitted, opened=opened)


@api.post("", status_code=201)
def add_class(request: Request, wanted: ClassWanted, permitted: MayOrganise) -> ClassShown:
    """Open a class; its link and code are never shown again."""
    return _open(request, permitted, wanted)


def _open(request: Request, permitted: Permitted, wanted: ClassWanted) -> ClassShown:
    """Open a class until the end of a day; its data are deleted when another begins."""
    hall = hall_of(request)
    with hall.database.writing() as session:
        classroom, codes = open_class(
            session,
            hall,
            permitted.project,
            name=wanted.name,
            role=wanted.role,
            most=wanted.most,
            until=end_of_day(wanted.until),
            erase=end_of_day(wanted.erase) + 1 - DAY,
            by=permitted.person.id,
        )
        return ListedClass(classroom, 0).shown(_join_address(request, codes.link), codes.code)


def _join_address(request: Request, link: str) -> str:
    return f"{origin_of(request)}/join/{link}"


# One of them: what it found hard.


@dataclass(frozen=True, kw_only=True)
class ClassPage:
    """Who found what hard, question by question, and a machine next to the pupils."""

    classroom: Classroom
    dated: DatedResults
    machines: Mapping[str, str]
    """What can be shown next to the pupils, by the word that chooses it."""
    machine: str
    order: Order
    fewest_kept: int = FEWEST_KEPT

    @property
    def state(self) -> ClassState:
        """Whether pupils can join, or why not."""
        return class_state(self.classroom)

    @property
    def results(self) -> ClassResults:
        """What the class found hard."""
        return self.dated.results

    @property
    def questions(self) -> Sequence[ClassQuestion]:
        """The questions in the chosen order."""
        return self.results.hardest_first() if self.order == "hard" else self.results.questions

    @property
    def numbers(self) -> Mapping[str, int]:
        """The questions' numbers on the paper, by their ids."""
        return {question.id: number for number, question in enumerate(self.results.questions, 1)}


@pages.get("/{classroom}")
def show_class(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    classroom: Id,
    machine: str | None = None,
    order: Order = "paper",
) -> Response:
    """Who found what hard, question by question, and a machine next to the pupils."""
    row = _class(session, permitted, classroom)
    if machine is None:
        machine = best_reader(session, permitted.project.id)
    view = ClassPage(
        classroom=row,
        dated=_results(session, row, machine),
        machines=machine_choices(session, permitted.project.id),
        machine=machine,
        order=order,
    )
    return show_tab(request, session, permitted, "class", view=view, problem=view.results.problem)


@api.get("/{classroom}/results")
def class_figures(
    session: Reading, permitted: MayOrganise, classroom: Id, machine: str = ""
) -> dict[str, Any]:
    """Who found what hard, by question and by pupil."""
    return _results(session, _class(session, permitted, classroom), machine).as_json()


@pages.get("/{classroom}/results.csv")
def download_results(
    session: Reading, permitted: MayOrganise, classroom: Id, machine: str = ""
) -> Response:
    """The table of questions and pupils as a sheet."""
    row = _class(session, permitted, classroom)
    text = _results(session, row, machine).results.as_csv()
    return attachment(b"\xef\xbb\xbf" + text.encode(), f"{permitted.project.slug}-class.csv")


@pages.get("/{classroom}/kept.json")
def download_kept(session: Reading, permitted: MayOrganise, classroom: Id) -> Response:
    """The figures that the teacher keeps, without pseudonyms; null where none are kept."""
    row = _class(session, permitted, classroom)
    return attachment((row.results or "null").encode(), f"{permitted.project.slug}-class.json")


def _results(session: Session, classroom: Classroom, machine: str) -> DatedResults:
    choices = machine_choices(session, classroom.project_id)
    return class_results(session, classroom, machine if machine in choices else "")


# Changes to one.

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
    row = _class(session, permitted, classroom)
    if action is None:
        raise HTTPException(422, "Choose what to do.")
    results = _results(session, row, machine) if action == "keep" else None
    session.commit()  # gives the connection back before the writer takes one
    opened = None
    try:
        if action == "renew":
            opened = _renew(request, permitted, row)
        elif action == "close":
            _close(request, permitted, row)
        elif results is not None:
            with _changing(request, row) as (writing, own):
                keep_results(writing, own, results, by=by)
        elif action == "forget":
            with database.writing() as writing:
                writing.get_one(Classroom, row.id).results = None
        elif sure:
            erase_class(database, row.id, by=by)
        else:
            raise AccountError("class_erase_unsure")
    except ReadmarkError as error:
        return _page(request, session, permitted, 422, problem=_problem(request, error))
    if opened is not None:
        with database.reading() as fresh:
            return _page(request, fresh, permitted, opened=opened)
    is_of_results = action in ("keep", "forget")
    return back_to(permitted.project, f"class/{row.id}" if is_of_results else "class")


@api.post("/{classroom}/codes", status_code=201)
def renew_codes(
    request: Request, session: Reading, permitted: MayOrganise, classroom: Id
) -> ClassShown:
    """A new link and code; those of before end."""
    return _renew(request, permitted, _class(session, permitted, classroom))


def _renew(request: Request, permitted: Permitted, row: Classroom) -> ClassShown:
    with _changing(request, row) as (session, own):
        codes = renew_class(session, hall_of(request), own, by=permitted.person.id)
        listed = ListedClass(own, len(pupils_of(session, own.id)))
        return listed.shown(_join_address(request, codes.link), codes.code)


@api.delete("/{classroom}/codes", status_code=204)
def end_codes(
    request: Request, session: Reading, permitted: MayOrganise, classroom: Id
) -> Response:
    """Close a class."""
    _close(request, permitted, _class(session, permitted, classroom))
    return Response(status_code=204)


def _close(request: Request, permitted: Permitted, row: Classroom) -> None:
    with _changing(request, row) as (session, own):
        close_class(session, own, by=permitted.person.id)


@api.delete("/{classroom}")
def erase_pupils(
    request: Request, session: Reading, permitted: MayOrganise, classroom: Id
) -> dict[str, Any]:
    """Erase everything of the pupils of a class."""
    row = _class(session, permitted, classroom)
    session.commit()
    return erase_class(hall_of(request).database, row.id, by=permitted.person.id).as_json()


@contextmanager
def _changing(request: Request, row: Classroom) -> Iterator[tuple[Session, Classroom]]:
    """A class to change, unless its data are deleted or being deleted."""
    with hall_of(request).database.writing() as session:
        own = session.get_one(Classroom, row.id, with_for_update=True)
        if own.erasing is not None:
            raise AccountError("class_over")
        yield session, own
