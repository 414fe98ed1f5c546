"""A task from its files to the report: derivations beside their words, and what it took."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from task_files import write_task

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
GUESS = "(Game-1 numberOfPeriods 4)  by <guess>\n  (Game-1 type Game)  asserted"
WORDS = {"document": "otters", "start": 27, "end": 32, "quote": "20-17"}


def sat(name: str, periods: dict[str, Any]) -> str:
    rows = [
        {"readmark": 1, "file": "sitting", "kind": "task", "candidate": name},
        {"id": "otters:periods", "bindings": [periods]},
        {"id": "otters:winner", "bindings": [{"G": "Game-1", "T": "Otters"}]},
        {"id": "gulls:periods", "bindings": []},
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def runs(readmark_cli: Run, tmp_path: Path) -> Callable[..., str]:
    """Runs a command in the folder of a packed task with gold and two sittings."""

    def run(*args: str) -> str:
        done = readmark_cli(*args, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    write_task(tmp_path / "league")
    for split in ("train", "test"):
        run("task", "gold", "league", "--split", split, "-o", f"league/answers.{split}.jsonl")
    run("task", "pack", "league", "-o", "league.zip")
    wrong = {"values": {"G": "Game-1", "N": 4}, "excerpts": [WORDS], "derivation": GUESS}
    (tmp_path / "wrong.jsonl").write_text(sat("wrong", wrong), "utf-8")
    (tmp_path / "right.jsonl").write_text(sat("right", {"G": "Game-1", "N": 5}), "utf-8")
    return run


def shown(page: str) -> list[tuple[str, str, str]]:
    """The head, the label and the two sides of every derivation on the page."""
    blocks = page.split('<div class="beside">')[1:]
    found = []
    for block in blocks:
        head = re.search(r"<h4[^>]*>(.*?)</h4>", block, re.DOTALL)
        label = re.search(r'<b><span class="en" lang="en">(.*?)</span>', block)
        sides = block[block.index('<div class="pair">') : block.index("</div></div>")]
        assert head
        assert label
        found.append((re.sub("<[^>]*>", "", head[1]).strip(), label[1], sides))
    return found


def test_derivations_stand_beside_their_words(runs: Callable[..., str], tmp_path: Path) -> None:
    for name in ("wrong", "right"):
        runs("mark", "league.zip", f"{name}.jsonl", "-o", f"{name}.marks.jsonl")
    runs("report", "wrong.marks.jsonl", "right.marks.jsonl", "-o", "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    found = shown(page)
    assert [(head, label) for head, label, _ in found] == [
        ("otters:periods  ?G = Game-1, ?N = 4", "not in the gold"),
        ("otters:periods  ?G = Game-1, ?N = 5", "missed"),
        ("otters:periods  ?G = Game-1, ?N = 5", "found, inferred"),
        ("otters:winner  ?G = Game-1, ?T = Otters", "found, stated"),
    ]
    extra, missed = found[0][2], found[1][2]
    assert '<li style="--depth:0">(Game-1 numberOfPeriods 4)  by &lt;guess&gt;</li>' in extra
    assert "Herons <mark>20-17</mark> in overtime" in extra
    assert '<li style="--depth:1">(Game-1 hasOvertimePlay true)  asserted by ida</li>' in missed
    assert '<li style="--depth:2">statement “in overtime” otters:33-44</li>' in missed
    assert '<li style="--depth:1">no (Game-1 numberOfPeriods ?n)</li>' in missed
    assert "20-17 <mark>in overtime</mark> on Sunday." in missed


def test_a_redacted_marksheet_tells_no_derivation_of_the_gold(
    runs: Callable[..., str], tmp_path: Path
) -> None:
    runs("mark", "league.zip", "right.jsonl", "--redact", "-o", "right.marks.jsonl")
    assert "asserted by ida" not in (tmp_path / "right.marks.jsonl").read_text("utf-8")
    runs("report", "right.marks.jsonl", "-o", "report.html")
    assert "asserted by ida" not in (tmp_path / "report.html").read_text("utf-8")


def test_preparation_is_shown_by_mark_and_report(runs: Callable[..., str], tmp_path: Path) -> None:
    told = runs("mark", "league.zip", "right.jsonl", "-o", "right.marks.jsonl")
    assert told.splitlines()[1] == "preparation: hours 3"
    said = json.loads(runs("mark", "league.zip", "right.jsonl", "--json"))
    assert said["test"]["preparation"] == "hours 3"
    runs("report", "right.marks.jsonl", "-o", "report.html")
    assert "Preparation of the test: hours 3." in (tmp_path / "report.html").read_text("utf-8")


def test_both_ratios_are_named_and_the_note_is_in_both_languages(
    runs: Callable[..., str], tmp_path: Path
) -> None:
    """The person has both answers, the machine the fact alone; it is said of both."""
    people = ("--people", "right.jsonl", "-o", "wrong.sheet.jsonl")
    runs("mark", "league.zip", "wrong.jsonl", *people)
    runs("report", "wrong.sheet.jsonl", "-o", "page.html")
    page = re.sub(r"<[^>]+>", "", (tmp_path / "page.html").read_text("utf-8"))
    assert "people score 100.00 facts" in page
    assert "people score 100.00 inferences" in page
    assert "The ratio of facts is PR_F." in page
    assert "推理答案的比值即 PR_I。" in page
    assert "wrong.jsonl：得分为暂定：1 个答案既不在参考答案中，也未经评判" in page
