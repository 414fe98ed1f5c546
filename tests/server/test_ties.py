"""Ties on a board, against tables worked by hand."""

from __future__ import annotations

import pytest

from readmark.server.boards.ladder import Pair
from readmark.server.boards.ties import tie_groups


@pytest.mark.parametrize(
    ("p_values", "ranks"),
    [
        # b is like a; c differs from a, so that it begins the next group, although it is like b.
        ({"ab": 0.4, "ac": 0.01, "cd": 0.2}, {"a": (1, 2), "b": (1, 2), "c": (3, 4), "d": (3, 4)}),
        (
            {"ab": 0.01, "bc": 0.01, "cd": 0.01},
            {row: (rank, rank) for rank, row in enumerate("abcd", 1)},
        ),
        ({"ab": 0.05, "ac": 0.9, "ad": 0.06}, dict.fromkeys("abcd", (1, 4))),  # alpha is no less
        (
            {"ab": None, "ac": 0.04, "cd": None},
            {"a": (1, 2), "b": (1, 2), "c": (3, 4), "d": (3, 4)},
        ),
    ],
)
def test_rows_share_ranks_until_one_differs_from_the_first_of_the_group(
    p_values: dict[str, float | None], ranks: dict[str, tuple[int, int]]
) -> None:
    all_values = {(pair[0], pair[1]): p for pair, p in p_values.items()}
    ties = tie_groups("abcd", all_values, alpha=0.05, most=20)
    assert dict(ties.ranks) == ranks
    assert not ties.missing
    # Given only what it says is missing, again and again, it ends with the same.
    values: dict[Pair, float | None] = {}
    while (ties := tie_groups("abcd", values, alpha=0.05, most=1)).missing:
        assert len(ties.missing) == 1
        values.update((pair, all_values[pair]) for pair in ties.missing)
    assert dict(ties.ranks) == ranks
    assert values == all_values
