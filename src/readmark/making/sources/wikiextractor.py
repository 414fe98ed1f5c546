"""WikiExtractor's output: ``<doc id= url= title=>`` … ``</doc>``, or JSON Lines (``--json``)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import BOM, JSON_ERRORS, json_fault, reading
from readmark.core.records import Offsets
from readmark.making.sources.files import name_of
from readmark.making.sources.mediawiki import is_disambiguation
from readmark.making.sources.shapes import Article, Chunk, NotTaken
from readmark.text.markup import Dropped, clean

BLOCK = 1 << 19
LARGEST = 32 << 20
"""Bytes that an article may have: no wiki lets a page grow so far, so its end is missing."""

_ATTRIBUTE = re.compile(r'(\w+)="(.*?)"(?=\s+\w+="|\s*$)')
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_END = b"</doc>"


def documents(file: str) -> Iterator[Chunk]:
    """The file in pieces of whole ``<doc>`` elements; one without an end is an error."""
    return _pieces(file, "wikiextractor", _END)


def lines(file: str) -> Iterator[Chunk]:
    """The file in pieces of whole lines."""
    return _pieces(file, "wikiextractor-json", b"\n")


def _pieces(file: str, shape: str, end: bytes) -> Iterator[Chunk]:
    line = 1
    held = b""
    with reading(file) as stream:
        while True:
            block = stream.read(BLOCK)
            if line == 1 and not held:
                block = block.removeprefix(BOM)
            held += block
            last = held.rfind(end) + len(end)
            if last >= len(end):
                data, held = held[:last], held[last:]
                yield Chunk(shape, file, data, line, len(data))
                line += data.count(b"\n")
            if not block:
                break
            if len(held) > LARGEST:
                raise _endless(file, line, held)
    if not held.strip():
        return
    if end == b"\n":
        try:
            msgspec.json.decode(held)
        except JSON_ERRORS:
            raise DataError("the last line is cut off", file=file, where=line) from None
        yield Chunk(shape, file, held, line, len(held))
        return
    raise _endless(file, line, held)


def _endless(file: str, line: int, held: bytes) -> DataError:
    start = held.find(b"<doc ")
    where = line + held.count(b"\n", 0, start if start >= 0 else len(held) - len(held.lstrip()))
    if start < 0:
        return DataError("text outside <doc> … </doc>", file=file, where=where)
    named = _attributes(held[start : start + 2000].decode("utf-8", "replace").split("\n")[0])
    about = f"article {named.get('id', '?')} ({named.get('title', '?')})"
    return DataError(f"{about} has no </doc>: the file is cut off", file=file, where=where)


def document_articles(chunk: Chunk) -> Iterator[Article | NotTaken]:
    """The articles of a piece."""
    try:
        text = chunk.data.decode("utf-8")
    except UnicodeDecodeError:
        text = chunk.data.decode("utf-8", "surrogateescape")
    at, line, counted = 0, chunk.line, 0
    while (start := text.find("<doc ", at)) >= 0:
        line += text.count("\n", counted, start)
        counted = start
        if start > at and (stray := _COMMENT.sub("", text[at:start]).strip()):
            yield _stray(chunk.file, line, stray)
        head = text.find("\n", start)
        end = text.find("</doc>", start)
        if not 0 <= head <= end or not text[start:head].rstrip().endswith('">'):
            # The text begins on the line of the tag.
            head = min(text.find('">', start) + 2 if text.find('">', start) >= 0 else end, end)
        following = text.find("\n<doc ", head, end)
        about = _attributes(text[start:head])
        if following >= 0:
            detail = "no </doc> before the next <doc>"
            yield _not_taken("unclosed", about, chunk.file, line, detail)
            at = following + 1
            continue
        at = end + len("</doc>")
        yield _article(about, text[head:end], chunk, line)
    if stray := text[at:].strip():
        yield _stray(chunk.file, line + text.count("\n", counted), stray)


def line_articles(chunk: Chunk) -> Iterator[Article | NotTaken]:
    """The articles of a piece, a JSON object a line."""
    for number, line in enumerate(chunk.data.split(b"\n"), chunk.line):
        if not line.strip():
            continue
        try:
            said = msgspec.json.decode(line)
        except JSON_ERRORS as error:
            fault = json_fault(line, error)[0]
            reason = "encoding" if "UTF-8" in fault else "json"
            yield NotTaken(reason, "", "", chunk.file, str(number), fault)
            continue
        if not isinstance(said, dict) or not isinstance(said.get("text"), str):
            detail = "expected an object with id, title and text"
            yield NotTaken("json", "", "", chunk.file, str(number), detail)
            continue
        members = said.items()
        about = {name: str(one) for name, one in members if name != "text" and one is not None}
        yield _article(about, said["text"], chunk, number)


def _article(about: dict[str, str], text: str, chunk: Chunk, line: int) -> Article | NotTaken:
    title, file = about.get("title", ""), chunk.file
    if byte := _undecodable("".join((*about.values(), text))):
        detail = f"not valid UTF-8 ({byte})"
        return _not_taken("encoding", about, file, line, detail)
    counts: Counter[str] = Counter()
    kept: list[Offsets] = []
    dropped: list[Dropped] = []
    text = clean(text, counts, title=title, unconverted=kept, dropped=dropped)
    if not text:
        return _not_taken("empty", about, file, line)
    if is_disambiguation(title, text):
        return _not_taken("disambiguation", about, file, line)
    return Article(
        id=about.get("id") or f"{name_of(chunk)}:{line}",
        title=title,
        text=text,
        file=file,
        where=str(line),
        url=about.get("url") or None,
        revision=about.get("revid") or None,
        cleaned=counts,
        given=bool(about.get("id")),
        unconverted=tuple(kept),
        dropped=tuple(dropped),
    )


def _undecodable(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"byte 0x{ord(text[error.start]) & 0xFF:02x}"
    return ""


def _attributes(head: str) -> dict[str, str]:
    found = _ATTRIBUTE.findall(head.strip().removesuffix(">"))
    return {name: unescape(value) if "&" in value else value for name, value in found}


def _stray(file: str, line: int, text: str) -> NotTaken:
    return NotTaken("outside", "", "", file, str(line), f"text outside <doc>: {text[:20]!r}")


def _not_taken(
    reason: str, about: dict[str, Any], file: str, line: int, detail: str = ""
) -> NotTaken:
    return NotTaken(
        reason,
        _sound(about.get("id", "")),
        _sound(about.get("title", "")),
        file,
        str(line),
        detail,
    )


def _sound(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
