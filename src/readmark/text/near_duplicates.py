"""Texts that are the same or nearly the same, without comparing every text with every other.

Resemblance is the Jaccard coefficient of the sets of character shingles, after Broder, "On the
resemblance and containment of documents" (1997): MinHash finds candidates, exact sets decide.
"""

from __future__ import annotations

import functools
import hashlib
import math
import tempfile
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from readmark.core.errors import UsageError
from readmark.text.folding import folded, folded_points

# Texts that occur in longer ones, wholly or nearly so: what a resemblance does not show.


THRESHOLD = 0.8
RUN = 5
SAMPLED = 8
"""Of so many runs one is looked up, whichever text it occurs in."""
LEAST = 40
"""A text with fewer runs occurs in others by chance, and too few of it are looked up."""
MOST = 64
"""A run that occurs in more texts than this is of a template and finds nothing."""

N = TypeVar("N", bound=Hashable)
Runs = NDArray[np.uint64]


class Contained(NamedTuple, Generic[N]):
    """A text that occurs in another, and how much of it does."""

    inner: N
    outer: N
    share: float


def containments(
    texts: Callable[[], Iterator[tuple[N, str]]], *, threshold: float = THRESHOLD
) -> list[Contained[N]]:
    """Every pair in which so much of the smaller text occurs in the other; texts are read twice."""
    names, sizes, near = _candidates(texts, threshold)
    if not near:
        return []
    wanted = {at for pair in near for at in pair}
    runs = {index: runs_of(text) for index, (_, text) in enumerate(texts()) if index in wanted}
    containeds = []
    for one, other in sorted(near):
        inner, outer = (one, other) if sizes[one] <= sizes[other] else (other, one)
        shared = np.intersect1d(runs[inner], runs[outer], assume_unique=True).size
        share = shared / runs[inner].size
        if share >= threshold:
            containeds.append(Contained(names[inner], names[outer], share))
    return containeds


def runs_of(text: str) -> Runs:
    """The hashes of a text's runs of characters, folded, each once and in order."""
    points = folded_points(text).astype(np.uint64)
    if len(points) < RUN:
        return np.zeros(0, np.uint64)
    mixed = np.zeros(len(points) - RUN + 1, np.uint64)
    for index in range(RUN):
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + points[index : index + len(mixed)]
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
            for index, one in enumerate(holding):
                for other in holding[index + 1 :]:
                    together[one, other] = together.get((one, other), 0) + 1
    # Half of what the threshold asks for, as a sample may fall short of it.
    near = {
        (one, other)
        for (one, other), shared in together.items()
        if shared >= max(2, threshold / 2 * min(counts[one], counts[other]))
    }
    return names, sizes, near


# Sketches of texts by MinHash: small, on disk, and enough to decide which texts to compare.
#
# Not by datasketch: that takes five times as long, holds its index in memory and needs scipy
# (benchmarks/libraries.md). These sketches are columns of temporary files.

