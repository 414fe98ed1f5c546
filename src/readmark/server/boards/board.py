"""The board of a shared task: made by a worker after each change, shown from a stored version.

This package alone decides what is shown of a mark. A stored board has nothing that is hidden: no
answer, no mark of a single unit, no slice of a hidden split that is too small, and nothing that the
ladder withholds. Pages, files and API answers are made of stored boards and of `released_marks`
alone, so what they hold, and how long they take, cannot depend on anything else that a hidden key
decides.
"""

from __future__ import annotations

import json
import time
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.server.boards.comparisons import Compare, PairedComparisons
from readmark.server.boards.making import gather_material, make_board
from readmark.server.boards.release import ReleaseRules
from readmark.server.boards.stored import newest_board, read_board, written_board
from readmark.server.database import Database
from readmark.server.shared_tasks.submissions import MARKED
from readmark.server.tables import BoardVersion, Project, Submission


def released_marks(session: Session, submission: Submission) -> dict[str, Any]:
    """What may be shown of a submission's marks, by split; nothing before a board has it.

    Every page, API answer, file and log takes marks from here or from a stored board. ``marks`` is
    None where they are withheld, and ``reason`` then says why.
    """
    board = newest_board(session, submission.project_id)
    row = None if board is None else board.rows.get(submission.id)
    if board is None or row is None or submission.state != MARKED:
        return {}
    # Only what the board has decided on: marks that came after it wait for the next one.
    marked = json.loads(submission.marks).get("splits", {})
    splits = {name: part for name, part in marked.items() if name in row.splits}
    codes = {part.withheld for part in row.splits.values() if part.marks is None}
    withheld = next(iter(codes - {"few"}), None)
    return ReleaseRules.of(board.content).release(splits, withheld=withheld)


_STORED = 0


def boards_stored() -> int:
    """How many boards this process has stored: a hint for those who keep boards in memory."""
    return _STORED


def refresh_board(database: Database, project_id: str, compare: Compare) -> None:
    """Make the board of a task anew, and keep it as a version if it has changed.

    While submissions are being marked again, the board stays as it was: the last of them brings it.
    """
    global _STORED
    with database.reading() as session:
        material = gather_material(session, project_id)
        last_board = newest_board(session, project_id)
    if last_board is not None and material.is_marked_again(last_board):
        return
    moments = {submission.id: submission.row.marked for submission in material.submissions}
    comparisons = PairedComparisons(database, compare, material.order_by, moments)
    # Comparing takes long, so the project is not locked before the board is made.
    board = make_board(material, comparisons)
    with database.writing() as session:
        session.get(Project, project_id, with_for_update=True)
        last = session.execute(
            select(BoardVersion.number, BoardVersion.content)
            .where(BoardVersion.project_id == project_id)
            .order_by(BoardVersion.number.desc())
            .limit(1)
        ).one_or_none()
        if last is not None and read_board(last.content) == board:
            return
        number = 1 if last is None else last.number + 1
        session.add(
            BoardVersion(
                project_id=project_id,
                number=number,
                created=time.time(),
                content=written_board(board),
            )
        )
    _STORED += 1
