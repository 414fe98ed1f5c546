"""Files that are one text: as ``corpus.decoding`` reads them, and Big5, which it takes for Western.

Nearly every byte is a letter of Windows-1252, so what is none of the others comes out as a page of
accents. No text of a Western language has so many.
"""

from __future__ import annotations

from readmark.corpus.decoding import WINDOWS, decoded_as
from readmark.corpus.errors import DataError

ACCENTS = 0.3
"""The share of bytes beyond ASCII that is taken for no Western text: chosen, not measured."""
COMMON = 0.8
"""What share of a Big5 text's characters must be of its first level: chosen, not measured."""


def text_of(data: bytes, file: str) -> str:
    """The text of a file; bytes that are no text, or none that is known, are an error."""
    found = decoded_as(data, file)
    if found.encoding != WINDOWS:
        return found.text
    beyond = sum(byte >= 0x80 for byte in data)
    if beyond <= ACCENTS * len(data):
        return found.text
    chinese = _as_big5(data)
    if chinese is None:
        raise DataError("of no encoding that is known: convert it to UTF-8", file=file)
    return chinese


def _as_big5(data: bytes) -> str | None:
    try:
        text = data.decode("cp950")
    except UnicodeDecodeError:
        return None
    characters = [one for one in text if "\u4e00" <= one <= "\u9fff"]
    common = sum(0xA4 <= one.encode("cp950")[0] <= 0xC6 for one in characters)
    return text if common and common >= COMMON * len(characters) else None
