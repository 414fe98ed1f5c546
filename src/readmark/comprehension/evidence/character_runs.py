"""Runs of characters, which still meet where words are cut or spelt in different ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from readmark.core.arrays import AnyFloats, AnyInts
from readmark.core.records import Offsets

RUN_LENGTH = {"en": 4, "zh": 2}
"""Characters of a run: a Chinese word rarely has more than two."""


def run_codes(text: str, language: str) -> AnyInts:
    """A number for the run that begins at each character; equal runs have equal numbers."""
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32)
    codes = codes.astype(np.int64)
    if len(codes) < RUN_LENGTH[language]:
        return codes[:0]
    if language == "zh":
        return codes[:-1] * 2**21 + codes[1:]  # a code point has at most 21 bits
    # Four of 15 bits fit into one number: of English letters nothing is lost.
    codes &= 0x7FFF
    runs: AnyInts = ((codes[:-3] * 2**15 + codes[1:-2]) * 2**15 + codes[2:-1]) * 2**15 + codes[3:]
    return runs


def runs_by_sentence(
    text: str, sentences: Sequence[Offsets], language: str
) -> tuple[Mapping[int, int], AnyFloats]:
    """A row for each run of a passage, and in it a 1 for each sentence that has the run.

    The last row is empty: it is for runs that the passage does not have.
    """
    codes, row_at = np.unique(run_codes(text, language), return_inverse=True)
    table = np.zeros((len(codes) + 1, len(sentences)), np.float32)
    for index, (start, end) in enumerate(sentences):
        table[row_at[start:end], index] = 1.0
    return dict(zip(codes.tolist(), range(len(codes)), strict=True)), table


def runs_by_word(
    located_words: Sequence[tuple[str, int]], text: str, language: str
) -> tuple[list[int], AnyFloats]:
    """The different runs of a text, and which share of each word (a row) each run (a column) is."""
    codes = run_codes(text, language).tolist()
    columns = {code: index for index, code in enumerate(dict.fromkeys(codes))}
    shares = np.zeros((len(located_words), len(columns)), np.float32)
    for row, (word, start) in enumerate(located_words):
        runs = codes[start : start + max(0, len(word) - RUN_LENGTH[language] + 1)]
        for code in runs:
            shares[row, columns[code]] += 1 / len(runs)
    return list(columns), shares
