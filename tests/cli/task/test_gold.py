"""``task gold`` and ``task pool`` as they are called."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from task_files import write_task

pytestmark = pytest.mark.slow

Run = Callable[..., Any]


@pytest.fixture
def runs(readmark_cli: Run, tmp_path: Path) -> Run:
    """Runs ``task`` where a task lies; without ``status`` it must be fine."""
    write_task(tmp_path / "league")

    def run(*args: str, status: int = 0) -> Any:
        done = readmark_cli("task", *args, cwd=tmp_path)
        assert "Traceback" not in done.stderr
        assert done.returncode == status, done.stderr
        return done

    return run


def test_gold_grows_by_what_was_judged(runs: Run, tmp_path: Path) -> None:
    done = runs("gold", "league", "--split", "train", "-o", "league/answers.train.jsonl")
    assert done.stderr == "readmark: league/answers.train.jsonl: 1 explicit, 1 inferred\n"
    runs("pack", "league", "-o", "packed")

    answers = {
        "otters:periods": [{"G": "Game-1", "N": 5}],
        "otters:winner": [{"G": "Game-1", "T": "Herons"}, {"G": "Game-1", "T": "Otters"}],
    }
    (tmp_path / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    done = runs("pool", "packed", "answers.json", "-o", "pool.jsonl")
    assert done.stderr == "readmark: pool.jsonl: 1 answer to judge\n"
    [row] = map(json.loads, (tmp_path / "pool.jsonl").read_text().splitlines())
    assert row["values"] == {"G": "Game-1", "T": "Herons"}
    assert (row["question"], row["candidates"]) == ("Who won?", ["answers"])
    assert (row["verdict"], row["by"], row["why"]) == ("", "", "")

    row |= {"verdict": "wrong", "by": "eva", "why": "they lost"}
    (tmp_path / "judged.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    said = runs(
        *("gold", "league", "--split", "train", "-o", "grown.jsonl"),
        *("--adjudicated", "judged.jsonl", "--json"),
    )
    assert json.loads(said.stdout) == {
        "output": "grown.jsonl",
        "explicit": 1,
        "inferred": 1,
        "rejected": 1,
        "out_of_bounds": 0,
        "adjudicated": 1,
        "unjudged": 0,
        "contradicted": [],
        "united": [],
        "disputed": 0,
    }
    (tmp_path / "league/answers.train.jsonl").write_bytes((tmp_path / "grown.jsonl").read_bytes())
    runs("pack", "league", "-o", "again")
    assert json.loads(runs("pool", "again", "answers.json", "-o", "p", "--json").stdout) == {
        "output": "p",
        "answers": 0,
    }


def test_an_annotator_is_marked_as_people_are(runs: Run, tmp_path: Path, readmark_cli: Run) -> None:
    runs("pack", "league", "-o", "packed")
    done = runs("gold", "packed", "--annotator", "ida", "--as-sitting", "-o", "ida.jsonl")
    assert done.stderr == "readmark: ida.jsonl: ida answered 2 units\n"
    header, *rows = map(json.loads, (tmp_path / "ida.jsonl").read_text().splitlines())
    assert (header["candidate"], header["kind"]) == ("ida", "task")
    assert header["covers"] == [row["id"] for row in rows] == ["otters:periods", "otters:winner"]
    assert rows[1]["bindings"][0]["values"] == {"G": "Game-1", "T": "Otters"}
    marked = readmark_cli("mark", "packed", "ida.jsonl", "--json", cwd=tmp_path)
    marks = json.loads(marked.stdout)["marks"]
    assert (marks["facts"]["score"], marks["inferences"]["score"]) == (100.0, 100.0)
    answers = {"otters:winner": [{"G": "Game-1", "T": "Otters"}], "otters:periods": []}
    (tmp_path / "machine.json").write_text(json.dumps(answers), encoding="utf-8")
    args = ("mark", "packed", "machine.json", "--people", "ida.jsonl", "--json")
    beside = json.loads(readmark_cli(*args, cwd=tmp_path).stdout)["people"]["marks"]
    assert beside["facts"]["ratio"] == 1.0
    assert beside["inferences"]["ratio"] == 0.0


def test_a_document_that_contradicts_is_named(runs: Run, tmp_path: Path) -> None:
    graph = tmp_path / "league/annotations/otters.graph"
    graph.write_text("((Game-1 numberOfPeriods 4))", encoding="utf-8")
    done = runs("gold", "league", "-o", "gold.jsonl")
    assert done.stderr.splitlines() == [
        "readmark: gold.jsonl: 0 explicit, 0 inferred",
        "readmark: otters: no answers, it contradicts the theory (see task check)",
    ]


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (("gold", "nowhere", "-o", "g"), 1, "no such file"),
        (("gold", "league", "-o", "g", "--adjudicated", "nowhere"), 1, "no such file"),
        (("gold", "league", "-o", "g", "--as-sitting"), 2, "--as-sitting takes a packed task"),
        (("gold", "league", "-o", "g", "--as-sitting", "--annotator", "x"), 1, "league"),
        (("gold", "league", "-o", "g", "--split", "nope"), 1, "there are test, train"),
        (("gold", "league", "-o", "g", "--annotator", "eva"), 1, "there are ida"),
        (("gold", "league", "-o", "g", "--annotator", "ida", "--union"), 2, "--union goes with"),
        (("pool", "league", "x.json", "-o", "p"), 1, "league"),
        (("pool", "league", "-o", "p"), 2, "Missing argument"),
    ],
)
def test_bad_usage_is_one_line(
    args: tuple[str, ...], status: int, words: str, runs: Run, tmp_path: Path
) -> None:
    [line] = runs(*args, status=status).stderr.splitlines()
    assert words in line
    assert sorted(one.name for one in tmp_path.iterdir()) == ["league"]
