"""A file or folder whose format is not known yet: its first bytes, its JSON, its files."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from readmark.core.addresses import is_remote, without_scheme
from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS, malformed, read_bytes, read_head, read_lines
from readmark.core.large_json import is_large, read_large, read_sample
from readmark.core.numbers import first_ids
from readmark.core.spans import clip
from readmark.core.streams import readable_file

if TYPE_CHECKING:
    from readmark.core.folders import Folder

SHOWN_MEMBERS = 6
LONG_LINE = 8 << 20
"""Bytes of a first line that are read to recognise a format by it."""
ANNOTATION_CONTEXT = "http://www.w3.org/ns/anno.jsonld"
T = TypeVar("T")


_PARTS = frozenset(
    ("train", "dev", "valid", "validation", "test", "en", "zh", "english", "chinese")
)
"""Splits and languages: names that need their folder's."""
_SAYS_NOTHING = frozenset(
    ("data", "dataset", "questions", "passages", "sheet", "out", "output", "result", "results")
) | {"new", "tmp", "temp", "untitled", "home", "root", "desktop", "downloads", "documents"}


def default_name(stem: str, path: str | Path) -> str:
    """The name of a test by default: its file's name, or its folder's where that says nothing.

    ``p.csv`` and ``data.csv`` in the folder ``mill`` are ``mill``, ``dev.csv`` is ``mill-dev``
    and ``en.csv`` is ``mill-en``.
    Where the folder's name says nothing either, its parent is taken.
    """
    word = stem.lower()
    if _says_something(word) and word not in _PARTS:
        return stem
    for folder in Path(path).absolute().parents[:2]:
        if _says_something(folder.name.lower()) and folder.name.lower() not in _PARTS:
            return f"{folder.name}-{stem}" if word in _PARTS else folder.name
    return stem


def _says_something(word: str) -> bool:
    if word.isdecimal() or (word.isascii() and len(word) < 2):
        return False
    return word not in _SAYS_NOTHING


