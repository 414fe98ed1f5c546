"""Texts that occur in longer ones, wholly or nearly so: what a resemblance does not show.

A run of characters is looked up by its hash. Only a sample of the runs is, which finds pairs of
texts; then all runs of those texts are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from readmark.text.folding import folded_points
from readmark.text.shingles import THRESHOLD

NameT = TypeVar("NameT", bound=Hashable)
Runs = NDArray[np.uint64]
"""Hashes of the runs of a text, each once and in order."""

_RUN = 5
_SAMPLED = 8
"""One of so many runs is looked up, the same ones in every text."""
_LEAST_RUNS = 40
"""A text with fewer runs occurs in others by chance, and too few of it are looked up."""
_MOST_TEXTS = 64
"""A run that occurs in more texts than this is of a template and finds nothing."""


class Contained(NamedTuple, Generic[NameT]):
    """A text that occurs in another, and how much of it does."""

    inner: NameT
    outer: NameT
    share: float


def containments(
    texts: Callable[[], Iterator[tuple[NameT, str]]], *, threshold: float = THRESHOLD
) -> list[Contained[NameT]]:
    """Every pair in which the threshold's share of the smaller text occurs in the other.

    Texts are read twice.
    """
    names: list[NameT] = []
    sizes: list[int] = []
    sampled: list[Runs] = []
    for name, text in texts():
        runs = runs_of(text)
        names.append(name)
        sizes.append(len(runs))
        sample = runs[runs >> np.uint64(32) & np.uint64(_SAMPLED - 1) == 0]
        sampled.append(sample if len(runs) >= _LEAST_RUNS else sample[:0])
    pairs = _candidates(sampled, threshold)
    if not pairs:
        return []
    in_pairs = {index for pair in pairs for index in pair}
    all_runs = {
        index: runs_of(text) for index, (_, text) in enumerate(texts()) if index in in_pairs
    }
    contained = []
    for first, second in sorted(pairs):
        inner, outer = (first, second) if sizes[first] <= sizes[second] else (second, first)
        shared = np.intersect1d(all_runs[inner], all_runs[outer], assume_unique=True).size
        share = shared / all_runs[inner].size
        if share >= threshold:
            contained.append(Contained(names[inner], names[outer], share))
    return contained


def runs_of(text: str) -> Runs:
    """The hashes of a text's runs of characters, folded, each once and in order."""
    points = folded_points(text).astype(np.uint64)
    if len(points) < _RUN:
        return np.zeros(0, np.uint64)
    mixed = np.zeros(len(points) - _RUN + 1, np.uint64)
    for index in range(_RUN):
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + points[index : index + len(mixed)]
        mixed ^= mixed >> np.uint64(29)
    return np.unique(mixed * np.uint64(0xBF58476D1CE4E5B9))


def _candidates(sampled: list[Runs], threshold: float) -> set[tuple[int, int]]:
    """Pairs of texts that share so many sampled runs that they may share enough of all."""
    counts = np.array([len(runs) for runs in sampled])
    if not counts.sum():
        return set()
    keys = np.concatenate(sampled)
    owners = np.repeat(np.arange(len(counts)), counts)
    order = np.argsort(keys, kind="stable")
    keys, owners = keys[order], owners[order]
    edges = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1], [True]]))
    shared_runs: dict[tuple[int, int], int] = {}
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if 1 < end - start <= _MOST_TEXTS:
            texts = owners[start:end].tolist()
            for index, first in enumerate(texts):
                for second in texts[index + 1 :]:
                    shared_runs[first, second] = shared_runs.get((first, second), 0) + 1
    # Half of what the threshold asks for, as a sample may fall short of it.
    return {
        (first, second)
        for (first, second), shared in shared_runs.items()
        if shared >= max(2, threshold / 2 * min(counts[first], counts[second]))
    }
