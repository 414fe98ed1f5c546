"""The items of a project: the list, more of them from a file, one as annotators see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, HTTPException, Query, Request, UploadFile
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.items import add_items, item_counts, read_items
from readmark.server.operations.quotas import require_space
from readmark.server.pages import language_of
from readmark.server.routes.files import Purpose, Upload, split_names, uploads
from readmark.server.routes.page_data import PREVIEW, preview_data
from readmark.server.routes.paging import Limit, Listed, ListPart, Offset, PageQuery, part_of_page
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.routes.work_pages import show_item
from readmark.server.tables import Assignment, Item
from readmark.server.views import newest_configuration, open_item

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}/items", tags=["projects"])


@dataclass(frozen=True)
class ItemSummary:
    """An item of a project."""

    name: str
    purpose: str


@dataclass(frozen=True)
class ListedItem(ItemSummary):
    """An item in the organiser's list, with its id."""

    id: str


@dataclass(frozen=True)
class AddedItems:
    """How many items were new."""

    added: int


def _listed(
    session: Session, project_id: str, purpose: Purpose | None, part: ListPart
) -> Listed[ListedItem]:
    """A part of a project's items in their order: those of a purpose, or all."""
    conditions = [Item.project_id == project_id]
    if purpose is not None:
        conditions.append(Item.purpose == purpose)
    count = session.scalar(select(func.count()).select_from(Item).where(*conditions)) or 0
    order = (Item.position,) if purpose is not None else (Item.position, Item.purpose)
    query = select(Item.name, Item.purpose, Item.id).where(*conditions).order_by(*order)
    rows = session.execute(query.offset(part.offset).limit(part.limit))
    return Listed([ListedItem(*row) for row in rows], count, part)


@dataclass(frozen=True)
class ItemsPage:
    """Items of a purpose, how many people have each and have finished it, and the form for more."""

    items: Listed[ListedItem]
    assigned: Mapping[str, int]
    done: Mapping[str, int]
    purpose: Purpose
    counts: Mapping[str, int]
    """Items of each purpose."""
    added: int
    """How many a file has just brought."""


def _page(
    request: Request,
    session: Session,
    permitted: Permitted,
    *,
    page: int = 1,
    purpose: Purpose = "work",
    added: int = 0,
    status: int = 200,
    problem: str = "",
) -> Response:
    project_id = permitted.project.id
    items = _listed(session, project_id, purpose, part_of_page(page))
    people = session.execute(
        select(
            Assignment.item_id,
            func.count().label("assigned"),
            func.count(Assignment.handed_in).label("done"),
        )
        .where(
            Assignment.item_id.in_([item.id for item in items.rows]), Assignment.withdrawn.is_(None)
        )
        .group_by(Assignment.item_id)
    ).all()
    view = ItemsPage(
        items,
        assigned={row.item_id: row.assigned for row in people},
        done={row.item_id: row.done for row in people},
        purpose=purpose,
        counts=item_counts(session, project_id),
        added=added,
    )
    return show_tab(request, session, permitted, "items", status, view=view, problem=problem)


@pages.get("/projects/{project}/items")
def show_items(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    page: PageQuery = 1,
    purpose: Purpose = "work",
    added: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Response:
    """The items of a project, and how many people have and have finished each."""
    return _page(request, session, permitted, page=page, purpose=purpose, added=added)


@api.get("")
def get_items(
    response: Response,
    session: Reading,
    permitted: MayOrganise,
    purpose: Purpose | None = None,
    offset: Offset = 0,
    limit: Limit = 10_000,
) -> list[ItemSummary]:
    """The items in order; the header ``x-total-count`` says how many there are in all."""
    items = _listed(session, permitted.project.id, purpose, ListPart(offset, limit))
    return [ItemSummary(item.name, item.purpose) for item in items.send(response)]


@pages.post("/projects/{project}/items")
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
        added = _add(request, session, permitted, test, purpose, split_names(splits))
    except ReadmarkError as error:
        return _page(request, session, permitted, purpose=purpose, status=422, problem=str(error))
    return back_to(permitted.project, f"items?purpose={purpose}&added={added}")


@api.post("", status_code=201)
def post_items(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    test: Annotated[UploadFile, File()],
    purpose: Annotated[Purpose, Form()] = "work",
    splits: Annotated[str, Form()] = "",
) -> AddedItems:
    """Add the items of another test to the project."""
    return AddedItems(_add(request, session, permitted, test, purpose, split_names(splits)))


def _add(
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


@pages.get("/projects/{project}/items/{item}/preview")
def preview_item(request: Request, session: Reading, permitted: MayOrganise, item: str) -> Response:
    """An item as those see it who work on it; nothing is stored."""
    row = _item(session, permitted, item)
    opened = open_item(session, permitted.project.id, row.id)
    address = f"/api/projects/{permitted.project.slug}/items/{row.id}/preview"
    return show_item(request, permitted.person, opened, PREVIEW, address=address)


@api.get("/{item}/preview")
def get_preview(
    request: Request, session: Reading, permitted: MayOrganise, item: str
) -> dict[str, Any]:
    """An item as those get it who work on it; nothing is stored."""
    row = _item(session, permitted, item)
    return preview_data(session, permitted, row, language_of(request))


def _item(session: Session, permitted: Permitted, id: str) -> Item:
    """An item of the project; that of another does not exist."""
    item = session.get(Item, id)
    if item is None or item.project_id != permitted.project.id:
        raise HTTPException(404, "Not found.")
    return item
