"""The words of many texts as numbers, equal where the words are: for ``texts``.

A word of up to eight ASCII characters is those eight bytes, so plain texts are cut without making
a string a word. Longer ones are mixed into 63 bits: two of them could share a number by a chance
of one in 10^18. Texts that are not plain are cut by ``words`` and their words counted off.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from readmark.measures.similarity.words import Cutter, words

Numbers = NDArray[np.uint64]
Indices = NDArray[np.int64]
Flat = tuple[Numbers, Indices]
"""Numbers of all words in the order of the texts (none is 0), and each text's number of words."""

_END = "\0"
_BYTES = 8
_PACKED = 2 * _BYTES
_MARGIN = bytes(_PACKED + 1)
_MASKS = np.array([256**size - 1 for size in range(_BYTES + 1)], dtype=np.uint64)
# Makes letters small; digits, hyphen and apostrophe have that bit, and no other character that
# can stand in a word becomes what the underscore does.
_SMALL = np.uint8(0x20)
_ALL_SMALL = np.uint64(0x2020202020202020)
# Odd numbers with their ones well spread; the last bit is no ASCII character's.
_MIX, _MIX_MORE, _LONG = (
    np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x8000000000000000)
)


def numbered(texts: Sequence[str], cut: Cutter) -> Flat:
    """The words of texts as numbers."""
    joined = _END.join(texts)
    found = _packed(joined, len(texts)) if cut is words and joined.isascii() else None
    return found or _counted([cut(text) for text in texts])


def _counted(cut: Sequence[Sequence[str]]) -> Flat:
    known: dict[str, int] = {}
    flat = [known.setdefault(word, len(known) + 1) for word in chain.from_iterable(cut)]
    lengths = np.fromiter(map(len, cut), np.int64, len(cut))
    return np.array(flat, dtype=np.uint64), lengths


def _packed(joined: str, count: int) -> Flat | None:
    data = np.frombuffer(b"\0" + joined.encode("ascii") + _MARGIN, dtype=np.uint8)
    begins = np.flatnonzero(data[: len(joined) + 2] == 0)
    if len(begins) != count + 1:  # a text has that character itself
        return None
    # Below 0 a byte starts again from 255, so one comparison tells a range.
    inside = ((data | _SMALL) - np.uint8(ord("a")) < 26) | (data - np.uint8(ord("0")) < 10)
    joints = (data == ord("-")) | (data == ord("'")) | (data == ord("_"))
    inside[1:-1] |= joints[1:-1] & inside[:-2] & inside[2:]
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts = edges[0::2] + 1
    sizes = edges[1::2] + 1 - starts
    return _bytes(data, starts, sizes), np.diff(np.searchsorted(starts, begins))


def _bytes(data: NDArray[np.uint8], starts: Indices, sizes: Indices) -> Numbers:
    """Eight bytes from the start of each word on, mixed with the others where it is longer."""
    eights: Numbers = np.ndarray(len(data) - _BYTES + 1, "<u8", data, strides=(1,))
    numbers = eights.take(starts)
    numbers |= _ALL_SMALL
    numbers &= _MASKS.take(sizes, mode="clip")
    longer = np.flatnonzero(sizes > _BYTES)
    more = eights[starts[longer] + _BYTES] | _ALL_SMALL
    more &= _MASKS.take(sizes[longer] - _BYTES, mode="clip")
    for at in np.flatnonzero(sizes[longer] > _PACKED).tolist():
        start, size = starts[longer[at]], sizes[longer[at]]
        rest = data[start + _BYTES : start + size].tobytes().lower()
        more[at] = int.from_bytes(hashlib.blake2b(rest, digest_size=_BYTES).digest())
    numbers[longer] = (numbers[longer] * _MIX) ^ (more * _MIX_MORE) | _LONG
    return numbers
