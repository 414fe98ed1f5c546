"""The format brat: a folder of texts and annotations, a zip of one, or one pair of files.

brat has no questions: what is read is passages with layers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from readmark.core.encodings import Decoded
from readmark.core.errors import DataError
from readmark.core.folders import Folder
from readmark.core.new_folders import writing_folder
from readmark.core.problems import ReportProblem, unreadable
from readmark.core.records import Passage, RecordKey
from readmark.core.source import Source
from readmark.core.spans import clip
from readmark.core.test import Header, Placed, Test
from readmark.formats.brat.annotation_lines import BRAT_FIELD, annotation_lines
from readmark.formats.brat.coreference import add_mentions
from readmark.formats.brat.labels import LabelledSpan, layers_of_spans, split_by_visibility
from readmark.formats.brat.standoff import TextBound, read_standoff
from readmark.formats.losses import Losses, only_comprehension
from readmark.formats.native import with_id
from readmark.formats.text_losses import document_losses, text_losses

_LONGEST_NAME = 200
"""Bytes of a file's name without its suffix: most file systems end at 255."""


class Brat:
    """A folder of texts and annotations, a zip of one, or one pair."""

    def recognises(self, source: Source) -> bool:
        """A folder with annotations of texts, or a file of a pair."""
        if source.folder is not None:
            names = {name.lower() for name in source.folder.names}
            return any(
                f"{_stem(name)}.txt".lower() in names for name in source.folder.named(".ann")
            )
        return source.path.suffix.lower() in (".ann", ".txt") and all(
            source.path.with_suffix(suffix).is_file() for suffix in (".ann", ".txt")
        )

    def read(self, source: Source) -> Test:
        """The test in a folder; passages are read as they are asked for."""
        folder = source.folder or Folder(source.path.parent)
        stems = [_stem(name) for name in folder.named(".ann")]
        if source.folder is None:
            stems = [source.path.stem]
        if not stems:
            what = f"holds no .ann files, expected those of brat; it holds {folder.shown()}"
            raise DataError(what, file=source.file)

        def stream(report: ReportProblem) -> Iterator[Placed]:
            for stem in stems:
                try:
                    text, lines, file = _pair(folder, stem)
                except DataError as error:
                    report(unreadable(error))
                    continue
                passage = with_id(_passage(stem, text, lines, file, report))
                yield passage.id, passage

        return Test(Header(name=source.path.stem), stream, source.file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a text and its annotations for every passage; what was lost is named."""
        only_comprehension(test, "brat")
        losses = Losses()
        document_losses(losses, test.header)
        with writing_folder(path) as put:
            for passage in test.records():
                text_losses(losses, passage, key_field=BRAT_FIELD)
                name = file_name(passage.id, path)
                put(f"{name}.txt", passage.text)
                put(f"{name}.ann", annotation_lines(passage, losses))
        return losses.lines()


def file_name(id: str, path: Path) -> str:
    """A passage's id as the name of a file; what no name may hold is spelt as in addresses."""
    name = "".join(
        character
        if character.isalnum() or character in "_-" or (character == "." and index)
        else "".join(f"%{byte:02X}" for byte in character.encode())
        for index, character in enumerate(id)
    )
    if len(name.encode()) > _LONGEST_NAME:
        raise DataError(f"the id {clip(id)!r} is too long for the name of a file", file=path)
    return name


def _id(stem: str) -> str:
    """The id that a file's name spells, if it is one that `file_name` would write."""
    id = unquote(stem)
    return id if "%" in stem and file_name(id, Path()) == stem else stem


def _pair(folder: Folder, stem: str) -> tuple[Decoded, str, str]:
    """A text, its annotations, and what their file is called."""
    for suffix in (".txt", ".ann"):
        if folder.find(stem + suffix) is None:
            raise DataError("there is no such file", file=folder.place(stem + suffix))
    name, ann = folder.find(f"{stem}.txt") or "", folder.find(f"{stem}.ann") or ""
    # A byte order mark is a character of the text to brat, and its offsets count it.
    return folder.decoded(name, whole=True), folder.text(ann), folder.place(ann)


def _passage(stem: str, text: Decoded, lines: str, file: str, report: ReportProblem) -> Passage:
    standoff = read_standoff(text.text, lines, file, report)
    spans = [*standoff.bound.values(), *add_mentions(standoff, file, report)]
    layers = layers_of_spans(map(_labelled, spans))
    fields = {}
    if standoff.others:
        ids = {
            spans[index].id: [name, position]
            for name, (_, indexes) in layers.items()
            for position, index in enumerate(indexes)
        }
        fields = {BRAT_FIELD: {"lines": standoff.others, "ids": ids}}
    visible, hidden = split_by_visibility({name: layer for name, (layer, _) in layers.items()})
    return Passage(
        id=_id(stem),
        text=text.text,
        layers=visible,
        fields=dict(text.fields),
        key=RecordKey(layers=hidden, fields=fields) if hidden or fields else None,
    )


def _labelled(bound: TextBound) -> LabelledSpan:
    columns = dict(bound.attributes)
    if len(bound.fragments) > 1:
        columns["fragments"] = [list(fragment) for fragment in bound.fragments]
    if bound.notes:
        columns["note"] = bound.notes[0] if len(bound.notes) == 1 else bound.notes
    return LabelledSpan(bound.span, bound.type, columns, bound.source)


def _stem(name: str) -> str:
    return name[: -len(PurePosixPath(name).suffix)]


BRAT = Brat()
