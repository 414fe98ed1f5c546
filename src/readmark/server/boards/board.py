"""The board of a shared task: made by a worker after each change, shown from a stored version.

This is the one place that decides what is shown of a mark. A stored board has nothing that is
hidden: no answer, no mark of a single unit, no slice of a hidden split that is too small, and
nothing that the ladder withholds. Pages, files and API answers are made of stored boards and of
`released_marks` alone, so what they hold, and how long they take, cannot depend on anything else
that a hidden key decides.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from readmark.core.hidden_marks import rounded_p
from readmark.core.marksheet import PEOPLE
from readmark.core.seen import SeenPassages
from readmark.reporting import (
    ExactDifference,
    NextRow,
    SplitMarks,
    Standing,
    StandingColumns,
    StandingMark,
    StandingMetric,
    StandingOrder,
    Standings,
    StandingSlice,
    StandingSplit,
)
from readmark.server.boards.comparisons import (
    BATCH,
    Compare,
    PairedComparisons,
    tie_groups,
)
from readmark.server.boards.ladder import Attempt, Gain, climb
from readmark.server.boards.release import ReleaseRules
from readmark.server.boards.stored import (
    Board,
    BoardSubmission,
    StoredBoard,
    newest_board,
    read_board,
    written_board,
)
from readmark.server.database import Database
from readmark.server.shared_tasks.marker import order_metric
from readmark.server.shared_tasks.options import SharedTaskOptions, options_of
from readmark.server.shared_tasks.submissions import MARKED, WAITING, WITHDRAWN
from readmark.server.stored_project import kept_about
from readmark.server.tables import (
    BoardVersion,
    Project,
    ProjectFile,
    Submission,
    Team,
)
from readmark.server.views import newest_configuration

PEOPLE_MARKS = "people_marks"


# What may be shown of a submission's marks.


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
        making = _gathered(session, project_id)
        last_board = newest_board(session, project_id)
    if last_board is not None and making.is_marked_again(last_board):
        return
    marked = {each.id: each.row.marked for each in making.submissions}
    comparisons = PairedComparisons(database, compare, making.order_by, marked)
    board = _board(making, comparisons)
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


# Making a board.


@dataclass(frozen=True)
class _Marked:
    """A submission with its marks and the name of its team."""

    row: Submission
    team: str | None
    splits: Mapping[str, Any]

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def system(self) -> tuple[str | None, str, bool]:
        """What has one row of the board."""
        return self.row.team_id, self.row.system, self.row.is_ensemble


@dataclass(frozen=True)
class _Making:
    """What a board is made of."""

    options: SharedTaskOptions
    about: Mapping[str, Any]
    submissions: Sequence[_Marked]
    people: Mapping[str, Any]
    decided: Sequence[str]
    """The order in which the ladder decided so far."""
    lower: frozenset[str]
    """Metrics of which less is better."""

    @property
    def lower_is_better(self) -> bool:
        return self.order_by in self.lower

    @property
    def shown(self) -> list[_Marked]:
        return [each for each in self.submissions if each.row.state == MARKED]

    def is_marked_again(self, board: StoredBoard) -> bool:
        """Whether submissions of a board wait for new marks; new rules on what is shown cannot."""
        return self.rules == ReleaseRules.of(board.content) and any(
            each.row.state == WAITING and each.row.marked is not None and each.id in board.rows
            for each in self.submissions
        )

    @property
    def hidden(self) -> frozenset[str]:
        return frozenset(self.options.hidden_splits(self.about))

    @property
    def splits(self) -> list[str]:
        return list(self.about["all_splits"])

    @property
    def columns(self) -> list[str]:
        return list(self.options.metrics or self.about["metrics"])

    @property
    def order_by(self) -> str:
        return order_metric(self.columns, self.about["main_metric"], self.options.order_by)

    @property
    def order_split(self) -> str:
        """The split that the organiser wants the order by."""
        return self.options.main_split(self.about)

    @property
    def rules(self) -> ReleaseRules:
        return ReleaseRules(
            self.hidden, self.options.smallest_slice, self.options.ladder and bool(self.hidden)
        )


def _gathered(session: Session, project_id: str) -> _Making:
    rows = session.execute(
        select(Submission, Team.name)
        .join(Team, Team.id == Submission.team_id, isouter=True)
        .where(
            Submission.project_id == project_id,
            Submission.state.in_((MARKED, WAITING, WITHDRAWN)),
        )
        .order_by(Submission.number)
    ).all()
    replies = [json.loads(row.marks) for row, _ in rows]
    options = options_of(newest_configuration(session, project_id))
    about = kept_about(session, project_id)
    people = session.scalar(
        select(ProjectFile)
        .where(ProjectFile.project_id == project_id, ProjectFile.role == PEOPLE_MARKS)
        .order_by(ProjectFile.number.desc())
        .limit(1)
        .options(undefer(ProjectFile.content))
    )
    reply = {} if people is None else json.loads(people.content)
    last = newest_board(session, project_id)
    lower = (name for each in (*replies, reply) for name in each.get("lower_is_better", ()))
    return _Making(
        options,
        about,
        [
            _Marked(row, team, each.get("splits", {}))
            for (row, team), each in zip(rows, replies, strict=True)
        ],
        reply.get("splits", {}),
        () if last is None else tuple(last.content.decided),
        frozenset(lower),
    )


def _board(making: _Making, comparisons: PairedComparisons) -> Board:
    """The board as it is stored: everything in it was released."""
    withheld, decided = _ladder(making, comparisons)
    released = {
        each.id: making.rules.release(each.splits, withheld=withheld.get(each.id))
        for each in making.shown
    }
    split = _ordering_split(making, released)
    ordered = _ordered(making, released, split)
    best = {each.system: each for each in reversed(ordered)}  # the first of each system stays
    ranks = _ranks(
        making,
        comparisons,
        [each for each in ordered if best[each.system] is each],
        released,
        split,
    )
    counts = Counter(each.system for each in making.shown)
    people = making.rules.release(making.people)
    everything = [part for parts in (*released.values(), people) for part in parts.values()]
    rows = [_people(people)] if people else []
    for each in ordered:
        is_best = best[each.system] is each
        place = ranks.get(each.id, _Place())
        rows.append(
            Standing(
                key=each.id,
                name=each.row.system,
                splits={
                    name: _split_marks(part, with_slices=is_best)
                    for name, part in released[each.id].items()
                },
                ranks=place.ranks,
                next=place.next,
            )
        )
    return Board(
        kind=making.about["kind"],
        standings=Standings(
            columns=StandingColumns(
                splits=[
                    StandingSplit(
                        name=name,
                        units=making.about["units"].get(name, 0),
                        is_hidden=name in making.hidden,
                    )
                    for name in making.splits
                ],
                metrics=_metrics(making, everything),
            ),
            rows=rows,
            fields=list(dict.fromkeys(field for part in everything for field in part["by"])),
            order=StandingOrder(split=split, metrics=[making.order_by]),
        ),
        submissions={
            each.id: BoardSubmission(
                number=each.row.number,
                system=each.row.system,
                team=each.team,
                description=each.row.description,
                is_ensemble=each.row.is_ensemble,
                origin=each.row.origin,
                phase=each.row.phase,
                received=each.row.received,
                of_system=counts[each.system],
            )
            for each in ordered
        },
        alpha=making.options.alpha,
        ladder=making.rules.has_ladder,
        smallest_slice=making.options.smallest_slice,
        decided=decided,
    )


def _ladder(making: _Making, comparisons: PairedComparisons) -> tuple[dict[str, str], list[str]]:
    """Why hidden marks are withheld, by submission; and the order of the decisions.

    A submission that was decided once keeps its place, so that what was released stays released.
    Withdrawn submissions count: else a team could begin anew by withdrawing its best.
    """
    if not making.rules.has_ladder:
        return {}, []
    split = making.order_split
    if split not in making.hidden:
        split = next(name for name in making.splits if name in making.hidden)
    place = {id: index for index, id in enumerate(making.decided)}
    own = [each for each in making.submissions if each.row.team_id is not None]
    # Withdrawn before it was marked, a submission has nothing that could be released; and in the
    # practice phase hidden splits are not marked.
    own = [
        each
        for each in own
        if each.row.phase != "practice" and (each.splits or each.row.state != WITHDRAWN)
    ]
    own.sort(key=lambda each: (place.get(each.id, len(place)), each.row.number))
    attempts = [
        Attempt(
            each.id,
            each.row.team_id or "",
            is_marked=each.row.state != WAITING,
            has_mark=_score(each.splits, split, making.order_by) is not None,
        )
        for each in own
    ]
    while True:
        known = comparisons.on(split)
        gains = {
            pair: Gain(None, None, 0) if entry is None else Gain.of(entry)
            for pair, entry in known.items()
        }
        result = climb(attempts, gains, fewest=making.options.smallest_slice)
        if not result.missing:
            break
        comparisons.add(split, result.missing)
    releases = result.releases
    withheld: dict[str, str] = {
        id: release for id, release in releases.items() if release != "released"
    }
    decided = [each.id for each in own if releases[each.id] != "queued" or each.id in place]
    return withheld, decided


def _score(splits: Mapping[str, Any], split: str, metric: str) -> float | None:
    """A mark of a submission, released or not."""
    marks = (splits.get(split) or {}).get("marks") or {}
    score: float | None = marks.get(metric, {}).get("score")
    return score


def learnt_from(splits: Mapping[str, Any], split: str) -> bool:
    """Whether a submission's system learnt from passages of a split: then it has no rank."""
    return bool((splits.get(split) or {}).get("seen"))


