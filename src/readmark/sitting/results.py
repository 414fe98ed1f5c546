"""How far a run is, and what it did: `RunProgress` after each row, `SatResult` at its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Console

from readmark.core.counts import counted, seconds_left
from readmark.core.display import Result
from readmark.core.spent import Spent


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a sitting is; ``before`` were answered in an earlier run."""

    total: int
    before: int
    answered: int
    errors: int
    seconds: float

    @property
    def rate(self) -> float:
        """Units a second in this run."""
        return (self.answered + self.errors) / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that are left at this rate; None while that is too early to say."""
        done = self.answered + self.errors
        return seconds_left(done, self.total - self.before - done, self.rate)


Watch = Callable[[RunProgress], None]


@dataclass(frozen=True, repr=False)
class SatResult(Result):
    """What a run did that wrote a journal; `mark` takes it as it takes the journal's path."""

    progress: RunProgress
    candidate: str
    repaired: str | None
    errors: int
    """Error rows that remain."""
    unanswered: int
    """Units that the candidate gave no row for, or a reply without an answer."""
    refused: int = 0
    """Rows of this run in which a language model declined to answer."""
    notes: tuple[str, ...] = ()
    """What else a reader should know, one per line."""
    spent: Spent = field(default_factory=Spent)
    """Tokens and money of this run, where the candidate counts them."""
    path: str = ""
    """The journal."""
    workers: int = 1
    """Processes that had the candidate."""

    def __fspath__(self) -> str:
        return self.path

    def as_json(self) -> dict[str, Any]:
        """The document that ``sit --json`` prints."""
        document = asdict(self)
        return {"sitting": document.pop("path"), **document, "spent": self.spent.as_json()}

    def show(self, console: Console) -> None:
        """Print who sat how many units, and what that cost."""
        progress = self.progress
        not_answered = self.errors + self.unanswered + self.refused
        parts = [f"{progress.total - progress.before - not_answered:,} answered"]
        if self.refused:
            parts.append(f"{self.refused:,} refused")
        if progress.before:
            parts.append(f"{progress.before:,} before")
        if self.errors:
            parts.append(counted(self.errors, "error"))
        if self.unanswered:
            parts.append(f"{self.unanswered:,} without an answer")
        units = counted(progress.total, "unit")
        console.print(
            f"{self.path}: {self.candidate} sat {units}: {', '.join(parts)}", soft_wrap=True
        )
        if self.spent.words:
            console.print(f"{self.path}: {self.spent.words}", soft_wrap=True)
