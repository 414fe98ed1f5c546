"""Passages by name: of a folder of text files, one text file, a table of passages, or a test."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from readmark.core.encodings import decoded
from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes
from readmark.core.numbers import first_ids
from readmark.core.record_members import text_of, title_of
from readmark.core.source import Source
from readmark.core.spans import clip
from readmark.formats.members import Fault
from readmark.formats.registry import open_test
from readmark.formats.sheets import is_table, tables_in
from readmark.formats.tables.headings import columns_named, is_passage_header, missing

TEXT_FILES = (".txt", ".md", ".text")


@dataclass(frozen=True, slots=True)
class NamedText:
    """A passage of a folder, table or test."""

    id: str
    text: str
    title: str = ""


def named_texts(
    path: str | Path, *, format: str | None = None, split: str | None = None
) -> Iterator[NamedText]:
    """The passages of a folder of text files, a text file, a table of passages, or a test.

    ``format`` and ``split`` are of a test.
    """
    source = Source(path)
    if format is None and split is None:
        if source.folder is not None:
            names = source.folder.names
            texts = [name for name in names if PurePosixPath(name).suffix.lower() in TEXT_FILES]
            # A folder of texts with annotations is a test in brat's format.
            if texts and not any(name.lower().endswith(".ann") for name in names):
                for name in texts:
                    yield text_of_file(name, source.folder.text(name))
                return
        elif source.suffixes[-1:] in [(suffix,) for suffix in TEXT_FILES]:
            yield text_of_file(source.path.name, decoded(read_bytes(path), source.file))
            return
        elif is_table(source):
            yield from _texts_of_table(path)
            return
    for record in open_test(path, format=format, split=split).records():
        text = text_of(record)
        if text is None:
            raise UsageError(f"{path}: a {record.__class__.__name__} has no passage")
        yield NamedText(record.id, text, title_of(record))


def text_of_file(name: str, text: str) -> NamedText:
    """A text file as a passage: its name is the id, the line break at its end no part of it."""
    return NamedText(str(PurePosixPath(name).with_suffix("")), text.rstrip("\r\n"))


def _texts_of_table(path: str | Path) -> Iterator[NamedText]:
    with contextlib.closing(tables_in(path, is_passage_header)) as tables:
        seen: dict[str, str] = {}
        for place, headings, rows in tables:
            if not is_passage_header(headings):
                if not seen:  # sheets with passages come first, so there are none
                    raise DataError(missing("passage", headings), file=path, where=place)
                continue
            columns = columns_named(headings, {})
            for line, cells in rows:
                title = columns.cell("title", cells)
                id = columns.cell("passage_id", cells) or columns.cell("id", cells)
                id = (id or columns.cell("file", cells) or title).strip()
                text = columns.cell("passage", cells)
                if text.strip() and id:
                    if seen.setdefault(id, text) != text:
                        raise DataError(f"passage id {id!r} occurs twice", file=path, where=line)
                    yield NamedText(id, text, title)


class TextLibrary:
    """Passages by id or file: those named by the user, or the sheet of the same workbook."""

    def __init__(self, path: str | Path, *, is_named_by_user: bool) -> None:
        self.path = path
        self.is_named_by_user = is_named_by_user

    @cached_property
    def _texts(self) -> dict[str, NamedText]:
        texts = {text.id: text for text in named_texts(self.path)}
        if not texts:
            raise DataError("holds no passages", file=self.path)
        return texts

    def require(self, name: str) -> NamedText:
        """A passage by its id, or by its file's name with or without a suffix."""
        suffix = PurePosixPath(name).suffix
        text = self._texts.get(name) or self._texts.get(name.removesuffix(suffix))
        if text is None:
            message = f"passage {clip(name)!r} is not among the {len(self._texts):,} of {self.path}"
            raise Fault("", f"{message} ({first_ids(list(self._texts))})")
        return text
