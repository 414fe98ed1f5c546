"""The format: a sheet, or a folder or zip of sheets in one or several editions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from readmark.comprehension.formats.remedia.editions import Edition, passage_of
from readmark.comprehension.formats.remedia.inline_tags import untagged
from readmark.comprehension.formats.remedia.sheets import (
    begins_like_a_sheet,
    looks_like_a_sheet,
    sheets,
)
from readmark.core.encodings import Decoded, decoded_as
from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.core.folders import Folder
from readmark.core.problems import Problem, ReportProblem, remark, unreadable
from readmark.core.source import Source, unknown
from readmark.core.test import Header, Placed, Test
from readmark.formats.members import Fault

EDITIONS = ("org", "snra", "ne", "coref")
"""The folders and suffixes of the editions; the first that is there gives the text."""
SAMPLE = 3
"""How many files of a folder are looked at to recognise it."""

_SUFFIXES = frozenset({".txt", ".story", *(f".{name}" for name in EDITIONS)})
_LEVEL = re.compile(r"level[ _-]?(\d)", re.IGNORECASE)
_NOUN_PHRASE = re.compile(r"<\s*NP\b", re.IGNORECASE)


class Remedia:
    """A sheet, or a folder or zip of them."""

    def recognises(self, source: Source) -> bool:
        """A folder of editions or of sheets, or one sheet."""
        folder = source.folder
        if folder is None:
            if source.looks_json or not begins_like_a_sheet(source.head.decode("utf-8", "replace")):
                return False
            # The questions of a long story may come after the head.
            return _is_sheet(source.head) or _is_sheet(read_bytes(source.path))
        if folder.named(".snra") or folder.named(".coref"):
            return True
        if folder.named(".ann") or folder.named(".story"):  # brat's folders, and CBC4Kids's
            return False
        sample = [name for name in folder.names if _may_be_sheet(name)][:SAMPLE]
        return any(_is_sheet(folder.read(name)) for name in sample)

    def read(self, source: Source) -> Test:
        """The test in a folder or file; each story is read when its passage is asked for."""
        folder = source.folder
        stories = _files_by_story(folder) if folder else {source.path.stem: [source.path.name]}
        if not stories:
            raise unknown(source, "a folder of Remedia's", "remedia", "remedia")

        def stream(report: ReportProblem) -> Iterator[Placed]:
            for stem, names in stories.items():
                level = _LEVEL.search(stem)
                grade = int(level[1]) if level else None
                editions = _editions(source, names, report)
                count = max((len(edition.sheets) for edition in editions), default=0)
                for index in range(count):
                    id = f"{stem}-{index + 1}" if len(editions[0].sheets) > 1 else stem
                    of_sheet = [edition for edition in editions if index < len(edition.sheets)]
                    passage = passage_of(id, of_sheet, index, grade, report)
                    yield passage.id, passage

        return Test(Header(name=source.path.stem), stream, source.file)


def _editions(source: Source, names: list[str], report: ReportProblem) -> list[Edition]:
    """The editions of a story that can be read."""
    folder = source.folder
    editions = []
    for name in names:
        file = folder.place(name) if folder else source.file
        try:
            if folder:
                decoded = folder.decoded(name)
            else:
                decoded = decoded_as(read_bytes(source.path), source.file)
        except DataError as error:
            report(unreadable(error))
            continue
        try:
            editions.append(_edition(name, file, decoded, report))
        except Fault as fault:
            report(fault.problem(file))
    return editions


def _edition(name: str, file: str, decoded: Decoded, report: ReportProblem) -> Edition:
    plain = untagged(decoded.text)
    for line, tag in plain.unpaired:
        remark(report, Problem(file, line, "tag", f"{tag} has no partner, it is taken out"))
    suffix = PurePosixPath(name).suffix.lower().lstrip(".")
    kind = suffix if suffix in EDITIONS else PurePosixPath(name).parent.name.lower()
    edition = Edition(file, kind, plain, tuple(sheets(plain.text)), decoded.fields)
    for sheet in edition.sheets:
        if sheet.unmatched is not None:
            line, message = sheet.unmatched
            report(Problem(file, line, "answer_keys", message))
    return edition


def _files_by_story(folder: Folder) -> dict[str, list[str]]:
    """The files of every story, the one with its text first.

    Stories are named by their file, or by their path if names would be equal or folders say the
    level.
    """
    stories: dict[str, list[str]] = {}
    for name in filter(_may_be_sheet, folder.names):
        path = PurePosixPath(name)
        folders = [part for part in path.parent.parts if part.lower() not in EDITIONS]
        last = path.stem if path.suffix.lower() in _SUFFIXES else path.name
        stories.setdefault("/".join([*folders, last]), []).append(name)
    for names in stories.values():
        names.sort(key=_rank)
    short = [PurePosixPath(stem).name for stem in stories]
    if len(set(short)) < len(short) or any(_LEVEL.search(stem) for stem in stories):
        return stories
    return dict(zip(short, stories.values(), strict=True))


def _rank(name: str) -> int:
    path = PurePosixPath(name)
    for rank, edition in enumerate(EDITIONS):
        if path.suffix.lower() == f".{edition}" or path.parent.name.lower() == edition:
            return rank
    return 0


def _may_be_sheet(name: str) -> bool:
    """Whether a file may be a sheet by its name; ``rm2-1`` of the original has no suffix."""
    suffix = PurePosixPath(name).suffix.lower()
    return suffix in _SUFFIXES or not suffix or any(part in EDITIONS for part in name.split("/"))


def _is_sheet(data: bytes) -> bool:
    if b"\0" in data or data.lstrip()[:1] in (b"{", b"["):
        return False
    text = data.decode("utf-8", "replace")
    # A BRCC file has such headings, too, and noun phrases, which no edition of Remedia has.
    return not _NOUN_PHRASE.search(text) and looks_like_a_sheet(untagged(text).text)


REMEDIA = Remedia()
