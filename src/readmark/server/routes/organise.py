"""The organiser's pages: projects, their items, configuration, people, assignments and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Depends, File, Form, HTTPException, Query, Request, UploadFile
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import (
    ORGANISER,
    OWNER,
    SIGNED_IN,
    HallRole,
    Permitted,
    Reading,
    hall_of,
)
from readmark.server.bodies import HallRoute
from readmark.server.dashboard import project_dashboard
from readmark.server.operations.retention import require_space
from readmark.server.pages import language_of, moment, render
from readmark.server.progress import project_counts
from readmark.server.projects import (
    ItemSource,
    NewerConfiguration,
    add_items,
    bundled_test,
    bundled_tests,
    change_configuration,
    configuration_version,
    newest_version,
    prepare_project,
    read_items,
    set_open,
    shipped_configuration,
    shipped_names,
    store_project,
    uploaded,
)
from readmark.server.tables import (
    Assignment,
    ConfigurationVersion,
    Item,
    Membership,
    Person,
    Project,
)
from readmark.server.training import training_results
from readmark.server.views import ADJUDICATION, newest_configuration, newest_listings
from readmark.works import Configuration, in_language, read_configuration, read_project
from readmark.works.configuration import ConfigurationListing
from readmark.works.work import ADJUDICATIONS

router = APIRouter(route_class=HallRoute, include_in_schema=False)

MayOrganise = Annotated[Permitted, Depends(ORGANISER)]
MayCreate = Annotated[Permitted, Depends(OWNER)]
Upload = Annotated[UploadFile | None, File()]
Purpose = Literal["work", "practice", "qualifying", "control"]
PAGE = 100
"""Rows of a page."""


# What pages share.


def date_words(seconds: float | None) -> str:
    """A day as pages show it."""
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def time_words(seconds: float | None) -> str:
    """A duration in hours, minutes and seconds."""
    if seconds is None:
        return "–"
    whole = round(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def end_of_day(day: date | None) -> float | None:
    """The last second of a day; None stays None."""
    if day is None:
        return None
    following = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    return following.timestamp() - 1


@contextmanager
def uploads(
    *given: tuple[UploadFile | None, Purpose, tuple[str, ...]], bundled: str = ""
) -> Iterator[list[ItemSource]]:
    """Uploaded files as sources of items; those that were not chosen are left out.

    ``bundled`` names a test that comes with Readmark, for where no test was uploaded.
    """
    with ExitStack() as stack:
        sources = []
        for upload, purpose, splits in given:
            if upload is not None and upload.filename:
                path = stack.enter_context(uploaded(upload.file, upload.filename))
            elif purpose == "work" and bundled:
                path = stack.enter_context(bundled_test(bundled))
            else:
                continue
            sources.append(ItemSource(path, purpose, splits))
        yield sources


def split_names(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def uploaded_text(upload: UploadFile | None) -> str:
    """The text of an uploaded configuration; nothing where none was chosen."""
    if upload is None or not upload.filename:
        return ""
    try:
        return upload.file.read(4 << 20).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("not valid UTF-8", file="project.toml") from None


@dataclass(frozen=True)
class OrganisedProject:
    """A project in a list, with the version of its configuration."""

    project: Project
    version: int
    listing: ConfigurationListing


def organised_ids(person: Person) -> Select[str]:
    """Selects the projects that a person organises; the owner organises all."""
    if person.is_owner:
        return select(Project.id)
    return (
        select(Project.id)
        .join(Membership, Membership.project_id == Project.id)
        .where(Membership.person_id == person.id, Membership.role == str(HallRole.ORGANISER))
    )


def organised_projects(
    session: Session, person: Person, *, offset: int, limit: int
) -> tuple[list[OrganisedProject], int]:
    """A part of the projects that a person organises, and how many those are in all."""
    ids = organised_ids(person)
    count = session.scalar(select(func.count()).select_from(ids.subquery())) or 0
    page = ids.order_by(Project.slug).offset(offset).limit(limit)
    listings = newest_listings(session, page)
    projects = session.scalars(select(Project).where(Project.id.in_(page)).order_by(Project.slug))
    return [OrganisedProject(project, *listings[project.id]) for project in projects], count


TABS = (
    "overview",
    "items",
    "configuration",
    "people",
    "assignments",
    "agreement",
    "quality",
    "class",
)


def tabs_of(configuration: Configuration) -> tuple[str, ...]:
    """The pages of a project: those of every project, and those of its work."""
    work = configuration.project.work
    if work in OVERVIEWS:
        return ("overview", *WORK_TABS.get(work, ()), "configuration", "people", "export")
    own = WORK_TABS.get(work, ())
    adjudicated = (ADJUDICATION,) if work in ADJUDICATIONS else ()
    return (*TABS, *adjudicated, *own, "export")


WORK_TABS: dict[str, tuple[str, ...]] = {
    "judging": ("sittings",),
    "panel": ("panel",),
    "shared_task": ("submissions", "teams", "baselines"),
    "sitting": ("results", "typing"),
}
"""Pages that only projects of a kind of work have, by the name of the work."""
OVERVIEWS: dict[str, Callable[[Request, Session, Permitted], Response]] = {}
"""The first page of projects that hand out no items, by the name of the work."""


def show_tab(
    request: Request,
    session: Session,
    permitted: Permitted,
    tab: str,
    status: int = 200,
    *,
    template: str = "",
    **values: Any,
) -> Response:
    configuration: Configuration = newest_configuration(session, permitted.project.id)
    language = language_of(request)
    return render(
        request,
        template or f"project_{tab}.html",
        status,
        person=permitted.person,
        project=permitted.project,
        name=in_language(configuration.project.name, language),
        description=in_language(configuration.project.description, language),
        configuration=configuration,
        tab=tab,
        tabs=tabs_of(configuration),
        date_words=date_words,
        moment=moment,
        time_words=time_words,
        **{"problem": "", "notices": (), **values},
    )


def back_to(project: Project, tab: str = "", **counts: int | str) -> RedirectResponse:
    query = "&".join(f"{name}={count}" for name, count in counts.items())
    address = f"/projects/{project.slug}" + (f"/{tab}" if tab else "")
    return RedirectResponse(f"{address}?{query}" if query else address, 303)


# Projects.


@router.get("/projects")
def list_projects(
    request: Request,
    session: Reading,
    permitted: Annotated[Permitted, Depends(SIGNED_IN)],
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """The projects that the person organises."""
    language = language_of(request)
    listed, count = organised_projects(
        session, permitted.person, offset=(page - 1) * PAGE, limit=PAGE
    )
    counts = project_counts(session, {each.project.id: each.listing for each in listed})
    rows = [
        (
            each.project,
            in_language(each.listing.name, language),
            each.listing.work,
            counts[each.project.id],
        )
        for each in listed
    ]
    pages = max(1, -(-count // PAGE))
    return render(
        request, "projects.html", person=permitted.person, rows=rows, page=page, pages=pages
    )


@router.get("/projects/new")
def new_project(request: Request, permitted: MayCreate) -> Response:
    """The form for a new project."""
    return _form(request, permitted)


def _form(request: Request, permitted: Permitted, status: int = 200, **values: Any) -> Response:
    empty = dict.fromkeys(("problem", "text", "chosen", "chosen_test", "slug", "splits"), "")
    shown = {**empty, **values}
    return render(
        request,
        "project_new.html",
        status,
        person=permitted.person,
        shipped=_shipped(language_of(request)),
        bundled=bundled_tests(),
        **shown,
    )


def _shipped(language: str) -> dict[str, str]:
    """The configurations that come with Readmark, with what they are for."""
    read = {name: read_configuration(shipped_configuration(name)) for name in shipped_names()}
    return {name: in_language(each.project.name, language) for name, each in read.items()}


@router.post("/projects")
def create_project(
    request: Request,
    permitted: MayCreate,
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
        project, withheld = make_project(
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


def make_project(
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


@router.get("/projects/{project}")
def show_project(
    request: Request, session: Reading, permitted: MayOrganise, withheld: bool = False
) -> Response:
    """How a project is doing."""
    work = newest_configuration(session, permitted.project.id).project.work
    if work in OVERVIEWS:
        return OVERVIEWS[work](request, session, permitted)
    dashboard = project_dashboard(session, permitted.project.id, is_whole=False)
    counts = item_counts(session, permitted.project.id)
    return show_tab(
        request,
        session,
        permitted,
        "overview",
        dashboard=dashboard,
        progress=dashboard.progress,
        counts=counts,
        withheld=withheld,
    )


def item_counts(session: Session, project_id: str) -> dict[str, int]:
    """How many items a project has for each purpose."""
    rows = session.execute(
        select(Item.purpose, func.count())
        .where(Item.project_id == project_id)
        .group_by(Item.purpose)
    )
    return {row[0]: row[1] for row in rows}


@router.post("/projects/{project}/state")
def change_state(
    request: Request, permitted: MayOrganise, is_open: Annotated[bool, Form()]
) -> Response:
    """Open or close a project."""
    with hall_of(request).database.writing() as session:
        set_open(session, permitted.project, is_open, by=permitted.person.id)
    return back_to(permitted.project)


# Items.


@router.get("/projects/{project}/items")
def show_items(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    purpose: Purpose = "work",
    added: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Response:
    """The items of a project, and how many people have and have finished each."""
    return _items(request, session, permitted, page=page, purpose=purpose, added=added)


def _items(
    request: Request,
    session: Session,
    permitted: Permitted,
    *,
    page: int = 1,
    purpose: Purpose = "work",
    status: int = 200,
    **values: Any,
) -> Response:
    project_id = permitted.project.id
    items = session.execute(
        select(Item.id, Item.name)
        .where(Item.project_id == project_id, Item.purpose == purpose)
        .order_by(Item.position)
        .offset((page - 1) * PAGE)
        .limit(PAGE)
    ).all()
    finished = {
        row.item_id: (row.assigned, row.done)
        for row in session.execute(
            select(
                Assignment.item_id,
                func.count().label("assigned"),
                func.count(Assignment.handed_in).label("done"),
            )
            .where(
                Assignment.item_id.in_([item.id for item in items]), Assignment.withdrawn.is_(None)
            )
            .group_by(Assignment.item_id)
        )
    }
    rows = [(item.id, item.name, *finished.get(item.id, (0, 0))) for item in items]
    counts = item_counts(session, project_id)
    return show_tab(
        request,
        session,
        permitted,
        "items",
        status,
        rows=rows,
        counts=counts,
        purpose=purpose,
        page=page,
        pages=max(1, -(-counts.get(purpose, 0) // PAGE)),
        **{"added": 0, **values},
    )


@router.post("/projects/{project}/items")
def upload_items(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    test: Upload = None,
    purpose: Annotated[Purpose, Form()] = "work",
    splits: Annotated[str, Form()] = "",
) -> Response:
    """Add the items of another file to a project."""
    try:
        added = more_items(request, session, permitted, test, purpose, split_names(splits))
    except ReadmarkError as error:
        return _items(request, session, permitted, purpose=purpose, status=422, problem=str(error))
    return back_to(permitted.project, f"items?purpose={purpose}&added={added}")


def more_items(
    request: Request,
    session: Session,
    permitted: Permitted,
    test: UploadFile | None,
    purpose: Purpose,
    splits: tuple[str, ...],
) -> int:
    """Store the items of an upload that the project does not have; how many those are."""
    configuration = newest_configuration(session, permitted.project.id)
    settings = hall_of(request).settings
    require_space(session, settings, permitted.project, test.size if test else None)
    session.commit()  # gives the connection back: reading the file can take long
    with uploads((test, purpose, splits)) as sources:
        if not sources:
            raise DataError("no file was chosen")
        read = read_items(sources[0], configuration)
        with hall_of(request).database.writing() as writing:
            return add_items(writing, permitted.project, read, by=permitted.person.id)


# The configuration.


@router.get("/projects/{project}/configuration")
def show_configuration(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    saved: Annotated[int, Query(ge=0, le=10**9)] = 0,
    version: Annotated[int | None, Query(ge=1, le=10**9)] = None,
) -> Response:
    """The configuration, to be read and changed; an old version can be saved again."""
    newest = newest_version(session, permitted.project.id)
    if version is None or version == newest.version:
        return _editor(request, session, permitted, newest.text, saved=saved)
    try:
        old = configuration_version(session, permitted.project.id, version)
    except DataError:
        raise HTTPException(404, "Not found.") from None
    return _editor(request, session, permitted, old.text, old=version)


def _editor(
    request: Request,
    session: Session,
    permitted: Permitted,
    text: str,
    status: int = 200,
    **values: Any,
) -> Response:
    versions = session.execute(
        select(ConfigurationVersion.version, ConfigurationVersion.created, Person.name)
        .join(Person, Person.id == ConfigurationVersion.person_id, isouter=True)
        .where(ConfigurationVersion.project_id == permitted.project.id)
        .order_by(ConfigurationVersion.version.desc())
    ).all()
    return show_tab(
        request,
        session,
        permitted,
        "configuration",
        status,
        text=text,
        versions=versions,
        newest=versions[0].version,
        **{
            "saved": 0,
            "line": None,
            "excerpt": (),
            "old": None,
            "newer": None,
            "version": None,
            **values,
        },
    )


@router.post("/projects/{project}/configuration")
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
        saved = store_configuration(request, permitted, text, version).version
    except NewerConfiguration as error:
        return _editor(request, session, permitted, text, 409, newer=error)
    except ReadmarkError as error:
        line = fault_line(error)
        return _editor(
            request,
            session,
            permitted,
            text,
            422,
            problem=error.message if isinstance(error, DataError) else str(error),
            line=line,
            excerpt=_excerpt(text, line),
            version=version,
        )
    return back_to(permitted.project, "configuration", saved=saved)


def store_configuration(
    request: Request, permitted: Permitted, text: str, version: int | None = None
) -> ConfigurationVersion:
    """Change the configuration; it is read before the database is locked, as nobody must wait."""
    read_project(text)
    with hall_of(request).database.writing() as session:
        by = permitted.person.id
        return change_configuration(session, permitted.project, text, version=version, by=by)


def fault_line(error: ReadmarkError) -> int | None:
    """The line that an error names."""
    where = str(getattr(error, "where", None))
    return int(where) if where.isdecimal() else None


def _excerpt(text: str, line: int | None) -> list[tuple[int, str]]:
    """The faulty line with the lines around it."""
    lines = text.split("\n")
    if line is None or not 1 <= line <= len(lines):
        return []
    first = max(1, line - 2)
    return list(enumerate(lines[first - 1 : line + 2], first))


@router.get("/projects/{project}/configuration.toml")
def download_configuration(session: Reading, permitted: MayOrganise) -> Response:
    """The configuration as a file."""
    return attachment(
        newest_version(session, permitted.project.id).text.encode(),
        f"{permitted.project.slug}.toml",
    )


def attachment(content: bytes, name: str) -> Response:
    """A file to save: never shown in the page's own origin."""
    quoted = f'filename="{name}"' if name.isascii() else f"filename*=UTF-8''{quote(name)}"
    headers = {"content-disposition": f"attachment; {quoted}"}
    return Response(content, media_type="application/octet-stream", headers=headers)


# People.


def invited_roles(configuration: Configuration) -> list[str]:
    """Whom an organiser can invite into a project."""
    if configuration.project.work in OVERVIEWS:
        return [str(HallRole.ORGANISER), str(HallRole.TEAM)]
    return [str(role) for role in HallRole if role not in (HallRole.OWNER, HallRole.TEAM)]


@router.get("/projects/{project}/people")
def show_people(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The people of a project, their roles, and how they did in training."""
    project_id = permitted.project.id
    configuration = newest_configuration(session, project_id)
    roles: dict[str, list[str]] = {}
    members = session.execute(
        select(Person, Membership.role)
        .join(Membership, Membership.person_id == Person.id)
        .where(Membership.project_id == project_id)
        .order_by(Person.name, Person.id)
    ).all()
    people = {}
    for person, role in members:
        people[person.id] = person
        roles.setdefault(person.id, []).append(role)
    results = {
        purpose: training_results(session, project_id, configuration, purpose)
        for purpose in ("practice", "qualifying")
    }
    return show_tab(
        request,
        session,
        permitted,
        "people",
        rows=[(person, roles[id]) for id, person in people.items()],
        results=results,
        counts=item_counts(session, project_id),
        invited=invited_roles(configuration),
    )
