"""The words of many texts as numbers in arrays, equal where the words are: for ``texts``.

A word of up to 16 ASCII characters is packed into two numbers of eight bytes, so plain texts are
cut without making a string a word. Other texts are cut by ``words`` and their words counted off.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from readmark.measures.similarity.words import Cutter, words

Numbers = NDArray[np.uint64]
Flat = tuple[tuple[Numbers, ...], NDArray[np.int64]]
"""Numbers of all words in the order of the texts (none is 0), and each text's number of words."""

_END = "\0"
_BYTES = 8
_MARGIN = bytes(2 * _BYTES + 1)
_PACKED = 2 * _BYTES
_MASKS = np.array([256**size - 1 for size in range(_BYTES + 1)], dtype=np.uint64)
_NOT_PACKED = np.uint64(2**64 - 1)  # no ASCII characters
_LETTER, _JOINT = 1, 2
_KINDS = np.zeros(128, dtype=np.uint8)
_KINDS[[at for at in range(128) if chr(at).isalnum()]] = _LETTER
_KINDS[[ord(joint) for joint in "-'_"]] = _JOINT


def numbered(texts: Sequence[str], cut: Cutter) -> Flat:
    """The words of texts as numbers."""
    joined = _END.join(texts)
    plain = cut is words and joined.isascii() and joined.count(_END) == len(texts) - 1
    return _packed(joined, texts) if plain else _counted([cut(text) for text in texts])


def _counted(cut: Sequence[Sequence[str]]) -> Flat:
    known: dict[str, int] = {}
    flat = [known.setdefault(word, len(known) + 1) for word in chain.from_iterable(cut)]
    lengths = np.fromiter(map(len, cut), np.int64, len(cut))
    return (np.array(flat, dtype=np.uint64),), lengths


def _packed(joined: str, texts: Sequence[str]) -> Flat:
    data = np.frombuffer(b"\0" + joined.lower().encode("ascii") + _MARGIN, dtype=np.uint8)
    kinds = _KINDS[data]
    inside = kinds == _LETTER
    inside[1:-1] |= (kinds[1:-1] == _JOINT) & inside[:-2] & inside[2:]
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, ends = edges[0::2], edges[1::2]
    sizes = ends - starts
    # Eight bytes from every byte on; those past the word's end are masked.
    eights = np.ndarray(len(data) - _BYTES + 1, "<u8", data, strides=(1,))
    longest = int(sizes.max(initial=0))
    numbers = (eights[starts] & _MASKS[np.minimum(sizes, _BYTES)],)
    if longest > _BYTES:
        more = np.clip(sizes - _BYTES, 0, _BYTES)
        numbers += (eights[starts + _BYTES] & _MASKS[more],)
    if longest > _PACKED:
        known: dict[bytes, int] = {}
        for at in np.flatnonzero(sizes > _PACKED).tolist():
            word = data[starts[at] : ends[at]].tobytes()
            numbers[0][at] = known.setdefault(word, len(known) + 1)
            numbers[1][at] = _NOT_PACKED
    begins = np.fromiter(map(len, texts), np.int64, len(texts))
    begins = np.cumsum(begins + 1) + 1
    lengths = np.diff(np.searchsorted(starts, begins), prepend=0)
    return numbers, lengths
