"""The pool of a judging project: answers that no gold decides on, and the gold that judges make.

"All answers provided by reading systems are retained" ("The DARPA Machine Reading Program", section
3.3). It does what ``readmark task pool``, ``task gold`` and ``mark`` do, on the files of a hall.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from readmark.core.binding import require_known_ids, sat_splits
from readmark.core.errors import UsageError
from readmark.core.json_lines import json_line
from readmark.core.language import primary
from readmark.core.sitting import Sitting
from readmark.core.splits import select_splits, without_hidden
from readmark.core.test import Test
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_sitting, open_test
from readmark.marking import mark
from readmark.tasks.gold_versions import make_gold
from readmark.tasks.hall.judging_disputes import JUDGING_DISPUTES
from readmark.tasks.hall.judging_items import judging_items
from readmark.tasks.hall.verdicts import judged_answers
from readmark.tasks.packer import at_version, pack
from readmark.tasks.pooled_answers import PooledRow, answer_id, pool
from readmark.tasks.task_folder import gather
from readmark.works import (
    Configuration,
    NewItems,
    PooledGold,
    PooledMarks,
    PooledSitting,
    PooledTask,
    PoolVerdicts,
    ProjectWork,
    TextView,
    WorkItem,
)


@dataclass(frozen=True)
class UnjudgedRows:
    """Answers that the gold does not decide on, and the documents that they are about."""

    rows: Sequence[PooledRow]
    documents: Mapping[str, TextView]

    def __len__(self) -> int:
        return len(self.rows)

    def items(self, present: Sequence[WorkItem], configuration: Configuration) -> NewItems:
        """An item for each document with answers that no present item asks about."""
        items = judging_items(self.rows, self.documents, present, configuration)
        return NewItems(items, sum(len(item.key["ids"]) for item in items))


class TaskPool:
    """Answers of systems to a reading task, judged by people."""

    def take(self, task: PooledTask, sitting: Path) -> PooledSitting:
        """A sitting of the task; one of another paper, or that cannot be read, is refused."""
        test = _judged_part(task)
        sat = open_sitting(sitting, test.kind)
        sat_splits(test, sat)
        require_known_ids(test, sat)
        answers = [row.answer for id in sat for row in sat.of(id)]
        native = sitting.with_name("native.jsonl")
        NATIVE_SITTING.write_sitting(sat, native)
        return PooledSitting(
            candidate=sat.candidate,
            content=native.read_bytes(),
            answers=sum(len(bindings) for bindings in answers if isinstance(bindings, list)),
            unjudged=_unjudged(test, [sat]),
        )

    def unjudged(self, task: PooledTask, sittings: Sequence[Path]) -> UnjudgedRows:
        """What the gold does not decide on of several sittings."""
        test = _judged_part(task)
        return _unjudged(test, [open_sitting(path, test.kind) for path in sittings])

    def judged(self, project: ProjectWork, decided: ProjectWork) -> PoolVerdicts:
        """What judges' verdicts and adjudicators' decisions make of a project's answers."""
        lines = JUDGING_DISPUTES.decided(decided).values()
        return judged_answers(project, [line for decisions in lines for line in decisions])

    def make_gold(self, task: PooledTask, judged: PoolVerdicts, *, drop: bool) -> PooledGold:
        """The task with what is settled in its gold; `DroppedAnswers` unless ``drop`` allows it."""
        if not judged.settled:
            raise UsageError("no verdict is settled yet: judges hand their items in first")
        verdicts = task.path.with_name("pool.jsonl")
        verdicts.write_bytes(b"".join(map(json_line, judged.settled.values())))
        gold = make_gold(
            task.path,
            task.path.with_name("gold.jsonl"),
            adjudicated=[str(verdicts)],
            revise=True,
            drop=drop,
        )
        if not gold.recorded:
            raise UsageError("the gold has every verdict that is settled")
        packed = task.path.with_name("packed.zip")
        pack(at_version(gather(task.path), gold.version), packed)
        sorts = ("recorded", "explicit", "inferred", "rejected", "out_of_bounds")
        counts = {sort: getattr(gold, sort) for sort in sorts}
        return PooledGold(gold.version, packed.read_bytes(), counts, gold.dropped)

    def mark(self, task: PooledTask, sitting: Path) -> PooledMarks:
        """The marks of a kept sitting."""
        test = _judged_part(task)
        sat = open_sitting(sitting, test.kind)
        marks = mark(test, sat, classes=False).as_json(units=False)["marks"]
        return PooledMarks(frozenset(map(answer_id, pool(test, [sat]))), marks)


def _judged_part(task: PooledTask) -> Test:
    """The part of a task whose answers are judged: named splits, or all that are not hidden."""
    part, _ = without_hidden(select_splits(open_test(task.path), task.splits), "for judges")
    return part


def _unjudged(test: Test, sittings: Sequence[Sitting]) -> UnjudgedRows:
    rows = list(pool(test, sittings))
    ids = {row.document for row in rows}
    documents = {
        record.id: TextView(
            record.id, record.text, primary(record.language or test.language), record.title or ""
        )
        for record in test.records()
        if record.id in ids
    }
    return UnjudgedRows(rows, documents)


TASK_POOL = TaskPool()
