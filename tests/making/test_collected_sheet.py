"""``set collect``: a completed sheet is checked row by row, and no row is lost."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from readmark.core.errors import DataError, UsageError
from readmark.formats.inputs import load
from readmark.making.collected_sheet import DISCARDED, CollectedSheet, collect_questions
from readmark.making.question_sheet import write_question_sheet

BRIDGE = (
    "青溪桥位于柳镇东门外，建于1782年。它由石匠周大川设计，桥长46米，共有五个桥孔。"
    "洪水冲毁了两个桥孔，第二年镇民集资修复，工钱由米行垫付，三年后才还清。"
)
ISLAND = "白石岛是东湾最大的岛屿，面积12平方公里。岛上有三个村子。"

ROWS = (  # row, question, answer, level, and the hard rules of smart and of cmrc that it breaks
    (2, "青溪桥建于哪一年？", "1782年", 3, (), ()),
    (3, "青溪桥有多少个桥孔？", "六个", 3, ("not_a_span",), ("not_a_span",)),
    (4, "谁设计了青溪桥？", "石匠周大川", "", ("no_level",), ()),
    (5, "桥是怎样修复的？", BRIDGE[BRIDGE.index("洪水") :], 2, (), ("long_answer",)),
    (8, "岛上有几个村子？", "三个", 1, (), ()),
    (9, "白石岛的面积是多少？", "", 3, ("no_key",), ("no_key",)),
)
HARD = {"smart": 4, "cmrc": 5}


@pytest.fixture(params=[".xlsx", ".csv"])
def sheet(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/bridge.txt").write_text(BRIDGE, "utf-8")
    (tmp_path / "texts/island.txt").write_text(ISLAND, "utf-8")
    path = tmp_path / f"s{request.param}"
    write_question_sheet(tmp_path / "texts", path, rows=6)
    if request.param == ".xlsx":
        book = openpyxl.load_workbook(path)
        table = book.worksheets[1]
        for row, question, answer, level, *_ in ROWS:
            for column, value in zip((3, 4, 5), (question, answer, level), strict=True):
                table.cell(row, column).value = value or None
        book.save(path)
        return path
    with path.open(encoding="utf-8-sig", newline="") as stream:
        cells = list(csv.reader(stream))
    head = next(index for index, row in enumerate(cells) if not row[0].startswith("#"))
    for row, question, answer, level, *_ in ROWS:
        cells[head + row - 1][3:6] = [question, answer, str(level)]
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(cells)
    return path


def test_a_sheet_without_a_sound_question_says_only_that() -> None:
    collected = CollectedSheet("s.csv", "t.jsonl", None, 0, 0, {}, ())
    assert collected.notes == ("t.jsonl: not written, no question is left",)


def first_row(path: Path) -> int:
    """The number of a sheet's heading row, less one."""
    if path.suffix == ".xlsx":
        return 0
    return sum(line.startswith("#") for line in path.read_text("utf-8").splitlines())


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """The test that the sheet's passages come from, with more than a sheet has."""
    header = {"readmark": 1, "licence": "CC-BY-SA-4.0", "source": "towns.xml", "language": "zh"}
    lines = [
        {"id": id, "text": text, "article": "青溪", "fields": {"page": page}}
        for page, (id, text) in enumerate((("bridge", BRIDGE), ("island", ISLAND)))
    ]
    path = tmp_path / "origin.jsonl"
    path.write_text("\n".join(map(json.dumps, [header, *lines])), "utf-8")
    return path


def test_what_the_passages_test_says_is_kept(sheet: Path, origin: Path, tmp_path: Path) -> None:
    plain, with_fields = tmp_path / "plain.jsonl", tmp_path / "kept.jsonl"
    for output, passages in ((plain, None), (with_fields, origin)):
        how = {"profile": "smart", "discard": tmp_path / "d.csv", "passages": passages}
        assert collect_questions(sheet, output, **how).written == 3
    test, bare = load(str(with_fields)), load(str(plain))
    assert (test.header.licence, test.header.source) == ("CC-BY-SA-4.0", "towns.xml")
    assert test.header.name == bare.header.name
    records = list(test.records())
    assert [(record.article, record.fields["page"]) for record in records] == [
        ("青溪", 0),
        ("青溪", 1),
    ]
    assert [record.questions for record in records] == [
        record.questions for record in bare.records()
    ]


def test_a_sheet_of_other_passages_is_refused(sheet: Path, origin: Path, tmp_path: Path) -> None:
    text = origin.read_text("utf-8")
    origin.write_text(text.replace('"id": "island"', '"id": "isle"'), "utf-8")
    with pytest.raises(DataError, match=r"passage 'island' is not in .*origin.jsonl"):
        collect_questions(sheet, tmp_path / "t.jsonl", passages=origin)
    changed = json.loads(text.splitlines()[1]) | {"text": "青溪桥。"}
    origin.write_text("\n".join([json.dumps({"readmark": 1}), json.dumps(changed)]), "utf-8")
    with pytest.raises(DataError, match=r"passage 'bridge' has another text in .*origin.jsonl"):
        collect_questions(sheet, tmp_path / "t.jsonl", passages=origin)
    assert not (tmp_path / "t.jsonl").exists()


def test_a_sheet_of_a_test_names_it(origin: Path, tmp_path: Path) -> None:
    result = write_question_sheet(origin, tmp_path / "s.csv")
    assert f"-o test.jsonl --passages {origin}" in result.as_text()


