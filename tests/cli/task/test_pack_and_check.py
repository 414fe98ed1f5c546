"""``task pack`` and ``check`` as they are called, and what they say to bad input."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from task_files import ANSWERS, lines, write_task

pytestmark = pytest.mark.slow

Run = Callable[..., Any]


@pytest.fixture
def room(tmp_path: Path) -> Path:
    write_task(tmp_path / "league")
    return tmp_path


@pytest.fixture
def runs(readmark_cli: Run, room: Path) -> Run:
    """Runs ``task`` in the room; without ``status`` it must be fine."""

    def run(*args: str, status: int = 0) -> Any:
        group = () if args[:1] == ("check",) else ("task",)
        done = readmark_cli(*group, *args, cwd=room)
        assert "Traceback" not in done.stderr
        assert done.returncode == status, done.stderr
        return done

    return run


@pytest.mark.parametrize("output", ["packed", "packed.zip"])
def test_a_task_is_packed_checked_and_read(output: str, runs: Run) -> None:
    said = runs("pack", "league", "-o", output).stderr
    assert said == (
        f"readmark: {output}: 2 annotations, 2 answers, 1 background, 2 document, "
        "1 guidelines, 1 ontology, 1 queries, 1 rules\n"
    )
    done = runs("check", output)
    assert (done.stdout, done.stderr) == ("", f"readmark: {output}: no problems\n")
    document = json.loads(runs("check", output, "--json").stdout)
    assert document == {"problems": [], "counts": {output: 0}, "warnings": {output: 0}}


def test_an_inconsistent_task_is_not_packed_unless_asked(runs: Run, room: Path) -> None:
    (room / "league/annotations/otters.graph").write_text(
        "((Game-1 numberOfPeriods 4))", encoding="utf-8"
    )
    done = runs("pack", "league", "-o", "packed", status=1)
    first, *rest = done.stdout.splitlines()
    assert first.startswith("league/annotations/otters.graph:1: contradiction: otters contradicts")
    assert "    (Game-1 numberOfPeriods 4)  asserted" in rest
    assert any("“in overtime” otters:33-44" in line for line in rest)
    assert done.stderr == "readmark: league: 1 problem: nothing was written\n"
    assert not (room / "packed").exists()
    runs("pack", "league", "-o", "packed", "--anyway", status=1)
    found = json.loads(runs("check", "packed", "--json", status=1).stdout)["problems"]
    assert [one["code"] for one in found] == ["contradiction"]
    assert "(4 mrq:lessThanOrEqualTo 4)" in found[0]["derivation"]


def test_what_is_said_of_a_task_goes_into_its_manifest(runs: Run, room: Path) -> None:
    runs(
        "pack",
        "league",
        "-o",
        "p",
        "--name",
        "Small",
        "--phase",
        "2",
        "--language",
        "en",
        "--capability",
        "overtime",
        "--capability",
        "negation",
        "--annotation",
        "incomplete",
        "--hidden",
        "test",
        "--public",
    )
    manifest = json.loads((room / "p/task.json").read_text(encoding="utf-8"))
    assert (manifest["name"], manifest["phase"]) == ("Small", "2")
    assert manifest["capabilities"] == ["overtime", "negation"]
    assert manifest["annotation"] == "incomplete"
    assert "answers.test.jsonl" not in [one["path"] for one in manifest["files"]]


def test_pack_prints_json(runs: Run) -> None:
    document = json.loads(runs("pack", "league", "-o", "p", "--json").stdout)
    assert document["output"] == "p"
    assert document["files"]["document"] == 2
    assert document["problems"] == []


def test_pairs_are_written(runs: Run, room: Path) -> None:
    runs("pack", "league", "-o", "p")
    done = runs("check", "p", "--pairs", "pairs.jsonl")
    assert done.stderr.endswith("readmark: pairs.jsonl: 2 pairs\n")
    rows = [json.loads(row) for row in (room / "pairs.jsonl").read_text().splitlines()]
    assert [(row["assertion"], row["text"]) for row in rows] == [
        ("(Game-1 hasOvertimePlay true)", "in overtime"),
        ("(Game-1 winner Otters)", "The Otters beat the Herons"),
    ]


def test_every_problem_of_a_packed_task_is_a_line(runs: Run, room: Path) -> None:
    runs("pack", "league", "-o", "p")
    (room / "p/documents/train/otters.txt").write_text("Rain.", encoding="utf-8")
    (room / "p/answers.train.jsonl").write_text(
        lines([ANSWERS[0] | {"query": "who"}]), encoding="utf-8"
    )
    done = runs("check", "p", status=1)
    codes = [line.split(": ")[1] for line in done.stdout.splitlines()]
    assert codes == ["changed", "changed", *["outside"] * 4, "unknown_query", "outside"]
    assert done.stderr == "readmark: p: 8 problems\n"


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        (("check", "nowhere", "--pairs", "p.jsonl"), 1, "nowhere: no such file"),
        (
            ("check", "league/documents", "--pairs", "p.jsonl"),
            1,
            "documents: no reading task: it has no task.json",
        ),
        (
            ("check", "league/rules.dsrs", "--pairs", "p.jsonl"),
            1,
            "expected the folder or zip of a task",
        ),
        (("check", "league", "--seconds", "0"), 2, "0.0 is not in the range x>0"),
        (("pack", "nowhere", "-o", "p"), 1, "nowhere: expected the folder of a task"),
        (("pack", "league"), 2, "Missing option"),
        (("pack", "league", "-o", "league"), 2, "is what is being read"),
        (("pack", "league", "-o", "p", "--domain", "chess"), 2, "no domain 'chess'"),
        (("pack", "league", "-o", "p", "--annotation", "some"), 2, "Invalid value"),
        (("pck",), 2, "did you mean pack?"),
    ],
)
def test_bad_usage_is_one_line(
    args: tuple[str, ...], status: int, line: str, runs: Run, room: Path
) -> None:
    done = runs(*args, status=status)
    [told] = done.stderr.splitlines()
    assert told.startswith("readmark: ")
    assert line in told
    assert done.stdout == ""
    assert sorted(one.name for one in room.iterdir()) == ["league"]


def test_two_tasks_cannot_share_one_file_of_pairs(runs: Run) -> None:
    runs("pack", "league", "-o", "p")
    runs("pack", "league", "-o", "q")
    done = runs("check", "p", "q", "--pairs", "pairs.jsonl", status=2)
    assert done.stderr == "readmark: --pairs takes one task\n"


def test_a_new_task_is_whole(runs: Run, room: Path) -> None:
    """What ``task new`` makes can be answered, checked, packed and marked as it is."""
    listed = runs("new", "my storms").stdout.splitlines()
    assert "my storms/annotations/train/delia.statements" in listed
    for split in ("train", "test"):
        runs("gold", "my storms", "--split", split, "-o", f"my storms/answers.{split}.jsonl")
    runs("check", "my storms")
    made = json.loads(runs("gold", "my storms", "--split", "train", "-o", "g", "--json").stdout)
    # A query asks for storms, the annotation says hurricane: what it states is explicit.
    assert (made["explicit"], made["inferred"]) == (6, 1)
    runs("pack", "my storms", "-o", "storms.zip")
    [line] = runs("new", "my storms", status=2).stderr.splitlines()
    assert line == "readmark: my storms is there already; name a new folder"
