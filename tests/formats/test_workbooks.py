"""Workbooks: what cells show, merged cells, formulas, macros, and files that are not sound."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.configuration import SETTINGS_VARIABLE
from readmark.core.errors import DataError, UsageError
from readmark.formats.number_formats import shown
from readmark.formats.sheets import read_rows, write_sheet
from readmark.formats.workbooks import open_workbook

DAY = datetime(2008, 8, 8)

SHOWN = [
    (5, "General", "5"),
    (5.0, "General", "5"),
    (-5, "General", "-5"),
    (0.1 + 0.2, "General", "0.3"),
    (7, "000", "007"),
    (0.453, "0%", "45%"),
    (0.453, "0.0%", "45.3%"),
    (1234567.891, "#,##0.00", "1,234,567.89"),
    (-1234.5, "#,##0.00;[Red]-#,##0.00", "-1,234.50"),
    (12, '0"kg"', "12kg"),
    (12.5, '"$"#,##0.00_);("$"#,##0.00)', "$12.50"),
    (3.1, "0.##", "3.1"),
    (3.0, "0.##", "3"),
    (True, "General", "TRUE"),
    (DAY, "mm-dd-yy", "2008-08-08"),
    (DAY, "yyyy/m/d", "2008/8/8"),
    (DAY, 'yyyy"年"m"月"d"日";@', "2008年8月8日"),
    (DAY, "d mmm yyyy", "8 Aug 2008"),
    (DAY, "[$-409]mmmm d, yyyy;@", "August 8, 2008"),
    (DAY.replace(hour=20, minute=8), "yyyy-mm-dd hh:mm", "2008-08-08 20:08"),
    (time(20, 8), "h:mm AM/PM", "8:08 PM"),
    (timedelta(hours=30), "[h]:mm:ss", "30:00:00"),
]


@pytest.mark.parametrize(("value", "format", "text"), SHOWN)
def test_numbers_and_dates_as_they_are_shown(value: object, format: str, text: str) -> None:
    assert shown(value, format) == text


def saved(folder: Path, fill: Callable[[Any], None], name: str = "t.xlsx") -> Path:
    book = openpyxl.Workbook()
    fill(book.active)
    book.save(folder / name)
    return folder / name


def rows(path: Path) -> list[tuple[int, list[str]]]:
    with open_workbook(path) as sheets:
        return list(sheets[0].rows())


def test_cells_are_read_as_shown(tmp_path: Path) -> None:
    def fill(sheet: Any) -> None:
        sheet.append(["id", "date", "share"])
        sheet.append([7, DAY, 0.5])
        sheet["A2"].number_format = "000"
        sheet["B2"].number_format = 'yyyy"年"m"月"d"日"'
        sheet["C2"].number_format = "0%"
        sheet["E4"] = True

    assert rows(saved(tmp_path, fill)) == [
        (1, ["id", "date", "share"]),
        (2, ["007", "2008年8月8日", "50%"]),
        (4, ["", "", "", "", "TRUE"]),
    ]


def test_a_merged_cell_covers_its_rows(tmp_path: Path) -> None:
    def fill(sheet: Any) -> None:
        for row in (["passage", "question"], ["one", "a"], [None, "b"], [None, "c"], [None, "d"]):
            sheet.append(row)
        sheet.merge_cells("A2:A4")

    assert [cells for _, cells in rows(saved(tmp_path, fill))] == [
        ["passage", "question"],
        ["one", "a"],
        ["one", "b"],
        ["one", "c"],
        ["", "d"],
    ]


def replaced(path: Path, old: str, new: str, part: str = "xl/worksheets/sheet1.xml") -> Path:
    """A workbook with something else in one of its parts."""
    with zipfile.ZipFile(path) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    assert old.encode() in parts[part]
    parts[part] = parts[part].replace(old.encode(), new.encode())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in parts.items():
            packed.writestr(name, data)
    return path


def test_formulas_have_their_stored_values(tmp_path: Path) -> None:
    def fill(sheet: Any) -> None:
        sheet.append(["id", "answer"])
        sheet.append(["q", "=1+1"])

    path = saved(tmp_path, fill)
    with pytest.raises(DataError) as raised:
        rows(path)
    assert str(raised.value) == (
        f"{path}:Sheet!B2: has a formula without a value: save the workbook in a spreadsheet first"
    )
    assert rows(replaced(path, "</f>", "</f><v>2</v>")) == [(1, ["id", "answer"]), (2, ["q", "2"])]


def test_an_error_in_a_cell(tmp_path: Path) -> None:
    path = saved(tmp_path, lambda sheet: sheet.append(["id", "#N/A"]))
    with pytest.raises(DataError, match="Sheet!B1: shows the error #N/A"):
        rows(path)


def test_macros_are_not_looked_at(tmp_path: Path) -> None:
    path = saved(tmp_path, lambda sheet: sheet.append(["id"]), "t.xlsm")
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr("xl/vbaProject.bin", b"\xd0\xcf\x11\xe0 AutoOpen")
    assert rows(path) == [(1, ["id"])]


def with_shared_text(folder: Path, text: str) -> Path:
    """A workbook whose only cell refers to the first of the texts that cells share."""
    path = saved(folder, lambda sheet: sheet.append(["TEXT"]))
    replaced(path, 't="inlineStr"><is><t>TEXT</t></is>', 't="s"><v>0</v>')
    main = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    kind = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{main}.sharedStrings+xml"/>'
    replaced(path, "</Types>", f"{kind}</Types>", "[Content_Types].xml")
    names = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr("xl/sharedStrings.xml", f"<sst {names}>{text}</sst>")
    return path


SHARED = {
    "<si><t>北京</t></si>": "北京",
    "<si><r><t>北</t></r><r><t>京</t></r><rPh sb='0' eb='1'><t>ペキン</t></rPh></si>": "北京",
    "<si><t>a_x000D_b_x005F_x000D_</t></si>": "a\rb_x000D_",
}


@pytest.mark.parametrize("text", SHARED)
def test_texts_that_cells_share(tmp_path: Path, text: str) -> None:
    assert rows(with_shared_text(tmp_path, text)) == [(1, [SHARED[text]])]


def test_a_shared_text_that_is_not_there(tmp_path: Path) -> None:
    path = with_shared_text(tmp_path, "")
    with pytest.raises(DataError, match="not a valid workbook"):
        rows(path)


UNSOUND = {
    "a row too far": ('<row r="1"', '<row r="99999999999"', "99999999999: is beyond the last row"),
    "a column too far": ('r="A1"', 'r="ZZZZZZ1"', "ZZZZZZ1: is not a cell of a sheet"),
    "broken XML": ("</sheetData>", "</sheetDat", "not a valid workbook ("),
    "entities": ("<worksheet", '<!DOCTYPE x [<!ENTITY a "b">]><worksheet', "defines entities"),
}


def test_a_row_with_more_cells_than_a_sheet_has_columns(tmp_path: Path) -> None:
    """Cells may leave out their places."""
    path = saved(tmp_path, lambda sheet: sheet.append(["id"]))
    replaced(path, "</c></row>", f"</c>{'<c/>' * 16_384}</row>")
    with pytest.raises(DataError, match="Sheet!column 16385 of row 1: is not a cell of a sheet"):
        rows(path)


def test_what_is_no_workbook_by_its_name(tmp_path: Path) -> None:
    for name, message in (("t.ods", "workbook$"), ("t.xlsx.gz", "workbook: unpack it$")):
        (tmp_path / name).touch()
        with (
            pytest.raises(DataError, match=f"is not an .xlsx or .xlsm {message}"),
            open_workbook(tmp_path / name),
        ):
            pass


@pytest.mark.parametrize("case", UNSOUND)
def test_unsound_workbooks_are_one_line(tmp_path: Path, case: str) -> None:
    old, new, message = UNSOUND[case]
    path = replaced(saved(tmp_path, lambda sheet: sheet.append(["id", "text"])), old, new)
    with pytest.raises(DataError) as raised:
        rows(path)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value)


def test_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path, lambda sheet: sheet.append(["id"]))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/media/zeros.bin", b"\0" * (80 << 20))
    with pytest.raises(DataError, match="unpacks to more than 200 times its"):
        rows(path)
    monkeypatch.setenv(SETTINGS_VARIABLE, '["files.ratio=2000", "files.document=1MB"]')
    with pytest.raises(DataError, match=r"zeros\.bin is larger than 1 MB"):
        rows(path)


OTHERS = {
    "t.xlsx": (b"no zip", "not a valid zip file"),
    "old.xlsx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is an encrypted or old workbook"),
    "t.xls": (b"\xd0\xcf\x11\xe0", "a .xls file is not read: save it as .xlsx or CSV"),
    "t.ods": (b"PK", "a .ods file is not read: save it as .xlsx or CSV"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_workbook(tmp_path: Path, name: str) -> None:
    content, message = OTHERS[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        list(read_rows(tmp_path / name))


# Writing: any text comes back, and none is a formula.


TEXT = st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=12)
ODD = st.sampled_from(
    ["=1+1", "'=1", "''-5", "-5", "_x000D_", "_x005F_", "a\r\nb", "\x0b", "+", "@x"]
)


@given(
    cells=st.lists(ODD | TEXT, min_size=1, max_size=8), suffix=st.sampled_from([".xlsx", ".csv"])
)
def test_texts_come_back(
    tmp_path_factory: pytest.TempPathFactory, cells: list[str], suffix: str
) -> None:
    cells = [cell for cell in cells if cell.strip() and not set(cell) & set("\ufffe\uffff\0")]
    path = tmp_path_factory.mktemp("sheet") / f"t{suffix}"
    write_sheet(path, ["id", "text"], [(str(at), cell) for at, cell in enumerate(cells)])
    assert [row["text"] for _, row in read_rows(path)] == cells


def test_no_text_is_a_formula(tmp_path: Path) -> None:
    write_sheet(tmp_path / "t.xlsx", ["id"], [["=1+1"], ["-5"], [-5], ["'=x"]])
    book = openpyxl.load_workbook(tmp_path / "t.xlsx")
    assert [(cell.data_type, cell.value) for (cell,) in book.active.iter_rows(min_row=2)] == [
        ("s", "=1+1"),
        ("s", "-5"),
        ("n", -5),
        ("s", "''=x"),
    ]


@pytest.mark.parametrize("name", ["t.xlsm", "t.xlsx.gz"])
def test_workbooks_are_written_as_xlsx_alone(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"a workbook is written to a file that ends in \.xlsx"):
        write_sheet(tmp_path / name, ["id"], [["x"]])
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(DataError):
        list(read_rows(tmp_path / name))


def test_equal_content_gives_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.xlsx", "b.xlsx"):
        write_sheet(tmp_path / name, ["id"], [["x"]])
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()
