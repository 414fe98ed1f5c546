"""A project's configuration: its text and versions to read and change, as a page, file and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Query, Request
from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import JSONResponse, Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.configurations import (
    NewerConfiguration,
    change_configuration,
    configuration_version,
    newest_version,
)
from readmark.server.routes.files import Upload, attachment, uploaded_text
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.tables import ConfigurationVersion, Person
from readmark.works import read_project

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(
    route_class=HallRoute, prefix="/api/projects/{project}/configuration", tags=["projects"]
)

Version = Annotated[int | None, Query(ge=1, le=10**9)]


@dataclass(frozen=True)
class ConfigurationText:
    """A configuration file and its version."""

    version: int
    text: str


class NewConfiguration(BaseModel):
    """A configuration file, and the version that was edited: a newer one is not replaced."""

    text: str
    version: Annotated[int, Field(ge=1, le=10**9)] | None = None


def _configuration(session: Session, project_id: str, version: int | None) -> ConfigurationText:
    """The newest configuration of a project, or an older version."""
    if version is None:
        row = newest_version(session, project_id)
    else:
        row = configuration_version(session, project_id, version)
    return ConfigurationText(row.version, row.text)


@dataclass(frozen=True)
class SavedVersion:
    """When a version was saved, and by whom if that person is still known."""

    version: int
    created: float
    name: str | None


@dataclass(frozen=True, kw_only=True)
class ConfigurationPage:
    """A text to change, and the versions that were saved, newest first."""

    text: str
    versions: Sequence[SavedVersion]
    base: int
    """The version that the text is a change of."""
    saved: int = 0
    """The version that a form has just made."""
    old: int | None = None
    """The version of the text where that is not the newest."""
    newer: NewerConfiguration | None = None
    """What somebody else saved while the text was written."""
    excerpt: Sequence[tuple[int, str]] = ()
    """The faulty line with those around it, by number."""


def _page(
    request: Request,
    session: Session,
    permitted: Permitted,
    text: str,
    status: int = 200,
    *,
    base: int | None = None,
    problem: str = "",
    line: int | None = None,
    **shown: Any,
) -> Response:
    versions = session.execute(
        select(ConfigurationVersion.version, ConfigurationVersion.created, Person.name)
        .join(Person, Person.id == ConfigurationVersion.person_id, isouter=True)
        .where(ConfigurationVersion.project_id == permitted.project.id)
        .order_by(ConfigurationVersion.version.desc())
    )
    saved = [SavedVersion(*row) for row in versions]
    view = ConfigurationPage(
        text=text,
        versions=saved,
        base=base or saved[0].version,
        excerpt=_excerpt(text, line),
        **shown,
    )
    return show_tab(
        request,
        session,
        permitted,
        "configuration",
        status,
        view=view,
        problem=problem,
        line=line,
    )


def _excerpt(text: str, line: int | None) -> list[tuple[int, str]]:
    """The faulty line with the lines around it."""
    lines = text.split("\n")
    if line is None or not 1 <= line <= len(lines):
        return []
    first = max(1, line - 2)
    return list(enumerate(lines[first - 1 : line + 2], first))


@pages.get("/projects/{project}/configuration")
def show_configuration(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    saved: Annotated[int, Query(ge=0, le=10**9)] = 0,
    version: Version = None,
) -> Response:
    """The configuration, to be read and changed; an old version can be saved again."""
    project_id = permitted.project.id
    newest = _configuration(session, project_id, None)
    if version is None or version == newest.version:
        return _page(request, session, permitted, newest.text, saved=saved)
    try:
        old = _configuration(session, project_id, version)
    except DataError:
        raise HTTPException(404, "Not found.") from None
    return _page(request, session, permitted, old.text, old=version)


@api.get("")
def get_configuration(
    session: Reading, permitted: MayOrganise, version: Version = None
) -> ConfigurationText:
    """The newest configuration, or an older version."""
    return _configuration(session, permitted.project.id, version)


@pages.get("/projects/{project}/configuration.toml")
def download_configuration(session: Reading, permitted: MayOrganise) -> Response:
    """The configuration as a file."""
    newest = _configuration(session, permitted.project.id, None)
    return attachment(newest.text.encode(), f"{permitted.project.slug}.toml")


@pages.post("/projects/{project}/configuration")
def save_configuration(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    text: Annotated[str, Form()] = "",
    file: Upload = None,
    version: Annotated[int | None, Form(ge=1, le=10**9)] = None,
) -> Response:
    """Make a text the newest configuration; a bad one changes nothing, and its line is shown.

    Where somebody was quicker, both texts are shown, and the person decides.
    """
    text = (uploaded_text(file) or text).replace("\r\n", "\n")
    try:
        saved = _store(request, permitted, text, version).version
    except NewerConfiguration as error:
        return _page(request, session, permitted, text, 409, newer=error)
    except ReadmarkError as error:
        problem = error.message if isinstance(error, DataError) else str(error)
        line = _line_of(error)
        return _page(
            request, session, permitted, text, 422, base=version, problem=problem, line=line
        )
    return back_to(permitted.project, "configuration", saved=saved)


@api.put(
    "",
    response_model=ConfigurationText,
    responses={
        409: {"description": "There is a newer version than the one named: number and text."},
        422: {"description": "A bad file: the line and the reason; the old one stays."},
    },
)
def put_configuration(request: Request, permitted: MayOrganise, new: NewConfiguration) -> Any:
    """Change the configuration; a bad one is refused with its line, and the old one stays."""
    try:
        return _store(request, permitted, new.text, new.version)
    except NewerConfiguration as error:
        newer = {"detail": str(error), "version": error.version, "text": error.text}
        return JSONResponse(newer, 409)
    except DataError as error:
        fault = {"detail": str(error), "line": _line_of(error), "message": error.message}
        return JSONResponse(fault, 422)


def _store(
    request: Request, permitted: Permitted, text: str, version: int | None
) -> ConfigurationText:
    """Change the configuration; it is read before the database is locked, as nobody must wait."""
    read_project(text)
    with hall_of(request).database.writing() as session:
        by = permitted.person.id
        row = change_configuration(session, permitted.project, text, version=version, by=by)
        return ConfigurationText(row.version, row.text)


def _line_of(error: ReadmarkError) -> int | None:
    """The line that an error names."""
    where = str(getattr(error, "where", None))
    return int(where) if where.isdecimal() else None