def _ordering_split(making: _Making, released: Mapping[str, Any]) -> str:
    """The split of the order; while nobody has a mark there, the last one that somebody has."""
    wanted = making.order_split
    for split in (wanted, *reversed(making.splits)):
        if any(_score(parts, split, making.order_by) is not None for parts in released.values()):
            return split
    return wanted


def _ordered(making: _Making, released: Mapping[str, Any], split: str) -> list[_Marked]:
    """All submissions, the best first; of equal ones the earlier. Without a mark on the split of
    the order they come after the others, by the next split that they have. Last are systems that
    learnt from it."""
    splits = [split, *(name for name in reversed(making.splits) if name != split)]
    sign = 1.0 if making.lower_is_better else -1.0

    def place(each: _Marked) -> tuple[bool, int, float, int]:
        learnt = learnt_from(released[each.id], split)
        for index, name in enumerate(splits):
            score = _score(released[each.id], name, making.order_by)
            if score is not None:
                return learnt, index, sign * score, each.row.number
        return learnt, len(splits), 0.0, each.row.number

    return sorted(making.shown, key=place)


@dataclass(frozen=True)
class _Place:
    """The ranks that a row shares, and its comparison with the next one."""

    ranks: tuple[int, int] | None = None
    next: NextRow | None = None


