"""Random draws that are the same on any machine and with any numpy: raw words of PCG64."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

# A block's doubles (2 MiB) stay in the second-level cache: larger blocks measured 2 to 4 times
# slower. A single draw over more clusters than this is a block of its own.
BLOCK_CELLS = 2**18

MOST_DRAWS = 1_000_000
"""More draws or trials would fill the memory and change no figure that is shown."""

_HALF = np.uint64(32)


def picks(
    seed: int, draws: int, n: int, *, cells: int = BLOCK_CELLS
) -> Iterator[NDArray[np.int64]]:
    """Blocks (k, n) of indices below n, a row for each draw; a word makes an index.

    By multiply-shift, since a remainder would take longer.
    The bias is below n / 2**32 (Lemire, Fast Random Integer Generation in an Interval).
    """
    source = np.random.PCG64(seed)
    for k in _rows(draws, n, cells):
        words = source.random_raw(k * n)
        words >>= _HALF
        words *= np.uint64(n)
        words >>= _HALF
        yield words.view(np.int64).reshape(k, n)


def flips(
    seed: int, trials: int, n: int, *, cells: int = BLOCK_CELLS
) -> Iterator[NDArray[np.uint8]]:
    """Blocks (k, n) of random bits, a row for each trial: whole words, lowest bit first."""
    source = np.random.PCG64(seed)
    width = -(-n // 64)
    for k in _rows(trials, n, cells):
        # Little-endian bytes on every machine, so that bit j of a word is always cell j.
        words = source.random_raw(k * width).astype("<u8", copy=False)
        octets = words.view(np.uint8).reshape(k, width * 8)
        yield np.unpackbits(octets, axis=1, count=n, bitorder="little")


def _rows(total: int, n: int, cells: int) -> Iterator[int]:
    most = max(1, cells // max(1, n))
    for index in range(0, total, most):
        yield min(most, total - index)
