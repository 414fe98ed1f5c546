"""Sitting a shared task through the API: the paper is streamed, answers are stored as they come.

A sitting is an open submission. Its answers are rows of a native sitting, in the database before
they are acknowledged; finishing makes a file of them, which is marked like any other. What is still
open when its phase ends is handed in as it is.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session, undefer

from readmark.core.binding import paper_members
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.files import JSON_ERRORS, json_fault
from readmark.core.hidden_marks import require_short_answers
from readmark.core.json_lines import in_words, json_line
from readmark.core.kinds import kind_named
from readmark.core.row_lines import RowLines, row_lines
from readmark.core.sitting import Row, SittingHeader
from readmark.core.splits import only_splits, without_keys
from readmark.core.test import Test, split_of
from readmark.formats.native import NATIVE, header_line
from readmark.formats.registry import open_test
from readmark.hooks import Kind
from readmark.server.database import Database
from readmark.server.shared_tasks.options import SharedTaskOptions, options_of
from readmark.server.shared_tasks.submissions import (
    FAILED,
    OPEN,
    TaskClosed,
    hand_in,
    open_phase,
)
from readmark.server.stored_project import kept_about
from readmark.server.tables import Project, ProjectFile, SatAnswer, Submission
from readmark.server.views import newest_configuration

ORIGIN = "api"
MOST_ROWS = 1000
"""Rows in one request."""
MOST_PAPERS = 8
"""Papers that a process keeps on disk."""
_BATCH = 500
"""Ids in one query."""
_ROWS = msgspec.json.Decoder(list[msgspec.Raw])


class LargeSitting(UsageError):
    """A sitting has more bytes than the hall takes."""

    status = 413


# The paper: a file without any key, and the units of each of its records.


@dataclass(frozen=True)
class PaperRecord:
    """A line of the paper: its split, and its units' ids."""

    split: str
    units: tuple[str, ...]


@dataclass(frozen=True)
class ServedPaper:
    """The paper of a shared task as a native file without a key, read in one pass for each reader.

    The folder goes with the last reader of the paper.
    """

    folder: tempfile.TemporaryDirectory[str]
    records: tuple[PaperRecord, ...]
    kind: Kind
    members: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)

    @property
    def test(self) -> Test:
        """The paper as a test."""
        return open_test(Path(self.folder.name) / "paper.jsonl")

    def units(self, splits: Collection[str]) -> set[str]:
        """The ids of the units of some splits."""
        return {id for record in self.records if record.split in splits for id in record.units}

    def lines(
        self, splits: Sequence[str], hidden: Sequence[str], answered: Collection[str]
    ) -> Iterator[bytes]:
        """The header, then the records of some splits that have units without an answer."""
        part = only_splits(self.test, _names(splits))
        yield header_line(without_keys(part, [name for name in hidden if name in splits]).header)
        with (Path(self.folder.name) / "paper.jsonl").open("rb") as lines:
            next(lines)
            for record, text in zip(self.records, lines, strict=True):
                if record.split in splits and any(id not in answered for id in record.units):
                    yield text

    def binding(self, splits: Sequence[str]) -> dict[str, Any]:
        """The members of a sitting's header that bind it to some splits of the paper."""
        key = tuple(splits)
        if key not in self.members:
            self.members[key] = paper_members(only_splits(self.test, _names(splits)))
        return self.members[key]


def _names(splits: Iterable[str]) -> tuple[str | None, ...]:
    return tuple(name or None for name in splits)


_PAPERS: OrderedDict[tuple[str, int], ServedPaper] = OrderedDict()
_MAKING = threading.Lock()


def served_paper(session: Session, project_id: str) -> ServedPaper:
    """The paper of a task, made once and kept while it is used."""
    number = session.scalar(
        select(ProjectFile.number).where(
            ProjectFile.project_id == project_id, ProjectFile.role == "task"
        )
    )
    assert number is not None
    key = (project_id, number)
    with _MAKING:
        if key not in _PAPERS:
            file = session.get_one(ProjectFile, number, options=[undefer(ProjectFile.content)])
            _PAPERS[key] = _make_paper(file)
            while len(_PAPERS) > MOST_PAPERS:
                _PAPERS.popitem(last=False)
        _PAPERS.move_to_end(key)
        return _PAPERS[key]


