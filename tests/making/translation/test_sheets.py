"""Files of questions and keys: tables and tests."""

import json
from pathlib import Path

import pytest

from readmark import convert
from readmark.core.errors import DataError, UsageError
from readmark.making.translation.sheets import open_sheet

TABLE = "id\tpassage\tquestion\tkey\nq1\tp\t谁？\t狗 | 一只狗\nq2\tp\t他说“走”？\t\n"


def test_a_table_of_tabs(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(TABLE, "utf-8")
    sheet = open_sheet(tmp_path / "a.tsv", "zh")
    assert [
        (entry.id, entry.question, entry.keys, entry.passage) for entry in sheet.entries.values()
    ] == [
        ("q1", "谁？", ("狗", "一只狗"), "p"),
        ("q2", "他说“走”？", (), "p"),
    ]


def test_commas_json_lines_and_encodings_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(TABLE, "utf-8")
    (tmp_path / "gb.tsv").write_bytes(TABLE.encode("gb18030"))
    (tmp_path / "a.csv").write_text(
        "\ufeffID,Question,Key,passage\r\nq2,他说“走”？,,p\r\nq1,谁？,狗 | 一只狗,p\r\n", "utf-8"
    )
    rows = [
        {"id": "q1", "question": "谁？", "key": ["狗", "一只狗"]},
        {"id": "q2", "question": "他说“走”？", "key": None},
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    digests = {
        open_sheet(tmp_path / n, "zh").digest for n in ("a.tsv", "gb.tsv", "a.csv", "a.jsonl")
    }
    assert len(digests) == 1


def test_a_bar_without_spaces_is_told(tmp_path: Path) -> None:
    rows = "q1\t谁？\t里克|理查德\nq2\t谁？\t狗 | 猫\nq3\t谁？\t甲｜乙\n"
    (tmp_path / "a.tsv").write_text(f"id\tquestion\tkey\n{rows}", "utf-8")
    sheet = open_sheet(tmp_path / "a.tsv", "zh")
    assert sheet.entries["q1"].keys == ("里克|理查德",)
    assert sheet.keys_with_bars == ["q1", "q3"]


def test_a_file_in_two_languages_is_parted_first(tmp_path: Path) -> None:
    kite = Path(__file__).resolve().parents[3] / "docs" / "examples" / "kite.brcc"
    with pytest.raises(UsageError, match=r"kite\.brcc has two languages, en and zh: run "):
        open_sheet(kite, "en")
    convert(kite, tmp_path / "kite")
    english, chinese = (
        open_sheet(tmp_path / "kite" / f"{language}.jsonl", language) for language in ("en", "zh")
    )
    assert list(english.entries) == list(chinese.entries)
    first = next(iter(english.entries.values()))
    assert first.question == "Who built the kite?"
    assert first.keys == ("Lin Bo", "a carpenter")
    assert first.passage == "kite"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.tsv", "id\tkey\nq1\t狗\n", "a.tsv:1: has no column 'question'; found: id, key"),
        ("a.tsv", "id\tquestion\nq1\t谁？\nq1\t谁？\n", "a.tsv:3: id 'q1' occurs twice"),
        ("a.tsv", "id\tquestion\n\t谁？\n", "a.tsv:2: has no id"),
        ("a.tsv", "id\tquestion\nq1\t谁？\t狗\n", "a.tsv:2: has 3 cells, expected 2"),
        ("a.tsv", "id\tquestion\n", "a.tsv: has no questions"),
        ("a.csv", 'id,question\nq1,"谁？\n', "a.csv:2: is not a valid table"),
        (
            "a.jsonl",
            '{"id":"q1","question":"谁？"}\n{"id":"q2"}\n',
            "a.jsonl:2: expected an object",
        ),
        ("a.jsonl", '{"id":"q1","question":7}\n', "a.jsonl:1: question is not text: 7"),
        ("a.jsonl", '{"id":7,"question":"谁？"}\n', "a.jsonl:1: id is not text: 7"),
        ("a.jsonl", '{"id":"q1","question":"谁？"}\n{"id"\n', "a.jsonl:2: not valid JSON"),
    ],
)
def test_bad_tables(tmp_path: Path, name: str, text: str, line: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(DataError) as raised:
        open_sheet(tmp_path / name, "zh")
    assert str(raised.value).replace(f"{tmp_path}/", "").startswith(line)


def test_the_wrong_language_or_kind(tmp_path: Path) -> None:
    header = {"readmark": 1, "kind": "comprehension", "language": "en"}
    record = {"id": "p", "text": "A dog.", "questions": [{"id": "q", "text": "Who?"}]}
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, (header, record))), "utf-8")
    with pytest.raises(DataError, match="is in 'en', expected 'zh'"):
        open_sheet(tmp_path / "t.jsonl", "zh")
    header = {"readmark": 1, "kind": "series", "language": "zh"}
    series = {"id": "s", "target": "狗", "questions": [{"id": "q", "text": "谁？"}]}
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, (header, series))), "utf-8")
    with pytest.raises(UsageError, match="is a series test"):
        open_sheet(tmp_path / "s.jsonl", "zh")
