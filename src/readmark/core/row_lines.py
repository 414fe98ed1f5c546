"""Rows of sittings as files hold them: the answer under the name that the kind of test gives it."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.sitting import Row

if TYPE_CHECKING:
    from readmark.hooks import Kind


class RowLines:
    """Rows of one kind of test to and from JSON, such as ``{"id": "q1", "text": "a kettle"}``."""

    def __init__(self, member: str, answer_type: Any) -> None:
        self.struct: Any = filed_struct(Row, {"answer": answer_type | msgspec.UnsetType}, member)
        """``Row`` with the member's name and the type of an answer, for JSON."""
        self._decode = msgspec.json.Decoder(self.struct).decode
        self._encode = msgspec.json.Encoder().encode

    def encode(self, row: Row) -> bytes:
        """The row as JSON."""
        return self._encode(self.filed(row))

    def line(self, row: Row) -> bytes:
        """The row as a line of a file."""
        return self.encode(row) + b"\n"

    def members(self, row: Row) -> dict[str, Any]:
        """What the row says, by the names that files have for it."""
        members: dict[str, Any] = msgspec.to_builtins(self.filed(row))
        return members

    def decode(self, data: bytes | str) -> Row:
        """The row in JSON; what does not fit is a ``msgspec.ValidationError``."""
        return self.row(self._decode(data))

    def convert(self, members: Mapping[str, Any]) -> Row:
        """The row with members by the names that files have for them."""
        return self.row(msgspec.convert(members, self.struct))

    def filed(self, row: Row) -> Any:
        """The row as the struct that is written."""
        return self.struct(*msgspec.structs.astuple(row))

    def row(self, filed: Any) -> Row:
        """The row of the struct that was read."""
        try:
            return Row(*msgspec.structs.astuple(filed))
        except ValueError as error:  # said as what JSON is decoded into says it
            raise msgspec.ValidationError(str(error)) from None


def filed_struct(
    struct: type[msgspec.Struct], types: Mapping[str, Any], answer: str, **options: Any
) -> Any:
    """A struct with the same members in the same order, some of them of other types."""
    members = [
        (each.name, types.get(each.name, each.type), *_default(each))
        for each in msgspec.structs.fields(struct)
    ]
    return msgspec.defstruct(
        struct.__name__,
        members,
        rename={"answer": answer},
        frozen=True,
        gc=False,
        omit_defaults=True,
        forbid_unknown_fields=True,
        **options,
    )


def _default(member: Any) -> tuple[Any, ...]:
    if member.required:
        return ()
    if member.default is msgspec.NODEFAULT:
        return (msgspec.field(default_factory=member.default_factory),)
    return (member.default,)


_lines_of = functools.cache(RowLines)


def row_lines(kind: Kind) -> RowLines:
    """How the rows of sittings of a kind of test stand in files."""
    return _lines_of(kind.answer, kind.answer_type)


def holds_json(kind: Kind) -> bool:
    """Whether answers are JSON of the kind's own: only ``read_answer`` can tell if one is sound."""
    return kind.answer_type is Any
