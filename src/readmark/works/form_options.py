"""What a project with the work ``form`` states: its one form, its options, its checks by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from readmark.core.records import Value
from readmark.works.configuration import Configuration, EntryField, in_language
from readmark.works.field_values import is_filled
from readmark.works.forms import fields_of
from readmark.works.marks import Text
from readmark.works.passages import fixed_id
from readmark.works.units import paper_record, text_view, units_in, words_of
from readmark.works.work import WorkItem


class FormCheck(Value, frozen=True):
    """A check of one field, by name."""

    check: str
    field: str
    when: dict[str, tuple[str | int | bool, ...]] = {}
    """The values that other fields must have for the check to apply."""
    least: float | None = None
    most: float | None = None
    severity: Literal["error", "warning", "hint"] = "warning"
    message: Text = ""
    """What the page says instead of the check's own words."""


class FormOptions(Value, frozen=True):
    """The ``[options]`` of a project with this work."""

    about: Literal["passage", "question"] = "passage"
    """What each form is about: a record, or a unit of it, whatever the test's kind calls them."""
    checks: tuple[FormCheck, ...] = ()
    output: dict[str, str] = {}
    """The name that a field has in the key of the test; by default its own."""
    compared: tuple[str, ...] = ()
    """The fields that an adjudicator decides on; by default those that are not optional."""


@dataclass(frozen=True)
class FormUnit:
    """What a form of an item is about: the record, or one of its units."""

    object: str
    """The id of the form on the page."""
    id: str
    text: str
    context: str = ""


def form_of(configuration: Configuration) -> str:
    """The name of the project's one form."""
    return next(iter(configuration.entry))


def form_options(configuration: Configuration) -> FormOptions:
    """The project's options."""
    return msgspec.convert(configuration.options, FormOptions)


def units_of(item: WorkItem, configuration: Configuration) -> list[FormUnit]:
    """What an item's forms are about, in order."""
    if form_options(configuration).about == "passage":
        return [FormUnit(fixed_id(1), paper_record(item).id, text_view(item).title)]
    return [
        FormUnit(fixed_id(number), unit.id, *words_of(item, unit))
        for number, unit in enumerate(units_in(item, paper_record(item)), 1)
    ]


def compared_fields(configuration: Configuration) -> dict[str, EntryField]:
    """The fields that make two versions different."""
    declared = fields_of(configuration, form_of(configuration))
    compared = form_options(configuration).compared
    if compared:
        return {name: field for name, field in declared.items() if name in compared}
    required = {name: field for name, field in declared.items() if not field.optional}
    return required or declared


def label_of(field: EntryField, name: str, language: str) -> str:
    """What a page calls a field."""
    return in_language(field.label, language) or name


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


def _needed(check: FormCheck, value: Any) -> tuple[str, str] | None:
    return None if is_filled(value) else ("needed here", "此处需要填写")


def _between(check: FormCheck, value: Any) -> tuple[str, str] | None:
    number = _number(value)
    if number is None or _is_within(number, check):
        return None
    return _range(check), _range(check)


def _characters(check: FormCheck, value: Any) -> tuple[str, str] | None:
    if not isinstance(value, str) or not value.strip() or _is_within(len(value.strip()), check):
        return None
    return f"{_range(check)} characters", f"{_range(check)} 个字符"


def _is_within(number: float, check: FormCheck) -> bool:
    least, most = check.least, check.most
    return (least is None or number >= least) and (most is None or number <= most)


def _range(check: FormCheck) -> str:
    least, most = check.least, check.most
    if least is None:
        return f"≤ {most:g}"
    return f"≥ {least:g}" if most is None else f"{least:g}–{most:g}"


CHECKS: dict[str, Callable[[FormCheck, Any], tuple[str, str] | None]] = {
    "needed": _needed,
    "between": _between,
    "characters": _characters,
}
"""What is expected of a field whose value is wrong, in English and Chinese, by the check's name."""
