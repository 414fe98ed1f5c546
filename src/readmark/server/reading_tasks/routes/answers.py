"""Answers to reading tasks, and where one comes from: of the gold, of submissions, of sittings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, HTTPException, Query, Request
from sqlalchemy import select
from starlette.responses import Response

from readmark.server.access import MayOrganise, Reading
from readmark.server.answer_pool import SITTING, newest_task, pool_of
from readmark.server.bodies import HallRoute
from readmark.server.pages import render
from readmark.server.reading_tasks.catalogue import ServedTask
from readmark.server.reading_tasks.packages import public_package
from readmark.server.reading_tasks.routes.submission import required_submission
from readmark.server.reading_tasks.routes.visit import Visible
from readmark.server.reading_tasks.submissions import LoggedSubmission
from readmark.server.routes.project_page import back_to
from readmark.server.tables import Person, ProjectFile
from readmark.server.views import newest_configuration
from readmark.tasks import AnswerEntry, TaskAnswers, task_answers

pages = APIRouter(route_class=HallRoute, include_in_schema=False)

PAGE = 200
"""Answers of a page."""
UnitQuery = Annotated[str, Query(max_length=700)]
PageNumber = Annotated[int, Query(ge=1, le=10**6)]
Start = Annotated[int, Query(ge=0, le=10**9)]


@dataclass(frozen=True, kw_only=True)
class AnswersPage:
    """A list of answers: of whom, and where its links lead."""

    heading: str
    address: str
    back: str
    """The page that leads here."""
    is_gold: bool = False
    gold_address: str = ""
    """Where the gold of the same task is, for answers that are not it."""
    sitting: str = ""
    """Which sitting of a project the answers are of."""
    task: ServedTask | None = None
    submission: LoggedSubmission | None = None
    start: int = 0
    count: int = 0
    entries: Sequence[AnswerEntry] = ()
    page_size: int = PAGE

    @property
    def everything(self) -> str:
        """The address of the list."""
        return f"{self.address}?sitting={quote(self.sitting)}" if self.sitting else self.address

    def link(self, entry: AnswerEntry, base: str = "") -> str:
        """The address of an answer; ``base`` is another list's."""
        query = {"unit": entry.unit, "answer": str(entry.number)}
        if self.sitting and not base:
            query = {"sitting": self.sitting, **query}
        return f"{base or self.address}?{urlencode(query)}"


def _page(
    request: Request,
    person: Person,
    answers: TaskAnswers,
    view: AnswersPage,
    unit: str,
    number: int,
) -> Response:
    """The page of one answer, or the list of all."""
    if unit:
        answer = answers.shown(unit, number)
        if answer is None:
            raise HTTPException(404, "Not found.")
        return render(request, "provenance.html", person=person, answer=answer, view=view)
    entries = answers.entries
    view = replace(view, entries=entries[view.start : view.start + PAGE], count=len(entries))
    return render(request, "reading_answers.html", person=person, view=view)


@pages.get("/reading-tasks/{reading_task}/gold")
def show_gold(
    request: Request, visit: Visible, unit: UnitQuery = "", answer: PageNumber = 1, start: Start = 0
) -> Response:
    """The gold of the splits that are not hidden."""
    view = AnswersPage(
        heading=visit.task.name,
        address=request.url.path,
        back=f"/reading-tasks/{visit.task.id}",
        is_gold=True,
        task=visit.task,
        start=start,
    )
    package = public_package(visit.hall.database, visit.task)
    with task_answers(package.path) as answers:
        return _page(request, visit.permitted.person, answers, view, unit, answer)


@pages.get("/reading-tasks/{reading_task}/submissions/{task_submission}")
def show_submission(
    request: Request,
    session: Reading,
    visit: Visible,
    task_submission: str,
    unit: UnitQuery = "",
    answer: PageNumber = 1,
    start: Start = 0,
) -> Response:
    """A submission: its score and its answers, or one of these."""
    submission, content = required_submission(session, visit, task_submission)
    view = AnswersPage(
        heading=submission.candidate,
        address=request.url.path,
        back=f"/reading-tasks/{visit.task.id}",
        gold_address=f"/reading-tasks/{visit.task.id}/gold",
        task=visit.task,
        submission=submission,
        start=start,
    )
    package = public_package(visit.hall.database, visit.task)
    with task_answers(package.path, content) as answers:
        return _page(request, visit.permitted.person, answers, view, unit, answer)


@pages.get("/projects/{project}/answers")
def show_project_answers(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    sitting: Annotated[str, Query(max_length=200)] = "",
    unit: UnitQuery = "",
    answer: PageNumber = 1,
    start: Start = 0,
) -> Response:
    """The answers of a system's sitting, or the whole gold, of a project that judges answers."""
    project = permitted.project
    if pool_of(newest_configuration(session, project.id)) is None:
        return back_to(project)
    task, content = newest_task(session, project.id).content, None
    if sitting:
        content = session.scalar(
            select(ProjectFile.content).where(
                ProjectFile.project_id == project.id,
                ProjectFile.role == SITTING,
                ProjectFile.name == sitting,
            )
        )
        if content is None:
            raise HTTPException(404, "Not found.")
    session.commit()  # gives the connection back: reading the task can take long
    view = AnswersPage(
        heading=sitting.removesuffix(".jsonl") or project.slug,
        address=request.url.path,
        back=f"/projects/{project.slug}/sittings",
        is_gold=not sitting,
        gold_address=f"/projects/{project.slug}/answers" if sitting else "",
        sitting=sitting,
        start=start,
    )
    with task_answers(task, content) as answers:
        return _page(request, permitted.person, answers, view, unit, answer)
