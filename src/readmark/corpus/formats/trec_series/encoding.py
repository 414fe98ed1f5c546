"""The characters of a TREC file: what its declaration says, unless its bytes say otherwise.

The files declare ISO-8859-1. Some that went through editors are UTF-8 or Windows-1252 by now, and
read by their declaration they would be garbled without an error.
"""

from __future__ import annotations

import codecs
import re

from readmark.corpus.errors import DataError
from readmark.corpus.problems import Problem, Report, remark

_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_LATIN = "iso8859-1"
_BEYOND = re.compile(rb"[\x80-\xff]+")
_WINDOWS = re.compile(rb"[\x80-\x9f]")
_TWO_BYTES = re.compile(rb"[\xc3-\xf4][\x80-\xbf]")


def decoded_xml(data: bytes, file: str, report: Report) -> str:
    """The text of an XML document; a declaration that its bytes belie is remarked on."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _strictly(data, "utf-16", file)
    declared = _DECLARED.match(data[:400])
    name = declared[1].decode("ascii") if declared else "UTF-8"
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        raise DataError(f"declares an unknown encoding {name!r}", file=file, where=1) from None
    if codec != _LATIN or data.isascii():
        return _strictly(data, codec, file, name)
    return _latin(data, file, report)


def _latin(data: bytes, file: str, report: Report) -> str:
    """A file that declares ISO-8859-1 and has bytes beyond ASCII."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        _belied(data, "UTF-8", file, report)
        return text
    for found in _BEYOND.finditer(data):
        if _TWO_BYTES.match(found[0]) and _is_utf_8(found[0]):
            raise DataError(
                "mixed encodings: it declares ISO-8859-1 and has both UTF-8 and single bytes",
                file=file,
                where=_line(data, found.start()),
            )
    if _WINDOWS.search(data):
        _belied(data, "Windows-1252", file, report)
        return _strictly(data, "windows-1252", file, "Windows-1252")
    return data.decode("latin-1")


def _belied(data: bytes, what: str, file: str, report: Report) -> None:
    found = _BEYOND.search(data)
    line = _line(data, found.start() if found else 0)
    said = f"declares ISO-8859-1 and is {what}: read as that"
    remark(report, Problem(file, line, "encoding", said, "warning"))


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _strictly(data: bytes, codec: str, file: str, name: str = "") -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise DataError(
            f"not {name or codec}, as it declares (byte 0x{data[error.start]:02x})",
            file=file,
            where=_line(data, error.start),
        ) from None
    except (LookupError, UnicodeError) as error:  # a codec that is not for text
        raise DataError(f"cannot be read as {name or codec}: {error}", file=file) from None


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
