"""Resuming a journal: whether it is the same sitting, what it holds, and what has to be repaired.

A killed process leaves at most one line without its end. A power cut may leave zero bytes where
rows were, but only after the last sync.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import IO

import msgspec

from readmark.core.errors import DataError, ReadmarkError
from readmark.core.json_lines import decode, read_header
from readmark.core.numbers import first_ids
from readmark.core.problems import fail
from readmark.core.row_lines import RowLines, row_lines
from readmark.core.seen import FIELD
from readmark.core.sitting import PER_LANGUAGE, Sitting, SittingHeader
from readmark.core.source import Source
from readmark.core.writing import sync_open
from readmark.sitting.journal_paths import journal_files
from readmark.sitting.journal_state import JournalState

_BLOCK = 65536


def resume(
    stream: io.FileIO, path: Path, first_line: bytes, lines: RowLines, state: JournalState
) -> None:
    """Check that a file is this sitting, add its rows to ``state``, then remove what is damaged.

    The file is only cut when all of its sound lines could be read: a file of another kind, such as
    a dictionary of predictions without a line feed, is refused and stays as it is.
    """
    damage = "the last line was incomplete and has been removed"
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        sound = _end_of_last_line(file, size)
        if _is_unfinished_header(file, size, first_line):
            sound = 0
        elif sound:
            require_same_sitting(path, msgspec.json.decode(first_line, type=SittingHeader))
            without_zeros = _take_rows(file, path, lines, state)
            if without_zeros < sound:
                sound = without_zeros
                damage = "the last rows were lost, perhaps in a power cut, and are asked again"
        elif size:
            raise DataError(
                "cannot be resumed: not an unfinished sitting; choose another file", file=path
            )
    if sound < size:
        try:
            stream.truncate(sound)
            sync_open(stream.fileno())  # else a new row could land after the damaged bytes
        except OSError as error:
            raise DataError(f"cannot be repaired ({error.strerror or error})", file=path) from None
        state.repaired = "; ".join(filter(None, (state.repaired, f"{path}: {damage}")))


def _end_of_last_line(file: IO[bytes], size: int) -> int:
    """How many bytes of a file are whole lines: up to and with the last line feed."""
    end = size
    while end > 0:
        start = max(0, end - _BLOCK)
        file.seek(start)
        line_feed = file.read(end - start).rfind(b"\n")
        if line_feed >= 0:
            return start + line_feed + 1
        end = start
    return 0


def _is_unfinished_header(file: IO[bytes], size: int, first_line: bytes) -> bool:
    """Whether a file holds the beginning of this sitting's header, or zero bytes in its place."""
    if not 0 < size <= len(first_line):
        return False
    file.seek(0)
    data = file.read(size)
    return data != first_line and all(
        byte in (0, expected) for byte, expected in zip(data, first_line, strict=False)
    )


def _take_rows(file: IO[bytes], path: Path, lines: RowLines, state: JournalState) -> int:
    """Read the rows; return how many bytes are sound: those before the first line with a zero byte.

    JSON has no zero bytes. A file system shows them where a file grew but its content did not
    reach the disk.
    """
    file.seek(0)
    sound = len(next(file, b""))
    for number, line in enumerate(file, 2):
        if b"\0" in line:
            break
        if line.strip() and line.endswith(b"\n"):
            row = decode(str(path), number, line.strip(), lines, fail)
            if row is not None:
                state.take(row)
        sound += len(line)
    return sound


def look_into(path: Path, header: SittingHeader, *, is_prepared: bool = True) -> JournalState:
    """What a journal of this sitting holds; it is neither changed nor locked.

    Without ``is_prepared`` the header's signature is not known yet and is not compared.
    """
    state = JournalState()
    for journal in journal_files(path):
        if journal.is_file() and journal.stat().st_size:
            require_same_sitting(journal, header, is_prepared=is_prepared)
            with journal.open("rb") as file:
                _take_rows(file, journal, row_lines(Sitting(header, {}).kind), state)
    return state


def recorded_header(path: Path) -> SittingHeader | None:
    """The header of an earlier run, if there is one.

    What is wrong with the file is not reported here but when it is opened to be resumed.
    """
    try:
        for file in journal_files(path):
            if file.is_file() and Source(file).readmark_file == "sitting":
                return read_header(str(file), SittingHeader)
    except (ReadmarkError, OSError):
        pass
    return None


def require_same_sitting(path: Path, header: SittingHeader, *, is_prepared: bool = True) -> None:
    """Refuse to mix two sittings in one journal, or to append to any other file.

    A sitting with a limit may grow: all units that it covers must be among those of ``header``.
    """
    source = Source(path)
    if source.readmark_file != "sitting":
        raise DataError(
            f"is not a sitting: it looks like {source.looks_like()}; choose another file", file=path
        )
    recorded = read_header(str(path), SittingHeader)
    if not is_prepared:
        header = msgspec.structs.replace(header, signature=recorded.signature)
    if grows(recorded, header):
        header = msgspec.structs.replace(header, limit=recorded.limit, covers=recorded.covers)
    if header.name is None:
        header = msgspec.structs.replace(header, name=recorded.name)
    old_signature, new_signature = _differences(recorded.signature, header.signature)
    for what, old, new in (
        ("kind of test", recorded.kind, header.kind),
        ("paper", recorded.paper, header.paper),
        ("candidate", recorded.candidate, header.candidate),
        ("`name`", recorded.name, header.name),
        ("`rewrite`", recorded.rewrite, header.rewrite),
        ("`shuffle_options`", recorded.shuffle_options, header.shuffle_options),
        ("candidate's signature", old_signature, new_signature),
        ("`repeats`", recorded.repeats, header.repeats),
        ("`limit`", recorded.limit, header.limit),
        ("`without`", recorded.without, header.without),
        ("`cross`", recorded.cross, header.cross),
        ("order of units", recorded.covers, header.covers),
    ):
        if old != new:
            raise DataError(
                f"was begun with another {what} ({_in_words(old)}, now {_in_words(new)}); "
                "choose another file",
                file=path,
            )


def grows(recorded: SittingHeader, header: SittingHeader) -> bool:
    """Whether the header covers more units than the recorded one, and all that this covers."""
    if recorded.limit is None or recorded.covers is None:
        return False
    if header.covers is None:
        return header.limit is None
    is_larger = header.limit is not None and header.limit > recorded.limit
    return is_larger and set(recorded.covers) <= set(header.covers)


def is_outgrown(path: Path, header: SittingHeader) -> bool:
    """Whether the file's header covers fewer units than this one, or says less.

    Sittings that were begun before 0.6 do not say what of the test the candidate learnt from.
    """
    if not path.stat().st_size:
        return False
    recorded = read_header(str(path), SittingHeader)
    says_less = FIELD in header.fields and FIELD not in recorded.fields
    return grows(recorded, header) or says_less


def _differences(
    recorded: dict[str, object], signature: dict[str, object]
) -> tuple[dict[str, object], dict[str, object]]:
    """Two signatures without the members that they share."""
    shared = {key for key in recorded if key in signature and recorded[key] == signature[key]}
    shared.add(PER_LANGUAGE)  # decides no answer
    old, new = (
        {key: value for key, value in members.items() if key not in shared}
        for members in (recorded, signature)
    )
    return old, new


def _in_words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {member}" for key, member in value.items()) or "none"
    if isinstance(value, tuple):
        return first_ids(value)
    return "none" if value is None else str(value)
