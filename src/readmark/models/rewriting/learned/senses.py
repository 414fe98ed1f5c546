"""How rare the words of a phrase are, and how near two texts are in meaning: the word tables."""

from __future__ import annotations

import functools

import numpy as np

from readmark.models.evidence.lexicon import ROW, Floats, lexicon, words_in


@functools.lru_cache(maxsize=50_000)
def sense(text: str, language: str) -> tuple[float, Floats]:
    """The rarity of a text's rarest word, 0 to 1, and the mean vector of its content words."""
    known = lexicon(language)
    rows = [known.entry(word.lower()) for word, _ in words_in(text, language)]
    figures = known.figures[rows]
    content = figures[:, 1] == 0
    if not content.any():
        return 0.0, np.zeros(known.vectors.shape[1], np.float32)
    vectors = known.vectors[known.numbers[rows, ROW]][content]
    weights = figures[content, 0]
    whole = (vectors * weights[:, None]).sum(axis=0)
    size = float(np.linalg.norm(whole))
    return float(weights.max()), whole / size if size else whole
