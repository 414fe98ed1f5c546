"""The characters of a TREC file: what its declaration says, unless its bytes say otherwise.

The files declare ISO-8859-1. Some that went through editors are UTF-8 or Windows-1252 by now, and
read by their declaration they would be garbled without an error.
"""

from __future__ import annotations

import codecs
import re

from readmark.core.errors import DataError
from readmark.core.problems import Problem, ReportProblem, remark

_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_LATIN = "iso8859-1"
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")
_WINDOWS = re.compile(rb"[\x80-\x9f]")  # controls in ISO-8859-1, quotes and dashes in Windows-1252
_TWO_BYTES = re.compile(rb"[\xc3-\xf4][\x80-\xbf]")  # how a character of UTF-8 begins


def decoded_xml(data: bytes, file: str, report: ReportProblem) -> str:
    """The text of an XML document; a declaration that its bytes contradict is remarked on."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _strictly(data, "utf-16", file)
    declaration = _DECLARED.match(data[:400])
    name = declaration[1].decode("ascii") if declaration else "UTF-8"
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        raise DataError(f"declares an unknown encoding {name!r}", file=file, where=1) from None
    if codec != _LATIN or data.isascii():
        return _strictly(data, codec, file, name)
    return _declared_latin(data, file, report)


def _declared_latin(data: bytes, file: str, report: ReportProblem) -> str:
    """A file that declares ISO-8859-1 and has bytes beyond ASCII."""
    if _is_utf_8(data):
        _remark_on_encoding(data, "UTF-8", file, report)
        return data.decode("utf-8")
    for match in _BEYOND_ASCII.finditer(data):
        if _TWO_BYTES.match(match[0]) and _is_utf_8(match[0]):
            raise DataError(
                "mixed encodings: it declares ISO-8859-1 and has both UTF-8 and single bytes",
                file=file,
                where=_line(data, match.start()),
            )
    if _WINDOWS.search(data):
        _remark_on_encoding(data, "Windows-1252", file, report)
        return _strictly(data, "windows-1252", file, "Windows-1252")
    return data.decode("latin-1")


def _remark_on_encoding(data: bytes, encoding: str, file: str, report: ReportProblem) -> None:
    match = _BEYOND_ASCII.search(data)
    line = _line(data, match.start() if match else 0)
    message = f"declares ISO-8859-1 and is {encoding}: read as that"
    remark(report, Problem(file, line, "encoding", message, "warning"))


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


def _line(data: bytes, index: int) -> int:
    return data.count(b"\n", 0, index) + 1
