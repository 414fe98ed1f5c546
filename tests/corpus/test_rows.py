"""Tables that people fill in, as spreadsheets of several countries save them."""

from pathlib import Path

import pytest

from readmark.corpus.errors import DataError
from readmark.corpus.rows import is_rows, read_rows
from readmark.corpus.source import Source


def written(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("name", "text", "encoding"),
    [
        ("a.csv", "id,answer\r\nq1,李冰\r\n\r\nq2,\r\n", "utf-8"),
        ("a.csv", "id,answer\nq1,李冰\n\nq2\n", "utf-8-sig"),
        ("a.csv", "id;answer\nq1;李冰\n\nq2;\n", "gb18030"),
        ("a.csv", 'ID , Answer\n"q1","李冰"\n\nq2,""\n', "utf-8"),
        ("a.tsv", "id\tanswer\nq1\t李冰\n\nq2\t\n", "utf-8"),
        ("a.tsv", "id\tanswer\r\nq1\t李冰\r\n\r\nq2\t\r\n", "utf-16"),
        ("a.csv", "id\tanswer\r\nq1\t李冰\r\n\r\nq2\t\r\n", "utf-16"),
        ("a.jsonl", '{"id":"q1","answer":"李冰"}\n\n\n{"id":"q2","answer":""}\n', "utf-8"),
    ],
)
def test_the_same_table_however_it_is_saved(
    tmp_path: Path, name: str, text: str, encoding: str
) -> None:
    path = written(tmp_path, name, text, encoding)
    assert is_rows(Source(path), "id")
    rows = list(read_rows(path))
    assert [row for _, row in rows] == [
        {"id": "q1", "answer": "李冰"},
        {"id": "q2", "answer": ""},
    ]
    assert [place for place, _ in rows] == ([1, 4] if name.endswith("jsonl") else [2, 4])


def test_a_quoted_cell_may_hold_lines_and_places_stay_right(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", 'id,answer\nq1,"two\nlines"\nq2,x\n')
    assert list(read_rows(path)) == [
        (2, {"id": "q1", "answer": "two\nlines"}),
        (4, {"id": "q2", "answer": "x"}),
    ]


def test_a_quotation_mark_in_a_tsv_is_one(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", 'id\tanswer\nq1\t"he\n')
    assert list(read_rows(path)) == [(2, {"id": "q1", "answer": '"he'})]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('id\tanswer\tx\nq1\t"two\nlines"\t3\nq2\tx\t4\n', [("two\nlines", "3"), ("x", "4")]),
        ('id\tanswer\tx\r\nq1\t"a ""b""\r\nc"\t3\r\n', [('a "b"\r\nc', "3")]),
        ('id\tanswer\tx\nq1\t"a ""b"" c"\t3\n', [('a "b" c', "3")]),
        ('id\tanswer\tx\nq1\t"he\t3\nq2\tshe"\t4\n', [('"he', "3"), ('she"', "4")]),
        ('id\tanswer\tx\nq1\t"he" said\t3\n', [('"he" said', "3")]),
        ('id\tanswer\tx\nq1\t"he"\t3\nq2\tx\n', [('"he"', "3"), ("x", "")]),
    ],
)
def test_a_tsv_of_a_spreadsheet_is_told_from_one_of_a_program(
    tmp_path: Path, text: str, rows: list[tuple[str, str]]
) -> None:
    for name, encoding in (("a.tsv", "utf-8"), ("a.txt", "utf-16")):
        found = read_rows(written(tmp_path, name, text, encoding))
        assert [(row["answer"], row["x"]) for _, row in found] == rows


def test_json_lines_may_be_called_txt(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt", '{"id":"q1","x":1}\n')
    assert list(read_rows(path)) == [(1, {"id": "q1", "x": 1})]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.tsv", 'id\tx\ty\nq1\t"he\nq2\tshe"\n', "2: has 2 cells, expected 3, and a quotation"),
        ("a.csv", "name,answer\nx,y\n", "1: has no column 'id'; found: name, answer"),
        ("a.csv", "id,answer\nq1,a,b\n", "2: has 3 cells, expected 2"),
        ("a.csv", "id,id\nq1,a\n", "two columns are called 'id'"),
        ("a.csv", 'id,answer\nq1,"open\n', "2: is no sound table"),
        ("a.jsonl", '{"answer":"x"}\n', "1: expected an object with id"),
        ("a.jsonl", '{"id":"x"\n', "1: not valid JSON"),
        ("a.csv", "id,answer\nq1,\0\n", "binary|sound table|column|cells"),
    ],
)
def test_faults_are_placed(tmp_path: Path, name: str, text: str, line: str) -> None:
    path = written(tmp_path, name, text)
    if "\0" in text:
        assert list(read_rows(path))  # a NUL is text like any other to a table
        return
    with pytest.raises(DataError, match=line):
        list(read_rows(path))


def test_what_is_no_table(tmp_path: Path) -> None:
    assert not is_rows(Source(written(tmp_path, "a.jsonl", '{"readmark":1}\n')), "id")
    assert not is_rows(Source(written(tmp_path, "b.jsonl", '{"name":"x"}\n')), "id")
    assert not is_rows(Source(written(tmp_path, "a.json", '{"id":"x"}')), "id")
