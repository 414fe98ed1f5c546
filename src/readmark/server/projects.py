"""Projects: a configuration and a test become items, and the configuration can change later."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib.resources import as_file, files
from itertools import islice
from pathlib import Path, PurePath
from typing import IO, Any, BinaryIO

import msgspec
from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError, ReadmarkError, UsageError, did_you_mean
from readmark.core.splits import select_splits, without_hidden
from readmark.core.test import Header, Test
from readmark.formats.registry import open_languages
from readmark.hooks import hook
from readmark.server.audit import AuditAction, record
from readmark.server.clock import close_overdue
from readmark.server.full_disk import noticing_full_disk
from readmark.server.pages import ASSETS
from readmark.server.stored_project import StoredInHall
from readmark.server.tables import (
    ConfigurationVersion,
    Item,
    Project,
    ProjectFile,
)
from readmark.server.views import ADJUDICATION, CONTROL, item_of, newest_configuration, work_named
from readmark.works import (
    MATERIALS,
    WORKS,
    Configuration,
    OptionFault,
    ProjectMaterials,
    WorkItem,
    line_of,
    listing_of,
    read_configuration,
    read_project,
)

SHIPPED = ASSETS / "projects"
PURPOSES = ("work", "practice", "qualifying", CONTROL)
POOLED_TASK = "task.zip"
"""What an export calls the task of a project that judges answers."""
BATCH = 100
"""Items that are stored at a time."""
LONGEST_NAME = 300
"""Characters of an item's name."""
_ROW = msgspec.json.Decoder(tuple[str, msgspec.Raw, msgspec.Raw])
_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?")
_BUNDLED = re.compile(r"\w+\.(en|zh)\.(jsonl|zip)")
_RESERVED = frozenset({"new"})
"""What stands in addresses in the place of a slug."""


# Configurations: those that ship, and a project's own in its versions.


def shipped_names() -> list[str]:
    """The configurations that come with Readmark."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def shipped_configuration(name: str) -> str:
    """The text of a configuration that comes with Readmark."""
    if name not in shipped_names():
        raise UsageError(f"unknown configuration {name!r}; {did_you_mean(name, shipped_names())}")
    return (SHIPPED / f"{name}.toml").read_text("utf-8")


def newest_version(session: Session, project_id: str) -> ConfigurationVersion:
    """The configuration that counts."""
    found = session.scalar(
        select(ConfigurationVersion)
        .where(ConfigurationVersion.project_id == project_id)
        .order_by(ConfigurationVersion.version.desc())
        .limit(1)
    )
    assert found is not None
    return found


class NewerConfiguration(ReadmarkError):
    """Somebody has changed the configuration since the text was made of it."""

    def __init__(self, newest: ConfigurationVersion) -> None:
        super().__init__(f"version {newest.version} has been saved in the meantime")
        self.version, self.text = newest.version, newest.text


def configuration_version(session: Session, project_id: str, version: int) -> ConfigurationVersion:
    """A version of a project's configuration."""
    found = session.scalar(
        select(ConfigurationVersion).where(
            ConfigurationVersion.project_id == project_id, ConfigurationVersion.version == version
        )
    )
    if found is None:
        raise DataError(f"the project has no version {version} of its configuration")
    return found


def change_configuration(
    session: Session,
    project: Project,
    text: str,
    *,
    version: int | None = None,
    by: str | None = None,
) -> ConfigurationVersion:
    """Make a text the project's newest configuration; one that does not fit changes nothing.

    ``version`` is the one that the text was made of: if there is a newer one, that stays.
    """
    text = text.replace("\r\n", "\n")
    session.get(Project, project.id, with_for_update=True)  # one change after the other
    newest = newest_version(session, project.id)
    if text == newest.text:
        return newest
    if version is not None and version != newest.version:
        raise NewerConfiguration(newest)
    configuration, work = read_project(text)
    before = newest_configuration(session, project.id)
    if configuration.project.work != before.project.work:
        raise DataError(
            f"the project's items are made for {before.project.work!r}, not for "
            f"{configuration.project.work!r}: create another project for other work",
            file="project.toml",
            where=line_of(text, "project", "work"),
        )
    # The first item that people work on: those of adjudicators are not made for this view.
    item = session.scalar(
        select(Item)
        .where(Item.project_id == project.id, Item.purpose != ADJUDICATION)
        .order_by(Item.position)
        .limit(1)
    )
    if item is not None:
        work.view(item_of(item), configuration)
    if (follow := hook(work, "follow")) is not None:
        with _naming_lines(text):
            follow(StoredInHall(session, project.id, configuration), before)
    made = ConfigurationVersion(
        project_id=project.id,
        version=newest.version + 1,
        text=text,
        listing=msgspec.json.encode(listing_of(configuration)).decode(),
        person_id=by,
    )
    session.add(made)
    record(session, AuditAction.CONFIGURATION_CHANGED, by, project.id, version=made.version)
    session.flush()
    return made


