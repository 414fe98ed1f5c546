"""Plain text as articles: one for each file.

Paragraphs are lines, or stretches between blank lines where lines are wrapped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from readmark.core.errors import DataError
from readmark.core.records import Offsets
from readmark.making.sources.article_names import name_of
from readmark.making.sources.articles import Article, Chunk, NotTaken
from readmark.making.sources.whole_files import not_decoded, text_of, whole_file
from readmark.text.cleaning import clean

__all__ = ["text_articles", "whole_file"]

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
        text = text_of(chunk.data, chunk.file).replace("\r\n", "\n").replace("\r", "\n")
    except DataError as error:
        yield not_decoded(chunk, name, error)
        return
    counts: Counter[str] = Counter()
    title, body = _titled(text)
    if is_wrapped(body):
        blocks = [_WRAP.subn(_joined, block) for block in _BLOCKS.split(body.strip())]
        body = "\n".join(block for block, _ in blocks)
        counts["wrapped"] += sum(count for _, count in blocks)
    if title:
        counts["title"] += 1
    unconverted: list[Offsets] = []
    body = clean(body, counts, markup=False, wiki=False, unconverted=unconverted)
    if not body:
        yield NotTaken("empty", name, title or name, chunk.file)
        return
    yield Article(
        id=name,
        title=title or name,
        text=body,
        file=chunk.file,
        cleaned=counts,
        has_own_id=False,
        unconverted=tuple(unconverted),
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
    continued = [_width(line) for block in blocks for line in block[:-1]]
    width = max(continued, default=0)
    if not NARROWEST <= width <= WIDEST:
        return False
    return sum(line_width >= FULL * width for line_width in continued) >= MOST_FULL * len(continued)


def _joined(wrap: re.Match[str]) -> str:
    """Nothing between two Chinese characters, else a space."""
    before, after = wrap.string[wrap.start() - 1], wrap.string[wrap.end() : wrap.end() + 1]
    return "" if _WIDE.match(before) and _WIDE.match(after) else " "


def _width(line: str) -> int:
    line = line.strip()
    return len(line) + len(_WIDE.findall(line))
