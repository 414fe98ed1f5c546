"""What a person sees of an item: the configuration, the work that it names, and the item's view.

Configurations and items never change once they are stored, so what is made of them is cached.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import msgspec
from sqlalchemy import Select, and_, bindparam, func, select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError
from readmark.core.test import Header
from readmark.hooks import Adjudication, ShownWork, Work, hook
from readmark.server.tables import ConfigurationVersion, Item, Project
from readmark.works import (
    ADJUDICATIONS,
    WORKS,
    Configuration,
    ConfigurationListing,
    ItemView,
    Viewer,
    WorkItem,
    listing_of,
    read_configuration,
)

ADJUDICATION = "adjudication"
"""The purpose of items for adjudicators."""
CONTROL, REPEAT = "control", "repeat"
"""Items with known answers, and items that somebody gets again: to people they are work."""
SHOWN_AS_WORK = ("work", CONTROL, REPEAT)


def shown_purpose(purpose: str) -> str:
    """An item's purpose as the people who work on it may know it."""
    return "work" if purpose in SHOWN_AS_WORK else purpose


@dataclass(frozen=True)
class OpenItem:
    """An item with everything that is needed to show and check work on it."""

    item: WorkItem
    purpose: str
    """As it is shown to people."""
    version: int
    configuration: Configuration
    work: ShownWork
    view: ItemView
    texts: MappingProxyType[str, str]


def work_named(name: str) -> Work:
    """The registered work; a class is made into an object."""
    registered: Any = WORKS.load(name)
    work: Work = registered() if isinstance(registered, type) else registered
    return work


def adjudication_of(work: str) -> Adjudication | None:
    """How a work is adjudicated, if it is."""
    adjudication: Adjudication | None = ADJUDICATIONS.load(work) if work in ADJUDICATIONS else None
    return adjudication


def newest_configuration(session: Session, project: str) -> Configuration:
    """A project's newest configuration."""
    return _configuration(session, _newest(session, project)[0])


_NEWEST = (
    select(ConfigurationVersion.number, ConfigurationVersion.version)
    .where(ConfigurationVersion.project_id == bindparam("project"))
    .order_by(ConfigurationVersion.version.desc())
    .limit(1)
)


def _newest(session: Session, project: str) -> tuple[int, int]:
    row = session.connection().execute(_NEWEST, {"project": project}).one_or_none()
    if row is None:
        raise DataError("the project has no configuration", where=project)
    return row.number, row.version


def newest_listings(
    session: Session, projects: Select[str]
) -> dict[str, tuple[int, ConfigurationListing]]:
    """What lists say of projects, by id, with the version of the configuration that says it.

    ``projects`` selects the ids.
    """
    newest = (
        select(ConfigurationVersion.project_id, func.max(ConfigurationVersion.version).label("top"))
        .where(ConfigurationVersion.project_id.in_(projects))
        .group_by(ConfigurationVersion.project_id)
        .subquery()
    )
    rows = session.execute(
        select(
            ConfigurationVersion.number,
            ConfigurationVersion.project_id,
            ConfigurationVersion.version,
            ConfigurationVersion.listing,
        ).join(
            newest,
            and_(
                ConfigurationVersion.project_id == newest.c.project_id,
                ConfigurationVersion.version == newest.c.top,
            ),
        )
    )
    listings = {}
    for row in rows:
        listing = (
            _LISTING.decode(row.listing)
            if row.listing
            else listing_of(_configuration(session, row.number))
        )
        listings[row.project_id] = (row.version, listing)
    return listings


_LISTING = msgspec.json.Decoder(ConfigurationListing)


def _configuration(session: Session, number: int) -> Configuration:
    text = session.scalar(
        select(ConfigurationVersion.text).where(ConfigurationVersion.number == number)
    )
    assert text is not None
    return _read(text)


_read = functools.lru_cache(maxsize=64)(read_configuration)


def headers_of(project: Project) -> tuple[Header, ...]:
    """The headers of the test that a project's items come from, or of its two sides."""
    return msgspec.json.decode(project.headers, type=tuple[Header, ...])


def item_of(item: Item) -> WorkItem:
    """A stored item as works take it."""
    return WorkItem(item.name, msgspec.json.decode(item.paper), msgspec.json.decode(item.key))


def open_item(session: Session, project: str, item: str) -> OpenItem:
    """An item under the project's newest configuration."""
    number, version = _newest(session, project)
    with _CACHE_LOCK:
        opened = _CACHE.get((item, number))
    if opened is None:
        row = session.get_one(Item, item)
        opened = _open(row, _configuration(session, number), version)
        with _CACHE_LOCK:
            _CACHE[item, number] = opened
            if len(_CACHE) > _MOST_CACHED:
                del _CACHE[next(iter(_CACHE))]
    return opened


def open_items(session: Session, project: str, items: Iterable[str]) -> dict[str, OpenItem]:
    """Many items at once, by their ids; the cache stays as it is for people who are working."""
    number, version = _newest(session, project)
    configuration = _configuration(session, number)
    ids = set(items)
    with _CACHE_LOCK:
        cached = {item: _CACHE[item, number] for item in ids if (item, number) in _CACHE}
    rows = session.scalars(select(Item).where(Item.id.in_(ids - cached.keys())))
    return cached | {row.id: _open(row, configuration, version) for row in rows}


def view_for(opened: OpenItem, viewer: Viewer) -> ItemView:
    """What one person sees of an item."""
    arrange = hook(opened.work, "arrange")
    if arrange is None:
        return opened.view
    paper = WorkItem(opened.item.name, opened.item.paper)
    view: ItemView = arrange(opened.view, paper, opened.configuration, viewer)
    return view


_MOST_CACHED = 512
_CACHE: dict[tuple[str, int], OpenItem] = {}
_CACHE_LOCK = threading.Lock()


def _open(row: Item, configuration: Configuration, version: int) -> OpenItem:
    item = item_of(row)
    work: ShownWork = work_named(configuration.project.work)
    if row.purpose == ADJUDICATION:
        adjudication = adjudication_of(configuration.project.work)
        assert adjudication is not None
        work = adjudication
    view = work.view(WorkItem(item.name, item.paper), configuration)
    configuration = view.configuration or configuration
    texts = MappingProxyType({text.id: text.text for text in view.texts})
    return OpenItem(item, shown_purpose(row.purpose), version, configuration, work, view, texts)
