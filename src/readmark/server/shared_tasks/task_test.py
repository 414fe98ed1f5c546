"""A shared task's test as the hall stores it: its splits, which are published, and its card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.kinds import kind_named
from readmark.core.test import Header
from readmark.formats.kind_extras import PublishesPackages
from readmark.server.shared_tasks.data_card import CARD_ROLE, CardSplit, DataCard
from readmark.server.shared_tasks.options import SharedTaskOptions
from readmark.server.tables import ProjectFile


@dataclass(frozen=True)
class TaskSplit:
    """A split of a shared task: how large it is, and what anybody sees of it."""

    name: str
    units: int
    is_hidden: bool
    is_paper_out: bool


@dataclass(frozen=True)
class TaskTest:
    """The test of a shared task, and what of it is published at a moment."""

    project_id: str
    number: int
    """Of the file, which never changes."""
    file: str
    about: Mapping[str, Any]
    hidden: tuple[str, ...]
    are_papers_out: bool
    licence: str

    @cached_property
    def splits(self) -> tuple[TaskSplit, ...]:
        """Its splits in their usual order."""
        return tuple(
            TaskSplit(
                name,
                self.about["units"].get(name, 0),
                name in self.hidden,
                name not in self.hidden or self.are_papers_out,
            )
            for name in self.about["all_splits"]
        )

    @property
    def out(self) -> list[str | None]:
        """The splits whose papers may be read, as records name them."""
        return [split.name or None for split in self.splits if split.is_paper_out]

    @property
    def suffix(self) -> str:
        """How the native file ends."""
        packages = self.packages
        return ".jsonl" if packages is None else packages.package_suffix

    @property
    def packages(self) -> PublishesPackages | None:
        """What publishes the test as the package that it came as; None if it came as records."""
        kind = kind_named(self.about["kind"])
        if not isinstance(kind, PublishesPackages):
            return None
        return kind if self.file.lower().endswith(kind.package_suffix) else None

    @property
    def has_squad(self) -> bool:
        """Whether the test can be had as SQuAD's JSON, which names no kind of test."""
        return bool(self.about["kind"] == Header().kind)


def task_test(
    session: Session, project_id: str, options: SharedTaskOptions, moment: float
) -> TaskTest:
    """The test of a task, as it is published at a moment."""
    file = session.execute(
        select(ProjectFile.number, ProjectFile.name, ProjectFile.about).where(
            ProjectFile.project_id == project_id, ProjectFile.role == "task"
        )
    ).one()
    about: dict[str, Any] = msgspec.json.decode(file.about)
    return TaskTest(
        project_id=project_id,
        number=file.number,
        file=file.name,
        about=about,
        hidden=options.hidden_splits(about),
        are_papers_out=options.are_hidden_papers_out(moment),
        licence=options.licence or about["licence"] or "",
    )


def test_content(session: Session, test: TaskTest) -> bytes:
    """The file of a task's test, keys and all."""
    content = session.scalar(select(ProjectFile.content).where(ProjectFile.number == test.number))
    assert content is not None
    return content


def stored_card(session: Session, test: TaskTest) -> DataCard:
    """The card of a task; until a worker has made it, the sizes of the splits."""
    content = session.scalar(
        select(ProjectFile.content)
        .where(ProjectFile.project_id == test.project_id, ProjectFile.role == CARD_ROLE)
        .order_by(ProjectFile.number.desc())
        .limit(1)
    )
    card = None if content is None else msgspec.json.decode(content, type=DataCard)
    # A split that has been hidden since must not be shown as an older card counted it.
    if card is not None and card.hidden == test.hidden:
        return card
    kind = kind_named(test.about["kind"])
    rows = (CardSplit(split.name, split.units, is_hidden=split.is_hidden) for split in test.splits)
    return DataCard(kind.record_noun, kind.unit_noun, test.hidden, tuple(rows))
