"""Passages in packed form: annotation as objects takes eight times the space of its file."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from readmark.core.records import Passage

_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(Passage).decode


class PackedPassages:
    """Passages by id, in order, each unpacked when it is asked for."""

    def __init__(self) -> None:
        self._packed: dict[str, bytes] = {}

    def add(self, passage: Passage) -> None:
        """Keep a passage."""
        self._packed[passage.id] = _pack(passage)

    def __contains__(self, id: object) -> bool:
        return id in self._packed

    def __getitem__(self, id: str) -> Passage:
        return _unpack(self._packed[id])

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)

    def passages(self) -> Iterator[Passage]:
        """The passages, one at a time."""
        return map(_unpack, self._packed.values())
