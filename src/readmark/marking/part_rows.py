"""The rows of a sitting of a test in parts: in files, dealt out to the parts of their units."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np

from readmark.core.row_lines import holds_json
from readmark.core.sitting import Row, Sitting
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.native_sitting import lines_of_rows, sitting_header, whole_rows
from readmark.formats.parts import part_names
from readmark.marking.part_survey import Digests, digests_of, survey_parts

BUFFERED = 8 << 20
"""Bytes of rows that are held before they are written: a file is opened once for many rows."""
BLOCK = 4096
"""Rows that are looked up at a time."""


@dataclass(frozen=True, slots=True)
class RowFiles:
    """The files of a native sitting, and a sitting without rows that binds like it."""

    files: tuple[str, ...]
    sitting: Sitting
    digests: Sequence[Digests] | None
    """Digests of the ids of each part of the test; None where two ids share one."""

    @classmethod
    def of(cls, path: object, test: Test, *, workers: int) -> RowFiles | None:
        """The files of a native sitting of a test in parts; None for any other sitting."""
        if not test.parts or not isinstance(path, (str, Path)):
            return None
        source = Source(path)
        if source.readmark_file != "sitting" or holds_json(test.kind):
            return None
        header, papers = sitting_header(source, test.kind)
        if header.covers is not None or header.limit is not None:
            return None
        digests = survey_parts(test, workers=workers)
        sitting = Sitting(header, {}, source.file, papers=papers)
        return cls(tuple(part_names(source)), sitting, digests)


class UnkeptRows(Mapping[str, Row | tuple[Row, ...]]):
    """How many units have rows, where these were read part by part and not kept."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __getitem__(self, id: str) -> Row:
        raise KeyError(id)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return self._count


@dataclass(slots=True)
class DealtRows:
    """What is known of rows that were dealt out to files."""

    strangers: list[str] = field(default_factory=list)
    """Ids of no part of the test."""
    notes: list[str] = field(default_factory=list)


class _RowId(msgspec.Struct):
    id: str


_ROW_IDS = msgspec.json.Decoder(_RowId)


def deal_rows(files: Sequence[str], folder: Path, digests: Sequence[Digests]) -> DealtRows | None:
    """Write each row to the file of its unit's part, in the order of the rows.

    Files are named by the numbers of the parts. None where the rows of a unit are in two files:
    neither is the later one.
    """
    every = np.concatenate(digests)
    order = np.argsort(every)
    every = every[order]
    parts = np.repeat(np.arange(len(digests)), [len(part) for part in digests])[order]
    origin = np.full(len(every), -1, dtype=np.int32)
    """The file with the rows of each unit."""
    dealt = DealtRows()
    strangers: dict[str, None] = {}
    for part in range(len(digests)):
        (folder / str(part)).touch()
    for number, file in enumerate(files):
        rows = whole_rows(lines_of_rows(file), file, _ROW_IDS, dealt.notes)
        buffers: defaultdict[int, bytearray] = defaultdict(bytearray)
        size = 0
        while block := [(raw, row.id) for _, raw, row in islice(rows, BLOCK)]:
            of_rows = digests_of(id for _, id in block)
            places = np.minimum(np.searchsorted(every, of_rows), len(every) - 1)
            is_unit = every[places] == of_rows
            units = places[is_unit]
            if np.any((origin[units] >= 0) & (origin[units] != number)):
                return None
            origin[units] = number
            for (raw, id), part, has_part in zip(block, parts[places], is_unit, strict=True):
                if has_part:
                    buffers[int(part)] += raw + b"\n"
                    size += len(raw)
                else:
                    strangers[id] = None
            if size > BUFFERED:
                _append(buffers, folder)
                size = 0
        _append(buffers, folder)
    dealt.strangers.extend(strangers)
    return dealt


def _append(buffers: defaultdict[int, bytearray], folder: Path) -> None:
    """Write what each part has so far, and empty its buffer."""
    for part, rows in buffers.items():
        with (folder / str(part)).open("ab") as stream:
            stream.write(rows)
    buffers.clear()
