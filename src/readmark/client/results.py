"""What a hall says of its tasks, of submissions and of boards, as results that print themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from rich.console import Console

from readmark.client.connection import ClientError
from readmark.core import numbers
from readmark.core.display import Result, counted, plain_table
from readmark.core.printable import printable

WAITING_STATES = ("open", "waiting")
"""A submission in one of these has no marks yet."""
FAILED_STATE = "failed"
UNNAMED = "all"
"""What the records without a split are called in a table."""

T = TypeVar("T")


def read_reply(document: Any, type: type[T]) -> T:
    """A reply as a typed value; members that this version does not know are left out."""
    try:
        return msgspec.convert(harmless(document), type, strict=False)
    except msgspec.ValidationError as error:
        raise ClientError(
            f"unexpected reply of the hall ({error}): does it run another version of Readmark?"
        ) from None


def harmless(document: Any) -> Any:
    """A reply without characters that a terminal would obey."""
    if isinstance(document, str):
        return printable(document)
    if isinstance(document, list):
        return [harmless(part) for part in document]
    if isinstance(document, dict):
        return {harmless(name): harmless(part) for name, part in document.items()}
    return document


@dataclass(frozen=True)
class HallSplit:
    """A split of a shared task."""

    name: str
    units: int = 0
    is_hidden: bool = False
    is_paper_out: bool = True


@dataclass(frozen=True, repr=False)
class HallTask(Result):
    """A shared task of a hall."""

    task: str
    name: str = ""
    kind: str = ""
    language: str = ""
    licence: str = ""
    phase: str | None = None
    address: str = ""
    description: str = ""
    rules: str = ""
    splits: tuple[HallSplit, ...] = ()
    metrics: tuple[str, ...] = ()
    phases: Any = None
    limits: Any = None
    order: Any = None

    def show(self, console: Console) -> None:
        """Print what the task is, and its splits."""
        words = [self.name or self.task, self.kind, self.language, self.licence]
        console.print(", ".join(filter(None, words)), soft_wrap=True)
        console.print(f"phase: {self.phase or 'closed'}")
        if self.splits:
            table = plain_table("split", "units", "key", "paper")
            for split in self.splits:
                table.add_row(
                    _split_words(split.name),
                    f"{split.units:,}",
                    "hidden" if split.is_hidden else "public",
                    "out" if split.is_paper_out else "not out yet",
                )
            console.print(table)


@dataclass(frozen=True, repr=False)
class HallTasks(Result, Sequence[HallTask]):
    """The shared tasks of a hall that you may see."""

    tasks: tuple[HallTask, ...] = ()

    def __getitem__(self, index: Any) -> Any:
        return self.tasks[index]

    def __len__(self) -> int:
        return len(self.tasks)

    def as_json(self) -> Any:
        """All tasks."""
        return {"tasks": [task.as_json() for task in self.tasks]}

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per task."""
        return [task.as_json() for task in self.tasks]

    def show(self, console: Console) -> None:
        """Print a line for each task."""
        if not self.tasks:
            console.print("no tasks")
            return
        table = plain_table("task", "kind", "language", "phase")
        for task in self.tasks:
            table.add_row(task.task, task.kind, task.language, task.phase or "closed")
        console.print(table)


@dataclass(frozen=True)
class ReleasedMark:
    """A mark as the hall shows it."""

    score: float | None = None
    low: float | None = None
    high: float | None = None
    scale: float = 100.0
    signature: str = ""


