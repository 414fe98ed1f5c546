"""Texts that stand in longer ones, wholly or nearly so: what a resemblance does not show.

Containment is that of "On the resemblance and containment of documents" (Broder): the share of the
smaller text's runs of characters that the other has. One run in ``SAMPLED`` is looked up first, so
that no text is compared with all others; what is found is counted exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from readmark.text.folding import folded_points

THRESHOLD = 0.8
RUN = 5
SAMPLED = 8
"""Of so many runs one is looked up, whichever text it stands in."""
LEAST = 40
"""A text with fewer runs stands in others by chance, and too few of it are looked up."""
MOST = 64
"""A run that stands in more texts than this is of a template and finds nothing."""

N = TypeVar("N", bound=Hashable)
Runs = NDArray[np.uint64]


class Contained(NamedTuple, Generic[N]):
    """A text that stands in another, and how much of it does."""

    inner: N
    outer: N
    share: float


def containments(
    texts: Callable[[], Iterator[tuple[N, str]]], *, threshold: float = THRESHOLD
) -> list[Contained[N]]:
    """Every pair in which so much of the smaller text stands in the other; texts are read twice."""
    names, sizes, near = _candidates(texts, threshold)
    if not near:
        return []
    wanted = {at for pair in near for at in pair}
    runs = {at: runs_of(text) for at, (_, text) in enumerate(texts()) if at in wanted}
    found = []
    for one, other in sorted(near):
        inner, outer = (one, other) if sizes[one] <= sizes[other] else (other, one)
        shared = np.intersect1d(runs[inner], runs[outer], assume_unique=True).size
        share = shared / runs[inner].size
        if share >= threshold:
            found.append(Contained(names[inner], names[outer], share))
    return found


def runs_of(text: str) -> Runs:
    """The hashes of a text's runs of characters, folded, each once and in order."""
    points = folded_points(text).astype(np.uint64)
    if len(points) < RUN:
        return np.zeros(0, np.uint64)
    mixed = np.zeros(len(points) - RUN + 1, np.uint64)
    for at in range(RUN):
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + points[at : at + len(mixed)]
        mixed ^= mixed >> np.uint64(29)
    return np.unique(mixed * np.uint64(0xBF58476D1CE4E5B9))


def _candidates(
    texts: Callable[[], Iterator[tuple[N, str]]], threshold: float
) -> tuple[list[N], list[int], set[tuple[int, int]]]:
    """Pairs that share so many of the runs looked up that they may share enough of all."""
    names: list[N] = []
    sizes: list[int] = []
    sampled: list[Runs] = []
    for name, text in texts():
        runs = runs_of(text)
        names.append(name)
        sizes.append(len(runs))
        few = runs[runs >> np.uint64(32) & np.uint64(SAMPLED - 1) == 0]
        sampled.append(few if len(runs) >= LEAST else few[:0])
    counts = np.array([len(one) for one in sampled])
    if not counts.sum():
        return names, sizes, set()
    keys = np.concatenate(sampled)
    owners = np.repeat(np.arange(len(counts)), counts)
    order = np.argsort(keys, kind="stable")
    keys, owners = keys[order], owners[order]
    edges = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1], [True]]))
    together: dict[tuple[int, int], int] = {}
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if 1 < end - start <= MOST:
            holding = owners[start:end].tolist()
            for at, one in enumerate(holding):
                for other in holding[at + 1 :]:
                    together[one, other] = together.get((one, other), 0) + 1
    # Half of what the threshold asks for, as a sample may fall short of it.
    near = {
        (one, other)
        for (one, other), shared in together.items()
        if shared >= max(2, threshold / 2 * min(counts[one], counts[other]))
    }
    return names, sizes, near