def _make_paper(file: ProjectFile) -> ServedPaper:
    folder = tempfile.TemporaryDirectory(prefix="readmark-paper-")
    with tempfile.TemporaryDirectory(prefix="readmark-test-") as private:
        path = Path(private) / file.name
        path.write_bytes(file.content)
        paper = open_test(path).paper()
        records = [
            PaperRecord(split_of(record) or "", tuple(unit.id for unit in paper.kind.units(record)))
            for record in paper.records()
        ]
        NATIVE.write(paper, Path(folder.name) / "paper.jsonl")
    return ServedPaper(folder, tuple(records), kind_named(paper.kind.name))


# A sitting.


@dataclass(frozen=True)
class SittingProgress:
    """How far a sitting is."""

    submission: str
    number: int
    phase: str
    state: str
    units: int
    answered: int


def open_splits(about: Mapping[str, Any], options: SharedTaskOptions, phase: str) -> list[str]:
    """The splits that are sat in a phase: in practice, those that are public."""
    hidden = options.hidden_splits(about) if phase == "practice" else ()
    return [name for name in about["all_splits"] if name not in hidden]


def require_units(splits: Sequence[str], phase: str) -> None:
    """Refuse to sit a phase in which nothing is open."""
    if not splits:
        raise TaskClosed(f"every split is hidden: there is nothing to sit in the {phase} phase")


def progress(
    session: Session, submission: Submission, about: Mapping[str, Any], options: SharedTaskOptions
) -> SittingProgress:
    """How many units have an answer; a row with an error is none."""
    rows = session.scalar(select(func.count()).where(SatAnswer.submission_id == submission.id))
    return SittingProgress(
        submission=submission.id,
        number=submission.number,
        phase=submission.phase,
        state=submission.state,
        units=sum(
            about["units"].get(name, 0) for name in open_splits(about, options, submission.phase)
        ),
        answered=(rows or 0) - len(_unanswered(session, submission.id, kind_named(about["kind"]))),
    )


def _unanswered(session: Session, submission_id: str, kind: Kind) -> set[str]:
    """Units whose row is no answer: an error, or a reason why there is none."""
    doubtful = session.execute(
        select(SatAnswer.unit, SatAnswer.row).where(
            SatAnswer.submission_id == submission_id,
            SatAnswer.row.contains('"error":') | SatAnswer.row.contains('"reason":'),
        )
    )
    lines = row_lines(kind)
    return {unit for unit, text in doubtful if not lines.decode(text).answered}


def answered_units(session: Session, submission_id: str, kind: Kind) -> set[str]:
    """The units that need no further answer."""
    rows = session.scalars(select(SatAnswer.unit).where(SatAnswer.submission_id == submission_id))
    return set(rows) - _unanswered(session, submission_id, kind)


def read_rows(content: bytes, kind: Kind) -> list[Row]:
    """The rows of a request: lines of JSON, or ``{"rows": [...]}``; errors name the row."""
    parts: list[tuple[int, bytes]]
    if (wrapped := _wrapped(content)) is not None:
        parts = [(number, bytes(raw)) for number, raw in enumerate(wrapped, 1)]
    else:
        numbered = enumerate(content.split(b"\n"), 1)
        parts = [(number, text) for number, text in numbered if text.strip()]
    if not parts:
        raise DataError("the request has no rows")
    if len(parts) > MOST_ROWS:
        raise DataError(f"the request has {len(parts)} rows, expected {MOST_ROWS} at most")
    lines = row_lines(kind)
    return [_row(number, text, lines) for number, text in parts]


def _wrapped(content: bytes) -> list[msgspec.Raw] | None:
    """The rows of an object with the only member ``rows``; None if it is anything else."""
    try:
        found = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
    except JSON_ERRORS:
        return None
    if set(found) != {"rows"}:
        return None
    try:
        return _ROWS.decode(found["rows"])
    except msgspec.ValidationError as error:
        raise DataError(f"rows: {in_words(error)}") from None


def _row(number: int, text: bytes, lines: RowLines) -> Row:
    try:
        return lines.decode(text)
    except msgspec.ValidationError as error:
        raise DataError(in_words(error), file="row", where=number) from None
    except JSON_ERRORS as error:
        what, at = json_fault(text, error)
        raise DataError(f"{what} at byte {at + 1}", file="row", where=number) from None


