"""Going on with a journal: whether it is the same sitting, and what it already holds.

A torn last line, or the zeros that a power cut leaves in place of rows, are taken out only when the
rest is sound: a file that is no journal of this very sitting is never touched.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.files import sync_open
from readmark.corpus.formats.lines import decode, read_header
from readmark.corpus.problems import fail
from readmark.corpus.sitting import Row, SittingHeader
from readmark.corpus.source import Source
from readmark.sitting.answered import Answered, Asked


@dataclass
class Done:
    """What a journal already holds: what was answered, and how often what failed was tried."""

    answered: Answered = field(default_factory=Answered)
    failed: dict[Asked, int] = field(default_factory=dict)
    repaired: str | None = None

    def take(self, row: Row, answer: str) -> None:
        """The last row for an id and repeat wins; one without an answer leaves it to be asked."""
        asked = row.id, row.repeat
        self.failed.pop(asked, None)
        if row.error is None and getattr(row, answer) is not msgspec.UNSET:
            self.answered.add(asked)
            return
        self.answered.discard(asked)
        if row.error is not None:
            self.failed[asked] = row.attempt

    def keep(self, asked: Iterable[Asked]) -> int:
        """How much of what is asked was answered; failures of anything else are forgotten."""
        if not self.failed and not len(self.answered):
            return 0
        answered = 0
        failed = {}
        for one in asked:
            answered += one in self.answered
            if one in self.failed:
                failed[one] = self.failed[one]
        self.failed = failed
        return answered


def go_on(stream: io.FileIO, path: Path, first: bytes, answer: str) -> Done:
    """See that it is the same sitting, read what stands, then take out a torn last line.

    ``answer`` is the member of a row that holds the answer.
    """
    done = Done()
    cut = "the last line was cut off and has been taken out"
    with path.open("rb") as standing:
        size = standing.seek(0, os.SEEK_END)
        whole = _whole_lines(standing, size)
        if _unfinished_header(standing, size, first):
            whole = 0
        elif whole:
            _same_sitting(path, msgspec.json.decode(first, type=SittingHeader))
            sound = _take_rows(standing, path, done, answer)
            if sound < whole:
                whole = sound
                cut = "the last rows were lost, perhaps in a power cut, and are asked again"
        elif size:
            raise DataError(
                "is no sitting that can be gone on with; choose another file", file=path
            )
    if whole < size:
        try:
            stream.truncate(whole)
            sync_open(stream.fileno())  # before anything is written in its place
        except OSError as error:
            raise DataError(f"cannot be repaired ({error.strerror or error})", file=path) from None
        done.repaired = f"{path}: {cut}"
    return done


def _take_rows(standing: IO[bytes], path: Path, done: Done, answer: str) -> int:
    """Read the rows; how many bytes are sound, which is up to the first line with a zero byte.

    JSON has no zero bytes. A file system shows them where a file grew and its content did not
    reach the disk, which is never before the last sync.
    """
    decoder = msgspec.json.Decoder(Row)
    standing.seek(0)
    sound = len(next(standing, b""))
    for number, raw in enumerate(standing, 2):
        if b"\0" in raw:
            break
        if raw.strip() and raw.endswith(b"\n"):
            row = decode(str(path), number, raw.strip(), decoder, fail)
            if row is not None:
                done.take(row, answer)
        sound += len(raw)
    return sound


def _whole_lines(standing: IO[bytes], size: int) -> int:
    """How many bytes of a file are whole lines: up to and with the last line feed."""
    end = size
    while end > 0:
        start = max(0, end - 65536)
        standing.seek(start)
        at = standing.read(end - start).rfind(b"\n")
        if at >= 0:
            return start + at + 1
        end = start
    return 0


def _unfinished_header(standing: IO[bytes], size: int, first: bytes) -> bool:
    """Whether a file holds a part of this sitting's header and nothing else but zero bytes."""
    if not 0 < size <= len(first):
        return False
    standing.seek(0)
    data = standing.read(size)
    return data != first and all(
        byte in (0, wanted) for byte, wanted in zip(data, first, strict=False)
    )


def _same_sitting(path: Path, now: SittingHeader) -> None:
    """Refuse to mix two sittings in one journal, or to append to anything else."""
    source = Source(path)
    if source.readmark_file != "sitting":
        raise DataError(
            f"is no sitting, it looks like {source.looks_like()}; choose another file", file=path
        )
    before = read_header(str(path), SittingHeader)
    for what, old, new in (
        ("kind of test", before.kind, now.kind),
        ("paper", before.paper, now.paper),
        ("candidate", before.candidate, now.candidate),
        ("--rewrite", before.rewrite, now.rewrite),
        ("--shuffle-options", before.shuffle_options, now.shuffle_options),
        ("candidate's signature", *_differing(before.signature, now.signature)),
        ("--repeats", before.repeats, now.repeats),
        ("--limit", before.limit, now.limit),
        ("--without", before.without, now.without),
        ("--cross", before.cross, now.cross),
        ("order of units", before.covers, now.covers),
    ):
        if old != new:
            raise DataError(
                f"was begun with another {what} ({_shown(old)}, now {_shown(new)}); "
                "choose another file",
                file=path,
            )


def _differing(
    before: dict[str, object], now: dict[str, object]
) -> tuple[dict[str, object], dict[str, object]]:
    """Two signatures without what they share."""
    shared = {key for key in before if key in now and before[key] == now[key]}
    old, new = ({key: one[key] for key in one if key not in shared} for one in (before, now))
    return old, new


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items()) or "none"
    if isinstance(value, tuple):
        return ", ".join(value[:3]) + (", …" if len(value) > 3 else "")
    return "none" if value is None else str(value)
