"""A project's work as files: ``readmark hall export``. `work_import` reads them back."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from sqlalchemy.orm import Session

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import ReadmarkError
from readmark.core.new_folders import making_folder, writing_folder
from readmark.core.version import __version__
from readmark.server.configurations import newest_version
from readmark.server.exported_files import ExportedFile, files_below, sums_of
from readmark.server.gold import write_gold
from readmark.server.items import items_of
from readmark.server.project_work import last_event, work_of_project
from readmark.server.quality import write_checks
from readmark.server.stored_project import StoredInHall
from readmark.server.tables import Project
from readmark.server.views import ADJUDICATION, work_named
from readmark.works import ADJUDICATIONS, ProjectWork

HALL, GOLD = "hall", "gold"
"""The folders of an export with what only a hall reads, and with what was adjudicated."""
MANIFEST, CONFIGURATION, OBJECTS = "manifest.json", "configuration.toml", "objects.jsonl"


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
    """Write a project's work to a new folder, or to a zip if ``output`` ends in ``.zip``.

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
    manifest = ExportManifest(
        project=project.slug,
        work=name,
        configuration=version.version,
        event=event,
        readmark=__version__,
        people=tuple(person.person for person in project_work.people),
        items=len(project_work.items),
        files=sums_of(folder),
        problem=problem,
    )
    # Only what was written until here has a sum: an import asks whether people edited those files.
    hall_folder = folder / HALL
    hall_folder.mkdir()
    write_checks(session, project.id, project_work, folder)
    encoder = msgspec.json.Encoder(order="deterministic")
    (hall_folder / MANIFEST).write_bytes(msgspec.json.format(encoder.encode(manifest)) + b"\n")
    (hall_folder / CONFIGURATION).write_bytes(version.text.encode())
    with (hall_folder / OBJECTS).open("wb") as stream:
        for row in _stored_rows(project_work):
            stream.write(encoder.encode(row) + b"\n")
    return manifest


def _stored_rows(project_work: ProjectWork) -> list[StoredWork]:
    """Everybody's work on each item that they have begun, by people and then by items."""
    return [
        StoredWork(
            person.person,
            item.name,
            {id: dict(value) for id, value in objects.items()},
            round(person.seconds.get(item.name, 0.0), 3),
        )
        for person in project_work.people
        for item in project_work.items
        if (objects := person.objects.get(item.name)) is not None
    ]


def _write_gold(session: Session, project: Project, folder: Path) -> str:
    """Write the gold, if anything is settled; the reason if decisions contradict each other."""
    # Into a folder of its own first: a gold that fails half-way leaves nothing in the export.
    with tempfile.TemporaryDirectory(prefix="readmark-gold-") as name:
        try:
            if write_gold(session, project, Path(name)):
                shutil.copytree(name, folder)
        except ReadmarkError as error:
            return str(error).replace(f"{name}/", "")
    return ""
