"""Files that are one article each: read whole, in whatever encoding they have.

Besides what ``core.encodings`` knows, that is Big5, which it takes for Western text, since any
bytes are valid there.
"""

from __future__ import annotations

from collections.abc import Iterator

from readmark.core.encodings import WINDOWS, decoded_as
from readmark.core.errors import DataError
from readmark.core.files import BOM, reading
from readmark.making.sources.articles import PASSED_OVER, Chunk, NotTaken

LARGEST = 16 << 20
"""Bytes of a file that is one article."""
ACCENTS = 0.3
"""The share of bytes beyond ASCII above which a text is not Western: chosen, not measured."""
COMMON = 0.8
"""The share of a Big5 text's characters that must be of its first level: chosen, not measured."""


def whole_file(file: str, shape: str) -> Iterator[Chunk]:
    """A file that is one article."""
    with reading(file) as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        detail = f"one article of more than {LARGEST >> 20} MB"
        yield Chunk(PASSED_OVER, file, NotTaken("too_large", file, "", file, "", detail))
        return
    yield Chunk(shape, file, data.removeprefix(BOM), 1, len(data))


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


def not_decoded(chunk: Chunk, name: str, error: DataError) -> NotTaken:
    """A file of unknown encoding, which does not stop the other files."""
    return NotTaken("encoding", name, "", chunk.file, str(error.where or ""), error.message)
