"""Objects of the hall's page as marks on a text, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from readmark.core.records import Offsets
from readmark.tasks.categories.definitions import SAME
from readmark.tasks.categories.marks import MarkedText, TextMark
from readmark.works import Objects, WorkItem

TEXT = "document"
"""What the page calls the text of an item."""
_FRAGMENTS = "fragments"
"""The pieces of a mark in several, which files may have and the page does not make."""


def marked_text(item: WorkItem, objects: Objects, annotator: str | None = None) -> MarkedText:
    """The text of an item with the marks among a person's objects."""
    marks = [
        _mark(id, value, item.paper["text"], annotator)
        for id, value in objects.items()
        if value.get("type") == "mark"
    ]
    return MarkedText(item.name, item.paper["text"], tuple(marks), item.name)


def _mark(id: str, value: Mapping[str, Any], text: str, annotator: str | None) -> TextMark:
    attributes = value.get("attributes", {})
    relations = dict(value.get("relations", {}))
    same = relations.pop(SAME, ())
    return TextMark(
        id,
        value["category"],
        _fragments(value, text),
        {name: entry for name, entry in attributes.items() if entry not in ("", None)},
        {name: target for name, target in relations.items() if isinstance(target, str)},
        (same,) if isinstance(same, str) else tuple(same or ()),
        annotator,
        id,
    )


def _fragments(value: Mapping[str, Any], text: str) -> tuple[Offsets, ...]:
    """The pieces of a mark; they are those of its file unless somebody has moved the first.

    A program may have sent anything in their place.
    """
    span = (value["start"], value["end"])
    try:
        stored = msgspec.convert(value.get(_FRAGMENTS, ()), tuple[Offsets, ...])
    except msgspec.ValidationError:
        return (span,)
    are_inside = all(0 <= start < end <= len(text) for start, end in stored)
    return stored if are_inside and stored[:1] == (span,) else (span,)


def mark_object(mark: TextMark, text: str) -> dict[str, Any]:
    """A mark as an object of the page."""
    start, end = mark.fragments[0]
    relations: dict[str, Any] = dict(mark.links)
    if mark.same:
        relations[SAME] = list(mark.same)
    value: dict[str, Any] = {
        "type": "mark",
        "text": TEXT,
        "category": mark.category,
        "start": start,
        "end": end,
        "quote": text[start:end],
        "attributes": dict(mark.values),
        "relations": relations,
    }
    if len(mark.fragments) > 1:
        value[_FRAGMENTS] = [list(span) for span in mark.fragments]
    return value
