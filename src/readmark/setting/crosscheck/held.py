"""Passages kept packed: annotation as objects takes eight times the room that it has in a file."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from readmark.corpus.values import Passage

_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(Passage).decode


class HeldPassages:
    """Passages by id, in order, each unpacked when it is asked for."""

    def __init__(self) -> None:
        self._packed: dict[str, bytes] = {}

    def add(self, passage: Passage) -> None:
        """Keep a passage."""
        self._packed[passage.id] = _pack(passage)

    def __contains__(self, id: str) -> bool:
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


class PassagePairs:
    """Two annotators' passages of the same ids, unpacked pair by pair as often as wanted."""

    def __init__(self, a: HeldPassages, b: HeldPassages) -> None:
        self._sides = a, b
        self.ids = [id for id in a if id in b]

    def __iter__(self) -> Iterator[tuple[Passage, Passage]]:
        a, b = self._sides
        return ((a[id], b[id]) for id in self.ids)

    def __len__(self) -> int:
        return len(self.ids)
