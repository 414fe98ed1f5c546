"""The text of a file in an unknown encoding: as ``core.encodings`` reads it, and Big5.

``core.encodings`` takes Big5 for Western text, since any bytes are valid there.
"""

from __future__ import annotations

from readmark.core.encodings import WINDOWS, decoded_as
from readmark.core.errors import DataError

ACCENTS = 0.3
"""The share of bytes beyond ASCII above which a text is not Western: chosen, not measured."""
COMMON = 0.8
"""The share of a Big5 text's characters that must be of its first level: chosen, not measured."""


def text_of(data: bytes, file: str) -> str:
    """The text of a file; bytes in no known encoding are an error."""
    decoded = decoded_as(data, file)
    if decoded.encoding != WINDOWS:
        return decoded.text
    beyond = sum(byte >= 0x80 for byte in data)
    if beyond <= ACCENTS * len(data):
        return decoded.text
    chinese = _as_big5(data)
    if chinese is None:
        raise DataError("has no known encoding: convert it to UTF-8", file=file)
    return chinese


def _as_big5(data: bytes) -> str | None:
    try:
        text = data.decode("cp950")
    except UnicodeDecodeError:
        return None
    characters = [character for character in text if "\u4e00" <= character <= "\u9fff"]
    common = sum(0xA4 <= character.encode("cp950")[0] <= 0xC6 for character in characters)
    return text if common and common >= COMMON * len(characters) else None
