"""Marks as people read them: tables in a terminal, and one self-contained HTML page.

`table` makes `Standings` of marksheets; a board of the hall makes its own of submissions. A grid is
what every medium prints of them. `report` writes the page. A plug-in's section of it is a function
of `SectionData` that returns a `Part`; what sections are written with is in
`readmark.reporting.sections`. `mark_class` says what pupils found hard, question by question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.reporting.class_results import ClassQuestion, ClassResults, mark_class
    from readmark.reporting.grid_text import SheetColumns, grid_exact_csv, grid_markdown
    from readmark.reporting.kind_extras import PageAnswer
    from readmark.reporting.page.layout import Figure, Part, Table
    from readmark.reporting.page.section_data import SectionData
    from readmark.reporting.pictures import plot
    from readmark.reporting.report_page import Report, report, report_marksheets
    from readmark.reporting.side_by_side import table
    from readmark.reporting.standings import (
        ExactDifference,
        NextRow,
        SplitMarks,
        Standing,
        StandingColumns,
        StandingMark,
        StandingMetric,
        StandingOrder,
        Standings,
        StandingSlice,
        StandingSplit,
    )
    from readmark.reporting.standings_grid import Grid, grid_by_candidate, metric_head

__all__ = [
    "ClassQuestion",
    "ClassResults",
    "ExactDifference",
    "Figure",
    "Grid",
    "NextRow",
    "PageAnswer",
    "Part",
    "Report",
    "SectionData",
    "SheetColumns",
    "SplitMarks",
    "Standing",
    "StandingColumns",
    "StandingMark",
    "StandingMetric",
    "StandingOrder",
    "StandingSlice",
    "StandingSplit",
    "Standings",
    "Table",
    "grid_by_candidate",
    "grid_exact_csv",
    "grid_markdown",
    "mark_class",
    "metric_head",
    "plot",
    "report",
    "report_marksheets",
    "table",
]

__getattr__ = door(
    __name__,
    {
        "class_results": "ClassQuestion ClassResults mark_class",
        "grid_text": "SheetColumns grid_exact_csv grid_markdown",
        "kind_extras": "PageAnswer",
        "page.layout": "Figure Part Table",
        "page.section_data": "SectionData",
        "pictures": "plot",
        "report_page": "Report report report_marksheets",
        "side_by_side": "table",
        "standings": "ExactDifference NextRow SplitMarks Standing StandingColumns StandingMark "
        "StandingMetric StandingOrder StandingSlice StandingSplit Standings",
        "standings_grid": "Grid grid_by_candidate metric_head",
    },
)