SHINGLE = 5
BANDS = 24
"""With the text's own hash, 25 numbers of 8 bytes; with the signature some 350 bytes a text."""
RECALL = 0.999
"""The chance that two texts which resemble each other by just the threshold are compared."""
MISSED = 0.0001
"""Of such pairs that share a band, how many their signatures may hide; part of `RECALL`'s rest."""
_PAIRS = 1 << 16  # pairs whose signatures are compared together
_BLOCK = 512  # shingles whose hashes are made together: they stay in the processor's cache
_LONGEST_BAND = 16


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
        """The sketch of each of some texts; together is faster, where they are short."""
        folded = list(map(folded_points, texts))
        joined = np.concatenate([*folded, np.zeros(self.shingle, np.uint32)])
        hashes = _shingle_hashes(joined, self.shingle)
        least = np.empty((len(texts), self.rows * BANDS), np.uint32)
        at = 0
        for row, points in zip(least, folded, strict=True):
            size = len(points)
            own = hashes[at : at + size - self.shingle + 1]
            # A text shorter than a shingle is one itself, with nothing of the next text in it.
            self._minima(own if size >= self.shingle else _shingle_hashes(points, size), row)
            at += size
        bands = least.reshape(len(texts), BANDS, self.rows).astype(np.uint64)
        bands *= _factors(self.rows, self.seed)
        mixed = mix_bits(bands.sum(axis=2, dtype=np.uint64))
        # Multiplied first: the least of many hashes is small, and its high byte nearly always 0.
        signatures = (least * np.uint32(0x9E3779B1) >> np.uint32(24)).astype(np.uint8)
        return [
            _text_hash(text, points) + band.tobytes() + signature.tobytes()
            if len(points)
            else _text_hash(text, points) * (BANDS + 1) + bytes(len(signature))
            for text, points, band, signature in zip(texts, folded, mixed, signatures, strict=True)
        ]

    def _minima(self, hashes: NDArray[np.uint32], least: NDArray[np.uint32]) -> None:
        """The least value of each hash function over the shingles, into ``least``."""
        multiply, add = _functions(self.rows * BANDS, self.seed)
        least.fill(np.iinfo(np.uint32).max)
        for index in range(0, len(hashes), _BLOCK):
            made = np.multiply.outer(multiply, hashes[index : index + _BLOCK])
            made += add
            np.minimum(least, made.min(axis=1), out=least)


