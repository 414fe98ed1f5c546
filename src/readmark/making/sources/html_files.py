"""HTML pages as articles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from readmark.core.errors import DataError
from readmark.making.sources.article_names import name_of
from readmark.making.sources.articles import Article, Chunk, NotTaken
from readmark.making.sources.whole_files import not_decoded, text_of, whole_file
from readmark.text.html_pages import read_page

__all__ = ["html_articles", "whole_file"]

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{3,20})", re.IGNORECASE)


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
        has_own_id=False,
    )


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
