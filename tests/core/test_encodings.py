"""Bytes of plain text files."""

import pytest

from readmark.core.encodings import decoded, decoded_as, numbered_lines
from readmark.core.errors import DataError


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


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_read_by_its_mark(encoding: str) -> None:
    text = "id\t船 😀\r\nĊ\n"
    assert decoded_as(f"\ufeff{text}".encode(encoding), "f") == (text, "utf-16")
    with pytest.raises(DataError):  # without a mark it may be anything
        decoded(("船\0" + text).encode(encoding), "f")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (
            "a\nĊ\nb".encode("utf-16-le") + b"c",
            "f:3: not UTF-16, though it begins as such",
        ),
        (b"a\x00\n\x00\x00\xd8b\x00", "f:2: not UTF-16, though it begins as such"),
        (b"\0\0a\0\0\0", "f: is a binary file, expected text"),  # the mark of UTF-32
    ],
)
def test_broken_utf_16_is_placed(data: bytes, line: str) -> None:
    with pytest.raises(DataError) as caught:
        decoded(b"\xff\xfe" + data, "f")
    assert str(caught.value) == line


def test_lines_are_numbered_without_their_breaks() -> None:
    assert numbered_lines("a\r\n\u2028b\n") == [(1, "a"), (2, "\u2028b"), (3, "")]


CHINESE = "我们坐船去对面的小岛，“船长”说：今天风浪很大。"


@pytest.mark.parametrize(
    ("text", "encoding", "found"),
    [
        (CHINESE, "utf-8", "utf-8"),
        (CHINESE, "gb18030", "gb18030"),
        ("我们坐船去 London，住在 King’s Road。", "gb18030", "gb18030"),
        ("我們坐船去對面的小島，船長說：今天風浪很大。", "gb18030", "gb18030"),
        ("联通", "gb18030", "gb18030"),  # the first bytes are sound UTF-8
        ("“Déjà vu,” she said — the café’s naïve façade…", "cp1252", "windows-1252"),
        ("éèà ùûü ÄÖÜ", "cp1252", "windows-1252"),
    ],
)
def test_the_encoding_is_told(text: str, encoding: str, found: str) -> None:
    assert decoded_as(text.encode(encoding), "f") == (text, found)


def test_only_what_is_not_utf_8_is_said() -> None:
    assert decoded_as(b"plain", "f").fields == {}
    assert decoded_as(CHINESE.encode("gb18030"), "f").fields == {"encoding": "gb18030"}


def test_a_damaged_chinese_file_is_not_read_as_another() -> None:
    with pytest.raises(DataError, match="f:1: not UTF-8"):
        decoded_as((CHINESE * 5).encode() + b"\xb4\xb4", "f")
