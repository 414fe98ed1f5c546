"""A marksheet: what was marked, unit by unit, and the marks; all that a report needs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_lines
from readmark.core.json_lines import decode, json_line, read_header
from readmark.core.kinds import KINDS, kind_named
from readmark.core.parsed_names import parse_name
from readmark.core.problems import fail
from readmark.core.records import Labelled, Number, Scalar, Value
from readmark.core.row_lines import filed_struct, row_lines
from readmark.core.seen import SeenPassages
from readmark.core.sitting import Repeats, Row
from readmark.core.source import Source
from readmark.core.test import SCHEMA
from readmark.core.writing import writing

if TYPE_CHECKING:
    from readmark.hooks import Kind

Vector = tuple[Number, ...]


class MarkedSplit(Value, frozen=True):
    """A split of a test that was marked: its own two fingerprints."""

    paper: str
    key: str


AUTHORS, UNATTRIBUTED = "authors", "unattributed"
"""Who wrote references that are not answers of people: the test's authors, or nobody named."""
Method = Literal["leave-one-out", "panel"]
LEAVE_ONE_OUT: Final = "leave-one-out"
PANEL: Final = "panel"
"""How people are marked: an answer of the key against the others', or a panel's sittings."""
PEOPLE, REFERENCES = "people", "references"
"""What a figure next to the candidate's is of."""


class MarkedTest(Value, frozen=True):
    """The test that was marked: its name and both fingerprints."""

    name: str
    paper: str
    key: str
    language: str | None = None
    licence: str | None = None
    note: str | None = None
    """What the test's makers want readers of its numbers to know."""
    people: str | None = None
    """Who wrote the references: ``authors`` or ``unattributed`` where they are no human study."""
    preparation: str | None = None
    """The time and effort that the test took to prepare, in words."""
    split: str | None = None
    """The split that was marked, where the test has one alone."""
    splits: dict[str, MarkedSplit] = {}
    """Its splits, where there are several; "" has no name."""

    @property
    def title(self) -> str:
        """The name, and the split where the name does not say it."""
        if self.split is None or self.split.lower() in self.name.lower():
            return self.name
        return f"{self.name} ({self.split})"

    def who(self, method: str | None) -> str:
        """``people``, or ``references`` where those of the key are no study of people.

        Answers of a key are people's where the key names them, and its authors are no study.
        """
        is_no_study = self.people in (AUTHORS, UNATTRIBUTED)
        return REFERENCES if is_no_study and method != PANEL else PEOPLE


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
    registered: str | None = None
    """The name that the candidate is registered by, where it was called something else."""
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
    repeats: Repeats = 1
    """How it was sat, as the sitting's header says."""
    seen: SeenPassages | None = None
    """How much of what was marked the candidate learnt from, where it did."""


class MarkedRecord(Value, frozen=True, tag_field="row", tag="record"):
    """A passage, series or document, once."""

    id: str
    shown: tuple[Labelled, ...] = ()


class Alone(Value, frozen=True):
    """The candidate's and people's vectors against the leave-one-out reference sets."""

    machine: Vector
    people: Vector
    each: tuple[Vector, ...] = ()
    """Every annotator's against the others', in the order of the unit's ``annotators``."""


class MarkedClasses(Value, frozen=True):
    """The error classes of a unit's answers, as vectors: the candidate's and people's."""

    own: Vector | None = None
    alone: Alone | None = None
    panel: tuple[Vector | None, ...] | None = None


class MarkedUnit(Value, frozen=True, tag_field="row", tag="unit"):
    """A unit: its fields, every metric's vector, what was answered and what was wanted."""

    id: str
    group: str
    shown: tuple[Labelled, ...] = ()
    fields: dict[str, Scalar | list[Scalar]] = {}
    vectors: dict[str, Vector] = {}
    alone: dict[str, Alone] = {}
    panel: dict[str, tuple[Vector | None, ...]] = {}
    classes: MarkedClasses | None = None
    annotators: tuple[str, ...] = ()
    """Whose answers the key has, in the order of ``gold``, where leave-one-out was asked for."""
    answers: tuple[Row, ...] = ()
    """The sitting's rows of this unit, errors included."""
    people: tuple[tuple[Row, ...], ...] = ()
    """The rows of the panel's members, in their order."""
    gold: tuple[tuple[Any, ...], ...] = ()


