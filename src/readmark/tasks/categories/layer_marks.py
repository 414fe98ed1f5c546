"""Marks as layers: spans with a column ``type``, and columns for ids, values and relations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from readmark.core.errors import DataError
from readmark.core.record_members import text_of
from readmark.core.records import Layer, Passage
from readmark.core.test import Header, Test
from readmark.formats.brat.annotation_lines import BRAT_FIELD
from readmark.formats.native import Native
from readmark.formats.registry import open_test
from readmark.tasks.categories.definitions import SAME, Categories
from readmark.tasks.categories.marks import MarkedText, TextMark
from readmark.text.analysers.registry import ANALYSER_PREFIX

_MARK, _FRAGMENTS, _TYPE = "mark", "fragments", "type"
_CREATORS = ("creator", "annotator")


def read_layer_marks(
    path: str, categories: Categories, documents: Mapping[str, str]
) -> Iterator[MarkedText]:
    """The marks of each record: in its layer ``ne``, and in layers named after categories."""
    for record in open_test(path).records():
        text = text_of(record)
        if text is None:
            raise DataError("has no text to annotate", file=path, where=record.id)
        if record.key is not None and BRAT_FIELD in record.key.fields:
            message = "has brat's relations or events; name the folder or the .ann file itself"
            raise DataError(message, file=path, where=record.id)
        # A record may have the name of a file: the document is called as the task calls its text.
        ids = [id for id, words in documents.items() if words == text]
        stem = PurePosixPath(record.id).stem if record.id.endswith(".txt") else record.id
        document = ids[0] if len(ids) == 1 else stem
        marks: list[TextMark] = []
        unused = []
        for name, layer in {**record.layers, **(record.key.layers if record.key else {})}.items():
            if name == "ne" or name in categories.categories:
                try:
                    marks += _marks(name, layer, categories, len(marks))
                except (TypeError, ValueError):
                    message = f"the columns of the layer {name} cannot be read as marks"
                    raise DataError(message, file=path, where=record.id) from None
            elif layer.spans:
                unused.append(f"{record.id}: the layer {name}")
        yield MarkedText(document, text, tuple(marks), path, tuple(unused))


def _marks(name: str, layer: Layer, categories: Categories, before: int) -> Iterator[TextMark]:
    """The marks of a layer; those without an id are counted on from ``before``."""
    source = layer.source if not layer.source.startswith(ANALYSER_PREFIX) else ""
    ids = {id for id in layer.column(_MARK) if isinstance(id, str)}
    for index, span in enumerate(layer.spans):
        cells = {
            column: values[index]
            for column, values in layer.columns.items()
            if index < len(values) and values[index] is not None
        }
        id = cells.pop(_MARK, f"{name}-{before + index + 1}")
        category = cells.pop(_TYPE, "") if name == "ne" else name
        pieces = cells.pop(_FRAGMENTS, None) or [span]
        annotator = next((cells.pop(column) for column in _CREATORS if column in cells), source)
        spec = categories.categories.get(category)
        links = {
            relation: cells.pop(relation)
            for relation in (spec.relations if spec is not None else ())
            if isinstance(cells.get(relation), str) and cells[relation] in ids
        }
        same = cells.pop(SAME, ())
        yield TextMark(
            str(id),
            str(category),
            fragments=tuple((int(start), int(end)) for start, end in pieces),
            values=cells,
            links=links,
            same=(same,) if isinstance(same, str) else tuple(same),
            annotator=annotator or None,
            where=str(id),
        )


def write_layer_marks(marked: Sequence[MarkedText], path: str) -> None:
    """Write documents with their marks as a test."""
    passages = [_passage(document) for document in marked]

    def stream(_: Any) -> Iterator[tuple[str, Passage]]:
        yield from ((passage.id, passage) for passage in passages)

    Native().write(Test(Header(name=Path(path).stem), stream, path), Path(path))


def _passage(marked: MarkedText) -> Passage:
    rows: list[dict[str, Any]] = []
    for mark in marked.marks:
        row = {_MARK: mark.id, _TYPE: mark.category, **mark.values, **mark.links}
        if mark.same:
            row[SAME] = list(mark.same)
        if len(mark.fragments) > 1:
            row[_FRAGMENTS] = [list(span) for span in mark.fragments]
        if mark.annotator:
            row["annotator"] = mark.annotator
        rows.append(row)
    names = dict.fromkeys(name for row in rows for name in row)
    layer = Layer(
        spans=tuple(  # the words of a mark need not be in reading order
            (min(start for start, _ in mark.fragments), max(end for _, end in mark.fragments))
            for mark in marked.marks
        ),
        columns={name: tuple(row.get(name) for row in rows) for name in names},
    )
    return Passage(id=marked.id, text=marked.text, layers={"ne": layer} if rows else {})
