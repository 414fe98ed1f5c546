"""A project's work as files, and files as work: ``readmark hall export`` and ``hall import``."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from sqlalchemy import inspect, select
from sqlalchemy.orm import Session

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import DataError, ReadmarkError
from readmark.core.folders import Folder
from readmark.core.json_lines import decode
from readmark.core.new_folders import making_folder, writing_folder
from readmark.core.numbers import listed_ids
from readmark.core.problems import fail
from readmark.core.version import __version__
from readmark.formats.people_names import folded_name, require_name
from readmark.server.access import HallRole
from readmark.server.audit import AuditAction, record
from readmark.server.database import Database, known_revisions, reported, sqlite_file
from readmark.server.exported_files import ExportedFile, files_below, sums_of
from readmark.server.gold import write_gold
from readmark.server.log import (
    STATUS,
    Change,
    append,
    last_event,
    object_states,
    people_by_label,
    state_with,
    work_of_project,
)
from readmark.server.objects import check_object
from readmark.server.projects import items_of, newest_version
from readmark.server.quality import write_checks
from readmark.server.stored_project import StoredInHall
from readmark.server.tables import Assignment, Event, Membership, Person, Project
from readmark.server.views import (
    ADJUDICATION,
    item_of,
    newest_configuration,
    open_item,
    work_named,
)
from readmark.works import ADJUDICATIONS, Objects

HALL, GOLD = "hall", "gold"
"""The folders of an export with what only a hall reads, and with what was adjudicated."""
MANIFEST, CONFIGURATION, OBJECTS = "manifest.json", "configuration.toml", "objects.jsonl"
IMPORTED = "import-"
"""How the client of imported events is called."""


class ExportManifest(msgspec.Struct, frozen=True):
    """What an export is of: the same event and configuration give the same bytes."""

    project: str
    work: str
    configuration: int
    event: int
    readmark: str
    people: tuple[str, ...]
    items: int
    files: tuple[ExportedFile, ...]
    problem: str = ""
    """Why there is no gold, where decisions contradict each other."""


class StoredWork(msgspec.Struct, frozen=True):
    """What a person made of an item, as the hall has it."""

    person: str
    item: str
    objects: dict[str, dict[str, Any]]
    seconds: float = 0.0


# Export.


@dataclass(frozen=True)
class HallExport(Result):
    """A project's work that was written to a folder."""

    output: str
    manifest: ExportManifest

    def as_json(self) -> dict[str, Any]:
        return {"output": self.output, **msgspec.to_builtins(self.manifest)}

    def show(self, console: Console) -> None:
        """What was written."""
        people = counted(len(self.manifest.people), "person", "people")
        files = counted(len(self.manifest.files), "file")
        about = f"configuration {self.manifest.configuration}, event {self.manifest.event}"
        console.print(f"{self.output}: {files}, work of {people} ({about})", soft_wrap=True)
        for file in self.manifest.files:
            console.print(f"  {file.name}", soft_wrap=True)
        if self.manifest.problem:
            console.print(f"no gold: {self.manifest.problem}", soft_wrap=True)


def export_project(session: Session, project: Project, output: str | Path) -> HallExport:
    """Write a project's work to a new folder, or to a zip where the name says so.

    It is people's work under their names, so only its owner can read it.
    """
    output = Path(output)
    if output.suffix.lower() == ".zip":
        with tempfile.TemporaryDirectory(prefix="readmark-export-") as folder:
            manifest = _write(session, project, Path(folder))
            with writing_folder(output, is_private=True) as write:
                for path in files_below(Path(folder)):
                    write(path.relative_to(folder).as_posix(), path.read_bytes())
    else:
        with making_folder(output, is_private=True) as part:
            manifest = _write(session, project, part)
    return HallExport(str(output), manifest)


