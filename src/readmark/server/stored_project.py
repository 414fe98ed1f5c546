"""What a work may do to a project in the hall's database (`readmark.works.StoredProject`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.test import Test
from readmark.formats.registry import open_test
from readmark.server.shared_tasks.jobs import JobKind, add_job
from readmark.server.shared_tasks.opened_task import open_task
from readmark.server.shared_tasks.submissions import mark_all_again
from readmark.server.tables import ProjectFile
from readmark.works import Configuration


@dataclass(frozen=True)
class StoredInHall:
    """A project in a session: what a work asks for is part of the session's transaction."""

    session: Session
    project_id: str
    configuration: Configuration

    @property
    def about(self) -> dict[str, Any]:
        """What was noted of the test that is kept."""
        return kept_about(self.session, self.project_id)

    def open_test(self, folder: Path) -> Test:
        """The test that is kept, in a folder."""
        return open_test(open_task(self.session, self.project_id, folder).test)

    def ask(self, job: JobKind) -> None:
        """Ask the workers for a job; what is waiting already is not asked for again."""
        add_job(self.session, job, self.project_id)

    def mark_again(self) -> None:
        """Let the workers mark every submission again, and people."""
        mark_all_again(self.session, self.project_id)

    def write(self, folder: Path) -> None:
        """Write submissions, boards and the public part of the test."""
        from readmark.server.shared_tasks.task_export import write_task  # it imports this module

        write_task(self.session, self.project_id, folder)


def kept_about(session: Session, project_id: str) -> dict[str, Any]:
    """What is noted about the test that a project keeps."""
    text = session.scalar(
        select(ProjectFile.about)
        .where(ProjectFile.project_id == project_id, ProjectFile.role == "task")
        .order_by(ProjectFile.number)
        .limit(1)
    )
    about: dict[str, Any] = msgspec.json.decode(text or "{}")
    return about
