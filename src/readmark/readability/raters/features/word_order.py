"""A small model of word order: how surprising a word or tag is after the two before it.

Frequent words are symbols of their own, others stand as their tags. Counts of runs of one, two and
three symbols are interpolated with absolute discounting.
"""

from __future__ import annotations

import functools
import io
from dataclasses import dataclass
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.readability.raters.parses import ParsedPassage

DISCOUNT = 0.75
"""Taken from the count of every run that was seen, and given to those that were not."""
BREAK = "<s>"
"""Stands before a sentence."""
OTHER = "<other>"

Counts = NDArray[np.int64]


class _Histories(NamedTuple):
    """What precedes the last symbol of a run."""

    keys: Counts
    totals: Counts
    """How often each history is followed by anything."""
    followers: Counts
    """By how many different symbols."""


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
    def _histories(self) -> tuple[_Histories, _Histories]:
        """The histories of pairs and those of triples."""
        size = len(self.singles)
        return (
            _histories_of(self.pair_keys, self.pair_counts, size),
            _histories_of(self.triple_keys, self.triple_counts, size),
        )

    def codes(self, parsed: ParsedPassage) -> Counts:
        """The tokens as symbols."""
        codes = self.symbols
        other = codes[OTHER]
        return np.array(
            [
                codes[form] if form in codes else codes.get(tag, other)
                for form, tag in zip(parsed.forms, parsed.tags, strict=True)
            ],
            np.int64,
        )

    def surprise(self, parsed: ParsedPassage) -> Floats:
        """Nats of surprise for each token, given the two before it in its sentence."""
        codes = self.codes(parsed)
        if not len(codes):
            return np.zeros(0)
        size = len(self.singles)
        start = self.symbols[BREAK]
        is_first = np.r_[True, np.diff(parsed.sentences) != 0]
        is_second = np.r_[True, is_first[:-1]]
        previous = np.where(is_first, start, np.r_[start, codes[:-1]])
        before_that = np.r_[start, start, codes[:-2]][: len(codes)]
        before_that = np.where(is_first | is_second, start, before_that)
        history = before_that * size + previous
        of_pairs, of_triples = self._histories
        probability = (self.singles[codes] + 1) / (self.singles.sum() + size)
        probability = _interpolated(
            _lookup(previous * size + codes, self.pair_keys, self.pair_counts),
            previous,
            of_pairs,
            probability,
        )
        probability = _interpolated(
            _lookup(history * size + codes, self.triple_keys, self.triple_counts),
            history,
            of_triples,
            probability,
        )
        surprise: Floats = -np.log(probability)
        return surprise


def _interpolated(counts: Counts, keys: Counts, histories: _Histories, shorter: Floats) -> Floats:
    """Discounted shares of runs among what follows their histories, and the rest from shorter runs.

    ``counts`` are those of the runs and ``keys`` of their histories.
    """
    totals = _lookup(keys, histories.keys, histories.totals)
    followers = _lookup(keys, histories.keys, histories.followers)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.maximum(counts - DISCOUNT, 0) / totals
        rest = DISCOUNT * followers / totals
    return np.where(totals > 0, share + rest * shorter, shorter)


def _lookup(keys: Counts, known: Counts, values: Counts) -> Counts:
    """The value of each key; 0 for one that is not known."""
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[places] == keys, values[places], 0)


def _histories_of(keys: Counts, counts: Counts, size: int) -> _Histories:
    """The histories of runs, whose keys are in order."""
    histories, starts = np.unique(keys // size, return_index=True)
    followers = np.diff(np.r_[starts, len(keys)])
    return _Histories(histories, np.add.reduceat(counts, starts), followers.astype(np.int64))


def unpacked(data: bytes) -> WordOrder:
    """A model from its archive, which has keys as steps from one to the next."""
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return WordOrder(
            {str(symbol): index for index, symbol in enumerate(archive["symbols"])},
            archive["singles"].astype(np.int64),
            np.cumsum(archive["pair_steps"].astype(np.int64)),
            archive["pair_counts"].astype(np.int64),
            np.cumsum(archive["triple_steps"].astype(np.int64)),
            archive["triple_counts"].astype(np.int64),
        )


@functools.cache
def word_order() -> WordOrder:
    """The model that ships."""
    return unpacked(
        files("readmark.readability.raters").joinpath("data", "word_order.npz").read_bytes()
    )
