"""Files of marks, as annotation tools write them: brat standoff, or layers with columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.tasks.categories.brat_marks import ANN, read_brat_marks, write_brat_marks
from readmark.tasks.categories.definitions import SAME, Categories
from readmark.tasks.categories.layer_marks import read_layer_marks, write_layer_marks
from readmark.tasks.categories.marks import MarkedText

WRITTEN = (ANN, ".jsonl")
"""Suffixes of files of marks: brat, Readmark's own."""


def read_marks(
    path: str,
    categories: Categories,
    *,
    text: str | None = None,
    annotator: str | None = None,
    documents: Mapping[str, str] | None = None,
) -> list[MarkedText]:
    """The documents of a file with their marks.

    ``text`` is the document's file; without one, and without a .txt file next to brat's, the text
    is that of ``documents``. ``annotator`` made all marks, whatever the file says.
    """
    brat_files = _brat_files(path)
    if brat_files:
        if text is not None and len(brat_files) > 1:
            raise UsageError(f"{path} has {len(brat_files)} documents, and --text is one")
        marked = [read_brat_marks(file, categories, text, documents or {}) for file in brat_files]
    else:
        if text is not None:
            raise UsageError(f"{path} has its text with it; --text is for brat's .ann files")
        marked = list(read_layer_marks(path, categories, documents or {}))
    for document in marked:
        _require_sound(document, categories)
    if annotator is None:
        return marked
    return [
        replace(
            document, marks=tuple(replace(mark, annotator=annotator) for mark in document.marks)
        )
        for document in marked
    ]


def _brat_files(path: str) -> list[str]:
    """The .ann files that a path means: itself, the one of a text, or those of a folder."""
    if Path(path).is_dir():
        return sorted(str(file) for file in Path(path).glob(f"*{ANN}"))
    beside = Path(path).with_suffix(ANN)
    if path.lower().endswith(".txt") and beside.is_file():
        return [str(beside)]
    return [path] if path.lower().endswith(ANN) else []


def _require_sound(marked: MarkedText, categories: Categories) -> None:
    """Refuse marks of an unknown category, without words, or with lines that lead nowhere."""
    ids: set[str] = set()
    for mark in marked.marks:
        if mark.id in ids:
            raise marked.wrong(mark, "the id occurs twice")
        ids.add(mark.id)
        if mark.category not in categories.categories:
            hint = did_you_mean(mark.category, categories.categories)
            message = f"{mark.category!r} is not a category of {categories.file}; {hint}"
            raise marked.wrong(mark, message)
        for start, end in mark.fragments:
            if not 0 <= start < end <= len(marked.text):
                size = len(marked.text)
                message = f"{start}–{end} is not a stretch of the text, which has {size}"
                raise marked.wrong(mark, message)
    for mark in marked.marks:
        for name, target in (*mark.links.items(), *((SAME, target) for target in mark.same)):
            if target not in ids:
                raise marked.wrong(mark, f"{name} leads to {target}, which is not a mark")


def write_marks(marked: Sequence[MarkedText], path: str) -> list[str]:
    """Write documents with all that their marks say; the files that were written."""
    if not path.lower().endswith(ANN):
        write_layer_marks(marked, path)
        return [path]
    if len(marked) > 1:
        raise DataError(f"brat has a file for each of {len(marked)} documents", file=path)
    return write_brat_marks(marked[0], path)