# Items.


def bundled_tests() -> list[str]:
    """The tests that come with Readmark, by file."""
    names = (resource.name for resource in files("readmark.bundle").iterdir())
    return sorted(name for name in names if _BUNDLED.fullmatch(name))


def bundled_test(name: str) -> AbstractContextManager[Path]:
    """The file of a test that comes with Readmark."""
    if name not in bundled_tests():
        raise UsageError(f"unknown test {name[:80]!r}; {did_you_mean(name[:80], bundled_tests())}")
    return as_file(files("readmark.bundle").joinpath(name))


@dataclass(frozen=True)
class ItemSource:
    """A file that items are made of; hidden splits are used only where they are named."""

    path: Path
    purpose: str = "work"
    splits: tuple[str, ...] = ()
    format: str | None = None


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


@dataclass(frozen=True)
class KeptTest:
    """A test that a project keeps, and what is noted about it: splits that were named first."""

    name: str
    content: bytes
    about: Mapping[str, Any]


@dataclass(frozen=True)
class NewProject:
    """A project before it is stored: a configuration, and everything that is worked on."""

    configuration: str
    sources: tuple[ReadItems, ...]


def prepare_project(configuration: str, sources: Sequence[ItemSource]) -> NewProject:
    """Read everything that a new project needs; the work may complete the configuration."""
    configuration = configuration.replace("\r\n", "\n")
    draft = read_configuration(configuration)
    main = next((source for source in sources if source.purpose == "work"), None)
    if main is None:
        raise UsageError("a project needs a test to work on")
    if draft.project.work in WORKS:
        complete = hook(work_named(draft.project.work), "complete")
        if complete is not None:  # categories that come from a task or its domain
            tests, _ = _open_tests(main, hidden=False)
            configuration = complete(configuration, tests, draft)
    parsed, _ = read_project(configuration)
    with _naming_lines(configuration):
        return NewProject(configuration, tuple(read_items(source, parsed) for source in sources))


@contextmanager
def _naming_lines(text: str) -> Iterator[None]:
    """Name the line of an option that does not fit the test."""
    try:
        yield
    except OptionFault as error:
        line = line_of(text, *error.path)
        raise DataError(str(error), file="project.toml", where=line) from error


def read_items(source: ItemSource, configuration: Configuration) -> ReadItems:
    """The items that the configuration's work makes of a test."""
    if source.purpose not in PURPOSES:
        raise UsageError(f"purpose {source.purpose!r}; {did_you_mean(source.purpose, PURPOSES)}")
    work = work_named(configuration.project.work)
    materials = ProjectMaterials()
    if source.purpose == "work" and (keep := hook(work, "keep")) is not None:
        materials = keep(_open_tests(source, hidden=True)[0], configuration)
    tests, notes = _open_tests(source, hidden=materials.has_hidden)
    names: set[str] = set()
    rows = tempfile.SpooledTemporaryFile(max_size=1 << 20)  # noqa: SIM115  # closed with its owner
    if materials.about is not None:
        about = {"splits": source.splits, **materials.about}
        name = POOLED_TASK if hook(work, "pool") is not None else source.path.name
        kept = KeptTest(name, source.path.read_bytes(), about)
        return ReadItems(tuple(test.header for test in tests), rows, "work", notes, kept)
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
        rows.write(msgspec.json.encode((item.name, item.paper, item.key)) + b"\n")
    if not names:
        what = configuration.project.work
        raise DataError(f"has nothing to hand out for the work {what!r}", file=source.path)
    headers = tuple(test.header for test in tests)
    return ReadItems(headers, rows, source.purpose, notes, materials=materials.files)


def _open_tests(source: ItemSource, *, hidden: bool) -> tuple[list[Test], tuple[str, ...]]:
    """The test in a file, or those of its languages; hidden splits only if asked for or named."""
    tests: list[Test] = []
    notes: tuple[str, ...] = ()
    for whole in open_languages(source.path, format=source.format):
        test = select_splits(whole, source.splits)
        if not hidden:
            test, withheld = without_hidden(test, "for annotators")
            notes += withheld
        tests.append(test)
    return tests, notes


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
    position = session.scalar(
        select(func.coalesce(func.max(Item.position), -1)).where(Item.project_id == project.id)
    )
    place = -1 if position is None else position
    count = 0
    added.rows.seek(0)
    lines = map(_ROW.decode, added.rows)
    while batch := list(islice((row for row in lines if row[0] not in known), BATCH)):
        new = [
            {
                "project_id": project.id,
                "position": place + count + number,
                "name": name,
                "purpose": added.purpose,
                "paper": bytes(paper).decode(),
                "key": bytes(key).decode(),
            }
            for number, (name, paper, key) in enumerate(batch, 1)
        ]
        session.execute(insert(Item), new)
        count += len(new)
    if count:
        detail = {"purpose": added.purpose, "items": count}
        record(session, AuditAction.ITEMS_ADDED, by, project.id, **detail)
    return count


