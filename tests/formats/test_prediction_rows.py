"""Predictions a row each: CSV, TSV, XLSX, JSON Lines and JSON lists, under many names."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.errors import DataError, UsageError
from readmark.core.kinds import kind_named
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.conversion import convert
from readmark.formats.inputs import save
from readmark.formats.registry import open_sitting
from readmark.formats.sheets import write_sheet

COMPREHENSION = kind_named("comprehension")
ANSWERS = {"q1": "a kettle", "q2": "-5", "q3": "", "q4": "=1+1"}


def as_table(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    names = list(dict.fromkeys(name for row in rows for name in row))
    write_sheet(path, names, [[row.get(name) for name in names] for row in rows])
    return path


def as_lines(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def as_list(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text(json.dumps(rows, indent=1))
    return path


Write = Callable[[Path, Sequence[dict[str, Any]]], Path]
FILES: dict[str, Write] = {
    "mine.csv": as_table,
    "mine.tsv": as_table,
    "mine.xlsx": as_table,
    "mine.csv.gz": as_table,
    "mine.jsonl": as_lines,
    "mine.ndjson": as_lines,
    "mine.json": as_list,
}
NAMES = [
    ("id", "prediction_text"),
    ("id", "prediction"),
    ("id", "answer"),
    ("id", "text"),
    ("qid", "predicted_answer"),
    ("question_id", "response"),
    ("Question ID", "Model answer"),
    ("example_id", "generated_text"),
    ("题号", "预测答案"),
]


def read(path: Path, kind: str = "comprehension") -> Sitting:
    return open_sitting(path, kind_named(kind))


def texts(sitting: Sitting) -> dict[str, object]:
    return {id: sitting.of(id)[0].text for id in sitting}


@pytest.mark.parametrize("file", FILES)
def test_files(tmp_path: Path, file: str) -> None:
    rows = [{"id": id, "prediction_text": text} for id, text in ANSWERS.items()]
    sitting = read(FILES[file](tmp_path / file, rows))
    assert texts(sitting) == ANSWERS
    assert sitting.header.candidate == "mine"


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("file", ["mine.csv", "mine.jsonl", "mine.json"])
def test_names(tmp_path: Path, names: tuple[str, str], file: str) -> None:
    rows = [dict(zip(names, pair, strict=True)) for pair in ANSWERS.items()]
    assert texts(read(FILES[file](tmp_path / file, rows))) == ANSWERS


@pytest.mark.parametrize("file", ["mine.jsonl", "mine.json"])
def test_one_row_is_no_dictionary(tmp_path: Path, file: str) -> None:
    (tmp_path / file).write_text('{"id": "q1", "prediction_text": "a kettle"}\n')
    assert texts(read(tmp_path / file)) == {"q1": "a kettle"}


def test_a_dictionary_is_no_json_lines(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text('{"q1": "a kettle", "q2": "a coat"}\n')
    with pytest.raises(DataError, match="not a sitting of a format that is known"):
        read(tmp_path / "mine.jsonl")
    (tmp_path / "mine.jsonl").rename(tmp_path / "mine.json")
    assert texts(read(tmp_path / "mine.json")) == {"q1": "a kettle", "q2": "a coat"}


def test_the_surest_name_is_taken(tmp_path: Path) -> None:
    row = {"id": "q1", "question": "What?", "answer": "the key", "text": "x", "prediction": "mine"}
    for file in ("mine.csv", "mine.jsonl"):
        assert texts(read(FILES[file](tmp_path / file, [row]))) == {"q1": "mine"}


def test_columns_of_two_systems_are_told_what_a_table_has(tmp_path: Path) -> None:
    row = {"id": "q1", "model_a": "a kettle", "model_b": "a coat"}
    with pytest.raises(DataError, match="a table has the columns id and text"):
        read(FILES["mine.csv"](tmp_path / "mine.csv", [row]))


def test_a_test_is_no_sitting(tmp_path: Path) -> None:
    row = {"id": "q1", "passage": "A kettle.", "question": "What?", "answer": "A kettle"}
    for file in ("mine.csv", "mine.jsonl"):
        with pytest.raises(DataError, match="not a sitting of a format that is known"):
            read(FILES[file](tmp_path / file, [row]))


def test_offsets_scores_errors_and_repeats(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": 1, "answer": "kettle", "start": 2, "end": 8, "score": 0.25},
        {"id": 2, "answer": "", "error": "timed out"},
        {"id": 3, "answer": "a", "repeat": 0},
        {"id": 3, "answer": "b", "repeat": 1},
    ]
    for file in ("mine.csv", "mine.jsonl", "mine.xlsx"):
        sitting = read(FILES[file](tmp_path / file, rows))
        (first,) = sitting.of("1")
        assert (first.text, first.start, first.end, first.score) == ("kettle", 2, 8, 0.25)
        assert sitting.of("2")[0].error == "timed out"
        assert [row.text for row in sitting.of("3")] == ["a", "b"]


def test_values_that_are_no_text(tmp_path: Path) -> None:
    rows = [{"id": "a", "answer": 42}, {"id": "b", "answer": None}, {"id": "c", "answer": 1890.0}]
    rows.append({"id": "d", "answer": ["only"]})  # type: ignore[dict-item]
    assert texts(read(as_lines(tmp_path / "mine.jsonl", rows))) == {
        "a": "42",
        "c": "1890",
        "d": "only",
    }


def test_ratings_and_rewrites(tmp_path: Path) -> None:
    rated = read(
        as_table(tmp_path / "r.csv", [{"id": "p", "rating": 3.5}, {"id": "q"}]), "readability"
    )
    assert {id: rated.of(id)[0].answer for id in rated} == {"p": 3.5}
    said = read(
        as_lines(tmp_path / "s.jsonl", [{"id": "p", "prediction": "Who is Ada?"}]), "series"
    )
    assert said.of("p")[0].answer == "Who is Ada?"


FAULTS: dict[str, tuple[str, list[Any], str]] = {
    "an id twice": (
        "mine.csv",
        [{"id": "q", "answer": "a"}, {"id": "q", "answer": "b"}],
        "mine.csv:3: id 'q' occurs twice, first in row 2",
    ),
    "an id twice in JSON": (
        "mine.json",
        [{"id": "q", "answer": "a"}, {"id": "q", "answer": "b"}],
        "mine.json:2: id 'q' occurs twice, first in row 1",
    ),
    "no id": (
        "mine.jsonl",
        [{"id": "q", "answer": "a"}, {"answer": "b"}],
        "mine.jsonl:2: has no id (expected one of id, qid, questionid, 问题编号; name yours with "
        "`map`, such as COLUMN=id)",
    ),
    "no answer": (
        "mine.jsonl",
        [{"id": "q", "answer": "a"}, {"id": "r"}],
        "mine.jsonl:2: has no answer (expected one of text, predictiontext, prediction; name yours "
        "with `map`, such as COLUMN=prediction)",
    ),
    "an object": (
        "mine.jsonl",
        [{"id": "q", "answer": {"a": 1}}],
        'mine.jsonl:1: the prediction is {"a": 1}, expected text',
    ),
    "no object": (
        "mine.jsonl",
        [{"id": "q", "answer": "a"}, 5],
        "mine.jsonl:2: expected an object with id and answer",
    ),
    "a start in words": (
        "mine.csv",
        [{"id": "q", "answer": "a", "start": "here"}],
        "mine.csv:2: start is 'here', expected a whole number",
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_faults_are_placed(tmp_path: Path, case: str) -> None:
    file, rows, message = FAULTS[case]
    path = FILES[file](tmp_path / file, rows)
    with pytest.raises(DataError) as raised:
        read(path)
    assert str(raised.value) == f"{tmp_path}/{message}"


def test_a_rating_in_words(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"r\.csv:2: the prediction is .*, expected a number"):
        read(as_table(tmp_path / "r.csv", [{"id": "p", "rating": "good"}]), "readability")


def test_a_broken_line(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text('{"id": "q", "answer": "a"}\n{"id": \n')
    with pytest.raises(DataError, match=r"mine\.jsonl:2: "):
        read(tmp_path / "mine.jsonl")


def kettles() -> Test:
    return comprehension(
        passage("p", *(asked(id, "a kettle") for id in ANSWERS), text="It is a kettle.")
    )


@pytest.mark.parametrize("file", FILES)
def test_they_are_marked(tmp_path: Path, file: str) -> None:
    rows = [{"id": id, "prediction_text": text} for id, text in ANSWERS.items()]
    path = FILES[file](tmp_path / file, rows)
    assert readmark.mark(kettles(), str(path), metrics=["em"])["em"].score == 25


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx"])
def test_a_sitting_is_written_as_rows_and_back(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(ANSWERS))
    done = convert(tmp_path / "mine.json", tmp_path / f"mine{suffix}")
    assert (done.format, list(done.lost)) == ("prediction_rows", [])
    back = convert(tmp_path / f"mine{suffix}", tmp_path / "back.json")
    assert back.format == "predictions"
    assert json.loads((tmp_path / "back.json").read_text()) == ANSWERS


def test_rows_in_json(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(ANSWERS))
    for name in ("rows.jsonl", "rows.json"):
        convert(tmp_path / "mine.json", tmp_path / name, to_format="prediction_rows")
        assert texts(read(tmp_path / name)) == ANSWERS


def test_passages_are_for_tables(tmp_path: Path) -> None:
    save(kettles(), tmp_path / "t.jsonl")
    with pytest.raises(UsageError, match="`passages` is for tables, not for native"):
        convert(tmp_path / "t.jsonl", tmp_path / "o.csv", from_format="native", passages="x")
