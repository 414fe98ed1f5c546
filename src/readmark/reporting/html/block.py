"""The units of a section as one compressed block, inflated in the page when it is opened."""

from __future__ import annotations

import base64
import gzip
from typing import Any

import msgspec

from readmark.corpus.marksheet import MarkedUnit
from readmark.marking.tally import labels_of
from readmark.reporting.html.answers import shown_gold, shown_row
from readmark.reporting.html.fields import values_to_filter
from readmark.reporting.html.figures.series import series
from readmark.reporting.html.sections import Section
from readmark.reporting.html.verdicts import Verdict, verdict
from readmark.reporting.html.words import Both, Text, metric_words

_DIGITS = 4


def unit_block(section: Section) -> str:
    """JSON, gzipped and in base64: nothing of it can end a script element or run."""
    data = msgspec.json.encode(unit_data(section))
    return base64.b64encode(gzip.compress(data, compresslevel=9, mtime=0)).decode("ascii")


def unit_data(section: Section) -> dict[str, Any]:
    """Records once, then a row a unit with every candidate's answers and marks."""
    records = section.records()
    at = {id: number for number, id in enumerate(records)}
    units = section.units()
    verdicts = _verdicts(section)
    return {
        "test": section.test.name,
        "language": section.test.language,
        "candidates": [_sides(one.label) for one in section.candidates],
        "looks": [[series(n).colour, series(n).sign] for n in range(len(section.candidates))],
        "metrics": [_sides(metric_words(metric)) for metric in section.metrics],
        "scales": [section.scale(metric) for metric in section.metrics],
        "main": list(section.metrics).index(section.main),
        "filters": _filters(section, list(units.values())),
        "records": [[[one.label, one.text] for one in shown] for shown in records.values()],
        "recordIds": list(records),
        "units": [
            {
                "id": unit.id,
                "r": at.get(unit.group, -1),
                "s": [[one.label, one.text] for one in unit.shown],
                "f": unit.fields,
                "g": [[shown_gold(one) for one in person] for person in unit.gold],
                "a": [_answered(verdicts[n].get(unit.id)) for n in range(len(verdicts))],
            }
            for unit in units.values()
        ],
    }


Answered = tuple[MarkedUnit, Verdict, list[float | None]]


def _sides(text: Text) -> list[str]:
    return [str(text.en), str(text.zh)] if isinstance(text, Both) else [text, text]


def _verdicts(section: Section) -> list[dict[str, Answered]]:
    """For every candidate, the units marked: verdict and every metric's value."""
    found = []
    for one in section.candidates:
        columns = [one.values(metric) for metric in section.metrics]
        main = list(section.metrics).index(section.main)
        rules = one.metrics.get(section.main)
        found.append(
            {
                unit.id: (unit, verdict(unit, row[main], rules), list(row))
                for unit, row in zip(one.sheet.units, zip(*columns, strict=True), strict=True)
            }
        )
    return found


def _answered(one: Answered | None) -> dict[str, Any]:
    if one is None:
        return {"v": Verdict.NOT_SAT}
    unit, found, values = one
    return {
        "v": found,
        "m": [None if value is None else round(value, _DIGITS) for value in values],
        "a": [shown_row(row) for row in unit.answers],
    }


def _filters(section: Section, units: list[MarkedUnit]) -> list[list[Any]]:
    """Fields to choose units by, with their values; those of the slices come first."""
    names = dict.fromkeys([*section.fields, *(name for unit in units for name in unit.fields)])
    found: list[list[Any]] = []
    for name in names:
        values = values_to_filter([labels_of(unit.fields.get(name)) for unit in units])
        if values:
            found.append([name, sorted(values, key=_in_order)])
    return found


def _in_order(label: str) -> tuple[bool, float, str]:
    try:
        return False, float(label), label
    except ValueError:
        return True, 0.0, label
