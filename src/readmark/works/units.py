"""What forms are about: records and units of a test of any kind, and labels in their keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import NoneType
from typing import Any, get_args

import msgspec

from readmark.core.kinds import kind_named
from readmark.core.record_members import language_in
from readmark.core.records import Unit
from readmark.core.test import Header, Test
from readmark.hooks import Kind
from readmark.works.field_values import TEXT
from readmark.works.kind_extras import reading_text
from readmark.works.passages import language_of_item, record_items
from readmark.works.work import TextView, WorkItem

KIND = "kind"
"""The member of an item's paper with the kind of its test; absent, it is a header's default."""


def items_of_any_kind(test: Test) -> Iterator[WorkItem]:
    """An item for each record outside hidden splits."""
    name = test.kind.name
    is_default = name == Header().kind
    for item in record_items(test, name):
        paper = item.paper if is_default else {**item.paper, KIND: name}
        yield WorkItem(item.name, paper, item.key)


def kind_of(item: WorkItem) -> Kind:
    """The kind of the test that an item is of."""
    return kind_named(item.paper.get(KIND, Header().kind))


def paper_record(item: WorkItem) -> Any:
    """The record as annotators may see it."""
    return msgspec.convert(item.paper["record"], kind_of(item).record)


def keyed_record(item: WorkItem) -> Any:
    """The record with its key, where the organiser has one."""
    record = item.key.get("record") if isinstance(item.key, Mapping) else None
    return paper_record(item) if record is None else msgspec.convert(record, kind_of(item).record)


def units_in(item: WorkItem, record: Any) -> list[Unit]:
    """The units of an item's record, in order."""
    return list(kind_of(item).units(record))


def text_view(item: WorkItem) -> TextView:
    """The record as an annotator reads it."""
    record = paper_record(item)
    reading = reading_text(kind_of(item), record)
    language = language_in(record) or language_of_item(item)
    return TextView(TEXT, reading.text, language, reading.label)


def words_of(item: WorkItem, unit: Unit) -> tuple[str, str]:
    """What a unit asks, and what else is shown with it, such as options."""
    question, *context = [labelled.text for labelled in kind_of(item).show(unit)] or [""]
    return question, "\n".join(context)


def label_members(holder: Any) -> dict[str, bool]:
    """The members that labels have in the key of a record or unit, and whether they can be numbers.

    They are texts that may be missing, such as a question's level and type; all other labels are in
    the key's ``fields``.
    """
    (key,) = [field.type for field in msgspec.structs.fields(holder) if field.name == "key"]
    (struct,) = [type for type in get_args(key) if type is not NoneType]
    types = {field.name: get_args(field.type) for field in msgspec.structs.fields(struct)}
    return {
        name: int in member_types
        for name, member_types in types.items()
        if {str, NoneType} <= {*member_types}
    }


def with_labels(holder: Any, fields: Mapping[str, Any], members: Mapping[str, Any]) -> Any:
    """A record or unit with labels in its key, which is made where it has none."""
    document = msgspec.to_builtins(holder)
    key = document.get("key") or {}
    key = {**key, **members, "fields": {**key.get("fields", {}), **fields}}
    return msgspec.convert({**document, "key": key}, type(holder))


def with_item(record: Any, old: Any, new: Any) -> Any:
    """A record with another version of itself, or of what one of its units asks."""
    if record is old:
        return new
    for name in record.__struct_fields__:
        items = getattr(record, name)
        if isinstance(items, tuple) and any(item is old for item in items):
            replaced = tuple(new if item is old else item for item in items)
            return msgspec.structs.replace(record, **{name: replaced})
    raise ValueError(f"{record.id} has no such unit")
