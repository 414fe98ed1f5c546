"""Versions of a gold: they start from the gold that is there, and drop nothing unsaid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pump_task import twice_annotated
from readmark.tasks.gold_versions import DroppedAnswers, make_gold
from readmark.tasks.packer import at_version, pack
from readmark.tasks.task_folder import gather, open_task


def verdict_on(path: Path, value: int, verdict: str = "right") -> str:
    row = {
        "document": "p7",
        "query": "afterHours",
        "values": {"repair": "Repair-1", "value": value},
        "verdict": verdict,
        "by": "judge",
    }
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return str(path)


def test_a_version_starts_from_the_gold_that_is_there(tmp_path: Path) -> None:
    task = twice_annotated(tmp_path / "pumps")
    pool = verdict_on(tmp_path / "pool.jsonl", 3000)
    made = make_gold(task, tmp_path / "gold.jsonl", adjudicated=[pool])
    assert (made.explicit, made.disputed, made.dropped) == (8, 0, ())
    assert open_task(task).history()[-1].annotator == "ida"
    # The packed task has the same answers.
    pack(at_version(gather(task), made.version), tmp_path / "packed.zip")
    rows = [row for _, _, row in open_task(tmp_path / "packed.zip").answers()]
    assert len(rows) == 8


def test_what_a_verdict_rejects_is_not_dropped(tmp_path: Path) -> None:
    task = twice_annotated(tmp_path / "pumps")
    pool = verdict_on(tmp_path / "pool.jsonl", 2900, "wrong")
    made = make_gold(task, tmp_path / "gold.jsonl", adjudicated=[pool])
    assert (made.explicit, made.rejected, made.dropped) == (6, 1, ())


def test_right_answers_are_only_dropped_when_that_is_said(tmp_path: Path) -> None:
    task = twice_annotated(tmp_path / "pumps")
    pool = verdict_on(tmp_path / "pool.jsonl", 3000)
    settings: dict[str, Any] = {"adjudicated": [pool], "annotator": "bo"}
    with pytest.raises(DroppedAnswers) as caught:
        make_gold(task, tmp_path / "gold.jsonl", **settings)
    assert caught.value.answers == (
        "p7:afterHours: ?repair = Repair-1, ?value = 2900",
        "p7:replaced: ?part = Seal, ?repair = Repair-1",
    )
    assert not (tmp_path / "gold.jsonl").exists()
    assert open_task(task).history() == []
    made = make_gold(task, tmp_path / "gold.jsonl", **settings, drop=True)
    assert (made.explicit, len(made.dropped)) == (6, 2)


def test_what_another_gold_lacks_is_listed_where_it_replaces_the_task_s(tmp_path: Path) -> None:
    task = twice_annotated(tmp_path / "pumps")
    beside = make_gold(task, tmp_path / "gold.jsonl", annotator="bo")
    assert (beside.explicit, beside.dropped) == (5, ())  # the task keeps its own
    made = make_gold(task, task / "answers.jsonl", annotator="bo")
    assert made.explicit == 5
    assert made.notes[1:] == tuple(
        f"{task / 'answers.jsonl'}: no longer in the gold: p7:{text}"
        for text in (
            "afterHours: ?repair = Repair-1, ?value = 2900",
            "replaced: ?part = Seal, ?repair = Repair-1",
        )
    )
