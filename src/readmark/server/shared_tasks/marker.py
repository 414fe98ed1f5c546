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
from readmark.sitting import sit
from readmark.statistics.disclosure import safe_slices

MarkerReply = dict[str, Any]
MEAN = ("em", "f1")
"""The metrics of which the board's order is the mean, where a test is marked by both."""
AVERAGE = "average"


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


def metric_columns(test: Test, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """The metrics that a task is marked by."""
    return tuple(asked) or tuple(test.kind.metrics(test.header, test.facts))


def order_metric(metrics: Sequence[str], main: str, asked: str = "") -> str:
    """The metric that orders a board: the mean of EM and F1 where both are columns."""
    if asked:
        return asked
    if all(name in metrics for name in MEAN):
        return AVERAGE
    return main if main in metrics else metrics[0]


@_reply
def mark_submission(task: Mapping[str, Any]) -> MarkerReply:
    """Mark the splits that a submission answers, each as a test of its own and as a whole.

    ``splits`` are those that may be marked now. Redacted marksheets go to the folder.
    """
    test = open_test(task["test"])
    sitting = _of_everything(open_sitting(task["files"][0], test.kind))
    marked_now = [name for name in test.facts.splits if (name or "") in task["splits"]]
    if not marked_now:
        raise UsageError("every split is hidden, and none is marked yet")
    # Where some splits are still closed, not even their ids are named, or known from others.
    is_whole = len(marked_now) == len(test.facts.splits)
    open_part = replace(only_splits(test, marked_now), whole=None, selected=())
    require_known_ids(test if is_whole else open_part, sitting)
    open_now = [name for name in _sat(test, sitting) if name in marked_now]
    if not open_now:
        rest = "" if is_whole else ": nothing else is marked yet"
        raise UsageError(f"answers no unit of {split_words(marked_now)}{rest}")
    hidden = [name for name in open_now if name in task["hidden"]]
    ids = {unit.id for unit in test.units() if split_of(unit.record) in hidden}
    require_short_answers(row for id in sitting if id in ids for row in sitting.of(id))
    metrics = _marked_by(test, task)
    by = usual_fields(test) if task["by"] is None else task["by"]
    splits: dict[str, Any] = {}
    for number, name in enumerate(open_now):
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
            "marks": {metric: _mark(found) for metric, found in marks.marks.items()},
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
    built = build_metrics(metrics, test)
    lower = [name for name, metric in built.items() if metric.facts.best < metric.facts.worst]
    return {"metrics": list(metrics), "lower_is_better": lower}


def _safe_slices(test: Test, by: Sequence[str], fewest: int) -> list[list[str]]:
    """The slices that may be shown if the split is hidden, each as its field and value."""
    ids = [unit.id for unit in test.units()]
    shown = safe_slices(units_by_slice(test, by), ids, fewest=fewest)
    return [[field, value] for field, value in shown]


def _sat(test: Test, sitting: Sitting) -> list[str | None]:
    """The splits that have answers; a sitting that names its paper says so itself."""
    named = sat_splits(test, sitting)
    answered = {split_of(unit.record) for unit in test.units() if unit.id in sitting.rows}
    return [name for name in named if name in answered]


def _marked_by(test: Test, task: Mapping[str, Any]) -> list[str]:
    columns = metric_columns(test, task["metrics"])
    order = order_metric(columns, test.kind.main_metric, task["order_by"])
    metrics = list(dict.fromkeys((*columns, order)))
    require_allowed(metrics)  # a hall may have stored the configuration before there was a list
    return metrics


def _mark(found: Mark) -> dict[str, Any]:
    names = ("score", "low", "high", "scale", "signature")
    return {name: getattr(found, name) for name in names}


def _slices(by: Mapping[str, Mapping[str, Slice]]) -> dict[str, Any]:
    return {
        field: {
            value: {
                "units": part.units,
                "counted": dict(part.counted),
                "marks": {metric: _mark(found) for metric, found in part.marks.items()},
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
        own = [sitting for sitting in sittings if name in _sat(test, sitting)]
        if not own and (not part.kind.people_from_key or not part.facts.several):
            continue
        try:
            marks = people(part, *own, metrics=metrics, by=by)
        except ReadmarkError as error:
            if not own:
                continue  # the kind says why it has no figure of people without sittings
            notes.append(str(error))
            continue
        splits[name or ""] = {
            "units": marks.units,
            "method": marks.method,
            "who": marks.who,
            "people": len(own),
            "marks": {metric: _mark(found) for metric, found in marks.marks.items()},
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
    found = [
        compare(part, a, b, metrics=task["metric"], errors_as_wrong=True)[0].as_json()
        for a, b in task["pairs"]
    ]
    return {"comparisons": found}


@_reply
def sit_baseline(task: Mapping[str, Any]) -> MarkerReply:
    """Let one of Readmark's own candidates sit the paper; the sitting goes to the folder."""
    output = Path(task["folder"]) / "sitting.jsonl"
    sit(open_test(task["test"]), task["candidate"], output)
    return {"file": output.name}
