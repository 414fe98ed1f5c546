"""The organiser's part of the API: what programs create, change and read of projects."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, File, Form, Query, Request, UploadFile
from pydantic import BaseModel, Field
from sqlalchemy import func, select
from starlette.responses import JSONResponse, Response

from readmark.core.errors import DataError
from readmark.server.access import SIGNED_IN, Permitted, Reading, hall_of
from readmark.server.assignment import (
    HandOut,
    assign_item,
    hand_out,
    reopen,
    withdraw,
    workers_of,
)
from readmark.server.bodies import HallRoute
from readmark.server.exchange import HallImport
from readmark.server.pages import language_of
from readmark.server.progress import (
    AssignmentFilter,
    ProjectProgress,
    listed_assignments,
    live_agreement,
    project_progress,
)
from readmark.server.projects import (
    NewerConfiguration,
    configuration_version,
    newest_version,
    set_open,
    shipped_configuration,
)
from readmark.server.routes.organise import (
    MayCreate,
    MayOrganise,
    Purpose,
    Upload,
    attachment,
    fault_line,
    make_project,
    more_items,
    organised_projects,
    split_names,
    store_configuration,
    uploaded_text,
)
from readmark.server.routes.organise_work import (
    exported_zip,
    imported_work,
    named_item,
    own_assignment,
    own_item,
)
from readmark.server.routes.work_api import preview_data
from readmark.server.tables import Item, Person, Project
from readmark.server.training import training_results
from readmark.server.views import newest_configuration, newest_listings
from readmark.works import in_language
from readmark.works.configuration import ConfigurationListing

router = APIRouter(route_class=HallRoute, prefix="/api/projects", tags=["projects"])

Seconds = Annotated[float, Field(ge=0, le=4_102_444_800)]
"""A time in seconds since 1970, up to the year 2100."""


Offset = Annotated[int, Query(ge=0, le=10**9)]
Limit = Annotated[int, Query(ge=1, le=10_000)]
TOTAL = "x-total-count"
"""The header that says how many rows there are, of which ``limit`` come from ``offset`` on."""


@dataclass(frozen=True)
class ProjectSummary:
    """A project in a list."""

    project: str
    name: str
    work: str
    is_open: bool
    configuration: int
    notes: list[str] = field(default_factory=list)
    """What was left out when it was created, such as hidden splits."""


@dataclass(frozen=True)
class ConfigurationText:
    """A configuration file and its version."""

    version: int
    text: str


@dataclass(frozen=True)
class ItemSummary:
    """An item of a project."""

    name: str
    purpose: str


@dataclass(frozen=True)
class AssignmentSummary:
    """Who has an item, and how far it is."""

    id: str
    item: str
    purpose: str
    person: str
    name: str
    position: int
    due: float | None
    done: bool
    seconds: float


@dataclass(frozen=True)
class TrainingSummary:
    """A person's result; whether it reaches the share that the project asks for, if it does."""

    person: str
    name: str
    right: int
    handed_in: int
    total: int
    is_qualified: bool | None


@dataclass(frozen=True)
class AddedItems:
    """How many items were new."""

    added: int


@dataclass(frozen=True)
class ImportedWork:
    """What of a file's work was new, and what somebody should know."""

    items: int
    changed: int
    conflicts: int
    created: list[str]
    notes: list[str]


class NewConfiguration(BaseModel):
    """A configuration file, and the version that it was made of: a newer one is not replaced."""

    text: str
    version: Annotated[int, Field(ge=1, le=10**9)] | None = None


class ProjectState(BaseModel):
    """Whether people can work on a project."""

    is_open: bool


class HandOutRequest(BaseModel):
    """How to hand out: ``balance`` moves what nobody has begun, ``due`` is a time in seconds."""

    balance: bool = False
    due: Seconds | None = None


class NewAssignment(BaseModel):
    """An item, by its name, for a person, by id."""

    item: str
    person: str
    due: Seconds | None = None


class Withdrawal(BaseModel):
    """An assignment to take back."""

    assignment: str


def _summary(project: Project, version: int, listing: ConfigurationListing) -> ProjectSummary:
    return ProjectSummary(
        project.slug, in_language(listing.name, "en"), listing.work, project.is_open, version
    )


def _summary_of(session: Reading, project: Project) -> ProjectSummary:
    listings = newest_listings(session, select(Project.id).where(Project.id == project.id))
    return _summary(project, *listings[project.id])


