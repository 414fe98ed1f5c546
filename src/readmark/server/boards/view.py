"""A stored board as it is read: the rows that a filter selects, also as JSON, Markdown and CSV.

The layout is that of CMRC 2018's Table 2: a row for each system, people first, and a group of
columns for each split. Tables of slices are laid out like SMART's tables 2 and 3, turned round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import msgspec

from readmark.core.display import ABSENT
from readmark.core.errors import UsageError
from readmark.core.marksheet import PEOPLE
from readmark.core.numbers import p_value
from readmark.reporting import (
    Grid,
    NextRow,
    SheetColumns,
    SplitMarks,
    Standing,
    StandingMetric,
    Standings,
    StandingSplit,
    grid_by_candidate,
    grid_exact_csv,
    grid_markdown,
)
from readmark.server.boards.filter import BoardFilter
from readmark.server.boards.release import REASONS
from readmark.server.boards.stored import Board, BoardSubmission, StoredBoard


@dataclass(frozen=True)
class BoardRow:
    """A submission on the board: its row of the standings, and what else is known of it."""

    id: str
    standing: Standing
    entry: BoardSubmission

    @property
    def rank(self) -> str:
        """Its rank, or the ranks that a tie shares."""
        if self.standing.ranks is None:
            return ABSENT
        first, last = self.standing.ranks
        return str(first) if first == last else f"{first}–{last}"


@dataclass(frozen=True)
class HistoryPoint:
    """A submission's mark of the order, and the best so far."""

    id: str
    entry: BoardSubmission
    score: float
    best: float
    is_best: bool


@dataclass(frozen=True)
class BoardView:
    """The rows that a filter selects of a board, in order."""

    board: StoredBoard
    filter: BoardFilter
    rows: Sequence[BoardRow]

    @property
    def content(self) -> Board:
        """The stored board."""
        return self.board.content

    @cached_property
    def standings(self) -> Standings:
        """People and the rows that are shown, on the splits that any of them has sat."""
        whole = self.content.standings
        rows = [row for row in whole.rows if row.method is not None]
        rows += [row.standing for row in self.rows]
        sat = {name for row in rows for name in row.splits}
        splits = [split for split in whole.columns.splits if split.name in sat]
        columns = msgspec.structs.replace(whole.columns, splits=splits)
        return msgspec.structs.replace(whole, columns=columns, rows=rows)

    @property
    def splits(self) -> Sequence[StandingSplit]:
        """The splits that anybody has marks on, or has sat."""
        return self.standings.columns.splits

    @property
    def metrics(self) -> Sequence[StandingMetric]:
        """The columns under each split."""
        return self.standings.columns.metrics

    @property
    def order(self) -> tuple[str, StandingMetric]:
        """The split and the metric of the order."""
        order = self.standings.order
        return order.split or "", self.standings.columns.metric(order.metrics[0])

    @property
    def people(self) -> Standing | None:
        """People's row."""
        return next((row for row in self.standings.rows if row.method is not None), None)

    @property
    def people_words(self) -> list[str]:
        """What the row above the systems is of: people, references, or both in several splits."""
        parts = () if self.people is None else self.people.splits.values()
        return list(dict.fromkeys(part.who or PEOPLE for part in parts))

    @property
    def teams(self) -> list[str]:
        """The teams of the whole board, by name."""
        return sorted({entry.team for entry in self.content.submissions.values() if entry.team})

    @property
    def fields(self) -> Sequence[str]:
        """The fields that there are slices of."""
        return self.standings.fields

    @property
    def has_seen(self) -> bool:
        """Whether any system that is shown learnt from the split that decides the order."""
        return any(self.order[0] in row.standing.seen for row in self.rows)

    def history(self) -> list[HistoryPoint]:
        """Submissions of teams with a mark of the order, as they came; and the best so far."""
        split, metric = self.order
        better: Callable[[Iterable[float]], float] = min if metric.lower_is_better else max
        best: float | None = None
        points: list[HistoryPoint] = []
        submissions = self.content.submissions
        for id, entry in sorted(submissions.items(), key=lambda pair: pair[1].number):
            row = self.board.rows[id]
            score = row.score(split, metric.name)
            if score is None or entry.origin == "baseline" or split in row.seen:
                continue
            is_best = best is None or (score != best and better((score, best)) == score)
            best = score if best is None else better((score, best))
            points.append(HistoryPoint(id, entry, score, best, is_best))
        return points

    def as_json(self, task: str) -> dict[str, Any]:
        """The document of the API."""
        content, whole = self.content, self.content.standings
        split, metric = self.order
        people = None if self.people is None else {"splits": self._splits_json(self.people)}
        return {
            "task": task,
            "version": self.board.number,
            "created": self.board.created,
            "address": f"/tasks/{task}/board/{self.board.number}",
            "kind": content.kind,
            "metrics": [
                {
                    "name": column.name,
                    "scale": column.scale,
                    "lower_is_better": column.lower_is_better,
                    "signatures": list(column.signatures),
                }
                for column in whole.columns.metrics
            ],
            "order": {
                "split": split,
                "metric": metric.name,
                "lower_is_better": metric.lower_is_better,
            },
            "alpha": content.alpha,
            "ladder": content.ladder,
            "smallest_slice": content.smallest_slice,
            "splits": [
                {"name": column.name, "units": column.units, "is_hidden": column.is_hidden}
                for column in whole.columns.splits
            ],
            "fields": list(whole.fields),
            "people": people,
            "rows": [self._row_json(row) for row in self.rows],
            "history": [
                {
                    "submission": point.id,
                    "received": point.entry.received,
                    "score": point.score,
                    "best": point.best,
                    "is_best": point.is_best,
                }
                for point in self.history()
            ],
        }

    def _row_json(self, row: BoardRow) -> dict[str, Any]:
        """A row as a program reads it, with the slices of one field."""
        entry, standing = row.entry, row.standing
        return {
            "submission": row.id,
            "number": entry.number,
            "team": entry.team,
            "system": entry.system,
            "description": entry.description,
            "is_ensemble": entry.is_ensemble,
            "origin": entry.origin,
            "phase": entry.phase,
            "received": entry.received,
            "splits": self._splits_json(standing),
            "submissions": entry.of_system,
            "rank": standing.ranks and list(standing.ranks),
            "next": standing.next and _next_json(standing.next),
        }

    def _splits_json(self, row: Standing) -> dict[str, Any]:
        return {name: self._split_json(name, part) for name, part in row.splits.items()}

    def _split_json(self, name: str, part: SplitMarks) -> dict[str, Any]:
        """What is known of a split; why its marks are withheld in words too."""
        document: dict[str, Any] = msgspec.to_builtins(part)
        field = self.filter.table
        document["is_hidden"] = name in self.content.hidden
        document["by"] = {field: document["by"][field]} if field in part.by else {}
        if part.withheld is not None:
            document["reason"] = REASONS[part.withheld]
        return document

    def as_markdown(self) -> str:
        """A pipe table in CMRC's layout, or of a field's slices; what is not there is a dash."""
        people = [row.name for row in self.standings.rows if row.method is not None]
        systems = [f"{row.entry.system} ({model_words(row.entry)})" for row in self.rows]
        blank = [""] * len(people)
        left = [
            ("rank", [*blank, *(row.rank for row in self.rows)]),
            ("system", [*people, *systems]),
            ("team", [*blank, *(row.entry.team or "" for row in self.rows)]),
        ]
        comparisons = [row.standing.next for row in self.rows]
        p_values = ["" if next_row is None else p_value(next_row.p) for next_row in comparisons]
        right = [("p (next row)", [*blank, *p_values])]
        return grid_markdown(
            replace(self._grid(), left=left, right=right, below=self.standings.seen)
        )

    def as_csv(self) -> str:
        """Commas and every digit; what is not there is left empty."""
        people = [row.name for row in self.standings.rows if row.method is not None]
        blank = [None] * len(people)
        entries = [row.entry for row in self.rows]
        ranks = [row.standing.ranks or (None, None) for row in self.rows]
        received = [datetime.fromtimestamp(entry.received, UTC) for entry in entries]
        comparisons = [row.standing.next for row in self.rows]
        left: SheetColumns = [
            ("rank_first", [*blank, *(first for first, _ in ranks)]),
            ("rank_last", [*blank, *(last for _, last in ranks)]),
            ("system", [*people, *(entry.system for entry in entries)]),
            ("team", [*blank, *(entry.team for entry in entries)]),
            ("model", [*blank, *map(model_words, entries)]),
            ("origin", [*blank, *(entry.origin for entry in entries)]),
            ("phase", [*blank, *(entry.phase for entry in entries)]),
            ("number", [*blank, *(entry.number for entry in entries)]),
            ("received", [*blank, *(f"{moment:%Y-%m-%dT%H:%M:%SZ}" for moment in received)]),
            ("submissions", [*blank, *(entry.of_system for entry in entries)]),
        ]
        p_values = [None if next_row is None else next_row.p for next_row in comparisons]
        right: SheetColumns = [("p next row", [*blank, *p_values])]
        return grid_exact_csv(self._grid(), left, right)

    def _grid(self) -> Grid:
        chosen = self.filter.table
        return grid_by_candidate(self.standings, chosen if chosen in self.fields else "")


