"""Sketches of texts by MinHash: small, on disk, and enough to decide which texts to compare.

Not by datasketch: that takes five times as long, holds its index in memory and needs scipy
(benchmarks/libraries.md). These sketches are columns of temporary files.
"""

from __future__ import annotations

import functools
import hashlib
import math
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Ints
from readmark.core.errors import UsageError
from readmark.text.folding import folded_points
from readmark.text.shingles import SHINGLE, THRESHOLD, mix_bits, shingle_hashes

BANDS = 24
"""With the text's own hash, 25 numbers of 8 bytes; with the signature some 350 bytes a text."""
RECALL = 0.999
"""The chance that two texts which resemble each other by just the threshold are compared."""
MISSED = 0.0001
"""Of such pairs that share a band, how many their signatures may hide; part of `RECALL`'s rest."""
MOST_PARTNERS = 64
"""Earlier texts of its bucket that a text is compared with: the first and the nearest of them. A
bucket of thousands, pages made from one template, would else be compared all with all."""
_LONGEST_BAND = 16
_HASH_BYTES = 8
_PAIRS = 1 << 16  # pairs whose signatures are compared at once: all of them may fill the memory
_BLOCK = 512  # shingles whose hashes are made at once: they stay in the processor's cache


@dataclass(frozen=True, slots=True)
class Sketcher:
    """Makes a text's sketch: equal texts have equal sketches, similar ones share a band of it."""

    threshold: float = THRESHOLD
    shingle: int = SHINGLE
    seed: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 1:
            raise UsageError(f"a threshold of {self.threshold}: expected more than 0, at most 1")
        if self.shingle < 1:
            raise UsageError(f"shingles of {self.shingle} characters: expected 1 or more")

    @property
    def rows(self) -> int:
        """Hashes a band: as many as still find a pair at the threshold with `RECALL`."""
        one_band = 1 - (1 - RECALL - MISSED) ** (1 / BANDS)
        if self.threshold == 1:
            return _LONGEST_BAND
        return max(1, min(_LONGEST_BAND, int(math.log(one_band) / math.log(self.threshold))))

    @property
    def agreeing(self) -> int:
        """In how many hashes of the signature a pair must agree to be compared.

        Of n hashes those of a pair at the threshold agree as often as in n draws with that chance
        (Broder); with fewer than this it is below the threshold, but for a chance of `MISSED`.
        """
        count = self.rows * BANDS
        below = 0.0
        for agreed in range(count):
            below += math.comb(count, agreed) * (
                self.threshold**agreed * (1 - self.threshold) ** (count - agreed)
            )
            if below > MISSED:
                return agreed
        return count

    def sketch(self, text: str) -> bytes:
        """The text's own hash and a hash of each band, 8 bytes each; a byte of each hash."""
        return self.sketches([text])[0]

    def sketches(self, texts: Sequence[str]) -> list[bytes]:
        """The sketch of each of some texts; short texts are faster together."""
        folded = list(map(folded_points, texts))
        joined = np.concatenate([*folded, np.zeros(self.shingle, np.uint32)])
        hashes = _short_hashes(joined, self.shingle)
        minima = np.empty((len(texts), self.rows * BANDS), np.uint32)
        offset = 0
        for row, points in zip(minima, folded, strict=True):
            size = len(points)
            # A text shorter than a shingle is one itself, with nothing of the next text in it.
            if size < self.shingle:
                text_hashes = _short_hashes(points, size)
            else:
                text_hashes = hashes[offset : offset + size - self.shingle + 1]
            self._minima(text_hashes, row)
            offset += size
        bands = minima.reshape(len(texts), BANDS, self.rows).astype(np.uint64)
        bands *= _band_factors(self.rows, self.seed)
        band_hashes = mix_bits(bands.sum(axis=2, dtype=np.uint64))
        # Multiplied first: the least of many hashes is small, and its high byte nearly always 0.
        signatures = (minima * np.uint32(0x9E3779B1) >> np.uint32(24)).astype(np.uint8)
        return [
            _text_hash(text, points) + band_row.tobytes() + signature.tobytes()
            if len(points)
            else _text_hash(text, points) * (BANDS + 1) + bytes(len(signature))
            for text, points, band_row, signature in zip(
                texts, folded, band_hashes, signatures, strict=True
            )
        ]

    def _minima(self, hashes: NDArray[np.uint32], minima: NDArray[np.uint32]) -> None:
        """The least value of each hash function over the shingles, into ``minima``."""
        multiply, add = _hash_functions(self.rows * BANDS, self.seed)
        minima.fill(np.iinfo(np.uint32).max)
        for index in range(0, len(hashes), _BLOCK):
            values = np.multiply.outer(multiply, hashes[index : index + _BLOCK])
            values += add
            np.minimum(minima, values.min(axis=1), out=minima)


