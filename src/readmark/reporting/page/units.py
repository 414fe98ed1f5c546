"""The units of a section as data of the page: records, answers, verdicts, filters."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from readmark.core.labels import in_order, labels_of
from readmark.core.marksheet import MarkedUnit
from readmark.core.sitting import Row
from readmark.hooks import Metric
from readmark.marking import SheetPerson
from readmark.reporting.page.answers import shown_gold, shown_row
from readmark.reporting.page.bilingual import Bilingual, Text
from readmark.reporting.page.each_person import left_out_marks, members
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.sections import MarkedCandidate, Section
from readmark.reporting.page.sliced_fields import partition, values_to_filter

_CLOSE = 1e-6  # vectors lie on a grid, so that 1/3 + 2/3 may come a little short of 1
_DIGITS = 4
"""Decimals of a unit's marks in the data; the page shows fewer."""


class UnitVerdict(StrEnum):
    """What became of a unit: a letter each, as the page's data has them."""

    RIGHT = "r"
    PARTLY = "p"
    WRONG = "w"
    UNANSWERED = "u"
    ERROR = "e"
    ANSWERED = "a"
    """Answered, by a metric that has no mark for a single unit."""
    NOT_SAT = "n"


def verdict(rows: Sequence[Row], value: float | None, metric: Metric | None) -> UnitVerdict:
    """The verdict on the answers to a unit, by the main metric's mark of it alone."""
    if any(row.error is not None for row in rows):
        return UnitVerdict.ERROR
    if not any(row.answered for row in rows):
        return UnitVerdict.UNANSWERED
    if value is None or metric is None:
        return UnitVerdict.ANSWERED
    if abs(value - metric.facts.best) <= _CLOSE:
        return UnitVerdict.RIGHT
    return UnitVerdict.WRONG if abs(value - metric.facts.worst) <= _CLOSE else UnitVerdict.PARTLY


@dataclass(frozen=True, slots=True)
class UnitBlocks:
    """A section's units, and the prompts and replies behind them, each packed by itself."""

    units: str
    exchanges: str | None
    """Unpacked when a prompt is asked for: they may be larger than all the rest."""


def unit_blocks(section: Section) -> UnitBlocks:
    """The data that the page's script reads."""
    data = unit_data(section)
    exchanges: dict[tuple[str | None, str | None], int] = {}
    for unit in data["units"]:
        for answered in (*unit["a"], *unit.get("p", ())):
            for row in answered.get("a", ()):
                exchange = row.pop("pr", None), row.pop("re", None)
                if exchange != (None, None):
                    row["q"] = exchanges.setdefault(exchange, len(exchanges))
    return UnitBlocks(packed(data), packed(list(exchanges)) if exchanges else None)


def packed(data: Any) -> str:
    """JSON, gzipped and in base64: nothing of it can end a script element or run."""
    text = msgspec.json.encode(data)
    return base64.b64encode(gzip.compress(text, compresslevel=9, mtime=0)).decode("ascii")


def unit_data(section: Section) -> dict[str, Any]:
    """Records once, then one row per unit with everybody's answers and marks."""
    records = section.records()
    record_numbers = {id: number for number, id in enumerate(records)}
    units = section.units()
    verdicts = [verdicts_of(section, candidate) for candidate in section.candidates]
    classes = [_classes(candidate) for candidate in section.candidates]
    people = members(section)
    answered = [_people_answers(section, member) for member in people]
    left_out = left_out_marks(section)
    occurring = {name for of_candidate in classes for name in of_candidate.values()}
    return {
        "test": section.test.name,
        "number": section.number,
        "language": section.test.language,
        "candidates": [_sides(candidate.label) for candidate in section.candidates],
        "people": [member.name for member in people],
        "looks": [[candidate.look.colour, candidate.look.sign] for candidate in section.candidates],
        "metrics": [_sides(metric_words(metric)) for metric in section.metrics],
        "scales": [section.scale(metric) for metric in section.metrics],
        "main": list(section.metrics).index(section.main),
        "filters": _filters(section, list(units.values())),
        "classes": [name for name in _class_order(section) if name in occurring],
        "records": [[[text.label, text.text] for text in texts] for texts in records.values()],
        "recordIds": list(records),
        "units": [
            {
                "id": unit.id,
                "r": record_numbers.get(unit.group, -1),
                "s": [[text.label, text.text] for text in unit.shown],
                "f": unit.fields,
                "g": _golds(section, unit),
                **({"l": left_out[unit.id]} if unit.gold and unit.id in left_out else {}),
                "a": [
                    _answer(section, judgements.get(unit.id), of_candidate.get(unit.id))
                    for judgements, of_candidate in zip(verdicts, classes, strict=True)
                ],
                **(
                    {"p": [_answer(section, person.get(unit.id)) for person in answered]}
                    if people
                    else {}
                ),
            }
            for unit in units.values()
        ],
    }


