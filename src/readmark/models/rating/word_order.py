"""A small model of word order: how surprising a word or tag is after the two before it.

Frequent words stand for themselves and all others for their Penn tags, so that the model is small
and knows *of the* from *the of* without knowing any subject. Interpolated absolute discounting.
"""

from __future__ import annotations

import functools
import io
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from readmark.models.rating.parsed import Parsed

DISCOUNT = 0.75
BREAK = "<s>"
"""Stands before a sentence."""
OTHER = "<other>"

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class WordOrder:
    """Counts of runs of one, two and three symbols; a run's key is a number in base ``size``."""

    symbols: dict[str, int]
    singles: Counts
    pair_keys: Counts
    pair_counts: Counts
    triple_keys: Counts
    triple_counts: Counts

    @functools.cached_property
    def _followed(self) -> tuple[tuple[Counts, Counts, Counts], tuple[Counts, Counts, Counts]]:
        """For histories of one and of two: keys, how often they are followed, and by how many."""
        return (
            _histories(self.pair_keys, self.pair_counts, len(self.singles)),
            _histories(self.triple_keys, self.triple_counts, len(self.singles)),
        )

    def codes(self, parsed: Parsed) -> Counts:
        """The tokens as symbols."""
        known, other = self.symbols, self.symbols[OTHER]
        return np.array(
            [
                code if (code := known.get(form)) is not None else known.get(tag, other)
                for form, tag in zip(parsed.forms, parsed.tags, strict=True)
            ],
            np.int64,
        )

    def surprise(self, parsed: Parsed) -> NDArray[np.float64]:
        """Nats of surprise a token, given the two before it in its sentence."""
        codes = self.codes(parsed)
        if not len(codes):
            return np.zeros(0)
        size = len(self.singles)
        start = self.symbols[BREAK]
        first = np.r_[True, np.diff(parsed.sentences) != 0]
        one = np.where(first, start, np.r_[start, codes[:-1]])
        second = np.r_[True, first[:-1]]
        two = np.where(first | second, start, np.r_[start, start, codes[:-2]][: len(codes)])
        ones, twos = self._followed
        single = (self.singles[codes] + 1) / (self.singles.sum() + size)
        pair = _mixed(one * size + codes, one, self.pair_keys, self.pair_counts, ones, single)
        history = two * size + one
        triple = _mixed(
            history * size + codes, history, self.triple_keys, self.triple_counts, twos, pair
        )
        surprise: NDArray[np.float64] = -np.log(triple)
        return surprise


def _mixed(
    keys: Counts,
    histories: Counts,
    known: Counts,
    counts: Counts,
    followed: tuple[Counts, Counts, Counts],
    lower: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The discounted share of a run among what follows its history, and the rest from below."""
    seen = _looked_up(keys, known, counts)
    history_keys, totals, kinds = followed
    total = _looked_up(histories, history_keys, totals)
    kind = _looked_up(histories, history_keys, kinds)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.maximum(seen - DISCOUNT, 0) / total
        left = DISCOUNT * kind / total
    return np.where(total > 0, share + left * lower, lower)


def _looked_up(keys: Counts, known: Counts, values: Counts) -> Counts:
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[at] == keys, values[at], 0)


def _histories(keys: Counts, counts: Counts, size: int) -> tuple[Counts, Counts, Counts]:
    before, at = np.unique(keys // size, return_index=True)
    kinds = np.diff(np.r_[at, len(keys)])
    return before, np.add.reduceat(counts, at), kinds.astype(np.int64)


def learn(symbols: dict[str, int], runs: list[Counts], *, least: int) -> WordOrder:
    """Count runs of symbols; each run is a sentence that begins with two breaks."""
    size = len(symbols)
    whole = np.concatenate(runs)
    here = whole[2:]
    kept = here != symbols[BREAK]
    here, one, two = here[kept], whole[1:-1][kept], whole[:-2][kept]
    singles = np.bincount(here, minlength=size).astype(np.int64)
    pairs = np.unique(one * size + here, return_counts=True)
    triples = np.unique((two * size + one) * size + here, return_counts=True)
    often = triples[1] >= least
    return WordOrder(symbols, singles, *pairs, triples[0][often], triples[1][often])


def packed(model: WordOrder) -> bytes:
    """The model as a compressed numpy archive; keys as differences, which pack well."""
    stream = io.BytesIO()
    np.savez_compressed(
        stream,
        symbols=np.array(list(model.symbols)),
        singles=model.singles.astype(np.uint32),
        pair_steps=np.diff(model.pair_keys, prepend=0).astype(np.uint32),
        pair_counts=model.pair_counts.astype(np.uint32),
        triple_steps=np.diff(model.triple_keys, prepend=0).astype(np.uint32),
        triple_counts=np.minimum(model.triple_counts, 65535).astype(np.uint16),
    )
    return stream.getvalue()


def unpacked(data: bytes) -> WordOrder:
    """A model from its archive."""
    with np.load(io.BytesIO(data), allow_pickle=False) as held:
        return WordOrder(
            {str(symbol): at for at, symbol in enumerate(held["symbols"])},
            held["singles"].astype(np.int64),
            np.cumsum(held["pair_steps"].astype(np.int64)),
            held["pair_counts"].astype(np.int64),
            np.cumsum(held["triple_steps"].astype(np.int64)),
            held["triple_counts"].astype(np.int64),
        )


@functools.cache
def word_order() -> WordOrder:
    """The model that ships."""
    return unpacked(files("readmark.models.rating").joinpath("data", "word_order.npz").read_bytes())
