"""Groups of different sizes allotted to a few parts, so that each part gets its share of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PARTNERS = 512
"""Groups that a group is offered to change places with, in one round."""
ROUNDS = 12
GAIN = 0.01
"""A round that lowers the chi-square by a smaller share than this is the last."""
SIZES = 10.0
"""Proportions come first: so much more than a field's strata do the sizes weigh."""
_DIGITS = 9  # sums may differ in their last bits from machine to machine; choices must not


def chi_square(counts: NDArray[np.float64], wanted: NDArray[np.float64]) -> float:
    """How far counts are from what was wanted, one row per part: the sizes first, then strata."""
    import numpy as np

    off = np.zeros_like(wanted)
    np.divide((counts - wanted) ** 2, wanted, out=off, where=wanted > 0)
    off[:, 0] *= SIZES
    return float(np.round(off.sum(), _DIGITS))


def best_allotted(
    counts: Sequence[Sequence[int]], shares: Sequence[float], orders: Sequence[Sequence[int]]
) -> list[int]:
    """The best of what several orders come to; of equal ones the first."""
    tried = [allotted(counts, shares, order) for order in orders]
    return min(tried, key=lambda parts: distance(counts, shares, parts))


def distance(
    counts: Sequence[Sequence[int]], shares: Sequence[float], parts: Sequence[int]
) -> float:
    """The chi-square of groups that are in parts."""
    import numpy as np

    if not counts:
        return 0.0
    groups = np.asarray(counts, dtype=np.float64)
    groups = groups[:, groups.sum(axis=0) > 0]
    wanted = np.outer(np.asarray(shares) / sum(shares), groups.sum(axis=0))
    got = np.zeros_like(wanted)
    np.add.at(got, np.asarray(parts), groups)
    return chi_square(got, wanted)


def allotted(
    counts: Sequence[Sequence[int]], shares: Sequence[float], order: Sequence[int]
) -> list[int]:
    """The part of every group. ``counts`` has one row per group, its size first, then its strata.

    Groups come in ``order``, each to the part that lacks most; then single groups move and pairs
    change places as long as the chi-square falls. No part gets more than its share and the largest
    group, and none stays empty when there are groups enough. Sizes must be positive.
    """
    import numpy as np

    if not counts:
        return []
    groups = np.asarray(counts, dtype=np.float64)
    groups = groups[:, groups.sum(axis=0) > 0]
    part_shares = np.asarray(shares, dtype=np.float64) / sum(shares)
    wanted = np.outer(part_shares, groups.sum(axis=0))
    state = _State(groups, wanted)
    for one in order:
        state.put(one, int(np.argmax(np.round(wanted[:, 0] - state.got[:, 0], _DIGITS))))
    state.fill_empty(order)
    before = chi_square(state.got, wanted)
    for turn in range(ROUNDS):
        state.improve(order, turn)
        after = chi_square(state.got, wanted)
        gained, before = before - after, after
        if gained <= GAIN * (gained + after):
            break
    return [int(part) for part in state.part]


class _State:
    """Which group is in which part, and what the parts have got."""

    def __init__(self, groups: NDArray[np.float64], wanted: NDArray[np.float64]) -> None:
        import numpy as np

        self.groups = groups
        self.wanted = wanted
        self.got = np.zeros_like(wanted)
        self._weights = 1 / wanted
        self._weights[:, 0] *= SIZES
        self.part = np.full(len(groups), -1, dtype=np.int64)
        self.members = np.zeros(len(wanted), dtype=np.int64)
        self._most = wanted[:, 0] + groups[:, 0].max()
        # The null group at the end: to change places with it is to move.
        self._offered = np.vstack([groups, np.zeros(groups.shape[1])])

    def put(self, one: int, part: int) -> None:
        """A group into a part, out of the one where it is."""
        if self.part[one] >= 0:
            self.got[self.part[one]] -= self.groups[one]
            self.members[self.part[one]] -= 1
        self.part[one] = part
        self.got[part] += self.groups[one]
        self.members[part] += 1

    def fill_empty(self, order: Sequence[int]) -> None:
        """A part that got nothing takes the smallest group of the part with the most groups."""
        for part in range(len(self.wanted)):
            giver = int(self.members.argmax())
            if self.members[part] == 0 and self.members[giver] > 1:
                theirs = [one for one in order if self.part[one] == giver]
                self.put(min(theirs, key=lambda their: self.groups[their, 0]), part)

    def improve(self, order: Sequence[int], turn: int) -> None:
        """One round: each group in turn takes the move or exchange that helps most, if any does."""
        import numpy as np

        around = np.asarray(order, dtype=np.int64)
        null = len(self.groups)
        parts = np.arange(len(self.wanted))
        reach = min(PARTNERS, len(around) - 1)
        for index, one in enumerate(order):
            window = index + 1 + turn * PARTNERS + np.arange(reach)
            partners = around[window % len(around)]
            others = np.concatenate([partners, np.full(len(parts), null)])
            theirs = np.concatenate([self.part[partners], parts])
            best = self._best(one, others, theirs)
            if best is not None:
                mine = int(self.part[one])
                self.put(one, int(theirs[best]))
                if others[best] != null:
                    self.put(int(others[best]), mine)

    def _best(self, one: int, others: NDArray[np.int64], theirs: NDArray[np.int64]) -> int | None:
        import numpy as np

        mine = int(self.part[one])
        change = self._offered[others] - self.groups[one]  # of my part; of theirs the opposite
        off = self.got - self.wanted
        here = np.sum((change**2 + 2 * change * off[mine]) * self._weights[mine], axis=1)
        there = np.sum((change**2 - 2 * change * off[theirs]) * self._weights[theirs], axis=1)
        gains = np.round(here + there, _DIGITS)
        allowed = theirs != mine
        allowed &= self.got[mine, 0] + change[:, 0] <= self._most[mine]
        allowed &= self.got[theirs, 0] - change[:, 0] <= self._most[theirs]
        if self.members[mine] == 1:
            allowed &= others != len(self.groups)
        gains[~allowed] = 0.0
        best = int(gains.argmin())
        return best if gains[best] < 0 else None
