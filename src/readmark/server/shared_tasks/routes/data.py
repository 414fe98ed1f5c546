"""The data of a shared task as files: the public part of its test, for browsers and programs."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from starlette.responses import FileResponse, Response

from readmark.server.access import Reading, hall_of
from readmark.server.fair_share import DownloadRoute
from readmark.server.shared_tasks.access import Visitor
from readmark.server.shared_tasks.publication import DataFormat, NotOut, data_file
from readmark.server.shared_tasks.task_test import task_test
from readmark.works import in_language

pages = APIRouter(route_class=DownloadRoute, include_in_schema=False)
api = APIRouter(route_class=DownloadRoute, prefix="/api/tasks", tags=["shared tasks"])

MEDIA = {
    ".jsonl": "application/x-ndjson",
    ".json": "application/json",
    ".zip": "application/zip",
    ".md": "text/markdown; charset=utf-8",
}


@pages.get("/tasks/{task}/data")
@api.get(
    "/{task}/data",
    response_class=Response,
    responses={
        200: {"content": {"application/x-ndjson": {}, "application/zip": {}}},
        409: {"description": "The paper is not published yet."},
    },
)
def get_data(
    request: Request,
    session: Reading,
    permitted: Visitor,
    split: Annotated[str | None, Query(max_length=200)] = None,
    paper: bool = False,
    format: DataFormat = "native",
) -> Response:
    """The public part of the test: papers that are out, and keys of public splits.

    With ``paper`` no keys at all. ``format`` is ``native`` (JSON lines; a zip for reading tasks),
    ``squad``, ``folder`` (a zip of what ``readmark set export`` writes) or ``card``.
    """
    test = task_test(session, permitted.project.id, permitted.options, time.time())
    language = "zh" if test.about["language"] == "zh" else "en"
    project = permitted.configuration.project
    texts = {
        "name": in_language(project.name, language),
        "description": in_language(project.description, language),
    }
    session.commit()  # gives the connection back: making a file can take long
    try:
        path = data_file(
            hall_of(request).database, test, format=format, split=split, paper=paper, words=texts
        )
    except NotOut as error:
        raise HTTPException(409, str(error)) from None
    parts = [permitted.project.slug]
    if split:
        parts.append("".join(letter if letter.isalnum() else "_" for letter in split))
    if paper:
        parts.append("paper")
    return FileResponse(
        path,
        media_type=MEDIA[path.suffix],
        filename="-".join(parts) + path.suffix,
        content_disposition_type="attachment",
    )
