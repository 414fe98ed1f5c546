"""WikiExtractor's output: ``<doc id= url= title=>`` … ``</doc>``, or JSON Lines (``--json``)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import BOM, JSON_ERRORS, json_fault, reading
from readmark.core.records import Offsets
from readmark.making.sources.article_names import name_of
from readmark.making.sources.articles import Article, Chunk, NotTaken
from readmark.making.sources.disambiguation import is_disambiguation
from readmark.text.cleaning import clean
from readmark.text.headings import DroppedSection

PIECE = 1 << 19
LARGEST_ARTICLE = 32 << 20
"""Bytes that an article may have: no wiki lets a page grow so far, so its end is missing."""

_ATTRIBUTE = re.compile(r'(\w+)="(.*?)"(?=\s+\w+="|\s*$)')
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_END = b"</doc>"


def doc_chunks(file: str, shape: str) -> Iterator[Chunk]:
    """A file in chunks of whole ``<doc>`` elements, or of whole lines; one cut off is an error."""
    end = b"\n" if shape == "wikiextractor-json" else _END
    line = 1
    rest = b""
    with reading(file) as stream:
        while True:
            block = stream.read(PIECE)
            if line == 1 and not rest:
                block = block.removeprefix(BOM)
            rest += block
            last = rest.rfind(end) + len(end)
            if last >= len(end):
                data, rest = rest[:last], rest[last:]
                yield Chunk(shape, file, data, line, len(data))
                line += data.count(b"\n")
            if not block:
                break
            if len(rest) > LARGEST_ARTICLE:
                raise _no_end(file, line, rest)
    if not rest.strip():
        return
    if end == b"\n":
        try:
            msgspec.json.decode(rest)
        except JSON_ERRORS:
            raise DataError("the last line is cut off", file=file, where=line) from None
        yield Chunk(shape, file, rest, line, len(rest))
        return
    raise _no_end(file, line, rest)


def _no_end(file: str, line: int, rest: bytes) -> DataError:
    start = rest.find(b"<doc ")
    where = line + rest.count(b"\n", 0, start if start >= 0 else len(rest) - len(rest.lstrip()))
    if start < 0:
        return DataError("text outside <doc> … </doc>", file=file, where=where)
    attributes = _attributes(rest[start : start + 2000].decode("utf-8", "replace").split("\n")[0])
    about = f"article {attributes.get('id', '?')} ({attributes.get('title', '?')})"
    return DataError(f"{about} has no </doc>: the file is cut off", file=file, where=where)


def document_articles(chunk: Chunk) -> Iterator[Article | NotTaken]:
    """The articles of a chunk."""
    try:
        text = chunk.data.decode("utf-8")
    except UnicodeDecodeError:
        text = chunk.data.decode("utf-8", "surrogateescape")
    offset, line, counted = 0, chunk.line, 0
    while (start := text.find("<doc ", offset)) >= 0:
        line += text.count("\n", counted, start)
        counted = start
        if start > offset and (stray := _COMMENT.sub("", text[offset:start]).strip()):
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
            yield _not_extracted("unclosed", about, chunk.file, line, detail)
            offset = following + 1
            continue
        offset = end + len("</doc>")
        yield _extracted_article(about, text[head:end], chunk, line)
    if stray := text[offset:].strip():
        yield _stray(chunk.file, line + text.count("\n", counted), stray)


def line_articles(chunk: Chunk) -> Iterator[Article | NotTaken]:
    """The articles of a chunk, a JSON object on each line."""
    for number, line in enumerate(chunk.data.split(b"\n"), chunk.line):
        if not line.strip():
            continue
        try:
            document = msgspec.json.decode(line)
        except JSON_ERRORS as error:
            fault = json_fault(line, error)[0]
            reason = "encoding" if "UTF-8" in fault else "json"
            yield NotTaken(reason, "", "", chunk.file, str(number), fault)
            continue
        if not isinstance(document, dict) or not isinstance(document.get("text"), str):
            detail = "expected an object with id, title and text"
            yield NotTaken("json", "", "", chunk.file, str(number), detail)
            continue
        about = {
            name: str(value)
            for name, value in document.items()
            if name != "text" and value is not None
        }
        yield _extracted_article(about, document["text"], chunk, number)


def _extracted_article(
    about: dict[str, str], text: str, chunk: Chunk, line: int
) -> Article | NotTaken:
    title, file = about.get("title", ""), chunk.file
    if byte := _undecodable("".join((*about.values(), text))):
        detail = f"not valid UTF-8 ({byte})"
        return _not_extracted("encoding", about, file, line, detail)
    counts: Counter[str] = Counter()
    unconverted: list[Offsets] = []
    dropped: list[DroppedSection] = []
    text = clean(text, counts, title=title, unconverted=unconverted, dropped=dropped)
    if not text:
        return _not_extracted("empty", about, file, line)
    if is_disambiguation(title, text):
        return _not_extracted("disambiguation", about, file, line)
    return Article(
        id=about.get("id") or f"{name_of(chunk)}:{line}",
        title=title,
        text=text,
        file=file,
        where=str(line),
        url=about.get("url") or None,
        revision=about.get("revid") or None,
        cleaned=counts,
        has_own_id=bool(about.get("id")),
        unconverted=tuple(unconverted),
        dropped=tuple(dropped),
    )


def _undecodable(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"byte 0x{ord(text[error.start]) & 0xFF:02x}"
    return ""


def _attributes(head: str) -> dict[str, str]:
    attributes = _ATTRIBUTE.findall(head.strip().removesuffix(">"))
    return {name: unescape(value) if "&" in value else value for name, value in attributes}


def _stray(file: str, line: int, text: str) -> NotTaken:
    return NotTaken("outside", "", "", file, str(line), f"text outside <doc>: {text[:20]!r}")


def _not_extracted(
    reason: str, about: dict[str, str], file: str, line: int, detail: str = ""
) -> NotTaken:
    id, title = (
        about.get(name, "").encode("utf-8", "replace").decode("utf-8") for name in ("id", "title")
    )
    return NotTaken(reason, id, title, file, str(line), detail)
