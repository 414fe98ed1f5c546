"""Bytes of plain text files."""

import pytest

from readmark.corpus.decoding import decoded, numbered_lines
from readmark.corpus.errors import DataError


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        ("船 😀\r\n".encode(), "船 😀\r\n"),
        (b"the caf\xe9 \x93open\x94", "the café “open”"),
        (b"a\rb\n\r\nc", "a\rb\n\r\nc"),
    ],
)
def test_utf_8_or_windows_and_line_breaks_as_they_stand(data: bytes, text: str) -> None:
    assert decoded(data, "f") == text


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"a\nb\x81", "f:2: neither UTF-8 nor Windows-1252 (byte 0x81)"),
        ("船\n".encode() + b"\xff", "f:2: not UTF-8 (byte 0xff)"),
        (b"\xff\x00a", "f: is a binary file, expected text"),
    ],
)
def test_what_is_no_text_is_placed(data: bytes, line: str) -> None:
    with pytest.raises(DataError) as caught:
        decoded(data, "f")
    assert str(caught.value) == line


def test_lines_are_numbered_without_their_breaks() -> None:
    assert numbered_lines("a\r\n\u2028b\n") == [(1, "a"), (2, "\u2028b"), (3, "")]