def _write(session: Session, project: Project, folder: Path) -> ExportManifest:
    version, event = newest_version(session, project.id), last_event(session, project.id)
    project_work = work_of_project(session, project.id)
    stored = StoredInHall(session, project.id, project_work.configuration)
    name = project_work.configuration.project.work
    work_named(name).write(replace(project_work, stored=stored), folder)
    has_gold = name in ADJUDICATIONS and bool(items_of(session, project.id, ADJUDICATION))
    problem = _write_gold(session, project, folder / GOLD) if has_gold else ""
    written = sums_of(folder)
    manifest = ExportManifest(
        project=project.slug,
        work=name,
        configuration=version.version,
        event=event,
        readmark=__version__,
        people=tuple(person.person for person in project_work.people),
        items=len(project_work.items),
        files=written,
        problem=problem,
    )
    rows = [
        StoredWork(
            person.person,
            item,
            {id: dict(value) for id, value in objects.items()},
            round(person.seconds.get(item, 0.0), 3),
        )
        for person in project_work.people
        for item in (one.name for one in project_work.items)
        if (objects := person.objects.get(item)) is not None
    ]
    own = folder / HALL
    own.mkdir()
    write_checks(session, project.id, project_work, folder)
    encoder = msgspec.json.Encoder(order="deterministic")
    (own / MANIFEST).write_bytes(msgspec.json.format(encoder.encode(manifest)) + b"\n")
    (own / CONFIGURATION).write_bytes(version.text.encode())
    with (own / OBJECTS).open("wb") as stream:
        for row in rows:
            stream.write(encoder.encode(row) + b"\n")
    return manifest


def _write_gold(session: Session, project: Project, folder: Path) -> str:
    """Write the gold where there is any; why there is none where decisions forbid it."""
    with tempfile.TemporaryDirectory(prefix="readmark-gold-") as name:
        try:
            if write_gold(session, project, Path(name)):
                shutil.copytree(name, folder)
        except ReadmarkError as error:
            return str(error).replace(f"{name}/", "")
    return ""


# Import.


@dataclass(frozen=True)
class HallImport(Result):
    """What of a file's work was new to the project."""

    file: str
    items: int
    """Items of people that the file has work on."""
    changed: int
    """Those that got something new."""
    conflicts: int
    """Objects that a person has changed in the hall meanwhile: both versions are kept."""
    created: tuple[str, ...] = ()
    """People whom the hall did not know."""
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "items": self.items,
            "changed": self.changed,
            "conflicts": self.conflicts,
            "created": list(self.created),
            "notes": list(self.notes),
        }

    def show(self, console: Console) -> None:
        """What was new, and what somebody must look at."""
        new = f"{self.changed} new or changed" if self.changed else "nothing new"
        console.print(f"{self.file}: {counted(self.items, 'item')}, {new}", soft_wrap=True)
        for line in self.lines:
            console.print(f"  {line}", soft_wrap=True)

    @property
    def lines(self) -> tuple[str, ...]:
        """What somebody should know, in words."""
        lines = [
            f"{name}: not known here, so a disabled account was made; the owner can enable it"
            for name in self.created
        ]
        if self.conflicts:
            objects = counted(self.conflicts, "object")
            lines.append(f"{objects} differ from newer work in the hall: both versions are kept")
        return (*lines, *self.notes)


@dataclass(frozen=True)
class ReadWork:
    """The work in a file before it is stored."""

    file: str
    rows: tuple[StoredWork, ...]
    is_export: bool = False
    """Whether it is all that people made of the items, and not only what a sheet has of it."""
    notes: tuple[str, ...] = ()


def read_work(session: Session, project: Project, path: str | Path) -> ReadWork:
    """The work of a hall's export as it was, or of any file that the project's work reads."""
    path = Path(path)
    configuration = newest_configuration(session, project.id)
    if path.is_dir() or path.suffix.lower() == ".zip":
        folder = Folder(path)
        if f"{HALL}/{MANIFEST}" in folder:
            return _read_export(folder, configuration.project.work)
    items = {item.name: item_of(item) for item in items_of(session, project.id, "work")}
    work = work_named(configuration.project.work)
    rows = [
        StoredWork(person, item, {id: dict(value) for id, value in objects.items()})
        for person, item, objects in work.read(path, items, configuration)
    ]
    if not rows:
        raise DataError("has no work in it", file=path)
    return ReadWork(str(path), tuple(rows))


