"""MediaWiki XML dumps as sources, streamed.

The elements of a dump are those of MediaWiki's "Help:Export" schema. A document type or entity
declaration is refused: dumps have none, and they are how XML is made to explode or to read other
files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn
from xml.parsers import expat

from readmark.core.errors import DataError
from readmark.core.files import reading
from readmark.core.records import Offsets
from readmark.making.sources.article_names import name_of
from readmark.making.sources.articles import Article, Chunk, NotTaken
from readmark.making.sources.disambiguation import is_disambiguation
from readmark.text.cleaning import clean

BLOCK = 1 << 17
BATCH = 1 << 16
"""Characters of wikitext that are handed on together: few, so that workers end together."""
LARGEST = 2 << 20
"""Characters of a page that is read: MediaWiki itself stores no more than 2 MiB of wikitext."""
TOO_LARGE = "too_large"

_WANTED = frozenset({"title", "ns", "id", "timestamp", "model", "text", "sitename", "base"})

_MEMBERS = {
    ("page", "title"): "title",
    ("page", "ns"): "namespace",
    ("page", "id"): "id",
    ("revision", "id"): "id",
    ("revision", "timestamp"): "timestamp",
    ("revision", "model"): "model",
}
"""The elements of a page or revision that are kept, and the member that each becomes."""


@dataclass(slots=True)
class WikiRevision:
    """A revision of a page; the text of one that is too large is not kept."""

    id: str = ""
    timestamp: str = ""
    model: str = ""
    parts: list[str] = field(default_factory=list)
    size: int = 0
    """Characters of wikitext, stored or not."""

    @property
    def text(self) -> str:
        """The wikitext."""
        return "".join(self.parts) if self.size <= LARGEST else ""


@dataclass(slots=True)
class WikiPage:
    """A page as it is in the dump, with its newest revision."""

    id: str = ""
    title: str = ""
    namespace: str = "0"
    redirect: bool = False
    newest: WikiRevision = field(default_factory=WikiRevision)
    line: int = 0


def pages(file: str, shape: str) -> Iterator[Chunk]:
    """The dump in batches of pages; one that breaks off gives what stood before the break."""
    reader = _Reader(file, shape)
    batch: list[WikiPage] = []
    size = 0
    failed: DataError | None = None
    wiki_pages = reader.pages()
    while True:
        try:
            page = next(wiki_pages)
        except StopIteration:
            break
        except DataError as error:
            failed = error
            break
        batch.append(page)
        size += len(page.newest.text) + 100
        if size >= BATCH:
            yield reader.chunk(batch)
            batch, size = [], 0
    if batch:
        yield reader.chunk(batch)
    if failed is not None:
        raise failed


class _Reader:
    """Expat's events, gathered into pages."""

    def __init__(self, file: str, shape: str) -> None:
        self._file, self._shape = file, shape
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.buffer_size = 1 << 16
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse
        self._about: dict[str, str] = {}
        self._done: list[WikiPage] = []
        self._page: WikiPage | None = None
        self._revision: WikiRevision | None = None
        self._within: list[str] = []
        self._parts: list[str] = []
        self._read = self._reported = 0

    def pages(self) -> Iterator[WikiPage]:
        with reading(self._file) as stream:
            while block := stream.read(BLOCK):
                self._read += len(block)
                yield from self._pages_of(block, last=False)
            yield from self._pages_of(b"", last=True)

    def chunk(self, batch: list[WikiPage]) -> Chunk:
        size, self._reported = self._read - self._reported, self._read
        return Chunk(self._shape, self._file, batch, batch[0].line, size, dict(self._about))

    def _pages_of(self, block: bytes, *, last: bool) -> Iterator[WikiPage]:
        """The pages that end in a block, those before a break in it included."""
        failed: DataError | None = None
        try:
            self._parser.Parse(block, last)
        except expat.ExpatError as error:
            failed = self._broken(error, last)
        except DataError as error:
            failed = error
        yield from self._done
        self._done.clear()
        if failed is not None:
            raise failed

    def _broken(self, error: expat.ExpatError, last: bool) -> DataError:
        page = self._page
        inside = f" in page {page.id or '?'} ({page.title})" if page is not None else ""
        if last:
            return DataError(
                f"the dump is cut off{inside}", file=self._file, where=self._parser.ErrorLineNumber
            )
        reason = expat.ErrorString(error.code)
        where = f"{error.lineno}:{error.offset + 1}"
        return DataError(f"not well-formed XML{inside}: {reason}", file=self._file, where=where)

    def _refuse(self, *_: object) -> NoReturn:
        raise DataError(
            "declares a document type or entities, which no dump does: refused",
            file=self._file,
            where=self._parser.CurrentLineNumber,
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._within.append(name)
        if name == "page":
            self._page = WikiPage(line=self._parser.CurrentLineNumber)
        elif name == "revision":
            self._revision = WikiRevision()
        elif name == "redirect" and self._page is not None:
            self._page.redirect = True
        elif name == "mediawiki":
            self._about["language"] = attributes.get("xml:lang", "")
        if name in _WANTED:
            self._parts = []
            take = self._take_text if name == "text" else self._parts.append
            self._parser.CharacterDataHandler = take

    def _take_text(self, text: str) -> None:
        if self._revision is not None:
            self._revision.size += len(text)
            if self._revision.size <= LARGEST:
                self._revision.parts.append(text)

    def _end(self, name: str) -> None:
        self._within.pop()
        if name in _WANTED:
            self._parser.CharacterDataHandler = None
            self._store(name, "".join(self._parts))
        elif name == "revision" and self._page is not None and self._revision is not None:
            # A dump with the whole history has the revisions in order; times in ISO 8601 compare.
            if self._revision.timestamp >= self._page.newest.timestamp:
                self._page.newest = self._revision
            self._revision = None
        elif name == "page" and self._page is not None:
            self._done.append(self._page)
            self._page = None

    def _store(self, name: str, text: str) -> None:
        parent = self._within[-1] if self._within else ""
        owner = {"page": self._page, "revision": self._revision}.get(parent)
        if parent == "siteinfo":
            self._about[name] = text
        elif owner is not None and (member := _MEMBERS.get((parent, name))):
            setattr(owner, member, text if name == "title" else text.strip())


def page_articles(chunk: Chunk) -> Iterator[Article | NotTaken]:
    """The articles of a batch of pages."""
    for page in chunk.data:
        yield _article(page, chunk)


def _article(page: WikiPage, chunk: Chunk) -> Article | NotTaken:
    reason, detail = _unwanted(page)
    if reason:
        return _not_taken(reason, page, chunk, detail)
    from readmark.text.wikitext import plain_page

    try:
        plain = plain_page(page.newest.text)
    except (RecursionError, ValueError, ArithmeticError, LookupError, RuntimeError) as error:
        # The parser's own errors are RuntimeErrors: one bad page is a row, not the end.
        return _not_taken("markup", page, chunk, f"the wikitext cannot be parsed ({error!r:.60})")
    counts, dropped = plain.cleaned, plain.dropped
    unconverted: list[Offsets] = []
    text = clean(plain.text, counts, markup=False, unconverted=unconverted, dropped=dropped)
    if plain.disambiguation or is_disambiguation(page.title, text):
        return _not_taken("disambiguation", page, chunk, "")
    if not text:
        return _not_taken("empty", page, chunk, "")
    return Article(
        id=page.id or page.title or f"{name_of(chunk)}:{page.line}",
        title=page.title,
        text=text,
        file=chunk.file,
        where=str(page.line),
        url=_url(chunk.about, page),
        revision=page.newest.id or None,
        timestamp=page.newest.timestamp or None,
        language=chunk.about.get("language") or None,
        cleaned=counts,
        has_own_id=bool(page.id),
        unconverted=tuple(unconverted),
        dropped=tuple(dropped),
    )


def _unwanted(page: WikiPage) -> tuple[str, str]:
    newest, text = page.newest, page.newest.text
    if page.namespace != "0":
        return "namespace", f"namespace {page.namespace}"
    if page.redirect or text[:60].lstrip().lower().startswith(("#redirect", "#重定向")):
        return "redirect", ""
    if newest.model not in ("", "wikitext"):
        return "not_wikitext", f"content model {newest.model}"
    if newest.size > LARGEST:
        return TOO_LARGE, f"{newest.size} characters of wikitext"
    return ("", "") if text.strip() else ("empty", "")


def _url(about: dict[str, Any], page: WikiPage) -> str | None:
    """A page's address by its id, from the address of the dump's main page."""
    scheme, separator, rest = str(about.get("base", "")).partition("://")
    host = rest.partition("/")[0]
    return f"{scheme}://{host}/wiki?curid={page.id}" if separator and host and page.id else None


def _not_taken(reason: str, page: WikiPage, chunk: Chunk, detail: str) -> NotTaken:
    length = page.newest.size or None
    return NotTaken(reason, page.id, page.title, chunk.file, str(page.line), detail, length)