class MarksRow(Value, frozen=True, tag_field="row", tag="marks"):
    """The last line: the marks, as ``mark --json`` prints them without units."""

    marks: dict[str, Any]


MarksheetRow = MarkedRecord | MarkedUnit | MarksRow


class MarksheetLines:
    """Rows of a marksheet to and from JSON: the answers in them as sittings of the kind have them.

    Only units hold answers, so other rows are what they are in JSON.
    """

    def __init__(self, kind: Kind) -> None:
        self._rows = row_lines(kind)
        row: Any = self._rows.struct
        types = {"answers": tuple[row, ...], "people": tuple[tuple[row, ...], ...]}
        config = MarkedUnit.__struct_config__
        self._unit = filed_struct(
            MarkedUnit, types, kind.answer, kw_only=True, tag_field=config.tag_field, tag=config.tag
        )
        self._decode = msgspec.json.Decoder(MarkedRecord | self._unit | MarksRow).decode

    def line(self, unit: MarkedUnit) -> bytes:
        """A unit as a line."""
        return json_line(self._unit(**self._changed(unit, self._rows.filed)))

    def decode(self, data: bytes) -> MarksheetRow:
        """The row in a line."""
        row: Any = self._decode(data)
        if isinstance(row, self._unit):
            return MarkedUnit(**self._changed(row, self._rows.row))
        other: MarksheetRow = row
        return other

    @staticmethod
    def _changed(unit: Any, change: Callable[[Any], Any]) -> dict[str, Any]:
        """The members of a unit with every answer in them as ``change`` makes it."""
        members = msgspec.structs.asdict(unit)
        members["answers"] = tuple(map(change, unit.answers))
        members["people"] = tuple(tuple(map(change, rows)) for rows in unit.people)
        return members


class MarksheetWriter:
    """Writes a marksheet while marking runs."""

    def __init__(self, stream: IO[bytes], header: MarksheetHeader) -> None:
        self._stream = stream
        self._last: str | None = None
        self._lines = MarksheetLines(kind_named(header.kind))
        # Readers look for these first; as defaults they would be left out.
        first = {"readmark": header.readmark, "file": header.file, "kind": header.kind}
        stream.write(json_line({**first, **msgspec.to_builtins(header)}))

    def record(self, id: str, shown: Sequence[Labelled]) -> None:
        """Write a record before its units; the same one again is ignored."""
        if id != self._last:
            self._last = id
            self._stream.write(json_line(MarkedRecord(id=id, shown=tuple(shown))))

    def unit(self, unit: MarkedUnit) -> None:
        """Write a unit."""
        self._stream.write(self._lines.line(unit))

    def marks(self, marks: Mapping[str, Any]) -> None:
        """Write the marks, as the last row."""
        self._stream.write(json_line(MarksRow(marks=dict(marks))))


@contextlib.contextmanager
def writing_marksheet(path: str | Path, header: MarksheetHeader) -> Iterator[MarksheetWriter]:
    """Write a marksheet whole or not at all."""
    with writing(path) as stream:
        yield MarksheetWriter(stream, header)


def is_marksheet(path: object) -> bool:
    """Whether a path is a marksheet's."""
    return isinstance(path, (str, Path)) and Source(path).readmark_file == "marksheet"


