"""Features of each content word of a question in each sentence: how it is met, here and around."""

from __future__ import annotations

import numpy as np

from readmark.models.evidence.asked import Asked
from readmark.models.evidence.lexicon import Floats
from readmark.models.evidence.matching import Matching
from readmark.models.evidence.readings import ReadPassage
from readmark.models.evidence.word_features import Nearness

_BY_SENTENCE = (
    *("same", "family", "vector", "threshold", "before", "after", "heard", "phrase", "near"),
    *("only", "same, rare", "vector, rare", "same, here", "heard, pronoun", "lead", "characters"),
)
_BY_WORD = (*("spread", "rarity", "here", "name", "number", "focus", "topic", "place", "share"),)
MATCHES = (*_BY_SENTENCE, *_BY_WORD)


def match_rows(passage: ReadPassage, asked: Asked, found: Matching, near: Nearness) -> Floats:
    """An array (content words, sentences, features)."""
    count = len(passage.starts)
    chosen = asked.chosen
    rarity, here, spread = asked.figures[chosen, 0], found.here, found.spread
    same, vector, heard = found.in_same, found.in_vector, found.heard
    phrase = found.pairs[chosen]
    phrase[chosen > 0, 1:] += found.pairs[chosen[chosen > 0] - 1, :-1]
    near5 = np.repeat(near.near5, asked.sizes, axis=0)
    lengths = np.diff(asked.starts, append=len(asked.keys))
    by_sentence = (
        same,
        found.in_family,
        vector,
        found.in_threshold,
        found.before,
        found.after,
        heard,
        np.maximum.reduceat(phrase, passage.starts, axis=1),
        np.maximum.reduceat(found.family * near5, passage.starts, axis=1),
        same * (spread == 1)[:, None],
        same * rarity[:, None],
        found.in_threshold * rarity[:, None],
        same * here[:, None],
        heard * passage.shape[:, 0],
        vector - _elsewhere(vector),
        found.in_runs,
    )
    by_word = (
        spread / count,
        rarity,
        here,
        asked.capitals[chosen],
        asked.figures[chosen, 2],
        asked.focus[chosen],
        found.topic,
        (chosen - asked.per_chosen(asked.starts))
        / asked.per_chosen(np.maximum(1.0, lengths - 1.0)),
        asked.per_chosen(1 / asked.sizes),
    )
    rows = np.empty((len(MATCHES), len(chosen), count), np.float32)
    for at, values in enumerate(by_sentence):
        rows[at] = values
    for at, words in enumerate(by_word, len(by_sentence)):
        rows[at] = words[:, None]
    return rows.transpose(1, 2, 0)


def _elsewhere(rows: Floats) -> Floats:
    """The best match in any other sentence."""
    if rows.shape[1] == 1:
        return np.zeros_like(rows)
    parted = np.partition(rows, -2, axis=1)
    first, second = parted[:, -1:], parted[:, -2:-1]
    return np.where(rows >= first, second, first)
