"""The marks row and the settings of a marksheet, read back: what fits, and what is refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import readmark
from made import asked, comprehension, passage, sat
from readmark.core.errors import DataError
from readmark.core.marksheet import (
    LEAVE_ONE_OUT,
    MarksheetHeader,
    MarksRow,
    read_marksheet_header,
    read_marksheet_rows,
)
from readmark.marking.recorded_marks import RecordedMarks, read_marks, read_settings
from readmark.marking.settings import MarkSettings

TEST = comprehension(
    passage("p1", asked("a", ("ann", "kettle"), ("ben", "pot"), level=1)),
    passage("p2", asked("b", "coat", level=2)),
)
SITTING = sat({"a": "kettle", "b": "hat"})


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> tuple[MarksheetHeader, dict[str, Any]]:
    """The header and the marks row of a marksheet."""
    file = tmp_path_factory.mktemp("marks") / "sheet.jsonl"
    readmark.mark(TEST, SITTING, MarkSettings(draws=50), by=["level"], marksheet=file)
    (row,) = (row for row in read_marksheet_rows(str(file)) if isinstance(row, MarksRow))
    return read_marksheet_header(str(file)), row.marks


def read(header: MarksheetHeader, marks: dict[str, Any]) -> RecordedMarks:
    return read_marks(marks, header, file="sheet.jsonl", where=9)


def test_marks_slices_and_people_are_values(sheet: tuple[MarksheetHeader, dict[str, Any]]) -> None:
    recorded = read(*sheet)
    assert recorded.marks["em"].score == 50.0
    assert {label: part.units for label, part in recorded.slices("level").items()} == {
        "1": 1,
        "2": 1,
    }
    assert recorded.slices("level")["1"].marks["em"].score == 100.0
    assert recorded.slices("nothing") == {}
    assert recorded.people is not None
    assert recorded.people_method == recorded.people.method == LEAVE_ONE_OUT


def test_members_of_later_versions_are_ignored(
    sheet: tuple[MarksheetHeader, dict[str, Any]],
) -> None:
    header, marks = sheet
    assert read(header, {**marks, "of_a_later_version": 1}) == read(header, marks)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"marks": {}}, "the marks row: it has no marks"),
        ({"units": -1}, "the marks row: "),
        ({"by": {"level": {"1": {}}}}, "the marks row: a slice does not say its units"),
        ({"counted": {"rouge": 1}}, "the marks row: 'rouge' has no mark"),
    ],
)
def test_a_row_that_does_not_fit_is_refused_with_its_place(
    sheet: tuple[MarksheetHeader, dict[str, Any]], change: dict[str, Any], message: str
) -> None:
    header, marks = sheet
    with pytest.raises(DataError, match=message) as error:
        read(header, {**marks, **change})
    assert (error.value.file, error.value.where) == ("sheet.jsonl", 9)


def test_a_mark_of_a_metric_that_the_header_lacks_is_refused(
    sheet: tuple[MarksheetHeader, dict[str, Any]],
) -> None:
    header, marks = sheet
    with pytest.raises(DataError, match="'rouge' is not a metric of the header"):
        read(header, {**marks, "marks": {"rouge": marks["marks"]["em"]}})


def test_settings_of_other_versions_are_ignored(
    sheet: tuple[MarksheetHeader, dict[str, Any]],
) -> None:
    header, _ = sheet
    later = msgspec.structs.replace(header, settings={**header.settings, "of_a_later_version": 1})
    assert read_settings(header, "sheet.jsonl").draws == 50
    assert read_settings(later, "sheet.jsonl") == read_settings(header, "sheet.jsonl")


def test_a_wrong_setting_is_named_as_a_member_of_the_file(
    sheet: tuple[MarksheetHeader, dict[str, Any]],
) -> None:
    header, _ = sheet
    wrong = msgspec.structs.replace(header, settings={**header.settings, "draws": 0})
    with pytest.raises(DataError, match=r"the header's settings: draws") as error:
        read_settings(wrong, "sheet.jsonl")
    assert (error.value.file, error.value.where) == ("sheet.jsonl", 1)
