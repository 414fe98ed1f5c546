"""`readmark set levels` through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from installed import require
from readmark.formats.registry import open_test

pytestmark = pytest.mark.slow

require("rjieba")

Run = Callable[..., subprocess.CompletedProcess[str]]

TEXT = "青溪桥位于柳镇东门外，建于1782年。它由周大川设计。"
ASKED = {
    "a": ("青溪桥位于哪里？", "柳镇东门外"),
    "b": ("青溪桥建于哪一年？", "1782年"),
    "c": ("青溪桥由谁设计？", "周大川"),
    "d": ("青溪桥有几孔？", None),
}


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """A small test; its last question has no answer."""
    questions: list[dict[str, Any]] = []
    for id, (text, answer) in ASKED.items():
        questions.append({"id": id, "text": text})
        if answer:
            answers = [{"text": answer, "start": TEXT.index(answer)}]
            questions[-1]["key"] = {"answers": answers}
    lines = [
        {"readmark": 1, "kind": "comprehension", "language": "zh", "name": "bridges"},
        {"id": "p", "text": TEXT, "questions": questions},
    ]
    path = tmp_path / "bridges.jsonl"
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), "utf-8")
    return tmp_path


def test_json_without_an_output(readmark_cli: Run, asked: Path) -> None:
    done = readmark_cli("set", "levels", "bridges.jsonl", "--json", cwd=asked)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert {id: one["level"] for id, one in told["levels"].items()} == {
        "a": 1,
        "b": 3,
        "c": 3,
        "d": None,
    }
    assert told["levels"]["b"]["reasons"] == ["zero_pronoun"]
    assert told["levels"]["b"]["sentences"] == [[0, 19]]
    assert told["levels"]["d"]["why"] == "the question has no answer"
    assert told["agreement"] is None
    assert [path.name for path in asked.iterdir()] == ["bridges.jsonl"]


def test_labels_go_before_the_rules(readmark_cli: Run, asked: Path) -> None:
    (asked / "people.csv").write_text("id,level,person\nb,2,Lin\nc,3,Lin\n", "utf-8")
    arguments = ("set", "levels", "bridges.jsonl", "-o", "out.jsonl", "--labels", "people.csv")
    done = readmark_cli(*arguments, cwd=asked)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "readmark: out.jsonl: written with levels\n"
    assert "the rules compared with people: 2 questions" in done.stdout
    assert "50.0%" in done.stdout
    assert "no level, the question has no answer: 1 (d)" in done.stdout
    made = open_test(asked / "out.jsonl")
    (record,) = made.records()
    keys = {question.id: question.key for question in record.questions}
    assert (keys["b"].level, keys["b"].fields["level_by"]) == (2, "Lin")
    assert keys["b"].fields["level_machine"] == {"level": 3, "reasons": ["zero_pronoun"]}
    assert keys["a"].fields["level_by"] == "readmark-levels-2"
    assert keys["d"] is None
    assert open_test(asked / "bridges.jsonl").facts.paper == made.facts.paper
    assert readmark_cli("check", "out.jsonl", cwd=asked).returncode == 0


def test_why_lists_the_questions(readmark_cli: Run, asked: Path) -> None:
    done = readmark_cli("set", "levels", "bridges.jsonl", "--why", cwd=asked)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    (about,) = (line for line in lines if line.startswith("b "))
    assert about.split()[:3] == ["b", "3", "zero_pronoun"]
    assert "'青溪桥' is left out before '建于' in" in about
    assert all(cell_len(line) <= 80 for line in lines)


def test_a_second_person_joins_the_first(readmark_cli: Run, asked: Path) -> None:
    (asked / "lin.csv").write_text("id,level,person\nb,2,Lin\n", "utf-8")
    (asked / "wu.csv").write_text("id,level,person\nb,3,Wu\n", "utf-8")
    (asked / "lin2.csv").write_text("id,level,person\nb,4,Lin\n", "utf-8")
    verb = ("set", "levels")
    readmark_cli(*verb, "bridges.jsonl", "--labels", "lin.csv", "-o", "one.jsonl", cwd=asked)
    done = readmark_cli(*verb, "one.jsonl", "--labels", "wu.csv", "-o", "two.jsonl", cwd=asked)
    assert "1 question whose people disagree" in done.stderr
    (record,) = open_test(asked / "two.jsonl").records()
    labels = record.questions[1].key.fields["level_labels"]
    assert [(one["person"], one["level"]) for one in labels] == [("Lin", 2), ("Wu", 3)]
    done = readmark_cli(*verb, "two.jsonl", "--labels", "lin2.csv", "-o", "no.jsonl", cwd=asked)
    assert done.returncode == 1
    assert done.stderr.startswith("readmark: lin2.csv:2: 'Lin' labels 'b' 4, in the test 2: ")
    assert not (asked / "no.jsonl").exists()


def test_a_level_of_another_scale_is_told(readmark_cli: Run, asked: Path) -> None:
    text = (asked / "bridges.jsonl").read_text("utf-8")
    given = text.replace('"key": {', '"key": {"level": "HSK5", ', 1)
    (asked / "graded.jsonl").write_text(given, "utf-8")
    done = readmark_cli("set", "levels", "graded.jsonl", "-o", "out.jsonl", cwd=asked)
    assert done.returncode == 0
    line = "levels of another scale (HSK5), kept as the field level_given: 1 (a)"
    assert line in done.stderr
    (record,) = open_test(asked / "out.jsonl").records()
    key = record.questions[0].key
    assert (key.level, key.fields["level_given"]) == (1, "HSK5")
    told = json.loads(readmark_cli("set", "levels", "graded.jsonl", "--json", cwd=asked).stdout)
    assert told["levels"]["a"]["given"] == "HSK5"


def test_json_files_hold_levels(readmark_cli: Run, asked: Path) -> None:
    done = readmark_cli("set", "levels", "bridges.jsonl", "-o", "out.json", cwd=asked)
    assert "out.json: written with levels\n" in done.stderr
    (record,) = open_test(asked / "out.json").records()
    assert [one.key.level for one in record.questions[:3]] == [1, 3, 3]
    done = readmark_cli(
        "set", "levels", "bridges.jsonl", "-o", "plain.json", "--to", "squad", cwd=asked
    )
    assert done.returncode == 0
    assert "squad: levels cannot be stored (3: a, b, c)" in done.stderr
    assert "plain.json: written without levels: squad has no place for them" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        (["no.jsonl"], 1, "no.jsonl: no such file"),
        (["bridges.jsonl", "-o", "bridges.jsonl"], 2, "write to another file"),
        (["bridges.jsonl", "-o", "out.xyz"], 2, "name the format with --to"),
        (["bridges.jsonl", "--labels", "no.csv"], 1, "no.csv: no such file"),
        (["bridges.jsonl", "--labels", "bad.csv"], 1, "bad.csv:2: 'a': the level is '7', expected"),
        (["bridges.jsonl", "--labels", "z.csv"], 1, "z.csv:3: bridges.jsonl has no question 'z'"),
        (["series.jsonl"], 2, "is a series test, expected comprehension"),
    ],
)
def test_bad_usage_and_bad_data(
    readmark_cli: Run, asked: Path, arguments: list[str], status: int, line: str
) -> None:
    (asked / "bad.csv").write_text("id,level\na,7\n", "utf-8")
    (asked / "z.csv").write_text("id,level\na,1\nz,1\n", "utf-8")
    series = '{"readmark": 1, "kind": "series", "language": "en"}\n{"id": "s", "target": "x"}\n'
    (asked / "series.jsonl").write_text(series, "utf-8")
    done = readmark_cli("set", "levels", *arguments, cwd=asked)
    assert done.returncode == status
    assert line in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not done.stdout
    assert not (asked / "out.xyz").exists()
