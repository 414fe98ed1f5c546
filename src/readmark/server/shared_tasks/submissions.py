"""Submissions to shared tasks: answers are stored as they come, and marked later by a worker."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.server.audit import AuditAction, record
from readmark.server.shared_tasks.jobs import add_job
from readmark.server.shared_tasks.names import safe_name, visible
from readmark.server.shared_tasks.options import PhaseName, SharedTaskOptions
from readmark.server.tables import Project, Submission, SubmissionFile, Team

ANSWERS, MARKSHEET = "answers", "marksheet"
OPEN, WAITING, MARKED, FAILED, WITHDRAWN = "open", "waiting", "marked", "failed", "withdrawn"
DAY = 86_400
MOST_FAILED = 50
"""Submissions of a team in a day that may fail; they do not count as submissions."""


class SubmissionLimit(UsageError):
    """A team has made as many submissions as it may."""

    status = 429


class TaskClosed(UsageError):
    """Nothing is accepted now: the phase, or the state of a sitting, does not allow it."""

    status = 409


class KeyTaken(UsageError):
    """The client's key belongs to a submission with other content."""

    status = 409


@dataclass(frozen=True)
class NewSubmission:
    """What somebody says about a system that sat a shared task."""

    system: str
    description: str = ""
    is_ensemble: bool = False
    file_name: str = "answers.json"
    client_key: str | None = None


def receive(
    session: Session,
    project: Project,
    options: SharedTaskOptions,
    team: Team,
    new: NewSubmission,
    content: bytes,
    *,
    by: str,
) -> tuple[Submission, bool]:
    """Store a file of answers and ask for its marking: the submission, and whether it is new.

    Sent again with its key, it is the first one.
    """
    submission, is_new = begin_submission(session, project, options, team, new, by=by)
    if is_new:
        hand_in(session, submission, content)
    elif submission.sha256 != hashlib.sha256(content).hexdigest():
        raise KeyTaken(f"the key {new.client_key!r} belongs to a submission of another file")
    return submission, is_new


def hand_in(session: Session, submission: Submission, content: bytes) -> None:
    """Store the answers of a submission, and ask for its marking."""
    submission.state = WAITING
    submission.sha256 = hashlib.sha256(content).hexdigest()
    submission.size = len(content)
    store_file(session, submission.id, ANSWERS, "", content)
    add_job(session, "mark", submission.id)


def begin_submission(
    session: Session,
    project: Project,
    options: SharedTaskOptions,
    team: Team,
    new: NewSubmission,
    *,
    by: str,
    origin: str = "file",
) -> tuple[Submission, bool]:
    """A submission without answers yet, and whether it is new; limits and phases are checked."""
    session.get(Project, project.id, with_for_update=True)  # one number after the other
    if new.client_key is not None:
        earlier = session.scalar(
            select(Submission).where(
                Submission.project_id == project.id,
                Submission.person_id == by,
                Submission.client_key == new.client_key,
            )
        )
        if earlier is not None:
            key = new.client_key
            if earlier.origin != origin:
                raise KeyTaken(f"the key {key!r} belongs to a submission of another sort")
            if earlier.team_id != team.id:
                raise KeyTaken(f"the key {key!r} belongs to a submission of another team")
            return earlier, False
    system = " ".join(new.system.split())[:200]
    if not visible(system).strip():
        raise UsageError("a submission needs the name of its system")
    if not system.isprintable():
        raise UsageError("the name of the system has a character that cannot be seen")
    now = time.time()
    phase = open_phase(project, options, now)
    _require_room(session, project.id, team, options, phase, now, by=by)
    submission = Submission(
        project_id=project.id,
        number=next_number(session, project.id),
        team_id=team.id,
        person_id=by,
        client_key=new.client_key,
        origin=origin,
        system=system,
        description=new.description.strip(),
        is_ensemble=new.is_ensemble,
        phase=phase,
        state=OPEN,
        file_name=safe_name(new.file_name),
        received=now,
    )
    session.add(submission)
    session.flush()
    record(session, AuditAction.SUBMITTED, by, project.id, submission=submission.id)
    return submission, True


def next_number(session: Session, project_id: str) -> int:
    """The number of the next submission of a task."""
    last = session.scalar(
        select(func.max(Submission.number)).where(Submission.project_id == project_id)
    )
    return (last or 0) + 1


def open_phase(project: Project, options: SharedTaskOptions, now: float) -> PhaseName:
    """The phase at a moment; a task that accepts nothing then is an error."""
    if not project.is_open:
        raise TaskClosed("the task is closed: nothing is accepted")
    phase = options.phase(now)
    if phase is None:
        raise TaskClosed(options.closed_words(now))
    return phase


@dataclass(frozen=True)
class SubmissionRoom:
    """How many submissions a team has made today and in a phase; those that failed do not count."""

    today: int
    in_phase: int
    failed_today: int
    next_day: float