@router.get("")
def get_projects(
    response: Response,
    session: Reading,
    permitted: Annotated[Permitted, Depends(SIGNED_IN)],
    offset: Offset = 0,
    limit: Limit = 10_000,
) -> list[ProjectSummary]:
    """The projects that the caller organises; the header ``x-total-count`` says how many."""
    listed, count = organised_projects(session, permitted.person, offset=offset, limit=limit)
    response.headers[TOTAL] = str(count)
    return [_summary(each.project, each.version, each.listing) for each in listed]


@router.post("", status_code=201)
def post_project(
    request: Request,
    permitted: MayCreate,
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
    project, withheld = make_project(
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
        return replace(_summary_of(session, project), notes=withheld)


@router.get("/{project}")
def get_project(session: Reading, permitted: MayOrganise) -> ProjectSummary:
    """A project."""
    return _summary_of(session, permitted.project)


@router.put("/{project}/state")
def put_state(request: Request, permitted: MayOrganise, state: ProjectState) -> ProjectState:
    """Open or close a project."""
    with hall_of(request).database.writing() as session:
        set_open(session, permitted.project, state.is_open, by=permitted.person.id)
    return state


@router.get("/{project}/configuration")
def get_configuration(
    session: Reading,
    permitted: MayOrganise,
    version: Annotated[int | None, Query(ge=1, le=10**9)] = None,
) -> ConfigurationText:
    """The newest configuration, or an older version."""
    project_id = permitted.project.id
    if version is None:
        found = newest_version(session, project_id)
    else:
        found = configuration_version(session, project_id, version)
    return ConfigurationText(found.version, found.text)


@router.put(
    "/{project}/configuration",
    response_model=ConfigurationText,
    responses={
        409: {"description": "There is a newer version than the one named: number and text."},
        422: {"description": "A bad file: the line and the reason; the old one stays."},
    },
)
def put_configuration(request: Request, permitted: MayOrganise, new: NewConfiguration) -> Any:
    """Change the configuration; a bad one is refused with its line, and the old one stays."""
    try:
        version = store_configuration(request, permitted, new.text, new.version)
    except NewerConfiguration as error:
        newer = {"detail": str(error), "version": error.version, "text": error.text}
        return JSONResponse(newer, 409)
    except DataError as error:
        fault = {"detail": str(error), "line": fault_line(error), "message": error.message}
        return JSONResponse(fault, 422)
    return ConfigurationText(version.version, version.text)


@router.get("/{project}/items")
def get_items(
    response: Response,
    session: Reading,
    permitted: MayOrganise,
    purpose: Purpose | None = None,
    offset: Offset = 0,
    limit: Limit = 10_000,
) -> list[ItemSummary]:
    """The items in order; the header ``x-total-count`` says how many there are in all."""
    own = [Item.project_id == permitted.project.id]
    if purpose is not None:
        own.append(Item.purpose == purpose)
    count = session.scalar(select(func.count()).select_from(Item).where(*own))
    response.headers[TOTAL] = str(count)
    order = (Item.position,) if purpose is not None else (Item.position, Item.purpose)
    rows = session.execute(
        select(Item.name, Item.purpose).where(*own).order_by(*order).offset(offset).limit(limit)
    )
    return [ItemSummary(row.name, row.purpose) for row in rows]


@router.get("/{project}/items/{item}/preview")
def get_preview(
    request: Request, session: Reading, permitted: MayOrganise, item: str
) -> dict[str, Any]:
    """An item as those get it who work on it; nothing is stored."""
    found = own_item(session, permitted, item)
    return preview_data(session, permitted, found, language_of(request))


@router.post("/{project}/items", status_code=201)
def post_items(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    test: Annotated[UploadFile, File()],
    purpose: Annotated[Purpose, Form()] = "work",
    splits: Annotated[str, Form()] = "",
) -> AddedItems:
    """Add the items of another test to the project."""
    return AddedItems(more_items(request, session, permitted, test, purpose, split_names(splits)))


@router.get("/{project}/assignments")
def get_assignments(
    response: Response,
    session: Reading,
    permitted: MayOrganise,
    purpose: Purpose | None = None,
    offset: Offset = 0,
    limit: Limit = 1_000,
) -> list[AssignmentSummary]:
    """Who has what, by person and position; the header ``x-total-count`` says how many in all."""
    chosen = AssignmentFilter(purpose=purpose)
    rows, count = listed_assignments(
        session, permitted.project.id, chosen, order=None, offset=offset, limit=limit
    )
    response.headers[TOTAL] = str(count)
    return [
        AssignmentSummary(
            id=row.progress.assignment.id,
            item=row.item,
            purpose=row.purpose,
            person=row.progress.assignment.person_id,
            name=row.person,
            position=row.progress.assignment.position,
            due=row.progress.assignment.due,
            done=row.progress.done,
            seconds=row.progress.seconds,
        )
        for row in rows
    ]


@router.post("/{project}/hand-out")
def post_hand_out(
    request: Request, permitted: MayOrganise, asked: HandOutRequest | None = None
) -> HandOut:
    """Hand out what people should have; asking again changes nothing."""
    asked = asked or HandOutRequest()
    with hall_of(request).database.writing() as session:
        return hand_out(
            session,
            permitted.project,
            balance=asked.balance,
            due=asked.due,
            by=permitted.person.id,
        )


@router.post("/{project}/assignments", status_code=201)
def post_assignment(
    request: Request, permitted: MayOrganise, new: NewAssignment
) -> AssignmentSummary:
    """Give an item to a person by hand."""
    with hall_of(request).database.writing() as session:
        item: Item = named_item(session, permitted, new.item)
        people = {person.id: person for person in workers_of(session, permitted.project.id)}
        if new.person not in people:
            raise DataError("the project has no such person whom items are handed out to")
        person = people[new.person]
        made = assign_item(
            session, permitted.project, item, person, due=new.due, by=permitted.person.id
        )
        return AssignmentSummary(
            id=made.id,
            item=item.name,
            purpose=item.purpose,
            person=person.id,
            name=person.name,
            position=made.position,
            due=made.due,
            done=False,
            seconds=0.0,
        )


@router.post("/{project}/withdrawals")
def post_withdrawal(request: Request, permitted: MayOrganise, taken: Withdrawal) -> Withdrawal:
    """Take an item back; what the person made of it stays in the log."""
    with hall_of(request).database.writing() as session:
        found = own_assignment(session, permitted, taken.assignment)
        withdraw(session, found, by=permitted.person.id)
    return taken


@router.post("/{project}/reopenings")
def post_reopening(request: Request, permitted: MayOrganise, opened: Withdrawal) -> Withdrawal:
    """Let a person change an item again that was handed in for good or locked."""
    with hall_of(request).database.writing() as session:
        found = own_assignment(session, permitted, opened.assignment)
        reopen(session, found, by=permitted.person.id)
    return opened


@router.get("/{project}/progress")
def get_progress(session: Reading, permitted: MayOrganise) -> ProjectProgress:
    """What is done, left and late, by person, and the time per item."""
    return project_progress(session, permitted.project.id)


@router.get("/{project}/training")
def get_training(
    session: Reading,
    permitted: MayOrganise,
    purpose: Literal["practice", "qualifying"] = "qualifying",
) -> list[TrainingSummary]:
    """How people did on the practice or qualifying items."""
    project_id = permitted.project.id
    configuration = newest_configuration(session, project_id)
    wanted = configuration.project.qualify
    names = {row.id: row.name for row in session.execute(select(Person.id, Person.name))}
    results = training_results(session, project_id, configuration, purpose)
    return [
        TrainingSummary(
            person=person,
            name=names[person],
            right=result.right,
            handed_in=result.handed_in,
            total=result.total,
            is_qualified=None if wanted is None else result.share >= wanted,
        )
        for person, result in sorted(results.items(), key=lambda pair: names[pair[0]])
    ]


@router.get("/{project}/agreement")
def get_agreement(session: Reading, permitted: MayOrganise) -> dict[str, Any]:
    """Agreement on finished items: what ``readmark set agree --json`` prints, with a signature."""
    return live_agreement(session, permitted.project.id).as_json()


@router.get(
    "/{project}/export",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def get_export(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The work as a zip of files, the one that ``readmark hall export`` writes."""
    return attachment(
        exported_zip(request, session, permitted.project), f"{permitted.project.slug}.zip"
    )


@router.post("/{project}/import")
def post_import(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    file: Annotated[UploadFile, File()],
) -> ImportedWork:
    """Add the work in a file, or in an export, to the project; again changes nothing."""
    result: HallImport = imported_work(request, session, permitted, file)
    return ImportedWork(
        result.items, result.changed, result.conflicts, list(result.created), list(result.lines)
    )
