"""Sittings of systems in a project: each is kept, and what nobody has judged becomes items."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError, UsageError
from readmark.formats.people_names import is_file_name
from readmark.server.answer_pool import SITTING, newest_task, required_pool, splits_of, unpacked
from readmark.server.audit import AuditAction, record
from readmark.server.database import Database
from readmark.server.handing_out import top_up
from readmark.server.items import ReadItems, add_items, item_rows, items_of
from readmark.server.tables import Project, ProjectFile
from readmark.server.training import TrainingResult, results_to_hand_out_by
from readmark.server.views import item_of, newest_configuration
from readmark.works import Configuration, NewItems, UnjudgedAnswers

MOST_SITTINGS = 200
"""Sittings of a project."""
MOST_ANSWERS = 100_000
"""Answers of a sitting."""
MOST_POOLED = 5000
"""Answers of a sitting that nobody has judged: more is no work for people."""


@dataclass(frozen=True)
class AddedSitting:
    """A sitting that was added: how many answers nobody had judged, in how many new items."""

    name: str
    answers: int
    items: int


def add_sitting(
    database: Database, project: Project, path: Path, *, by: str | None = None
) -> AddedSitting:
    """Keep a sitting of the project's task, and make items of what nobody has judged.

    A sitting of another paper, or with an answer that cannot be read, changes nothing.
    """
    with database.reading() as session:
        configuration = newest_configuration(session, project.id)
        file = newest_task(session, project.id)
        content, splits = file.content, splits_of(file)
    pool = required_pool(configuration)
    results = results_to_hand_out_by(database, project.id)
    # The sitting is read before the project is locked, so that people can save meanwhile.
    with unpacked(content, splits) as task:
        sitting = pool.take(task, path)
        if not 0 < sitting.answers <= MOST_ANSWERS:
            message = f"has {sitting.answers} answers, expected 1 to {MOST_ANSWERS}"
            raise DataError(message, file=path)
        if len(sitting.unjudged) > MOST_POOLED:
            message = (
                f"has {len(sitting.unjudged)} answers to judge, expected at most {MOST_POOLED}"
            )
            raise DataError(message, file=path)
        with database.writing() as session:
            locked = session.get(Project, project.id, with_for_update=True)
            if locked is None or not locked.is_open:
                raise UsageError(f"the project {project.slug!r} is closed: open it first")
            names = _names_of_others(session, project.id, sitting.content)
            name = _free_name(names, (sitting.candidate, path.stem))
            session.add(
                ProjectFile(
                    project_id=project.id,
                    role=SITTING,
                    name=name,
                    content=sitting.content,
                    about=json.dumps({"candidate": sitting.candidate[:200]}),
                    person_id=by,
                )
            )
            new = ask_judges(session, project, sitting.unjudged, configuration, results, by=by)
            detail = {"sitting": name, "answers": new.answers, "items": len(new.items)}
            record(session, AuditAction.SITTING_ADDED, by, project.id, **detail)
    return AddedSitting(name, new.answers, len(new.items))


def ask_judges(
    session: Session,
    project: Project,
    unjudged: UnjudgedAnswers,
    configuration: Configuration,
    results: Mapping[str, TrainingResult],
    *,
    by: str | None,
) -> NewItems:
    """Make items of what no item asks about yet, and hand them out."""
    present = [item_of(item) for item in items_of(session, project.id, "work")]
    new = unjudged.items(present, configuration)
    add_items(session, project, ReadItems((), item_rows(new.items), "work"), by=by)
    session.flush()
    top_up(session, project.id, results)
    return new


def _names_of_others(session: Session, project_id: str, content: bytes) -> set[str]:
    """The file names of a project's sittings, if there is room for one that it does not have."""
    rows = session.execute(
        select(ProjectFile.name, ProjectFile.content).where(
            ProjectFile.project_id == project_id, ProjectFile.role == SITTING
        )
    ).all()
    if len(rows) >= MOST_SITTINGS:
        raise UsageError(f"the project has {MOST_SITTINGS} sittings, which is the most it may have")
    for row in rows:
        if row.content == content:
            raise DataError(f"the project has this sitting already, as {row.name}")
    return {row.name for row in rows}


def _free_name(names: Collection[str], wishes: Sequence[str]) -> str:
    """The first wish that can be a file's name, with a number if another sitting has it."""
    base = next((wish for wish in wishes if is_file_name(wish)), SITTING)[:100]
    # Sittings are written beside each other, and some file systems do not tell A from a.
    taken = {name.casefold() for name in names}
    name, number = f"{base}.jsonl", 1
    while name.casefold() in taken:
        number += 1
        name = f"{base} ({number}).jsonl"
    return name
