"""Texts that are the same or nearly the same, without comparing every text with every other.

Sketches find candidates, and exact sets of shingles decide.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from readmark.core.arrays import Ints
from readmark.text.shingles import SHINGLE, THRESHOLD, resemblance, shingles
from readmark.text.sketches import Sketcher, Sketches

NameT = TypeVar("NameT", bound=Hashable)

_CACHED_SETS = 256
"""Shingles of earlier texts at hand: a text with many near-duplicates is compared many times."""


@dataclass(frozen=True, slots=True)
class ResemblingPair(Generic[NameT]):
    """Two texts by name, the earlier one first, and how much they resemble each other, 0 to 1."""

    first: NameT
    second: NameT
    resemblance: float


def near_duplicates(
    texts: Callable[[], Iterator[tuple[NameT, str]]],
    *,
    threshold: float = THRESHOLD,
    shingle: int = SHINGLE,
    seed: int = 1,
) -> list[ResemblingPair[NameT]]:
    """The pairs of texts that resemble each other by the threshold or more, in their order.

    ``texts`` gives (name, text) and is called twice. Case, width, script, white space and
    punctuation do not count. Of equal texts each later one is paired with the first only.
    """
    sketcher = Sketcher(threshold, shingle, seed)
    with Sketches(sketcher) as sketches:
        for _, text in texts():
            sketches.add(sketcher.sketch(text))
        candidates = sketches.candidates()
    return list(resembling(candidates, texts, threshold=threshold, shingle=shingle))


def resembling(
    candidates: Ints,
    texts: Callable[[], Iterator[tuple[NameT, str]]],
    *,
    threshold: float = THRESHOLD,
    shingle: int = SHINGLE,
    settled: Callable[[NameT], bool] | None = None,
) -> Iterator[ResemblingPair[NameT]]:
    """Those candidates that do resemble each other, by exact sets, on one more reading.

    A text is in memory only until its last candidate is read. Where ``settled`` says so, the pairs
    that came up are enough, and a text is not compared with the rest of its candidates.
    """
    if not len(candidates):
        return
    partners: dict[int, list[int]] = {}
    last_use: dict[int, int] = {}
    for earlier, later in candidates.tolist():
        partners.setdefault(later, []).append(earlier)
        last_use[earlier] = later
    in_memory: dict[int, tuple[NameT, str]] = {}
    final = int(candidates[-1, 1])

    @functools.lru_cache(_CACHED_SETS)
    def shingles_of(index: int) -> frozenset[str]:
        return shingles(in_memory[index][1], shingle)

    for index, (name, text) in enumerate(texts()):
        later_shingles: frozenset[str] | None = None
        for earlier in partners.pop(index, ()):
            if settled is None or not settled(name):
                if later_shingles is None:
                    later_shingles = shingles(text, shingle)
                value = resemblance(shingles_of(earlier), later_shingles)
                if value >= threshold:
                    yield ResemblingPair(in_memory[earlier][0], name, value)
            if last_use[earlier] == index:
                del in_memory[earlier]
        if index in last_use:
            in_memory[index] = name, text
        if index == final:
            return
