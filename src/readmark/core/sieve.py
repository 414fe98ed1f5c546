"""Finding ids that may have come before, in memory that does not grow with their number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

WORDS = 1 << 20
"""Words of a sieve, a power of two: 8 MiB. 500,000 ids leave no suspect, 4,000,000 about 700."""


class Sieve:
    """A Bloom filter: an id that came before is always found, a new one is seldom taken for one.

    That of "Space/Time Trade-offs in Hash Coding with Allowable Errors", with the same four
    bits of an id in each of two words.
    """

    def __init__(self, words: int = WORDS) -> None:
        import numpy as np

        self._words = np.zeros(words, dtype=np.uint64)

    def again(self, ids: Sequence[str], besides: Sequence[str] = ()) -> set[str]:
        """The ids that may have come before; those ``besides`` are added and not looked up."""
        import numpy as np

        number = len(ids) + len(besides)
        hashes = np.fromiter(map(hash, chain(ids, besides)), np.int64, number).view(np.uint64)
        last = np.uint64(len(self._words) - 1)
        # Of 64 bits of a hash, 20 choose each of an id's two words and 6 each of its four bits.
        first, second = hashes & last, hashes >> np.uint64(20) & last
        bits = np.zeros(number, dtype=np.uint64)
        for shift in (40, 46, 52, 58):
            bits |= np.uint64(1) << (hashes >> np.uint64(shift) & np.uint64(63))
        before = self._words[first] & self._words[second] & bits == bits
        np.bitwise_or.at(self._words, first, bits)
        np.bitwise_or.at(self._words, second, bits)

        repeated = {ids[index] for index in np.flatnonzero(before[: len(ids)]).tolist()}
        batch = set(besides)  # the filter has seen none of this batch yet
        for id in ids:
            if id in batch:
                repeated.add(id)
            batch.add(id)
        return repeated
