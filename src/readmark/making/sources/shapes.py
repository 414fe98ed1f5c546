"""Raw text for tests: the shapes that it comes in, detected by content, and the articles in it."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from readmark.core.encodings import WINDOWS, decoded_as
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import JSON_ERRORS, read_head
from readmark.core.folders import Folder
from readmark.core.records import Offsets
from readmark.core.streams import shown_name
from readmark.text.headings import TAIL, DroppedSection

# What a source gives: articles, and those that could not be taken, each with its reason.


UNSOUND = ("unclosed", "outside", "encoding", "json", "markup")
"""Reasons that say the source is damaged there; the others are choices."""

PASSED_OVER = "passed-over"
"""The shape of a piece that is no article but why there is none."""


@dataclass(frozen=True, slots=True)
class Article:
    """A text with where it comes from. Paragraphs are its lines; none of them is blank."""

    id: str
    title: str
    text: str
    file: str
    where: str = ""
    """A line, or empty where the file is the article."""
    url: str | None = None
    revision: str | None = None
    timestamp: str | None = None
    licence: str | None = None
    """What the source itself says."""
    language: str | None = None
    cleaned: Counter[str] = field(default_factory=Counter)
    """How often each cleaning rule changed it."""
    dropped: tuple[DroppedSection, ...] = ()
    given: bool = True
    """Whether the id is the source's own. A generated id that occurs twice means nothing."""
    unconverted: tuple[Offsets, ...] = ()
    """Stretches that the source wants in the script that they are in."""


@dataclass(frozen=True, slots=True)
class NotTaken:
    """An article that was passed over, or a stretch of one: nothing vanishes."""

    reason: str
    article: str
    title: str
    file: str
    where: str = ""
    detail: str = ""
    length: int | None = None
    start: int | None = None
    end: int | None = None

    @property
    def is_stretch(self) -> bool:
        """Whether it is a part of an article, of which other parts may be taken."""
        return self.start is not None or self.reason == TAIL

    def row(self) -> dict[str, Any]:
        """As a line of a list; what is not known is left out."""
        members = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in members.items() if value not in (None, "")}

    def __str__(self) -> str:
        place = ":".join(part for part in (self.file, self.where) if part)
        said = f"{self.reason}: {self.detail}" if self.detail else self.reason
        return f"{place}: {self.article}: {said}" if self.article else f"{place}: {said}"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some articles as they are in their file, to be parsed here or in another process."""

    shape: str
    file: str
    data: Any
    line: int = 1
    """The line that the data begins on."""
    size: int = 0
    """Bytes of the source, for showing progress."""
    about: dict[str, Any] = field(default_factory=dict)


# What the article of a file is known by: the file's name without the suffixes of its kind.


PACKED = frozenset({".gz", ".bz2", ".xz", ".zst"})
KINDS = frozenset(
    {".txt", ".text", ".md", ".html", ".htm", ".xhtml", ".xml", ".json", ".jsonl", ".ndjson"}
)
"""Suffixes that are no part of a name; that of ``v1.0`` is."""


def name_without_kind(name: str) -> str:
    """``AA/v1.0`` for ``AA/v1.0.txt.gz``; a name that is all suffix stays."""
    path = PurePosixPath(name)
    if path.suffix.lower() in PACKED:
        path = path.with_suffix("")
    if path.suffix.lower() in KINDS:
        path = path.with_suffix("")
    return str(path)


_DUMP = "readmark.making.sources.mediawiki"
_EXTRACTED = "readmark.making.sources.wiki_extractor"
_FILES = "readmark.making.sources.files"
SHAPES = {
    "wikiextractor": (_EXTRACTED, "doc_chunks", "document_articles"),
    "wikiextractor-json": (_EXTRACTED, "doc_chunks", "line_articles"),
    "mediawiki": (_DUMP, "pages", "page_articles"),
    "html": (_FILES, "whole_file", "html_articles"),
    "plain": (_FILES, "whole_file", "text_articles"),
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
        yield from _pieces(str(path), shape or shape_of(path), shown_name(path))
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
        yield from _pieces(file, found, name)


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
        said = msgspec.json.decode(line)
    except JSON_ERRORS:
        said = None
    # An article may be longer than the head: its first member tells, where the line is cut off.
    known = "text" in said if isinstance(said, dict) else _MEMBER.match(line) is not None
    if known:
        return "wikiextractor-json"
    raise DataError("is JSON, expected one article per line with id, title and text", file=path)


def _pieces(file: str, shape: str, name: str) -> Iterator[Chunk]:
    """A file in pieces; ids of single files come of what it is called within the source."""
    module, split, _ = SHAPES[shape]
    for chunk in getattr(import_module(module), split)(file, shape):
        yield replace(chunk, about={**chunk.about, "name": name_without_kind(name)})


# Files that are one text: as ``core.encodings`` reads them, and Big5, which it takes for
# Western.


ACCENTS = 0.3
"""The share of bytes beyond ASCII that is taken for no Western text: chosen, not measured."""
COMMON = 0.8
"""What share of a Big5 text's characters must be of its first level: chosen, not measured."""


def text_of(data: bytes, file: str) -> str:
    """The text of a file; bytes that are no text, or none that is known, are an error."""
    decoded = decoded_as(data, file)
    if decoded.encoding != WINDOWS:
        return decoded.text
    beyond = sum(byte >= 0x80 for byte in data)
    if beyond <= ACCENTS * len(data):
        return decoded.text
    chinese = _as_big5(data)
    if chinese is None:
        raise DataError("of no encoding that is known: convert it to UTF-8", file=file)
    return chinese


def _as_big5(data: bytes) -> str | None:
    try:
        text = data.decode("cp950")
    except UnicodeDecodeError:
        return None
    characters = [one for one in text if "\u4e00" <= one <= "\u9fff"]
    common = sum(0xA4 <= character.encode("cp950")[0] <= 0xC6 for character in characters)
    return text if common and common >= COMMON * len(characters) else None
