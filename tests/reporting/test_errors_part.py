"""The report's part on error classes, from marksheets alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import readmark
from made import asked, comprehension, passage, sat
from readmark.core.errors import DataError
from readmark.marking import Marksheet
from readmark.reporting.page.bilingual import Bilingual
from readmark.reporting.page.errors_part import errors_section
from readmark.reporting.page.layout import Cell, Table
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section, sections_of
from sheets import FEW, GOOD, POOR, harbour, sheet, sitting, two_sheets


def section(*files: Path) -> Section:
    [found] = sections_of([Marksheet.read(str(file)) for file in files])
    return found


def text(cell: Cell) -> str:
    return str(cell.text.en) if isinstance(cell.text, Bilingual) else str(cell.text)


def told(table: Table) -> list[list[str]]:
    return [[text(cell) for cell in row] for row in (table.head, *table.rows)]


def test_counts_by_candidate_and_level_with_examples(tmp_path: Path) -> None:
    """Poor answers four: the red coat holds nothing of the key, at dusk is right, so is thirty;
    three for the river is of another type. Four are not answered."""
    part = errors_section(SectionData.of(section(*two_sheets(tmp_path))))
    assert part is not None
    whole, levels, examples = part.tables
    rows = told(whole)
    assert rows[0][:2] == ["candidate", "correct"]
    by_name = {row[0]: dict(zip(rows[0], row, strict=True)) for row in rows[1:]}
    assert set(by_name) == {"poor", "good", "people (leave-one-out)"}
    assert by_name["poor"]["correct"] == "2"
    assert by_name["poor"]["no answer"] == "4"
    assert by_name["poor"]["wrong type"] == "1"
    assert by_name["poor"]["questions"] == "8"
    assert by_name["people (leave-one-out)"]["questions"] == "7"
    assert [row[:2] for row in told(levels)[1:3]] == [["poor", "correct"], ["poor", "wrong type"]]
    assert ["wrong type", "poor", "What drives it?", "three", "the river / a river"] in told(
        examples
    )
    assert part.figures[0].svg.startswith("<svg")
    assert [str(look.sign) for _, look in part.legend] == ["●", "■", "○"]


def test_a_marksheet_of_people_alone_has_them_too(tmp_path: Path) -> None:
    file = tmp_path / "people.jsonl"
    readmark.people(harbour(), settings=FEW, marksheet=file, by=["level"])
    part = errors_section(SectionData.of(section(file)))
    assert part is not None
    assert told(part.tables[0])[1][0] == "people (leave-one-out)"


def test_marksheets_without_classes_have_no_part(tmp_path: Path) -> None:
    file = sheet(tmp_path, harbour(), sitting("good", GOOD), classes=False)
    assert errors_section(SectionData.of(section(file))) is None


def test_redacted_marksheets_show_no_key(tmp_path: Path) -> None:
    file = sheet(tmp_path, harbour(), sitting("poor", POOR), redact=True)
    part = errors_section(SectionData.of(section(file)))
    assert part is not None
    assert {row[-1] for row in told(part.tables[-1])[1:]} == {"–"}


def test_long_answers_are_clipped(tmp_path: Path) -> None:
    test = comprehension(passage("p", asked("a", "kettle")), language="en", name="t")
    file = tmp_path / "m.jsonl"
    readmark.mark(test, sat({"a": "boat " * 100}), settings=FEW, marksheet=file)
    part = errors_section(SectionData.of(section(file)))
    assert part is not None
    assert len(told(part.tables[-1])[1][3]) == 160


def test_vectors_of_another_width_are_refused(tmp_path: Path) -> None:
    file = sheet(tmp_path, harbour(), sitting("good", GOOD))
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    unit = next(line for line in lines if line.get("row") == "unit")
    unit["classes"]["own"] = [1.0]
    file.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="error classes"):
        section(file)