def _ranks(
    making: _Making,
    comparisons: PairedComparisons,
    rows: Sequence[_Marked],
    released: Mapping[str, Any],
    split: str,
) -> dict[str, _Place]:
    """The places of the rows that have one."""
    ranked = [
        each.id
        for each in rows
        if _score(released[each.id], split, making.order_by) is not None
        and not learnt_from(released[each.id], split)
    ]
    neighbours = list(pairwise(ranked))
    comparisons.add(split, neighbours)
    while True:
        known = comparisons.on(split)
        values = {pair: None if entry is None else entry["p"] for pair, entry in known.items()}
        ties = tie_groups(ranked, values, alpha=making.options.alpha, most=BATCH)
        if not ties.missing:
            break
        comparisons.add(split, ties.missing)
    following = dict(neighbours)
    is_hidden = split in making.hidden

    def compared(id: str) -> NextRow | None:
        entry = known.get((id, following[id])) if id in following else None
        if entry is None:
            return None
        # What is rounded must not come back as an exact difference.
        sides = ("difference", "low", "high", "detectable")
        exact = None if is_hidden else ExactDifference(**{side: entry[side] for side in sides})
        return NextRow(
            row=following[id],
            p=rounded_p(entry["p"]) if is_hidden else entry["p"],
            units=entry["units"],
            clusters=entry["clusters"],
            signature=entry["signature"],
            exact=exact,
        )

    return {id: _Place(ties.ranks[id], compared(id)) for id in ranked}


def _metrics(making: _Making, parts: Iterable[Mapping[str, Any]]) -> list[StandingMetric]:
    """The columns under each split, with how they were made."""
    names = dict.fromkeys((*making.columns, making.order_by))
    scales: dict[str, float] = {}
    signatures: dict[str, dict[str, None]] = {name: {} for name in names}
    for part in parts:
        for name, mark in (part["marks"] or {}).items():
            if name in signatures:
                scales[name] = mark["scale"]
                signatures[name][mark["signature"]] = None
    return [
        StandingMetric(
            name=name,
            scale=scales.get(name, 1.0),
            lower_is_better=name in making.lower,
            signatures=list(signatures[name]),
        )
        for name in names
    ]


def _people(released: Mapping[str, Any]) -> Standing:
    """People's row: of several splits, some may have people and others references."""
    parts = released.values()
    who = dict.fromkeys(part.get("who", PEOPLE) for part in parts)
    method = ", ".join(dict.fromkeys(part["method"] for part in parts))
    return Standing(
        name=f"{' and '.join(who)} ({method})",
        splits={name: _split_marks(part) for name, part in released.items()},
        method=method,
    )


def _split_marks(part: Mapping[str, Any], *, with_slices: bool = True) -> SplitMarks:
    """Released marks of a split, without what the columns say."""
    seen = part.get("seen")
    by = {
        field: {
            value: StandingSlice(units=one["units"], marks=_figures(one["marks"]))
            for value, one in values.items()
        }
        for field, values in part["by"].items()
    }
    return SplitMarks(
        units=part["units"],
        marks=None if part["marks"] is None else _figures(part["marks"]),
        withheld=part.get("withheld"),
        answered=part.get("answered"),
        by=by if with_slices else {},
        seen=None if seen is None else msgspec.convert(seen, SeenPassages),
        method=part.get("method"),
        who=part.get("who"),
        people=part.get("people"),
    )


def _figures(marks: Mapping[str, Any]) -> dict[str, StandingMark]:
    return {
        name: StandingMark(score=mark["score"], low=mark["low"], high=mark["high"])
        for name, mark in marks.items()
    }
