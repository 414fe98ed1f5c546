"""How a JSON document spelt what a test holds in one way only, so that writing gives it back.

A reader stores the spelling in the hidden fields of a header, passage or question, and the writer
of the same format takes it out again: an id that was a number, a title that was null, an empty
list of answers. Other formats never see it.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from readmark.core.fingerprint import text_id
from readmark.core.records import AS_WRITTEN, Passage
from readmark.core.test import Test
from readmark.formats.members import ABSENT


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


def with_spelling(fields: dict[str, Any], spelling: AsWritten) -> dict[str, Any]:
    """The fields with a spelling added; a document's member of that name moves into it."""
    if AS_WRITTEN in fields:
        spelling.members[AS_WRITTEN] = fields.pop(AS_WRITTEN)
    return {**fields, AS_WRITTEN: msgspec.to_builtins(spelling)} if spelling else fields


def split_spelling(fields: dict[str, Any], struct: type[W]) -> tuple[dict[str, Any], W]:
    """The fields as the document had them, and the spelling that was stored with them."""
    if AS_WRITTEN not in fields:
        return fields, struct()
    try:
        spelling = msgspec.convert(fields[AS_WRITTEN], struct)
    except msgspec.ValidationError:
        return fields, struct()  # an author's own field that happens to have the name
    rest = {name: value for name, value in fields.items() if name != AS_WRITTEN}
    if AS_WRITTEN in spelling.members:
        rest[AS_WRITTEN] = spelling.members[AS_WRITTEN]
    return rest, spelling


def is_labelled(test: Test) -> bool:
    """Whether any question has a key: where none has, empty answers are the usual spelling."""
    return any(unit.key is not None for unit in test.units())


def keep_label(raw: dict[str, Any], name: str, spelling: AsWritten, *, stored_as: str = "") -> None:
    """Remember a label that is null or a number: a test has only text for it."""
    if name in raw and not isinstance(raw[name], str):
        spelling.members[stored_as or name] = raw[name]


def write_label(
    document: dict[str, Any],
    name: str,
    value: str | None,
    spelling: AsWritten,
    *,
    stored_as: str = "",
) -> None:
    """Write a label as the document spelt it, if that still means the same."""
    spelt = spelling.members.get(stored_as or name, ABSENT)
    if spelt is not ABSENT and (None if spelt is None else str(spelt)) == value:
        document[name] = spelt
    elif value is not None:
        document[name] = value


def keep_passage_id(raw: dict[str, Any], name: str, text: str, spelling: AsWritten) -> None:
    """Remember an id that is null, a number, empty, or the one that the text would give anyway."""
    keep_label(raw, name, spelling, stored_as="id")
    id = raw.get(name)
    if isinstance(id, str) and (not id or id == text_id(text)):
        spelling.members["id"] = id


def write_passage_id(
    document: dict[str, Any], name: str, passage: Passage, spelling: AsWritten
) -> None:
    """Write a passage's id, unless a reader would make the same one of its text."""
    spelt = spelling.members.get("id")
    if passage.id == text_id(passage.text) and spelt in (None, ""):
        if "id" in spelling.members:
            document[name] = spelt
    else:
        document[name] = spelt if str(spelt) == passage.id else passage.id
