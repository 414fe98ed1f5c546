"""Fields of forms: what counts as filled in, and how labels of sheets and spans are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from readmark.core.errors import DataError
from readmark.works.configuration import EntryField
from readmark.works.field_values import (
    as_choice,
    fields_of_labels,
    is_filled,
    is_value,
    span_value,
    spans_in,
    value_of,
)

TEXT = "The kettle hung by the door."
CHOICE = EntryField(widget="choice", choices=("who", "when", 2))
CHOICES = EntryField(widget="choices", choices=("who", "when", 2))
FLAG = EntryField(widget="flag")
NUMBER = EntryField(widget="number")
LINE = EntryField(widget="line")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a", True),
        (" ", False),
        (None, False),
        (False, False),
        (True, True),
        (0, True),
        ([], False),
        ({}, False),
        (["a"], True),
    ],
)
def test_filled_in(value: Any, expected: bool) -> None:
    assert is_filled(value) is expected


@pytest.mark.parametrize(
    ("field", "label", "value"),
    [
        (CHOICE, "who", "who"),
        (CHOICE, "2", 2),
        (CHOICES, "who + 2", ["who", 2]),
        (FLAG, "yes", True),
        (FLAG, "no", False),
        (NUMBER, "7", 7),
        (NUMBER, "0.5", 0.5),
        (LINE, "7", "7"),
    ],
)
def test_labels_that_fields_take(field: EntryField, label: str, value: Any) -> None:
    assert value_of(field, label) == value
    assert type(value_of(field, label)) is type(value)
    assert is_value(field, label)


@pytest.mark.parametrize(
    ("field", "label", "message"),
    [
        (FLAG, "maybe", "'maybe' is not yes or no"),
        (NUMBER, "seven", "'seven' is not a number"),
        (NUMBER, "1e999", "is not a number"),
        (NUMBER, "9" * 310, "is not a number"),
        (NUMBER, "nan", "'nan' is not a number"),
    ],
)
def test_labels_that_are_refused(field: EntryField, label: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        value_of(field, label)
    assert not is_value(field, label)


@pytest.mark.parametrize(("field", "label"), [(CHOICE, "where"), (CHOICES, "who+where")])
def test_a_choice_that_there_is_not_is_no_value_and_no_error(field: EntryField, label: str) -> None:
    value_of(field, label)
    assert not is_value(field, label)


def test_choices_are_spelt_as_the_form_spells_them() -> None:
    assert as_choice(CHOICES, ["2", "who", "else"]) == [2, "who", "else"]
    assert as_choice(None, "2") == "2"


def test_spans_go_both_ways() -> None:
    span = span_value(4, "kettle")
    assert span == {"text": "passage", "start": 4, "end": 10, "quote": "kettle"}
    assert spans_in(span, TEXT) == [(4, 10, "kettle")]


def test_a_span_without_a_quote_has_that_of_the_text() -> None:
    assert spans_in([{"start": 4, "end": 10}], TEXT) == [(4, 10, "kettle")]


@pytest.mark.parametrize(
    "value", ["kettle", None, {"start": 4}, {"start": 4, "end": 4}, {"start": -1, "end": 4}]
)
def test_what_is_not_a_span_is_left_out(value: Any) -> None:
    assert spans_in([value, span_value(4, "kettle")], TEXT) == [(4, 10, "kettle")]


def test_an_error_in_a_row_of_a_sheet_names_file_and_row() -> None:
    declared = {"type": CHOICE, "hard": FLAG}
    labels = {"type": "who", "hard": "", "another column": "x"}
    assert fields_of_labels(declared, labels, Path("sheet.csv"), "q1") == {"type": "who"}
    with pytest.raises(DataError) as error:
        fields_of_labels(declared, {"hard": "maybe"}, Path("sheet.csv"), "q1")
    assert (str(error.value.file), error.value.where) == ("sheet.csv", "q1")
