"""The first page, and the annotator's: the own assignments by project, and the page to work on."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from fastapi import APIRouter, Request
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse, RedirectResponse, Response

from readmark.server.access import Asking, AtWork, OwnWork, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.clock import is_waiting
from readmark.server.handing_in import done_in
from readmark.server.pages import LANGUAGE_COOKIE, language_of, local_path, render, words
from readmark.server.tables import Assignment, Event, Item, Membership, Person, Project
from readmark.server.views import (
    ADJUDICATION,
    OpenItem,
    newest_configuration,
    open_item,
    shown_purpose,
)
from readmark.works import in_language

router = APIRouter(route_class=HallRoute, include_in_schema=False)
PURPOSES = ("practice", "qualifying", "work", ADJUDICATION)
"""In the order in which a newcomer meets them."""


@router.get("/")
def front(request: Request, caller: Asking) -> HTMLResponse:
    """What the hall is, or the person's own projects."""
    return render(request, "front.html", person=caller.person)


@router.get("/language/{language}")
def choose_language(
    request: Request, language: Literal["en", "zh"], next: str = "/"
) -> RedirectResponse:
    """Show the hall in another language from now on, beginning with the page one comes from."""
    response = RedirectResponse(local_path(next), 303)
    response.set_cookie(
        LANGUAGE_COOKIE,
        language,
        max_age=31536000,
        httponly=True,
        secure=hall_of(request).settings.is_secure,
        samesite="lax",
    )
    return response


@dataclass(frozen=True)
class ListedAssignment:
    """An assignment as a line of the list."""

    id: str
    number: int
    name: str
    purpose: str
    is_done: bool
    is_begun: bool
    due: datetime | None
    is_late: bool

    @property
    def state(self) -> str:
        """``done``, ``begun`` or ``open``."""
        return "done" if self.is_done else "begun" if self.is_begun else "open"


@dataclass(frozen=True)
class ListedProject:
    """A project with a person's assignments in it, by purpose."""

    slug: str
    name: str
    description: str
    is_open: bool
    groups: tuple[tuple[str, tuple[ListedAssignment, ...]], ...]

    @property
    def assignments(self) -> tuple[ListedAssignment, ...]:
        """All of them, in the order of work."""
        return tuple(assignment for _, group in self.groups for assignment in group)

    @property
    def done(self) -> int:
        """How many are handed in."""
        return sum(assignment.is_done for assignment in self.assignments)

    @property
    def next(self) -> ListedAssignment | None:
        """What to continue with: the first that is not handed in."""
        if not self.is_open:
            return None
        return next((row for row in self.assignments if not row.is_done), None)

    @property
    def due(self) -> datetime | None:
        """When the next of the open assignments is due."""
        dates = [row.due for row in self.assignments if row.due and not row.is_done]
        return min(dates, default=None)

    @property
    def is_late(self) -> bool:
        """Whether an open assignment is overdue."""
        return any(row.is_late for row in self.assignments)


@router.get("/assignments")
def work_list(request: Request, session: Reading, permitted: AtWork) -> HTMLResponse:
    """A person's own assignments: what is open, what is done, and when it is due."""
    projects = list_work(session, permitted.person, language_of(request))
    return render(request, "work_list.html", person=permitted.person, projects=projects)


@router.get("/assignments/{assignment}")
def work(request: Request, session: Reading, permitted: OwnWork) -> Response:
    """The page to work on an item; everything of the item comes from the API."""
    assignment = permitted.assignment
    opened = open_item(session, permitted.project.id, assignment.item_id)
    if is_waiting(session, assignment, opened.configuration):
        return RedirectResponse(f"/assignments/{assignment.id}/sitting", 303)
    return show_item(request, permitted.person, opened, assignment.id)


def show_item(
    request: Request,
    person: Person,
    opened: OpenItem,
    assignment: str,
    *,
    address: str = "",
) -> HTMLResponse:
    """The page of an item; ``address`` has its data, if that is not the assignment's own."""
    language, page = language_of(request), opened.view.page
    of_texts = words(language, "text")
    own_words = {} if page == "work" else words(language, page)
    return render(
        request,
        f"{page}.html",
        person=person,
        data={
            "assignment": assignment,
            "address": address or f"/api/assignments/{assignment}",
            "language": language,
            "words": {**words(language, "work"), **of_texts, **own_words},
            "textKeys": [of_texts[name] for name in of_texts if name.startswith("text_keys_")],
        },
    )


def list_work(session: Session, person: Person, language: str) -> list[ListedProject]:
    """The projects in which a person has assignments, those with open work first."""
    rows = session.execute(
        select(Assignment, Item.name, Item.purpose)
        .join(Item, Assignment.item_id == Item.id)
        .where(Assignment.person_id == person.id, Assignment.withdrawn.is_(None))
        .order_by(Assignment.position, Assignment.id)
    ).all()
    done, begun = done_in(session, person=person.id), _begun(session, person)
    now = time.time()
    by_project: dict[str, dict[str, list[ListedAssignment]]] = defaultdict(
        lambda: {purpose: [] for purpose in PURPOSES}
    )
    for assignment, name, own_purpose in rows:
        purpose = shown_purpose(own_purpose)
        group = by_project[assignment.project_id][purpose]
        is_done = assignment.id in done
        group.append(
            ListedAssignment(
                id=assignment.id,
                number=len(group) + 1,
                name=name,
                purpose=purpose,
                is_done=is_done,
                is_begun=assignment.id in begun,
                due=datetime.fromtimestamp(assignment.due, UTC) if assignment.due else None,
                is_late=bool(assignment.due and assignment.due < now and not is_done),
            )
        )
    listed = [
        _listed(session, project, by_project[project.id], language)
        for project in session.scalars(select(Project).where(Project.id.in_(by_project)))
        if person.is_owner or _is_member(session, project, person)
    ]
    return sorted(listed, key=lambda project: (project.next is None, project.name))


def _listed(
    session: Session, project: Project, groups: dict[str, list[ListedAssignment]], language: str
) -> ListedProject:
    table = newest_configuration(session, project.id).project
    return ListedProject(
        slug=project.slug,
        name=in_language(table.name, language),
        description=in_language(table.description, language),
        is_open=project.is_open,
        groups=tuple((purpose, tuple(groups[purpose])) for purpose in PURPOSES if groups[purpose]),
    )


def _is_member(session: Session, project: Project, person: Person) -> bool:
    query = select(Membership.role).where(
        Membership.project_id == project.id, Membership.person_id == person.id
    )
    return session.scalar(query.limit(1)) is not None


def _begun(session: Session, person: Person) -> set[str]:
    """Which of a person's assignments have any work in them."""
    begun = (
        select(Event.assignment_id)
        .join(Assignment, Assignment.id == Event.assignment_id)
        .where(Assignment.person_id == person.id, Event.is_conflict.is_(False))
    )
    return set(session.scalars(begun.distinct()))
