"""Values as people type them, read by the datatype that the ontology asks for.

Numbers, dates, times, durations and yes or no, in English and Chinese: ``2,900``, ``两千九百``,
``10 August 2021``, ``三月五日``, ``是``. What is no value of the type is an ``UnreadValue``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from readmark.tasks.reasoning.datatypes import FRACTIONS, INTEGERS, TEXTS
from readmark.tasks.typed.dates import read_date, read_year
from readmark.tasks.typed.durations import read_duration
from readmark.tasks.typed.numbers import number_by_form, read_number, read_whole
from readmark.tasks.typed.times import read_moment, read_time
from readmark.tasks.typed.words import UnreadValue, plain_words
from readmark.tasks.typed.yes_or_no import read_yes_or_no

TypedValue = str | int | float | bool


def read_value(
    text: str, type: str, *, units: Sequence[str] = (), document: str = ""
) -> TypedValue:
    """The value of an XML Schema datatype that a person typed, as answers hold it.

    ``units`` are the ones that the ontology has for the property; another one is refused. A date
    without a year takes it from the ``document``, where that leaves no choice.
    """
    if type in TEXTS or type == "Literal":
        return json.dumps(text.strip().strip('"“”'), ensure_ascii=False)
    words = plain_words(text)
    if type in INTEGERS:
        return read_whole(text, words, type, units)
    if type in FRACTIONS:
        return read_number(text, words, units)
    match type:
        case "boolean":
            return read_yes_or_no(text, words)
        case "date":
            return read_date(text, words, document)
        case "dateTime":
            return read_moment(text, words, document)
        case "gYear":
            return read_year(text, words)
        # Answers write what is no number, truth value or date as a string in quotation marks.
        case "time":
            return json.dumps(read_time(text, words))
        case "duration":
            return json.dumps(read_duration(text, words))
    return json.dumps(text.strip(), ensure_ascii=False)


def read_shape(text: str) -> TypedValue | None:
    """The number or full date that words are by their form alone; None for everything else.

    This is for questions whose ontology is not known.
    """
    words = plain_words(text)
    number = number_by_form(words)
    if number is not None:
        return number
    try:
        return read_date(text, words, "")
    except UnreadValue:
        return None
