"""Quotas: how much the items and files of a project may take up."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError
from readmark.core.numbers import decimal
from readmark.server.settings import HallSettings
from readmark.server.tables import (
    FrozenGold,
    Item,
    Project,
    ProjectFile,
    Submission,
    SubmissionFile,
)


def stored_bytes(session: Session, project_id: str) -> int:
    """What the items and files of a project take up; people's work is not counted."""
    sizes = (
        select(func.sum(func.length(Item.paper) + func.length(Item.key))).where(
            Item.project_id == project_id
        ),
        select(func.sum(func.length(ProjectFile.content))).where(
            ProjectFile.project_id == project_id
        ),
        select(func.sum(func.length(FrozenGold.content))).where(
            FrozenGold.project_id == project_id
        ),
        select(func.sum(func.length(SubmissionFile.content)))
        .join(Submission, Submission.id == SubmissionFile.submission_id)
        .where(Submission.project_id == project_id),
    )
    return sum(int(session.scalar(size) or 0) for size in sizes)


def require_space(
    session: Session, settings: HallSettings, project: Project | None, *adding: int | None
) -> None:
    """Refuse files, by their sizes, that a project has no room for; None is a new project."""
    limit, size = settings.largest_project, sum(filter(None, adding))
    if limit is None:
        return
    stored = 0 if project is None else stored_bytes(session, project.id)
    if stored + size > limit:
        raise DataError(
            f"the project may store {limit >> 20} MB and has {decimal(stored / (1 << 20), 1)} MB: "
            f"there is no room for {decimal(size / (1 << 20), 1)} MB more"
        )
