"""What a hall answers about reading tasks, as results that print themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console

from readmark.core import numbers
from readmark.core.display import Result, plain_table


@dataclass(frozen=True)
class ReadingTask:
    """A reading task that a hall serves."""

    id: str
    name: str = ""
    sort: str = ""
    """``bundled``, ``project``, ``uploaded`` or ``generated``."""
    root: str = ""
    is_own: bool = False


@dataclass(frozen=True, repr=False)
class ReadingTasks(Result, Sequence[ReadingTask]):
    """The reading tasks that a hall serves."""

    tasks: tuple[ReadingTask, ...] = ()

    def __getitem__(self, index: Any) -> Any:
        return self.tasks[index]

    def __len__(self) -> int:
        return len(self.tasks)

    def show(self, console: Console) -> None:
        """Print a line for each task."""
        table = plain_table("task", "name", "from")
        for task in self.tasks:
            table.add_row(task.id, task.name, task.sort)
        console.print(table)


@dataclass(frozen=True, repr=False)
class ReasonerReply(Result):
    """What the reasoner of a hall answers; ``document`` is that of the command's ``--json``."""

    call: str
    document: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.document[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.document)

    def as_json(self) -> Any:
        """The document as it came."""
        return dict(self.document)

    def show(self, console: Console) -> None:
        """Print how much there is of each part."""
        table = plain_table(self.call, "value")
        for name, value in self.document.items():
            is_list = isinstance(value, (list, dict))
            table.add_row(name, f"{len(value):,}" if is_list else str(value))
        console.print(table)


@dataclass(frozen=True, repr=False)
class ScoredAnswers(Result):
    """Answers to a reading task, scored by the gold that was the newest then."""

    id: str
    task: str = ""
    candidate: str = ""
    gold: int = 0
    """The version of the gold."""
    created: float = 0.0
    result: dict[str, Any] = field(default_factory=dict)
    """``public`` is what ``mark --json`` prints for open splits, ``hidden`` has totals."""

    @property
    def marks(self) -> Mapping[str, Any]:
        """The marks on the open splits, by their metrics."""
        public = self.result.get("public") or {}
        marks: Mapping[str, Any] = public.get("marks") or {}
        return marks

    def show(self, console: Console) -> None:
        """Print the marks."""
        console.print(f"{self.candidate} on {self.task}, version {self.gold} of the gold")
        table = plain_table("metric", "score", "interval")
        for metric, mark in self.marks.items():
            scale = mark.get("scale", 100)
            interval = numbers.interval(mark.get("low"), mark.get("high"), scale)
            table.add_row(metric, numbers.mark(mark.get("score"), scale), interval)
        console.print(table)
