"""The shapes that raw text comes in, detected by content."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import msgspec

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import JSON_ERRORS, read_head
from readmark.core.folders import Folder
from readmark.core.streams import shown_name
from readmark.making.sources.article_names import name_without_kind
from readmark.making.sources.articles import PASSED_OVER, Article, Chunk, NotTaken

_DUMP = "readmark.making.sources.mediawiki"
_EXTRACTED = "readmark.making.sources.wiki_extractor"
_HTML_FILES = "readmark.making.sources.html_files"
_PLAIN_TEXT = "readmark.making.sources.plain_text"
SHAPES = {
    "wikiextractor": (_EXTRACTED, "doc_chunks", "document_articles"),
    "wikiextractor-json": (_EXTRACTED, "doc_chunks", "line_articles"),
    "mediawiki": (_DUMP, "pages", "page_articles"),
    "html": (_HTML_FILES, "whole_file", "html_articles"),
    "plain": (_PLAIN_TEXT, "whole_file", "text_articles"),
}
"""By shape of source: a module, its function that splits a file into chunks, and the one that finds
the articles in a chunk. Only the modules that a source needs are imported."""

_HTML = re.compile(rb"\s*(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html\b)", re.I | re.S)
_DOC = re.compile(rb"^\s*<doc (?:id|url|title|revid)=", re.MULTILINE)
_ARRAY = re.compile(rb"\[\s*(?:[\[{\"]|\])")
_MEMBER = re.compile(rb'\{\s*"(?:id|revid|url|title|text)"\s*:')
_XML = re.compile(rb"\s*<\?xml\b")


def chunks(path: str | Path, *, shape: str | None = None) -> Iterator[Chunk]:
    """A file or folder in chunks that other processes can parse; read as they are needed."""
    if shape is not None and shape not in SHAPES:
        raise UsageError(f"no shape of source {shape!r}; {did_you_mean(shape, SHAPES)}")
    if not Path(path).is_dir():
        yield from _chunks_of(str(path), shape or shape_of(path), shown_name(path))
        return
    folder = Folder(Path(path))
    if not folder.names:
        raise DataError("the folder holds no files", file=path)
    for name in folder.names:
        file = folder.place(name)
        try:
            file_shape = shape or shape_of(file)
        except DataError as error:
            # Among many files one may be a picture or empty; a file that was named must be text.
            about = NotTaken("not_text", name, "", file, "", error.message)
            yield Chunk(PASSED_OVER, file, about)
            continue
        yield from _chunks_of(file, file_shape, name)


def articles_in(chunk: Chunk) -> Iterator[Article | NotTaken]:
    """The articles of a chunk."""
    if chunk.shape == PASSED_OVER:
        yield chunk.data
        return
    module, _, function = SHAPES[chunk.shape]
    yield from getattr(import_module(module), function)(chunk)


def shape_of(path: str | Path) -> str:
    """Which shape a file has, by its first bytes; HTML also by its name."""
    head = read_head(path)
    bare = head.lstrip()
    if not bare:
        raise DataError("is empty, expected text", file=path)
    if _DOC.search(head):
        return "wikiextractor"
    if b"<mediawiki" in head[:4096]:
        return "mediawiki"
    suffixes = {suffix.lower() for suffix in Path(path).suffixes}
    if _HTML.match(head) or suffixes & {".html", ".htm", ".xhtml"}:
        return "html"
    if _XML.match(head):
        raise DataError("is XML, but neither a MediaWiki dump nor a page", file=path)
    if bare.startswith(b"{"):
        return _json_shape(path, bare)
    if _ARRAY.match(bare):
        raise DataError("is a JSON array, expected one article per line (jq -c '.[]')", file=path)
    if b"\0" in head and not head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise DataError("is a binary file, expected text", file=path)
    return "plain"


def _json_shape(path: str | Path, head: bytes) -> str:
    line = head.partition(b"\n")[0]
    if b'"readmark"' in line[:200]:
        raise DataError("is one of Readmark's own files, expected raw text", file=path)
    try:
        document = msgspec.json.decode(line)
    except JSON_ERRORS:
        document = None
    # An article may be longer than the head: where the line is cut off, its first member tells.
    if isinstance(document, dict):
        is_article = "text" in document
    else:
        is_article = _MEMBER.match(line) is not None
    if is_article:
        return "wikiextractor-json"
    raise DataError("is JSON, expected one article per line with id, title and text", file=path)


def _chunks_of(file: str, shape: str, name: str) -> Iterator[Chunk]:
    """A file in chunks; an article that is a file is named after its name within the source."""
    module, split, _ = SHAPES[shape]
    for chunk in getattr(import_module(module), split)(file, shape):
        yield replace(chunk, about={**chunk.about, "name": name_without_kind(name)})
