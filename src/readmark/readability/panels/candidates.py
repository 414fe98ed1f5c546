"""Candidates for a panel: passages with a genre, from tests, tables, JSON Lines and plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from readmark.core.encodings import decoded
from readmark.core.errors import DataError, UsageError
from readmark.core.files import BOM, read_bytes
from readmark.core.fingerprint import text_id
from readmark.core.folders import Folder
from readmark.core.record_members import text_of, title_of
from readmark.core.source import Source
from readmark.formats.registry import open_test
from readmark.formats.sheets import is_table, read_rows
from readmark.formats.tables.shards import LINES

PROSE = (".txt", ".text", ".md", ".html", ".htm", ".wiki", ".srt", ".vtt")
"""Suffixes of files that are one passage each."""
_MEMBERS = ("id", "text", "genre", "topic", "language", "article")
"""Columns that are members of a candidate; the others become fields of the passage."""


@dataclass(frozen=True, slots=True)
class CandidateFile:
    """A file of candidates, and their genre where the command line names it."""

    path: str
    genre: str | None = None

    @classmethod
    def of_genre(cls, text: str) -> CandidateFile:
        """A file as ``NAME=FILE``."""
        name, equals, path = text.partition("=")
        if not equals or not name.strip() or not path:
            raise UsageError(f"--genre {text!r}: expected NAME=FILE, such as forum=posts.jsonl")
        return cls(path, name.strip())


@dataclass(frozen=True, slots=True)
class PanelCandidate:
    """A passage before rules or people have touched it."""

    id: str
    text: str
    genre: str
    file: str
    where: str
    topic: str | None = None
    language: str | None = None
    article: str | None = None
    licence: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)


def read_candidates(
    files: Sequence[CandidateFile], *, format: str | None = None, split: str | None = None
) -> list[PanelCandidate]:
    """All candidates of the files; an id that several files have gets the file's name before it."""
    candidates = [candidate for file in files for candidate in _read_file(file, format, split)]
    if not candidates:
        raise DataError("no candidate was found", file=", ".join(file.path for file in files))
    times_in_file = Counter((candidate.file, candidate.id) for candidate in candidates)
    for candidate in candidates:
        if times_in_file[candidate.file, candidate.id] > 1:
            raise DataError(
                f"id {candidate.id!r} occurs twice", file=candidate.file, where=candidate.where
            )
    files_with = Counter(candidate.id for candidate in candidates)
    named = [
        replace(candidate, id=f"{_bare_name(candidate.file)}-{candidate.id}")
        if files_with[candidate.id] > 1
        else candidate
        for candidate in candidates
    ]
    # Folders may hold files of the same name, which does not tell their passages apart.
    times = Counter(candidate.id for candidate in named)
    for id in times:
        if times[id] > 1:
            raise DataError(
                f"id {id!r} comes from two files of the same name: give the passages other ids"
            )
    return named


def _read_file(
    file: CandidateFile, format: str | None, split: str | None
) -> Iterator[PanelCandidate]:
    if format is not None or split is not None:  # only tests have a format to name, and splits
        yield from _in_test(file, format, split)
        return
    source = Source(file.path)
    if source.path.is_dir():
        folder = Folder(source.path)
        if folder.names and all(name.lower().endswith(PROSE) for name in folder.names):
            for id, name in folder.by_id(PROSE).items():
                yield _candidate(file, id, folder.text(name), where=name, row={})
            return
    if source.path.is_file():
        if _suffix(source) in PROSE and source.readmark_file is None:
            text = decoded(read_bytes(source.path).removeprefix(BOM), source.file)
            yield _candidate(file, _bare_name(file.path), text, where="", row={})
            return
        if is_table(source) or _has_lines_of_text(source):
            yield from _in_rows(file)
            return
    yield from _in_test(file, None, None)


def _has_lines_of_text(source: Source) -> bool:
    """Whether a file is JSON Lines of passages, and no test with a header."""
    if _suffix(source) not in LINES:
        return False
    first = source.first_line
    return isinstance(first, dict) and "text" in first and "readmark" not in first


def _in_rows(file: CandidateFile) -> Iterator[PanelCandidate]:
    for line, row in read_rows(file.path, ("text",)):
        text = row["text"]
        if not isinstance(text, str):
            what = "nothing" if text is None else type(text).__name__
            raise DataError(f"text: expected a string, found {what}", file=file.path, where=line)
        id = row.get("id")
        name = str(id) if id not in (None, "") else text_id(text)
        yield _candidate(file, name, text, where=str(line), row=row)


def _in_test(
    file: CandidateFile, format: str | None, split: str | None
) -> Iterator[PanelCandidate]:
    test = open_test(file.path, format=format, split=split)
    for place, record in test.placed():
        text = text_of(record)
        if text is None:
            raise DataError(f"a {test.kind.name} test has no passages to rate", file=file.path)
        row = {
            **record.fields,
            "genre": getattr(record, "genre", None) or record.fields.get("genre"),
            "topic": getattr(record, "topic", None) or record.fields.get("topic"),
            "language": record.language or test.header.language,
            "article": getattr(record, "article", None) or title_of(record) or None,
        }
        candidate = _candidate(file, record.id, text, where=str(place), row=row)
        yield replace(candidate, licence=test.header.licence)


def _candidate(
    file: CandidateFile, id: str, text: str, *, where: str, row: Mapping[str, Any]
) -> PanelCandidate:
    genre = file.genre or _label(row, "genre")
    if genre is None:
        raise DataError(
            f"passage {id!r} has no genre: give it a field genre, or name the file's with "
            f"--genre NAME={file.path}",
            file=file.path,
            where=where,
        )
    return PanelCandidate(
        id=id,
        text=text,
        genre=genre,
        file=file.path,
        where=where,
        topic=_label(row, "topic"),
        language=_label(row, "language"),
        article=_label(row, "article"),
        licence=_label(row, "licence") or _label(row, "license"),
        fields={
            name: value
            for name, value in row.items()
            if name not in _MEMBERS and value is not None and value != ""
        },
    )


def _label(row: Mapping[str, Any], name: str) -> str | None:
    value = row.get(name)
    return str(value).strip() or None if isinstance(value, (str, int)) else None


def _suffix(source: Source) -> str:
    return "".join(source.suffixes[-1:])


def _bare_name(path: str) -> str:
    return Path(path).name.split(".")[0]
