"""Writing a test as a task of a harness."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError
from readmark.core.splits import without_hidden
from readmark.core.test import Test
from readmark.formats.registry import open_test
from readmark.making.harness.examples import ExampleDraw
from readmark.making.harness.task_files import MAX_TOKENS, no_targets, write_task
from readmark.making.harness.task_questions import HarnessTask, harness_task


@dataclass(frozen=True, slots=True)
class ExportedTask(Result):
    """A task that was written."""

    output: str
    task: HarnessTask
    files: list[str]

    def as_json(self) -> dict[str, Any]:
        task = self.task
        return {
            "output": self.output,
            "task": task.name,
            "paper": task.paper,
            "questions": len(task.questions),
            "options": task.with_options,
            "without_target": task.withheld,
            "shots": [example["id"] for example in task.examples],
            "files": self.files,
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """What was written, and how many questions have no target."""
        task = self.task
        questions = counted(len(task.questions), "question")
        written = f"{self.output} written: task {task.name}, {questions}"
        if not task.withheld:
            return (written,)
        return (f"{no_targets(task.withheld)}: the harness counts that as wrong", written)

    def show(self, console: Console) -> None:
        for line in self.notes:
            console.print(line)


def export_task(
    test: Test,
    output: str | Path,
    harness: str,
    *,
    prompt: str | None = None,
    max_tokens: int = MAX_TOKENS,
    shots: int | None = None,
    shots_from: str | Path | None = None,
    seed: int = 1,
    with_keys: bool = False,
) -> ExportedTask:
    """Write a test as a task of a harness: ``lm-eval`` or ``inspect``.

    ``shots`` examples from the test ``shots_from`` come before each question, drawn by ``seed``.
    """
    if (shots is None) != (shots_from is None):
        raise UsageError("--shots N and --shots-from TEST2 go together")
    require_distinct_files([output], [test.file, prompt, shots_from])
    draw = None
    if shots is not None and shots_from is not None:
        source, _ = without_hidden(open_test(shots_from), "for examples")
        draw = ExampleDraw(source, shots, seed)
    task = harness_task(test, prompt=prompt or "", with_keys=with_keys, shots=draw)
    return ExportedTask(str(output), task, write_task(task, output, harness, max_tokens=max_tokens))
