"""What may be shown of marks: all of public splits, and of hidden ones what gives nothing away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from readmark.core.hidden_marks import rounded_mark

if TYPE_CHECKING:
    from readmark.server.boards.stored import Board

REASONS = {
    "not_better": "not shown: it does not improve on the team's best by more than the noise",
    "queued": "not shown yet: an earlier submission of the team is still being marked",
    "few": "not shown: the split has a single unit",
}
"""Why a hidden mark is not shown, by the code in ``withheld``."""


@dataclass(frozen=True)
class ReleaseRules:
    """What decides which marks are shown."""

    hidden: frozenset[str]
    smallest_slice: int
    has_ladder: bool

    @classmethod
    def of(cls, board: Board) -> ReleaseRules:
        """Those of a stored board."""
        return cls(board.hidden, board.smallest_slice, board.ladder)

    def release(self, splits: Mapping[str, Any], *, withheld: str | None = None) -> dict[str, Any]:
        """The splits of a submission, or of people, with what may be shown of them.

        ``withheld`` says why the marks of hidden splits are not.
        """
        return {name: self._released(name, split, withheld) for name, split in splits.items()}

    def _released(
        self, name: str, split: Mapping[str, Any], withheld: str | None
    ) -> dict[str, Any]:
        is_hidden = name in self.hidden
        facts = {
            key: split[key]
            for key in ("units", "answered", "method", "who", "people", "seen")
            if key in split
        }
        facts["is_hidden"] = is_hidden
        code = withheld if is_hidden else None
        if is_hidden and split["units"] < 2:
            code = "few"
        if code is not None:
            return {**facts, "marks": None, "withheld": code, "reason": REASONS[code], "by": {}}

        def mark(part: Mapping[str, Any], metric: str) -> dict[str, Any]:
            exact: dict[str, Any] = part["marks"][metric]
            units = part.get("counted", {}).get(metric, part["units"])
            return rounded_mark(exact, units) if is_hidden else exact

        # A mark of one unit would say how that unit was answered.
        counted = split.get("counted", {})
        marks = {
            metric: mark(split, metric)
            for metric in split["marks"]
            if not is_hidden or counted.get(metric, 2) > 1
        }
        safe = {tuple(pair) for pair in split.get("safe", ())}
        by: dict[str, dict[str, Any]] = {}
        for field, parts in split["by"].items():
            for value, part in parts.items():
                if is_hidden and (
                    (field, value) not in safe or part["units"] < self.smallest_slice
                ):
                    continue
                # A metric that counts some units only says more of them than the slice's size.
                metrics = [
                    metric
                    for metric in part["marks"]
                    if not is_hidden or metric not in part.get("counted", {})
                ]
                by.setdefault(field, {})[value] = {
                    "units": part["units"],
                    "marks": {metric: mark(part, metric) for metric in metrics},
                }
        return {**facts, "marks": marks, "by": by}
