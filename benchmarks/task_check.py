"""What checking the gold adds to `check`, where two people annotated eight short documents.

The documents are the shortest of the lives task's train split, in three splits with a gold each.
Bo lacks one line of each document that Ida has, and nothing says whose statements the gold is made
of, so the check compares it with all four golds that there could be.

Run: python benchmarks/task_check.py
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from readmark.core.json_lines import json_line
from readmark.tasks.checks import check_task
from readmark.tasks.gold import GoldSettings, gold_of
from readmark.tasks.task_folder import open_task

LIVES = Path(__file__).resolve().parent / "lives" / "en"
DOCUMENTS = 8
SPLITS = ("train", "dev", "test")


def main() -> None:
    """Print CPU seconds without and with a gold, and their ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_task(folder)
        seconds(folder)  # what is imported and compiled once is not measured
        without = seconds(folder)
        for split in SPLITS:
            rows = gold_of(open_task(folder), GoldSettings(several="union"), split=split).rows
            (folder / f"answers.{split}.jsonl").write_bytes(b"".join(map(json_line, rows)))
        with_gold = seconds(folder)
    print(
        f"without gold {without:.2f} CPU s, with {with_gold:.2f}: {with_gold / without:.1f} times"
    )


def write_task(folder: Path) -> None:
    """Eight documents, each annotated by Ida and by Bo."""
    texts = sorted((LIVES / "documents/train").glob("*.txt"), key=lambda path: path.stat().st_size)
    for number, path in enumerate(texts[:DOCUMENTS]):
        split = SPLITS[number % len(SPLITS)]
        statements = (LIVES / f"annotations/train/{path.stem}.statements").read_text("utf-8")
        body = re.sub(r"^(annotator|document): .*\n", "", statements, flags=re.MULTILINE)
        shorter = body.strip().splitlines()[:-1]
        people = ("annotator: ida", body, "annotator: bo", *shorter, "")
        for kind, suffix, text in (
            ("documents", "txt", path.read_text("utf-8")),
            ("annotations", "statements", "\n".join(people)),
        ):
            target = folder / kind / split / f"{path.stem}.{suffix}"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    (folder / "task.toml").write_text('name = "Eight lives"\nlanguage = "en"\ndomain = "lives"\n')


def seconds(folder: Path) -> float:
    """CPU seconds of a check."""
    start = time.process_time()
    problems = [
        problem for problem in check_task(open_task(folder)) if problem.severity != "warning"
    ]
    assert not problems, problems
    return time.process_time() - start


if __name__ == "__main__":
    main()
