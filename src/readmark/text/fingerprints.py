"""Fingerprints of texts, by which a passage is known again, also when only a part of it is there.

A text is compared by its letters and digits alone: case, width, script, white space and punctuation
do not count. Its fingerprints are those of "Winnowing: Local Algorithms for Document
Fingerprinting": the least hash in every window of stretches. Whatever is cut from a passage, if it
is longer than a window, has fingerprints that the whole passage has too. They are kept in a Bloom
filter, from which no text can be read back.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]

RULES = "winnowing-1"
"""How texts are compared: another number when a text would get other fingerprints."""


class ByScript(NamedTuple):
    """A length in characters, for Chinese text and for text in letters."""

    han: int
    letters: int


STRETCH = ByScript(20, 48)
"""How long a stretch is. Two texts seldom share so long a one by chance."""
WINDOW = ByScript(32, 64)
"""Stretches of a window, powers of two: a part of a passage is recognised if it is as long as two
windows and a stretch together, 83 Han characters or 175 letters."""
LEAST_MATCHES = 2
"""Fingerprints of a text that must match: 1 in 1,000 texts would match in one by mistake."""
LEAST_SHORT_MATCHES = 4
"""The same of a short text, which has few fingerprints and many of them by chance."""
_SHORT = 8
"""Fingerprints of a text that has fewer than two windows: the least hashes of its stretches."""
_HAN_SHARE = 0.3
_BITS, _PROBES = 14.5, 10
"""Bits a fingerprint and bits that are looked at: 1 in 1,000 strange fingerprints is mistaken."""


class ComparedText:
    """A text as it is compared; its fingerprints are worked out once for each window."""

    def __init__(self, text: str) -> None:
        import numpy as np

        from readmark.text.folding import folded_points
        from readmark.text.shingles import shingle_hashes

        points = folded_points(text if text.isascii() else unicodedata.normalize("NFKC", text))
        points = np.where(points == ord("着"), np.uint32(ord("著")), points)  # by OpenCC's tw2s
        han = (points >= 0x3400) & (points < 0xA000)
        self._is_han = len(points) > 0 and bool(han.mean() > _HAN_SHARE)
        self._hashes = shingle_hashes(points, STRETCH.han if self._is_han else STRETCH.letters)
        self._by_window: dict[int, tuple[Hashes, bool]] = {}

    def fingerprints(self, window: ByScript) -> tuple[Hashes, bool]:
        """Its fingerprints, and whether it is a short text."""
        size = window.han if self._is_han else window.letters
        if size not in self._by_window:
            self._by_window[size] = _fingerprints(self._hashes, size)
        return self._by_window[size]


def fingerprint_filter(prints: Hashes) -> bytes:
    """A Bloom filter of fingerprints."""
    import numpy as np

    if not len(prints):
        return b""
    words = np.zeros(int(_BITS * len(prints)) // 64 + 1, np.uint64)
    for bits in _bits_of(prints, 64 * len(words)):
        np.bitwise_or.at(words, bits >> np.uint64(6), np.uint64(1) << (bits & np.uint64(63)))
    return words.astype("<u8").tobytes()


def count_matches(filter: bytes, prints: Hashes) -> int:
    """How many fingerprints a filter has, up to its mistakes."""
    import numpy as np

    words = np.frombuffer(filter, "<u8")
    matches = np.ones(len(prints), np.bool_)
    for bits in _bits_of(prints, 64 * len(words)):
        values = words[bits >> np.uint64(6)] >> (bits & np.uint64(63))
        matches &= (values & np.uint64(1)).astype(np.bool_)
    return int(matches.sum())


def _fingerprints(hashes: Hashes, window: int) -> tuple[Hashes, bool]:
    """The least hash of each window of stretches, and whether the text is too short for two."""
    import numpy as np

    from readmark.text.shingles import mix_bits

    if len(hashes) >= window:
        least, width = hashes, 1
        while width < window:  # the least of windows twice as wide, from those of two halves
            least, width = np.minimum(least[:-width], least[width:]), 2 * width
        prints = np.unique(least)
        if len(prints) >= LEAST_MATCHES:
            return prints, False
    prints = np.unique(hashes)[:_SHORT]
    if 0 < len(prints) < LEAST_SHORT_MATCHES:  # too few to be sure by: each is hashed several times
        seeds = np.arange(1, LEAST_SHORT_MATCHES + 1, dtype=np.uint64)
        prints = mix_bits(np.add.outer(seeds, prints)).ravel()
    return prints, True


def _bits_of(prints: Hashes, size: int) -> Iterator[Hashes]:
    """The bits of fingerprints in a filter: two halves of a hash give as many as are needed."""
    import numpy as np

    from readmark.text.shingles import mix_bits

    first, step = prints % np.uint64(size), mix_bits(prints) | np.uint64(1)
    for index in range(_PROBES):
        yield (first + np.uint64(index) * (step % np.uint64(size))) % np.uint64(size)
