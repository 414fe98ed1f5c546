"""Translations that a parallel test teaches: words that keep coming together in its sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

LEAST = 2
"""Sentence pairs that two words must share; once is chance."""
ENOUGH_PAIRS = 0.75
"""Dice's coefficient from which on two words are taken to say the same."""

Translations = Mapping[str, frozenset[str]]
"""Stems of English words, each with the Chinese words that say the same."""


def cooccurring_words(pairs: Iterable[tuple[set[str], set[str]]]) -> Translations:
    """English words with the Chinese ones of the same sentence pairs, each by its best."""
    english: Counter[str] = Counter()
    chinese: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for english_words, chinese_words in pairs:
        english.update(english_words)
        chinese.update(chinese_words)
        both.update((a, b) for a in english_words for b in chinese_words)
    dice = {
        (a, b): 2 * count / (english[a] + chinese[b])
        for (a, b), count in both.items()
        if count >= LEAST
    }
    best: dict[str, float] = {}
    for (_, chinese_word), score in dice.items():
        best[chinese_word] = max(best.get(chinese_word, ENOUGH_PAIRS), score)
    translations: dict[str, frozenset[str]] = {}
    for (english_word, chinese_word), score in dice.items():
        if score == best[chinese_word]:
            translations[english_word] = translations.get(english_word, frozenset()) | {
                chinese_word
            }
    return translations