def store_rows(
    session: Session,
    submission: Submission,
    rows: Sequence[Row],
    *,
    paper: ServedPaper,
    splits: Sequence[str],
    hidden: Sequence[str],
    most_bytes: int,
) -> int:
    """Store answers, all of them or none; the newest answer to a unit counts.

    Rows that are stored already change nothing. How many rows the request had is returned.
    """
    known, lines = paper.units(splits), row_lines(paper.kind)
    checked: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        _require_answer(number, row, paper.kind, known)
        checked[row.id] = lines.encode(row).decode()
    hidden_units = paper.units(hidden)
    require_short_answers(row for row in rows if row.id in hidden_units)
    locked = session.get(Submission, submission.id, with_for_update=True, populate_existing=True)
    assert locked is not None
    require_open(locked)
    before = _stored(session, locked.id, list(checked))
    for unit, text in checked.items():
        stored = before.get(unit)
        if stored is None:
            session.add(SatAnswer(submission_id=locked.id, unit=unit, row=text))
            locked.size += len(text.encode()) + 1
        elif stored.row != text:
            locked.size += len(text.encode()) - len(stored.row.encode())
            stored.row, stored.received = text, time.time()
    if locked.size > most_bytes:
        raise LargeSitting(f"the sitting is larger than {most_bytes >> 20} MB")
    return len(rows)


def require_open(submission: Submission) -> None:
    """Refuse answers to a sitting that is over."""
    if submission.state != OPEN:
        raise TaskClosed(f"the sitting is {submission.state}: it takes no more answers")


def require_phase(project: Project, options: SharedTaskOptions, submission: Submission) -> None:
    """Refuse answers after the phase that the sitting belongs to."""
    if open_phase(project, options, time.time()) != submission.phase:
        raise TaskClosed(f"the {submission.phase} phase is over: the sitting takes no more answers")


def _stored(session: Session, submission_id: str, units: Sequence[str]) -> dict[str, SatAnswer]:
    found: dict[str, SatAnswer] = {}
    for start in range(0, len(units), _BATCH):
        query = select(SatAnswer).where(
            SatAnswer.submission_id == submission_id,
            SatAnswer.unit.in_(units[start : start + _BATCH]),
        )
        found |= {answer.unit: answer for answer in session.scalars(query)}
    return found


def _require_answer(number: int, row: Row, kind: Kind, known: Collection[str]) -> None:
    """Refuse a row that is no answer to a unit of the paper."""
    if row.id not in known:
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


def finish(
    session: Session, submission: Submission, *, paper: ServedPaper, splits: Sequence[str]
) -> Submission:
    """Make a native sitting of what was answered and hand it in; finished before, it stays so."""
    locked = session.get(Submission, submission.id, with_for_update=True, populate_existing=True)
    assert locked is not None
    if locked.state != OPEN:
        return locked
    rows = session.scalars(
        select(SatAnswer.row).where(SatAnswer.submission_id == locked.id).order_by(SatAnswer.number)
    ).all()
    if not rows:
        raise UsageError("no unit of the paper is answered")
    header = SittingHeader(kind=paper.kind.name, candidate=locked.system, **paper.binding(splits))
    members = {"readmark": header.readmark, "file": header.file, **msgspec.to_builtins(header)}
    locked.file_name = "sitting.jsonl"
    hand_in(session, locked, json_line(members) + "".join(f"{row}\n" for row in rows).encode())
    return locked


def close_overdue_sittings(database: Database) -> int:
    """Hand in sittings whose phase is over, with what they have; how many there were."""
    with database.reading() as session:
        sittings = session.execute(
            select(Submission.id, Submission.phase, Submission.project_id).where(
                Submission.state == OPEN, Submission.origin == ORIGIN
            )
        ).all()
        overdue = [
            (id, phase, project_id, options)
            for id, phase, project_id in sittings
            for options in [options_of(newest_configuration(session, project_id))]
            if options.phase(time.time()) != phase
        ]
    for id, phase, project_id, options in overdue:
        try:
            with database.reading() as session:
                paper = served_paper(session, project_id)
                splits = open_splits(kept_about(session, project_id), options, phase)
            with database.writing() as session:
                finish(session, session.get_one(Submission, id), paper=paper, splits=splits)
        except ReadmarkError as error:
            with database.writing() as session:
                submission = session.get_one(Submission, id, with_for_update=True)
                submission.state = FAILED
                submission.error = f"the {phase} phase has ended: {error}"
    return len(overdue)
