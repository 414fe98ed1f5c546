"""Measures of words for many pairs of texts at once.

The words of all texts become numbers, equal where the words are. A word of up to eight ASCII
characters is those eight bytes, so plain texts are cut without making a string a word. Longer ones
are mixed into 63 bits: two of them could share a number by a chance of one in 10^18. Texts that are
not plain are cut by ``words`` and their words counted off.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.series.words import Cutter, words
from readmark.stats.similarity.ngrams import TextGrams, TextPair, Weights, weighted
from readmark.stats.similarity.positions import TextPairs, Words, keep_freed_memory

Numbers = NDArray[np.uint64]
Indices = NDArray[np.int64]
WordMeasure = Callable[[Any], Any]
"""A measure of what texts share, for one pair or for many."""

LONGEST = 64
"""Texts of more words are compared pair by pair: a table of positions would not pay."""
_PAST = LONGEST + 1
_CUT = 8192
_TABLES = 4096
"""How many pairs are cut at once, and how many have their tables made: what stays in caches."""


def text_similarity(
    measure: WordMeasure, weights: Weights, a: Sequence[str], b: Sequence[str]
) -> float:
    """A measure of one pair of texts, given their words."""
    return float(weighted(measure, weights, TextPair(TextGrams(a), TextGrams(b))))


def text_similarities(
    measure: WordMeasure,
    weights: Weights,
    a: Sequence[str],
    b: Sequence[str],
    *,
    cut: Cutter = words,
) -> Floats:
    """The same for each pair of texts; equal ones, which are frequent, have 1 by every measure."""
    keep_freed_memory()
    found = np.ones(len(a))
    for index in range(0, len(a), _CUT):
        some_a, some_b = a[index : index + _CUT], b[index : index + _CUT]
        if all(map(operator.ne, some_a, some_b)):
            found[index : index + _CUT] = _measure_batch(measure, weights, some_a, some_b, cut)
            continue
        differ = bytes(map(operator.ne, some_a, some_b))
        if any(differ):
            left_a, left_b = list(compress(some_a, differ)), list(compress(some_b, differ))
            values = _measure_batch(measure, weights, left_a, left_b, cut)
            found[index : index + _CUT][np.frombuffer(differ, dtype=np.bool_)] = values
    return found


def _measure_batch(
    measure: WordMeasure, weights: Weights, a: Sequence[str], b: Sequence[str], cut: Cutter
) -> Floats:
    both = numbered([*a, *b], cut)
    lengths = both.lengths
    longest = np.maximum(lengths[: len(a)], lengths[len(a) :])
    # Pairs of about the same length have tables of the same size.
    order = np.argsort(np.minimum(longest, _PAST).astype(np.uint16), kind="stable")
    fit = int(np.searchsorted(longest[order], LONGEST, side="right"))
    found = np.empty(len(a))
    orders = [order for order, weight in enumerate(weights, 1) if weight]
    for index in range(0, fit, _TABLES):
        now = order[index : min(index + _TABLES, fit)]
        a_side, b_side = (
            _side(both.numbers, both.starts[rows], lengths[rows]) for rows in (now, now + len(a))
        )
        found[now] = weighted(measure, weights, TextPairs(a_side, b_side, orders))
    for index in order[fit:].tolist():
        found[index] = text_similarity(measure, weights, cut(a[index]), cut(b[index]))
    return found


def _side(numbers: Numbers, starts: Indices, lengths: Indices) -> Words:
    """Numbers (position, text), zeros past the end; three positions at least, for triples."""
    positions = np.arange(max(int(lengths.max()), 3))[:, None]
    there = positions < lengths
    if not there.any():
        return np.zeros(there.shape, dtype=np.uint64)
    return np.asarray(numbers.take(positions + starts, mode="clip") * there)


# Words as numbers.


_END = "\0"
_JOINTS = "-'_"
_BYTES = 8
_PACKED = 2 * _BYTES
_MARGIN = bytes(_PACKED + 1)
# Makes letters small; digits, hyphen and apostrophe have that bit, and no other character that
# can occur in a word becomes what the underscore does.
_SMALL = np.uint8(0x20)
_ONE, _THREE, _MOST = np.uint64(1), np.uint64(3), np.uint64(63)
_LOW, _HIGH = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
# Odd numbers with their ones well spread; the last bit is no ASCII character's.
_MIX, _MIX_MORE, _LONG = (
    np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x8000000000000000)
)


@dataclass(frozen=True, slots=True)
class Numbered:
    """The words of texts as numbers above 0, in the order of the texts."""

    numbers: Numbers
    """With zeros between the texts, or without."""
    starts: Indices
    """Where the words of each text start."""
    lengths: Indices
    """How many each has."""


def numbered(texts: Sequence[str], cut: Cutter) -> Numbered:
    """The words of texts as numbers."""
    joined = _END.join(texts)
    found = _packed(joined, len(texts)) if cut is words and joined.isascii() else None
    return found or _counted([cut(text) for text in texts])


def _counted(cut: Sequence[Sequence[str]]) -> Numbered:
    known: dict[str, int] = {}
    flat = [known.setdefault(word, len(known) + 1) for word in chain.from_iterable(cut)]
    lengths = np.fromiter(map(len, cut), np.int64, len(cut))
    return Numbered(np.array(flat, dtype=np.uint64), np.cumsum(lengths) - lengths, lengths)


def _packed(joined: str, count: int) -> Numbered | None:
    data = np.frombuffer(b"\0" + joined.encode("ascii") + _MARGIN, dtype=np.uint8)
    small = data | _SMALL
    # Below 0 a byte starts again from 255, so one comparison checks a range.
    inside = small - np.uint8(ord("a")) < 26
    inside |= data - np.uint8(ord("0")) < 10
    for joint in _JOINTS:
        if joint in joined:  # counts between two characters of words
            at = np.flatnonzero(data == ord(joint))
            inside[at[inside[at - 1] & inside[at + 1]]] = True
    small *= inside  # what is in no word is 0
    begin = np.greater(inside[1:], inside[:-1])
    begin[: len(joined) + 1] |= data[1 : len(joined) + 2] == 0  # the end of a text, as a word 0
    begins = np.flatnonzero(begin)
    begins += 1
    numbers = _words(small, begins)
    ends = np.flatnonzero(numbers == 0)
    if len(ends) != count:  # a text has that character itself
        return None
    starts = np.empty_like(ends)
    starts[0] = 0
    np.add(ends[:-1], 1, out=starts[1:])
    return Numbered(numbers, starts, ends - starts)


def _words(data: NDArray[np.uint8], starts: Indices) -> Numbers:
    """Eight bytes from each start to the next 0, mixed with the others where a word is longer."""
    eights: Numbers = data[: len(data) // _BYTES * _BYTES].view("<u8")
    numbers = _eight(eights, starts)
    longer = np.flatnonzero(_cut(numbers))
    more = _eight(eights, starts[longer] + _BYTES)
    longest = np.flatnonzero(_cut(more)).tolist()
    joined = data.tobytes() if longest else b""
    for index in longest:
        start = int(starts[longer[index]]) + _BYTES
        rest = joined[start : joined.index(0, start)]
        more[index] = int.from_bytes(hashlib.blake2b(rest, digest_size=_BYTES).digest())
    first = numbers[longer]
    numbers[longer] = np.where(more, (first * _MIX) ^ (more * _MIX_MORE) | _LONG, first)
    return numbers


def _eight(eights: Numbers, starts: Indices) -> Numbers:
    """The eight bytes from each place on, put together of the aligned ones that they lie in."""
    at = starts >> 3
    bits = (starts & 7).view(np.uint64)
    bits <<= _THREE
    found = eights.take(at, mode="clip")
    found >>= bits
    at += 1
    rest = eights.take(at, mode="clip")
    rest <<= _ONE  # in two steps, as there may be 64 bits to go
    np.subtract(_MOST, bits, out=bits)
    rest <<= bits
    found |= rest
    return found


def _cut(numbers: Numbers) -> NDArray[np.bool_]:
    """Clear what follows a 0 byte in each number; which have none."""
    # The lowest 0 byte is the lowest whose highest bit is borrowed into: "Determine if a word has
    # a zero byte", Bit Twiddling Hacks.
    zeros = numbers - _LOW
    zeros &= _HIGH  # no ASCII character has it, so it was borrowed
    whole: NDArray[np.bool_] = zeros == 0
    zeros &= -zeros
    zeros -= _ONE
    numbers &= zeros
    return whole
