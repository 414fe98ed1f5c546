"""The figures of small open models: cut to the same questions, and complete."""

import json
import runpy
from pathlib import Path
from typing import Any

import readmark
from made import asked, comprehension, passage

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "small_models.py"


def test_an_interrupted_sitting_is_cut_to_its_first_questions(tmp_path: Path) -> None:
    script = runpy.run_path(str(SCRIPT))
    test = comprehension(
        *(
            passage(f"p{n}", asked(f"q{n}", f"{n} goats"), text=f"Anna has {n} goats.")
            for n in range(4)
        )
    )
    path = tmp_path / "m.run.jsonl"
    readmark.sit(test, lambda unit: unit.record.text[9:-1], path, limit=3)
    header, *rows = path.read_text("utf-8").splitlines()
    by_id = {json.loads(row)["id"]: row for row in rows if "id" in json.loads(row)}
    kept = [by_id[id] for id in ("q1", "q0")]  # as parallel requests came back; q2 did not
    path.write_text("\n".join([header, *kept]) + "\n", "utf-8")
    assert script["_count"](path) == 2
    first = script["_first"](path, 2)
    assert first.name == "2.m.run.jsonl"
    assert script["_count"](first) == 2
    assert script["_first"](first, 2) == first
    assert script["_same"](first, path) == 2
    marks = readmark.mark(test, first)
    assert (marks.as_json()["units"], marks.as_json()["marks"]["em"]["score"]) == (2, 100.0)


def test_all_candidates_sat_the_same_number_of_questions() -> None:
    figures = json.loads(SCRIPT.with_suffix(".json").read_text("utf-8"))
    sizes: dict[str, set[Any]] = {}
    for row in figures["rows"]:
        sizes.setdefault(row["run"], set()).add((row["units"], row["clusters"]))
    assert {run: len(found) for run, found in sizes.items()} == dict.fromkeys(sizes, 1)
    assert {row["candidate"] for row in figures["rows"]} > set(figures["models"])
