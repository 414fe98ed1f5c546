"""Checks of JSON documents, told by ids, and of files that hold no test."""

import json
from pathlib import Path
from typing import Any

import pytest

from readmark.core.errors import UsageError
from readmark.formats.checks import check
from spoilt_tests import GOOD, found_in, native


def squad(*paragraphs: Any) -> dict[str, Any]:
    return {"version": "1.1", "data": [{"title": "T", "paragraphs": list(paragraphs)}]}


def paragraph(id: str, *questions: Any, context: Any = "The cat sat.") -> dict[str, Any]:
    return {"id": id, "context": context, "qas": list(questions)}


def question(id: Any, *answers: Any, **more: Any) -> dict[str, Any]:
    return {"id": id, "question": "Who?", "answers": list(answers), **more}


CAT = {"text": "cat", "answer_start": 4}


def test_json_documents_are_told_by_ids(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    document = squad(
        paragraph("p1", question("q1", CAT), question("q2", {"text": "dog", "answer_start": 0})),
        paragraph("p2", question("q1", CAT), question("q3")),
        paragraph("p1", question("q9", CAT)),
        paragraph("p3", question(None, CAT), "no object", question("q4", {"text": 5})),
        "no object",
        paragraph("p4", question("q5", CAT), context=None),
        paragraph("p5", question("q6", CAT), context=" "),
    )
    path.write_text(json.dumps(document), encoding="utf-8")
    found = found_in(path)
    assert [(where, code) for where, code, _ in found] == [
        ("q2", "offset"),
        ("p2", "duplicate_id"),
        ("q3", "no_answer"),
        ("p1", "duplicate_id"),
        ("data[0].paragraphs[3].qas[0]", "schema"),
        ("data[0].paragraphs[3].qas[1]", "schema"),
        ("q4", "schema"),
        ("data[0].paragraphs[4]", "schema"),
        ("p4", "schema"),
        ("p5", "empty_text"),
        ("q6", "offset"),
    ]
    messages = {where: message for where, _, message in found}
    assert messages["p2"] == "id 'q1' occurs twice"
    assert messages["q4"] == "answers[0].text is 5, expected text"
    assert messages["data[0].paragraphs[4]"] == 'the paragraph is "no object", expected an object'


def test_levels_of_smart(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    document = squad(paragraph("p", question("q1", CAT, level=1), question("q2", CAT, level=5)))
    path.write_text(json.dumps(document), encoding="utf-8")
    assert found_in(path) == [("q2", "level", "level is 5, expected a whole number from 1 to 4")]


def test_malformed_documents_are_told_by_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"version": "1.1",\n "data": [}', encoding="utf-8")
    [(where, code, message)] = found_in(path)
    assert (where, code) == ("2:11", "unreadable")
    assert message.startswith("not valid JSON")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("none.jsonl", None, "no such file"),
        ("empty.jsonl", b"", "not a test of a format that is known: it looks like an empty file"),
        ("blank.json", b"\n \n", "not a test of a format that is known: it looks like an empty"),
        (
            "bin.jsonl",
            b"\x7fELF\0\0\0",
            "not a test of a format that is known: it looks like a bin",
        ),
        ("text.jsonl", b"id,text\n", "not a test of a format that is known: it looks like text"),
        ("array.json", b"[1, 2]", "not a test of a format that is known: it looks like a JSON arr"),
        ("odd.json", b'{"a": 1}', "not a test of a format that is known: it looks like a JSON obj"),
        ("deep.json", b"[" * 100_000, "nested too deep"),
    ],
)
def test_what_is_no_test(tmp_path: Path, name: str, data: bytes | None, message: str) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    [(_, code, found)] = found_in(path)
    assert code == "unreadable"
    assert found.startswith(message)


def test_an_unknown_format_is_bad_usage(tmp_path: Path) -> None:
    path = native(tmp_path / "t.jsonl", GOOD)
    with pytest.raises(UsageError, match="unknown format 'natif'; did you mean native"):
        list(check(str(path), format="natif"))
