"""Sittings of shared tasks through the API: answers are stored as they come.

A sitting is an open submission. Its answers are rows of a native sitting, in the database before
they are acknowledged; finishing makes a file of them, which is marked like any other. What is still
open when its phase ends is handed in as it is.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError, UsageError
from readmark.server.database import Database
from readmark.server.shared_tasks.options import SharedTaskOptions, options_of
from readmark.server.shared_tasks.served_papers import served_paper
from readmark.server.shared_tasks.submissions import (
    FAILED,
    OPEN,
    TaskClosed,
    hand_in,
    open_phase,
)
from readmark.server.stored_project import kept_about
from readmark.server.tables import Project, SatAnswer, Submission
from readmark.server.views import newest_configuration
from readmark.sitting import RemotePaper

ORIGIN = "api"
_BATCH = 500
"""Ids in one query."""


class LargeSitting(UsageError):
    """A sitting has more bytes than the hall takes."""

    status = 413


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
    session: Session,
    submission: Submission,
    about: Mapping[str, Any],
    options: SharedTaskOptions,
) -> SittingProgress:
    """How many units of the phase's splits have an answer; a row with an error is none."""
    rows = session.scalar(select(func.count()).where(SatAnswer.submission_id == submission.id))
    return SittingProgress(
        submission=submission.id,
        number=submission.number,
        phase=submission.phase,
        state=submission.state,
        units=sum(
            about["units"].get(name, 0) for name in open_splits(about, options, submission.phase)
        ),
        answered=(rows or 0) - len(_unanswered(session, submission.id, about["kind"])),
    )


def _unanswered(session: Session, submission_id: str, kind: str) -> set[str]:
    """Units whose row is no answer: an error, or a reason why there is none."""
    # Rows without these members are answers; only the others are parsed.
    doubtful = session.execute(
        select(SatAnswer.unit, SatAnswer.row).where(
            SatAnswer.submission_id == submission_id,
            SatAnswer.row.contains('"error":') | SatAnswer.row.contains('"reason":'),
        )
    )
    return {unit for unit, row in doubtful if not RemotePaper.is_answer(kind, row)}


def answered_units(session: Session, submission_id: str, kind: str) -> set[str]:
    """The units that need no further answer."""
    rows = session.scalars(select(SatAnswer.unit).where(SatAnswer.submission_id == submission_id))
    return set(rows) - _unanswered(session, submission_id, kind)


def store_rows(
    session: Session, submission: Submission, rows: Sequence[tuple[str, str]], *, most_bytes: int
) -> None:
    """Store answers to units, all of them or none; the newest answer to a unit counts.

    Rows that are stored already change nothing.
    """
    locked = session.get(Submission, submission.id, with_for_update=True, populate_existing=True)
    assert locked is not None
    require_open(locked)
    newest = dict(rows)
    earlier = _stored(session, locked.id, list(newest))
    for unit, text in newest.items():
        stored = earlier.get(unit)
        if stored is None:
            session.add(SatAnswer(submission_id=locked.id, unit=unit, row=text))
            locked.size += len(text.encode()) + 1  # and the end of its line
        elif stored.row != text:
            locked.size += len(text.encode()) - len(stored.row.encode())
            stored.row, stored.received = text, time.time()
    if locked.size > most_bytes:
        raise LargeSitting(f"the sitting is larger than {most_bytes >> 20} MB")


def require_open(submission: Submission) -> None:
    """Refuse answers to a sitting that is over."""
    if submission.state != OPEN:
        raise TaskClosed(f"the sitting is {submission.state}: it takes no more answers")


def require_phase(project: Project, options: SharedTaskOptions, submission: Submission) -> None:
    """Refuse answers after the phase that the sitting belongs to."""
    if open_phase(project, options, time.time()) != submission.phase:
        raise TaskClosed(f"the {submission.phase} phase is over: the sitting takes no more answers")


def _stored(session: Session, submission_id: str, units: Sequence[str]) -> dict[str, SatAnswer]:
    answers: dict[str, SatAnswer] = {}
    for start in range(0, len(units), _BATCH):
        query = select(SatAnswer).where(
            SatAnswer.submission_id == submission_id,
            SatAnswer.unit.in_(units[start : start + _BATCH]),
        )
        answers |= {answer.unit: answer for answer in session.scalars(query)}
    return answers


def finish(
    session: Session, submission: Submission, *, paper: RemotePaper, splits: Sequence[str]
) -> Submission:
    """Make a native sitting of the answers and hand it in; one that is finished stays as it is."""
    locked = session.get(Submission, submission.id, with_for_update=True, populate_existing=True)
    assert locked is not None
    if locked.state != OPEN:
        return locked
    rows = session.scalars(
        select(SatAnswer.row).where(SatAnswer.submission_id == locked.id).order_by(SatAnswer.number)
    ).all()
    if not rows:
        raise UsageError("no unit of the paper is answered")
    locked.file_name = "sitting.jsonl"
    hand_in(session, locked, paper.sitting(locked.system, splits, rows))
    return locked


def close_overdue_sittings(database: Database) -> int:
    """Hand in sittings whose phase is over, with what they have; how many there were.

    One that cannot be handed in, such as one without an answer, fails with the reason.
    """
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
