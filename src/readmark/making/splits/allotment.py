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
"""How much more sizes weigh than the strata of a field: the proportions come first."""
_DIGITS = 9  # sums may differ in their last bits from machine to machine; choices must not


def chi_square(counts: NDArray[np.float64], targets: NDArray[np.float64]) -> float:
    """How far counts are from their targets, one row per part: the sizes first, then strata."""
    import numpy as np

    terms = np.zeros_like(targets)
    np.divide((counts - targets) ** 2, targets, out=terms, where=targets > 0)
    terms[:, 0] *= SIZES
    return float(np.round(terms.sum(), _DIGITS))


def distance(
    counts: Sequence[Sequence[int]], shares: Sequence[float], parts: Sequence[int]
) -> float:
    """The chi-square of groups that are in parts."""
    import numpy as np

    if not counts:
        return 0.0
    groups = np.asarray(counts, dtype=np.float64)
    groups = groups[:, groups.sum(axis=0) > 0]
    targets = np.outer(np.asarray(shares) / sum(shares), groups.sum(axis=0))
    totals = np.zeros_like(targets)
    np.add.at(totals, np.asarray(parts), groups)
    return chi_square(totals, targets)


def best_allotted(
    counts: Sequence[Sequence[int]], shares: Sequence[float], orders: Sequence[Sequence[int]]
) -> list[int]:
    """The best allotment that one of the orders gives; of equally good ones the first."""
    candidates = [allotted(counts, shares, order) for order in orders]
    return min(candidates, key=lambda parts: distance(counts, shares, parts))


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
    targets = np.outer(part_shares, groups.sum(axis=0))
    state = _Allotment(groups, targets)
    for group in order:
        state.put(group, int(np.argmax(np.round(targets[:, 0] - state.totals[:, 0], _DIGITS))))
    state.fill_empty(order)
    before = chi_square(state.totals, targets)
    for turn in range(ROUNDS):
        state.improve(order, turn)
        after = chi_square(state.totals, targets)
        gain = before - after
        if gain <= GAIN * before:
            break
        before = after
    return [int(part) for part in state.part]


class _Allotment:
    """The part of every group, and the totals of every part, while groups move."""

    def __init__(self, groups: NDArray[np.float64], targets: NDArray[np.float64]) -> None:
        import numpy as np

        self.groups = groups
        self.targets = targets
        self.totals = np.zeros_like(targets)
        self._weights = 1 / targets
        self._weights[:, 0] *= SIZES
        self.part = np.full(len(groups), -1, dtype=np.int64)
        self.members = np.zeros(len(targets), dtype=np.int64)
        self._most = targets[:, 0] + groups[:, 0].max()
        # The null group at the end: to change places with it is to move.
        self._partners = np.vstack([groups, np.zeros(groups.shape[1])])

    def put(self, group: int, part: int) -> None:
        """Put a group into a part, out of the one that it is in."""
        if self.part[group] >= 0:
            self.totals[self.part[group]] -= self.groups[group]
            self.members[self.part[group]] -= 1
        self.part[group] = part
        self.totals[part] += self.groups[group]
        self.members[part] += 1

    def fill_empty(self, order: Sequence[int]) -> None:
        """Give each empty part the smallest group of the part with the most groups."""
        for part in range(len(self.targets)):
            giver = int(self.members.argmax())
            if self.members[part] == 0 and self.members[giver] > 1:
                groups = [group for group in order if self.part[group] == giver]
                self.put(min(groups, key=lambda group: self.groups[group, 0]), part)

    def improve(self, order: Sequence[int], turn: int) -> None:
        """One round: each group in turn takes the move or exchange that helps most, if any does."""
        import numpy as np

        ring = np.asarray(order, dtype=np.int64)
        null = len(self.groups)
        parts = np.arange(len(self.targets))
        reach = min(PARTNERS, len(ring) - 1)
        for index, group in enumerate(order):
            # Every round offers other partners: the next ones in the order, around its end.
            window = index + 1 + turn * PARTNERS + np.arange(reach)
            neighbours = ring[window % len(ring)]
            partners = np.concatenate([neighbours, np.full(len(parts), null)])
            partner_parts = np.concatenate([self.part[neighbours], parts])
            best = self._best(group, partners, partner_parts)
            if best is not None:
                old_part = int(self.part[group])
                self.put(group, int(partner_parts[best]))
                if partners[best] != null:
                    self.put(int(partners[best]), old_part)

    def _best(
        self, group: int, partners: NDArray[np.int64], partner_parts: NDArray[np.int64]
    ) -> int | None:
        """Which partner to change places with, so that the chi-square falls most; None if none."""
        import numpy as np

        part = int(self.part[group])
        # What the group's part gains by each exchange; the partner's part loses as much.
        change = self._partners[partners] - self.groups[group]
        excess = self.totals - self.targets
        ours = np.sum((change**2 + 2 * change * excess[part]) * self._weights[part], axis=1)
        theirs = np.sum(
            (change**2 - 2 * change * excess[partner_parts]) * self._weights[partner_parts], axis=1
        )
        differences = np.round(ours + theirs, _DIGITS)
        allowed = partner_parts != part
        allowed &= self.totals[part, 0] + change[:, 0] <= self._most[part]
        allowed &= self.totals[partner_parts, 0] - change[:, 0] <= self._most[partner_parts]
        if self.members[part] == 1:  # a move would leave the part empty
            allowed &= partners != len(self.groups)
        differences[~allowed] = 0.0
        best = int(differences.argmin())
        return best if differences[best] < 0 else None
