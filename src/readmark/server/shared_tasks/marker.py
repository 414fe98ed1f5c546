"""What runs in a process of its own, on files that other people sent: marking, comparing, sitting.

These functions have no database, no secrets and no network. They take and give what JSON can hold,
read and write files in a folder that they are given, and call what the command line calls: the
marks are those of ``readmark mark TEST SITTING --split SPLIT``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.binding import require_known_ids, sat_splits
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.hidden_marks import require_short_answers
from readmark.core.record_members import split_of
from readmark.core.sitting import Sitting
from readmark.core.splits import only_splits, split_words
from readmark.core.test import Test
from readmark.formats.inputs import as_people
from readmark.formats.registry import open_sitting, open_test
from readmark.marking import (
    Mark,
    Slice,
    build_metrics,
    compare,
    mark,
    people,
    units_by_slice,
    usual_fields,
)
from readmark.server.shared_tasks.allowed_metrics import require_allowed
from readmark.server.shared_tasks.data_card import data_card
from readmark.server.shared_tasks.task_metrics import metric_columns, order_metric
from readmark.sitting import sit
from readmark.statistics.disclosure import safe_slices

MarkerReply = dict[str, Any]


def _reply(
    work: Callable[[Mapping[str, Any]], MarkerReply],
) -> Callable[[Mapping[str, Any]], MarkerReply]:
    """Give an error as the command line prints it, without the folders of the worker."""

    @wraps(work)
    def replying(task: Mapping[str, Any]) -> MarkerReply:
        try:
            return work(task)
        except ReadmarkError as error:
            message = str(error)
            for file in (task["test"], *task.get("files", ()), task["folder"]):
                message = message.replace(f"{Path(file).parent}/", "").replace(f"{file}/", "")
            return {"error": message}

    return replying


@_reply
def mark_submission(task: Mapping[str, Any]) -> MarkerReply:
    """Mark the splits that a submission answers, each as a test of its own and as a whole.

    ``splits`` are those that may be marked now. Redacted marksheets go to the folder.
    """
    test = open_test(task["test"])
    sitting = _of_everything(open_sitting(task["files"][0], test.kind))
    open_splits = [name for name in test.facts.splits if (name or "") in task["splits"]]
    if not open_splits:
        raise UsageError("every split is hidden, and none is marked yet")
    # Where some splits are still closed, not even their ids are named, or known from others.
    is_whole = len(open_splits) == len(test.facts.splits)
    open_part = replace(only_splits(test, open_splits), whole=None, selected=())
    require_known_ids(test if is_whole else open_part, sitting)
    sat = [name for name in _sat(test, sitting) if name in open_splits]
    if not sat:
        rest = "" if is_whole else ": nothing else is marked yet"
        raise UsageError(f"answers no unit of {split_words(open_splits)}{rest}")
    hidden = [name for name in sat if name in task["hidden"]]
    hidden_ids = {unit.id for unit in test.units() if split_of(unit.record) in hidden}
    require_short_answers(row for id in sitting if id in hidden_ids for row in sitting.of(id))
    metrics = _marked_by(test, task)
    by = usual_fields(test) if task["by"] is None else task["by"]
    splits: dict[str, Any] = {}
    for number, name in enumerate(sat):
        part = test if len(test.facts.splits) == 1 else only_splits(test, (name,))
        sheet = Path(task["folder"]) / f"{number}.jsonl.zst"
        marks = mark(
            part, sitting, metrics=metrics, by=by, marksheet=sheet, redact=True, classes=False
        )
        splits[name or ""] = {
            "units": marks.units,
            "answered": marks.answered,
            "errors": len(marks.coverage.errors),
            "paper": marks.test.paper,
            "key": marks.test.key,
            "marks": _marks(marks.marks),
            "by": _slices(marks.by),
            "counted": dict(marks.scores.counted),
            "safe": _safe_slices(part, by, task["smallest_slice"]),
            "sheet": sheet.name,
            **({} if marks.seen is None else {"seen": marks.seen.as_json()}),
        }
    return {"candidate": sitting.candidate, "splits": splits, **_columns(test, metrics)}


def _of_everything(sitting: Sitting) -> Sitting:
    """The sitting as one of whole splits: nobody chooses the units that they are marked by."""
    header = msgspec.structs.replace(sitting.header, covers=None, limit=None)
    return replace(sitting, header=header)


def _columns(test: Test, metrics: Sequence[str]) -> dict[str, list[str]]:
    """The metrics that were marked by, and those of them of which less is better."""
    lower = [
        name
        for name, metric in build_metrics(metrics, test).items()
        if metric.facts.best < metric.facts.worst
    ]
    return {"metrics": list(metrics), "lower_is_better": lower}


def _safe_slices(test: Test, by: Sequence[str], fewest: int) -> list[list[str]]:
    """The slices that may be shown if the split is hidden, each as its field and value."""
    ids = [unit.id for unit in test.units()]
    slices = safe_slices(units_by_slice(test, by), ids, fewest=fewest)
    return [[field, value] for field, value in slices]


def _sat(test: Test, sitting: Sitting) -> list[str | None]:
    """The splits that a sitting was of, as far as they have answers."""
    answered = {split_of(unit.record) for unit in test.units() if unit.id in sitting.rows}
    return [name for name in sat_splits(test, sitting) if name in answered]


def _marked_by(test: Test, task: Mapping[str, Any]) -> list[str]:
    """The columns of the board, and the metric that orders it."""
    columns = metric_columns(test, task["metrics"])
    order = order_metric(columns, test.kind.main_metric, task["order_by"])
    metrics = list(dict.fromkeys((*columns, order)))
    require_allowed(metrics)  # a hall may have stored the configuration before there was a list
    return metrics


def _marks(marks: Mapping[str, Mark]) -> dict[str, dict[str, Any]]:
    """Marks by metric, as a board stores them."""
    members = ("score", "low", "high", "scale", "signature")
    return {
        metric: {member: getattr(mark, member) for member in members}
        for metric, mark in marks.items()
    }


def _slices(by: Mapping[str, Mapping[str, Slice]]) -> dict[str, Any]:
    return {
        field: {
            value: {
                "units": part.units,
                "counted": dict(part.counted),
                "marks": _marks(part.marks),
            }
            for value, part in parts.items()
        }
        for field, parts in by.items()
    }


@_reply
def mark_people(task: Mapping[str, Any]) -> MarkerReply:
    """People's marks on each split: from their sittings, else from the key's own answers.

    It is done for every new test, so the data card is made with it.
    """
    test = open_test(task["test"])
    sittings = as_people(task["files"], test)
    for sitting in sittings:
        require_known_ids(test, sitting)
    metrics = _marked_by(test, task)
    by = usual_fields(test) if task["by"] is None else task["by"]
    splits: dict[str, Any] = {}
    notes = []
    for name in test.facts.splits:
        part = test if len(test.facts.splits) == 1 else only_splits(test, (name,))
        of_split = [sitting for sitting in sittings if name in _sat(test, sitting)]
        if not of_split and (not part.kind.people_from_key or not part.facts.several):
            continue
        try:
            marks = people(part, *of_split, metrics=metrics, by=by)
        except ReadmarkError as error:
            if not of_split:
                continue  # the kind says why it has no figure of people without sittings
            notes.append(str(error))
            continue
        splits[name or ""] = {
            "units": marks.units,
            "method": marks.method,
            "who": marks.who,
            "people": len(of_split),
            "marks": _marks(marks.marks),
            "by": _slices(marks.by),
            "counted": dict(marks.counted),
            "safe": _safe_slices(part, by, task["smallest_slice"]),
        }
    card = msgspec.to_builtins(data_card(test, task["hidden"]))
    return {"splits": splits, "notes": notes, "card": card, **_columns(test, metrics)}


@_reply
def compare_submissions(task: Mapping[str, Any]) -> MarkerReply:
    """Pairs of marksheets of one split: what ``readmark compare`` says of the second of each."""
    test = open_test(task["test"])
    name = task["split"] or None
    require_allowed([task["metric"]])
    part = test if len(test.facts.splits) == 1 else only_splits(test, (name,))
    comparisons = [
        compare(part, a, b, metrics=task["metric"], errors_as_wrong=True)[0].as_json()
        for a, b in task["pairs"]
    ]
    return {"comparisons": comparisons}


@_reply
def sit_baseline(task: Mapping[str, Any]) -> MarkerReply:
    """Let one of Readmark's own candidates sit the paper; the sitting goes to the folder."""
    output = Path(task["folder"]) / "sitting.jsonl"
    sit(open_test(task["test"]), task["candidate"], output)
    return {"file": output.name}
