"""Files as a project's work: ``readmark hall import``, of an export or of sheets and labels."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import DataError
from readmark.core.folders import Folder
from readmark.core.json_lines import decode
from readmark.core.numbers import listed_ids
from readmark.core.problems import fail
from readmark.formats.people_names import folded_name, require_name
from readmark.server.audit import AuditAction, record
from readmark.server.changes import Change
from readmark.server.handing_in import STATUS
from readmark.server.items import items_of
from readmark.server.log import append
from readmark.server.object_states import object_states, state_with
from readmark.server.objects import check_object
from readmark.server.people_of_files import assignment_for, people_by_name, placeholder
from readmark.server.tables import Assignment, Event, Project
from readmark.server.views import item_of, newest_configuration, open_item, work_named
from readmark.server.work_export import HALL, MANIFEST, OBJECTS, ExportManifest, StoredWork
from readmark.works import Objects

IMPORTED = "import-"
"""How the client of imported events begins; a hash of the work follows."""


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


def _read_export(folder: Folder, work: str) -> ReadWork:
    """The work that an export's ``hall`` folder has, with a note of files that were edited."""
    place = folder.place(f"{HALL}/{MANIFEST}")
    try:
        manifest = msgspec.json.decode(folder.read(f"{HALL}/{MANIFEST}"), type=ExportManifest)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
        raise DataError(f"not a manifest of an export ({error})", file=place) from None
    if manifest.work != work:
        message = f"an export of the work {manifest.work!r}, expected {work!r}"
        raise DataError(message, file=place)
    # People edit the sheets of an export, which are not what is read here.
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


def store_work(
    session: Session, project: Project, work: ReadWork, *, by: str | None = None
) -> HallImport:
    """Add work from a file to a project; what the project has already changes nothing."""
    items = {item.name: item for item in items_of(session, project.id, "work")}
    unknown = [row.item for row in work.rows if row.item not in items]
    if len(unknown) == len(work.rows):
        message = f"no item is one of the project {project.slug!r}: {listed_ids(unknown)}"
        raise DataError(message, file=work.file)
    people = people_by_name(session, project.id)
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
        saved, conflicting = _append_new(session, assignment, row, work)
        changed += bool(saved or conflicting)
        conflicts += conflicting
    notes = list(work.notes)
    if unknown:
        notes.append(f"items that the project does not have, left out: {listed_ids(unknown)}")
    if withdrawn:
        notes.append(f"items that were withdrawn, left out: {listed_ids(withdrawn)}")
    if changed:
        detail = {"items": len(work.rows), "changed": changed, "created": len(created)}
        record(session, AuditAction.IMPORTED, by, project.id, **detail)
    return HallImport(work.file, len(work.rows), changed, conflicts, tuple(created), tuple(notes))


def _append_new(
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
    hall_ids = _ids_of_equals(row.objects, present)
    new_values: dict[str, dict[str, Any] | None] = {
        id: _linked(value, hall_ids) for id, value in row.objects.items() if id not in hall_ids
    }
    if not states and work.is_export:  # proposals that an export does not have were removed
        remaining = {*hall_ids.values(), *new_values}
        new_values |= {id: None for id in opened.view.objects if id not in remaining}
    elif not states:  # sheets and labels of earlier work are finished work
        new_values.setdefault(STATUS, {"type": "status", "done": True})
    # The same work has the same client and the same numbers, so it is not imported again.
    encoded = msgspec.json.encode([row.person, row.item, row.objects], order="deterministic")
    client = IMPORTED + hashlib.sha256(encoded).hexdigest()[:32]
    ids = sorted({*row.objects, *opened.view.objects, STATUS})
    imported_before = set(
        session.scalars(
            select(Event.sequence).where(
                Event.assignment_id == assignment.id, Event.client == client
            )
        )
    )
    changes: list[Change] = []
    for id, new_value in new_values.items():
        sequence = ids.index(id) + 1
        if sequence in imported_before:
            continue
        state = states.get(id)
        # What an earlier import brought is replaced; what a person did is not.
        base = state.event if state and state.client.startswith(IMPORTED) else None
        # The first change has the time of the whole item.
        seconds = max(row.seconds, 0.0) if not states and not changes else 0.0
        changes.append(Change(sequence, id, new_value, base, None, seconds))
    results = append(session, assignment, client, changes)
    saved = sum(result.status == "saved" for result in results)
    return saved, sum(result.status == "conflict" for result in results)


def _ids_of_equals(objects: Objects, present: Objects) -> dict[str, str]:
    """For objects of a file that the hall has too, their ids there.

    Work that is read from a sheet may have other ids than the same work in the hall.
    """
    ids_by_content: dict[str, list[str]] = {}
    for id, value in present.items():
        ids_by_content.setdefault(_content(value, present), []).append(id)
    hall_ids: dict[str, str] = {}
    for id, value in objects.items():
        # Each object of the hall is matched once, so that a second equal one is new.
        if equals := ids_by_content.get(_content(value, objects)):
            hall_ids[id] = equals.pop(equals.index(id)) if id in equals else equals.pop()
    return hall_ids


def _linked(value: dict[str, Any], hall_ids: Mapping[str, str]) -> dict[str, Any]:
    """An object whose relations lead to the ids that the hall has."""
    if not isinstance(value.get("relations"), dict):
        return value
    relations = {
        name: [hall_ids.get(target, target) for target in targets]
        if isinstance(targets, list)
        else hall_ids.get(targets, targets)
        for name, targets in value["relations"].items()
    }
    return {**value, "relations": relations}


def _content(value: Mapping[str, Any], objects: Objects) -> str:
    """What an object says, whatever its id and its place in a list are."""
    members = {
        name: member
        for name, member in value.items()
        if name not in ("order", "prompt", "context") and member not in (None, "", [], {})
    }
    if isinstance(members.get("fields"), dict):
        fields: dict[str, Any] = members["fields"]
        members["fields"] = {
            name: field for name, field in fields.items() if field not in (None, "", [])
        }
    if isinstance(members.get("relations"), dict):
        # A relation is known by the span that it leads to, since ids differ.
        members["relations"] = {
            name: [
                _target(target, objects)
                for target in (targets if isinstance(targets, list) else [targets])
            ]
            for name, targets in members["relations"].items()
        }
    return msgspec.json.encode(members, order="deterministic").decode()


def _target(id: Any, objects: Objects) -> list[Any]:
    mark = objects.get(str(id), {})
    return [mark.get(name) for name in ("text", "category", "start", "end")]
