"""What a person sees of an item: the configuration, the work that it names, and the item's view.

Configurations and items never change once they are stored, so what is made of them is cached.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError
from readmark.server.configuration import Configuration, read_configuration
from readmark.server.tables import ConfigurationVersion, Item
from readmark.server.works.work import WORKS, ItemView, Work, WorkItem


@dataclass(frozen=True)
class OpenItem:
    """An item with everything that is needed to show and check work on it."""

    id: str
    item: WorkItem
    purpose: str
    version: int
    configuration: Configuration
    work: Work
    view: ItemView
    texts: MappingProxyType[str, str]


def work_named(name: str) -> Work:
    """The registered work; a class is made into an object."""
    found: Any = WORKS.load(name)
    work: Work = found() if isinstance(found, type) else found
    return work


def configuration_of(session: Session, project: str) -> tuple[int, Configuration]:
    """A project's newest configuration and its version."""
    number, version = _newest(session, project)
    return version, _configuration(session, number)


def _newest(session: Session, project: str) -> tuple[int, int]:
    row = session.execute(
        select(ConfigurationVersion.number, ConfigurationVersion.version)
        .where(ConfigurationVersion.project_id == project)
        .order_by(ConfigurationVersion.version.desc())
        .limit(1)
    ).one_or_none()
    if row is None:
        raise DataError("the project has no configuration", where=project)
    return row.number, row.version


def _configuration(session: Session, number: int) -> Configuration:
    text = session.scalar(
        select(ConfigurationVersion.text).where(ConfigurationVersion.number == number)
    )
    assert text is not None
    return _read(text)


_read = functools.lru_cache(maxsize=64)(read_configuration)


def item_of(item: Item) -> WorkItem:
    """A stored item as works take it."""
    return WorkItem(item.name, msgspec.json.decode(item.paper), msgspec.json.decode(item.key))


def open_item(session: Session, project: str, item: str) -> OpenItem:
    """An item under the project's newest configuration."""
    number, version = _newest(session, project)
    cache = _cache(id(session.get_bind()))
    found = cache.get((item, number))
    if found is None:
        row = session.get(Item, item)
        assert row is not None
        configuration = _configuration(session, number)
        work, made = work_named(configuration.project.work), item_of(row)
        view = work.view(WorkItem(made.name, made.paper), configuration)
        texts = MappingProxyType({text.id: text.text for text in view.texts})
        found = OpenItem(item, made, row.purpose, version, configuration, work, view, texts)
        if len(cache) >= _MOST_CACHED:
            cache.pop(next(iter(cache)), None)
        cache[item, number] = found
    return found


_MOST_CACHED = 512


@functools.lru_cache(maxsize=8)
def _cache(_: int) -> dict[tuple[str, int], OpenItem]:
    """The items that were opened last, of each database."""
    return {}
