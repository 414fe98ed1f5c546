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
    """Rows of one kind of test to and from JSON, such as ``{"id": "q1", "text": "a kettle"}``.

    A struct of the kind's own has the member's name and the type of an answer, so that JSON is
    decoded, checked and encoded at once; its members are those of ``Row``, in their order.
    """

    def __init__(self, member: str, answer_type: Any) -> None:
        struct = msgspec.defstruct(
            "Row",
            [_field(each, answer_type) for each in msgspec.structs.fields(Row)],
            rename={"answer": member},
            frozen=True,
            gc=False,
            omit_defaults=True,
            forbid_unknown_fields=True,
        )
        self._struct: Any = struct
        self._decode = msgspec.json.Decoder(struct).decode
        self._encode = msgspec.json.Encoder().encode

    def encode(self, row: Row) -> bytes:
        """The row as JSON."""
        return self._encode(self._struct(*msgspec.structs.astuple(row)))

    def line(self, row: Row) -> bytes:
        """The row as a line of a file."""
        return self.encode(row) + b"\n"

    def members(self, row: Row) -> dict[str, Any]:
        """What the row says, by the names that files have for it."""
        members: dict[str, Any] = msgspec.to_builtins(self._struct(*msgspec.structs.astuple(row)))
        return members

    def decode(self, data: bytes | str) -> Row:
        """The row in JSON; what does not fit is a ``msgspec.ValidationError``."""
        return _row(self._decode(data))

    def convert(self, members: Mapping[str, Any]) -> Row:
        """The row with members by the names that files have for them."""
        return _row(msgspec.convert(members, self._struct))


def _field(field: Any, answer_type: Any) -> tuple[Any, ...]:
    type = answer_type | msgspec.UnsetType if field.name == "answer" else field.type
    has_default = field.default is not msgspec.NODEFAULT
    return (field.name, type, field.default) if has_default else (field.name, type)


def _row(read: Any) -> Row:
    try:
        return Row(*msgspec.structs.astuple(read))
    except ValueError as error:  # said as what JSON is decoded into says it
        raise msgspec.ValidationError(str(error)) from None


_lines_of = functools.cache(RowLines)


def row_lines(kind: Kind) -> RowLines:
    """How the rows of sittings of a kind of test stand in files."""
    return _lines_of(kind.answer, kind.answer_type)


def holds_json(kind: Kind) -> bool:
    """Whether answers are JSON of the kind's own: only ``read_answer`` can tell if one is sound."""
    return kind.answer_type is Any
