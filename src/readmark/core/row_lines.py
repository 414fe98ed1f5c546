"""Rows of sittings in files, where the answer has the name that the kind of test gives it."""

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
        """``Row`` with the kind's name and type of the answer, for JSON."""
        self._decode = msgspec.json.Decoder(self.struct).decode
        self._encode = msgspec.json.Encoder().encode

    def encode(self, row: Row) -> bytes:
        """The row as JSON."""
        return self._encode(self.filed(row))

    def line(self, row: Row) -> bytes:
        """The row as a line of a file."""
        return self.encode(row) + b"\n"

    def members(self, row: Row) -> dict[str, Any]:
        """The row's members by their names in files."""
        members: dict[str, Any] = msgspec.to_builtins(self.filed(row))
        return members

    def decode(self, data: bytes | str) -> Row:
        """The row of some JSON; raises ``msgspec.ValidationError`` if it does not fit."""
        return self.row(self._decode(data))

    def convert(self, members: Mapping[str, Any]) -> Row:
        """The row of members by their names in files."""
        return self.row(msgspec.convert(members, self.struct))

    def filed(self, row: Row) -> Any:
        """The row as the struct that is written."""
        return self.struct(*msgspec.structs.astuple(row))

    def row(self, filed: Any) -> Row:
        """The row of the struct that was read."""
        try:
            return Row(*msgspec.structs.astuple(filed))
        except ValueError as error:  # reported like what msgspec itself finds wrong
            raise msgspec.ValidationError(str(error)) from None


def filed_struct(
    struct: type[msgspec.Struct], types: Mapping[str, Any], answer: str, **options: Any
) -> Any:
    """A struct with the same members in the same order, some of them of other types."""
    members = [
        (member.name, types.get(member.name, member.type), *_default(member))
        for member in msgspec.structs.fields(struct)
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
    """The rows of sittings of a kind of test, as files have them."""
    return _lines_of(kind.answer, kind.answer_type)


def holds_json(kind: Kind) -> bool:
    """Whether answers are any JSON, so that only the kind's ``read_answer`` can check one."""
    return kind.answer_type is Any
