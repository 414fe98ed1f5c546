"""The ratings of a class in one table: a row per passage, or a row per person."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest

from examination import Run
from panel_files import NOVICES, passage, write_machine, write_novices, write_test
from readmark.core.errors import DataError
from readmark.core.source import Source
from readmark.formats.inputs import load
from readmark.formats.registry import open_people, open_sitting
from readmark.readability.panels.class_tables import CLASS_RATINGS, read_class

EXPECTED = "expected a number from 1 to 5 or an empty cell"
IDS = tuple(f"p{number}" for number in range(6))
BY_PASSAGE = [
    ["passage", *NOVICES],
    *([id, *(str(ratings[id]) for ratings in NOVICES.values())] for id in IDS),
]
BY_PERSON = [list(row) for row in zip(*BY_PASSAGE, strict=True)]


def text(rows: Sequence[Sequence[str]], delimiter: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue()


def read(path: Path, *, by_row: bool = False) -> dict[str, dict[str, float]]:
    ratings: dict[str, dict[str, float]] = {}
    for rating in read_class(Source(path), IDS, by_row=by_row):
        ratings.setdefault(rating.person, {})[rating.id] = rating.rating
    return ratings


@pytest.mark.parametrize("rows", [BY_PASSAGE, BY_PERSON])
@pytest.mark.parametrize("corner", ["passage", "文章", "姓名", "", "id"])
@pytest.mark.parametrize(
    ("name", "encoding", "delimiter"),
    [
        ("r.csv", "utf-8", ","),
        ("r.csv", "utf-8-sig", ";"),
        ("r.tsv", "gb18030", "\t"),
        ("r.csv", "utf-16", ","),
    ],
)
def test_text(
    tmp_path: Path, rows: list[list[str]], corner: str, name: str, encoding: str, delimiter: str
) -> None:
    table = [[corner, *rows[0][1:]], *rows[1:]]
    (tmp_path / name).write_bytes(text(table, delimiter).encode(encoding))
    assert CLASS_RATINGS.recognises(Source(tmp_path / name))
    assert read(tmp_path / name) == NOVICES


def test_a_workbook_as_teachers_keep_it(tmp_path: Path) -> None:
    """With a title, blank rows, columns beside the ratings, and means at the end of both."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Class 3B, spring"])
    sheet.append([])
    sheet.append(["文章", "标题", *NOVICES, "平均分", "备注"])
    for id in IDS:
        ratings = [int(of_novice[id]) for of_novice in NOVICES.values()]
        sheet.append([id, "A boat", *ratings, 3.5, "good"])
    sheet.append(["平均", "", 2.7, 3.5, 2.8, 3.0])
    book.save(tmp_path / "class.xlsx")
    assert read(tmp_path / "class.xlsx") == NOVICES


def test_how_people_write_ratings(tmp_path: Path) -> None:
    rows = [["id", "Ann", "Bo"], ["p0", "★★★☆☆", ""], ["p1", "4分", "-"], ["p2", "2,5", "n/a"]]
    path = tmp_path / "r.csv"
    path.write_text(text([*rows, ["p3", " 5 ", "１"]], ";"), encoding="utf-8")
    assert read(path) == {"Ann": {"p0": 3, "p1": 4, "p2": 2.5, "p3": 5}, "Bo": {"p3": 1}}


def test_means_of_the_others_are_nobody_whatever_they_are_called(tmp_path: Path) -> None:
    """Rounded as spreadsheets do; somebody who is only sometimes the mean is a person."""
    rows = [
        ["Text", "Max", "李华", "Zoë", "Mittelwert"],
        ["p0", "5", "4", "5", "4,67"],
        ["p1", "4", "3", "", "3,5"],
        ["p2", "1", "2", "1", "1,3"],
        ["p3", "3,5", "3", "4", "3,5"],
    ]
    path = tmp_path / "r.csv"
    path.write_text(text(rows, ";"), encoding="utf-8")
    assert list(read(path)) == ["Max", "李华", "Zoë"]
    rows[3][4] = "1,4"
    path.write_text(text(rows, ";"), encoding="utf-8")
    assert list(read(path)) == ["Max", "李华", "Zoë", "Mittelwert"]
    whole = [["Text", "Ann", "Bo", "Cy"], ["p0", "1", "3", "2"], ["p1", "5", "3", "4"]]
    path.write_text(text(whole), encoding="utf-8")
    assert list(read(path)) == ["Ann", "Bo", "Cy"]


