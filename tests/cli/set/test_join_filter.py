"""`readmark set join` and `set filter`: what is put together, dropped, refused and reported."""

import json
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from readmark.formats.registry import open_test

Run = Callable[..., subprocess.CompletedProcess[str]]


def passage(
    id: str, *questions: tuple[str, int], text: str = "The kettle stood.", **more: Any
) -> Any:
    asked = [
        {"id": name, "text": "What stood?", "key": {"answers": [{"text": "kettle", "start": 4}],
                                                      "level": level}}
        for name, level in questions
    ]  # fmt: skip
    return {"id": id, "text": text, "questions": asked, **more}


def write(path: Path, *lines: Any) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")


HEADER = {"readmark": 1, "name": "one", "language": "en", "licence": "CC0-1.0"}


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    fields = {"note": "x", "by": "ann"}
    write(tmp_path / "a.jsonl", {**HEADER, "hidden": ["test"], "fields": fields},
          passage("p1", ("q1", 1), ("q2", 3), split="dev"),
          passage("p2", ("q3", 3), split="test"),
          passage("p3", split="dev"))  # fmt: skip
    write(tmp_path / "b.jsonl", {**HEADER, "name": "two", "fields": {"note": "x"}},
          passage("r1", ("s1", 1), split="test"))  # fmt: skip
    return tmp_path


@pytest.fixture
def run(readmark_cli: Run, hall: Path) -> Run:
    def call(*args: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        done = readmark_cli("set", *args, cwd=hall)
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        return done

    return call


def ids(path: Path) -> dict[str, list[str]]:
    return {
        record.id: [question.id for question in record.questions]
        for record in open_test(path).records()
    }


def test_join(run: Run, hall: Path) -> None:
    done = run("join", "a.jsonl", "b.jsonl", "-o", "out.jsonl", "--json")
    told = json.loads(done.stdout)
    assert told["tests"] == {"a.jsonl": 3, "b.jsonl": 1}
    assert (told["questions"], told["records"], told["hidden"]) == (4, 4, ["test"])
    assert done.stderr.splitlines() == [
        "readmark: b.jsonl: hidden now, as in another of the tests: split test",
    ]
    joined = open_test(hall / "out.jsonl")
    assert ids(hall / "out.jsonl") == {"p1": ["q1", "q2"], "p2": ["q3"], "p3": [], "r1": ["s1"]}
    assert joined.header.name == "one + two"
    assert joined.header.fields["note"] == "x"
    parts = joined.header.fields["joined"]
    assert [(part["name"], part["fields"]) for part in parts] == [
        ("one", {"by": "ann"}),
        ("two", {}),
    ]


def test_join_with_prefixes(run: Run, hall: Path) -> None:
    done = run("join", "a.jsonl", "a.jsonl", "-o", "out.jsonl", status=1)
    assert done.stderr == (
        "readmark: a.jsonl: passage ids are also in a.jsonl: 3 (p1, p2, p3); --prefix makes them "
        "differ\n"
    )
    assert not (hall / "out.jsonl").exists()
    run("join", "a.jsonl", "a.jsonl", "-o", "out.jsonl", "--prefix")
    found = ids(hall / "out.jsonl")
    assert found["a-p1"] == ["a-q1", "a-q2"]
    assert found["a2-p1"] == ["a2-q1", "a2-q2"]


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ({"kind": "readability"}, "tests of different kinds cannot be joined"),
        ({"language": "zh"}, "tests in different languages cannot be joined"),
        (
            {"profile": "zh"},
            "different scoring profiles cannot be joined: a.jsonl none, c.jsonl zh",
        ),
        ({"licence": "MIT"}, "the licences differ (a.jsonl CC0-1.0, c.jsonl MIT): name one that"),
    ],
)
def test_tests_that_do_not_join(run: Run, hall: Path, header: dict[str, Any], line: str) -> None:
    record = passage("z", ("z1", 1))
    if "kind" in header:
        del record["questions"]
    write(hall / "c.jsonl", {**HEADER, **header}, record)
    done = run("join", "a.jsonl", "c.jsonl", "-o", "out.jsonl", status=2)
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (hall / "out.jsonl").exists()
    if "licence" in header:
        run("join", "a.jsonl", "c.jsonl", "-o", "out.jsonl", "--licence", "MIT")


def test_join_takes_two(run: Run) -> None:
    assert "two tests or more" in run("join", "a.jsonl", "-o", "out.jsonl", status=2).stderr
    assert "a.jsonl" in run("join", "a.jsonl", "b.jsonl", "-o", "a.jsonl", status=2).stderr


