"""Measures of characters and of lists of words: how alike two texts are, from 0 to 1."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Edit distances, by rapidfuzz.


def levenshtein(a: str, b: str) -> float:
    """1 - d / max(|a|, |b|), where d is the least number of insertions, deletions and changes."""
    from rapidfuzz.distance import Levenshtein

    return float(Levenshtein.normalized_similarity(a, b))


# A match counts 1, a mismatch -1, a gap -1. With n + m = 2 (matches + mismatches) + gaps, the
# score is (n + m - d) / 2 for the least d = 4 mismatches + 3 gaps, an edit distance.
_COSTS = (3, 3, 4)


def needleman_wunsch(a: str, b: str) -> float:
    """(score + l) / 2l for the longer text's length l; a score is at least -l.

    "A general method applicable to the search for similarities in the amino acid sequence of two
    proteins" (1970), with the usual scores of today.
    """
    from rapidfuzz.distance import Levenshtein

    longer = max(len(a), len(b))
    if not longer:
        return 1.0
    score = (len(a) + len(b) - Levenshtein.distance(a, b, weights=_COSTS)) / 2
    return (score + longer) / (2 * longer)


def jaro(a: str, b: str) -> float:
    """(m/|a| + m/|b| + (m - t)/m) / 3 for m matches at most max(|a|, |b|)/2 - 1 apart.

    t is half the number of matches out of order, rounded down. "Advances in record-linkage
    methodology as applied to matching the 1985 census of Tampa, Florida".
    """
    from rapidfuzz.distance import Jaro

    return float(Jaro.normalized_similarity(a, b))


def jaro_winkler(a: str, b: str) -> float:
    """j + l/10 (1 - j) for the Jaro similarity j and the length l of the common prefix, at most 4.

    "String comparator metrics and enhanced decision rules in the Fellegi-Sunter model of record
    linkage". Some programs add the prefix only where j is over 0.7; the formula does not.
    """
    return with_prefix(jaro(a, b), a, b, longest=4)


def with_prefix(similarity: float, a: str, b: str, *, longest: int) -> float:
    """Winkler's: each character of the common prefix takes off a tenth of what is lacking."""
    from rapidfuzz.distance import Prefix

    return similarity + min(Prefix.similarity(a, b), longest) * 0.1 * (1 - similarity)


# Local alignment: the best score of any stretch of one text with one of another.


class Scores(NamedTuple):
    """What equal and other characters count, and what a character without partner costs."""

    match: int
    mismatch: int
    gap: int


_SCORES = Scores(match=1, mismatch=-1, gap=1)
_LARGE = 2**12
"""Cells of a table that are worth a call of NumPy a row."""


def smith_waterman(a: str, b: str) -> float:
    """The best score of aligning a stretch of each text, over the shorter text's length.

    A match counts 1, a mismatch -1, a gap -1: "Identification of common molecular subsequences",
    with the usual scores of today. A text that occurs in the other is wholly like it.
    """
    shorter = min(len(a), len(b))
    return best_local(a, b, _SCORES) / shorter if shorter else float(a == b)


def smith_waterman_of_each(a: Sequence[str], b: Sequence[str]) -> list[float]:
    """The same of each pair."""
    best = best_local_of_each(a, b, _SCORES)
    return [
        score / min(len(x), len(y)) if x and y else float(x == y)
        for x, y, score in zip(a, b, best, strict=True)
    ]


def best_local(a: str, b: str, scores: Scores) -> int:
    """The best score of a local alignment with a linear gap, in whole numbers."""
    if len(a) * len(b) > _LARGE:
        return _best_of_tables([a], [b], scores)[0]
    best = 0
    above = [0] * (len(b) + 1)
    for left_character in a:
        row = [0]
        left = 0
        for column, character in enumerate(b):
            score = scores.match if character == left_character else scores.mismatch
            left = max(0, above[column] + score, above[column + 1] - scores.gap, left - scores.gap)
            row.append(left)
        best = max(best, max(row))
        above = row
    return best


