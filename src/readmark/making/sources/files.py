"""Files that are one article each: HTML pages and plain text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from readmark.core.errors import DataError
from readmark.core.files import BOM, reading
from readmark.core.records import Offsets
from readmark.making.sources.shapes import (
    PASSED_OVER,
    Article,
    Chunk,
    NotTaken,
    name_without_kind,
    text_of,
)
from readmark.text.cleaning import clean
from readmark.text.html_pages import read_page

LARGEST = 16 << 20
"""Bytes of a file that is one article."""

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{3,20})", re.IGNORECASE)


def whole_file(file: str, shape: str) -> Iterator[Chunk]:
    """A file that is one article."""
    with reading(file) as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        detail = f"one article of more than {LARGEST >> 20} MB"
        yield Chunk(PASSED_OVER, file, NotTaken("too_large", file, "", file, "", detail))
        return
    yield Chunk(shape, file, data.removeprefix(BOM), 1, len(data))


def html_articles(chunk: Chunk) -> Iterator[Article | NotTaken]:
    """The article of a page."""
    name = name_of(chunk)
    try:
        source = _decoded(chunk.data, chunk.file)
    except DataError as error:
        yield not_decoded(chunk, name, error)
        return
    page = read_page(source, name=name)
    if not page.text:
        yield NotTaken("empty", name, page.title, chunk.file)
        return
    yield Article(
        id=name,
        title=page.title,
        text=page.text,
        file=chunk.file,
        url=page.url,
        licence=page.licence,
        language=page.language,
        cleaned=page.cleaned,
        given=False,
    )


def not_decoded(chunk: Chunk, name: str, error: DataError) -> NotTaken:
    """A file of unknown encoding, which does not stop the other files."""
    return NotTaken("encoding", name, "", chunk.file, str(error.where or ""), error.message)


def name_of(chunk: Chunk) -> str:
    """What the article of a file is known by: the file's name without suffixes."""
    name: str = chunk.about.get("name") or name_without_kind(Path(chunk.file).name)
    return name


def _decoded(data: bytes, file: str) -> str:
    """By the page's own word where it has one, else as plain text is."""
    match = _CHARSET.search(data[:2048])
    if match is not None:
        name = match[1].decode("ascii", "replace").lower()
        name = "gb18030" if name in ("gb2312", "gbk") else name
        try:
            return data.decode(name)
        except (LookupError, UnicodeDecodeError):
            pass  # pages are often wrong about this
    return text_of(data, file)


# Plain text: one article a file, its paragraphs by lines, or by blanks where lines are wrapped.


LONGEST_TITLE = 60
NARROWEST, WIDEST = 40, 120
"""Columns of wrapped prose."""
FULL, MOST_FULL = 0.6, 0.8
"""Lines are wrapped when this share of those that continue fill this share of the width."""

_STOP = re.compile(r"[.!?。！？；;:：,，、…]\s*$")
_WIDE = re.compile("[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]")
_BLOCKS = re.compile(r"\n[^\S\n]*\n\s*")
_WRAP = re.compile(r"[^\S\n]*\n[^\S\n]*")


def text_articles(chunk: Chunk) -> Iterator[Article | NotTaken]:
    """The article of a file.

    Its title is the first line when a blank line follows, it is short and it ends in no stop; else
    the file's name.
    """
    name = name_of(chunk)
    try:
        found = text_of(chunk.data, chunk.file).replace("\r\n", "\n").replace("\r", "\n")
    except DataError as error:
        yield not_decoded(chunk, name, error)
        return
    counts: Counter[str] = Counter()
    title, body = _titled(found)
    if is_wrapped(body):
        blocks = [_WRAP.subn(_joined, block) for block in _BLOCKS.split(body.strip())]
        body = "\n".join(block for block, _ in blocks)
        counts["wrapped"] += sum(count for _, count in blocks)
    if title:
        counts["title"] += 1
    kept: list[Offsets] = []
    body = clean(body, counts, markup=False, wiki=False, unconverted=kept)
    if not body:
        yield NotTaken("empty", name, title or name, chunk.file)
        return
    yield Article(
        id=name,
        title=title or name,
        text=body,
        file=chunk.file,
        cleaned=counts,
        given=False,
        unconverted=tuple(kept),
    )


def _titled(text: str) -> tuple[str, str]:
    head, _, rest = text.lstrip().partition("\n")
    blank, _, body = rest.partition("\n")
    obvious = not blank.strip() and bool(body.strip()) and len(head.strip()) <= LONGEST_TITLE
    if obvious and not _STOP.search(head):
        return head.strip(), body
    return "", text


def is_wrapped(text: str) -> bool:
    """Whether line breaks wrap lines: there are blank lines, and lines that continue are full."""
    blocks = [block.split("\n") for block in _BLOCKS.split(text.strip())]
    if len(blocks) < 2:
        return False
    going_on = [_width(line) for block in blocks for line in block[:-1]]
    width = max(going_on, default=0)
    if not NARROWEST <= width <= WIDEST:
        return False
    return sum(one >= FULL * width for one in going_on) >= MOST_FULL * len(going_on)


def _joined(wrap: re.Match[str]) -> str:
    """Nothing between two Chinese characters, else a space."""
    before, after = wrap.string[wrap.start() - 1], wrap.string[wrap.end() : wrap.end() + 1]
    return "" if _WIDE.match(before) and _WIDE.match(after) else " "


def _width(line: str) -> int:
    line = line.strip()
    return len(line) + len(_WIDE.findall(line))
