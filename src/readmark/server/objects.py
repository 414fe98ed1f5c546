"""What is in an object: marks, entries, notes and the status, checked before they are stored."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from readmark.core.errors import DataError, did_you_mean
from readmark.works import OBJECT_ID

LARGEST_VALUE = 64 << 10
"""Bytes of an object as JSON."""
DEEPEST = 6
"""Levels of nesting."""
_NAME_LENGTH = 60
"""Characters of a category's or a form's name."""


def check_object(id: str, value: Mapping[str, Any] | None, texts: Mapping[str, str]) -> None:
    """Raise a ``DataError`` if an object is not as described in ``docs/hall.md``.

    ``texts`` are the item's texts: offsets are code points in them, and quotes are compared.
    """
    if not OBJECT_ID.fullmatch(id):
        raise DataError(
            f"{id[:80]!r} cannot be an object's id: expected up to 60 letters or digits"
        )
    if value is None:
        return
    if len(msgspec.json.encode(value)) > LARGEST_VALUE:
        raise DataError(f"the object is larger than {LARGEST_VALUE >> 10} KB", where=id)
    _check_plain(id, value)
    type = value.get("type")
    check = _CHECKS.get(type) if isinstance(type, str) else None
    if check is None:
        hint = did_you_mean(type[:80], _CHECKS) if isinstance(type, str) else ""
        raise DataError(f"the object has no known type; {hint or 'none is given'}", where=id)
    check(id, value, texts)
    if (type == "status") != (id == "status"):
        raise DataError("the id status and the type status belong together", where=id)


def _check_plain(id: str, value: Any, depth: int = 0) -> None:
    """No NUL, which PostgreSQL cannot store, and no deep nesting."""
    if isinstance(value, str):
        if "\0" in value:
            raise DataError("a text has the character NUL", where=id)
    elif isinstance(value, (dict, list)):
        if depth == DEEPEST:
            raise DataError(f"nested deeper than {DEEPEST} levels", where=id)
        for member in (*value, *value.values()) if isinstance(value, dict) else value:
            _check_plain(id, member, depth + 1)


def _check_span(id: str, span: Mapping[str, Any], texts: Mapping[str, str]) -> None:
    text = texts.get(_string(id, span, "text"))
    if text is None:
        raise DataError(f"the item has no text {span['text'][:80]!r}", where=id)
    start, end = _offset(id, span, "start"), _offset(id, span, "end")
    if not 0 <= start < end <= len(text):
        message = f"the offsets {start} to {end} are not within the {len(text)} characters"
        raise DataError(message, where=id)
    if text[start:end] != span.get("quote"):
        raise DataError(f"the quote is not the text from {start} to {end}", where=id)


def _offset(id: str, span: Mapping[str, Any], name: str) -> int:
    value = span.get(name)
    if type(value) is not int:
        raise DataError(f"{name} is not a whole number", where=id)
    return value


def _string(id: str, value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str):
        raise DataError(f"{name} is not a text", where=id)
    return text


def _mapping(id: str, value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    mapping = value.get(name, {})
    if not isinstance(mapping, dict):
        raise DataError(f"{name} is not an object", where=id)
    return mapping


def _check_name(id: str, value: Mapping[str, Any], name: str) -> None:
    if len(_string(id, value, name)) > _NAME_LENGTH:
        raise DataError(f"{name} is longer than {_NAME_LENGTH} characters", where=id)


def _check_mark(id: str, value: Mapping[str, Any], texts: Mapping[str, str]) -> None:
    _check_span(id, value, texts)
    _check_name(id, value, "category")
    for name, attribute in _mapping(id, value, "attributes").items():
        if isinstance(attribute, (dict, list)):
            raise DataError(f"the attribute {name[:80]} is not a single value", where=id)
    for name, targets in _mapping(id, value, "relations").items():
        for target in targets if isinstance(targets, list) else [targets]:
            if target is not None and not isinstance(target, str):
                raise DataError(f"the relation {name[:80]} does not lead to an id", where=id)


def _check_entry(id: str, value: Mapping[str, Any], texts: Mapping[str, str]) -> None:
    _check_name(id, value, "entry")
    order = value.get("order", 0)
    if isinstance(order, bool) or not isinstance(order, (int, float)) or not math.isfinite(order):
        raise DataError("order is not a number", where=id)
    for name, field in _mapping(id, value, "fields").items():
        for member in field if isinstance(field, list) else [field]:
            if isinstance(member, dict):
                _check_span(id, member, texts)
            elif isinstance(member, list):
                raise DataError(f"the field {name[:80]} is nested", where=id)


def _check_note(id: str, value: Mapping[str, Any], texts: Mapping[str, str]) -> None:
    _string(id, value, "value")


def _check_status(id: str, value: Mapping[str, Any], texts: Mapping[str, str]) -> None:
    if not isinstance(value.get("done"), bool):
        raise DataError("done is not true or false", where=id)


_CHECKS = {
    "mark": _check_mark,
    "entry": _check_entry,
    "note": _check_note,
    "status": _check_status,
}