def store_work(
    session: Session, project: Project, work: ReadWork, *, by: str | None = None
) -> HallImport:
    """Add work from a file to a project; what the project has already changes nothing."""
    items = {item.name: item for item in items_of(session, project.id, "work")}
    unknown = [row.item for row in work.rows if row.item not in items]
    if len(unknown) == len(work.rows):
        message = f"no item is one of the project {project.slug!r}: {listed_ids(unknown)}"
        raise DataError(message, file=work.file)
    people = _people(session, project.id)
    created: list[str] = []
    withdrawn: list[str] = []
    changed = conflicts = 0
    for row in work.rows:
        if row.item not in items:
            continue
        name = require_name(row.person, "person", is_file=True, file=work.file, where=row.item)
        folded = folded_name(name)
        if folded not in people:
            people[folded] = placeholder(session, project, name)
            created.append(name)
        person = people[folded]
        if person is None:
            message = f"several people are called {name!r}: name the file by the login instead"
            raise DataError(message, file=work.file, where=row.item)
        assignment = assignment_for(session, project, items[row.item].id, person)
        if assignment.withdrawn is not None:
            withdrawn.append(f"{name}: {row.item}")
            continue
        saved, clashing = _add(session, assignment, row, work)
        changed += bool(saved or clashing)
        conflicts += clashing
    notes = list(work.notes)
    if unknown:
        notes.append(f"items that the project does not have, left out: {listed_ids(unknown)}")
    if withdrawn:
        notes.append(f"items that were withdrawn, left out: {listed_ids(withdrawn)}")
    if changed:
        detail = {"items": len(work.rows), "changed": changed, "created": len(created)}
        record(session, AuditAction.IMPORTED, by, project.id, **detail)
    return HallImport(work.file, len(work.rows), changed, conflicts, tuple(created), tuple(notes))


def _read_export(folder: Folder, work: str) -> ReadWork:
    place = folder.place(f"{HALL}/{MANIFEST}")
    try:
        manifest = msgspec.json.decode(folder.read(f"{HALL}/{MANIFEST}"), type=ExportManifest)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
        raise DataError(f"not a manifest of an export ({error})", file=place) from None
    if manifest.work != work:
        message = f"an export of the work {manifest.work!r}, expected {work!r}"
        raise DataError(message, file=place)
    edited = [
        file.name
        for file in manifest.files
        if file.name in folder
        and hashlib.sha256(folder.read(file.name, whole=True)).hexdigest() != file.sha256
    ]
    note = f"changed since the export, so import them by name: {listed_ids(edited)}"
    decoder = msgspec.json.Decoder(StoredWork)
    name = f"{HALL}/{OBJECTS}"
    rows = [
        row
        for number, line in enumerate(folder.read(name).splitlines(), 1)
        if (row := decode(folder.place(name), number, line, decoder, fail)) is not None
    ]
    if not rows:
        raise DataError("has no work in it", file=folder.path)
    return ReadWork(str(folder.path), tuple(rows), True, (note,) if edited else ())


def _add(
    session: Session, assignment: Assignment, row: StoredWork, work: ReadWork
) -> tuple[int, int]:
    """Append what is new; how many changes were saved, and how many are conflicts."""
    opened = open_item(session, assignment.project_id, assignment.item_id)
    for id, value in row.objects.items():
        try:
            check_object(id, value, opened.texts)
        except DataError as error:
            place = f"{row.person}, {row.item}"
            raise DataError(str(error), file=work.file, where=place) from None
    states = object_states(session, assignment.id)
    present = state_with(opened.view.objects, states)
    shapes: dict[str, list[str]] = {}
    for id, has in present.items():
        shapes.setdefault(_shape(has, present), []).append(id)
    same: dict[str, str] = {}
    """The ids in the file of objects that the hall has, and their ids there."""
    for id, value in row.objects.items():
        if alike := shapes.get(_shape(value, row.objects)):
            same[id] = alike.pop(alike.index(id)) if id in alike else alike.pop()
    fresh: dict[str, dict[str, Any] | None] = {
        id: _linked(value, same) for id, value in row.objects.items() if id not in same
    }
    if not states and work.is_export:  # proposals that it does not have were removed
        kept = {*same.values(), *fresh}
        fresh |= {id: None for id in opened.view.objects if id not in kept}
    elif not states:  # sheets and labels of earlier work are finished work
        fresh.setdefault(STATUS, {"type": "status", "done": True})
    encoded = msgspec.json.encode([row.person, row.item, row.objects], order="deterministic")
    client = IMPORTED + hashlib.sha256(encoded).hexdigest()[:32]
    # The same work gives the same numbers, so what has been imported before is not again.
    ids = sorted({*row.objects, *opened.view.objects, STATUS})
    before = set(
        session.scalars(
            select(Event.sequence).where(
                Event.assignment_id == assignment.id, Event.client == client
            )
        )
    )
    changes: list[Change] = []
    for id, new in fresh.items():
        sequence = ids.index(id) + 1
        if sequence in before:
            continue
        state = states.get(id)
        # What an earlier import brought is replaced; what a person did is not.
        base = state.event if state and state.client.startswith(IMPORTED) else None
        seconds = max(row.seconds, 0.0) if not states and not changes else 0.0
        changes.append(Change(sequence, id, new, base, None, seconds))
    results = append(session, assignment, client, changes)
    saved = sum(result.status == "saved" for result in results)
    return saved, sum(result.status == "conflict" for result in results)


