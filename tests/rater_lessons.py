"""Lessons made of random numbers, whose ratings follow a rule that a fit should find."""

from collections import Counter

import numpy as np

from readmark.readability.raters.fit import Lessons

NAMES = ["depth", "letters", "verbs"]


def lessons(count: int, *, words: bool = False) -> Lessons:
    """Ratings follow the first two features and, with ``words``, two of the lemmas."""
    chance = np.random.default_rng(1)
    values = chance.normal(size=(count, 3))
    bags = tuple(
        Counter(chance.choice(["easy", "hard", "plain", "odd", "word"], 8).tolist())
        for _ in range(count)
    )
    ratings = 3 + 0.4 * values[:, 0] - 0.3 * np.maximum(values[:, 1], 0)
    if words:
        ratings = ratings + np.array([0.1 * (bag["easy"] - bag["hard"]) for bag in bags])
    return Lessons(values, bags, chance.normal(size=(count, 4)), np.zeros((count, 0)), ratings)
