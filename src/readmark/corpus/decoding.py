"""Plain text files: UTF-8, or the Windows code page that old English corpora were typed in."""

from __future__ import annotations

from readmark.corpus.errors import DataError

WINDOWS = "cp1252"


def decoded(data: bytes, file: str) -> str:
    """The text of a file, every line break as it stands; bytes that are no text are placed."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        bad = error
    if b"\0" in data:
        raise DataError("is a binary file, expected text", file=file)
    if any(byte >= 0x80 for byte in data[: bad.start]):
        # Good UTF-8 before the bad byte: the file is damaged, not of another code page.
        raise _undecodable(data, bad.start, file, "UTF-8")
    try:
        return data.decode(WINDOWS)
    except UnicodeDecodeError as error:
        raise _undecodable(data, error.start, file, "UTF-8 nor Windows-1252") from None


def _undecodable(data: bytes, at: int, file: str, what: str) -> DataError:
    line = data.count(b"\n", 0, at) + 1
    neither = "neither" if "nor" in what else "not"
    return DataError(f"{neither} {what} (byte 0x{data[at]:02x})", file=file, where=line)


def numbered_lines(text: str) -> list[tuple[int, str]]:
    """The lines of a text with their numbers, without their line breaks (LF or CRLF)."""
    return [(at, line.removesuffix("\r")) for at, line in enumerate(text.split("\n"), 1)]
