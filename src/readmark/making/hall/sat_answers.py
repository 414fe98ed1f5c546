"""Answers of people who sit a test: as objects of an item, as rows of a sitting, as typed words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from readmark.core.sitting import Row
from readmark.core.spans import Excerpt, places
from readmark.making.blind.placing import placed
from readmark.making.hall.asked_units import (
    LETTERS,
    AskedUnit,
    asked_in_item,
    records_with_key,
    text_of,
)
from readmark.tasks import DocumentAnswers, ReadAnswer
from readmark.works import Objects, OpenQuestions, PersonsWork, WorkItem
from readmark.works.forms import is_filled, span_value, spans_in

NO_ANSWER = "-"
"""What is typed for "the passage has no answer"."""
_ENTRY_ID = re.compile(r"q-([1-9][0-9]{0,5})(?:\.[0-9]{1,4})?")
_NUMBERED = re.compile(r"(?P<words>.*\S)\s*#(?P<number>[1-9][0-9]{0,3})", re.DOTALL)


# Objects as answers.


def entries_for(objects: Objects, number: int) -> list[tuple[str, Mapping[str, Any]]]:
    """The entries for a question, of which a query may have several, with their fields."""
    found = []
    for id, value in objects.items():
        match = _ENTRY_ID.fullmatch(id)
        if match is None or int(match[1]) != number or not isinstance(value, Mapping):
            continue
        fields = value.get("fields")
        if value.get("type") == "entry" and isinstance(fields, Mapping):
            found.append((id, fields))
    return sorted(found, key=lambda pair: [int(part) for part in pair[0][2:].split(".")])


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
        given = [
            (objects[id], fields)
            for id, fields in entries_for(objects, number)
            if _is_answered(unit, fields)
        ]
        if unit.values:
            if given or is_done:
                found = [
                    read_fields(unit, fields, answers[unit.record.id]).solution
                    for _, fields in given
                    if fields.get("unanswerable") is not True
                ]
                yield Row(id=unit.id, answer=msgspec.to_builtins(found))
        elif given and (row := _row(unit, *given[0])) is not None:
            yield row


def _row(unit: AskedUnit, entry: Mapping[str, Any], fields: Mapping[str, Any]) -> Row | None:
    """An answer that is no query's; None if it cannot be read."""
    if "rewrite" in unit.fields:
        return Row(id=unit.id, answer=str(fields["rewrite"]).strip())
    if "rating" in unit.fields:
        is_rating = re.fullmatch("[1-5]", str(fields.get("rating")))
        return Row(id=unit.id, answer=float(is_rating[0])) if is_rating else None
    if fields.get("unanswerable") is True and "unanswerable" in unit.fields:
        return Row(id=unit.id, answer="")
    if unit.options:
        chosen = LETTERS.find(str(fields.get("option")))
        if not 0 <= chosen < len(unit.options):
            return None
        return Row(id=unit.id, answer=unit.options[chosen], order=_order(unit, entry))
    if spans := spans_in(fields.get("answer"), text_of(unit.record)):
        start, end, quote = spans[0]
        return Row(id=unit.id, answer=quote, start=start, end=end)
    written = fields.get("written")
    return Row(id=unit.id, answer=written.strip()) if isinstance(written, str) else None


def unit_seconds(item: WorkItem, person: PersonsWork) -> dict[str, float]:
    """How long a person took for each unit: until its entry changed last, reading included."""
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
    shown = choices.get("option") if isinstance(choices, Mapping) else None
    letters = shown if isinstance(shown, Mapping) else ()
    order = tuple(LETTERS.find(letter) for letter in letters)
    places_of = tuple(range(len(unit.options)))
    return order if order != places_of and tuple(sorted(order)) == places_of else None


def read_fields(
    unit: AskedUnit,
    fields: Mapping[str, Any],
    answers: DocumentAnswers | None = None,
) -> ReadAnswer:
    """What a person typed as an answer to a query; fields that are empty are left out."""
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


# Answers as objects: from a sitting, or typed in from an answer sheet.


