"""People answer queries in a sheet, and their answers are marked as a sitting."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from readmark.core.errors import DataError
from readmark.formats.registry import open_sitting, open_test
from readmark.formats.sheets import read_rows, write_sheet
from readmark.tasks.query_sheet import read_query_sheet, write_query_sheet
from task_files import OTTERS, write_task

COLUMNS = ["id", "answer_1", "answer_2", "words"]


def test_the_sheet_has_every_question_and_each_text_once(tmp_path: Path) -> None:
    task = write_task(tmp_path / "league")
    done = write_query_sheet(str(task), str(tmp_path / "sheet.csv"), split="train")
    assert (done.documents, done.questions) == (1, 2)
    with (tmp_path / "sheet.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["id"], row["asked"], row["text"]) for row in rows] == [
        ("otters:periods", "G, N", OTTERS),
        ("otters:winner", "G, T", ""),
    ]


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_answers_come_in_as_a_sitting(suffix: str, tmp_path: Path) -> None:
    task, sheet = str(write_task(tmp_path / "league")), str(tmp_path / f"sheet{suffix}")
    rows = [
        ("otters:periods", "Game-1", "5", "overtime"),
        ("otters:winner", "Game-1", "The Otters", "Otters + beat"),
        ("", "Game-2", "Herons", ""),
    ]
    write_sheet(sheet, COLUMNS, rows)
    done = read_query_sheet(task, sheet, str(tmp_path / "ida.jsonl"), annotator="ida")
    assert (done.count, done.annotator) == (2, "ida")  # the document gulls was not looked at
    kind = open_test(task).kind
    sitting = open_sitting(tmp_path / "ida.jsonl", kind)
    answers = {id: kind.read_answer(sitting.of(id)[0]).solutions for id in sitting}
    periods, winner = answers["otters:periods"], answers["otters:winner"]
    assert [(one.values, one.mentions) for one in periods] == [
        ({"G": "Game-1", "N": "5"}, {"Game-1": ("Game-1",)})
    ]
    assert [(one.start, one.quote) for one in periods[0].excerpts] == [(36, "overtime")]
    assert [one.values for one in winner] == [
        {"G": "Game-1", "T": "The-Otters"},
        {"G": "Game-2", "T": "Herons"},
    ]
    assert winner[0].mentions[winner[0].values["T"]] == ("The Otters",)
    assert [one.quote for one in winner[0].excerpts] == ["Otters", "beat"]


def test_the_sitting_is_marked(tmp_path: Path, readmark_cli: Callable[..., Any]) -> None:
    """The gold infers 5 periods of Game-1: one inference found, no fact."""
    task, sheet, out = write_task(tmp_path / "league"), tmp_path / "s.csv", tmp_path / "ida.jsonl"
    assert readmark_cli("task", "sheet", task, "-o", sheet).returncode == 0
    filled = [
        [row["id"], *(("Game-1", "5", "overtime") if row["id"] == "otters:periods" else ("",) * 3)]
        for _, row in read_rows(sheet)
    ]
    write_sheet(sheet, COLUMNS, filled)
    done = readmark_cli("task", "sheet", task, "--answers", sheet, "--annotator", "ida", "-o", out)
    assert done.returncode == 0, done.stderr
    marked = readmark_cli("task", "mark", task, out, "-m", "inferences", "--json")
    assert '"score":100.0' in marked.stdout.replace(" ", "")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("otters:score", "Game-1", "5", ""), "'otters:score' is no question"),
        (("", "Game-1", "5", ""), "has no id"),
        (("otters:periods", "Game-1", "", ""), "otters:periods: answer_2 (N) is empty"),
        (("otters:periods", "", "", "overtime"), "words without an answer"),
        (("otters:periods", "Game-1", "5", "extra time"), "“extra time” is not in the document"),
        (("otters:periods", "Game-1", "5", "er"), "“er” is 3 times in the document"),
    ],
)
def test_bad_rows_have_their_place(row: tuple[str, ...], message: str, tmp_path: Path) -> None:
    task, sheet = str(write_task(tmp_path / "league")), str(tmp_path / "sheet.csv")
    write_sheet(sheet, COLUMNS, [row])
    with pytest.raises(DataError) as caught:
        read_query_sheet(task, sheet, str(tmp_path / "out.jsonl"), annotator="ida")
    assert message in str(caught.value)
    assert caught.value.where == 2
    assert not (tmp_path / "out.jsonl").exists()
