"""brat standoff: a folder (or zip) of ``.txt`` files, each with an ``.ann`` file beside it.

brat has no questions: what is read is passages with layers. Coreference is the relation Coref,
from an anaphor to its antecedent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from readmark.corpus.decoding import Decoded
from readmark.corpus.errors import DataError
from readmark.corpus.folders import Folder, writing_folder
from readmark.corpus.formats.annotation_layers import (
    Labelled,
    document_losses,
    gathered,
    questions_lost,
    shared_out,
    text_losses,
)
from readmark.corpus.formats.brat.coreference import COREF, mentions
from readmark.corpus.formats.brat.lines import Bound, Standoff, read_standoff
from readmark.corpus.formats.brat.writing import OWN, SOURCE, annotation_lines
from readmark.corpus.formats.losses import Losses, only_comprehension
from readmark.corpus.formats.native import with_id
from readmark.corpus.problems import Problem, Report, unreadable
from readmark.corpus.source import Source
from readmark.corpus.spans import clip
from readmark.corpus.test import Header, Placed, Test
from readmark.corpus.values import Passage, RecordKey

LONGEST_NAME = 200


class Brat:
    """A folder of texts and annotations, a zip of one, or one pair."""

    folders = True

    def recognises(self, source: Source) -> bool:
        """A folder with annotations of texts, or a file of a pair."""
        if source.folder is not None:
            names = {name.lower() for name in source.folder.names}
            return any(
                f"{_stem(name)}.txt".lower() in names for name in source.folder.named(".ann")
            )
        pair = source.path.suffix.lower() in (".ann", ".txt")
        return pair and all(source.path.with_suffix(one).is_file() for one in (".ann", ".txt"))

    def read(self, source: Source) -> Test:
        """The test in a folder; passages are read as they are asked for."""
        folder = source.folder or Folder(source.path.parent)
        stems = [_stem(name) for name in folder.named(".ann")]
        if source.folder is None:
            stems = [source.path.stem]
        if not stems:
            what = f"holds no .ann files, expected those of brat; it holds {folder.shown()}"
            raise DataError(what, file=source.file)

        def stream(report: Report) -> Iterator[Placed]:
            for stem in stems:
                try:
                    read, lines, file = _pair(folder, stem)
                except DataError as error:
                    report(unreadable(error))
                    continue
                passage = with_id(_passage(stem, read, lines, file, report))
                yield passage.id, passage

        return Test(Header(name=source.path.stem), stream, source.file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a text and its annotations for every passage; what was lost is named."""
        only_comprehension(test, "brat")
        losses = Losses()
        document_losses(losses, test.header)
        with writing_folder(path) as put:
            for passage in test.records():
                text_losses(losses, passage, own=OWN)
                questions_lost(losses, passage)
                name = file_name(passage.id, path)
                put(f"{name}.txt", passage.text)
                put(f"{name}.ann", annotation_lines(passage, losses))
        return losses.lines()


def file_name(id: str, path: Path) -> str:
    """A passage's id as the name of a file; what no name may hold is spelt as in addresses."""
    name = "".join(_spelt(one, at) for at, one in enumerate(id))
    if len(name.encode()) > LONGEST_NAME:
        raise DataError(f"the id {clip(id)!r} is too long for the name of a file", file=path)
    return name


def _spelt(one: str, at: int) -> str:
    if one.isalnum() or one in "_-" or (one == "." and at):
        return one
    return "".join(f"%{byte:02X}" for byte in one.encode())


def _id(stem: str) -> str:
    """The id that a file's name spells."""
    plain = unquote(stem)
    return plain if "%" in stem and file_name(plain, Path()) == stem else stem


def _pair(folder: Folder, stem: str) -> tuple[Decoded, str, str]:
    """A text, its annotations, and what their file is called; a mark at its head is a character."""
    for suffix in (".txt", ".ann"):
        if folder.find(stem + suffix) is None:
            raise DataError("there is no such file", file=folder.place(stem + suffix))
    name, ann = folder.find(f"{stem}.txt") or "", folder.find(f"{stem}.ann") or ""
    return folder.decoded(name, whole=True), folder.text(ann), folder.place(ann)


def _passage(stem: str, read: Decoded, lines: str, file: str, report: Report) -> Passage:
    text = read.text
    standoff = _standoff(text, lines, file, report)
    ordered = [*standoff.bound.values(), *mentions(standoff, file, report)]
    layers = gathered(map(_labelled, ordered))
    kept = {}
    if standoff.others:
        at = {
            ordered[place].id: [name, number]
            for name, (_, places) in layers.items()
            for number, place in enumerate(places)
        }
        kept = {OWN: {"lines": standoff.others, "ids": at}}
    seen, hidden = shared_out({name: layer for name, (layer, _) in layers.items()})
    key = RecordKey(layers=hidden, fields=kept) if hidden or kept else None
    return Passage(id=_id(stem), text=text, layers=seen, fields=dict(read.fields), key=key)


def _standoff(text: str, lines: str, file: str, report: Report) -> Standoff:
    """The annotations; offsets that count CR LF as one character, as some tools do, are mended."""
    wrong: list[Problem] = []
    found = read_standoff(text, lines, file, wrong.append, relations=COREF, source=SOURCE)
    if wrong and "\r\n" in text:
        still: list[Problem] = []
        folded = text.replace("\r\n", "\n")
        again = read_standoff(folded, lines, file, still.append, relations=COREF, source=SOURCE)
        if len(still) < len(wrong):
            places = [at for at, one in enumerate(text) if one != "\n" or text[at - 1 : at] != "\r"]
            places.append(len(text))
            for id, one in again.bound.items():
                moved = tuple((places[start], places[end]) for start, end in one.fragments)
                again.bound[id] = replace(one, fragments=moved)
            found, wrong = again, still
    for problem in wrong:
        report(problem)
    return found


def _labelled(one: Bound) -> Labelled:
    columns = dict(one.attributes)
    if len(one.fragments) > 1:
        columns["fragments"] = [list(piece) for piece in one.fragments]
    if one.notes:
        columns["note"] = one.notes[0] if len(one.notes) == 1 else one.notes
    return Labelled(one.span, one.type, columns, one.source)


def _stem(name: str) -> str:
    return name[: -len(PurePosixPath(name).suffix)]


BRAT = Brat()
