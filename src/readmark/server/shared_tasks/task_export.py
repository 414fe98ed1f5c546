"""A shared task as files, for ``readmark hall export``: nothing of a hidden key is in them.

People's sittings stay out: on a hidden split they come close to its key.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from readmark.server.boards.board import released_marks
from readmark.server.shared_tasks.options import options_of
from readmark.server.shared_tasks.publication import write_data
from readmark.server.shared_tasks.submission_state import SUBMISSION_COLUMNS
from readmark.server.shared_tasks.submissions import ANSWERS, MARKSHEET
from readmark.server.shared_tasks.task_test import task_test, test_content
from readmark.server.tables import BoardVersion, Submission, SubmissionFile, Team
from readmark.server.views import newest_configuration


def write_task(session: Session, project_id: str, folder: Path) -> None:
    """Write the published test, every submission with what was released of it, and all boards."""
    options = options_of(newest_configuration(session, project_id))
    test = task_test(session, project_id, options, time.time())
    folder.mkdir(parents=True, exist_ok=True)
    if test.out:
        write_data(test_content(session, test), test, folder / f"test{test.suffix}")
    teams = {
        team.id: team.name
        for team in session.scalars(select(Team).where(Team.project_id == project_id))
    }
    submissions = session.scalars(
        select(Submission).where(Submission.project_id == project_id).order_by(Submission.number)
    )
    for submission in submissions:
        subfolder = folder / "submissions" / f"{submission.number:05}"
        subfolder.mkdir(parents=True)
        about: dict[str, Any] = {name: getattr(submission, name) for name in SUBMISSION_COLUMNS}
        released = released_marks(session, submission)
        about |= {"team": teams.get(submission.team_id or ""), "splits": released}
        _write_json(subfolder / "submission.json", about)
        files = session.scalars(
            select(SubmissionFile)
            .where(SubmissionFile.submission_id == submission.id)
            .options(undefer(SubmissionFile.content))
        )
        for file in files:
            if file.role == ANSWERS:
                (subfolder / "answers").mkdir()
                name = submission.file_name or "answers.jsonl"
                (subfolder / "answers" / name).write_bytes(file.content)
            elif file.role == MARKSHEET and file.split not in test.hidden:
                # Splits can have any name; their place in the list is a safe one.
                number = test.about["all_splits"].index(file.split)
                (subfolder / f"marksheet-{number}.jsonl.zst").write_bytes(file.content)
            session.expunge(file)  # or the session would hold the content of every file
    boards = session.scalars(
        select(BoardVersion)
        .where(BoardVersion.project_id == project_id)
        .order_by(BoardVersion.number)
    )
    for board in boards:
        (folder / "boards").mkdir(exist_ok=True)
        content = json.loads(board.content)
        document = {"number": board.number, "created": board.created, "board": content}
        _write_json(folder / "boards" / f"{board.number:05}.json", document)


def _write_json(path: Path, document: Any) -> None:
    text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)
    path.write_bytes(f"{text}\n".encode())
