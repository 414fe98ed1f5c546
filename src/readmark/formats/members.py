"""Members of JSON documents, checked as they are taken: a fault is reported in one line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from readmark.core.fingerprint import text_id
from readmark.core.large_json import LargeArray
from readmark.core.problems import Problem
from readmark.core.records import AS_WRITTEN, Passage
from readmark.core.source import Source
from readmark.core.spans import clip
from readmark.core.test import Test

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


# How a document spelt what a test holds in one way only, so that writing gives it back.


class AsWritten(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Members of an object as they stood, and the usual ones that it went without."""

    members: dict[str, Any] = {}
    without: list[str] = []

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__struct_fields__)


class QuestionAsWritten(AsWritten):
    """A question's spelling, and its answers' by their position."""

    answers: dict[str, AsWritten] = {}
    plausible: dict[str, AsWritten] = {}


class PassageAsWritten(AsWritten):
    """A paragraph's spelling, its questions' by id, and the article's other members."""

    article: dict[str, Any] = {}
    begins: bool = False
    """Whether an article begins here although it looks like the one before."""
    questions: dict[str, QuestionAsWritten] = {}
    brcc: dict[str, Any] = {}
    """Annotated texts in another spelling than the canonical one: passage, questions, keys."""


class HeaderAsWritten(AsWritten):
    """A document's spelling, and its articles that have no paragraphs, by position."""

    articles: dict[str, Any] = {}


W = TypeVar("W", bound=AsWritten)


def with_spelling(fields: dict[str, Any], odd: AsWritten) -> dict[str, Any]:
    """The fields with a spelling added; a document's member of that name moves into it."""
    if AS_WRITTEN in fields:
        odd.members[AS_WRITTEN] = fields.pop(AS_WRITTEN)
    return {**fields, AS_WRITTEN: msgspec.to_builtins(odd)} if odd else fields


def recalled(fields: dict[str, Any], struct: type[W]) -> tuple[dict[str, Any], W]:
    """The fields as the document had them, and the spelling that was stored with them."""
    if AS_WRITTEN not in fields:
        return fields, struct()
    try:
        odd = msgspec.convert(fields[AS_WRITTEN], struct)
    except msgspec.ValidationError:
        return fields, struct()  # somebody's own field of that name
    rest = {name: value for name, value in fields.items() if name != AS_WRITTEN}
    if AS_WRITTEN in odd.members:
        rest[AS_WRITTEN] = odd.members[AS_WRITTEN]
    return rest, odd


def is_labelled(test: Test) -> bool:
    """Whether any question has a key: where none has, empty answers are the usual spelling."""
    return any(unit.key is not None for unit in test.units())


def write_label(
    into: dict[str, Any], name: str, value: str | None, odd: AsWritten, *, stored_as: str = ""
) -> None:
    """Write a label as the document spelt it, when it still means the same."""
    spelt = odd.members.get(stored_as or name, ABSENT)
    if spelt is not ABSENT and (None if spelt is None else str(spelt)) == value:
        into[name] = spelt
    elif value is not None:
        into[name] = value


def keep_label(raw: dict[str, Any], name: str, odd: AsWritten, *, stored_as: str = "") -> None:
    """Remember a label that is null or a number."""
    if name in raw and not isinstance(raw[name], str):
        odd.members[stored_as or name] = raw[name]


def keep_passage_id(raw: dict[str, Any], name: str, text: str, odd: AsWritten) -> None:
    """Remember an id that is null, a number, empty, or one that the text would give anyway."""
    keep_label(raw, name, odd, stored_as="id")
    id = raw.get(name)
    if isinstance(id, str) and (not id or id == text_id(text)):
        odd.members["id"] = id


def write_passage_id(into: dict[str, Any], name: str, passage: Passage, odd: AsWritten) -> None:
    """Write a passage's id, unless reading would give the passage the same one by its text."""
    spelt = odd.members.get("id")
    if passage.id == text_id(passage.text) and spelt in (None, ""):
        if "id" in odd.members:
            into[name] = spelt
    else:
        into[name] = spelt if str(spelt) == passage.id else passage.id