def read_marksheet_header(file: str) -> MarksheetHeader:
    """The header of a marksheet, with a kind that is known and the metrics that were marked."""
    header = read_header(file, MarksheetHeader)
    if header.kind not in KINDS:
        known = ", ".join(KINDS)
        raise DataError(f"kind {header.kind!r} is unknown; known: {known}", file=file, where=1)
    if not header.metrics:
        raise DataError("the header names no metrics; mark again", file=file, where=1)
    for name in header.metrics:
        try:
            parse_name(name)
        except UsageError as error:
            raise DataError(f"the header's metrics: {error}", file=file, where=1) from None
    return header


def read_marksheet_rows(file: str) -> Iterator[MarksheetRow]:
    """The rows of a marksheet; one that ends before its marks is refused."""
    return (row for _, row in checked_rows(file, read_marksheet_header(file)))


def checked_rows(
    file: str, header: MarksheetHeader, widths: Mapping[str, int] | None = None
) -> Iterator[tuple[int, MarksheetRow]]:
    """The rows with their line numbers, each checked against the header.

    ``widths`` says how many numbers a vector has, for the metrics whose vectors are used.
    """
    decoder = MarksheetLines(kind_named(header.kind))
    lines = read_lines(file)
    next(lines, None)
    ids: set[str] = set()
    has_vectors = True
    is_closed = False
    for number, line in lines:
        row: Any = decode(file, number, line, decoder, fail)
        if is_closed:
            raise DataError("a row follows the marks, which come last", file=file, where=number)
        if isinstance(row, MarkedUnit):
            if not ids:  # people's figure alone has no vectors of a candidate, in any unit
                has_vectors = bool(row.vectors)
            fault = "it is in the marksheet twice" if row.id in ids else None
            fault = fault or _unit_fault(row, header, widths or {}, has_vectors=has_vectors)
            if fault is not None:
                raise DataError(f"unit {row.id}: {fault}", file=file, where=number)
            ids.add(row.id)
        is_closed = isinstance(row, MarksRow)
        if is_closed and not ids:
            raise DataError("the marksheet has no units", file=file)
        yield number, row
    if not is_closed:
        raise DataError("the marksheet ends before its marks; mark again", file=file)


def _unit_fault(
    row: MarkedUnit, header: MarksheetHeader, widths: Mapping[str, int], *, has_vectors: bool
) -> str | None:
    """What is wrong with a unit's vectors: one missing or too short would spoil the sums."""
    if row.vectors and not has_vectors:
        return "it has vectors, but earlier units have none"
    for name, width in widths.items():
        vectors: list[Vector | None] = []
        if has_vectors:
            if name not in row.vectors:
                return f"it has no vector of {name}"
            vectors.append(row.vectors[name])
        if row.alone:
            if name not in row.alone:
                return f"it has no people's vector of {name}"
            alone = row.alone[name]
            if len(alone.each) not in (0, len(row.annotators)):
                annotators = f"{len(row.annotators)} annotators"
                return f"it has leave-one-out vectors of {len(alone.each)} for {annotators}"
            vectors += [alone.machine, alone.people, *alone.each]
        if row.panel:
            members = row.panel.get(name, ())
            if len(members) != len(header.panel):
                return f"it has {len(members)} vectors of {name} for a panel of {len(header.panel)}"
            vectors += members
        if fault := _width_fault(name, vectors, width):
            return fault
    if row.people and len(row.people) != len(header.panel):
        return f"it has answers of {len(row.people)} for a panel of {len(header.panel)}"
    if row.classes is None or header.classes is None:
        return None
    by_others, panel = row.classes.alone, row.classes.panel
    if panel is not None and len(panel) != len(header.panel):
        return f"it has error classes of {len(panel)} for a panel of {len(header.panel)}"
    leave_one_out = (by_others.machine, by_others.people, *by_others.each) if by_others else ()
    vectors = [row.classes.own, *leave_one_out, *(panel or ())]
    return _width_fault("error classes", vectors, len(header.classes.names) + 1)


def _width_fault(name: str, vectors: Sequence[Vector | None], width: int) -> str | None:
    for vector in vectors:
        if vector is not None and len(vector) != width:
            return f"the vector of {name} has {len(vector)} numbers, expected {width}"
    return None