def with_fields(entry: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """An entry filled in; one with an answer in other words than the passage's has that field."""
    only = list(entry["only"])
    if "written" in fields and "written" not in only:
        only = ["written", *(name for name in only if name != "answer")]
    return {**entry, "only": only, "fields": dict(fields)}


def fields_of_row(unit: AskedUnit, row: Row) -> Iterator[dict[str, Any]]:
    """The fields of the entries that a sitting's row fills in."""
    if unit.values:
        yield from _fields_of_solutions(unit, row.answer) or ({"unanswerable": True},)
    elif "rewrite" in unit.fields:
        yield {"rewrite": row.text}
    elif "rating" in unit.fields:
        yield {"rating": f"{row.answer:g}"}
    else:
        text = row.text
        typed = typed_answer(unit, text or NO_ANSWER, "en", start=row.start)
        yield typed.fields[0] if typed.fields else {"written": text}


def _fields_of_solutions(unit: AskedUnit, bindings: Any) -> list[dict[str, Any]]:
    found = []
    for solution in bindings if isinstance(bindings, list) else ():
        values, mentions = solution.get("values", {}), solution.get("mentions", {})
        fields: dict[str, Any] = {
            place: str(next(iter(mentions.get(str(values.get(name))) or ()), values.get(name, "")))
            for place, name in unit.labels.items()
        }
        excerpts = solution.get("excerpts", ())
        spans = [{**span_value(one["start"], one["quote"]), "text": unit.text} for one in excerpts]
        found.append({**fields, "excerpts": spans} if spans else fields)
    return found


@dataclass(frozen=True)
class TypedAnswer:
    """What was typed for a question: the fields of its entries, and what to look at."""

    fields: tuple[dict[str, Any], ...] = ()
    problem: str = ""
    """``absent``, ``ambiguous`` and ``unread`` values are stored and should be looked at;
    what is ``unreadable`` is not stored."""


def typed_answer(
    unit: AskedUnit, typed: str, language: str, *, start: int | None = None
) -> TypedAnswer:
    """An answer as somebody typed it from a sheet of paper; nothing typed is no answer.

    Options are letters. Words are sought in the passage as ``set merge`` does; ``#2`` after them
    means the second place. Values of a query have ``|`` between them, further answers a line each.
    """
    typed = typed.strip()
    if not typed:
        return TypedAnswer()
    if typed == NO_ANSWER and "unanswerable" in unit.fields:
        return TypedAnswer(({"unanswerable": True},))
    if unit.values:
        rows = [[cell.strip() for cell in line.split("|")] for line in typed.splitlines() if line]
        if any(len(row) != len(unit.values) or not all(row) for row in rows):
            return TypedAnswer(problem="unreadable")
        fields = tuple(dict(zip(unit.values, row, strict=True)) for row in rows)
        is_unread = any(read_fields(unit, own).unread for own in fields)
        return TypedAnswer(fields, "unread" if is_unread else "")
    if "rating" in unit.fields:
        is_rating = re.fullmatch(r"[1-5]", typed)
        return TypedAnswer(({"rating": typed},)) if is_rating else TypedAnswer(problem="unreadable")
    if "rewrite" in unit.fields:
        return TypedAnswer(({"rewrite": typed},))
    if unit.options:
        known = dict(zip(unit.options, LETTERS, strict=False))
        letter = known.get(typed, typed.upper())
        if letter not in LETTERS[: len(unit.options)] or len(letter) != 1:
            return TypedAnswer(problem="unreadable")
        return TypedAnswer(({"option": letter},))
    if "answer" not in unit.fields:
        return TypedAnswer(({"written": typed},))
    return _placed(unit, typed, language, start)


def _placed(unit: AskedUnit, typed: str, language: str, start: int | None) -> TypedAnswer:
    text = text_of(unit.record)
    if start is None and (match := _NUMBERED.fullmatch(typed)) and typed not in text:
        typed, found = match["words"], places(text, match["words"])
        number = int(match["number"])
        start = found[number - 1] if number <= len(found) else None
    place = placed(text, typed, start, "", language=language)
    if place.answer.start is None:
        return TypedAnswer(({"written": typed},), "absent")
    span = {**span_value(place.answer.start, place.answer.text), "text": unit.text}
    return TypedAnswer(({"answer": span},), "ambiguous" if place.several else "")
