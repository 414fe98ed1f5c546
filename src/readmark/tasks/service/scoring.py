"""Answers to a part of a task, marked in a process of its own.

Marks of splits that are not hidden are those of ``mark``; of hidden ones there are rounded totals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.binding import require_known_ids, sat_splits
from readmark.core.errors import DataError
from readmark.core.hidden_marks import require_short_answers, rounded_mark, rounded_ratio
from readmark.core.record_members import split_of
from readmark.core.sitting import Sitting
from readmark.core.splits import only_splits
from readmark.core.test import Test
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_sitting
from readmark.marking import mark
from readmark.tasks.kind import TASK
from readmark.tasks.pooled_answers import pool
from readmark.tasks.service.reasoner import answered
from readmark.tasks.service.selection import WHOLE, TaskSelection, gold_version, selected_test

MOST_ANSWERS = 100_000
"""Answers of a submission."""
LONGEST_NAME = 200
"""Characters of a candidate's name."""
NATIVE = "native.jsonl"
"""The submitted answers as a native sitting, which is kept."""


def score_in_process(task: Mapping[str, Any]) -> dict[str, Any]:
    """The other process: a submission's answers, marked by the library."""
    return answered(lambda: _scored(task))


def _scored(task: Mapping[str, Any]) -> dict[str, Any]:
    """The scores; the sitting is written as a native one of the whole task that the part is of."""
    folder = Path(task["folder"])
    selection = msgspec.convert(task["selection"], TaskSelection)
    test = selected_test(folder / "task.zip", selection)
    sitting = open_sitting(task["file"], test.kind)
    candidate = _candidate(sitting, *task["names"])
    splits = sat_splits(test, sitting)
    require_known_ids(test, sitting)
    answers = [row.answer for id in sitting for row in sitting.of(id)]
    count = sum(len(bindings) for bindings in answers if isinstance(bindings, list))
    if not 0 < count <= MOST_ANSWERS:
        raise DataError(f"has {count} answers, expected 1 to {MOST_ANSWERS}", file=sitting.file)
    answered_splits = {split_of(unit.record) for unit in test.units() if unit.id in sitting.rows}
    hidden = [name for name in splits if name in test.header.hidden]
    shown = [name for name in splits if name not in hidden and name in answered_splits]
    hidden_ids = {unit.id for unit in test.units() if split_of(unit.record) in hidden}
    require_short_answers(row for id in sitting if id in hidden_ids for row in sitting.of(id))
    _write_native(sitting, test, candidate, folder / NATIVE, is_part=selection != WHOLE)
    result: dict[str, Any] = {
        "candidate": candidate,
        "answers": count,
        "gold": gold_version(test),
        "paper": test.facts.paper,
        "public": None,
        "hidden": [],
    }
    if findings := list(TASK.answer_notes(test, sitting, of_person=False)):
        result["findings"] = findings
    if shown:
        part = only_splits(test, shown)
        marks = mark(part, sitting, people=_people(part, task["people"]), classes=False)
        result["public"] = {**marks.as_json(units=False), "candidate": candidate}
        result["unjudged"] = sum(1 for _ in pool(part, [sitting]))
    for name in hidden:
        if name in answered_splits:
            part = only_splits(test, [name])
            result["hidden"].append(_totals(part, name, sitting, _people(part, task["people"])))
    return result


def _candidate(sitting: Sitting, asked: str, sender: str) -> str:
    """Who the candidate is: as asked for, else as the file says, else the sender."""
    path = Path(sitting.file)
    said = sitting.candidate if sitting.candidate not in (path.name, path.stem) else ""
    return (asked or said or sender)[:LONGEST_NAME]


def _totals(
    part: Test, name: str | None, sitting: Sitting, people: list[Sitting]
) -> dict[str, Any]:
    """The marks of a hidden split: of the whole of it, rounded, and nothing of single units."""
    header = msgspec.structs.replace(sitting.header, covers=None, limit=None)
    marks = mark(part, replace(sitting, header=header), people=people, classes=False)
    document = marks.as_json(units=False)
    counted = marks.scores.counted
    units = {metric: counted.get(metric, marks.units) for metric in document["marks"]}
    rounded = {
        metric: rounded_mark(each, units[metric]) for metric, each in document["marks"].items()
    }
    totals = {"split": name, "units": document["units"], "marks": rounded}
    if "people" in document:
        ratios = {
            metric: rounded_ratio(each, units[metric], document["marks"][metric]["scale"])
            for metric, each in document["people"]["marks"].items()
        }
        totals["people"] = {"marks": ratios}
    return totals


def _write_native(
    sitting: Sitting, test: Test, candidate: str, path: Path, *, is_part: bool
) -> None:
    """The answers with their candidate; those to a part of a task are known by their ids."""
    header = msgspec.structs.replace(sitting.header, candidate=candidate, kind=test.kind.name)
    if is_part:
        covers = header.covers or tuple(unit.id for unit in test.units())
        header = msgspec.structs.replace(header, paper=None, splits={}, limit=None, covers=covers)
    NATIVE_SITTING.write_sitting(replace(sitting, header=header), path)


def _people(part: Test, folder: str | None) -> list[Sitting]:
    """What people answered to a part of a task, where they sat the task."""
    if folder is None:
        return []
    ids = {unit.id for unit in part.units()}
    sittings = []
    for file in sorted(Path(folder).glob("*.jsonl")):
        sitting = open_sitting(file, part.kind)
        rows = {id: row for id, row in sitting.rows.items() if id in ids}
        covers = sitting.header.covers
        header = msgspec.structs.replace(
            sitting.header,
            paper=None,
            splits={},
            covers=None if covers is None else tuple(id for id in covers if id in ids),
        )
        if rows:
            sittings.append(replace(sitting, header=header, rows=rows))
    return sittings
