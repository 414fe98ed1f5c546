"""Answers that a program or a person submits to a reading task; pages and API."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, File, Form, HTTPException, Request, UploadFile
from pydantic import Field, TypeAdapter, WithJsonSchema
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import Reading
from readmark.server.bodies import HallRoute, Sent
from readmark.server.reading_tasks.routes.task import show_faulty
from readmark.server.reading_tasks.routes.visit import Name, TaskVisit, Text, Used, Visible
from readmark.server.reading_tasks.submissions import (
    LoggedSubmission,
    own_submission,
    own_submissions,
    submit,
)
from readmark.server.routes.files import Upload, attachment
from readmark.server.uploads import uploaded

pages = APIRouter(
    route_class=HallRoute, prefix="/reading-tasks/{reading_task}", include_in_schema=False
)
api = APIRouter(
    route_class=HallRoute, prefix="/api/reading-tasks/{reading_task}", tags=["reading tasks"]
)

_ROWS = WithJsonSchema(TypeAdapter(dict[str, list[dict[str, Any]]]).json_schema())
"""Decoded as any JSON, and checked by the route: pydantic describes each of a million faults."""


class SubmittedRows(Sent):
    """Answers by unit: a list of bindings, each ``{"values": …}`` or ``{variable: value}``."""

    candidate: Name = ""
    answers: Annotated[dict[str, Any], Field(min_length=1, max_length=100_000), _ROWS]


def _submit(visit: TaskVisit, path: Path, candidate: str) -> LoggedSubmission:
    person = visit.permitted.person
    return submit(visit.hall.database, person, visit.task, path, by_name=candidate)


@api.get("/submissions")
def list_submissions(session: Reading, visit: Visible) -> list[LoggedSubmission]:
    """What you have submitted to the task, newest first."""
    return own_submissions(session, visit.permitted.person, visit.task.id)


@api.post("/submissions", status_code=201)
def submit_rows(visit: Used, sent: SubmittedRows) -> LoggedSubmission:
    """Submit answers as JSON. They are scored by the newest gold, and kept in the log."""
    try:
        msgspec.convert(sent.answers, dict[str, list[dict[str, Any]]])
    except msgspec.ValidationError as error:
        raise HTTPException(422, f"The answers are not valid: {error}") from None
    data = json.dumps(sent.answers, ensure_ascii=False).encode("utf-8", "replace")
    with uploaded(io.BytesIO(data), "answers.json") as path:
        return _submit(visit, path, sent.candidate)


@api.post("/submissions/file", status_code=201)
def submit_file(
    visit: Used,
    file: Annotated[UploadFile, File()],
    candidate: Annotated[str, Form(max_length=200)] = "",
) -> LoggedSubmission:
    """Submit a sitting of the task in any format that ``mark`` takes."""
    with uploaded(file.file, file.filename) as path:
        return _submit(visit, path, candidate)


@pages.post("/submissions")
def send_answers(
    request: Request, session: Reading, visit: Used, file: Upload = None, candidate: Text = ""
) -> Response:
    """Submit a file of answers."""
    try:
        if file is None or not file.filename:
            raise DataError("no file was chosen")
        entry = submit_file(visit, file, candidate)
    except ReadmarkError as error:
        return show_faulty(request, session, visit, str(error), getattr(error, "status", 422))
    return RedirectResponse(f"/reading-tasks/{visit.task.id}/submissions/{entry.id}", 303)


def required_submission(
    session: Reading, visit: Visible, task_submission: str
) -> tuple[LoggedSubmission, bytes]:
    """A submission of one's own, with its answers as a native sitting."""
    submission = own_submission(session, visit.permitted.person, visit.task.id, task_submission)
    if submission is None:
        raise HTTPException(404, "Not found.")
    return submission


@api.get("/submissions/{task_submission}")
def read_submission(session: Reading, visit: Visible, task_submission: str) -> LoggedSubmission:
    """A submission and its score, with the version of the gold."""
    return required_submission(session, visit, task_submission)[0]


@api.get("/submissions/{task_submission}/sitting", response_class=Response)
def read_sitting(session: Reading, visit: Visible, task_submission: str) -> Response:
    """The submitted answers as a native sitting, which ``mark`` takes."""
    _, content = required_submission(session, visit, task_submission)
    return attachment(content, f"{task_submission}.jsonl")
