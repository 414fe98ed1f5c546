"""The report's section on levels, from marksheets alone."""

from __future__ import annotations

from pathlib import Path

import readmark
from made import asked, comprehension, passage, sat
from readmark.comprehension.report_sections.levels import levels_section
from readmark.marking import Marksheet
from readmark.reporting.page.bilingual import Bilingual
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import sections_of
from sheets import FEW, two_sheets


def data_of(*files: Path) -> SectionData:
    [section] = sections_of([Marksheet.read(str(file)) for file in files])
    return SectionData.of(section)


def test_em_and_f1_by_level_of_candidates_and_people(tmp_path: Path) -> None:
    part = levels_section(data_of(*two_sheets(tmp_path)))
    assert part is not None
    table = part.tables[0]
    rows = [
        [str(cell.text.en) if isinstance(cell.text, Bilingual) else str(cell.text) for cell in row]
        for row in (table.head, *table.rows)
    ]
    assert rows[0] == ["candidate", "metric", "1", "2", "all"]
    assert rows[1] == ["poor", "EM", "25.00", "25.00", "25.00"]
    assert [row[:2] for row in rows[1:]] == [
        [name, metric]
        for name in ("poor", "good", "people (leave-one-out)")
        for metric in ("EM", "F1")
    ]


def test_a_test_without_levels_has_no_such_section(tmp_path: Path) -> None:
    test = comprehension(passage("p", asked("a", "kettle")), language="en", name="t")
    file = tmp_path / "m.jsonl"
    readmark.mark(test, sat({"a": "kettle"}), settings=FEW, marksheet=file)
    assert levels_section(data_of(file)) is None
