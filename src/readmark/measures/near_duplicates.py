"""Texts that are the same or nearly the same, without comparing every text with every other.

Resemblance is the Jaccard coefficient of the sets of character shingles, after Broder, "On the
resemblance and containment of documents" (1997): MinHash finds candidates, exact sets decide.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from readmark.measures.sketches import SHINGLE, THRESHOLD, Sketcher, Sketches
from readmark.text.folding import folded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

N = TypeVar("N", bound=Hashable)

_SETS = 256
"""Sets of earlier texts at hand: a text with many near-duplicates is asked for again and again."""


@dataclass(frozen=True, slots=True)
class Pair(Generic[N]):
    """Two texts by name, the earlier one first, and how much they resemble each other, 0 to 1."""

    first: N
    second: N
    resemblance: float


def near_duplicates(
    texts: Callable[[], Iterator[tuple[N, str]]],
    *,
    threshold: float = THRESHOLD,
    shingle: int = SHINGLE,
    seed: int = 1,
) -> list[Pair[N]]:
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
    candidates: NDArray[np.int64],
    texts: Callable[[], Iterator[tuple[N, str]]],
    *,
    threshold: float = THRESHOLD,
    shingle: int = SHINGLE,
    settled: Callable[[N], bool] | None = None,
) -> Iterator[Pair[N]]:
    """Those candidates that do resemble each other, by exact sets, on one more reading.

    A text is held only until its last candidate has come by. Where ``settled`` says so, the pairs
    that came up are enough, and a text is not compared with the rest of its candidates.
    """
    if not len(candidates):
        return
    partners: dict[int, list[int]] = {}
    last: dict[int, int] = {}
    for earlier, later in candidates.tolist():
        partners.setdefault(later, []).append(earlier)
        last[earlier] = later
    held: dict[int, tuple[N, str]] = {}
    final = int(candidates[-1, 1])

    @functools.lru_cache(_SETS)
    def set_of(held_at: int) -> frozenset[str]:
        return shingles(held[held_at][1], shingle)

    for at, (name, text) in enumerate(texts()):
        mine: frozenset[str] | None = None
        for earlier in partners.pop(at, ()):
            if settled is None or not settled(name):
                mine = shingles(text, shingle) if mine is None else mine
                found = _jaccard(set_of(earlier), mine)
                if found >= threshold:
                    yield Pair(held[earlier][0], name, found)
            if last[earlier] == at:
                del held[earlier]
        if at in last:
            held[at] = name, text
        if at == final:
            return


def shingles(text: str, size: int = SHINGLE) -> frozenset[str]:
    """The stretches of ``size`` characters of a folded text; a shorter text is one itself."""
    plain = folded(text)
    if len(plain) <= size:
        return frozenset([plain or text])
    return frozenset(map("".join, zip(*(plain[at:] for at in range(size)), strict=False)))


def resemblance(one: str, other: str, *, shingle: int = SHINGLE) -> float:
    """How much two texts resemble each other, 0 to 1."""
    return _jaccard(shingles(one, shingle), shingles(other, shingle))


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