class Sketches:
    """The sketches of many texts, on disk; finds which of them may be near-duplicates."""

    def __init__(self, sketcher: Sketcher) -> None:
        self._sketcher = sketcher
        self._files = ExitStack()
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
        width = 8 * BANDS + 8 + self._sketcher.rows * BANDS
        made = np.frombuffer(b"".join(sketches), np.uint8).reshape(-1, width)
        for index, column in enumerate(self._columns[:-1]):
            column.write(made[:, 8 * index : 8 * index + 8].tobytes())
        self._columns[-1].write(made[:, 8 * BANDS + 8 :].tobytes())
        self.count += len(made)

    def candidates(self) -> NDArray[np.int64]:
        """Pairs of positions worth comparing, in order: rows of (earlier, later).

        Equal texts are each paired with the first of them only, which stands for them all. Of two
        texts that share a band the signatures decide whether they may reach the threshold.
        """
        if not self.count:
            return np.empty((0, 2), np.int64)
        order, starts = _buckets(self._column(0))
        first = np.zeros(self.count, bool)
        first[order[starts[:-1]]] = True
        sizes = np.diff(starts)
        later = np.delete(order, starts[:-1])
        equal = np.stack([np.repeat(order[starts[:-1]], sizes - 1), later], axis=1)
        alone = np.flatnonzero(first)
        signatures, agreeing = self._signatures(), self._sketcher.agreeing
        found = _numbered(equal, self.count)
        for index in range(1, BANDS + 1):
            close = [found]
            for block in _pairs(self._column(index)[alone]):
                pairs = alone[block]
                same = signatures[pairs[:, 0]] == signatures[pairs[:, 1]]
                pairs = pairs[np.count_nonzero(same, axis=1) >= agreeing]
                close.append(_numbered(pairs, self.count))
            found = np.unique(np.concatenate(close))
        return np.stack([found % self.count, found // self.count], axis=1)

    def _column(self, at: int) -> NDArray[np.uint64]:
        self._columns[at].seek(0)
        return np.frombuffer(self._columns[at].read(), np.uint64)

    def _signatures(self) -> NDArray[np.uint8]:
        """A row of bytes for each text, left on disk."""
        self._columns[-1].flush()
        shape = (self.count, self._sketcher.rows * BANDS)
        return np.memmap(self._columns[-1], np.uint8, "r", shape=shape)


def _text_hash(text: str, points: NDArray[np.uint32]) -> bytes:
    given = points.tobytes() or text.encode(errors="surrogatepass")
    return hashlib.blake2b(given, digest_size=8).digest()


def _shingle_hashes(points: NDArray[np.uint32], size: int) -> NDArray[np.uint32]:
    """A short hash of each stretch."""
    return (shingle_hashes(points, size) >> np.uint64(32)).astype(np.uint32)


def shingle_hashes(points: NDArray[np.uint32], size: int) -> NDArray[np.uint64]:
    """A hash of each stretch; a polynomial that numpy makes of whole columns at once."""
    if not len(points):
        return np.empty(0, np.uint64)
    wide = points.astype(np.uint64)
    size = min(size, len(wide))
    count = len(wide) - size + 1
    made = np.full(count, size, np.uint64)
    for index in range(size):
        made *= np.uint64(0x9E3779B97F4A7C15)
        made += wide[index : index + count]
    return mix_bits(made)


def mix_bits(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finalizer of SplitMix64: every bit of the result depends on every bit given."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


@functools.cache
def _functions(count: int, seed: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """What each hash function multiplies by (odd) and adds."""
    drawn = np.random.PCG64(seed).random_raw(2 * count).astype(np.uint32)
    return drawn[:count] | np.uint32(1), drawn[count:, None]


@functools.cache
def _factors(count: int, seed: int) -> NDArray[np.uint64]:
    """What the hashes of a band are multiplied by before they are added up to one."""
    return np.random.PCG64(seed + 1).random_raw(count) | np.uint64(1)


def _buckets(values: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions sorted by value, earlier ones first, and where each value's begin and end."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    changes = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return order, np.concatenate([[0], changes, [len(values)]]).astype(np.int64)


def _pairs(values: NDArray[np.uint64]) -> Iterator[NDArray[np.int64]]:
    """Pairs of positions in the same bucket; in a large one each with the first and nearest.

    A bucket of thousands (pages made from one template) would else be compared all with all. Some
    pairs at a time, as there are more of them than memory holds.
    """
    if not len(values):
        return
    order, starts = _buckets(values)
    begin = np.repeat(starts[:-1], np.diff(starts))
    place = np.arange(len(order)) - begin
    half = MOST // 2
    for block in _blocks(np.flatnonzero(place)):
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


def _numbered(pairs: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Pairs as single numbers, which sort much faster, in the order of the later one."""
    made: NDArray[np.int64] = pairs[:, 1] * count + pairs[:, 0]
    return made


def _blocks(members: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    for index in range(0, len(members), _PAIRS):
        yield members[index : index + _PAIRS]


_SETS = 256
"""Sets of earlier texts at hand: a text with many near-duplicates is asked for again and again."""


@dataclass(frozen=True, slots=True)
class ResemblingPair(Generic[N]):
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
) -> list[ResemblingPair[N]]:
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
) -> Iterator[ResemblingPair[N]]:
    """Those candidates that do resemble each other, by exact sets, on one more reading.

    A text is in memory only until its last candidate is read. Where ``settled`` says so, the pairs
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

    for index, (name, text) in enumerate(texts()):
        mine: frozenset[str] | None = None
        for earlier in partners.pop(index, ()):
            if settled is None or not settled(name):
                mine = shingles(text, shingle) if mine is None else mine
                found = _jaccard(set_of(earlier), mine)
                if found >= threshold:
                    yield ResemblingPair(held[earlier][0], name, found)
            if last[earlier] == index:
                del held[earlier]
        if index in last:
            held[index] = name, text
        if index == final:
            return


def shingles(text: str, size: int = SHINGLE) -> frozenset[str]:
    """The stretches of ``size`` characters of a folded text; a shorter text is one itself."""
    plain = folded(text)
    if len(plain) <= size:
        return frozenset([plain or text])
    return frozenset(map("".join, zip(*(plain[index:] for index in range(size)), strict=False)))


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
