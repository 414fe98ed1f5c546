"""The values that pass between the hall and a work: items, views, findings, and people's work.

`readmark.hooks.Work` says what a work does with them; `read_project` finds the work that a project
names. A work decides nothing about tests: it calls the functions that the command line calls.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.registry import Registry
from readmark.core.test import Header, Test
from readmark.hooks import Work
from readmark.works.configuration import (
    Configuration,
    in_language,
    line_of,
    read_configuration,
)
from readmark.works.marks import Text

MATERIALS = "materials.zip"
"""The file of a project with the ``files`` of its `ProjectMaterials`."""
PEOPLE = "people"
"""The folder, of those that a work writes, with a file for each person."""
WORKS = Registry("work", "readmark.works")
"""What people can do on a test in the browser, by the name that a configuration gives."""
ADJUDICATIONS = Registry("adjudication", "readmark.adjudications")
"""How work is adjudicated, by the name of the work."""

Objects = Mapping[str, Mapping[str, Any]]
"""What a person made of an item: objects by id, each with a ``type`` (see `docs/hall.md`)."""


@dataclass(frozen=True)
class WorkItem:
    """An item before it is stored: ``paper`` is for annotators, ``key`` for the organiser."""

    name: str
    paper: Mapping[str, Any]
    key: Any = None


@dataclass(frozen=True)
class TextView:
    """A text on the page. ``marks`` are given marks that nobody can change."""

    id: str
    text: str
    language: str
    title: str = ""
    marks: tuple[Mapping[str, Any], ...] = ()
    is_editable: bool = True


@dataclass(frozen=True)
class DraftText:
    """A text that a person may take into a form and edit."""

    label: Text
    text: str


@dataclass(frozen=True)
class ItemView:
    """What an annotator's page shows of an item before any work on it."""

    texts: tuple[TextView, ...]
    objects: Objects = field(default_factory=dict)
    """Proposals to correct: objects that every annotator starts from."""
    drafts: Mapping[str, Sequence[DraftText]] = field(default_factory=dict)
    """What a person may take into the first text field of an entry, by the entry's id."""
    page: str = "work"
    """The page that shows it: a template, and a module of the same name in ``static``."""
    configuration: Configuration | None = None
    """The forms and categories of the page, where they are not the project's."""


@dataclass(frozen=True)
class Viewer:
    """Who looks at an item, for views that differ by person."""

    login: str
    roles: frozenset[str]


@dataclass(frozen=True)
class WorkFinding:
    """Something to look at: a broken rule, a contradiction, feedback in practice."""

    code: str
    message: Text
    severity: str = "warning"
    """``error``, ``warning`` or ``hint``."""
    object: str | None = None
    """The id of the object that it is about."""
    detail: Text = ""
    """Why: the rule's explanation or a derivation, as plain text."""

    def as_json(self, language: str) -> dict[str, Any]:
        """The finding in a person's language."""
        return {
            "code": self.code,
            "message": in_language(self.message, language),
            "severity": self.severity,
            "object": self.object,
            "detail": in_language(self.detail, language),
        }


@dataclass(frozen=True)
class PersonsWork:
    """What one person made of a project's items: objects by item name."""

    person: str
    objects: Mapping[str, Objects]
    seconds: Mapping[str, float] = field(default_factory=dict)
    finished: frozenset[str] = frozenset()
    login: str = ""
    """What orders that differ by person are drawn by."""
    roles: frozenset[str] = frozenset()
    """The person's roles in the project; none for somebody who has left it."""
    object_seconds: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Seconds by item name and object: what went by before each of its changes."""


@dataclass(frozen=True)
class ProjectWork:
    """Everything that a work needs to write files: items in order, and everybody's work."""

    configuration: Configuration
    headers: Sequence[Header]
    """Of the test that the items come from, or of its two sides."""
    items: Sequence[WorkItem]
    people: Sequence[PersonsWork]
    numbers: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By item, the order in which objects were begun, from 1; what is removed keeps its number."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files that belong to the project, by their paths in an export."""
    stored: StoredProject | None = None
    """More than people's work on items, where the hall exports the project."""

    @property
    def header(self) -> Header:
        """The test's own; of a test with two sides the first's."""
        return next(iter(self.headers), Header())

    def finished_by(self, item: str) -> list[PersonsWork]:
        """The people who have handed an item in, in their order."""
        return [person for person in self.people if item in person.finished]

    def finished(self) -> ProjectWork:
        """The project with what people have handed in, and without those who have not."""
        return replace(self, people=_finished(self.people))

    def finished_on(self, names: Collection[str]) -> ProjectWork:
        """Some of the items, by name, with what people have handed in of them."""
        chosen = frozenset(names)
        people = [replace(person, finished=person.finished & chosen) for person in self.people]
        items = [item for item in self.items if item.name in chosen]
        return replace(self, items=items, people=_finished(people))


def _finished(people: Iterable[PersonsWork]) -> list[PersonsWork]:
    """People with the objects of what they handed in, and without those who handed in nothing.

    An item may be handed in without objects, such as a form in which nothing applies.
    """
    return [
        replace(
            person,
            objects={
                name: objects for name, objects in person.objects.items() if name in person.finished
            },
        )
        for person in people
        if person.finished
    ]


class OptionFault(UsageError):
    """An option that does not fit the test; ``path`` leads to it in the configuration."""

    def __init__(self, message: str, *path: str) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True)
class ProjectMaterials:
    """What a project keeps of a test, besides its items or instead of them."""

    files: bytes | None = None
    """A zip that every export builds on."""
    about: Mapping[str, Any] | None = None
    """What is noted of a test that is kept whole; None where it is divided into items."""
    has_hidden: bool = False
    """Whether hidden splits are part of the test that is kept."""


class StoredProject(Protocol):
    """What a work may ask of the hall about a project: no database is in sight."""

    @property
    def configuration(self) -> Configuration:
        """The newest configuration."""

    @property
    def about(self) -> Mapping[str, Any]:
        """What was noted of the test that is kept."""

    def open_test(self, folder: Path) -> Test:
        """The test that is kept, in a folder."""

    def ask(self, job: Literal["people", "board"]) -> None:
        """Ask the hall's workers for people's row or a new board."""

    def mark_again(self) -> None:
        """Let every submission be marked again."""

    def write(self, folder: Path) -> None:
        """Write submissions, boards and the public part of the test."""


def read_project(text: str, file: str = "project.toml") -> tuple[Configuration, Work]:
    """A configuration and its work; what either refuses is a ``DataError`` with a line."""
    configuration = read_configuration(text, file)
    name = configuration.project.work
    if name not in WORKS:
        message = f"no work {name!r}; {did_you_mean(name, WORKS)}"
        raise DataError(message, file=file, where=line_of(text, "project", "work"))
    work: Work = WORKS.load(name)
    for path, message in work.faults(configuration):
        raise DataError(message, file=file, where=line_of(text, *path))
    return configuration, work
