"""Pages of reading tasks: the list, a task, submissions, and where an answer comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request
from pydantic import ValidationError
from sqlalchemy import select
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.registry import open_sitting, open_test
from readmark.server.access import (
    MayOrganise,
    Permitted,
    Reading,
    SignedIn,
    hall_of,
)
from readmark.server.answer_pool import SITTING, newest_task, pool_of
from readmark.server.bodies import HallRoute
from readmark.server.pages import render
from readmark.server.projects import uploaded
from readmark.server.reading_tasks.catalogue import (
    about_task,
    delete_task,
    offer_task,
    public_package,
    served_tasks,
    store_task,
)
from readmark.server.reading_tasks.confined import call_folder, check_upload
from readmark.server.reading_tasks.graph import GRAPH_TYPES
from readmark.server.reading_tasks.routes import (
    SUBMITS,
    GeneratedTask,
    TaskVisit,
    Used,
    Visible,
    found_submission,
    generate_part,
    require_pooled,
)
from readmark.server.reading_tasks.submissions import (
    own_submissions,
    pull_submissions,
    submit,
)
from readmark.server.routes.files import Upload, split_names
from readmark.server.routes.project_page import back_to
from readmark.server.tables import ProjectFile
from readmark.server.views import newest_configuration
from readmark.tasks.service import AnswerEntry, gold_answers, shown_answer, sitting_answers
from readmark.works import HEAVY_CALLS

router = APIRouter(route_class=HallRoute, include_in_schema=False)

PAGE = 200
"""Answers of a page."""
Text = Annotated[str, Form(max_length=20_000)]
UnitQuery = Annotated[str, Query(max_length=700)]
PageNumber = Annotated[int, Query(ge=1, le=10**6)]
Start = Annotated[int, Query(ge=0, le=10**9)]


# The list and a task.


@router.get("/reading-tasks")
def show_tasks(request: Request, session: Reading, permitted: SignedIn) -> Response:
    """The reading tasks that the person sees."""
    return _list(request, session, permitted)


def _list(
    request: Request, session: Reading, permitted: Permitted, status: int = 200, problem: str = ""
) -> Response:
    tasks = served_tasks(session, permitted.person)
    page = {"person": permitted.person, "tasks": tasks, "problem": problem}
    return render(request, "reading_tasks.html", status, **page)


@router.post("/reading-tasks")
def upload_task(
    request: Request,
    session: Reading,
    permitted: Annotated[Permitted, Depends(SUBMITS)],
    file: Upload = None,
) -> Response:
    """Upload a task for oneself."""
    try:
        if file is None or not file.filename:
            raise DataError("no file was chosen")
        with HEAVY_CALLS.turn(permitted.person.id):
            name, data = check_upload(file.file)
        with hall_of(request).database.writing() as writing:
            id = store_task(writing, permitted.person, name=name, content=data).id
    except ReadmarkError as error:
        return _list(request, session, permitted, getattr(error, "status", 422), str(error))
    return RedirectResponse(f"/reading-tasks/{id}", 303)


@router.get("/reading-tasks/{reading_task}")
def show_task(request: Request, session: Reading, visit: Visible) -> Response:
    """A task: what it is, its downloads, and what one has submitted."""
    return _task(request, session, visit)


def _task(
    request: Request, session: Reading, visit: TaskVisit, status: int = 200, problem: str = ""
) -> Response:
    return render(
        request,
        "reading_task.html",
        status,
        person=visit.permitted.person,
        task=visit.task,
        about=about_task(visit.hall.database, visit.task),
        formats=GRAPH_TYPES,
        submissions=own_submissions(session, visit.permitted.person, visit.task.id),
        problem=problem,
    )


@router.post("/reading-tasks/{reading_task}/submissions")
def send_answers(
    request: Request, session: Reading, visit: Used, file: Upload = None, candidate: Text = ""
) -> Response:
    """Submit a file of answers."""
    try:
        if file is None or not file.filename:
            raise DataError("no file was chosen")
        with uploaded(file.file, file.filename) as path:
            entry = submit(
                visit.hall.database, visit.permitted.person, visit.task, path, by_name=candidate
            )
    except ReadmarkError as error:
        return _task(request, session, visit, getattr(error, "status", 422), str(error))
    return RedirectResponse(f"/reading-tasks/{visit.task.id}/submissions/{entry.id}", 303)


@router.post("/reading-tasks/{reading_task}/parts")
def generate_part_page(
    request: Request,
    session: Reading,
    visit: Used,
    name: Text = "",
    documents: Text = "",
    splits: Text = "",
    queries: Text = "",
    number: Annotated[str, Form(max_length=9)] = "",
    seed: Annotated[str, Form(max_length=9)] = "",
) -> Response:
    """Generate a part of a task."""
    try:
        for text in (number, seed):
            if text.strip() and not text.strip().isdecimal():
                raise DataError(f"{text.strip()!r} is no number")
        part = GeneratedTask(
            source=visit.task.id,
            name=name[:200],
            documents=list(split_names(documents)),
            splits=list(split_names(splits)),
            queries=list(split_names(queries)),
            number=max(1, int(number)) if number.strip() else None,
            seed=int(seed) if seed.strip() else 1,
        )
        about = generate_part(visit.hall.database, visit.permitted.person, visit.task, part)
    except ValidationError:
        return _task(request, session, visit, 422, "a name is too long, or a number too large")
    except ReadmarkError as error:
        return _task(request, session, visit, 422, str(error))
    return RedirectResponse(f"/reading-tasks/{about['id']}", 303)


@router.post("/reading-tasks/{reading_task}/delete")
def delete_task_page(request: Request, session: Reading, visit: Used) -> Response:
    """Delete a task of one's own."""
    try:
        with visit.hall.database.writing() as writing:
            delete_task(writing, visit.task)
    except ReadmarkError as error:
        return _task(request, session, visit, 422, str(error))
    return RedirectResponse("/reading-tasks", 303)


