"""A new project, made of a configuration and a test; the form and the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request, UploadFile
from starlette.responses import Response

from readmark.core.errors import ReadmarkError
from readmark.server.access import OwnerOnly, Permitted, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.operations.quotas import require_space
from readmark.server.pages import language_of, render
from readmark.server.projects import prepare_project, store_project
from readmark.server.routes.files import Purpose, Upload, split_names, uploaded_text, uploads
from readmark.server.routes.project import ProjectSummary, organised_project
from readmark.server.routes.project_page import back_to
from readmark.server.shipped import bundled_tests, shipped_configuration, shipped_names
from readmark.server.tables import Project
from readmark.works import in_language, read_configuration

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects", tags=["projects"])


@dataclass(frozen=True, kw_only=True)
class ProjectForm:
    """The form for a new project: what can be chosen, what was written, and what was wrong."""

    shipped: Mapping[str, str]
    """What the configurations that come with Readmark are for, by name."""
    bundled: list[str]
    chosen: str = ""
    chosen_test: str = ""
    text: str = ""
    slug: str = ""
    splits: str = ""
    problem: str = ""


def _form(request: Request, permitted: Permitted, status: int = 200, **written: str) -> Response:
    language = language_of(request)
    shipped = {}
    for name in shipped_names():
        project = read_configuration(shipped_configuration(name)).project
        shipped[name] = in_language(project.name, language)
    view = ProjectForm(shipped=shipped, bundled=bundled_tests(), **written)
    return render(request, "project_new.html", status, person=permitted.person, view=view)


@pages.get("/projects/new")
def new_project(request: Request, permitted: OwnerOnly) -> Response:
    """The form for a new project."""
    return _form(request, permitted)


@pages.post("/projects")
def create_project(
    request: Request,
    permitted: OwnerOnly,
    test: Upload = None,
    practice: Upload = None,
    qualifying: Upload = None,
    configuration: Upload = None,
    text: Annotated[str, Form()] = "",
    shipped: Annotated[str, Form()] = "",
    slug: Annotated[str, Form()] = "",
    splits: Annotated[str, Form()] = "",
    bundled: Annotated[str, Form()] = "",
) -> Response:
    """Create a project from a configuration and a test."""
    try:
        project, withheld = _make_project(
            request,
            permitted.person.id,
            text=uploaded_text(configuration) or text.strip() or shipped_configuration(shipped),
            files=(
                (practice, "practice", ()),
                (qualifying, "qualifying", ()),
                (test, "work", split_names(splits)),
            ),
            slug=slug.strip(),
            bundled=bundled,
        )
    except ReadmarkError as error:
        return _form(
            request,
            permitted,
            422,
            problem=str(error),
            text=text,
            chosen=shipped,
            slug=slug,
            splits=splits,
            chosen_test=bundled,
        )
    return back_to(project, withheld=1) if withheld else back_to(project)


@api.post("", status_code=201)
def post_project(
    request: Request,
    permitted: OwnerOnly,
    test: Upload = None,
    practice: Upload = None,
    qualifying: Upload = None,
    configuration: Upload = None,
    shipped: Annotated[str, Form()] = "",
    slug: Annotated[str, Form()] = "",
    splits: Annotated[str, Form()] = "",
    bundled: Annotated[str, Form()] = "",
) -> ProjectSummary:
    """Create a project from a configuration, uploaded or shipped, and a test in any format.

    ``bundled`` names a test that comes with Readmark, in place of an upload. ``splits`` names
    splits with commas between them; hidden ones are used only if named.
    """
    project, withheld = _make_project(
        request,
        permitted.person.id,
        text=uploaded_text(configuration) or shipped_configuration(shipped),
        files=(
            (practice, "practice", ()),
            (qualifying, "qualifying", ()),
            (test, "work", split_names(splits)),
        ),
        slug=slug,
        bundled=bundled,
    )
    with hall_of(request).database.reading() as session:
        return organised_project(session, project).summary(withheld)


def _make_project(
    request: Request,
    person_id: str,
    *,
    text: str,
    files: tuple[tuple[UploadFile | None, Purpose, tuple[str, ...]], ...],
    slug: str,
    bundled: str = "",
) -> tuple[Project, list[str]]:
    """Read the files first and store the project then; also says what was left out.

    Nobody waits for the reading.
    """
    with uploads(*files, bundled=bundled) as sources:
        new = prepare_project(text, sources)
        with hall_of(request).database.writing() as session:
            sizes = (upload.size for upload, *_ in files if upload is not None)
            require_space(session, hall_of(request).settings, None, *sizes)
            project = store_project(session, new, slug=slug, by=person_id)
    withheld = [note.rpartition("/")[2] for source in new.sources for note in source.notes]
    return project, withheld
