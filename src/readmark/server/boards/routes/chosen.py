"""Which board a request asks for, and through which filters."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, HTTPException, Query
from sqlalchemy.orm import Session

from readmark.server.boards.filter import Baselines, BoardFilter, Model, Phases, Shown
from readmark.server.boards.stored import StoredBoard, board_version, newest_board
from readmark.server.shared_tasks.access import TaskPermitted

BoardDay = Annotated[str, Query(max_length=10)]


def asked_for(
    show: Shown = "systems",
    model: Model = "",
    phase: Phases = "",
    baselines: Baselines = "",
    team: Annotated[str, Query(max_length=100)] = "",
    since: BoardDay = "",
    until: BoardDay = "",
    sort: Annotated[str, Query(max_length=450)] = "",
    table: Annotated[str, Query(max_length=200)] = "",
) -> BoardFilter:
    """The filter of a query string."""
    return BoardFilter(show, model, phase, baselines, team, since, until, sort, table)


Filter = Annotated[BoardFilter, Depends(asked_for)]


def chosen_board(
    session: Session, permitted: TaskPermitted, version: str = ""
) -> StoredBoard | None:
    """The newest board if there is one, or a version that there must be."""
    if not version:
        return newest_board(session, permitted.project.id)
    is_number = version.isascii() and version.isdecimal() and len(version) < 10
    board = board_version(session, permitted.project.id, int(version)) if is_number else None
    if board is None:
        raise HTTPException(404, "Not found.")
    return board