class Sketches:
    """The sketches of many texts, on disk; finds which of them may be near-duplicates."""

    def __init__(self, sketcher: Sketcher) -> None:
        self._sketcher = sketcher
        self._files = ExitStack()
        # A file for the texts' own hashes, one for each band, and one for the signatures.
        self._columns: list[IO[bytes]] = [
            self._files.enter_context(tempfile.TemporaryFile(prefix="readmark-"))  # noqa: SIM115
            for _ in range(BANDS + 2)
        ]
        self.count = 0

    def __enter__(self) -> Sketches:
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    def add(self, sketch: bytes) -> None:
        """Take the next text's sketch; texts are known by their position."""
        self.extend([sketch])

    def extend(self, sketches: Iterable[bytes]) -> None:
        """Take the sketches of the next texts."""
        hashes_width = _HASH_BYTES * (BANDS + 1)
        width = hashes_width + self._sketcher.rows * BANDS
        rows = np.frombuffer(b"".join(sketches), np.uint8).reshape(-1, width)
        for index, column in enumerate(self._columns[:-1]):
            column.write(rows[:, _HASH_BYTES * index : _HASH_BYTES * (index + 1)].tobytes())
        self._columns[-1].write(rows[:, hashes_width:].tobytes())
        self.count += len(rows)

    def candidates(self) -> Ints:
        """Pairs of positions worth comparing, in order: rows of (earlier, later).

        Equal texts are each paired with the first of them only, which stands for them all. Of two
        texts that share a band the signatures decide whether they may reach the threshold.
        """
        if not self.count:
            return np.empty((0, 2), np.int64)
        order, starts = _buckets(self._hashes(0))
        first_of_equals = order[starts[:-1]]
        later = np.delete(order, starts[:-1])
        equal = np.stack([np.repeat(first_of_equals, np.diff(starts) - 1), later], axis=1)
        distinct = np.sort(first_of_equals)
        signatures, agreeing = self._signatures(), self._sketcher.agreeing
        numbers = _numbered(equal, self.count)
        for band in range(1, BANDS + 1):
            numbers_by_block = [numbers]
            for block in bucket_pairs(self._hashes(band)[distinct]):
                pairs = distinct[block]
                same = signatures[pairs[:, 0]] == signatures[pairs[:, 1]]
                pairs = pairs[np.count_nonzero(same, axis=1) >= agreeing]
                numbers_by_block.append(_numbered(pairs, self.count))
            numbers = np.unique(np.concatenate(numbers_by_block))
        return np.stack([numbers % self.count, numbers // self.count], axis=1)

    def _hashes(self, column: int) -> NDArray[np.uint64]:
        self._columns[column].seek(0)
        return np.frombuffer(self._columns[column].read(), np.uint64)

    def _signatures(self) -> NDArray[np.uint8]:
        """A row of bytes for each text, left on disk."""
        self._columns[-1].flush()
        shape = (self.count, self._sketcher.rows * BANDS)
        return np.memmap(self._columns[-1], np.uint8, "r", shape=shape)


def bucket_pairs(values: NDArray[np.uint64]) -> Iterator[Ints]:
    """Pairs of positions with equal values; of many, each with the first and the nearest.

    They come in blocks, as there may be more of them than memory holds.
    """
    if not len(values):
        return
    order, starts = _buckets(values)
    begin = np.repeat(starts[:-1], np.diff(starts))
    place = np.arange(len(order)) - begin  # within the bucket
    half = MOST_PARTNERS // 2
    members = np.flatnonzero(place)
    for index in range(0, len(members), _PAIRS):
        block = members[index : index + _PAIRS]
        for back in range(1, half + 1):
            block = block[place[block] >= back]
            if not len(block):
                break
            yield np.stack([order[block - back], order[block]], axis=1)
        for front in range(half):
            block = block[place[block] > half + front]
            if not len(block):
                break
            yield np.stack([order[begin[block] + front], order[block]], axis=1)


def _buckets(values: NDArray[np.uint64]) -> tuple[Ints, Ints]:
    """Positions sorted by value, earlier ones first, and where each value's begin and end."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    changes = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return order, np.concatenate([[0], changes, [len(values)]]).astype(np.int64)


def _numbered(pairs: Ints, count: int) -> Ints:
    """Pairs as single numbers, which sort much faster, in the order of the later one."""
    numbers: Ints = pairs[:, 1] * count + pairs[:, 0]
    return numbers


def _text_hash(text: str, points: NDArray[np.uint32]) -> bytes:
    """A hash of the folded text; of the text itself where nothing is left of it."""
    source = points.tobytes() or text.encode(errors="surrogatepass")
    return hashlib.blake2b(source, digest_size=_HASH_BYTES).digest()


def _short_hashes(points: NDArray[np.uint32], size: int) -> NDArray[np.uint32]:
    """A hash of 32 bits of each shingle."""
    return (shingle_hashes(points, size) >> np.uint64(32)).astype(np.uint32)


@functools.cache
def _hash_functions(count: int, seed: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """What each hash function multiplies by (odd) and adds."""
    drawn = np.random.PCG64(seed).random_raw(2 * count).astype(np.uint32)
    return drawn[:count] | np.uint32(1), drawn[count:, None]


@functools.cache
def _band_factors(count: int, seed: int) -> NDArray[np.uint64]:
    """What the hashes of a band are multiplied by before they are added up to one."""
    return np.random.PCG64(seed + 1).random_raw(count) | np.uint64(1)
