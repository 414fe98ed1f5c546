"""Marking people: a panel's sittings, or the key's answers left out one by one: `people`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Unpack

from readmark.core.binding import part_notes
from readmark.core.errors import DataError
from readmark.core.marksheet import LEAVE_ONE_OUT, PANEL
from readmark.core.settings import settings_of
from readmark.formats.inputs import SittingInput, TestInput, as_people, as_test
from readmark.marking.binding import bind
from readmark.marking.covered_units import covered_units
from readmark.marking.mark_sitting import error_classes, people_notes
from readmark.marking.marked_units import MarkedUnits
from readmark.marking.marksheet_writing import marked_test, open_sheet
from readmark.marking.metrics import report_of
from readmark.marking.people_marks import PeopleMarks, people_marks
from readmark.marking.settings import MarkSettings, PeopleFields
from readmark.marking.trends import level_trends


def people(
    test: TestInput,
    *sittings: SittingInput,
    settings: MarkSettings | None = None,
    marksheet: str | Path | None = None,
    **fields: Unpack[PeopleFields],
) -> PeopleMarks:
    """How well people do: a panel's sittings, or the key's answers left out one by one.

    ``settings`` are those of `mark`, and keyword arguments name its fields. ``redact`` leaves what
    people answered out of the marksheet.
    """
    settings = settings_of(MarkSettings, settings, fields)
    whole = as_test(test)
    method = PANEL if sittings else LEAVE_ONE_OUT
    panel = as_people(sittings, whole)
    if method == LEAVE_ONE_OUT and not whole.facts.several:
        raise DataError(
            "has no human score: no unit has answers by two people "
            "(give people's sittings instead)",
            file=whole.file,
        )
    marking = bind(whole, None, panel, settings, classes=True)
    marking = replace(marking, leave_one_out=method == LEAVE_ONE_OUT)
    test = marking.test

    with open_sheet(marksheet, marking, settings) as sheet:
        units = MarkedUnits(marking.empty_tally(each=True), marking.leave_one_out)
        marker = marking.marker()
        for marked in marker.mark(covered_units(test, None)):
            units.add(marked)
            if sheet is not None:
                sheet.add(marked)
        marker.finish(units.tally, test)
        notes = [*part_notes(whole, test, panel), *people_notes(marking, units)]
        for name, metric in marking.metrics.items():
            # Raises where a metric can give no mark at all, such as a judge of which no verdict
            # could be read; a figure of 0 would look like a measurement.
            report_of(metric, units.tally.vectors[name].matrix())
            if panel and metric.facts.from_people:
                notes.append(
                    f"{test.file}: {name} is measured from these people and has no value of theirs"
                )
        result = replace(
            people_marks(units.tally, method, test.kind, settings),
            test=marked_test(test),
            classes=error_classes(marking, units.tally),
            derived=marking.fields.rules,
            trends=level_trends(units.tally, settings, method=method, sat=False),
            notes=notes,
        )
        if sheet is not None:
            sheet.close(result.as_json())
    return result
