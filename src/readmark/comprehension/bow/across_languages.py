"""Questions in the other language: words meet through a bilingual lexicon, rare ones count more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from readmark.comprehension.bow.passages import BaggedSentence


class SharedAcross(NamedTuple):
    """What each sentence shares with a question in the other language."""

    shares: list[float]
    words: list[frozenset[str]]
    """The question's words that each sentence has."""
    most: float
    """The share of a sentence that has all of the question's words."""


def shared_across(
    words: Sequence[str], language: str, sentences: Sequence[BaggedSentence]
) -> SharedAcross:
    """What sentences share with a question's words.

    A word counts as strongly as its nearest word in the sentence corresponds to it, times its
    rarity in the passage.
    """
    from readmark.text.cross_language import content_words, correspondence

    passage_words = [word for sentence in sentences for word in sentence.words]
    content = content_words(words, language)
    if language == "zh":
        strengths = correspondence(words, passage_words)[content]
    else:
        strengths = correspondence(passage_words, words).T[content]
    ends = np.cumsum([len(sentence.words) for sentence in sentences])[:-1]
    nearest = np.stack(
        [part.max(axis=1, initial=0.0) for part in np.split(strengths, ends, axis=1)]
    )
    rarity = np.log((len(sentences) + 1) / (nearest.sum(axis=0) + 0.5)).clip(0.0)
    # Exact sums, so that equal shares are equal whatever the order of words.
    shares = [math.fsum(row) for row in (nearest * rarity).tolist()]
    shared = [
        frozenset(words[index].lower() for index, met in zip(content, row, strict=True) if met)
        for row in nearest.tolist()
    ]
    return SharedAcross(shares, shared, math.fsum(rarity.tolist()))
