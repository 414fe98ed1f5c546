"""Checks of line formats: every code, its line, and going on after each."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from readmark.core.errors import DataError
from readmark.core.problems import Problem, fail
from readmark.formats.checks import check
from spoilt_tests import GOOD, found_in, native

DEEP = '{"id": "p", "text": "x", "fields": {"a": ' + "[" * 100_000


def passage(id: str = "p", text: str = "The cat sat.", **more: Any) -> dict[str, Any]:
    return {"id": id, "text": text, **more}


def asked(id: str = "q", text: str = "Who?", **key: Any) -> dict[str, Any]:
    return passage(questions=[{"id": id, "text": text, "key": key}])


def layered(**layer: Any) -> dict[str, Any]:
    return passage(layers={"token": {"spans": [[0, 3]], **layer}})


def test_nothing_wrong(tmp_path: Path) -> None:
    assert found_in(native(tmp_path / "t.jsonl", GOOD)) == []
    answered = asked(answers=[{"text": "cat", "start": 4}], sentences=[[0, 12]])
    assert found_in(native(tmp_path / "t.jsonl", answered)) == []
    assert found_in(native(tmp_path / "t.jsonl", asked(sentences=[[0, 12]]))) == []


@pytest.mark.parametrize(
    ("record", "code", "message"),
    [
        (passage(text=" \n"), "empty_text", "p: the passage has no text"),
        (asked(text=" ", unanswerable=True), "empty_text", "q: the question has no text"),
        (
            asked(answers=[{"text": "dog", "start": 4}]),
            "offset",
            "q: answer 'dog' is not at 4–7, found 'cat'",
        ),
        (
            asked(answers=[{"text": "cat", "start": 4, "end": 6}]),
            "offset",
            "q: answer 'cat' is not at 4–6, found 'ca'",
        ),
        (
            asked(answers=[{"text": "cat", "start": 11}]),
            "offset",
            "q: answer 'cat' is at 11–14, outside the passage of 12 characters",
        ),
        (
            asked(answers=[{"text": "cat", "start": -1}]),
            "offset",
            "q: answer 'cat' is at -1–2, outside the passage of 12 characters",
        ),
        (
            asked(unanswerable=True, plausible=[{"text": "cat", "start": 0}]),
            "offset",
            "q: answer 'cat' is not at 0–3, found 'The'",
        ),
        (
            asked(answers=[{"text": "cat"}], sentences=[[0, 13]]),
            "sentence",
            "q: answer sentence 0–13 is not in the passage",
        ),
        (
            asked(answers=[{"text": "cat"}], sentences=[[3, 3]]),
            "sentence",
            "q: answer sentence 3–3 is not in the passage",
        ),
        (
            asked(unanswerable=True, answers=[{"text": "cat"}]),
            "unanswerable",
            "q: is marked unanswerable and has answers",
        ),
        (
            asked(level=1),
            "no_answer",
            "q: has a key without answers, and is not marked unanswerable",
        ),
        (layered(spans=[[0, 13]]), "layer", "p: layer token: span 0–13 is outside the text"),
        (layered(spans=[[3, 0]]), "layer", "p: layer token: span 3–0 is outside the text"),
        (
            layered(quotes=["the"]),
            "layer",
            "p: layer token: span 0–3 should read 'the', found 'The'",
        ),
        (layered(quotes=["The", "cat"]), "layer", "p: layer token has 1 spans but 2 quotes"),
        (layered(columns={"pos": []}), "layer", "p: layer token has 1 spans but 0 pos"),
        (
            asked(answers=[{"text": "cat"}], layers={"token": {"spans": [[0, 9]]}}),
            "layer",
            "q: layer token: span 0–9 is outside the text",
        ),
        (
            asked(published=[{"text": "cat", "layers": {"np": {"spans": [[0, 4]]}}}]),
            "layer",
            "q: layer np: span 0–4 is outside the text",
        ),
        (passage("good"), "duplicate_id", "passage id 'good' occurs twice"),
        (asked("good-1", answers=[{"text": "cat"}]), "duplicate_id", "id 'good-1' occurs twice"),
        ('{"id": "p", "text": "x"', "json", "not valid JSON: it ends too early, or"),
        ('{"id": "p", "text": NaN}', "json", "not valid JSON: invalid character (found 'N') at"),
        ("not JSON at all", "json", "not valid JSON: "),
        (DEEP, "json", "nested too deep at byte 1 of the line"),
        ('["p", "x"]', "schema", "expected object, got array"),
        ("null", "schema", "expected object, got null"),
        ({"id": "p"}, "schema", "object missing required field text"),
        ({"id": 5, "text": "x"}, "schema", "expected text, got int - at $.id"),
        (
            {"id": "p", "text": "x", "questions": [{"id": "q", "text": 7}]},
            "schema",
            "expected text, got int - at $.questions[0].text",
        ),
        (
            {"id": "p", "text": "x", "colour": "red"},
            "schema",
            "object contains unknown field colour; fields of your own go under 'fields'",
        ),
    ],
)
def test_every_code_at_its_line(tmp_path: Path, record: Any, code: str, message: str) -> None:
    path = native(tmp_path / "t.jsonl", GOOD, "", record, passage("after", text=""))
    where, found_code, found_message = found_in(path)[0]
    assert (where, found_code) == (4, code)
    assert found_message.startswith(message)
    # What follows is still read, so its problem is found too.
    assert found_in(path)[1:] == [(5, "empty_text", "after: the passage has no text")]


def test_bad_bytes_are_told_with_their_line_and_byte(tmp_path: Path) -> None:
    path = native(tmp_path / "t.jsonl", GOOD)
    with path.open("ab") as stream:
        stream.write(b'{"id": "p", "text": "\xff\xfe"}\n{"id": "r", "text": "fine"}\n')
    assert found_in(path) == [(3, "json", "not valid UTF-8 (byte 0xff) at byte 22 of the line")]


def test_problems_stand_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = native(
        tmp_path / "t.jsonl",
        passage("a", text=""),
        "{",
        asked("q", answers=[{"text": "dog", "start": 0}]),
        "[]",
        passage("a"),
        passage("z", text=""),
        "{",
    )
    assert [(where, code) for where, code, _ in found_in(path)] == [
        (2, "empty_text"),
        (3, "json"),
        (4, "offset"),
        (5, "schema"),
        (6, "duplicate_id"),
        (7, "empty_text"),
        (8, "json"),
    ]


def test_a_file_of_bad_lines_only(tmp_path: Path) -> None:
    path = native(tmp_path / "t.jsonl", *["{"] * 50)
    assert [where for where, _, _ in found_in(path)] == list(range(2, 52))


def test_problems_before_a_cut_are_told_too(tmp_path: Path) -> None:
    plain = native(tmp_path / "t.jsonl", GOOD, "{", passage("b"), *["[]"] * 3)
    noise = "".join(chr(0x4E00 + at * 7919 % 20000) for at in range(200_000))
    with plain.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(passage("c", text=noise), ensure_ascii=False) + "\n")
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(gzip.compress(plain.read_bytes())[:-2000])
    assert [(where, code) for where, code, _ in found_in(path)] == [
        (3, "json"),
        (5, "schema"),
        (6, "schema"),
        (7, "schema"),
        (1, "unreadable"),
    ]
    assert found_in(path)[-1][2] == "the compressed file is cut off before its end"


@pytest.mark.parametrize(
    ("header", "code", "message"),
    [
        ({"readmark": 2, "kind": "comprehension"}, "newer_schema", "made for schema 2, this"),
        ({"readmark": "1"}, "schema", "expected int, got str - at $.readmark"),
        ({"readmark": 1, "kind": "poem"}, "unreadable", "kind 'poem' is unknown; known: compreh"),
        ({"readmark": 1, "colour": 1}, "schema", "object contains unknown field colour"),
        (
            {"readmark": 1, "file": "sitting"},
            "unreadable",
            "holds answers and is no test; the test",
        ),
        ({"name": "no version"}, "unreadable", "JSON Lines without a header: a test begins"),
    ],
)
def test_bad_headers(tmp_path: Path, header: Any, code: str, message: str) -> None:
    path = native(tmp_path / "t.jsonl", GOOD, header=header)
    [(where, found_code, found_message)] = found_in(path)
    assert (where, found_code) == (1, code)
    assert found_message.startswith(message)


def test_passages_without_a_header_are_shown_the_way(tmp_path: Path) -> None:
    path = native(tmp_path / "t.jsonl", GOOD, header={"id": "p", "text": "A boat."})
    [(_, _, message)] = found_in(path)
    assert message.endswith("passages to rate become a test with `readmark panel pool`")


def test_an_empty_test(tmp_path: Path) -> None:
    path = native(tmp_path / "t.jsonl")
    assert found_in(path) == [(1, "empty", "the test has no records")]


@pytest.mark.parametrize(
    ("question", "code", "message"),
    [
        ({"key": {"rewrites": []}}, "no_answer", "q: has a key without rewrites"),
        ({"text": " "}, "empty_text", "q: the question has no text"),
        (
            {"layers": {"token": {"spans": [[0, 5]]}}},
            "layer",
            "q: layer token: span 0–5 is outside the text",
        ),
    ],
)
def test_series(tmp_path: Path, question: dict[str, Any], code: str, message: str) -> None:
    asked = {"id": "q", "text": "Who?", **question}
    record = {"id": "s", "target": "the kettle", "questions": [asked]}
    path = native(tmp_path / "t.jsonl", record, header={"readmark": 1, "kind": "series"})
    assert found_in(path) == [(2, code, message)]


def test_a_series_without_an_id_or_a_target(tmp_path: Path) -> None:
    path = native(
        tmp_path / "t.jsonl",
        {"id": "", "target": "the kettle"},
        {"id": "s", "target": " "},
        {"id": "s", "target": "the coat"},
        header={"readmark": 1, "kind": "series"},
    )
    assert found_in(path) == [
        (2, "schema", "the id is empty"),
        (3, "empty_text", "s: the series has no target"),
        (4, "duplicate_id", "series id 's' occurs twice"),
    ]


def test_a_problem_is_one_line_and_an_error_alike() -> None:
    problem = Problem("t.json", "a\nb", "offset", "found 'x'\r\nhere")
    assert str(problem) == "t.json:a b: offset: found 'x' here"
    with pytest.raises(DataError) as caught:
        fail(Problem("t.jsonl", 7, "json", "not valid"))
    assert str(caught.value) == "t.jsonl:7: json: not valid"
    assert (caught.value.file, caught.value.where) == ("t.jsonl", 7)


def test_passages_without_questions_are_worth_a_warning_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "passages.jsonl"
    path.write_text('{"readmark":1}\n{"id":"p","text":"The mill burned."}\n', encoding="utf-8")
    [problem] = check(str(path))
    assert (problem.code, problem.severity) == ("no_questions", "warning")


@pytest.mark.parametrize(
    ("language", "record", "codes"),
    [
        ("en", {"text": "这是中文的短文。"}, ["wrong_language"]),
        ("zh", {"text": "This is no Chinese."}, ["wrong_language"]),
        ("en", {"text": "这是中文的短文。", "language": "zh-Hant"}, []),
        ("fr", {"text": "C'est du fran\u00e7ais."}, []),
        ("zh", {"text": "12:30"}, []),
        ("en", {"text": "The word 水 means water."}, []),
    ],
)
def test_a_passage_to_be_rated_in_another_language_is_worth_a_warning(
    tmp_path: Path, language: str, record: dict[str, Any], codes: list[str]
) -> None:
    header = {"readmark": 1, "kind": "readability", "language": language}
    path = native(tmp_path / "x.jsonl", {"id": "a", **record}, header=header)
    problems = list(check(str(path)))
    assert [one.code for one in problems] == codes
    assert all(one.severity == "warning" for one in problems)
