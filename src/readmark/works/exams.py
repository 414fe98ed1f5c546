"""A test that people sit in a project: what the hall asks of a work that has the hook ``exam``.

The hall has the clock, the results, the paper to print and the form for what was written on it.
What is asked, what counts as an answer and how one is typed belong to the work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from readmark.works.marks import Text

if TYPE_CHECKING:
    from readmark.works.configuration import Configuration
    from readmark.works.work import Objects, ProjectWork, WorkItem


@dataclass(frozen=True)
class OpenQuestions:
    """The numbers of an item's questions without an answer, and of those with an unread one."""

    count: int = 0
    """How many questions the item has in all."""
    unanswered: tuple[int, ...] = ()
    unread: tuple[int, ...] = ()


@dataclass(frozen=True)
class SatFiles:
    """The test that people sat as a file, with its key, and who sat it."""

    test: Path
    people: Sequence[Path]
    machines: Mapping[str, Path]
    """By the machine's name."""


@dataclass(frozen=True)
class TypedEntries:
    """What somebody typed for a question: objects of its item by id, and what to look at."""

    objects: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    count: int = 0
    """How many answers there are."""
    problem: str = ""
    """``absent``, ``ambiguous`` and ``unread`` answers are to be stored; ``unreadable`` is not."""


class PrintedQuestion(Protocol):
    """A question with its number on the paper."""

    @property
    def number(self) -> int:
        """Its number on the paper, from 1."""

    @property
    def item(self) -> str:
        """The name of its item."""

    @property
    def entry(self) -> str:
        """The id of its object in the item."""

    @property
    def prompt(self) -> str:
        """The question."""

    @property
    def context(self) -> str:
        """What is printed below it."""

    @property
    def parts(self) -> Sequence[str]:
        """What the parts of an answer are called, where it has several."""

    @property
    def options(self) -> Sequence[tuple[str, str]]:
        """Letters and options."""

    @property
    def box(self) -> Literal["letter", "rating", "line", "lines"]:
        """What the box on the answer sheet takes."""

    @property
    def key(self) -> Sequence[str]:
        """What the key has, in words; nothing where the key is not asked for."""

    def read(self, typed: str, entry: Mapping[str, Any]) -> TypedEntries:
        """An answer as it was typed from the paper; ``entry`` is the form of the question."""

    def typed(self, objects: Objects) -> str:
        """The answers in an item's objects as they would be typed."""


@dataclass(frozen=True)
class PrintedText:
    """A text with its questions."""

    number: int
    title: str
    text: str
    language: str
    questions: Sequence[PrintedQuestion]


@dataclass(frozen=True)
class PrintedPaper:
    """A test to print. ``number`` tells papers apart: it is that of the paper's fingerprint."""

    number: str
    language: str
    minutes: float | None
    texts: Sequence[PrintedText]
    task: Text = ""
    """What to do with the questions, where they do not say so themselves."""
    instructions: Text = ""
    """How the answer sheet is filled in."""

    @property
    def questions(self) -> list[PrintedQuestion]:
        """All of them, in order."""
        return [question for text in self.texts for question in text.questions]


class ProjectExam(Protocol):
    """The test of a project, for those who organise it and those who sit it."""

    def minutes(self, configuration: Configuration) -> float | None:
        """How long a sitting takes; None where nobody looks at the clock."""

    def open_questions(self, item: WorkItem, objects: Objects) -> OpenQuestions:
        """The questions of an item that have no answer, or one that cannot be read."""

    def paper(self, project: ProjectWork, *, with_key: bool) -> PrintedPaper:
        """The paper to print; keys are in it only where they are asked for."""

    def write_sat(self, project: ProjectWork, folder: Path) -> SatFiles:
        """Write the test, people's sittings and those of machines, for marking."""