def _linked(value: dict[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    """An object whose relations lead to the ids that the hall has."""
    if not isinstance(value.get("relations"), dict):
        return value
    relations = {
        name: [ids.get(one, one) for one in to] if isinstance(to, list) else ids.get(to, to)
        for name, to in value["relations"].items()
    }
    return {**value, "relations": relations}


def _shape(value: Mapping[str, Any], objects: Objects) -> str:
    """What an object is, whatever its id and its place in a list are."""
    kept = {
        name: member
        for name, member in value.items()
        if name not in ("order", "prompt", "context") and member not in (None, "", [], {})
    }
    if isinstance(kept.get("fields"), dict):
        fields: dict[str, Any] = kept["fields"]
        kept["fields"] = {name: one for name, one in fields.items() if one not in (None, "", [])}
    if isinstance(kept.get("relations"), dict):
        kept["relations"] = {
            name: [_target(one, objects) for one in (to if isinstance(to, list) else [to])]
            for name, to in kept["relations"].items()
        }
    return msgspec.json.encode(kept, order="deterministic").decode()


def _target(id: Any, objects: Objects) -> list[Any]:
    mark = objects.get(str(id), {})
    return [mark.get(name) for name in ("text", "category", "start", "end")]


def assignment_for(session: Session, project: Project, item_id: str, person: Person) -> Assignment:
    """A person's assignment of an item, which is made if there is none."""
    found = session.scalar(
        select(Assignment).where(Assignment.item_id == item_id, Assignment.person_id == person.id)
    )
    if found is not None:
        return found
    last = session.scalar(
        select(Assignment.position)
        .where(Assignment.project_id == project.id, Assignment.person_id == person.id)
        .order_by(Assignment.position.desc())
        .limit(1)
    )
    made = Assignment(
        project_id=project.id,
        item_id=item_id,
        person_id=person.id,
        position=0 if last is None else last + 1,
    )
    session.add(made)
    session.flush()
    return made


# People whom files name.


def _people(session: Session, project_id: str) -> dict[str, Person | None]:
    """The people of a project by what exports call them, and by login; None is two people."""
    labels = people_by_label(session, project_id)
    found: dict[str, Person | None] = {folded_name(name): own for name, own in labels.items()}
    for person in labels.values():
        found.setdefault(folded_name(person.name), None)
    for person in labels.values():
        found.setdefault(folded_name(person.login), person)
    return found


def placeholder(session: Session, project: Project, name: str) -> Person:
    """A disabled account for somebody whose work comes from a file or from paper."""
    base = re.sub(r"\s+", ".", folded_name(name))[:150]
    login, number = base, 1
    while session.scalar(select(Person.id).where(Person.login == login)) is not None:
        number += 1
        login = f"{base}.{number}"
    person = Person(login=login, name=name, password="!", is_disabled=True)
    session.add(person)
    session.flush()
    roles = newest_configuration(session, project.id).project.roles
    role = str(next(iter(roles), HallRole.ANNOTATOR))
    session.add(Membership(project_id=project.id, person_id=person.id, role=role))
    session.flush()
    return person


# A hall's database, for commands that run next to the server.


@contextmanager
def open_database(url: str, *, needs_newest: bool = True) -> Iterator[Database]:
    """The database of a hall that has been started before, with this version of Readmark.

    It is closed in the end. What it refuses until then is an error of one line.
    """
    database = Database(url)
    file = sqlite_file(url)
    if file and not Path(file).exists():
        raise DataError("no such database: readmark serve makes one", file=file)
    try:
        with reported(url):
            is_hall = inspect(database.engine).has_table(Project.__tablename__)
            revision = database.revision()
        if not is_hall:
            raise ReadmarkError("the database is not that of a hall: readmark serve makes one")
        if needs_newest and revision != known_revisions()[0]:
            raise ReadmarkError(
                "the database is of another version of Readmark: "
                "readmark serve upgrades an older one"
            )
        with reported(url, "used"):
            yield database
    finally:
        database.close()
