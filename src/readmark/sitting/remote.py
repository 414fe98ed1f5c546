"""A test that is sat from elsewhere: the paper goes out as lines, and answers come in as rows.

The rows are those of a native sitting. Whoever keeps them, such as the hall in its database, keeps
their texts, and makes a sitting of them in the end.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.binding import paper_members
from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS, json_fault
from readmark.core.hidden_marks import require_short_answers
from readmark.core.json_lines import in_words, json_line
from readmark.core.kinds import kind_named
from readmark.core.record_members import split_of
from readmark.core.row_lines import RowLines, row_lines
from readmark.core.sitting import Row, SittingHeader
from readmark.core.splits import only_splits, without_keys
from readmark.core.test import Test
from readmark.formats.native import NATIVE, header_line
from readmark.formats.registry import open_test
from readmark.hooks import Kind

MOST_ROWS = 1000
"""Rows that come in at once."""
_ROWS = msgspec.json.Decoder(list[msgspec.Raw])


@dataclass(frozen=True)
class _PaperRecord:
    """A line of the paper: its split, and its units' ids."""

    split: str
    units: tuple[str, ...]


@dataclass(frozen=True)
class RemotePaper:
    """The paper of a test as a native file without a key, read in one pass for each reader.

    The folder goes with the last reader of the paper. A split without a name is ``""``.
    """

    kind: Kind
    _folder: tempfile.TemporaryDirectory[str]
    _records: tuple[_PaperRecord, ...]
    _members: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, test: Path) -> RemotePaper:
        """The paper of the test in a file, which may go then."""
        folder = tempfile.TemporaryDirectory(prefix="readmark-paper-")
        paper = open_test(test).paper()
        records = [
            _PaperRecord(
                split_of(record) or "", tuple(unit.id for unit in paper.kind.units(record))
            )
            for record in paper.records()
        ]
        NATIVE.write(paper, Path(folder.name) / "paper.jsonl")
        return cls(kind_named(paper.kind.name), folder, tuple(records))

    def _test(self, splits: Iterable[str]) -> Test:
        paper = open_test(Path(self._folder.name) / "paper.jsonl")
        return only_splits(paper, tuple(name or None for name in splits))

    def _units(self, splits: Collection[str]) -> set[str]:
        return {id for record in self._records if record.split in splits for id in record.units}

    def lines(
        self, splits: Sequence[str], hidden: Sequence[str], answered: Collection[str]
    ) -> Iterator[bytes]:
        """The header, then the records of some splits that have units without an answer."""
        part = without_keys(self._test(splits), [name for name in hidden if name in splits])
        yield header_line(part.header)
        with (Path(self._folder.name) / "paper.jsonl").open("rb") as lines:
            next(lines)
            for record, text in zip(self._records, lines, strict=True):
                if record.split in splits and any(id not in answered for id in record.units):
                    yield text

    def read_rows(
        self, content: bytes, splits: Collection[str], hidden: Collection[str]
    ) -> list[tuple[str, str]]:
        """The units that a request answers, each with its row as text; a fault names the row.

        A request is lines of JSON, or ``{"rows": [...]}``. Answers to hidden splits must be short:
        long ones could be guesses by the dozen.
        """
        lines, units = row_lines(self.kind), self._units(splits)
        rows = [_read_row(number, text, lines) for number, text in _parts(content)]
        for number, row in enumerate(rows, 1):
            _require_answer(number, row, self.kind, units)
        hidden_units = self._units(hidden)
        require_short_answers(row for row in rows if row.id in hidden_units)
        return [(row.id, lines.encode(row).decode()) for row in rows]

    @staticmethod
    def is_answer(kind: str, row: str) -> bool:
        """Whether a row of a kind of test is an answer; an error, or a reason for none, is not."""
        return row_lines(kind_named(kind)).decode(row).answered

    def sitting(self, candidate: str, splits: Sequence[str], rows: Iterable[str]) -> bytes:
        """The native sitting of some splits that these rows make."""
        key = tuple(splits)
        if key not in self._members:
            self._members[key] = paper_members(self._test(splits))
        header = SittingHeader(kind=self.kind.name, candidate=candidate, **self._members[key])
        members = {"readmark": header.readmark, "file": header.file, **msgspec.to_builtins(header)}
        return json_line(members) + "".join(f"{row}\n" for row in rows).encode()


def _parts(content: bytes) -> list[tuple[int, bytes]]:
    """The rows of a request with their numbers, as they were sent."""
    wrapped = _wrapped(content)
    if wrapped is not None:
        parts = [(number, bytes(raw)) for number, raw in enumerate(wrapped, 1)]
    else:
        numbered = enumerate(content.split(b"\n"), 1)
        parts = [(number, text) for number, text in numbered if text.strip()]
    if not parts:
        raise DataError("the request has no rows")
    if len(parts) > MOST_ROWS:
        raise DataError(f"the request has {len(parts)} rows, expected {MOST_ROWS} at most")
    return parts


def _wrapped(content: bytes) -> list[msgspec.Raw] | None:
    """The rows of an object with the only member ``rows``; None if it is anything else."""
    try:
        members = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
    except JSON_ERRORS:
        return None
    if set(members) != {"rows"}:
        return None
    try:
        return _ROWS.decode(members["rows"])
    except msgspec.ValidationError as error:
        raise DataError(f"rows: {in_words(error)}") from None


def _read_row(number: int, text: bytes, lines: RowLines) -> Row:
    try:
        return lines.decode(text)
    except msgspec.ValidationError as error:
        raise DataError(in_words(error), file="row", where=number) from None
    except JSON_ERRORS as error:
        what, offset = json_fault(text, error)
        raise DataError(f"{what} at byte {offset + 1}", file="row", where=number) from None


def _require_answer(number: int, row: Row, kind: Kind, units: Collection[str]) -> None:
    """Refuse a row that is no answer to a unit of the paper."""
    if row.id not in units:
        raise DataError(f"the paper has no unit {row.id[:60]!r}", file="row", where=number)
    if row.repeat:
        message = f"repeat is {row.repeat}: a sitting through the API has one answer to a unit"
        raise DataError(message, file="row", where=number)
    if row.error is None and not row.states_answer:
        message = f"the row of {row.id!r} has neither {kind.answer!r} nor 'error'"
        raise DataError(message, file="row", where=number)
    if row.answer is not msgspec.UNSET and row.error is None:
        try:
            kind.read_answer(row)
        except DataError as error:
            raise DataError(error.message, file="row", where=number) from None
