"""SimMetrics' Jaro and Jaro-Winkler, which never match the last character of a text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from readmark.stats.similarity.codes import Batch, Ints, each
from readmark.stats.similarity.jaro import SCALE, boosted
from readmark.stats.similarity.shared import Floats

PREFIX = 6
_TAKEN = -3


def jaro(a: str, b: str) -> float:
    """Jaro's formula over matches less than half the shorter length apart; see ``_common``.

    0 where nothing matches, and where the two directions match different numbers.
    """
    near = (min(len(a), len(b)) + 1) // 2
    first, second = _common(a, b, near), _common(b, a, near)
    matches = len(first)
    if not matches or matches != len(second):
        return 0.0
    swapped = sum(x != y for x, y in zip(first, second, strict=True)) // 2
    return (matches / len(a) + matches / len(b) + (matches - swapped) / matches) / 3


def jaro_winkler(a: str, b: str) -> float:
    """With up to six characters of common prefix."""
    found = jaro(a, b)
    same = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    prefix = min(len(a), len(b)) if same is None else same
    return found + min(prefix, PREFIX) * SCALE * (1 - found)


def many(a: Sequence[str], b: Sequence[str]) -> Floats:
    """Jaro for each pair."""
    return each(a, b, jaro, _several)


def many_winkler(a: Sequence[str], b: Sequence[str]) -> Floats:
    """Jaro-Winkler for each pair."""
    return boosted(many(a, b), a, b, PREFIX)


def _common(a: str, b: str, near: int) -> list[str]:
    """The characters of the first text that the second has near the same place, but for its last.

    Near is from so many places before to one less than so many after.
    """
    free: list[str | None] = list(b)
    found = []
    for i, character in enumerate(a):
        for j in range(max(0, i - near), min(i + near, len(b) - 1)):
            if free[j] == character:
                free[j] = None
                found.append(character)
                break
    return found


def _several(batch: Batch) -> Floats:
    near = (np.minimum(batch.size_a, batch.size_b) + 1) // 2
    first = _commons(batch.a, batch.b, near, batch.size_b)
    second = _commons(batch.b, batch.a, near, batch.size_a)
    width = max(len(first), len(second))
    first, second = (np.pad(one, ((0, width - len(one)), (0, 0))) for one in (first, second))
    matches = (first > 0).sum(axis=0)
    swapped = (first != second).sum(axis=0) // 2
    counts = (matches > 0) & (matches == (second > 0).sum(axis=0))
    safe = np.maximum(matches, 1)
    found = (matches / batch.size_a + matches / batch.size_b + (safe - swapped) / safe) / 3
    return np.where(counts, found, 0.0)


def _commons(a: Ints, b: Ints, near: NDArray[np.int64], size: NDArray[np.int64]) -> Ints:
    """The common characters of each pair, in order, then zeros; each is one above its code."""
    free = b.copy()
    pairs = np.arange(a.shape[1])
    places = np.arange(len(b))[:, None]
    last = size - 1
    rank = np.zeros(a.shape[1], dtype=np.int64)
    found = np.zeros((len(a) + 1, a.shape[1]), dtype=np.int32)
    widest = int(near.max())
    for i, row in enumerate(a):
        low, high = max(0, i - widest), min(i + widest, len(b))
        if low >= high:
            continue
        place = places[low:high]
        fits = (free[low:high] == row) & (place >= i - near) & (place < np.minimum(i + near, last))
        where = fits.argmax(axis=0)
        hit = pairs[fits[where, pairs]]
        free[low + where[hit], hit] = _TAKEN
        found[rank[hit], hit] = row[hit] + 1
        rank[hit] += 1
    return found
