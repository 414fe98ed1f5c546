"""`readmark check` through the real command line: places, codes, counts, statuses, JSON."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

HEADER = {"readmark": 1, "kind": "comprehension", "name": "茶馆"}


def asked(id: str, text: str, start: int | None) -> dict[str, Any]:
    return {"id": id, "text": "谁？", "key": {"answers": [{"text": text, "start": start}]}}


def passage(id: str, *questions: dict[str, Any], text: str = "茶馆的老板姓李。") -> dict[str, Any]:
    return {"id": id, "text": text, "questions": list(questions)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    def write(name: str, *values: Any) -> None:
        said = (
            one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in values
        )
        (tmp_path / name).write_text("".join(f"{one}\n" for one in said), encoding="utf-8")

    write("good.jsonl", HEADER, passage("p1", asked("q1", "李", 6)))
    write(
        "bad.jsonl",
        HEADER,
        passage("p1", asked("q1", "张", 6), asked("q2", "老板", 3)),
        '{"id": "p2"',
        passage("p1"),
        passage("p3", asked("q2", "李", 6)),
    )
    document = {"context_id": "c1", "context_text": "茶馆。", "qas": [{"query_id": "q1"}]}
    write("bad.json", [document])
    return tmp_path


BAD = [
    "bad.jsonl:2: offset: q1: answer '张' is not at 6–7, found '李'",
    "bad.jsonl:3: json: not valid JSON: it ends too early, or holds half a surrogate pair "
    "at byte 12 of the line",
    "bad.jsonl:4: duplicate_id: passage id 'p1' occurs twice",
    "bad.jsonl:5: duplicate_id: id 'q2' occurs twice",
]


def test_nothing_wrong(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("check", "good.jsonl", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "readmark: good.jsonl: no problems\n"


def test_a_line_a_problem(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("check", "bad.jsonl", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.splitlines() == BAD
    assert done.stderr == "readmark: bad.jsonl: 4 problems\n"


def test_several_files_go_on_after_a_bad_one(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("check", "none.jsonl", "bad.jsonl", "good.jsonl", "bad.json", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "none.jsonl:1: unreadable: no such file",
        *BAD,
        "bad.json:q1: schema: query_text is missing, expected text",
    ]
    assert done.stderr.splitlines() == [
        "readmark: none.jsonl: 1 problem",
        "readmark: bad.jsonl: 4 problems",
        "readmark: good.jsonl: no problems",
        "readmark: bad.json: 1 problem",
    ]


def test_json(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("check", "--json", "bad.jsonl", "good.jsonl", "none.jsonl", cwd=folder)
    assert (done.returncode, done.stderr) == (1, "")
    document = json.loads(done.stdout)
    assert document["counts"] == {"bad.jsonl": 4, "good.jsonl": 0, "none.jsonl": 1}
    assert [(one["file"], one["where"], one["code"]) for one in document["problems"]] == [
        ("bad.jsonl", 2, "offset"),
        ("bad.jsonl", 3, "json"),
        ("bad.jsonl", 4, "duplicate_id"),
        ("bad.jsonl", 5, "duplicate_id"),
        ("none.jsonl", 1, "unreadable"),
    ]
    members = {"file", "where", "code", "message", "severity"}
    assert all(set(one) == members for one in document["problems"])
    assert {one["severity"] for one in document["problems"]} == {"error"}


def test_json_when_nothing_is_wrong(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("check", "--json", "good.jsonl", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    counts = {"good.jsonl": 0}
    assert json.loads(done.stdout) == {"problems": [], "counts": counts, "warnings": counts}


def test_warnings_do_not_fail(folder: Path, readmark_cli: Run) -> None:
    question = asked("q1", "李", None) | {"parallel": "q1"}
    record = passage("p1", question) | {"layers": {"np": {"spans": [[0, 2]]}}}
    lines = [json.dumps(one, ensure_ascii=False) for one in (HEADER, record)]
    (folder / "warned.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = readmark_cli("check", "warned.jsonl", "good.jsonl", cwd=folder)
    assert done.returncode == 0
    said = "no_sentence: warning: q1: no sentence of the passage is marked as its answer"
    assert done.stdout.splitlines() == [f"warned.jsonl:2: {said}"]
    assert done.stderr.splitlines() == [
        "readmark: warned.jsonl: no problems, 1 warning",
        "readmark: good.jsonl: no problems",
    ]
    document = json.loads(readmark_cli("check", "--json", "warned.jsonl", cwd=folder).stdout)
    assert document["counts"] == {"warned.jsonl": 0}
    assert document["warnings"] == {"warned.jsonl": 1}
    [problem] = document["problems"]
    assert problem["severity"] == "warning"
    assert problem["message"] == "q1: no sentence of the passage is marked as its answer"


def test_a_format_may_be_asked_for(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("check", "good.jsonl", "--from", "squad", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.startswith("good.jsonl:2:1: unreadable: not valid JSON")
    done = readmark_cli("check", "bad.json", "--from", "squad", cwd=folder)
    assert done.stdout.startswith(
        "bad.json:1: schema: the document is an array, expected an object"
    )


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf", b""])
def test_byte_order_marks_and_crlf_are_no_problem(
    folder: Path, readmark_cli: Run, data: bytes
) -> None:
    text = (folder / "bad.jsonl").read_bytes().replace(b"\n", b"\r\n")
    (folder / "bad.jsonl").write_bytes(data + text)
    done = readmark_cli("check", "bad.jsonl", cwd=folder)
    assert done.stdout.splitlines() == BAD
