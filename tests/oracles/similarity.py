"""The measures of similarity by their definitions, slowly and one pair at a time.

Nothing here is shared with the package, so a mistake in one is not a mistake in both. These are
also what ``benchmarks/similarity.py`` is timed against.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Sequence

Grams = Sequence[Hashable]


def words(text: str) -> list[str]:
    """Lower case; letters and digits, joined inside by a hyphen, an apostrophe or an underscore."""
    return re.findall(r"[^\W_]+(?:[-'_][^\W_]+)*", text.lower().replace("’", "'"))


def plain(text: str) -> str:
    return " ".join(words(text))


def ngrams(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def counts(grams: Grams) -> dict[Hashable, int]:
    found: dict[Hashable, int] = {}
    for gram in grams:
        found[gram] = found.get(gram, 0) + 1
    return found


def jaccard(x: Grams, y: Grams) -> float:
    if not x and not y:
        return 1.0
    return len(set(x) & set(y)) / len(set(x) | set(y))


def dice(x: Grams, y: Grams) -> float:
    if not x and not y:
        return 1.0
    return 2 * len(set(x) & set(y)) / (len(set(x)) + len(set(y)))


def cosine(x: Grams, y: Grams) -> float:
    if not x or not y:
        return float(not x and not y)
    a, b = counts(x), counts(y)
    dot = sum(a[gram] * b.get(gram, 0) for gram in a)
    return dot / math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))


def cosine_simmetrics(x: Grams, y: Grams) -> float:
    return cosine(list(set(x)), list(set(y)))


def block(x: Grams, y: Grams) -> float:
    if not x and not y:
        return 1.0
    a, b = counts(x), counts(y)
    distance = sum(abs(a.get(gram, 0) - b.get(gram, 0)) for gram in set(a) | set(b))
    return 1 - distance / (len(x) + len(y))


def _apart(x: Grams, y: Grams) -> float:
    a, b = counts(x), counts(y)
    return math.sqrt(sum((a.get(gram, 0) - b.get(gram, 0)) ** 2 for gram in set(a) | set(b)))


def euclidean(x: Grams, y: Grams) -> float:
    if not x and not y:
        return 1.0
    squares = sum(n * n for n in [*counts(x).values(), *counts(y).values()])
    return 1 - _apart(x, y) / math.sqrt(squares)


def euclidean_simmetrics(x: Grams, y: Grams) -> float:
    if not x and not y:
        return 1.0
    return 1 - _apart(x, y) / math.sqrt(len(x) ** 2 + len(y) ** 2)


def weighted(
    measure: Callable[[Grams, Grams], float], weights: Sequence[float], a: str, b: str
) -> float:
    """The mean over the orders that a text has, by their weights; else whether both are equal."""
    x, y = words(a), words(b)
    total = used = 0.0
    for n, weight in enumerate(weights, 1):
        if weight and (len(x) >= n or len(y) >= n):
            total += weight * measure(ngrams(x, n), ngrams(y, n))
            used += weight
    return total / used if used else float(x == y)


def levenshtein(a: str, b: str) -> float:
    if not a and not b:
        return 1.0
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if i == 0 or j == 0:
                table[i][j] = i + j
            else:
                table[i][j] = min(
                    table[i - 1][j] + 1,
                    table[i][j - 1] + 1,
                    table[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                )
    return 1 - table[-1][-1] / max(len(a), len(b))


def needleman_wunsch(a: str, b: str) -> float:
    """Match 1, mismatch -1, gap -1, over the range that the longer length allows."""
    if not a and not b:
        return 1.0
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if i == 0 or j == 0:
                table[i][j] = -(i + j)
            else:
                table[i][j] = max(
                    table[i - 1][j] - 1,
                    table[i][j - 1] - 1,
                    table[i - 1][j - 1] + (1 if a[i - 1] == b[j - 1] else -1),
                )
    longer = max(len(a), len(b))
    return (table[-1][-1] + longer) / (2 * longer)


def needleman_wunsch_simmetrics(a: str, b: str) -> float:
    """Costs 0, 1 and 2 for match, mismatch and gap, but the first row and column cost 1 a step."""
    longer = max(len(a), len(b))
    if not longer:
        return 1.0
    if not a or not b:
        return 0.5
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if i == 0 or j == 0:
                table[i][j] = i + j
            else:
                table[i][j] = min(
                    table[i - 1][j] + 2,
                    table[i][j - 1] + 2,
                    table[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                )
    return 1 - table[-1][-1] / (2 * longer)


def _local(a: str, b: str, match: float, mismatch: float, gap: float) -> float:
    table = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i][j] = max(
                0.0,
                table[i - 1][j] - gap,
                table[i][j - 1] - gap,
                table[i - 1][j - 1] + (match if a[i - 1] == b[j - 1] else mismatch),
            )
    return max(max(row) for row in table)


def smith_waterman(a: str, b: str) -> float:
    if not a or not b:
        return float(a == b)
    return _local(a, b, 1, -1, 1) / min(len(a), len(b))


def smith_waterman_simmetrics(a: str, b: str) -> float:
    if not a or not b:
        return 1.0
    return _local(a, b, 1, -2, 0.5) / min(len(a), len(b))


def qgrams(a: str, b: str) -> float:
    return block(_substrings(a), _substrings(b))


def qgrams_simmetrics(a: str, b: str) -> float:
    return block(_substrings(f"##{a}##"), _substrings(f"##{b}##"))


def _substrings(text: str) -> list[str]:
    if 0 < len(text) < 3:
        return [text]
    return [text[i : i + 3] for i in range(len(text) - 2)]


def jaro(a: str, b: str) -> float:
    if not a or not b:
        return float(a == b)
    reach = max(0, max(len(a), len(b)) // 2 - 1)
    taken_a, taken_b = [False] * len(a), [False] * len(b)
    for i in range(len(a)):
        for j in range(max(0, i - reach), min(len(b), i + reach + 1)):
            if not taken_b[j] and a[i] == b[j]:
                taken_a[i] = taken_b[j] = True
                break
    first = [c for c, taken in zip(a, taken_a, strict=True) if taken]
    second = [c for c, taken in zip(b, taken_b, strict=True) if taken]
    if not first:
        return 0.0
    m = len(first)
    t = sum(x != y for x, y in zip(first, second, strict=True)) // 2
    return (m / len(a) + m / len(b) + (m - t) / m) / 3


def _prefix(a: str, b: str, longest: int) -> int:
    n = 0
    while n < min(longest, len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n


def jaro_winkler(a: str, b: str) -> float:
    found = jaro(a, b)
    return found + _prefix(a, b, 4) * 0.1 * (1 - found)


def jaro_simmetrics(a: str, b: str) -> float:
    half = math.ceil(min(len(a), len(b)) / 2)

    def common(x: str, y: str) -> str:
        rest, found = list(y), ""
        for i in range(len(x)):
            j = max(0, i - half)
            while j < min(i + half, len(y) - 1):
                if rest[j] == x[i]:
                    rest[j] = ""
                    found += x[i]
                    break
                j += 1
        return found

    first, second = common(a, b), common(b, a)
    if not first or len(first) != len(second):
        return 0.0
    m = len(first)
    t = sum(first[k] != second[k] for k in range(m)) // 2
    return (m / len(a) + m / len(b) + (m - t) / m) / 3


def jaro_winkler_simmetrics(a: str, b: str) -> float:
    found = jaro_simmetrics(a, b)
    return found + _prefix(a, b, 6) * 0.1 * (1 - found)


def gotoh(a: str, b: str) -> float:
    """SimMetrics' affine gaps: every length of gap is tried, from the second row and column on."""
    alike = ["dt", "gj", "lr", "mn", "bpv", "aeiou", ",."]

    def score(x: str, y: str) -> int:
        if x == y:
            return 5
        return 3 if any(x in group and y in group for group in alike) else -3

    if not a or not b:
        return 1.0
    table = [[0] * len(b) for _ in a]
    for i in range(len(a)):
        for j in range(len(b)):
            before = table[i - 1][j - 1] if i > 0 and j > 0 else 0
            options = [0, before + score(a[i], b[j])]
            options += [table[r][j] - (5 + i - r - 1) for r in range(1, i)]
            options += [table[i][c] - (5 + j - c - 1) for c in range(1, j)]
            table[i][j] = max(options)
    return max(max(row) for row in table) / (5 * min(len(a), len(b)))


def _one_way(x: Sequence[str], y: Sequence[str], inner: Callable[[str, str], float]) -> float:
    if not x or not y:
        return float(not x and not y)
    return sum(max(inner(v, w) for w in y) for v in x) / len(x)


def monge_elkan(x: Sequence[str], y: Sequence[str]) -> float:
    return (_one_way(x, y, jaro_winkler) + _one_way(y, x, jaro_winkler)) / 2


def monge_elkan_simmetrics(x: Sequence[str], y: Sequence[str]) -> float:
    return _one_way(x, y, gotoh)
