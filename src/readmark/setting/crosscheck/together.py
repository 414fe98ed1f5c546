"""Words that keep coming together in the sentence pairs of a parallel test itself.

A test is about something, and its own words are seldom on a small list: *kernel* and 玉米粒 are
told by standing in the same sentence pairs and hardly in others (Dice's coefficient).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

LEAST = 2
"""Sentence pairs that two words must share; once is chance."""
ENOUGH = 0.75
"""Dice's coefficient from which on two words are taken to say the same."""

Translations = Mapping[str, frozenset[str]]


def words_together(pairs: Iterable[tuple[set[str], set[str]]]) -> Translations:
    """English words with the Chinese ones of the same sentence pairs, each by its best."""
    english: Counter[str] = Counter()
    chinese: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for one, other in pairs:
        english.update(one)
        chinese.update(other)
        both.update((a, b) for a in one for b in other)
    found: dict[str, set[str]] = {}
    best: dict[str, float] = {}
    scored = {
        pair: 2 * count / (english[pair[0]] + chinese[pair[1]])
        for pair, count in both.items()
        if count >= LEAST
    }
    for (_, word), dice in scored.items():
        best[word] = max(best.get(word, 0.0), dice)
    for (a, b), dice in scored.items():
        if dice >= ENOUGH and dice == best[b]:
            found.setdefault(a, set()).add(b)
    return {word: frozenset(others) for word, others in found.items()}