def _golds(section: Section, unit: MarkedUnit) -> list[list[dict[str, Any]]]:
    """The references, a list for each person; the first of each says whose they are."""
    golds = [[shown_gold(section.kind, gold) for gold in person] for person in unit.gold]
    for person, name in zip(golds, unit.annotators, strict=False):
        person[0].setdefault("w", name)
    return golds


@dataclass(frozen=True, slots=True)
class UnitJudgement:
    """The rows of a unit, the verdict on them, and every metric's mark."""

    rows: Sequence[Row]
    verdict: UnitVerdict
    values: Sequence[float | None]


def _sides(text: Text) -> list[str]:
    return [str(text.en), str(text.zh)] if isinstance(text, Bilingual) else [text, text]


def verdicts_of(section: Section, candidate: MarkedCandidate) -> dict[str, UnitJudgement]:
    """The units that a candidate was marked on."""
    columns = [candidate.values(metric) for metric in section.metrics]
    main = list(section.metrics).index(section.main)
    rules = candidate.sheet.metrics.get(section.main)
    units = candidate.sheet.units
    rows = zip(*columns, strict=True) if columns else iter([()] * len(units))
    return {
        unit.id: UnitJudgement(unit.answers, verdict(unit.answers, row[main], rules), row)
        for unit, row in zip(units, rows, strict=True)
    }


def _people_answers(section: Section, member: SheetPerson) -> dict[str, UnitJudgement]:
    """What a member of a panel answered, where the marksheet records it."""
    main = list(section.metrics).index(section.main)
    rules = member.metrics.get(section.main)
    columns = [member.values(metric) for metric in section.metrics]
    answers = {}
    for unit, values in zip(member.units, zip(*columns, strict=True), strict=True):
        rows = unit.people[member.index] if unit.people and member.index is not None else ()
        if rows:
            judged = verdict(rows, values[main], rules)
            answers[unit.id] = UnitJudgement(rows, judged, values)
    return answers


def _answer(
    section: Section, judged: UnitJudgement | None, error_class: str | None = None
) -> dict[str, Any]:
    """Somebody's answers to a unit as the page's script reads them, with their marks."""
    if judged is None:
        return {"v": UnitVerdict.NOT_SAT}
    values = [None if value is None else round(value, _DIGITS) for value in judged.values]
    rows = [shown_row(section.kind, row) for row in judged.rows]
    answer = {"v": judged.verdict, "m": values, "a": rows}
    return answer if error_class is None else {**answer, "c": error_class}


def _classes(candidate: MarkedCandidate) -> Mapping[str, str | None]:
    """The error class of every unit."""
    errors = candidate.sheet.errors()
    return errors.each or {} if errors is not None else {}


def _class_order(section: Section) -> dict[str, None]:
    headers = (sheet.header.classes for sheet in section.sheets)
    return dict.fromkeys(name for header in headers if header is not None for name in header.names)


def _filters(section: Section, units: list[MarkedUnit]) -> list[list[Any]]:
    """Fields to choose units by, with their values; those of the slices come first.

    A field that divides the units as another does is left out.
    """
    names = dict.fromkeys([*section.fields, *(name for unit in units for name in unit.fields)])
    filters: list[list[Any]] = []
    seen: set[frozenset[tuple[int, ...]]] = set()
    for name in names:
        values = values_to_filter([labels_of(unit.fields.get(name)) for unit in units])
        sliced = name in section.fields and name in section.recorded
        if not values and sliced:
            values = list(
                dict.fromkeys(label for unit in units for label in labels_of(unit.fields.get(name)))
            )
        groups = partition(units, name) if values else frozenset()
        if values and groups not in seen:
            seen.add(groups)
            filters.append([name, sorted(values, key=in_order)])
    return filters