def _next_json(comparison: NextRow) -> dict[str, Any]:
    document = msgspec.to_builtins(comparison)
    exact = document.pop("exact", {})
    return {"submission": document.pop("row"), **document, **exact}


def view_board(board: StoredBoard, chosen: BoardFilter | None = None) -> BoardView:
    """The rows of a board that a filter selects."""
    chosen = chosen or BoardFilter()
    groups: set[Any] = set()
    rows = []
    for id, standing in board.rows.items():
        entry = board.content.submissions[id]
        if chosen.selects(entry) and (group := _group(chosen, id, entry)) not in groups:
            groups.add(group)
            rows.append(BoardRow(id, standing, entry))
    return BoardView(board, chosen, _sorted(board, rows, chosen.sort))


def _group(chosen: BoardFilter, id: str, entry: BoardSubmission) -> Any:
    """What has one row."""
    if chosen.show == "all":
        return id
    if chosen.show == "teams" and entry.team is not None:
        return entry.team
    return entry.team, entry.system, entry.is_ensemble


def _sorted(board: StoredBoard, rows: Sequence[BoardRow], column: str) -> list[BoardRow]:
    """The rows by another column, those without a mark there last; equal ones as they were."""
    if not column:
        return list(rows)
    name, _, split = column.partition("@")
    standings = board.content.standings
    if name not in standings.metrics or split not in standings.splits:
        raise UsageError(f"there is no column {column[:60]!r}: expected METRIC@SPLIT")
    sign = 1.0 if standings.columns.metric(name).lower_is_better else -1.0

    def place(row: BoardRow) -> tuple[bool, float]:
        score = row.standing.score(split, name)
        return score is None, 0.0 if score is None else sign * score

    return sorted(rows, key=place)


def model_words(entry: BoardSubmission) -> str:
    """How CMRC's table names the two sorts of systems."""
    return "ensemble" if entry.is_ensemble else "single model"
