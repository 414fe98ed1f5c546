"""Ties on a board: rows without a significant difference from the first row of their group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.server.boards.ladder import Pair


@dataclass(frozen=True)
class Ties:
    """The first and last rank that each row may have, and pairs that are still to be compared."""

    ranks: Mapping[str, tuple[int, int]]
    missing: Sequence[Pair]


def tie_groups(
    rows: Sequence[str], p_values: Mapping[Pair, float | None], *, alpha: float, most: int
) -> Ties:
    """Group rows from the best down.

    A row joins the group if its paired comparison with the group's first row has p ≥ alpha, or none
    can be made; else it begins the next group. Every p is that of one comparison and is not
    adjusted for their number. Of missing pairs ``most`` are named at a time, as the first row that
    differs ends a group.
    """
    ranks: dict[str, tuple[int, int]] = {}
    start = 0
    while start < len(rows):
        end = start + 1
        while end < len(rows):
            pair = (rows[start], rows[end])
            if pair not in p_values:
                ahead = [(rows[start], row) for row in rows[end : end + most]]
                return Ties(ranks, [pair for pair in ahead if pair not in p_values])
            p = p_values[pair]
            if p is not None and p < alpha:
                break
            end += 1
        ranks.update((row, (start + 1, end)) for row in rows[start:end])
        start = end
    return Ties(ranks, [])
