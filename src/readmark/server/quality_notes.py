"""Notes that organisers write on findings about the quality of somebody's work."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.making import QUALITY_CODES
from readmark.server.audit import AuditAction, record
from readmark.server.people_of_files import people_by_label
from readmark.server.tables import Person, QualityNote

LONGEST_NOTE = 2000


def write_note(
    session: Session, project_id: str, person: str, code: str, text: str, *, by: str
) -> QualityNote:
    """Keep an organiser's note on a finding; notes are added and never changed."""
    text = text.strip()
    if not text or len(text) > LONGEST_NOTE:
        raise UsageError(f"a note has 1 to {LONGEST_NOTE} characters")
    if code not in QUALITY_CODES:
        raise UsageError(f"unknown finding {code[:40]!r}")
    subject = people_by_label(session, project_id).get(person)
    if subject is None:
        raise UsageError(f"the project knows nobody called {person[:80]!r}")
    note = QualityNote(
        project_id=project_id, person_id=subject.id, code=code, text=text, author_id=by
    )
    session.add(note)
    record(session, AuditAction.QUALITY_NOTE, by, project_id, person=subject.id, code=code)
    session.flush()
    return note


def notes_on(session: Session, project_id: str) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The notes by person and code, oldest first."""
    labels = {person.id: label for label, person in people_by_label(session, project_id).items()}
    notes: dict[tuple[str, str], list[dict[str, Any]]] = {}
    rows = session.execute(
        select(QualityNote, Person.name)
        .join(Person, Person.id == QualityNote.author_id)
        .where(QualityNote.project_id == project_id)
        .order_by(QualityNote.number)
    )
    for note, author in rows:
        about = {"text": note.text, "author": author, "created": note.created}
        notes.setdefault((labels.get(note.person_id, ""), note.code), []).append(about)
    return notes