def room_of(
    session: Session, project_id: str, team: Team, phase: PhaseName | None, now: float
) -> SubmissionRoom:
    """What a team has used of its limits."""
    midnight = now - now % DAY
    all_sent = select(func.count()).where(
        Submission.project_id == project_id, Submission.team_id == team.id
    )
    counted = all_sent.where(Submission.state != FAILED)
    today = Submission.received >= midnight
    return SubmissionRoom(
        today=session.scalar(counted.where(today)) or 0,
        in_phase=session.scalar(counted.where(Submission.phase == phase)) or 0,
        failed_today=session.scalar(all_sent.where(today, Submission.state == FAILED)) or 0,
        next_day=midnight + DAY,
    )


def _require_room(
    session: Session,
    project_id: str,
    team: Team,
    options: SharedTaskOptions,
    phase: PhaseName,
    now: float,
    *,
    by: str,
) -> None:
    """Refuse what is more than the limits of the team, or of a person who changes teams."""
    room = room_of(session, project_id, team, phase, now)
    tomorrow = datetime.fromtimestamp(room.next_day, UTC).strftime("%Y-%m-%d %H:%M UTC")
    if room.today >= options.per_day:
        raise SubmissionLimit(
            f"{team.name} has made {room.today} of {options.per_day} submissions today; "
            f"the next day begins at {tomorrow}"
        )
    elsewhere = session.scalar(
        select(func.count()).where(
            Submission.project_id == project_id,
            Submission.person_id == by,
            Submission.team_id != team.id,
            Submission.state != FAILED,
            Submission.received >= room.next_day - DAY,
        )
    )
    if room.today + (elsewhere or 0) >= options.per_day:
        raise SubmissionLimit(
            f"you have made {elsewhere} of {options.per_day} submissions today for other teams; "
            f"the next day begins at {tomorrow}"
        )
    if room.failed_today >= MOST_FAILED:
        raise SubmissionLimit(
            f"{MOST_FAILED} submissions have failed today; try again after {tomorrow}"
        )
    if options.per_phase and room.in_phase >= options.per_phase:
        raise SubmissionLimit(
            f"{team.name} has made all {options.per_phase} submissions of the {phase} phase"
        )


def withdraw(session: Session, submission: Submission, *, by: str) -> None:
    """Take a submission off the board; it stays stored, and counts against the limits."""
    locked = session.get(Submission, submission.id, with_for_update=True)
    assert locked is not None
    if locked.state != WITHDRAWN:
        locked.state = WITHDRAWN
        add_job(session, "board", locked.project_id)
        record(
            session,
            AuditAction.SUBMISSION_WITHDRAWN,
            by,
            locked.project_id,
            submission=locked.id,
        )


def mark_again(session: Session, submission: Submission, *, by: str) -> None:
    """Let a worker mark a submission once more; a failed baseline is sat once more."""
    locked = session.get(Submission, submission.id, with_for_update=True)
    assert locked is not None
    if locked.state in (OPEN, WITHDRAWN):
        raise TaskClosed(f"submission {locked.number} is {locked.state}: it cannot be marked")
    has_answers = file_content(session, locked.id, ANSWERS) is not None
    if not has_answers and locked.team_id is not None:  # Readmark's candidates sit for no team
        raise TaskClosed(f"submission {locked.number} has no answers: it cannot be marked")
    locked.state, locked.error = WAITING, ""
    add_job(session, "mark" if has_answers else "sit", locked.id)
    record(
        session, AuditAction.SUBMISSION_MARKED_AGAIN, by, locked.project_id, submission=locked.id
    )


def mark_all_again(session: Session, project_id: str) -> None:
    """Let the workers mark every submission of a task again, and people."""
    again = session.scalars(
        select(Submission).where(
            Submission.project_id == project_id, Submission.state.in_((MARKED, WAITING))
        )
    ).all()
    for submission in again:
        submission.state = WAITING
        add_job(session, "mark", submission.id)
    add_job(session, "people", project_id)


def store_file(session: Session, submission_id: str, role: str, split: str, content: bytes) -> None:
    """Keep a file of a submission; one of the same role and split is replaced."""
    file = session.scalar(
        select(SubmissionFile).where(
            SubmissionFile.submission_id == submission_id,
            SubmissionFile.role == role,
            SubmissionFile.split == split,
        )
    )
    if file is not None:
        file.content = content
        return
    session.add(
        SubmissionFile(submission_id=submission_id, role=role, split=split, content=content)
    )


def file_content(session: Session, submission_id: str, role: str, split: str = "") -> bytes | None:
    """A file of a submission."""
    return session.scalar(
        select(SubmissionFile.content).where(
            SubmissionFile.submission_id == submission_id,
            SubmissionFile.role == role,
            SubmissionFile.split == split,
        )
    )
