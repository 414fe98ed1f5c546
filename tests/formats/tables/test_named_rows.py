"""Rows under other names, in JSON, JSON Lines, Parquet, CSV and XLSX, of tests and answers."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import readmark
from command_line import in_process

KETTLE = "The red kettle stands on the stove. It is 8 years old."
ROWS: Sequence[Mapping[str, Any]] = [
    {"example_id": "a", "story": KETTLE, "query": "What stands there?", "gold": "the red kettle"},
    {"example_id": "b", "story": KETTLE, "query": "How old is it?", "gold": "8"},
]
OUTPUTS = [
    {"example_id": "a", "model_output": "red kettle"},
    {"example_id": "b", "model_output": "8"},
]
FILES = ("rows.json", "rows.jsonl", "rows.csv", "rows.xlsx", "rows.parquet")


def written(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Rows in the format of a file's name."""
    if path.suffix == ".json":
        path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    elif path.suffix == ".jsonl":
        lines = (json.dumps(row, ensure_ascii=False) for row in rows)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    elif path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".xlsx":
        workbook = openpyxl.Workbook()
        workbook.active.append(list(rows[0]))
        for row in rows:
            workbook.active.append(list(row.values()))
        workbook.save(path)
    else:
        import duckdb

        lines = written(path.with_suffix(".lines.jsonl"), rows)
        duckdb.sql(f"COPY (SELECT * FROM read_json('{lines}')) TO '{path}' (FORMAT parquet)")
    return path


def keys(test: readmark.Test) -> dict[str, list[tuple[str, int | None]]]:
    return {
        unit.id: [(answer.text, answer.start) for answer in unit.key.answers]
        for unit in test.units()
    }


@pytest.mark.parametrize("name", FILES)
def test_questions_under_common_names(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / name, ROWS)
    test = readmark.load(path, map={"example_id": "id"})
    assert keys(test) == {"a": [("the red kettle", None)], "b": [("8", 42)]}
    assert [record.text for record in test.records()] == [KETTLE]


@pytest.mark.parametrize("name", FILES)
def test_answers_under_common_names(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / name, OUTPUTS)
    test = readmark.load(written(tmp_path / "test.jsonl", ROWS), map={"example_id": "id"})
    assert readmark.mark(test, path, metrics="em")["em"].score == 100


@pytest.mark.parametrize("name", FILES)
def test_questions_and_answers_under_any_name(tmp_path: Path, name: str) -> None:
    """``--map`` means the same for the test and for the predictions, whatever their format."""
    test = [
        {"nr": row["example_id"], "frage": row["query"], "richtig": row["gold"], "text": KETTLE}
        for row in ROWS
    ]
    said = [{"nr": row["example_id"], "gesagt": row["model_output"]} for row in OUTPUTS]
    files = [
        written(tmp_path / f"{stem}-{name}", rows) for stem, rows in (("t", test), ("p", said))
    ]
    named = ["nr=id", "frage=question", "richtig=answer", "gesagt=prediction"]
    maps = [part for pair in named for part in ("--map", pair)]
    done = in_process("mark", *map(str, files), *maps, "-m", "em", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["marks"]["em"]["score"] == 100
    of_test = "id = nr, question = frage, passage = text, answer = richtig"
    assert done.stderr.splitlines()[:2] == [
        f"readmark: {files[0]}: read as {of_test}",
        f"readmark: {files[1]}: read as id = nr, prediction = gesagt",
    ]


def test_a_question_with_an_answer_is_a_test(tmp_path: Path) -> None:
    """The plainest row there is: id, context, question and answer need no word."""
    row = {"id": "a", "context": KETTLE, "question": "How old is it?", "answer": "8"}
    path = written(tmp_path / "t.jsonl", [row])
    done = in_process("check", str(path))
    assert done.stderr == f"readmark: {path}: no problems\n"
    assert keys(readmark.load(path)) == {"a": [("8", 42)]}


ANSWERS = {
    "a list": (["8", "eight"], [("8", 42), ("eight", None)]),
    "placed": ([{"text": "the", "start": 24}], [("the", 24)]),
    "parallel lists": (
        {"text": ["the", "red"], "answer_start": [24, 4]},
        [("the", 24), ("red", 4)],
    ),
    "a number": (8, [("8", 42)]),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_in_any_form(tmp_path: Path, name: str) -> None:
    given, expected = ANSWERS[name]
    row = {"qid": "a", "passage": KETTLE, "query": "Which?", "gold": given}
    assert keys(readmark.load(written(tmp_path / "t.jsonl", [row]))) == {"a": expected}


def test_options_in_columns_of_their_own(tmp_path: Path) -> None:
    row = {
        "qid": "a",
        "passage": KETTLE,
        "query": "Which?",
        "A": "a pot",
        "B": "a kettle",
        "gold": "B",
    }
    [unit] = readmark.load(written(tmp_path / "t.jsonl", [row])).units()
    assert unit.item.options == ("a pot", "a kettle")
    assert [answer.text for answer in unit.key.answers] == ["a kettle"]


def test_a_letter_without_options_is_no_answer(tmp_path: Path) -> None:
    rows = [{"qid": "a", "passage": KETTLE, "query": "Which?", "gold": "B"}]
    done = in_process("check", str(written(tmp_path / "t.jsonl", rows)))
    assert done.returncode == 1
    message = 't.jsonl:1: schema: the answer is "B", expected the answer\'s words'
    assert message in done.stdout


def test_an_answer_that_is_not_in_the_passage_is_named(tmp_path: Path) -> None:
    done = in_process("check", str(written(tmp_path / "t.jsonl", ROWS)))
    assert done.returncode == 0
    assert "t.jsonl:1: not_in_passage: " in done.stdout


WRONG = {
    "no equals sign": ("gold", "--map gold: expected COLUMN=FIELD, such as gold=answer"),
    "no such field": ("gold=antwort", "--map has the unknown field 'antwort' for 'gold'; "),
    "no such column": ("goldd=answer", "no file has a column 'goldd', which --map names"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_map_is_bad_usage(tmp_path: Path, name: str) -> None:
    pair, message = WRONG[name]
    done = in_process("check", str(written(tmp_path / "t.jsonl", ROWS)), "--map", pair)
    assert done.returncode == 2
    assert message in done.stderr


def test_what_has_no_question_names_its_columns(tmp_path: Path) -> None:
    done = in_process("check", str(written(tmp_path / "t.jsonl", [{"a": 1, "prompt": "Why?"}])))
    assert done.returncode == 1
    assert "a, prompt" in done.stdout
    assert "say so with --map: COLUMN=question" in done.stdout


def test_the_id_of_a_document_is_no_passage(tmp_path: Path) -> None:
    rows = [{"id": "a", "document": "d-1", "query": "Who?", "answer": "Ann"}]
    done = in_process("check", str(written(tmp_path / "t.jsonl", rows)))
    assert done.returncode == 1
    done = in_process("check", str(tmp_path / "t.jsonl"), "--map", "document=passage")
    assert "a: the answer 'Ann' is not in the passage" in done.stdout


SWAPPED = {
    "p.csv": "example_id,model_output\na,red\n",
    "p.jsonl": '{"id": "a", "prediction": "red"}\n',
    "p.json": '{"a": "red"}',
}


@pytest.mark.parametrize("name", SWAPPED)
def test_swapped_arguments_are_recognised(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(SWAPPED[name])
    written(tmp_path / "t.jsonl", ROWS)
    done = in_process("mark", name, "t.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"readmark: {name}: holds answers and is no test; the test comes first\n"
