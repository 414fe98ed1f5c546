"""Draws: the same for ever, whatever the block; uniform; built from raw words alone."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from readmark.statistics.draws import BLOCK_CELLS, flips, picks

Draw = Callable[..., Iterator[NDArray[Any]]]

# These numbers never change: every published interval and p-value rests on them.
PICKS_SEED_1 = [
    [5, 9, 1, 9, 3, 4, 8, 4, 5, 0],
    [7, 5, 3, 7, 3, 4, 1, 4, 2, 2],
    [7, 2, 4, 9, 9, 7, 5, 2, 1, 9],
]
FLIPS_SEED_1 = [
    [1, 1, 1, 1, 1, 1, 1, 1, 0, 0],
    [0, 1, 1, 0, 0, 1, 1, 0, 0, 0],
    [1, 0, 1, 1, 0, 0, 1, 1, 0, 0],
    [0, 1, 0, 0, 1, 0, 1, 1, 1, 1],
]


def test_picks_are_stable() -> None:
    assert np.concatenate(list(picks(1, 3, 10))).tolist() == PICKS_SEED_1
    assert next(picks(1, 1, 1000))[0, :8].tolist() == [511, 950, 144, 948, 311, 423, 827, 409]


def test_flips_are_stable() -> None:
    assert np.concatenate(list(flips(1, 4, 10))).tolist() == FLIPS_SEED_1


@pytest.mark.parametrize("n", [1, 7, 64, 65, 200])
def test_draws_come_from_the_raw_words(n: int) -> None:
    source = np.random.PCG64(5)
    expected = [[(int(source.random_raw()) >> 32) * n >> 32 for _ in range(n)] for _ in range(6)]
    assert np.concatenate(list(picks(5, 6, n))).tolist() == expected
    source = np.random.PCG64(5)
    bits = []
    for _ in range(6):
        words = [int(source.random_raw()) for _ in range((n + 63) // 64)]
        bits.append([words[j // 64] >> (j % 64) & 1 for j in range(n)])
    assert np.concatenate(list(flips(5, 6, n))).tolist() == bits


@pytest.mark.parametrize("draw", [picks, flips])
@pytest.mark.parametrize("cells", [1, 100, 1300, BLOCK_CELLS])
def test_draws_do_not_depend_on_the_block(draw: Draw, cells: int) -> None:
    blocks = list(draw(3, 50, 130, cells=cells))
    assert all(block.size <= max(cells, 130) for block in blocks)
    assert np.array_equal(np.concatenate(blocks), np.concatenate(list(draw(3, 50, 130))))


def test_seeds_differ() -> None:
    assert next(picks(1, 1, 100)).tolist() != next(picks(2, 1, 100)).tolist()
    assert next(flips(1, 1, 100)).tolist() != next(flips(2, 1, 100)).tolist()


def test_picks_are_uniform() -> None:
    drawn = np.concatenate(list(picks(1, 10_000, 7)))
    assert (drawn.min(), drawn.max()) == (0, 6)
    # 10,000 expected of each, standard deviation 93.
    assert np.abs(np.bincount(drawn.ravel()) - 10_000).max() < 400


def test_flips_are_fair_in_every_cell() -> None:
    drawn = np.concatenate(list(flips(1, 10_000, 130)))
    assert set(np.unique(drawn)) == {0, 1}
    # 5,000 expected in each cell, standard deviation 50.
    assert np.abs(drawn.sum(axis=0, dtype=int) - 5_000).max() < 250


@pytest.mark.parametrize("draw", [picks, flips])
def test_nothing_to_draw(draw: Draw) -> None:
    assert [block.shape for block in draw(1, 3, 0)] == [(3, 0)]
    assert list(draw(1, 0, 5)) == []