def item_rows(items: Iterable[WorkItem]) -> IO[bytes]:
    """Items as :class:`ReadItems` holds them."""
    rows = tempfile.SpooledTemporaryFile(max_size=1 << 20)  # noqa: SIM115  # closed with its owner
    for item in items:
        rows.write(msgspec.json.encode((item.name, item.paper, item.key)) + b"\n")
    return rows


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


# Creating, opening and closing.


def store_project(
    session: Session,
    new: NewProject,
    *,
    slug: str = "",
    by: str | None = None,
) -> Project:
    """Store a new project."""
    parsed, work = read_project(new.configuration)
    chosen = _require_free(session, slug) if slug else _free_slug(session, parsed)
    headers = [
        header for source in new.sources if source.purpose == "work" for header in source.headers
    ]
    project = Project(slug=chosen, headers=msgspec.json.encode(headers).decode())
    session.add(project)
    session.flush()
    session.add(
        ConfigurationVersion(
            project_id=project.id,
            version=1,
            text=new.configuration,
            listing=msgspec.json.encode(listing_of(parsed)).decode(),
            person_id=by,
        )
    )
    # Practice comes first, then what qualifies, then the work: positions follow this order.
    for purpose in ("practice", "qualifying", "work", CONTROL):
        for source in new.sources:
            if source.purpose == purpose and source.kept is None:
                add_items(session, project, source, by=by)
            elif source.purpose == purpose and source.kept is not None:
                about = msgspec.json.encode(source.kept.about).decode()
                kept = {"name": source.kept.name, "content": source.kept.content}
                file = {"role": "task", "about": about, **kept}
                session.add(ProjectFile(project_id=project.id, person_id=by, **file))
            if source.purpose == purpose and source.materials is not None:
                file = {"role": "materials", "name": MATERIALS, "content": source.materials}
                session.add(ProjectFile(project_id=project.id, person_id=by, **file))
    record(
        session, AuditAction.PROJECT_CREATED, by, project.id, slug=chosen, work=parsed.project.work
    )
    if (follow := hook(work, "follow")) is not None:
        follow(StoredInHall(session, project.id, parsed), None)
    return project


def set_open(session: Session, project: Project, is_open: bool, *, by: str | None = None) -> None:
    """Open a project for work, or close it; a closed one can be read and exported."""
    found = session.get(Project, project.id)
    assert found is not None
    if found.is_open != is_open:
        close_overdue(session, found.id)
        found.is_open = is_open
        action = AuditAction.PROJECT_OPENED if is_open else AuditAction.PROJECT_CLOSED
        record(session, action, by, project.id)


def project_named(session: Session, slug: str) -> Project:
    """The project of a slug."""
    found = session.scalar(select(Project).where(Project.slug == slug))
    if found is None:
        known = list(session.scalars(select(Project.slug).order_by(Project.slug)))
        raise UsageError(f"unknown project {slug!r}; {did_you_mean(slug, known)}")
    return found


def _require_free(session: Session, slug: str) -> str:
    if not _SLUG.fullmatch(slug) or slug in _RESERVED:
        raise UsageError(
            f"{slug[:60]!r} cannot be a short name: expected lower-case letters, digits and hyphens"
        )
    if session.scalar(select(Project.id).where(Project.slug == slug)) is not None:
        raise UsageError(f"there is a project {slug!r} already")
    return slug


def _free_slug(session: Session, configuration: Configuration) -> str:
    """A short name made of the project's name, or of its work where that has no Latin letters."""
    name = configuration.project.name
    text = name if isinstance(name, str) else name.get("en", "")
    words = re.findall(r"[a-z0-9]+", text.lower())
    base = "-".join(words)[:50].strip("-") or configuration.project.work.replace("_", "-")
    taken = set(session.scalars(select(Project.slug).where(Project.slug.startswith(base))))
    taken |= _RESERVED
    number = 1
    slug = base
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug


# Uploads: files that a browser sends, as files that formats can read.


@contextmanager
def uploaded(stream: BinaryIO, name: str | None) -> Iterator[Path]:
    """A private copy of an upload under its own name; errors call it by that name."""
    safe = re.sub(r"[^\w.-]", "_", PurePath((name or "").replace("\\", "/")).name)
    # File systems count bytes, and the ending says what the file is.
    safe = safe.encode()[-120:].decode("utf-8", "ignore").lstrip(".-") or "upload"
    with noticing_full_disk(), tempfile.TemporaryDirectory(prefix="readmark-upload-") as folder:
        path = Path(folder) / safe
        with path.open("wb") as target:
            shutil.copyfileobj(stream, target, 1 << 20)
        try:
            yield path
        except ReadmarkError as error:
            # Nobody has heard of the copy's folder.
            error.args = (str(error).replace(f"{folder}/", ""),)
            raise
