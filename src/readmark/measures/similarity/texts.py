"""Measures of words for many pairs of texts: each text is cut into words once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np

from readmark.measures.similarity.orders import Weights, weighted
from readmark.measures.similarity.positions import Ints, Tables
from readmark.measures.similarity.shared import Floats, Shared
from readmark.measures.similarity.words import cut_all

LONGEST = 64
"""Longer texts are compared pair by pair: a table of positions by positions would not pay."""
_BATCH = 1024


class _Numbers(dict[str, int]):
    """A number a word, in the order of appearance."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


def many(
    measure: Callable[[Shared[Floats]], Floats],
    weights: Weights,
    pairs: Sequence[tuple[str, str]],
    *,
    language: str = "en",
) -> Floats:
    """A measure of words on every pair, as ``weighted`` gives it for one."""
    sides = list(chain.from_iterable(pairs))
    rows = {text: at for at, text in enumerate(dict.fromkeys(sides))}
    cut = cut_all(list(rows), language)
    lengths = np.fromiter(map(len, cut), np.int64, len(cut))
    numbers = _numbered(cut, lengths)
    a, b = np.fromiter(map(rows.__getitem__, sides), np.int64, len(sides)).reshape(-1, 2).T
    found = np.empty(len(pairs))
    longest = np.maximum(lengths[a], lengths[b])
    order = np.argsort(longest, kind="stable")
    order = order[: np.searchsorted(longest[order], LONGEST, side="right")]
    for at in range(0, len(order), _BATCH):
        now = order[at : at + _BATCH]
        tables = Tables(_columns(numbers, lengths, a[now]), _columns(numbers, lengths, b[now]))
        found[now] = weighted(measure, weights, tables.at)
    return found


def _numbered(cut: Sequence[Sequence[str]], lengths: Ints) -> Ints:
    """Words as numbers (text, position), -1 past the end of a text."""
    known = _Numbers()
    flat = np.fromiter(
        map(known.__getitem__, chain.from_iterable(cut)), np.int32, int(lengths.sum())
    )
    width = int(lengths.max(initial=0))
    numbers = np.full((len(cut), width), -1, dtype=np.int16 if len(known) < 2**15 else np.int32)
    numbers[np.arange(width) < lengths[:, None]] = flat
    return numbers


def _columns(numbers: Ints, lengths: Ints, rows: Ints) -> Ints:
    width = max(int(lengths[rows].max(initial=0)), 3)
    return np.ascontiguousarray(numbers[rows, :width].T)
