"""Raw text for tests: the shapes that it comes in, told by content, and the articles in it."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.errors import DataError, UsageError, did_you_mean
from readmark.corpus.files import JSON_ERRORS, read_head
from readmark.corpus.folders import Folder
from readmark.setting.sources.article import PASSED_OVER, UNSOUND, Article, Chunk, NotTaken
from readmark.setting.sources.naming import name_without_kind

__all__ = ["SHAPES", "UNSOUND", "Article", "Chunk", "NotTaken", "articles", "chunks", "made_out"]


@dataclass(frozen=True, slots=True)
class Shape:
    """How a shape of source is read: a function that splits files, and one that makes out."""

    split: str
    make_out: str
    summary: str


_HERE = "readmark.setting.sources"
SHAPES = {
    "wikiextractor": Shape(
        f"{_HERE}.wikiextractor:documents",
        f"{_HERE}.wikiextractor:document_articles",
        "WikiExtractor's <doc id= url= title=> … </doc>",
    ),
    "wikiextractor-json": Shape(
        f"{_HERE}.wikiextractor:lines",
        f"{_HERE}.wikiextractor:line_articles",
        "WikiExtractor's --json: a line an article with id, title and text",
    ),
    "mediawiki": Shape(
        f"{_HERE}.mediawiki:pages",
        f"{_HERE}.mediawiki:page_articles",
        "a MediaWiki XML dump",
    ),
    "html": Shape(f"{_HERE}.html:page", f"{_HERE}.html:html_articles", "an HTML page"),
    "plain": Shape(f"{_HERE}.plain:text", f"{_HERE}.plain:text_articles", "plain text"),
}
"""Every shape of source; a new one is a file beside these and a line here."""

_HTML = re.compile(rb"\s*(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html\b)", re.I | re.S)
_DOC = re.compile(rb"^\s*<doc (?:id|url|title|revid)=", re.MULTILINE)
_ARRAY = re.compile(rb"\[\s*(?:[\[{\"]|\])")
_MEMBER = re.compile(rb'\{\s*"(?:id|revid|url|title|text)"\s*:')
_XML = re.compile(rb"\s*<\?xml\b")


def articles(path: str | Path, *, shape: str | None = None) -> Iterator[Article | NotTaken]:
    """The articles of a file or folder, in order, with those that could not be taken."""
    for chunk in chunks(path, shape=shape):
        yield from made_out(chunk)


def chunks(path: str | Path, *, shape: str | None = None) -> Iterator[Chunk]:
    """A file or folder in pieces that other processes can make out; read as they are needed."""
    if shape is not None and shape not in SHAPES:
        raise UsageError(f"no shape of source {shape!r}; {did_you_mean(shape, SHAPES)}")
    if not Path(path).is_dir():
        found = shape or shape_of(path)
        for chunk in _function(SHAPES[found].split)(str(path)):
            yield _named(chunk, Path(path).name)
        return
    folder = Folder(Path(path))
    if not folder.names:
        raise DataError("the folder holds no files", file=path)
    for name in folder.names:
        file = folder.place(name)
        try:
            found = shape or shape_of(file)
        except DataError as error:
            # Among many files one may be a picture or empty; a file that was named must be text.
            about = NotTaken("not_text", name, "", file, "", error.message)
            yield Chunk(PASSED_OVER, file, about)
            continue
        for chunk in _function(SHAPES[found].split)(file):
            yield _named(chunk, name)


def made_out(chunk: Chunk) -> Iterator[Article | NotTaken]:
    """The articles of a piece."""
    if chunk.shape == PASSED_OVER:
        yield chunk.data
        return
    yield from _function(SHAPES[chunk.shape].make_out)(chunk)


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
        raise DataError("is a JSON array, expected a line an article (jq -c '.[]')", file=path)
    if b"\0" in head and not head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise DataError("is a binary file, expected text", file=path)
    return "plain"


def _json_shape(path: str | Path, head: bytes) -> str:
    line = head.partition(b"\n")[0]
    if b'"readmark"' in line[:200]:
        raise DataError("is one of Readmark's own files, expected raw text", file=path)
    try:
        said = msgspec.json.decode(line)
    except JSON_ERRORS:
        said = None
    # An article may be longer than the head: its first member tells, where the line is cut off.
    known = "text" in said if isinstance(said, dict) else _MEMBER.match(line) is not None
    if known:
        return "wikiextractor-json"
    raise DataError("is JSON, expected a line an article with id, title and text", file=path)


def _named(chunk: Chunk, name: str) -> Chunk:
    """The piece with what its file is called within the source: ids of single files come of it."""
    return replace(chunk, about={**chunk.about, "name": name_without_kind(name)})


def _function(target: str) -> Callable[..., Any]:
    module, _, name = target.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found
