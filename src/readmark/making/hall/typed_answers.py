"""Answers as entries of a form: from a sitting, or typed in from an answer sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from readmark.core.sitting import Row
from readmark.core.spans import places
from readmark.making.blind.placing import placed
from readmark.making.hall.asked_units import LETTERS, AskedUnit, text_of
from readmark.making.hall.sat_answers import read_fields
from readmark.works.field_values import span_value

NO_ANSWER = "-"
"""What is typed for "the passage has no answer"."""
_NUMBERED = re.compile(r"(?P<words>.*\S)\s*#(?P<number>[1-9][0-9]{0,3})", re.DOTALL)


def with_fields(entry: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """An entry filled in; an answer in other words than the passage's has a field of its own."""
    names = list(entry["only"])
    if "written" in fields and "written" not in names:
        names = ["written", *(name for name in names if name != "answer")]
    return {**entry, "only": names, "fields": dict(fields)}


def fields_of_row(unit: AskedUnit, row: Row, language: str) -> Iterator[dict[str, Any]]:
    """The fields of the entries that a sitting's row fills in; the test is in ``language``."""
    if unit.values:
        yield from _fields_of_solutions(unit, row.answer) or ({"unanswerable": True},)
    elif "rewrite" in unit.fields:
        yield {"rewrite": row.text}
    elif "rating" in unit.fields:
        yield {"rating": f"{row.answer:g}"}
    else:
        text = row.text
        typed = typed_answer(unit, text or NO_ANSWER, language, start=row.start)
        yield typed.fields[0] if typed.fields else {"written": text}


def _fields_of_solutions(unit: AskedUnit, bindings: Any) -> list[dict[str, Any]]:
    entries = []
    for solution in bindings if isinstance(bindings, list) else ():
        values, mentions = solution.get("values", {}), solution.get("mentions", {})
        fields: dict[str, Any] = {}
        for place, name in unit.labels.items():
            # A value as the document words it, if the answer says so, else as it is.
            value = values.get(name, "")
            fields[place] = str(next(iter(mentions.get(str(values.get(name))) or ()), value))
        spans = [
            {**span_value(excerpt["start"], excerpt["quote"]), "text": unit.text}
            for excerpt in solution.get("excerpts", ())
        ]
        if spans:
            fields["excerpts"] = spans
        entries.append(fields)
    return entries


@dataclass(frozen=True)
class TypedAnswer:
    """The fields of a question's entries as they were typed, and a problem to look at."""

    fields: tuple[dict[str, Any], ...] = ()
    problem: str = ""
    """``absent``, ``ambiguous`` and ``unread`` values are stored and should be looked at;
    an ``unreadable`` one is not stored."""


def typed_answer(
    unit: AskedUnit, typed: str, language: str, *, start: int | None = None
) -> TypedAnswer:
    """An answer as somebody typed it from a sheet of paper; nothing typed is no answer.

    Options are letters. Words are sought in the passage as ``set merge`` does; ``#2`` after them
    means the second place. Values of a query have ``|`` between them, and each answer has a line.
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
        is_unread = any(read_fields(unit, entry).unread for entry in fields)
        return TypedAnswer(fields, "unread" if is_unread else "")
    if "rating" in unit.fields:
        if not re.fullmatch(r"[1-5]", typed):
            return TypedAnswer(problem="unreadable")
        return TypedAnswer(({"rating": typed},))
    if "rewrite" in unit.fields:
        return TypedAnswer(({"rewrite": typed},))
    if unit.options:
        letters = dict(zip(unit.options, LETTERS, strict=False))
        letter = letters.get(typed, typed.upper())
        if letter not in LETTERS[: len(unit.options)] or len(letter) != 1:
            return TypedAnswer(problem="unreadable")
        return TypedAnswer(({"option": letter},))
    if "answer" not in unit.fields:
        return TypedAnswer(({"written": typed},))
    return _answer_in_passage(unit, typed, language, start)


def _answer_in_passage(
    unit: AskedUnit, typed: str, language: str, start: int | None
) -> TypedAnswer:
    text = text_of(unit.record)
    if start is None and (match := _NUMBERED.fullmatch(typed)) and typed not in text:
        typed, number = match["words"], int(match["number"])
        starts = places(text, typed)
        start = starts[number - 1] if number <= len(starts) else None
    place = placed(text, typed, start, "", language=language)
    if place.answer.start is None:
        return TypedAnswer(({"written": typed},), "absent")
    span = {**span_value(place.answer.start, place.answer.text), "text": unit.text}
    return TypedAnswer(({"answer": span},), "ambiguous" if place.several else "")
