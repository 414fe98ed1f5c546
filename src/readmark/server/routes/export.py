"""A project's work as files: the export, and work that comes back in a file; page and API."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, File, Request, UploadFile
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.clock import close_overdue
from readmark.server.operations.quotas import require_space
from readmark.server.routes.files import Upload, attachment
from readmark.server.routes.project_page import show_tab
from readmark.server.uploads import uploaded
from readmark.server.work_export import export_project
from readmark.server.work_import import HallImport, read_work, store_work

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}", tags=["projects"])


@dataclass(frozen=True)
class ImportedWork:
    """What of a file's work was new, and what somebody should know."""

    items: int
    changed: int
    conflicts: int
    created: list[str]
    notes: list[str]


@dataclass(frozen=True)
class ExportPage:
    """What an upload has just brought, if there was one."""

    imported: HallImport | None = None


@pages.get("/projects/{project}/export")
def show_export(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Download the work as files, or upload work."""
    return show_tab(request, session, permitted, "export", view=ExportPage())


@pages.get("/projects/{project}/export.zip")
def download_export(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The work as a zip of files."""
    return _zip(request, session, permitted)


@api.get(
    "/export",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def get_export(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The work as a zip of files, the one that ``readmark hall export`` writes."""
    return _zip(request, session, permitted)


def _zip(request: Request, session: Session, permitted: Permitted) -> Response:
    """The export, with what people had answered when their time was over."""
    project = permitted.project
    session.commit()  # gives the connection back before the writer takes one
    with hall_of(request).database.writing() as writing:
        close_overdue(writing, project.id)
    with tempfile.TemporaryDirectory(prefix="readmark-export-") as folder:
        path = Path(folder) / "export.zip"
        export_project(session, project, path)
        return attachment(path.read_bytes(), f"{project.slug}.zip")


@pages.post("/projects/{project}/import")
def upload_work(
    request: Request, session: Reading, permitted: MayOrganise, file: Upload = None
) -> Response:
    """Add the work in a file to the project."""
    try:
        view = ExportPage(_import(request, session, permitted, file))
    except ReadmarkError as error:
        return show_tab(
            request, session, permitted, "export", 422, view=ExportPage(), problem=str(error)
        )
    return show_tab(request, session, permitted, "export", view=view)


@api.post("/import")
def post_import(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    file: Annotated[UploadFile, File()],
) -> ImportedWork:
    """Add the work in a file, or in an export, to the project; doing it again changes nothing."""
    result = _import(request, session, permitted, file)
    return ImportedWork(
        result.items, result.changed, result.conflicts, list(result.created), list(result.lines)
    )


def _import(
    request: Request, session: Session, permitted: Permitted, file: UploadFile | None
) -> HallImport:
    """Read an upload first, and store its work then."""
    if file is None or not file.filename:
        raise DataError("no file was chosen")
    require_space(session, hall_of(request).settings, permitted.project, file.size)
    with uploaded(file.file, file.filename) as path:
        work = read_work(session, permitted.project, path)
        session.commit()  # gives the connection back before the writer takes one
        with hall_of(request).database.writing() as writing:
            result = store_work(writing, permitted.project, work, by=permitted.person.id)
    return replace(result, file=path.name)
