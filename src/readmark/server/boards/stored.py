"""Stored boards: the standings of a shared task as they were, and what may be shown of them.

A version never changes. It has nothing that is hidden: whatever reads it may show all of it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.records import Value
from readmark.reporting import Standing, Standings
from readmark.server.tables import BoardVersion


class BoardSubmission(Value, frozen=True):
    """What is known of a submission besides its marks."""

    number: int
    system: str
    team: str | None
    description: str
    is_ensemble: bool
    origin: str
    phase: str
    received: float
    of_system: int
    """How many submissions of its system were marked."""


class Board(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A board as it is stored.

    Of several submissions of a system only the best one's row has ranks and slices. Migration 0010
    made this of format 1.
    """

    format: Literal[2] = 2
    kind: str
    standings: Standings
    submissions: Mapping[str, BoardSubmission]
    """By the keys of the rows."""
    alpha: float
    """Rows tie unless p is lower."""
    ladder: bool
    smallest_slice: int
    decided: Sequence[str]
    """The order in which the ladder decided."""

    @property
    def hidden(self) -> frozenset[str]:
        """The hidden splits."""
        splits = self.standings.columns.splits
        return frozenset(split.name for split in splits if split.is_hidden)


@dataclass(frozen=True)
class StoredBoard:
    """A version of a board."""

    id: str
    number: int
    created: float
    content: Board

    @cached_property
    def rows(self) -> Mapping[str, Standing]:
        """The rows of submissions by their ids, in order."""
        return {row.key: row for row in self.content.standings.rows if row.key is not None}


_PARSED: OrderedDict[str, StoredBoard] = OrderedDict()
_PARSED_LOCK = threading.Lock()
_MOST_PARSED = 16
"""Boards that a process keeps parsed."""


def newest_board(session: Session, project_id: str) -> StoredBoard | None:
    """The board that counts."""
    return _stored(session, project_id)


def board_version(session: Session, project_id: str, number: int) -> StoredBoard | None:
    """The board as it was."""
    return _stored(session, project_id, BoardVersion.number == number)


def _stored(session: Session, project_id: str, *conditions: Any) -> StoredBoard | None:
    """A version never changes: what was parsed once is used again."""
    columns = (BoardVersion.id, BoardVersion.number, BoardVersion.created)
    row = session.execute(
        select(*columns)
        .where(BoardVersion.project_id == project_id, *conditions)
        .order_by(BoardVersion.number.desc())
        .limit(1)
    ).one_or_none()
    if row is None:
        return None
    with _PARSED_LOCK:
        if row.id in _PARSED:
            _PARSED.move_to_end(row.id)
            return _PARSED[row.id]
    text = session.scalar(select(BoardVersion.content).where(BoardVersion.id == row.id))
    board = StoredBoard(row.id, row.number, row.created, read_board(text or ""))
    with _PARSED_LOCK:
        _PARSED[row.id] = board
        while len(_PARSED) > _MOST_PARSED:
            _PARSED.popitem(last=False)
    return board


def read_board(text: str) -> Board:
    """A board from the text of its column."""
    return msgspec.json.decode(text, type=Board)


def written_board(board: Board) -> str:
    """A board as the text of its column."""
    return msgspec.json.encode(board).decode()
