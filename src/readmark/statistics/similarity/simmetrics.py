"""The measures as SimMetrics 1 computes them, quirks included, for figures made with it.

Written from the behaviour of the library, "SimMetrics - a Java library of Similarity or Distance
Metrics" (Sam Chapman, University of Sheffield). Where it divides nothing by nothing, two texts
without tokens are equal here, and in measures of sets a text with tokens is unlike one without; the
others have the library's number there, which is not always 0. Characters are code points; the
library's are UTF-16 units, which differ outside the Basic Multilingual Plane. Jaccard, Dice, block
and Levenshtein are the usual ones.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

from readmark.statistics.similarity.alignment import AlignmentScores, best_local, best_local_of_each
from readmark.statistics.similarity.edits import with_prefix
from readmark.statistics.similarity.monge_elkan import directed_similarity
from readmark.statistics.similarity.ngrams import SharedGrams, over_geometric_mean, share
from readmark.statistics.similarity.qgrams import qgrams as usual_qgrams


def cosine(shared: SharedGrams) -> float:
    """|A ∩ B| / √(|A| |B|): over sets, whatever the counts."""
    return over_geometric_mean(*shared.sets)


def euclidean(shared: SharedGrams) -> float:
    """1 - √Σ (a - b)² / √((Σ a)² + (Σ b)²): against the distance of two words repeated."""
    square_a, square_b, product = shared.products
    apart = square_a + square_b - 2 * product
    a, b, _ = shared.bags
    total = a * a + b * b
    # 1 less the share that is left, so that nothing against nothing is 1.
    return 1 - math.sqrt(1 - share(total - apart, total))


def jaro(a: str, b: str) -> float:
    """Jaro's formula over matches less than half the shorter length apart; see ``_common``.

    0 where nothing matches, and where the two directions match different numbers.
    """
    near = (min(len(a), len(b)) + 1) // 2
    first, second = _common(a, b, near), _common(b, a, near)
    matches = len(first)
    if not matches or matches != len(second):
        return 0.0
    swapped = sum(x != y for x, y in zip(first, second, strict=True)) // 2
    return (matches / len(a) + matches / len(b) + (matches - swapped) / matches) / 3


def _common(a: str, b: str, near: int) -> list[str]:
    """The characters of the first text that the second has near the same place, but for its last.

    Near is from so many places before to one less than so many after.
    """
    free: list[str | None] = list(b)
    common = []
    for i, character in enumerate(a):
        for j in range(max(0, i - near), min(i + near, len(b) - 1)):
            if free[j] == character:
                free[j] = None
                common.append(character)
                break
    return common


def jaro_winkler(a: str, b: str) -> float:
    """With up to six characters of common prefix."""
    return with_prefix(jaro(a, b), a, b, longest=6)


_GAP = 2


def needleman_wunsch(a: str, b: str) -> float:
    """1 - cost / 2l for the longer text's length l; an empty text is half like any other.

    A gap costs 2, but 1 where the alignment begins.
    """
    longer = max(len(a), len(b))
    if not longer:
        return 1.0
    if not a or not b:
        return 1 - longer / (_GAP * longer)
    above = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        row = [i]
        for j, right in enumerate(b):
            row.append(min(above[j] + (left != right), above[j + 1] + _GAP, row[j] + _GAP))
        above = row
    return 1 - above[-1] / (_GAP * longer)


_DOUBLED = AlignmentScores(match=2, mismatch=-4, gap=1)


def smith_waterman(a: str, b: str) -> float:
    """The best score over the shorter length; an empty text is wholly like every other.

    A mismatch costs 2, a gap a half.
    """
    shorter = min(len(a), len(b))
    return best_local(a, b, _DOUBLED) / (2 * shorter) if shorter else 1.0


def smith_waterman_of_each(a: Sequence[str], b: Sequence[str]) -> list[float]:
    """The same of each pair."""
    best = best_local_of_each(a, b, _DOUBLED)
    return [
        score / (2 * min(len(x), len(y))) if x and y else 1.0
        for x, y, score in zip(a, b, best, strict=True)
    ]


_PAD = "##"


def qgrams(a: str, b: str) -> float:
    """The share of both bags of q-grams that pairs off, each text between two number signs."""
    return usual_qgrams(f"{_PAD}{a}{_PAD}", f"{_PAD}{b}{_PAD}")


def monge_elkan(a: Sequence[str], b: Sequence[str]) -> float:
    """How well the words of the first text are found in the second, which may have others.

    One direction, words compared by ``gotoh``.
    """
    return directed_similarity(a, b, _word_similarity)


_MATCH, _NEAR, _MISMATCH = 5, 3, -3
_OPEN, _EXTEND = 5, 1
_ALIKE = ("dt", "gj", "lr", "mn", "bpv", "aeiou", ",.")
_GROUP = {character: number for number, group in enumerate(_ALIKE, 1) for character in group}


def gotoh(a: str, b: str) -> float:
    """The best local alignment with affine gaps, over 5 times the shorter length.

    No gap begins in the first row or column, and there a character counts by itself. A word of
    no characters is wholly like every other.
    """
    shorter = min(len(a), len(b))
    if not shorter:
        return 1.0
    best = 0
    above = [0] * (len(b) + 1)
    down = [0] * len(b)  # the best that ends in a gap, so far down each column
    for i, left in enumerate(a):
        row = [0]
        along = 0  # and along the row
        for j, right in enumerate(b):
            cell = max(0, above[j] + _score(left, right))
            if i > 1:
                down[j] = max(down[j] - _EXTEND, above[j + 1] - _OPEN)
                cell = max(cell, down[j])
            if j > 1:
                along = max(along - _EXTEND, row[j] - _OPEN)
                cell = max(cell, along)
            row.append(cell)
        best = max(best, *row)
        above = row
    return best / (_MATCH * shorter)


def _score(left: str, right: str) -> int:
    if left == right:
        return _MATCH
    return _NEAR if _GROUP.get(left, -1) == _GROUP.get(right, -2) else _MISMATCH


_word_similarity = functools.lru_cache(maxsize=2**16)(gotoh)