def test_ids_decide_which_are_passages(tmp_path: Path) -> None:
    """Where both or neither tell, rows are passages; --by-row says otherwise."""
    path = tmp_path / "r.csv"
    path.write_text("x,p0,p1\np1,1,2\np2,3,4\n", encoding="utf-8")
    assert read(path) == {"p0": {"p1": 1, "p2": 3}, "p1": {"p1": 2, "p2": 4}}
    assert read(path, by_row=True) == {"p1": {"p0": 1, "p1": 2}, "p2": {"p0": 3, "p1": 4}}


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ("id,Ann\np0,6\n", f"B2: Ann on p0: '6', {EXPECTED}"),
        ("id,Ann,Bo\np0,1,2\np1,3,0.5\n", f"C3: Bo on p1: '0.5', {EXPECTED}"),
        ("id,Ann,Bo\np0,1,2\np1,3,good\n", f"C3: Bo on p1: 'good', {EXPECTED}"),
        ("name,p0,p1\nAnn,1,9\n", f"C2: Ann on p1: '9', {EXPECTED}"),
        ("id,Ann\np0,1\np0,2\n", "3: 'p0' is in line 2 already"),
        ("id,Ann,Ann\np0,1,2\n", "1: two columns are called 'Ann'"),
        ("id,Ann,,Bo\np0,1,2,3\n", "C2: is in a column without a name"),
        ("id,Ann\n,1\n", "2: has ratings and no name"),
        (
            "id,Ann\nx,1\ny,2\nz,3\nw,4\n",
            " no heading (Ann) is a passage of the test, and none of the first column (x, y, z, …)",
        ),
    ],
)  # fmt: skip
def test_bad_tables(tmp_path: Path, table: str, line: str) -> None:
    path = tmp_path / "r.csv"
    path.write_text(table, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read(path)
    assert str(caught.value) == f"{path}:{line}"


@pytest.mark.parametrize(
    "table",
    [
        "judge,id,stars\nAnn,p0,3\n",
        "id,rating\np0,3\n",
        "id,prediction\np0,Paris\n",
        "id\np0\n",
        "passage,question,answer\nA text.,Who?,Ann\n",
        "id,Ann\np0,\n",
        "",
    ],
)
def test_other_tables(tmp_path: Path, table: str) -> None:
    (tmp_path / "r.csv").write_text(table, encoding="utf-8")
    assert not CLASS_RATINGS.recognises(Source(tmp_path / "r.csv"))


def test_sittings(tmp_path: Path) -> None:
    test = load(write_test(tmp_path / "t.jsonl"))
    path = tmp_path / "r.csv"
    path.write_text(text(BY_PASSAGE), encoding="utf-8")
    people = open_people(path, test)
    assert [sitting.candidate for sitting in people] == list(NOVICES)
    assert [row.answer for id in IDS for row in people[0].of(id)] == list(NOVICES["dee"].values())
    with pytest.raises(DataError, match=r"has the ratings of 3 people \(dee, eli, fay\)"):
        open_sitting(path, test.kind)
    path.write_text("passage,Ann\np0,3\np1,4\n", encoding="utf-8")
    assert open_sitting(path, test.kind).candidate == "Ann"


def test_commands(readmark_cli: Run, tmp_path: Path) -> None:
    """A table gives what the same sittings give, also through standard input."""
    test = write_test(tmp_path / "t.jsonl")
    machine = write_machine(tmp_path / "m.json")
    novices = write_novices(tmp_path)
    named = [arg for novice in novices for arg in ("--novice", novice)]
    tables = {"r.csv": text(BY_PASSAGE), "turned.tsv": text(BY_PERSON, "\t")}
    for name, table in tables.items():
        (tmp_path / name).write_text(table, encoding="utf-8")
    command = ("panel", "mark", test, machine, "--draws", "50")
    expected = readmark_cli(*command, *named)
    assert expected.returncode == 0
    for args, stdin in (
        (("--novice", tmp_path / "r.csv"), ""),
        (("--novice", tmp_path / "turned.tsv"), ""),
        (("--novice", tmp_path / "turned.tsv", "--by-row"), ""),
        (("--novice", "-"), tables["r.csv"]),
    ):
        result = readmark_cli(*command, *args, stdin=stdin)
        assert (result.returncode, result.stdout) == (0, expected.stdout)
    people = readmark_cli("people", test, *novices, "--draws", "50").stdout
    assert readmark_cli("people", test, tmp_path / "r.csv", "--draws", "50").stdout == people
    wrong = readmark_cli(*command, "--novice", tmp_path / "r.csv", "--by-row")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr.endswith("no heading (dee, eli, fay) is a passage of the test\n")


def test_collect(readmark_cli: Run, tmp_path: Path) -> None:
    """The columns of a table are the judges of a plan; the passages go by id or by code."""
    test = write_test(tmp_path / "t.jsonl", [passage(number, {}) for number in range(6)])
    plan = tmp_path / "plan"
    judges = ("--experts", "ann,ben", "--novices", "dee,eli")
    planned = readmark_cli("panel", "plan", test, "-o", plan, *judges, "--round", "3")
    assert planned.returncode == 0, planned.stderr
    rows = [["文章", "ann", "ben", "dee", "eli"]]
    rows += [[id, str(index % 5 + 1), "3", "2", str(index % 3 + 1)] for index, id in enumerate(IDS)]
    (tmp_path / "r.csv").write_text(text(rows), encoding="utf-8")
    collected = readmark_cli(
        "panel", "collect", test, plan, tmp_path / "r.csv", "-o", tmp_path / "o.jsonl"
    )
    assert collected.returncode == 0, collected.stderr
    rated = load(tmp_path / "o.jsonl")
    ratings = {
        record.id: {rating.annotator: rating.rating for rating in record.key.ratings}
        for record in rated.records()
    }
    assert ratings["p2"] == {"ann": 3.0, "ben": 3.0}
    rows[0][4] = "zoe"
    (tmp_path / "r.csv").write_text(text(rows), encoding="utf-8")
    other = readmark_cli("panel", "collect", test, plan, tmp_path / "r.csv", "--json")
    assert "the plan has no judge 'zoe'" in other.stdout
