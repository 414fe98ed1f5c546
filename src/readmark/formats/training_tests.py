"""Tests that a model is trained on: what may be learnt from, and where the model may go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.display import Result
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError
from readmark.core.progress import Tell
from readmark.core.splits import without_hidden
from readmark.core.test import Test
from readmark.formats.registry import open_test
from readmark.text.training_record import TrainingRecord, compared_text, make_source

if TYPE_CHECKING:
    from rich.console import Console


class TrainingTests:
    """Opens tests to train on: without hidden splits, unless one is selected by its name."""

    def __init__(self, progress: Tell) -> None:
        self._progress = progress
        self.hidden: list[str] = []
        """A note for each test on its hidden splits, which are not learnt from."""
        self._opened: list[Test] = []

    def open(self, path: str | Path, *, split: str | None = None) -> Test:
        """A test; what is withheld of it is noted and reported."""
        test, notes = without_hidden(open_test(path, split=split), "for training")
        for note in notes:
            self.hidden.append(note)
            self._progress(note)
        self._opened.append(test)
        return test

    def record(
        self,
        *,
        use: str | None = None,
        skip: Callable[[Test, Any], bool] = lambda test, passage: False,
    ) -> TrainingRecord:
        """The training record of the model: what it learnt from in the tests that were opened.

        Passages that an epoch or a threshold was chosen by count too; ``skip`` leaves out those
        that had no part in it.
        """
        sources = []
        for test in self._opened:
            texts = (
                compared_text(test, passage)
                for passage in test.records()
                if not skip(test, passage)
            )
            name = test.header.name or Path(test.file).name
            sources.append(make_source(name, texts, use=use, paper=test.facts.paper))
        return TrainingRecord(sources=tuple(dict.fromkeys(sources)))


def require_model_file(out: str | Path, inputs: Sequence[str | Path]) -> None:
    """Refuse to write over an input, or where no file can be."""
    require_distinct_files([out], inputs)
    if Path(out).is_dir() or not Path(out).parent.is_dir():
        raise UsageError(
            f"{out} cannot be written: its folder must be there, and it must be a file"
        )


@dataclass(frozen=True, slots=True)
class TrainedModel(Result):
    """Where the model is; each training adds what it learnt from and how that went."""

    model: str

    @property
    def notes(self) -> tuple[str, ...]:
        """The line that tells where the model is."""
        return (f"{self.model} written",)

    def show(self, console: Console) -> None:
        """Print nothing: where the model is, is a note."""
