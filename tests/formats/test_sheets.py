"""Tables that people fill in, as spreadsheets of several countries save them."""

import csv
import io
import math
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.csv_text import csv_text, is_formula
from readmark.core.errors import DataError
from readmark.core.source import Source
from readmark.formats.sheets import is_rows, read_rows, write_sheet
from strategies import texts


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
        ("a.csv", 'id,answer\nq1,"open\n', "2: is not a valid table"),
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


hostile = st.builds(
    str.__add__,
    st.text("'\"=+-@＝＋－＠ \t\r\n\0\u3000\u200b\ufeff", max_size=4),
    texts | st.text(st.characters(exclude_categories=("Cs",)), max_size=10),
)


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt", "a.csv.zst"])
@given(table=st.lists(st.tuples(hostile, hostile, hostile), max_size=3), heads=st.tuples(hostile))
def test_a_sheet_reads_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    table: list[tuple[str, str, str]],
    heads: tuple[str],
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    columns = ["id", "x", f"h{heads[0]}", "last"]
    numbered = [(str(at), *row) for at, row in enumerate(table)]
    write_sheet(path, columns, numbered)
    rows = list(read_rows(path))
    assert [tuple(row.values()) for _, row in rows] == numbered
    assert all(list(row) == [column.strip().lower() for column in columns] for _, row in rows)


@given(text=hostile)
def test_a_guarded_cell_is_no_formula_and_a_plain_one_reads_alike(text: str) -> None:
    line = csv_text(["id", "text"], [["p", text]])
    [_, (_, cell)] = csv.reader(io.StringIO(line, newline=""), strict=True)
    assert not is_formula(cell) or cell.startswith("'")
    assert cell in (text, f"'{text}")


def test_numbers_stay_numbers(tmp_path: Path) -> None:
    cells = [-3.5, -2, Decimal("-0.50"), "-3.5", "+1", None, -math.inf, "3"]
    written = "-3.5,-2,-0.50,'-3.5,'+1,,'-inf,3"
    assert csv_text(["a"], [cells]) == f"a\n{written}\n"
    path = tmp_path / "a.csv"
    write_sheet(path, ["id", *"abcdefg"], [cells])
    [(_, row)] = read_rows(path)
    assert list(row.values()) == ["-3.5", "-2", "-0.50", "-3.5", "+1", "", "-inf", "3"]


def test_plain_cells_and_apostrophes_that_guard_nothing_are_read_as_they_stand(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, "a.csv", "id;x\r\n=q;'tis\r\n'=q;''\r\n-1;'\r\n")
    assert [(row["id"], row["x"]) for _, row in read_rows(path)] == [
        ("=q", "'tis"),
        ("=q", "''"),
        ("-1", "'"),
    ]


def test_a_cell_is_quoted_for_the_separators_of_other_countries() -> None:
    assert csv_text(["a", "b"], [["x;=1+1", "y\t=1"]]) == 'a,b\n"x;=1+1","y\t=1"\n'


def test_a_cell_may_hold_a_long_passage(tmp_path: Path) -> None:
    path, text = tmp_path / "a.csv", "long, " * 50_000
    write_sheet(path, ["id", "text"], [["p", text]])
    assert [row["text"] for _, row in read_rows(path)] == [text]
