"""Places on a board: whose hidden marks are released, the order of submissions, their ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from readmark.core.hidden_marks import rounded_p
from readmark.reporting import ExactDifference, NextRow
from readmark.server.boards.comparisons import BATCH, PairedComparisons
from readmark.server.boards.ladder import Attempt, Gain, climb
from readmark.server.boards.release import ReleaseRules
from readmark.server.boards.stored import StoredBoard
from readmark.server.boards.ties import tie_groups
from readmark.server.shared_tasks.options import SharedTaskOptions
from readmark.server.shared_tasks.submissions import MARKED, WAITING, WITHDRAWN
from readmark.server.shared_tasks.task_metrics import order_metric
from readmark.server.tables import Submission


@dataclass(frozen=True)
class MarkedSubmission:
    """A submission with its marks and the name of its team."""

    row: Submission
    team: str | None
    splits: Mapping[str, Any]

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def system(self) -> tuple[str | None, str, bool]:
        """Of several submissions of a system only the best has a rank."""
        return self.row.team_id, self.row.system, self.row.is_ensemble


@dataclass(frozen=True)
class BoardMaterial:
    """What a board is made of."""

    options: SharedTaskOptions
    about: Mapping[str, Any]
    """What was noted of the task's test: splits, units, metrics."""
    submissions: Sequence[MarkedSubmission]
    people: Mapping[str, Any]
    decided: Sequence[str]
    """The order in which the ladder decided so far."""
    lower_metrics: frozenset[str]
    """Metrics of which less is better."""

    @property
    def shown(self) -> list[MarkedSubmission]:
        """The submissions that have a row: not those that were withdrawn or wait for marks."""
        return [submission for submission in self.submissions if submission.row.state == MARKED]

    def is_marked_again(self, board: StoredBoard) -> bool:
        """Whether submissions of a board wait for new marks; new rules on what is shown cannot."""
        return self.rules == ReleaseRules.of(board.content) and any(
            submission.row.state == WAITING
            and submission.row.marked is not None
            and submission.id in board.rows
            for submission in self.submissions
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
        """The metric of the order."""
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


def decide_releases(
    material: BoardMaterial, comparisons: PairedComparisons
) -> tuple[dict[str, str], list[str]]:
    """Why hidden marks are withheld, by submission; and the order of the ladder's decisions.

    A submission that was decided once keeps its place, so that what was released stays released.
    Withdrawn submissions count: else a team could begin anew by withdrawing its best.
    """
    if not material.rules.has_ladder:
        return {}, []
    split = material.order_split
    if split not in material.hidden:
        split = next(name for name in material.splits if name in material.hidden)
    positions = {id: index for index, id in enumerate(material.decided)}
    # Withdrawn before it was marked, a submission has nothing that could be released; and in the
    # practice phase hidden splits are not marked.
    candidates = [
        submission
        for submission in material.submissions
        if submission.row.team_id is not None
        and submission.row.phase != "practice"
        and (submission.splits or submission.row.state != WITHDRAWN)
    ]
    candidates.sort(
        key=lambda submission: (
            positions.get(submission.id, len(positions)),
            submission.row.number,
        )
    )
    attempts = [
        Attempt(
            submission.id,
            submission.row.team_id or "",
            is_marked=submission.row.state != WAITING,
            has_mark=_score(submission.splits, split, material.order_by) is not None,
        )
        for submission in candidates
    ]
    # Which pairs the ladder compares depends on what it has decided of earlier ones.
    while True:
        entries = comparisons.on(split)
        gains = {
            pair: Gain(None, None, 0) if entry is None else Gain.of(entry)
            for pair, entry in entries.items()
        }
        result = climb(attempts, gains, fewest=material.options.smallest_slice)
        if not result.missing:
            break
        comparisons.add(split, result.missing)
    releases = result.releases
    withheld: dict[str, str] = {
        id: release for id, release in releases.items() if release != "released"
    }
    decided = [
        submission.id
        for submission in candidates
        if releases[submission.id] != "queued" or submission.id in positions
    ]
    return withheld, decided


def _score(splits: Mapping[str, Any], split: str, metric: str) -> float | None:
    """A submission's score of a metric on a split, among all marks or released ones."""
    marks = (splits.get(split) or {}).get("marks") or {}
    score: float | None = marks.get(metric, {}).get("score")
    return score


def _learnt_from(splits: Mapping[str, Any], split: str) -> bool:
    """Whether a submission's system learnt from passages of a split: then it has no rank."""
    return bool((splits.get(split) or {}).get("seen"))


def ordering_split(material: BoardMaterial, released: Mapping[str, Any]) -> str:
    """The split of the order; while nobody has a mark there, the last one that somebody has."""
    for split in (material.order_split, *reversed(material.splits)):
        if any(_score(parts, split, material.order_by) is not None for parts in released.values()):
            return split
    return material.order_split


def ordered_submissions(
    material: BoardMaterial, released: Mapping[str, Any], split: str
) -> list[MarkedSubmission]:
    """All submissions, the best first; of equal ones the earlier.

    Without a mark on the split of the order they come after the others, by the next split that they
    have. Last are systems that learnt from it.
    """
    splits = [split, *(name for name in reversed(material.splits) if name != split)]
    sign = 1.0 if material.order_by in material.lower_metrics else -1.0

    def sort_key(submission: MarkedSubmission) -> tuple[bool, int, float, int]:
        parts = released[submission.id]
        learnt = _learnt_from(parts, split)
        for index, name in enumerate(splits):
            score = _score(parts, name, material.order_by)
            if score is not None:
                return learnt, index, sign * score, submission.row.number
        return learnt, len(splits), 0.0, submission.row.number

    return sorted(material.shown, key=sort_key)


@dataclass(frozen=True)
class Place:
    """The ranks that a row shares, and its comparison with the next one."""

    ranks: tuple[int, int] | None = None
    next: NextRow | None = None


def places_of(
    material: BoardMaterial,
    comparisons: PairedComparisons,
    submissions: Sequence[MarkedSubmission],
    released: Mapping[str, Any],
    split: str,
) -> dict[str, Place]:
    """The places of the submissions that have one, by id; they come in the board's order."""
    ranked = [
        submission.id
        for submission in submissions
        if _score(released[submission.id], split, material.order_by) is not None
        and not _learnt_from(released[submission.id], split)
    ]
    neighbours = list(pairwise(ranked))
    comparisons.add(split, neighbours)
    # Who is compared with the first of a group depends on where the group before it ends.
    while True:
        entries = comparisons.on(split)
        p_values = {pair: None if entry is None else entry["p"] for pair, entry in entries.items()}
        ties = tie_groups(ranked, p_values, alpha=material.options.alpha, most=BATCH)
        if not ties.missing:
            break
        comparisons.add(split, ties.missing)
    following = dict(neighbours)
    is_hidden = split in material.hidden

    def comparison_with_next(id: str) -> NextRow | None:
        entry = entries.get((id, following[id])) if id in following else None
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

    return {id: Place(ties.ranks[id], comparison_with_next(id)) for id in ranked}
