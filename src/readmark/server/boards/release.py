"""What may be shown of marks: all of public splits, and of hidden ones what gives nothing away."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

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
        shown = {
            key: split[key]
            for key in ("units", "answered", "method", "who", "people", "seen")
            if key in split
        }
        shown["is_hidden"] = is_hidden
        code = withheld if is_hidden else None
        if is_hidden and split["units"] < 2:
            code = "few"
        if code is not None:
            return {**shown, "marks": None, "withheld": code, "reason": REASONS[code], "by": {}}
        counted = split.get("counted", {})

        def mark(part: Mapping[str, Any], metric: str) -> dict[str, Any]:
            exact: dict[str, Any] = part["marks"][metric]
            units = part.get("counted", {}).get(metric, part["units"])
            return rounded_mark(exact, units) if is_hidden else exact

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
                whole = [
                    metric
                    for metric in part["marks"]
                    if not is_hidden or metric not in part.get("counted", {})
                ]
                by.setdefault(field, {})[value] = {
                    "units": part["units"],
                    "marks": {metric: mark(part, metric) for metric in whole},
                }
        return {**shown, "marks": marks, "by": by}


# Slices of a hidden split. One is withheld if it has too few units, or if others, subtracted from
# each other or from the whole split, would give the sum of too few units: with three slices and
# the whole, the third slice follows from the other two.


SliceName = tuple[str, str]
"""A field and its value."""
MOST_SLICES = 60
"""Of a split; of more the largest are looked at, and the others are withheld."""
_MOST_SUMMED, _MOST_SIGNED = 12, 7
_ZERO = 1e-9


def safe_slices(
    members: Mapping[SliceName, Iterable[str]], units: Iterable[str], *, fewest: int
) -> list[SliceName]:
    """The slices that may be shown together, from the units that are in each."""
    everything = frozenset(units)
    own = {name: frozenset(ids) & everything for name, ids in members.items()}
    large = [
        name
        for name, ids in own.items()
        if len(ids) >= fewest and not 0 < len(everything) - len(ids) < fewest
    ]
    fields = list(dict.fromkeys(field for field, _ in own))
    large = sorted(large, key=lambda name: -len(own[name]))[:MOST_SLICES]
    large.sort(key=lambda name: fields.index(name[0]))
    if not _discloses([own[name] for name in large], everything, fewest):
        return large
    shown: list[SliceName] = []
    for name in large:
        if not _discloses([own[each] for each in (*shown, name)], everything, fewest):
            shown.append(name)
    return shown


def _discloses(slices: Sequence[frozenset[str]], units: frozenset[str], fewest: int) -> bool:
    """Whether sums over the slices and the whole give the sum of fewer units than allowed.

    Units in the same slices are one cell. What an outsider can work out are the linear
    combinations of the rows of slices by cells. Those that vanish on every cell that is large
    enough are about the small cells alone. In reduced form, a combination that is 0 or 1 on every
    cell is a sum of some of these rows, so trying all sums finds every sum of few units; signs
    find differences too. Where there are too many rows to try, the answer is yes.
    """
    patterns = Counter(tuple(unit in members for members in slices) for unit in units)
    cells = sorted(patterns, key=lambda pattern: patterns[pattern] < fewest)  # large ones first
    large = sum(patterns[pattern] >= fewest for pattern in cells)
    sizes = np.array([patterns[pattern] for pattern in cells])
    rows = _reduced(np.array([[1.0] * len(cells), *zip(*cells, strict=True)], dtype=np.float64))
    rows = rows[(np.abs(rows[:, :large]) <= _ZERO).all(axis=1)]
    if not 0 < len(rows) <= _MOST_SUMMED:
        return len(rows) > 0
    factors = (0, 1, -1) if len(rows) <= _MOST_SIGNED else (0, 1)
    chosen = np.array(list(itertools.product(factors, repeat=len(rows)))[1:])
    support = np.abs(chosen @ rows) > _ZERO
    return bool((support @ sizes < fewest).any())


def _reduced(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rows of the reduced echelon form."""
    rows, rank = matrix.copy(), 0
    for column in range(rows.shape[1]):
        if rank == len(rows):
            break
        pivot = rank + int(np.argmax(np.abs(rows[rank:, column])))
        if abs(rows[pivot, column]) <= _ZERO:
            continue
        rows[[rank, pivot]] = rows[[pivot, rank]]
        rows[rank] /= rows[rank, column]
        others = np.arange(len(rows)) != rank
        rows[others] -= np.outer(rows[others, column], rows[rank])
        rank += 1
    return rows[:rank]
