"""`readmark check --profile` through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]

ZH = "老木匠丁师傅在河边开了一家小店。他每天做三把椅子，用的是山上的榆木。"
EN = "Old Mrs Harrow keeps bees behind the mill. Every June she sells forty jars of honey."


def ask(id: str, text: str, *answers: str, passage: str = ZH, **key: Any) -> dict[str, Any]:
    given = [{"text": one, "start": max(passage.find(one), 0)} for one in answers]
    given = [one if one["text"] in passage else {"text": one["text"]} for one in given]
    return {"id": id, "text": text, "key": {"answers": given, **key}}


def write(path: Path, *records: dict[str, Any], **header: Any) -> None:
    lines = [{"readmark": 1, "kind": "comprehension", **header}, *records]
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    bad = [
        ask("z1", "老木匠丁师傅在哪里开了一家小店？", "河边"),
        ask("z2", "店主姓什么？", "姓丁"),
        ask("z3", "两天一共做几把椅子？", "六把"),
        ask("z4", "店的位置", "河边"),
        *(ask(f"z{n}", f"第{n}个问题问的是什么？", "榆木") for n in (5, 6)),
    ]
    write(tmp_path / "zh.jsonl", {"id": "p1", "text": ZH, "questions": bad}, language="zh")
    good = ask("e1", "Who has hives near the mill?", "Mrs Harrow", passage=EN, level=2)
    write(tmp_path / "en.jsonl", {"id": "p2", "text": EN, "questions": [good]}, language="en")
    return tmp_path


def test_cmrc(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("check", "--profile", "cmrc", "zh.jsonl", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "zh.jsonl:2: too_many_questions: p1: 6 questions, at most 5 a passage",
        "zh.jsonl:2: not_a_span: z2: the answer '姓丁' does not occur in the passage",
        "zh.jsonl:2: not_a_span: z3: the answer '六把' does not occur in the passage",
        "zh.jsonl:2: copied_wording: warning: z1: overlap 1.00: 100% of the question is the "
        "passage's wording (90% or more)",
        "zh.jsonl:2: no_question: warning: z4: has no question mark and no question word: "
        "'店的位置'",
    ]
    told = done.stderr.splitlines()
    assert told[0] == "zh.jsonl (zh), rules of cmrc: 1 passage, 6 questions"
    assert any(line.split() == ["not_a_span", "error", "2", "33.3%"] for line in told)
    assert any(line.startswith("types: What-NP ") for line in told)
    assert told[-1] == "readmark: zh.jsonl: 3 problems, 2 warnings"
    assert max(map(len, told)) <= 80


def test_smart_has_no_limit_and_wants_levels(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("check", "--profile", "smart", "zh.jsonl", "en.jsonl", cwd=folder)
    assert done.returncode == 1
    codes = [line.split(": ")[1] for line in done.stdout.splitlines()]
    assert codes.count("no_level") == 6
    assert codes.count("arithmetic") == 1
    assert "too_many_questions" not in codes
    assert not any(line.startswith("en.jsonl") for line in done.stdout.splitlines())
    assert "readmark: en.jsonl: no problems" in done.stderr


def test_json(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("check", "--profile", "cmrc", "zh.jsonl", "--json", cwd=folder)
    assert (done.returncode, done.stderr) == (1, "")
    told = json.loads(done.stdout)
    assert told["profile"] == "cmrc"
    assert told["codes"]["not_a_span"] == 2
    assert told["codes"]["long_answer"] == 0
    assert told["types"]["counts"]["Where"] == 1
    assert told["types"]["largest"] == "What-NP"
    assert told["rules"]["long_answer"]["settings"]["most"]["zh"] == 30
    assert told["counts"] == {"zh.jsonl": 3}
    assert told["warnings"] == {"zh.jsonl": 2}
    assert {one["severity"] for one in told["problems"]} == {"error", "warning"}
    assert told["examinations"][0]["questions"] == 6
    plain = json.loads(readmark_cli("check", "zh.jsonl", "--json", cwd=folder).stdout)
    assert set(plain) == {"problems", "counts", "warnings"}


def test_a_file_of_thresholds(folder: Path, readmark_cli: Run) -> None:
    (folder / "own.toml").write_text(
        'profile = "cmrc"\n[too_many_questions]\nmost = 6\n[not_a_span]\nseverity = "warning"\n',
        "utf-8",
    )
    options = ("--profile", "own.toml")
    done = readmark_cli("check", *options, "zh.jsonl", cwd=folder)
    assert done.returncode == 0
    assert "readmark: zh.jsonl: no problems, 4 warnings" in done.stderr


@pytest.mark.parametrize(
    ("options", "status", "line"),
    [
        (("--profile", "cmcr"), 2, "no profile 'cmcr'; did you mean cmrc?"),
        (("--profile", "none.toml"), 1, "none.toml: no such file"),
        (("--profile", "empty.toml"), 1, "empty.toml:profile: expected the profile that the file"),
    ],
)
def test_bad_usage(
    folder: Path, readmark_cli: Run, options: tuple[str, ...], status: int, line: str
) -> None:
    (folder / "empty.toml").touch()
    done = readmark_cli("check", *options, "zh.jsonl", cwd=folder)
    assert (done.returncode, done.stdout) == (status, "")
    assert line in done.stderr.splitlines()[-1]


def test_brcc_wants_both_sides(tmp_path: Path, readmark_cli: Run) -> None:
    key = {"type": "Who", "sentences": [[0, 16]]}
    chinese = [
        ask("q1", "谁开了店？", "丁师傅", **key),
        ask("q2", "用的是什么？", "榆木", type="Wood"),
    ]
    english = [ask("q1", "Who keeps bees?", "Mrs Harrow", passage=EN, **key)]
    write(tmp_path / "zh.jsonl", {"id": "p", "text": ZH, "questions": chinese}, language="zh")
    write(tmp_path / "en.jsonl", {"id": "p", "text": EN, "questions": english}, language="en")
    done = readmark_cli("check", "--profile", "brcc", "zh.jsonl", "en.jsonl", cwd=tmp_path)
    assert done.returncode == 1
    told = [line.split(": ", 3) for line in done.stdout.splitlines()]
    assert [(line[0], line[1], line[2]) for line in told] == [
        ("zh.jsonl:2", "no_answer_sentence", "q2"),
        ("zh.jsonl:2", "unknown_type", "q2"),
        ("en.jsonl:2", "part_of_sentence", "warning"),
        ("zh.jsonl:2", "no_parallel", "q2"),
    ]
    alone = readmark_cli("check", "--profile", "brcc", "en.jsonl", cwd=tmp_path)
    assert alone.returncode == 0
    assert "parallel questions were not checked" in alone.stderr


def test_other_kinds_and_languages(tmp_path: Path, readmark_cli: Run) -> None:
    series = {"id": "s", "target": "bees", "questions": [{"id": "s1", "text": "Who?"}]}
    write(tmp_path / "series.jsonl", series, kind="series", language="en")
    done = readmark_cli("check", "--profile", "smart", "series.jsonl", cwd=tmp_path)
    assert done.returncode == 1
    assert "profile: the rules of smart are for comprehension tests" in done.stdout
    text = "Le moulin est vieux."
    asked = ask("f1", "Comment est le moulin ?", "vieux", passage=text, level=1)
    write(tmp_path / "fr.jsonl", {"id": "f", "text": text, "questions": [asked]}, language="fr")
    done = readmark_cli("check", "--profile", "smart", "fr.jsonl", cwd=tmp_path)
    assert done.returncode == 0
    assert "fr.jsonl: not checked: arithmetic" in done.stderr


def test_what_cannot_be_read_is_told_once(tmp_path: Path, readmark_cli: Run) -> None:
    (tmp_path / "bad.jsonl").write_text('{"readmark": 1}\n{"id": "p", "text": \n', "utf-8")
    done = readmark_cli("check", "--profile", "cmrc", "bad.jsonl", "none.jsonl", cwd=tmp_path)
    assert done.returncode == 1
    assert len([line for line in done.stdout.splitlines() if ": json: " in line]) == 1
    assert len([line for line in done.stdout.splitlines() if ": unreadable: " in line]) == 1


@pytest.mark.golden
def test_the_published_trial_set(shared: Path, readmark_cli: Run) -> None:
    """CMRC's own questions keep its limits; its long answers are counted as plain Python does."""
    path = shared / "data" / "cmrc2018" / "trial.json"
    told = json.loads(readmark_cli("check", "--profile", "cmrc", path, "--json").stdout)
    document = json.loads(path.read_text("utf-8"))
    asked = [
        question
        for article in document["data"]
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    ]
    long = sum(any(len(one["text"].strip()) > 30 for one in q["answers"]) for q in asked)
    assert told["codes"]["long_answer"] == long
    assert told["codes"]["too_many_questions"] == told["codes"]["not_a_span"] == 0
    assert sum(told["types"]["counts"].values()) == len(asked) == 1002
