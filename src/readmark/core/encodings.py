"""The encoding of a plain text file: UTF-8, or GB18030 and Windows-1252, as old corpora have it.

UTF-16 is read where a byte order mark says so, as spreadsheets write their "Unicode text".
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from readmark.core.errors import DataError

UTF_8, UTF_16, CHINESE, WINDOWS = "utf-8", "utf-16", "gb18030", "windows-1252"
ENCODING = "encoding"
"""The field of a header or passage that names the encoding where it is not UTF-8."""

DAMAGED = 0.1
"""Share of bytes beyond ASCII that may be wrong in UTF-8; in other encodings most are wrong."""
COMMON = 0.4
"""Least share of common characters in a Chinese text. Simplified prose has 0.95 or more,
traditional 0.5 to 0.8; Big5 read as GB18030 has 0.35 at most, Windows-1252 next to none."""

_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_PUNCTUATION = re.compile(r"[\x00-\x7f\u00b7\u2010-\u2027\u3000-\u303f\uff00-\uff65]+")


class Decoded(NamedTuple):
    """A text and the encoding that it was read in."""

    text: str
    encoding: str

    @property
    def fields(self) -> dict[str, str]:
        """The fields that name the encoding: none for UTF-8."""
        return {} if self.encoding == UTF_8 else {ENCODING: self.encoding}


def decoded(data: bytes, file: str) -> str:
    """The text of a file, line breaks unchanged; an error names the line of a wrong byte."""
    return decoded_as(data, file).text


def decoded_as(data: bytes, file: str) -> Decoded:
    """The text with its encoding: UTF-8, else GB18030 where that is Chinese, else Windows-1252.

    A file that begins with a mark of UTF-16 is that.
    """
    try:
        return Decoded(data.decode(UTF_8), UTF_8)
    except UnicodeDecodeError as error:
        wrong_byte = error.start
    if data.startswith(_MARKS):
        return Decoded(_as_utf_16(data, file), UTF_16)
    if b"\0" in data:
        raise DataError("is a binary file, expected text", file=file)
    chinese = _as_chinese(data)
    if chinese is not None:
        return Decoded(chinese, CHINESE)
    if any(byte >= 0x80 for byte in data[:wrong_byte]):
        # Good UTF-8 before the wrong byte: the file is damaged, not in another encoding.
        raise _undecodable(data, wrong_byte, file, "UTF-8")
    try:
        return Decoded(data.decode(WINDOWS), WINDOWS)
    except UnicodeDecodeError as error:
        raise _undecodable(data, error.start, file, "UTF-8 nor Windows-1252") from None


def _as_utf_16(data: bytes, file: str) -> str:
    """A text in UTF-16 without its mark."""
    try:
        text = data.decode(UTF_16)
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(UTF_16, "ignore").count("\n") + 1
        message = "not UTF-16, though it begins as such"
        raise DataError(message, file=file, where=line) from None
    if "\0" in text:  # UTF-32 begins as UTF-16 does
        raise DataError("is a binary file, expected text", file=file)
    return text


def _as_chinese(data: bytes) -> str | None:
    """A text in GB18030, if it is not damaged UTF-8 and reads as Chinese."""
    beyond = sum(byte >= 0x80 for byte in data)
    if data.decode(UTF_8, "replace").count("\ufffd") <= DAMAGED * beyond:
        return None
    try:
        text = data.decode(CHINESE)
    except UnicodeDecodeError:
        return None
    characters = _PUNCTUATION.sub("", text)
    common = sum(map(_is_common, characters))
    return text if common and common >= COMMON * len(characters) else None


def _is_common(character: str) -> bool:
    """Whether a character is of the first level of GB 2312: 3,755 of them, the most used."""
    code = character.encode("gb2312", "ignore")
    return len(code) == 2 and 0xB0 <= code[0] <= 0xD7


def _undecodable(data: bytes, place: int, file: str, encodings: str) -> DataError:
    line = data.count(b"\n", 0, place) + 1
    neither = "neither" if "nor" in encodings else "not"
    return DataError(f"{neither} {encodings} (byte 0x{data[place]:02x})", file=file, where=line)


def numbered_lines(text: str) -> list[tuple[int, str]]:
    """The lines of a text with their numbers, without their line breaks (LF or CRLF)."""
    return [(index, line.removesuffix("\r")) for index, line in enumerate(text.split("\n"), 1)]
