"""Answers of systems that people judge: what the hall asks of a work that has the hook ``pool``.

The hall keeps a task, the sittings of systems and what judges say. What nobody has judged, what the
verdicts settle, and the gold and the marks that follow belong to the room of the work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.numbers import first_ids

if TYPE_CHECKING:
    from readmark.works.configuration import Configuration
    from readmark.works.work import ProjectWork, WorkItem


@dataclass(frozen=True)
class PooledTask:
    """The file of a task with its newest gold, and the splits whose answers are judged."""

    path: Path
    splits: tuple[str, ...] = ()
    """All that are not hidden where none is named."""


class NewItems(NamedTuple):
    """Items for judges, and how many answers they ask about."""

    items: Sequence[WorkItem]
    answers: int


class UnjudgedAnswers(Protocol):
    """Answers that the gold does not decide on, each once."""

    def __len__(self) -> int:
        """How many there are."""

    def items(self, present: Sequence[WorkItem], configuration: Configuration) -> NewItems:
        """Items for the answers that no present item asks about."""


@dataclass(frozen=True)
class PooledSitting:
    """A system's sitting as it is kept."""

    candidate: str
    content: bytes
    """The native sitting."""
    answers: int
    """How many answers it has."""
    unjudged: UnjudgedAnswers


@dataclass(frozen=True)
class PoolVerdicts:
    """Pooled answers by their ids, sorted by what has become of them."""

    settled: Mapping[str, Any]
    """With their verdicts, as the room keeps them."""
    waiting: Mapping[str, Any]
    """Not judged, or not by enough people."""
    disputed: Mapping[str, Any]
    """Judged differently, and nobody has decided."""


@dataclass(frozen=True)
class PooledGold:
    """A new version of the gold: the whole task with it, and how many answers of each sort."""

    version: int
    content: bytes
    counts: Mapping[str, int]
    """``recorded`` (judgements that are new), ``explicit``, ``inferred``, ``rejected``,
    ``out_of_bounds``."""
    dropped: Sequence[str]
    """Right answers of the gold before that this one does not have."""


@dataclass(frozen=True)
class PooledMarks:
    """A sitting marked by the gold."""

    unjudged: frozenset[str]
    """The ids of answers that the gold does not decide on."""
    marks: Mapping[str, Any]
    """What ``mark --json`` has under ``marks``."""


class DroppedAnswers(DataError):
    """A version of the gold would lack right answers of the gold that is there."""

    def __init__(self, answers: Sequence[str], *, file: str | Path) -> None:
        self.answers = tuple(answers)
        listed = first_ids(self.answers, 5, between="; ")
        count = counted(len(self.answers), "right answer")
        message = f"{count} of the gold would be dropped: {listed}; `drop` makes the version anyway"
        super().__init__(message, file=file)


class AnswerPool(Protocol):
    """How answers of systems become items, and verdicts gold. Files are read where they are."""

    def take(self, task: PooledTask, sitting: Path) -> PooledSitting:
        """A sitting of the task; one of another paper, or that cannot be read, is refused."""

    def unjudged(self, task: PooledTask, sittings: Sequence[Path]) -> UnjudgedAnswers:
        """What the gold does not decide on of several sittings."""

    def judged(self, project: ProjectWork, decided: ProjectWork) -> PoolVerdicts:
        """What judges' verdicts and adjudicators' decisions make of a project's answers."""

    def make_gold(self, task: PooledTask, judged: PoolVerdicts, *, drop: bool) -> PooledGold:
        """The task with what is settled in its gold; `DroppedAnswers` unless ``drop`` allows it."""

    def mark(self, task: PooledTask, sitting: Path) -> PooledMarks:
        """The marks of a kept sitting."""
