"""The organiser's pages: projects, their items, configuration, people, assignments and results."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, File, Form, HTTPException, Query, Request, UploadFile
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.making.agreement.report import NAMES
from readmark.server.access import (
    ORGANISER,
    OWNER,
    SIGNED_IN,
    Permitted,
    Reading,
    Role,
    hall_of,
)
from readmark.server.assignment import (
    assign_item,
    hand_out,
    reassign,
    set_due,
    withdraw,
    workers_of,
)
from readmark.server.configuration import Configuration, in_language
from readmark.server.exchange import HallImport, read_work, store_work
from readmark.server.pages import language_of, render
from readmark.server.progress import (
    AssignmentProgress,
    assignment_progress,
    live_agreement,
    project_progress,
)
from readmark.server.projects import (
    ItemSource,
    add_items,
    change_configuration,
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
from readmark.server.views import newest_configuration

router = APIRouter(include_in_schema=False)

MayOrganise = Annotated[Permitted, Depends(ORGANISER)]
MayCreate = Annotated[Permitted, Depends(OWNER)]
Upload = Annotated[UploadFile | None, File()]
Purpose = Literal["work", "practice", "qualifying"]
State = Literal["all", "left", "done", "late"]
Order = Literal["person", "item", "due", "time"]
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
    *given: tuple[UploadFile | None, Purpose, tuple[str, ...]],
) -> Iterator[list[ItemSource]]:
    """Uploaded files as sources of items; those that were not chosen are left out."""
    with ExitStack() as stack:
        sources = []
        for upload, purpose, splits in given:
            if upload is not None and upload.filename:
                path = stack.enter_context(uploaded(upload.file, upload.filename))
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


def organised_projects(session: Session, person: Person) -> list[Project]:
    """The projects that a person organises; the owner organises all."""
    query = select(Project).order_by(Project.slug)
    if not person.is_owner:
        query = query.join(Membership, Membership.project_id == Project.id).where(
            Membership.person_id == person.id, Membership.role == str(Role.ORGANISER)
        )
    return list(session.scalars(query))


def _show(
    request: Request,
    session: Session,
    permitted: Permitted,
    tab: str,
    status: int = 200,
    **values: Any,
) -> Response:
    configuration: Configuration = newest_configuration(session, permitted.project.id)
    language = language_of(request)
    return render(
        request,
        f"project_{tab}.html",
        status,
        person=permitted.person,
        project=permitted.project,
        name=in_language(configuration.project.name, language),
        description=in_language(configuration.project.description, language),
        configuration=configuration,
        tab=tab,
        date_words=date_words,
        time_words=time_words,
        **{"problem": "", "notices": (), **values},
    )


def _back(project: Project, tab: str = "", **counts: int) -> RedirectResponse:
    query = "&".join(f"{name}={count}" for name, count in counts.items())
    address = f"/projects/{project.slug}" + (f"/{tab}" if tab else "")
    return RedirectResponse(f"{address}?{query}" if query else address, 303)


# Projects.


@router.get("/projects")
def list_projects(
    request: Request, session: Reading, permitted: Annotated[Permitted, Depends(SIGNED_IN)]
) -> Response:
    """The projects that the person organises."""
    language = language_of(request)
    rows = []
    for project in organised_projects(session, permitted.person):
        configuration = newest_configuration(session, project.id)
        progress = project_progress(session, project.id)
        name = in_language(configuration.project.name, language)
        rows.append((project, name, configuration.project.work, progress))
    return render(request, "projects.html", person=permitted.person, rows=rows)


@router.get("/projects/new")
def new_project(request: Request, permitted: MayCreate) -> Response:
    """The form for a new project."""
    return _form(request, permitted)


def _form(request: Request, permitted: Permitted, status: int = 200, **values: Any) -> Response:
    shown = {"problem": "", "text": "", "chosen": "", "slug": "", "splits": "", **values}
    return render(
        request,
        "project_new.html",
        status,
        person=permitted.person,
        shipped=shipped_names(),
        **shown,
    )


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
) -> Response:
    """Create a project from a configuration and a test."""
    try:
        project = make_project(
            request,
            permitted.person.id,
            text=uploaded_text(configuration) or text.strip() or shipped_configuration(shipped),
            files=(
                (practice, "practice", ()),
                (qualifying, "qualifying", ()),
                (test, "work", split_names(splits)),
            ),
            slug=slug.strip(),
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
        )
    return _back(project)


def make_project(
    request: Request,
    person_id: str,
    *,
    text: str,
    files: tuple[tuple[UploadFile | None, Purpose, tuple[str, ...]], ...],
    slug: str,
) -> Project:
    """Read the files first and store the project then, so that nobody waits for the reading."""
    with uploads(*files) as sources:
        new = prepare_project(text, sources)
        with hall_of(request).database.writing() as session:
            return store_project(session, new, slug=slug, by=person_id)


@router.get("/projects/{project}")
def show_project(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """How a project is doing."""
    progress = project_progress(session, permitted.project.id)
    counts = item_counts(session, permitted.project.id)
    return _show(request, session, permitted, "overview", progress=progress, counts=counts)


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
    return _back(permitted.project)


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
    finished: dict[str, list[int]] = {}
    for row in assignment_progress(session, project_id, purpose=purpose):
        own = finished.setdefault(row.assignment.item_id, [0, 0])
        own[0] += 1
        own[1] += row.done
    items = session.scalars(
        select(Item)
        .where(Item.project_id == project_id, Item.purpose == purpose)
        .order_by(Item.position)
        .offset((page - 1) * PAGE)
        .limit(PAGE)
    ).all()
    rows = [(item.name, *finished.get(item.id, (0, 0))) for item in items]
    counts = item_counts(session, project_id)
    return _show(
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
    return _back(permitted.project, f"items?purpose={purpose}&added={added}")


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
) -> Response:
    """The configuration, to be read and changed."""
    newest = newest_version(session, permitted.project.id)
    return _editor(request, session, permitted, newest.text, saved=saved)


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
        .limit(20)
    ).all()
    return _show(
        request,
        session,
        permitted,
        "configuration",
        status,
        text=text,
        versions=versions,
        **{"saved": 0, "line": None, "excerpt": (), **values},
    )


@router.post("/projects/{project}/configuration")
def save_configuration(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    text: Annotated[str, Form()] = "",
    file: Upload = None,
) -> Response:
    """Make a text the newest configuration; a bad one changes nothing, and its line is shown."""
    text = (uploaded_text(file) or text).replace("\r\n", "\n")
    try:
        with hall_of(request).database.writing() as writing:
            version = change_configuration(
                writing, permitted.project, text, by=permitted.person.id
            ).version
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
        )
    return _back(permitted.project, "configuration", saved=version)


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
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/octet-stream", headers=headers)


# People.


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
    return _show(
        request,
        session,
        permitted,
        "people",
        rows=[(person, roles[id]) for id, person in people.items()],
        results=results,
        counts=item_counts(session, project_id),
        invited=[str(role) for role in Role if role is not Role.OWNER],
    )


# Assignments.


@router.get("/projects/{project}/assignments")
def show_assignments(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    state: State = "all",
    order: Order = "person",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    added: Annotated[int | None, Query(ge=0, le=10**9)] = None,
    moved: Annotated[int, Query(ge=0, le=10**9)] = 0,
    missing: Annotated[int, Query(ge=0, le=10**9)] = 0,
    waiting: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Response:
    """Who has what, how far it is, and the forms that change it."""
    return _assignments(
        request,
        session,
        permitted,
        state=state,
        order=order,
        page=page,
        handed_out=None if added is None else (added, moved, missing, waiting),
    )


def _assignments(
    request: Request,
    session: Session,
    permitted: Permitted,
    *,
    state: State = "all",
    order: Order = "person",
    page: int = 1,
    status: int = 200,
    **values: Any,
) -> Response:
    now, project_id = time.time(), permitted.project.id
    names = {row.id: row.name for row in session.execute(select(Person.id, Person.name))}
    items = {
        item: (name, purpose)
        for item, name, purpose in session.execute(
            select(Item.id, Item.name, Item.purpose).where(Item.project_id == project_id)
        )
    }
    rows = [
        row
        for row in assignment_progress(session, project_id, purpose=None)
        if state == "all"
        or (state == "late" and row.is_late(now))
        or (state != "late" and row.done == (state == "done"))
    ]

    def place(row: AssignmentProgress) -> tuple[Any, ...]:
        one = row.assignment
        by_person = (names[one.person_id], one.person_id, one.position)
        by_item = (items[one.item_id][0], names[one.person_id])
        return {
            "person": by_person,
            "item": by_item,
            "due": (one.due is None, one.due or 0.0, *by_person),
            "time": (-row.seconds, *by_person),
        }[order]

    rows.sort(key=place)
    shown = [
        (row, names[row.assignment.person_id], *items[row.assignment.item_id], row.is_late(now))
        for row in rows[(page - 1) * PAGE : page * PAGE]
    ]
    return _show(
        request,
        session,
        permitted,
        "assignments",
        status,
        rows=shown,
        state=state,
        order=order,
        page=page,
        pages=max(1, -(-len(rows) // PAGE)),
        people=[(person.id, person.name) for person in workers_of(session, project_id)],
        **{"handed_out": None, **values},
    )


@router.post("/projects/{project}/hand-out")
def hand_out_items(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    balance: Annotated[bool, Form()] = False,
    due: Annotated[date | Literal[""] | None, Form()] = None,
) -> Response:
    """Hand out what people should have."""
    try:
        with hall_of(request).database.writing() as writing:
            result = hand_out(
                writing,
                permitted.project,
                balance=balance,
                due=end_of_day(due or None),
                by=permitted.person.id,
            )
    except ReadmarkError as error:
        return _assignments(request, session, permitted, status=422, problem=str(error))
    return _back(
        permitted.project,
        "assignments",
        added=result.added,
        moved=result.removed,
        missing=result.missing,
        waiting=len(result.waiting),
    )


@router.post("/projects/{project}/assignments")
def change_assignment(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    action: Annotated[Literal["withdraw", "reassign", "assign", "due"], Form()],
    assignment: Annotated[str, Form()] = "",
    person: Annotated[str, Form()] = "",
    item: Annotated[str, Form()] = "",
    due: Annotated[date | Literal[""] | None, Form()] = None,
) -> Response:
    """Withdraw or reassign an item, assign one by hand, or change deadlines."""
    try:
        with hall_of(request).database.writing() as writing:
            by = permitted.person.id
            if action == "withdraw":
                withdraw(writing, own_assignment(writing, permitted, assignment), by=by)
            elif action == "reassign":
                found = own_assignment(writing, permitted, assignment)
                reassign(writing, found, _worker(writing, permitted, person), by=by)
            elif action == "assign":
                chosen = named_item(writing, permitted, item)
                worker = _worker(writing, permitted, person)
                until = end_of_day(due or None)
                assign_item(writing, permitted.project, chosen, worker, due=until, by=by)
            else:
                until = end_of_day(due or None)
                whose = _worker(writing, permitted, person).id if person else None
                set_due(writing, permitted.project.id, until, person_id=whose, by=by)
    except ReadmarkError as error:
        return _assignments(request, session, permitted, status=422, problem=str(error))
    return _back(permitted.project, "assignments")


def own_assignment(session: Session, permitted: Permitted, id: str) -> Assignment:
    """An assignment of the project; that of another does not exist."""
    found = session.get(Assignment, id)
    if found is None or found.project_id != permitted.project.id:
        raise HTTPException(404, "Not found.")
    return found


def named_item(session: Session, permitted: Permitted, name: str) -> Item:
    """The item of a name in the project."""
    found = session.scalar(
        select(Item).where(
            Item.project_id == permitted.project.id, Item.name == name, Item.purpose == "work"
        )
    )
    if found is None:
        raise DataError(f"the project has no item {name[:80]!r}")
    return found


def _worker(session: Session, permitted: Permitted, id: str) -> Person:
    workers = {person.id: person for person in workers_of(session, permitted.project.id)}
    if id not in workers:
        raise HTTPException(404, "Not found.")
    return workers[id]


# Results.


@router.get("/projects/{project}/progress")
def show_progress(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """What is done, left and late, and how long items take."""
    progress = project_progress(session, permitted.project.id)
    return _show(request, session, permitted, "progress", progress=progress)


@router.get("/projects/{project}/agreement")
def show_agreement(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """How far people agree, as ``readmark set agree`` measures it."""
    live = live_agreement(session, permitted.project.id)
    return _show(request, session, permitted, "agreement", live=live, measures=NAMES)


@router.get("/projects/{project}/export")
def show_export(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Download the work as files, or upload work."""
    return _show(request, session, permitted, "export", imported=())


