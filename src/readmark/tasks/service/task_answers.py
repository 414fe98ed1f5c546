"""Answers to a packed task that were opened: a list of them, and each with what it rests on."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from readmark.core.errors import ReadmarkError
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.registry import open_sitting, open_test
from readmark.tasks.service.answer_entries import AnswerEntry, gold_entries, sitting_entries
from readmark.tasks.service.answer_provenance import AnswerProvenance, answer_provenance


@dataclass(frozen=True)
class TaskAnswers:
    """The answers of a sitting to a task in the order of the task, or the task's gold."""

    test: Test
    sitting: Sitting | None = None

    @cached_property
    def entries(self) -> list[AnswerEntry]:
        """All of them."""
        if self.sitting is None:
            return list(gold_entries(self.test))
        return list(sitting_entries(self.test, self.sitting))

    def shown(self, unit: str, number: int) -> AnswerProvenance | None:
        """An answer to a unit, with its place in the list; None if there is no such answer."""
        places = [(entry.unit, entry.number) for entry in self.entries]
        if (unit, number) not in places:
            return None
        return answer_provenance(self.test, self.entries, places.index((unit, number)))


@contextmanager
def task_answers(task: Path | bytes, sitting: bytes | None = None) -> Iterator[TaskAnswers]:
    """The answers of a sitting to a packed task, or its gold; files are there while it is open."""
    with tempfile.TemporaryDirectory(prefix="readmark-answers-") as folder:
        path = task if isinstance(task, Path) else Path(folder, "task.zip")
        if isinstance(task, bytes):
            path.write_bytes(task)
        try:
            test = open_test(path)
            opened_sitting = None
            if sitting is not None:
                Path(folder, "sitting.jsonl").write_bytes(sitting)
                opened_sitting = open_sitting(Path(folder, "sitting.jsonl"), test.kind)
            yield TaskAnswers(test, opened_sitting)
        except ReadmarkError as error:
            error.args = (str(error).replace(f"{folder}/", ""),)
            raise