# Answers, and where one comes from.


@router.get("/reading-tasks/{reading_task}/gold")
def show_gold(
    request: Request, visit: Visible, unit: UnitQuery = "", answer: PageNumber = 1, start: Start = 0
) -> Response:
    """The gold of the splits that are not hidden."""
    test = open_test(public_package(visit.hall.database, visit.task))
    page = {
        "person": visit.permitted.person,
        "heading": visit.task.name,
        "is_gold": True,
        "back": f"/reading-tasks/{visit.task.id}",
        "gold_address": "",
        "entry": None,
        "task": visit.task,
    }
    return _answers(request, test, list(gold_answers(test)), unit, answer, start, page)


@router.get("/reading-tasks/{reading_task}/submissions/{task_submission}")
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
    entry, data = found_submission(session, visit, task_submission)
    test = open_test(public_package(visit.hall.database, visit.task))
    entries = list(sitting_answers(test, _sitting(data, test)))
    page = {
        "person": visit.permitted.person,
        "heading": entry.candidate,
        "is_gold": False,
        "back": f"/reading-tasks/{visit.task.id}",
        "gold_address": f"/reading-tasks/{visit.task.id}/gold",
        "entry": entry,
        "task": visit.task,
    }
    return _answers(request, test, entries, unit, answer, start, page)


@router.get("/projects/{project}/answers")
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
    configuration = newest_configuration(session, permitted.project.id)
    if pool_of(configuration) is None:
        return back_to(permitted.project)
    content = newest_task(session, permitted.project.id).content
    data = None
    if sitting:
        data = session.scalar(
            select(ProjectFile.content).where(
                ProjectFile.project_id == permitted.project.id,
                ProjectFile.role == SITTING,
                ProjectFile.name == sitting,
            )
        )
        if data is None:
            raise HTTPException(404, "Not found.")
    session.commit()
    address = f"/projects/{permitted.project.slug}/answers"
    page = {
        "person": permitted.person,
        "heading": sitting.removesuffix(".jsonl") or permitted.project.slug,
        "is_gold": data is None,
        "back": f"/projects/{permitted.project.slug}/sittings",
        "gold_address": "" if data is None else address,
        "entry": None,
        "task": None,
        "sitting": sitting,
    }
    with call_folder() as folder:
        path = folder / "task.zip"
        path.write_bytes(content)
        test = open_test(path)
        entries = list(
            gold_answers(test) if data is None else sitting_answers(test, _sitting(data, test))
        )
        return _answers(request, test, entries, unit, answer, start, page)


def _sitting(data: bytes, test: Test) -> Sitting:
    with call_folder() as folder:
        path = folder / "sitting.jsonl"
        path.write_bytes(data)
        return open_sitting(path, test.kind)


def _answers(
    request: Request,
    test: Test,
    entries: Sequence[AnswerEntry],
    unit: str,
    number: int,
    start: int,
    page: dict[str, Any],
) -> Response:
    """The page of one answer, or the list of all."""
    sitting = page.pop("sitting", "")
    address = request.url.path

    def link(entry: AnswerEntry, base: str = "") -> str:
        query = {"unit": entry.unit, "answer": entry.number}
        named = {"sitting": sitting} if sitting and not base else {}
        return f"{base or address}?{urlencode({**named, **query})}"

    everything = f"{address}?sitting={quote(sitting)}" if sitting else address
    shared = {**page, "link": link, "everything": everything}
    if unit:
        shown = shown_answer(test, entries, unit, number)
        if shown is None:
            raise HTTPException(404, "Not found.")
        return render(request, "provenance.html", answer=shown, **shared)
    return render(
        request,
        "reading_answers.html",
        entries=entries[start : start + PAGE],
        start=start,
        count=len(entries),
        page_size=PAGE,
        **shared,
    )


# The organiser's part of the tab Sittings.


@router.post("/projects/{project}/sittings/offer")
def offer_page(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    name: Text = "",
    feeds_pool: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """Offer the project's task to programs, or change how."""
    require_pooled(session, permitted)
    session.commit()
    with hall_of(request).database.writing() as writing:
        settings: dict[str, Any] = {"name": name, "feeds_pool": bool(feeds_pool)}
        offer_task(writing, permitted.project, by=permitted.person.id, **settings)
    return back_to(permitted.project, "sittings")


@router.post("/projects/{project}/sittings/pull")
def pull_page(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Add the submissions that the pool lacks."""
    require_pooled(session, permitted)
    session.commit()
    database = hall_of(request).database
    pulled = pull_submissions(database, permitted.project, by=permitted.person.id)
    added = sum(1 for each in pulled if each.sitting)
    return back_to(permitted.project, "sittings", pulled=added, refused=len(pulled) - added)
