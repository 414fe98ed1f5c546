"""Papers of shared tasks that this process has on disk for programs that sit them.

A paper is written once from the stored test, since a sitting asks for it with every request.
"""

from __future__ import annotations

import tempfile
import threading
from collections import OrderedDict
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from readmark.server.tables import ProjectFile
from readmark.sitting import RemotePaper

MOST_PAPERS = 8
"""Papers that a process keeps: those that were used last."""

_PAPERS: OrderedDict[tuple[str, int], RemotePaper] = OrderedDict()
"""By the project and the number of its test's file: another test has another paper."""
_LOCK = threading.Lock()


def served_paper(session: Session, project_id: str) -> RemotePaper:
    """The paper of a task, made once and kept while it is used."""
    number = session.scalar(
        select(ProjectFile.number).where(
            ProjectFile.project_id == project_id, ProjectFile.role == "task"
        )
    )
    assert number is not None
    key = (project_id, number)
    with _LOCK:
        if key not in _PAPERS:
            file = session.get_one(ProjectFile, number, options=[undefer(ProjectFile.content)])
            with tempfile.TemporaryDirectory(prefix="readmark-test-") as folder:
                path = Path(folder) / file.name
                path.write_bytes(file.content)
                _PAPERS[key] = RemotePaper.of(path)
            while len(_PAPERS) > MOST_PAPERS:
                _PAPERS.popitem(last=False)
        _PAPERS.move_to_end(key)
        return _PAPERS[key]
