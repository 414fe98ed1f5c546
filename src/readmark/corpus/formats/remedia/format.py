"""Remedia: remedial reading sheets as MITRE annotated them for "Deep Read" (Hirschman 1999).

The release keeps a story in several editions, ``level2/org/X``, ``level2/snra/X.snra`` (answer
sentences), ``level2/ne/X.ne`` (entities) and ``level2/coref/X.coref``; they are read as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from readmark.corpus.decoding import Decoded, decoded_as
from readmark.corpus.errors import DataError
from readmark.corpus.files import read_bytes
from readmark.corpus.folders import Folder
from readmark.corpus.formats.members import Fault
from readmark.corpus.formats.remedia.layers import Edition, passage_of
from readmark.corpus.formats.remedia.sheet import begins_like_a_sheet, looks_like_a_sheet, sheets
from readmark.corpus.formats.tagged_text import untagged
from readmark.corpus.problems import Problem, Report, remark, unreadable
from readmark.corpus.source import Source, unknown
from readmark.corpus.test import Header, Placed, Test

EDITIONS = ("org", "snra", "ne", "coref")
"""The folders and suffixes of the editions; the first that is there gives the text."""
_SUFFIXES = frozenset({".txt", ".story", *(f".{name}" for name in EDITIONS)})
_LEVEL = re.compile(r"level[ _-]?(\d)", re.IGNORECASE)
_NOUN_PHRASE = re.compile(r"<\s*NP\b", re.IGNORECASE)
SAMPLE = 3


class Remedia:
    """A sheet, or a folder or zip of them."""

    folders = True

    def recognises(self, source: Source) -> bool:
        """A folder of editions or of sheets, or one sheet."""
        folder = source.folder
        if folder is None:
            if source.looks_json or not begins_like_a_sheet(source.head.decode("utf-8", "replace")):
                return False
            # The questions of a long story may stand behind the head.
            return _is_sheet(source.head) or _is_sheet(read_bytes(source.path))
        if folder.named(".snra") or folder.named(".coref"):
            return True
        if folder.named(".ann") or folder.named(".story"):
            return False
        sample = [name for name in folder.names if _is_text(name)][:SAMPLE]
        return any(_is_sheet(folder.read(name)) for name in sample)

    def read(self, source: Source) -> Test:
        """The test in a folder or file; stories are read as they are asked for."""
        folder = source.folder
        grouped = _grouped(folder) if folder else {source.path.stem: [source.path.name]}
        if not grouped:
            raise unknown(source, "a folder of Remedia's", "remedia", "remedia")

        def stream(report: Report) -> Iterator[Placed]:
            for stem, names in grouped.items():
                grade = _LEVEL.search(stem)
                editions = []
                for name in names:
                    file = folder.place(name) if folder else source.file
                    try:
                        read = folder.decoded(name) if folder else _text(source)
                    except DataError as error:
                        report(unreadable(error))
                        continue
                    try:
                        editions.append(_edition(name, file, read, report))
                    except Fault as fault:
                        report(fault.problem(file))
                for at in range(max((len(one.sheets) for one in editions), default=0)):
                    several = len(editions[0].sheets) > 1
                    id = f"{stem}-{at + 1}" if several else stem
                    same = [one for one in editions if at < len(one.sheets)]
                    passage = passage_of(id, same, at, int(grade[1]) if grade else None, report)
                    yield passage.id, passage

        return Test(Header(name=source.path.stem), stream, source.file)


def _text(source: Source) -> Decoded:
    return decoded_as(read_bytes(source.path), source.file)


def _edition(name: str, file: str, read: Decoded, report: Report) -> Edition:
    plain = untagged(read.text)
    for line, tag in plain.unpaired:
        remark(report, Problem(file, line, "tag", f"{tag} has no partner, it is taken out"))
    suffix = PurePosixPath(name).suffix.lower().lstrip(".")
    kind = suffix if suffix in EDITIONS else PurePosixPath(name).parent.name.lower()
    found = tuple(sheets(plain.text))
    for sheet in found:
        if sheet.unmatched is not None:
            line, what = sheet.unmatched
            report(Problem(file, line, "answer_keys", what))
    return Edition(file, kind, plain, found, read.fields)


def _grouped(folder: Folder) -> dict[str, list[str]]:
    """The files of every story, its text's first; stories are named by file, or path if need be."""
    found: dict[str, list[str]] = {}
    for name in folder.names:
        path = PurePosixPath(name)
        if not _is_text(name):
            continue
        folders = [part for part in path.parent.parts if part.lower() not in EDITIONS]
        last = path.stem if path.suffix.lower() in _SUFFIXES else path.name
        found.setdefault("/".join([*folders, last]), []).append(name)
    for names in found.values():
        names.sort(key=_rank)
    short = [PurePosixPath(stem).name for stem in found]
    if len(set(short)) < len(short) or any(_LEVEL.search(stem) for stem in found):
        return found
    return dict(zip(short, found.values(), strict=True))


def _rank(name: str) -> int:
    path = PurePosixPath(name)
    for place, kind in enumerate(EDITIONS):
        if path.suffix.lower() == f".{kind}" or path.parent.name.lower() == kind:
            return place
    return 0


def _is_text(name: str) -> bool:
    """Whether a file may be a sheet: by suffix, none included (``rm2-1`` has none)."""
    suffix = PurePosixPath(name).suffix.lower()
    return suffix in _SUFFIXES or not suffix or any(part in EDITIONS for part in name.split("/"))


def _is_sheet(data: bytes) -> bool:
    if b"\0" in data or data.lstrip()[:1] in (b"{", b"["):
        return False
    text = data.decode("utf-8", "replace")
    return not _NOUN_PHRASE.search(text) and looks_like_a_sheet(untagged(text).text)


REMEDIA = Remedia()
