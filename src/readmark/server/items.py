"""The items of a project: read from tests, stored, listed and counted."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

import msgspec
from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.splits import select_splits, without_hidden
from readmark.core.test import Header, Test
from readmark.formats.registry import open_languages
from readmark.hooks import hook
from readmark.server.audit import AuditAction, record
from readmark.server.tables import Item, Project
from readmark.server.views import CONTROL, work_named
from readmark.works import Configuration, ProjectMaterials, WorkItem

PURPOSES = ("work", "practice", "qualifying", CONTROL)
POOLED_TASK = "task.zip"
"""What an export calls the task of a project that judges answers."""
BATCH = 100
"""Items that are stored at a time."""
LONGEST_NAME = 300
"""Characters of an item's name."""
_ROW = msgspec.json.Decoder(tuple[str, msgspec.Raw, msgspec.Raw])


@dataclass(frozen=True)
class ItemSource:
    """A file that items are made of; hidden splits are used only where they are named."""

    path: Path
    purpose: str = "work"
    splits: tuple[str, ...] = ()
    format: str | None = None


@dataclass(frozen=True)
class KeptTest:
    """A test that a project keeps, and what is noted about it: splits that were named first."""

    name: str
    content: bytes
    about: Mapping[str, Any]


@dataclass(frozen=True)
class ReadItems:
    """The items of a file, the headers of its tests, and what was left out, in words."""

    headers: tuple[Header, ...]
    rows: IO[bytes]
    """Name, paper and key of each item as a line of JSON: large tests are not held in memory."""
    purpose: str
    notes: tuple[str, ...] = ()
    kept: KeptTest | None = None
    """The test itself, where sittings bring the items."""
    materials: bytes | None = None
    """What else of the test an export needs."""


def read_items(source: ItemSource, configuration: Configuration) -> ReadItems:
    """The items that the configuration's work makes of a test."""
    if source.purpose not in PURPOSES:
        raise UsageError(f"purpose {source.purpose!r}; {did_you_mean(source.purpose, PURPOSES)}")
    work = work_named(configuration.project.work)
    materials = ProjectMaterials()
    if source.purpose == "work" and (keep := hook(work, "keep")) is not None:
        materials = keep(open_tests(source, hidden=True)[0], configuration)
    tests, notes = open_tests(source, hidden=materials.has_hidden)
    headers = tuple(test.header for test in tests)
    if materials.about is not None:
        about = {"splits": source.splits, **materials.about}
        name = POOLED_TASK if hook(work, "pool") is not None else source.path.name
        kept = KeptTest(name, source.path.read_bytes(), about)
        return ReadItems(headers, item_rows(()), "work", notes, kept)
    names: set[str] = set()
    rows = item_rows(())
    for item in work.divide(tests, configuration, purpose=source.purpose):
        if len(item.name) > LONGEST_NAME:
            message = f"the id is longer than {LONGEST_NAME} characters"
            raise DataError(message, file=source.path, where=item.name[:40])
        if item.name in names:
            raise DataError("the id occurs twice", file=source.path, where=item.name)
        if source.purpose != "work" and item.key is None:
            message = f"has no key, and {source.purpose} items need known answers"
            raise DataError(message, file=source.path, where=item.name)
        if not names:
            work.view(item, configuration)  # a configuration that does not fit fails here
        names.add(item.name)
        rows.write(_line(item))
    if not names:
        work_name = configuration.project.work
        raise DataError(f"has nothing to hand out for the work {work_name!r}", file=source.path)
    return ReadItems(headers, rows, source.purpose, notes, materials=materials.files)


def open_tests(source: ItemSource, *, hidden: bool) -> tuple[list[Test], tuple[str, ...]]:
    """The test in a file, or those of its languages; hidden splits only if asked for or named.

    With notes on what was left out.
    """
    tests: list[Test] = []
    notes: tuple[str, ...] = ()
    for whole in open_languages(source.path, format=source.format):
        test = select_splits(whole, source.splits)
        if not hidden:
            test, withheld = without_hidden(test, "for annotators")
            notes += withheld
        tests.append(test)
    return tests, notes


def item_rows(items: Iterable[WorkItem]) -> IO[bytes]:
    """Items as :class:`ReadItems` holds them."""
    rows = tempfile.SpooledTemporaryFile(max_size=1 << 20)  # noqa: SIM115  # closed with its owner
    for item in items:
        rows.write(_line(item))
    return rows


def _line(item: WorkItem) -> bytes:
    return msgspec.json.encode((item.name, item.paper, item.key)) + b"\n"


def add_items(
    session: Session, project: Project, added: ReadItems, *, by: str | None = None
) -> int:
    """Store items that the project does not have yet; how many those are."""
    if added.kept is not None:
        raise UsageError("the project has its task: upload sittings, which bring the items")
    known = set(
        session.scalars(
            select(Item.name).where(Item.project_id == project.id, Item.purpose == added.purpose)
        )
    )
    last = session.scalar(
        select(func.coalesce(func.max(Item.position), -1)).where(Item.project_id == project.id)
    )
    position = -1 if last is None else last
    count = 0
    added.rows.seek(0)
    lines = map(_ROW.decode, added.rows)
    while batch := list(islice((row for row in lines if row[0] not in known), BATCH)):
        rows = [
            {
                "project_id": project.id,
                "position": position + count + number,
                "name": name,
                "purpose": added.purpose,
                "paper": bytes(paper).decode(),
                "key": bytes(key).decode(),
            }
            for number, (name, paper, key) in enumerate(batch, 1)
        ]
        session.execute(insert(Item), rows)
        count += len(rows)
    if count:
        detail = {"purpose": added.purpose, "items": count}
        record(session, AuditAction.ITEMS_ADDED, by, project.id, **detail)
    return count


def items_of(session: Session, project_id: str, purpose: str | None = None) -> list[Item]:
    """A project's items in order, all of them or those of a purpose."""
    query = select(Item).where(Item.project_id == project_id).order_by(Item.position)
    if purpose is not None:
        query = query.where(Item.purpose == purpose)
    return list(session.scalars(query))


def item_counts(session: Session, project_id: str) -> dict[str, int]:
    """How many items a project has for each purpose."""
    rows = session.execute(
        select(Item.purpose, func.count())
        .where(Item.project_id == project_id)
        .group_by(Item.purpose)
    )
    return {row[0]: row[1] for row in rows}
