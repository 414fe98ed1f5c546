"""Chinese words: what each is worth, which mean the same, exclude each other, or deny."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Sequence

import numpy as np

from readmark.core.arrays import Floats
from readmark.text.wording import word_list

FUNCTION_WORD = 0.2
"""What a word without content is worth, times its rarity."""
_SAME = 0.6
"""How much two words must mean the same before that counts."""
_INSIDE = {True: 0.9, False: 0.6}
"""What a word counts that is in a longer one, if it has two characters or more, and if one."""
_SYNONYM = 0.8
_NO_NEGATION = re.compile(
    "不[错但仅过少同久断管论光然如]|不得不|不客气|不见得|不好意思|没[错关问].?|无[论数]|别[人的]"
)


def word_weights(words: Sequence[str]) -> Floats:
    """What words are worth: rare ones more, those without content little."""
    from readmark.text.function_words import FUNCTION
    from readmark.text.word_vectors import lexicon

    chinese, function = lexicon("zh"), FUNCTION["zh"]
    return np.array(
        [chinese.rarity(word) * (FUNCTION_WORD if word in function else 1.0) for word in words]
    )


@functools.lru_cache(maxsize=400_000)
def sameness(word: str, other: str) -> float:
    """How much two words mean the same: one has the other, or English words translate both."""
    from readmark.text.glosses import translations
    from readmark.text.synonyms import synonymous

    if word == other:
        return 1.0
    if word in other or other in word:
        return _INSIDE[min(len(word), len(other)) > 1]
    first, second = translations(word), translations(other)
    shared = max((first[gloss] * second[gloss] for gloss in first.keys() & second), default=0.0)
    if shared >= _SAME**2:
        return min(math.sqrt(shared), _INSIDE[True])
    return _SYNONYM if synonymous(word, other) else 0.0


@functools.lru_cache(maxsize=400_000)
def excludes(word: str, other: str) -> bool:
    """Whether what is one cannot be the other."""
    from readmark.text.function_words import FUNCTION
    from readmark.text.synonyms import opposite

    return not {word, other} & FUNCTION["zh"] and opposite(word, other)


@functools.lru_cache(maxsize=4096)
def is_negation(word: str) -> bool:
    """Whether a word denies what follows; 不错 and the like do not."""
    if _NO_NEGATION.fullmatch(word):
        return False
    return word in word_list("negations") or (word[0] in "不没无未别甭" and len(word) <= 3)