@router.get("/projects/{project}/export.zip")
def download_export(session: Reading, permitted: MayOrganise) -> Response:
    """The work as a zip of files."""
    return attachment(exported_zip(session, permitted.project), f"{permitted.project.slug}.zip")


def exported_zip(session: Session, project: Project) -> bytes:
    """The bytes of an export."""
    import tempfile
    from pathlib import Path

    from readmark.server.exchange import export_project

    with tempfile.TemporaryDirectory(prefix="readmark-export-") as folder:
        path = Path(folder) / "export.zip"
        export_project(session, project, path)
        return path.read_bytes()


@router.post("/projects/{project}/import")
def upload_work(
    request: Request, session: Reading, permitted: MayOrganise, file: Upload = None
) -> Response:
    """Add the work in a file to the project."""
    try:
        result = imported_work(request, session, permitted, file)
    except ReadmarkError as error:
        return _show(request, session, permitted, "export", 422, imported=(), problem=str(error))
    return _show(request, session, permitted, "export", imported=(result,))


def imported_work(
    request: Request, session: Session, permitted: Permitted, file: UploadFile | None
) -> HallImport:
    """Read an upload first, and store its work then."""
    if file is None or not file.filename:
        raise DataError("no file was chosen")
    with uploaded(file.file, file.filename) as path:
        work = read_work(session, permitted.project, path)
        with hall_of(request).database.writing() as writing:
            result = store_work(writing, permitted.project, work, by=permitted.person.id)
    return HallImport(
        path.name, result.items, result.changed, result.conflicts, result.created, result.notes
    )