@dataclass(frozen=True)
class SubmittedSplit:
    """What a hall shows of a submission on a split; ``marks`` is None where it shows none."""

    units: int = 0
    answered: int = 0
    is_hidden: bool = False
    marks: dict[str, ReleasedMark] | None = None
    reason: str = ""
    """Why there are no marks."""
    by: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class HallSubmission(Result):
    """A submission, and the marks that the hall has released."""

    submission: str
    number: int = 0
    task: str = ""
    team: str | None = None
    system: str = ""
    description: str = ""
    is_ensemble: bool = False
    origin: str = ""
    phase: str = ""
    state: str = ""
    error: str = ""
    file_name: str = ""
    sha256: str = ""
    size: int = 0
    received: float | None = None
    marked: float | None = None
    address: str = ""
    splits: dict[str, SubmittedSplit] = field(default_factory=dict)
    is_new: bool = True
    """False if the hall had it already: the same answers of the same system were sent before."""

    @property
    def is_waiting(self) -> bool:
        """Whether the hall has still to mark it."""
        return self.state in WAITING_STATES

    @property
    def is_failed(self) -> bool:
        """Whether it could not be marked; ``error`` says why."""
        return self.state == FAILED_STATE

    def marks(self, split: str | None = None) -> Mapping[str, ReleasedMark]:
        """The marks on a split, or on the only one that has marks."""
        released = {
            name: part.marks for name, part in self.splits.items() if part.marks is not None
        }
        if split is None and len(released) == 1:
            return next(iter(released.values()))
        marks = released.get(split or "")
        if marks is None:
            names = ", ".join(map(_split_words, released)) or "none"
            raise ClientError(f"no marks are shown on split {split!r}; there are marks on: {names}")
        return marks

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per mark."""
        head = {"submission": self.submission, "system": self.system, "team": self.team}
        return [
            {**head, "split": name, "metric": metric, **asdict(mark)}
            for name, part in self.splits.items()
            for metric, mark in (part.marks or {}).items()
        ]

    def show(self, console: Console) -> None:
        """Print what became of it, and its marks."""
        kind = " (ensemble)" if self.is_ensemble else ""
        team = f" by {self.team}" if self.team else ""
        console.print(
            f"submission {self.number} to {self.task}: {self.system}{kind}{team}, "
            f"{self.phase} phase: {self.state}",
            soft_wrap=True,
        )
        if self.error:
            console.print(self.error, soft_wrap=True)
        if self.splits:
            table = plain_table("split", "units", "answered", "metric", "score", "interval")
            for cells in self._cells():
                table.add_row(*cells)
            console.print(table)
        for name, part in self.splits.items():
            if part.marks is None:
                reason = part.reason or "not released"
                console.print(f"{_split_words(name)}: no marks are shown: {reason}", soft_wrap=True)

    def show_full(self, console: Console) -> None:
        """Print the marks by fields, and the signatures too."""
        self.show(console)
        for name, part in self.splits.items():
            for field_name, values in part.by.items():
                table = plain_table(
                    f"{_split_words(name)}, {field_name}", "units", "metric", "score"
                )
                for value, part_of_split in values.items():
                    for metric, mark in (part_of_split.get("marks") or {}).items():
                        table.add_row(
                            value,
                            str(part_of_split["units"]),
                            metric,
                            numbers.mark(mark["score"], mark.get("scale", 100)),
                        )
                console.print(table)
            for metric, released in (part.marks or {}).items():
                console.print(f"{_split_words(name)} {metric} {released.signature}", style="dim")

    def _cells(self) -> Iterator[tuple[str, ...]]:
        for name, part in self.splits.items():
            first = (_split_words(name), f"{part.units:,}", f"{part.answered:,}")
            for metric, mark in (part.marks or {}).items():
                yield (
                    *first,
                    metric,
                    numbers.mark(mark.score, mark.scale),
                    numbers.interval(mark.low, mark.high, mark.scale),
                )
                first = ("", "", "")


@dataclass(frozen=True, repr=False)
class HallSubmissions(Result, Sequence[HallSubmission]):
    """The submissions of your team, or of all teams for an organiser."""

    submissions: tuple[HallSubmission, ...] = ()

    def __getitem__(self, index: Any) -> Any:
        return self.submissions[index]

    def __len__(self) -> int:
        return len(self.submissions)

    def as_json(self) -> Any:
        """All submissions."""
        return {"submissions": [submission.as_json() for submission in self.submissions]}

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per mark."""
        return [row for submission in self.submissions for row in submission.table_rows()]

    def show(self, console: Console) -> None:
        """Print a line for each submission."""
        if not self.submissions:
            console.print("no submissions")
            return
        table = plain_table("system", "number", "received", "phase", "state")
        for submission in self.submissions:
            table.add_row(
                submission.system,
                str(submission.number),
                _utc_minute(submission.received),
                submission.phase,
                submission.state,
            )
        console.print(table)


@dataclass(frozen=True, repr=False)
class HallSitting(Result):
    """What a candidate answered through the API, and what became of it."""

    submission: HallSubmission
    units: int
    answered: int
    errors: int = 0
    """Units that failed in this run; they are tried again when it is resumed."""
    notes: tuple[str, ...] = ()

    @property
    def is_finished(self) -> bool:
        """Whether the answers were handed in."""
        return self.submission.state != "open"

    def as_json(self) -> dict[str, Any]:
        """The submission, with the counts."""
        counts = {"units": self.units, "answered": self.answered, "errors": self.errors}
        return {**self.submission.as_json(), **counts, "notes": list(self.notes)}

    def show(self, console: Console) -> None:
        """Print how many units are answered, and the marks."""
        failed = f", {counted(self.errors, 'error')}" if self.errors else ""
        console.print(f"{self.answered:,} of {counted(self.units, 'unit')} answered{failed}")
        if not self.is_finished:
            console.print("not finished: call it again to resume")
        self.submission.show(console)


@dataclass(frozen=True, repr=False)
class HallBoard(Result):
    """The board of a shared task, as the hall shows it."""

    task: str
    document: Mapping[str, Any]
    """The board as JSON."""
    markdown: str
    """The board as a page in Markdown."""
    csv: str

    def as_json(self) -> Any:
        """The board's own document."""
        return dict(self.document)

    def show(self, console: Console) -> None:
        """Print the board as the hall writes it in Markdown."""
        console.print(self.markdown.rstrip(), soft_wrap=True)

    def as_markdown(self, *, full: bool = False) -> str:
        """The board as the hall writes it."""
        return self.markdown

    def as_csv(self) -> str:
        """The board as the hall writes it."""
        return self.csv


def _split_words(name: str) -> str:
    return name or UNNAMED


def _utc_minute(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
