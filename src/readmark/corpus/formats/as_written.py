"""How a document spelt what a test holds in one way only, so that writing gives it back.

It is kept among the fields of a passage's key and of the header: no candidate sees it and no
fingerprint counts it. Documents in the usual spelling leave nothing here.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from readmark.corpus.fingerprint import text_id
from readmark.corpus.formats.members import ABSENT
from readmark.corpus.test import Test
from readmark.corpus.values import AS_WRITTEN, Passage


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


def kept(fields: dict[str, Any], odd: AsWritten) -> dict[str, Any]:
    """The fields with a spelling beside them; a document's member of that name moves into it."""
    if AS_WRITTEN in fields:
        odd.members[AS_WRITTEN] = fields.pop(AS_WRITTEN)
    return {**fields, AS_WRITTEN: msgspec.to_builtins(odd)} if odd else fields


def recalled(fields: dict[str, Any], struct: type[W]) -> tuple[dict[str, Any], W]:
    """The fields as the document had them, and the spelling that was kept beside them."""
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


def put(
    into: dict[str, Any], name: str, value: str | None, odd: AsWritten, *, kept_as: str = ""
) -> None:
    """Write a label as the document spelt it, when it still means the same."""
    spelt = odd.members.get(kept_as or name, ABSENT)
    if spelt is not ABSENT and (None if spelt is None else str(spelt)) == value:
        into[name] = spelt
    elif value is not None:
        into[name] = value


def keep_label(raw: dict[str, Any], name: str, odd: AsWritten, *, kept_as: str = "") -> None:
    """Remember a label that is null or a number."""
    if name in raw and not isinstance(raw[name], str):
        odd.members[kept_as or name] = raw[name]


def keep_passage_id(raw: dict[str, Any], name: str, text: str, odd: AsWritten) -> None:
    """Remember an id that is null, a number, empty, or one that the text would give anyway."""
    keep_label(raw, name, odd, kept_as="id")
    id = raw.get(name)
    if isinstance(id, str) and (not id or id == text_id(text)):
        odd.members["id"] = id


def put_passage_id(into: dict[str, Any], name: str, passage: Passage, odd: AsWritten) -> None:
    """Write a passage's id, unless reading would give the passage the same one by its text."""
    spelt = odd.members.get("id")
    if passage.id == text_id(passage.text) and spelt in (None, ""):
        if "id" in odd.members:
            into[name] = spelt
    else:
        into[name] = spelt if str(spelt) == passage.id else passage.id
