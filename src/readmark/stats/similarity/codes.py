"""Pairs of strings as arrays of code points, in batches of about the same length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from readmark.stats.similarity.memory import keep_freed
from readmark.stats.similarity.shared import Floats

Ints = NDArray[np.int32]
Indices = NDArray[np.int64]

PAST_A, PAST_B = -1, -2
"""What stands past the end of a string: equal to no character, nor to the other side's."""
LONGEST = 200
"""Longer strings are compared pair by pair."""
_CELLS = 50_000


@dataclass(frozen=True, slots=True)
class Batch:
    """Some pairs: where they came from, and both sides as code points (position, pair)."""

    at: Indices
    a: Ints
    b: Ints
    size_a: Indices
    size_b: Indices


def each(
    a: Sequence[str],
    b: Sequence[str],
    one: Callable[[str, str], float],
    several: Callable[[Batch], Floats],
    *,
    shortest: int = 1,
) -> Floats:
    """A measure of every pair: batch by batch, and one by one where a side is long or short."""
    keep_freed()
    found = np.empty(len(a))
    left = np.ones(len(a), dtype=np.bool_)
    for batch in batches(a, b, shortest):
        found[batch.at] = several(batch)
        left[batch.at] = False
    for at in np.flatnonzero(left).tolist():
        found[at] = one(a[at], b[at])
    return found


def batches(a: Sequence[str], b: Sequence[str], shortest: int = 1) -> Iterator[Batch]:
    """The pairs of which neither side is long or shorter than that."""
    size_a, size_b = sizes(a), sizes(b)
    for now in grouped(size_a, size_b, shortest):
        yield Batch(
            now,
            _padded(a, size_a, now, PAST_A),
            _padded(b, size_b, now, PAST_B),
            size_a[now],
            size_b[now],
        )


def grouped(size_a: Indices, size_b: Indices, shortest: int) -> Iterator[Indices]:
    """Where pairs of about the same length stand, without those that are long or shorter."""
    longest = np.maximum(size_a, size_b)
    order = np.argsort(longest, kind="stable")
    order = order[(longest[order] <= LONGEST) & (np.minimum(size_a, size_b)[order] >= shortest)]
    at = 0
    while at < len(order):
        # Of about the same number of cells, so that a batch stays near the processor.
        count = max(_CELLS // max(int(longest[order[at]]), 1), 16)
        yield order[at : at + count]
        at += count


def sizes(texts: Sequence[str]) -> Indices:
    """The lengths of strings."""
    return np.fromiter(map(len, texts), np.int64, len(texts))


def _padded(texts: Sequence[str], size: Indices, rows: Indices, past: int) -> Ints:
    joined = "".join([texts[at] for at in rows.tolist()])
    flat = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<i4")
    lengths = size[rows]
    width = int(lengths.max())
    padded = np.full((len(rows), width), past, dtype=np.int32)
    padded[np.arange(width) < lengths[:, None]] = flat
    return np.ascontiguousarray(padded.T)
