"""A marksheet: what was marked, unit by unit, and the marks; all that a report needs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.files import read_lines, writing
from readmark.corpus.formats.lines import decode, line, read_header
from readmark.corpus.problems import fail
from readmark.corpus.sitting import Row
from readmark.corpus.test import SCHEMA
from readmark.corpus.values import Labelled, Value


class MarkedTest(Value, frozen=True):
    """The test that was marked: its name and both fingerprints."""

    name: str
    paper: str
    key: str
    language: str | None = None
    licence: str | None = None
    note: str | None = None
    """What the test's makers want said beside its numbers."""
    people: str | None = None
    """Who wrote the references: ``authors`` where they are no human study."""
    preparation: str | None = None
    """The time and effort that the test took to prepare, in words."""


class ErrorNames(Value, frozen=True):
    """The error classes in the order of the units' vectors, and the rules that decide one."""

    names: tuple[str, ...]
    signature: str


class MarksheetHeader(Value, frozen=True, kw_only=True):
    """The first line: test, candidate, metrics with their signatures, settings."""

    readmark: int = SCHEMA
    file: str = "marksheet"
    kind: str = "comprehension"
    test: MarkedTest
    candidate: str
    signature: dict[str, Any] = {}
    metrics: dict[str, str] = {}
    settings: dict[str, Any] = {}
    classes: ErrorNames | None = None
    """The error classes, where the kind of test has any."""
    panel: tuple[str, ...] = ()
    """The names of the panel's members, in the order of their vectors."""
    covers: str | None = None
    """What part of the test was sat, in words, when it was not the whole."""
    limit: int | None = None
    without: str | None = None
    cross: str | None = None
    rewrite: str | None = None
    shuffle_options: int | None = None
    repeats: int = 1
    """How it was sat, as the sitting's header says."""


class MarkedRecord(Value, frozen=True, tag_field="row", tag="record"):
    """A passage, series or document, once."""

    id: str
    shown: tuple[Labelled, ...] = ()


class Alone(Value, frozen=True):
    """The candidate's and people's vectors against the leave-one-out reference sets."""

    machine: tuple[float, ...]
    people: tuple[float, ...]


class MarkedClasses(Value, frozen=True):
    """The error classes of a unit's answers, as vectors: the candidate's and people's."""

    own: tuple[float, ...] | None = None
    alone: Alone | None = None
    panel: tuple[tuple[float, ...] | None, ...] | None = None


class MarkedUnit(Value, frozen=True, tag_field="row", tag="unit"):
    """A unit: its fields, every metric's vector, what was answered and what was wanted."""

    id: str
    group: str
    shown: tuple[Labelled, ...] = ()
    fields: dict[str, Any] = {}
    vectors: dict[str, tuple[float, ...]] = {}
    alone: dict[str, Alone] = {}
    panel: dict[str, tuple[tuple[float, ...] | None, ...]] = {}
    classes: MarkedClasses | None = None
    answers: tuple[Row, ...] = ()
    """The sitting's rows of this unit, errors included."""
    gold: tuple[tuple[Any, ...], ...] = ()


class MarksRow(Value, frozen=True, tag_field="row", tag="marks"):
    """The last line: the marks, as ``mark --json`` prints them without units."""

    marks: dict[str, Any]


MarksheetRow = MarkedRecord | MarkedUnit | MarksRow


class MarksheetWriter:
    """Writes a marksheet as marking goes on."""

    def __init__(self, stream: IO[bytes], header: MarksheetHeader) -> None:
        self._stream = stream
        self._last: str | None = None
        known = {"readmark": header.readmark, "file": header.file, "kind": header.kind}
        stream.write(line({**known, **msgspec.to_builtins(header)}))

    def record(self, id: str, shown: Sequence[Labelled]) -> None:
        """A record, before its units; said again it is passed over."""
        if id != self._last:
            self._last = id
            self._stream.write(line(MarkedRecord(id=id, shown=tuple(shown))))

    def unit(self, unit: MarkedUnit) -> None:
        """A unit."""
        self._stream.write(line(unit))

    def marks(self, marks: Mapping[str, Any]) -> None:
        """The marks, last."""
        self._stream.write(line(MarksRow(marks=dict(marks))))


@contextlib.contextmanager
def writing_marksheet(path: str | Path, header: MarksheetHeader) -> Iterator[MarksheetWriter]:
    """Write a marksheet whole or not at all."""
    with writing(path) as stream:
        yield MarksheetWriter(stream, header)


def read_marksheet_header(file: str) -> MarksheetHeader:
    """The header of a marksheet."""
    return read_header(file, MarksheetHeader)


def read_marksheet_rows(file: str) -> Iterator[MarksheetRow]:
    """The rows of a marksheet; one without its closing marks is not whole."""
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(MarkedRecord | MarkedUnit | MarksRow)
    lines = read_lines(file)
    next(lines, None)
    last: Any = None
    for number, raw in lines:
        last = decode(file, number, raw, decoder, fail)
        yield last
    if not isinstance(last, MarksRow):
        raise DataError("the marksheet ends before its marks; mark again", file=file)