@pytest.mark.parametrize("profile", ["smart", "cmrc"])
def test_nothing_is_written_while_a_row_breaks_a_hard_rule(
    sheet: Path, tmp_path: Path, profile: str
) -> None:
    done = collect_questions(sheet, tmp_path / "t.jsonl", profile=profile)
    above = first_row(sheet)
    expected = {above + row[0]: row[HARD[profile]] for row in ROWS if row[HARD[profile]]}
    assert done.discarded == expected
    assert (done.questions, done.written) == (6, 0)
    assert not (tmp_path / "t.jsonl").exists()
    reasons = {
        problem.where: problem.code for problem in done.problems if problem.code == "not_a_span"
    }
    assert reasons == {above + 3: "not_a_span"}
    assert "`discard`" in done.notes[0]


@pytest.mark.parametrize("profile", ["smart", "cmrc"])
def test_discarded_rows_come_back_when_corrected(sheet: Path, tmp_path: Path, profile: str) -> None:
    out, rest = tmp_path / "t.jsonl", tmp_path / "discarded.csv"
    done = collect_questions(sheet, out, profile=profile, discard=rest)
    good = [row[1] for row in ROWS if not row[HARD[profile]]]
    bad = [row for row in ROWS if row[HARD[profile]]]
    assert [q.text for record in load(out).records() for q in record.questions] == good
    assert done.written == len(good)
    with rest.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["问题"] for row in rows] == [row[1] for row in bad]
    assert [row[DISCARDED[1]] for row in rows] == [", ".join(row[HARD[profile]]) for row in bad]
    assert all(row[DISCARDED[2]] for row in rows)
    corrected = [{**row, "答案": "五个桥孔", "等级": "3"} for row in rows[:1]]
    with rest.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(corrected)
    again = collect_questions(rest, tmp_path / "more.jsonl", profile=profile)
    assert again.discarded == {}
    (record,) = load(tmp_path / "more.jsonl").records()
    (question,) = record.questions
    assert (record.id, record.text, question.text) == ("bridge", BRIDGE, bad[0][1])
    assert question.key.fields == {}


def test_the_last_of_too_many_questions_are_discarded(tmp_path: Path) -> None:
    lines = ["passage,question,answer"]
    lines += [
        f"{'The mill has nine doors.' if n == 1 else ''},Question {n}?,nine" for n in range(1, 8)
    ]
    (tmp_path / "s.csv").write_text("\n".join(lines) + "\n")
    done = collect_questions(
        tmp_path / "s.csv", tmp_path / "t.jsonl", profile="cmrc", discard=tmp_path / "d.csv"
    )
    assert done.discarded == {7: ("too_many_questions",), 8: ("too_many_questions",)}
    assert done.written == 5


def test_without_a_profile_unreadable_rows_are_hard(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(
        "passage,question,answer\nThe mill has nine doors.,How many?,nine\n,,nine\n"
    )
    done = collect_questions(tmp_path / "s.csv", tmp_path / "t.jsonl", discard=tmp_path / "d.csv")
    assert list(done.discarded) == [3]
    assert done.written == 1
    assert "nine" in (tmp_path / "d.csv").read_text("utf-8-sig")
    assert "has an answer and no question" in (tmp_path / "d.csv").read_text("utf-8-sig")


def test_bad_usage(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("passage,question,answer\nThe mill.,What?,mill\n")
    for more, line in (
        ({"discard": tmp_path / "d.jsonl"}, "a sheet ends in"),
        ({"profile": "cmcr"}, "no profile 'cmcr'"),
        ({"profile": "series"}, "are for series tests"),
    ):
        with pytest.raises(UsageError, match=line):
            collect_questions(tmp_path / "s.csv", tmp_path / "t.jsonl", **more)
    native = tmp_path / "n.jsonl"
    native.write_text(
        '{"readmark": 1, "kind": "comprehension"}\n{"id": "p", "text": "The mill."}\n'
    )
    with pytest.raises(DataError, match="is not a sheet with a question in each row"):
        collect_questions(native, tmp_path / "t.jsonl")


@pytest.mark.parametrize("more", [{}, {"profile": "cmrc"}, {"discard": "d.csv"}])
def test_a_sheet_that_nobody_filled_in(tmp_path: Path, more: dict[str, str]) -> None:
    more = {
        name: str(tmp_path / value) if name == "discard" else value for name, value in more.items()
    }
    (tmp_path / "s.csv").write_text("passage,question,answer\nThe mill has nine doors.,,\n")
    with pytest.raises(DataError, match="empty: no row has a question"):
        collect_questions(tmp_path / "s.csv", tmp_path / "t.jsonl", **more)
    assert [path.name for path in tmp_path.iterdir()] == ["s.csv"]


def test_the_command(readmark_cli: Any, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(
        "passage,question,answer,level\nThe mill has nine doors.,How many doors?,ten,1\n"
        ",What has nine doors?,The mill,2\n"
    )
    args = ("set", "collect", "s.csv", "-o", "t.jsonl", "--profile", "smart")
    done = readmark_cli(*args, cwd=tmp_path)
    assert done.returncode == 1
    assert "s.csv:2: not_a_span: " in done.stdout
    assert done.stderr == (
        "readmark: s.csv: nothing written: 1 row with a hard rule broken (row 2); correct the "
        "sheet, or name a file for such rows with --discard\n"
    )
    done = readmark_cli(*args, "--discard", "d.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == (
        "readmark: d.csv: 1 row with a hard rule broken (row 2)\n"
        "readmark: t.jsonl: 1 of 2 questions written\n"
    )
    done = readmark_cli(*args, "--discard", "d.csv", "--json", cwd=tmp_path)
    document = json.loads(done.stdout)
    assert document["discarded"] == [{"row": 2, "rules": ["not_a_span"]}]
    assert (document["questions"], document["written"]) == (2, 1)
