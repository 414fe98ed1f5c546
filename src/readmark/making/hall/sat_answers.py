"""Answers of people who sit a test: from the objects of an item to the rows of a sitting."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from readmark.core.sitting import Row
from readmark.core.spans import Excerpt
from readmark.making.hall.asked_units import (
    LETTERS,
    AskedUnit,
    asked_in_item,
    records_with_key,
    text_of,
)
from readmark.tasks import DocumentAnswers, ReadAnswer
from readmark.works import Objects, OpenQuestions, PersonsWork, WorkItem
from readmark.works.field_values import is_filled, spans_in

_ENTRY_ID = re.compile(r"q-([1-9][0-9]{0,5})(?:\.[0-9]{1,4})?")


def entries_for(objects: Objects, number: int) -> list[tuple[str, Mapping[str, Any]]]:
    """The entries for a question, of which a query may have several, with their fields."""
    entries = []
    for id, value in objects.items():
        match = _ENTRY_ID.fullmatch(id)
        if match is None or int(match[1]) != number or not isinstance(value, Mapping):
            continue
        fields = value.get("fields")
        if value.get("type") == "entry" and isinstance(fields, Mapping):
            entries.append((id, fields))
    return sorted(entries, key=lambda pair: [int(part) for part in pair[0][2:].split(".")])


def _is_answered(unit: AskedUnit, fields: Mapping[str, Any]) -> bool:
    if "unanswerable" in unit.fields and fields.get("unanswerable") is True:
        return True
    if unit.values:
        return all(is_filled(fields.get(name)) for name in unit.values)
    return any(is_filled(fields.get(name)) for name in (*unit.fields, "written"))


def open_questions(item: WorkItem, objects: Objects) -> OpenQuestions:
    """The questions of an item that have no answer, or one that cannot be read."""
    unanswered, unread, units = [], [], asked_in_item(item)
    for number, unit in enumerate(units, 1):
        entries = [fields for _, fields in entries_for(objects, number)]
        if unit.values and any(read_fields(unit, fields).unread for fields in entries):
            unread.append(number)
        elif not any(_is_answered(unit, fields) for fields in entries):
            unanswered.append(number)
    return OpenQuestions(len(units), tuple(unanswered), tuple(unread))


def rows_of(item: WorkItem, objects: Objects, *, is_done: bool) -> Iterator[Row]:
    """A person's answers. A query without one has none, if the document is handed in."""
    answers = {
        record.id: DocumentAnswers(record.text, record.queries)
        for record in (records_with_key(item) if item.paper["kind"] == "task" else ())
    }
    for number, unit in enumerate(asked_in_item(item), 1):
        answered = [
            (objects[id], fields)
            for id, fields in entries_for(objects, number)
            if _is_answered(unit, fields)
        ]
        if unit.values:
            if answered or is_done:
                solutions = [
                    read_fields(unit, fields, answers[unit.record.id]).solution
                    for _, fields in answered
                    if fields.get("unanswerable") is not True
                ]
                yield Row(id=unit.id, answer=msgspec.to_builtins(solutions))
        elif answered and (row := _row(unit, *answered[0])) is not None:
            yield row


def _row(unit: AskedUnit, entry: Mapping[str, Any], fields: Mapping[str, Any]) -> Row | None:
    """The answer to a question, not to a query; None if it cannot be read."""
    if "rewrite" in unit.fields:
        return Row(id=unit.id, answer=str(fields["rewrite"]).strip())
    if "rating" in unit.fields:
        rating = re.fullmatch("[1-5]", str(fields.get("rating")))
        return Row(id=unit.id, answer=float(rating[0])) if rating else None
    if fields.get("unanswerable") is True and "unanswerable" in unit.fields:
        return Row(id=unit.id, answer="")
    if unit.options:
        index = LETTERS.find(str(fields.get("option")))
        if not 0 <= index < len(unit.options):
            return None
        return Row(id=unit.id, answer=unit.options[index], order=_order(unit, entry))
    if spans := spans_in(fields.get("answer"), text_of(unit.record)):
        start, end, quote = spans[0]
        return Row(id=unit.id, answer=quote, start=start, end=end)
    written = fields.get("written")
    return Row(id=unit.id, answer=written.strip()) if isinstance(written, str) else None


def unit_seconds(item: WorkItem, person: PersonsWork) -> dict[str, float]:
    """How long a person took for each unit: until its entry last changed, including reading."""
    spent: dict[str, float] = {}
    for id, seconds in person.object_seconds.get(item.name, {}).items():
        if match := _ENTRY_ID.fullmatch(id):
            spent[match[1]] = spent.get(match[1], 0.0) + seconds
    return {
        unit.id: round(spent[str(number)], 3)
        for number, unit in enumerate(asked_in_item(item), 1)
        if spent.get(str(number))
    }


def _order(unit: AskedUnit, entry: Mapping[str, Any]) -> tuple[int, ...] | None:
    """The order in which options were shown, where it is not the paper's."""
    choices = entry.get("choices")
    options = choices.get("option") if isinstance(choices, Mapping) else None
    letters = options if isinstance(options, Mapping) else ()
    order = tuple(LETTERS.find(letter) for letter in letters)
    papers_order = tuple(range(len(unit.options)))
    is_other = order != papers_order and tuple(sorted(order)) == papers_order
    return order if is_other else None


def read_fields(
    unit: AskedUnit,
    fields: Mapping[str, Any],
    answers: DocumentAnswers | None = None,
) -> ReadAnswer:
    """Read the fields of an answer to a query; empty ones are left out."""
    typed = {
        name: str(fields[place]).strip()
        for place, name in unit.labels.items()
        if is_filled(fields.get(place))
    }
    spans = spans_in(fields.get("excerpts"), unit.record.text)
    excerpts = (Excerpt(unit.record.id, start, end, quote) for start, end, quote in spans)
    offers = {name: unit.offers.get(place, ()) for place, name in unit.labels.items()}
    reader = answers or DocumentAnswers(unit.record.text)
    return reader.read(unit.item, typed, excerpts, offers=offers)
