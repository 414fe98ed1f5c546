"""The page of a project's classes: the list, the form for another, and codes shown this once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from fastapi import HTTPException, Request
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import ReadmarkError
from readmark.server.access import Permitted
from readmark.server.account_errors import AccountError
from readmark.server.bodies import Sent
from readmark.server.class_codes import spaced
from readmark.server.classes import (
    MOST_PUPILS,
    PUPIL_ROLES,
    ClassState,
    class_named,
    class_state,
    classes_of,
)
from readmark.server.pages import language_of, words
from readmark.server.routes.links import origin_of
from readmark.server.routes.project_page import show_tab
from readmark.server.tables import Classroom


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


def listed_classes(session: Session, project_id: str) -> list[ListedClass]:
    """A project's classes, newest first."""
    return [ListedClass(row, joined) for row, joined in classes_of(session, project_id)]


def class_in_project(session: Session, permitted: Permitted, classroom: str) -> Classroom:
    """A class of the project; that of another does not exist."""
    try:
        return class_named(session, permitted.project, classroom)
    except ReadmarkError:
        raise HTTPException(404, "Not found.") from None


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


def show_classes_page(
    request: Request,
    session: Session,
    permitted: Permitted,
    status: int = 200,
    *,
    opened: ClassShown | None = None,
    form: ClassWanted | None = None,
    problem: str = "",
) -> Response:
    """The page, with a class just ``opened`` or renewed, or what was wrong with a form."""
    today = datetime.now(UTC).date()
    classes = listed_classes(session, permitted.project.id)
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


def problem_of(request: Request, error: ReadmarkError) -> str:
    """An error as the page says it, in the reader's language where it has a word."""
    if isinstance(error, AccountError):
        return words(language_of(request))[error.word]
    return str(error)


def join_address(request: Request, link: str) -> str:
    """Where pupils join a class."""
    return f"{origin_of(request)}/join/{link}"
