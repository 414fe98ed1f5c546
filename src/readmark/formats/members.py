"""Members of JSON documents, checked as they are taken: a fault is reported in one line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from readmark.core.large_json import LargeArray
from readmark.core.problems import Problem
from readmark.core.source import Source
from readmark.core.spans import clip

ABSENT: Any = object()
"""What a member that is not there is taken for; null is there."""


class Fault(Exception):
    """Something wrong at a place; the reader of the enclosing object reports it and continues."""

    def __init__(self, where: str, message: str, code: str = "schema") -> None:
        super().__init__(message)
        self.where = where
        self.message = message
        self.code = code

    def problem(self, file: str) -> Problem:
        """The fault as a problem of a file."""
        return Problem(file, self.where, self.code, self.message)


def unexpected(name: str, value: object, wanted: str) -> str:
    """What was found under a name and what was expected there."""
    return f"{name} is {shown(value)}, expected {wanted}"


def shown(value: object) -> str:
    """A value of a document in a few words."""
    if value is ABSENT:
        return "missing"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, LargeArray)):
        return "an array"
    return clip(json.dumps(value, ensure_ascii=False))


def an_object(value: object, name: str, where: str) -> dict[str, Any]:
    """The value, which must be an object."""
    if isinstance(value, dict):
        return value
    raise Fault(where, unexpected(name, value, "an object"))


def an_array(owner: Mapping[str, Any], name: str, where: str) -> list[Any]:
    """A member that must be there and be an array."""
    value = owner.get(name, ABSENT)
    if isinstance(value, list):
        return value
    raise Fault(where, unexpected(name, value, "an array"))


def texts_of(values: object, name: str, where: str) -> list[str]:
    """A value that must be an array of texts."""
    if not isinstance(values, list):
        raise Fault(where, unexpected(name, values, "an array of texts"))
    for index, value in enumerate(values):
        if not isinstance(value, str):
            raise Fault(where, unexpected(f"{name}[{index}]", value, "text"))
    return values


def a_long_array(owner: Mapping[str, Any], name: str, where: str) -> list[Any] | LargeArray:
    """A member that must be there and be an array, which may be too long to hold."""
    value = owner.get(name, ABSENT)
    return value if isinstance(value, LargeArray) else an_array(owner, name, where)


def a_text(owner: Mapping[str, Any], name: str, where: str, called: str = "") -> str:
    """A member that must be there and be text."""
    value = owner.get(name, ABSENT)
    if isinstance(value, str):
        return value
    raise Fault(where, unexpected(called or name, value, "text"))


def a_label(owner: Mapping[str, Any], name: str, where: str, called: str = "") -> str | None:
    """An id or title, None where there is none; real files hold whole numbers too."""
    value = owner.get(name)
    if isinstance(value, (str, type(None))):
        return value
    if is_integer(value):
        return str(value)
    raise Fault(where, unexpected(called or name, value, "text or a whole number"))


def a_question_id(owner: Mapping[str, Any], name: str, where: str) -> str:
    """The id of a question, which must be there: predictions are bound by it."""
    id = a_label(owner, name, where)
    if not id:
        found = owner.get(name, ABSENT)
        raise Fault(where, unexpected(name, found, "text that is not empty"))
    return id


def objects(values: object) -> Iterator[dict[str, Any]]:
    """The objects of what should be an array of them; whatever is none is passed over."""
    if isinstance(values, (list, tuple, LargeArray)):
        yield from (value for value in values if isinstance(value, dict))


def others(raw: dict[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """The members that are not known."""
    return {name: value for name, value in raw.items() if name not in known}


def is_integer(value: object) -> bool:
    """Whether a value is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def name_of(source: Source) -> str:
    """What a test in a document is called: its file's name without suffixes, or its folder's."""
    name = source.path.name
    for suffix in (".gz", ".zst", ".json"):
        name = name.removesuffix(suffix)
    return source.named(name)
