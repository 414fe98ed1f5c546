"""What a kind of work is: how a test becomes items, and how people's work becomes files again.

A work decides nothing about tests: it calls the functions that the command line calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.registry import Registry
from readmark.core.test import Header, Test
from readmark.works.configuration import (
    Configuration,
    in_language,
    line_of,
    read_configuration,
)
from readmark.works.marks import Text

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

MATERIALS = "materials.zip"
"""The file of a project with what :class:`KeepsMaterials` keeps."""
WORKS = Registry("work", "readmark.works")
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

    @property
    def header(self) -> Header:
        """The test's own, where it has one side."""
        return next(iter(self.headers), Header())


class ShownWork(Protocol):
    """What a page needs of work on an item."""

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """What the person's page shows; made of the paper alone."""
        ...

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterable[WorkFinding]:
        """What the library says of work in progress; made of paper and objects alone."""
        ...


@runtime_checkable
class PersonalView(Protocol):
    """Work whose page differs by person: another order, or questions for experts only."""

    def arrange(
        self, view: ItemView, item: WorkItem, configuration: Configuration, viewer: Viewer
    ) -> ItemView:
        """The view for one person. It may leave objects out, and adds none."""
        ...


@runtime_checkable
class OwnOrder(Protocol):
    """Work that decides in which order a person gets the items."""

    def order(
        self, items: Sequence[str], configuration: Configuration, login: str
    ) -> Sequence[str]:
        """The names of the items in the person's order."""
        ...


@runtime_checkable
class KeyedWork(Protocol):
    """Work that makes each person's file a sitting, which can be marked with a key."""

    def keyed_test(self, project: ProjectWork) -> Test:
        """The test with the key that the items came with, and with nobody's answers in it."""
        ...


@runtime_checkable
class UnevenOverlap(Protocol):
    """Work of which some items go to more people than others."""

    def people_for(self, item: WorkItem, configuration: Configuration) -> int | None:
        """How many people get an item; None for as many as the project says."""
        ...


@runtime_checkable
class KeepsTest(Protocol):
    """Work of which the project keeps the test itself; the test is not divided into items."""

    keeps_hidden: bool
    """Whether hidden splits are part of it."""

    def describe(self, tests: Sequence[Test], configuration: Configuration) -> Mapping[str, Any]:
        """What the project notes about the test; one that this cannot be done with is refused."""
        ...


@runtime_checkable
class KeepsMaterials(Protocol):
    """Work whose export is a whole task, of which the items are the documents alone."""

    def materials(self, tests: Sequence[Test]) -> bytes | None:
        """What the project keeps besides the items, as a zip; None where there is no more."""
        ...


class OptionFault(UsageError):
    """An option that does not fit the test; ``path`` leads to it in the configuration."""

    def __init__(self, message: str, *path: str) -> None:
        super().__init__(message)
        self.path = path


@runtime_checkable
class FollowsChanges(Protocol):
    """Work on a kept test that depends on the configuration."""

    def require_fitting(self, configuration: Configuration, about: Mapping[str, Any]) -> None:
        """Refuse a configuration that does not fit what was noted about the test."""
        ...

    def follow_creation(self, session: Session, project_id: str) -> None:
        """Ask for what a new project needs."""
        ...

    def follow_change(
        self, session: Session, project_id: str, before: Configuration, now: Configuration
    ) -> None:
        """Ask for what a new configuration makes necessary."""
        ...


@runtime_checkable
class WritesStored(Protocol):
    """Work of which more is stored than people's work on items."""

    def write_stored(self, session: Session, project_id: str, folder: Path) -> None:
        """Write it into the folder of an export."""
        ...


@runtime_checkable
class PooledWork(KeepsTest, Protocol):
    """Work on what systems answered: sittings bring the items."""

    def pooled(
        self,
        rows: Sequence[Any],
        documents: Mapping[str, TextView],
        items: Sequence[WorkItem],
        configuration: Configuration,
    ) -> Iterator[WorkItem]:
        """Items for the pooled answers that no item of the project asks about yet."""
        ...


class Adjudication(ShownWork, Protocol):
    """How different work of several people on an item becomes one gold.

    An adjudicator's item has the versions of an item that two or more people have handed in.
    """

    most: int | None
    """How many people's versions of an item can be compared; None for any number."""

    def configuration(self, project: Configuration) -> Configuration:
        """The forms and categories of the adjudicator's page."""
        ...

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """An item for each item of the project on which finished work differs, by its name."""
        ...

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """Write the gold and the decisions. ``decided`` has the adjudicators' items and work."""
        ...


class Work(ShownWork, Protocol):
    """A kind of work, such as writing questions or segmenting words."""

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """What the work cannot do of a configuration: the path of a member, and a message."""
        ...

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """The items of a test, or of the two sides of one. Records of hidden splits are left out.

        The papers of practice and qualifying items must not give away what is graded.
        """
        ...

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterable[WorkFinding]:
        """Work on a practice or qualifying item compared with its key; empty if all is right."""
        ...

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """Write people's work as files that every other command reads: one per person, and
        where it makes sense all in one."""
        ...

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Work from a file as (person, item name, objects): sheets and labels of earlier work."""
        ...


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