class Source:
    """What formats recognise a file by, read once for all of them."""

    def __init__(self, path: str | Path) -> None:
        self.file = without_scheme(path)
        try:
            self.file.encode("utf-8")
        except UnicodeEncodeError:  # marks name the file, and they are UTF-8
            legible = self.file.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            raise DataError("the file's name is not valid UTF-8", file=legible) from None
        self._results: dict[Callable[[Source], Any], Any] = {}

    def once(self, look: Callable[[Source], T]) -> T:
        """The result of a function of the source, which is called the first time only."""
        if look not in self._results:
            self._results[look] = look(self)
        result: T = self._results[look]
        return result

    @functools.cached_property
    def path(self) -> Path:
        """The file to read: for standard input or a pipe, its private copy."""
        return readable_file(self.file)

    def named(self, stem: str) -> str:
        """The name of a test in it by default; standard input and pipes have no folder."""
        return default_name(stem, self.file) if self.path == Path(self.file) else stem

    @functools.cached_property
    def folder(self) -> Folder | None:
        """The folder or zip that the path names; None for any other file."""
        from readmark.core.folders import Folder

        if is_remote(self.file):
            return None
        if self.path.is_dir() or (self.path.suffix.lower() == ".zip" and self.path.is_file()):
            return Folder(self.path)
        return None

    @functools.cached_property
    def parts(self) -> tuple[Source, ...]:
        """The parts of a folder that has one test or sitting in several files; else none."""
        from readmark.core.parts import part_files

        return tuple(map(Source, part_files(self.file)))

    @functools.cached_property
    def head(self) -> bytes:
        """The first bytes; a folder has none."""
        if is_remote(self.file):
            return b"" if self.parts else read_head(self.file)
        return b"" if self.path.is_dir() else read_head(self.path)

    @functools.cached_property
    def suffixes(self) -> tuple[str, ...]:
        """The name's suffixes in lower case, without a compression's."""
        return suffixes_of(self.file if is_remote(self.file) else self.path)

    @functools.cached_property
    def first_line(self) -> Any:
        """The first line as JSON, or None when it is not JSON by itself."""
        line, end, _ = self.head.lstrip().partition(b"\n")
        if not end and b'"readmark"' in line:
            # A header may be longer than the head: a sitting's can list the units it covers.
            line = next(read_lines(self.file), (1, line))[1]
        try:
            return msgspec.json.decode(line)
        except JSON_ERRORS:
            return None

    @functools.cached_property
    def long_first_line(self) -> bytes:
        """The first line, also if it is longer than the head, as a row with a long passage is."""
        return read_head(self.path, LONG_LINE).lstrip().partition(b"\n")[0]

    @functools.cached_property
    def json(self) -> Any:
        """The whole file as JSON; malformed JSON is an error with its place."""
        data = read_bytes(self.path)
        try:
            return msgspec.json.decode(data)
        except JSON_ERRORS as error:
            raise self._headless() or malformed(self.file, data, error) from None

    def json_along(self, *route: str) -> Any:
        """The file as JSON; of a large one, long arrays on the route are read when iterated.

        The route to the paragraphs of SQuAD is ``"data", "[]", "paragraphs", "[]"``.
        """
        if not self._is_large:
            return self.json
        try:
            return read_large(self.path, route)
        except DataError as error:
            raise self._headless() or error from None

    @functools.cached_property
    def _is_large(self) -> bool:
        return is_large(self.path)

    def _headless(self) -> DataError | None:
        """The error for JSON Lines without a header; None for anything else."""
        first = self.first_line
        is_headless = isinstance(first, dict) and "readmark" not in first
        if not is_headless or self.head.partition(b"\n")[2].lstrip()[:1] != b"{":
            return None
        is_passage = isinstance(first.get("text"), str) and "questions" not in first
        pool = "; passages to rate become a test with `readmark panel pool`" if is_passage else ""
        return DataError(
            'JSON Lines without a header: a test begins with {"readmark": 1, "kind": ...}, '
            'a sitting with {"readmark": 1, "file": "sitting"}; '
            'predictions have {"id": ..., "prediction_text": ...} a line, or are one JSON object, '
            f"{{id: text}}{pool}",
            file=self.file,
            where=1,
        )

    @property
    def looks_json(self) -> bool:
        """Whether the file begins as a JSON document does."""
        return self.head.lstrip()[:1] in (b"{", b"[")

    @property
    def is_lines(self) -> bool:
        """Whether the file is JSON Lines with a Readmark header."""
        return isinstance(self.first_line, dict) and "readmark" in self.first_line

    @property
    def readmark_file(self) -> str | None:
        """Which of Readmark's own files this is: test, sitting or marksheet; else None."""
        if self.parts:  # an empty one is reported by whoever reads it
            return next((part.readmark_file for part in self.parts if part.head), None)
        if not self.is_lines:
            return None
        name = self.first_line.get("file")
        if isinstance(name, str):
            return name
        return "sitting" if "candidate" in self.first_line else "test"

    @functools.cached_property
    def document(self) -> Any:
        """The JSON document; None if the file is anything else, JSON Lines included.

        For a large document it is a sample: long arrays have their first elements only.
        """
        if not self.looks_json or self.is_lines:
            return None
        return read_sample(self.path) if self._is_large else self.json

    def looks_like(self) -> str:
        """What the file looks like, in words."""
        if self.folder is not None:
            what = "zip" if self.folder.is_zip else "directory"
            return f"a {what} that holds {self.folder.shown()}"
        if not self.head.strip():
            return "an empty file"
        if b"\0" in self.head:
            return "a binary file"
        if self.readmark_file is not None:
            return f"a Readmark {self.readmark_file}"
        if not self.looks_json:
            line = self.head.strip().split(b"\n", 1)[0].strip()[:200]
            start = line.decode("utf-8", "ignore")
            if len(start.encode()) < len(line) - 3:  # more is lost than a character that was cut
                start = line.decode("gb18030", "replace")
            return f"text that begins {clip(start)!r}"
        document = self.document
        if isinstance(document, dict) and ANNOTATION_CONTEXT in str(document.get("@context")):
            return (
                "W3C Web Annotation, which Readmark read until 0.5; use brat, CoNLL-U or "
                "Readmark's own format instead"
            )
        if isinstance(document, dict):
            return "a JSON object " + _members(document)
        if isinstance(document, list) and document and isinstance(document[0], dict):
            return "a JSON array of objects " + _members(document[0])
        return f"a JSON {'array' if isinstance(document, list) else type(document).__name__}"


def suffixes_of(path: str | Path) -> tuple[str, ...]:
    """The suffixes of a file's name in lower case, without a compression's."""
    suffixes = (suffix.lower() for suffix in Path(path).suffixes)
    return tuple(suffix for suffix in suffixes if suffix not in (".gz", ".zst"))


def _members(mapping: dict[str, Any]) -> str:
    names = first_ids([clip(name) for name in mapping], SHOWN_MEMBERS)
    return f"with members {names}" if names else "without members"


def unknown(source: Source, expected: str, known: str, folders: str = "") -> DataError:
    """The error for a file or folder that no format recognises.

    ``expected`` is what it should be, ``known`` lists formats, ``folders`` those of folders.
    """
    if source.folder is not None and not source.folder.is_zip:
        what = f" or a folder of a known format ({folders})" if folders else ""
        return DataError(
            f"is a directory, expected a file{what}; it holds {source.folder.shown()}",
            file=source.file,
        )
    return DataError(
        f"not {expected} that is known: it looks like {source.looks_like()}; known: {known}",
        file=source.file,
    )