@pytest.mark.parametrize(
    ("args", "expected", "counts"),
    [
        (("--keep", "level=3"), {"p1": ["q2"], "p2": ["q3"]}, {"level=3": 2}),
        (("--drop", "level=3"), {"p1": ["q1"]}, {"level=3": 2}),
        (("--drop", "level=3", "--empty-passages"), {"p1": ["q1"], "p2": [], "p3": []},
         {"level=3": 2}),
        (("--keep", "split=dev", "--drop", "level=1"), {"p1": ["q2"]},
         {"split=dev": 2, "level=1": 1}),
        (("--keep", "@ids.txt"), {"p1": ["q1"], "p2": ["q3"]}, {"@ids.txt": 2}),
        (("--drop", "@ids.txt"), {"p1": ["q2"]}, {"@ids.txt": 2}),
        (("--drop", "offset"), {"p1": ["q1", "q2"]}, {"offset": 1}),
        (("--keep", "level=1", "--keep", "offset"), {"p1": ["q1"], "p2": ["q3"]},
         {"level=1": 1, "offset": 1}),
    ],
)  # fmt: skip
def test_filter(
    run: Run, hall: Path, args: tuple[str, ...], expected: Any, counts: dict[str, int]
) -> None:
    wrong = passage("p2", ("q3", 3), split="test", text="A pot and then a kettle stood.")
    lines = (hall / "a.jsonl").read_text().splitlines()
    write(hall / "a.jsonl", json.loads(lines[0]), json.loads(lines[1]), wrong, json.loads(lines[3]))
    (hall / "ids.txt").write_text("q1\np2\nzz\n")
    done = run("filter", "a.jsonl", "-o", "out.jsonl", "--json", *args)
    assert ids(hall / "out.jsonl") == expected
    told = json.loads(done.stdout)
    assert told["conditions"] == counts
    assert told["questions"] == sum(map(len, expected.values()))
    assert (told["dropped"], told["dropped_records"]) == (3 - told["questions"], 3 - len(expected))
    if "@ids.txt" in args:
        assert "ids.txt: not in a.jsonl: 1 (zz)" in done.stderr
    header = open_test(hall / "out.jsonl").header
    assert header.fields["filtering"]["keep"] == [
        value for name, value in pairwise(args) if name == "--keep"
    ]
    assert header.hidden == (("test",) if "p2" in expected else ())


def test_filter_by_the_rules_of_a_profile(run: Run, hall: Path) -> None:
    args = ("filter", "a.jsonl", "-o", "o.jsonl", "--drop", "few_answers")
    said = "'few_answers' is a rule of a profile: name the profile with --profile"
    assert said in run(*args, status=2).stderr
    run(*args, "--profile", "cmrc")  # of dev: the key of a hidden split is not judged
    assert ids(hall / "o.jsonl") == {"p2": ["q3"]}
    assert "for series tests" in run(*args, "--profile", "series", status=2).stderr


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        ((), 2, "name the questions to --keep or to --drop"),
        (("--keep", "levle=3"), 2, "a.jsonl has no field 'levle'; its fields are"),
        (("--keep", "level=9"), 1, "a.jsonl: no question would be left"),
        (("--keep", "@none.txt"), 1, "none.txt: no such file"),
        (("--keep", "@empty.txt"), 1, "empty.txt: has no ids; expected one per line"),
        (("--keep", "@strange.txt"), 1, "strange.txt: no id is in a.jsonl: it has x, y; the"),
        (("--drop", "a b"), 2, "'a b' is not a condition: expected FIELD=VALUE, @FILE or"),
        (("--drop", "level=1", "--profile", "nope"), 2, "no profile 'nope'"),
        (("--drop", "level=1", "--profile", "c.toml"), 1, "c.toml: no such file"),
    ],
)  # fmt: skip
def test_bad_filters(run: Run, hall: Path, args: tuple[str, ...], status: int, line: str) -> None:
    (hall / "empty.txt").write_text("\n\n")
    (hall / "strange.txt").write_text("x\ny\n")
    done = run("filter", "a.jsonl", "-o", "out.jsonl", *args, status=status)
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (hall / "out.jsonl").exists()


def test_a_problem_that_nothing_has_is_noted(run: Run) -> None:
    done = run("filter", "a.jsonl", "-o", "out.jsonl", "--drop", "sentence")
    assert (
        "a.jsonl: nothing has the problem 'sentence'; problems that there are: none" in done.stderr
    )