def best_local_of_each(a: Sequence[str], b: Sequence[str], scores: Scores) -> list[int]:
    """The best local score of each pair: tables of about the same size are filled at once."""
    sizes = [max(len(x), len(y)) for x, y in zip(a, b, strict=True)]
    found = [0] * len(a)
    small = []
    for index, size in enumerate(sizes):
        if size > _LONG:
            found[index] = best_local(a[index], b[index], scores)
        else:
            small.append(index)
    small.sort(key=sizes.__getitem__)
    for first in range(0, len(small), _TABLES):
        some = small[first : first + _TABLES]
        values = _best_of_tables([a[index] for index in some], [b[index] for index in some], scores)
        for index, value in zip(some, values, strict=True):
            found[index] = value
    return found


_TABLES = 256
_LONG = 1024
"""How many tables are filled at once; a pair with a text longer than this has one of its own."""


def _best_of_tables(a: Sequence[str], b: Sequence[str], scores: Scores) -> list[int]:
    """A row of every table at a time. What pads a text equals nothing, so no score grows there."""
    rows, characters = _padded(a, 0), _padded(b, 1)
    # A gap to the right costs the same at every step: the best so far along a row that is
    # tilted by it.
    tilt = np.arange(characters.shape[1], dtype=np.int32) * scores.gap
    above = np.zeros((len(a), characters.shape[1] + 1), dtype=np.int32)
    best = np.zeros(len(a), dtype=np.int32)
    for row_characters in rows.T:
        row = np.where(characters == row_characters[:, None], scores.match, scores.mismatch)
        row = row.astype(np.int32) + above[:, :-1]
        np.maximum(row, above[:, 1:] - scores.gap, out=row)
        np.maximum(row, 0, out=row)
        row += tilt
        np.maximum.accumulate(row, axis=1, out=row)
        np.subtract(row, tilt, out=above[:, 1:])
        np.maximum(best, above.max(axis=1), out=best)
    return [int(value) for value in best]


def _padded(texts: Sequence[str], padding: int) -> NDArray[np.int32]:
    """The characters' numbers, negative so that padding equals none of them."""
    table = np.full((len(texts), max(map(len, texts), default=0)), padding, dtype=np.int32)
    for row, text in zip(table, texts, strict=True):
        row[: len(text)] = [~ord(character) for character in text]
    return table


# Substrings of three characters.


Q = 3


def qgrams(a: str, b: str) -> float:
    """1 - Σ |a - b| / (Σ a + Σ b) over the counts of the substrings of three characters.

    "Approximate string-matching with q-grams and maximal matches". A text of fewer characters is
    one gram by itself.
    """
    first, second = _grams(a), _grams(b)
    whole = first.total() + second.total()
    pairs = 0
    for gram, times in first.items():
        if gram in second:
            pairs += min(times, second[gram])
    return 2 * pairs / whole if whole else 1.0


def _grams(text: str) -> Counter[tuple[str, ...]]:
    if len(text) < Q:
        return Counter([(text,)] if text else [])
    return Counter(zip(text, text[1:], text[2:], strict=False))


# Texts through the similarity of their words.


def monge_elkan(a: Sequence[str], b: Sequence[str]) -> float:
    """The mean of both directions, words being compared by Jaro and Winkler's similarity.

    "The field matching problem: algorithms and applications" looks in one direction; the mean
    does not depend on which text comes first.
    """
    return (
        directed_similarity(a, b, _word_similarity) + directed_similarity(b, a, _word_similarity)
    ) / 2


_word_similarity = functools.lru_cache(maxsize=2**16)(jaro_winkler)


def directed_similarity(
    a: Sequence[str], b: Sequence[str], inner: Callable[[str, str], float]
) -> float:
    """The mean similarity of the first text's words to their nearest words in the other.

    ``inner`` compares two words: 1 for equal ones, and never more.
    """
    if not a or not b:
        return float(len(a) == len(b))
    known = frozenset(b)
    best = [1.0 if word in known else max(inner(word, other) for other in b) for word in a]
    return sum(best) / len(a)
