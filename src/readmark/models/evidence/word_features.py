"""Features of the words that may be the answer: fit, spelling, and nearness to matched words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from readmark.models.evidence.lexicon import Floats, Ints
from readmark.models.evidence.matching import LEVELS, WEIGHTS, Matching
from readmark.models.evidence.questions import TYPES
from readmark.models.evidence.readings import ReadPassage, ReadQuestion

WORDS = (
    *("fits", "behind", "capital", "begins", "quantity", "time", "cause", "place", "number"),
    *("rarity", "near2", "near5", "near12", "left", "right", "focus", "by_focus", "recall", "end"),
    *(f"{name}?" for name in TYPES),
)
_NEW = WEIGHTS.index("new")
_VECTOR = LEVELS.index("vector")
_TYPES = len(WORDS) - len(TYPES)


class Nearness(NamedTuple):
    """What the question's words weigh at each word of the passage, and around it."""

    mass: Floats
    near2: Floats
    near5: Floats
    near12: Floats


def nearness(passage: ReadPassage, question: ReadQuestion, found: Matching) -> Nearness:
    """The mass of matched words within 2, 5 and 12 words, inside the sentence."""
    new = found.weights[_NEW]
    mass = (found.vector * new[:, None]).max(0) / max(1e-6, float(new.sum()))
    so_far = np.zeros(len(mass) + 1, np.float32)
    np.cumsum(mass, out=so_far[1:])
    places = np.arange(len(mass))
    around = [
        so_far[np.minimum(places + wide + 1, passage.high)]
        - so_far[np.maximum(places - wide, passage.low)]
        for wide in (2, 5, 12)
    ]
    return Nearness(mass, *around)


def answerable(passage: ReadPassage, found: Matching) -> NDArray[np.bool_]:
    """The words that may be the answer: words with content that the question does not have."""
    mask: NDArray[np.bool_] = (
        (found.unasked > 0) & (passage.figures[:, 1] == 0) & (passage.keys >= 0)
    )
    return mask


def word_rows(
    passage: ReadPassage,
    question: ReadQuestion,
    found: Matching,
    near: Nearness,
    fits: Floats,
    may_answer: NDArray[np.bool_],
) -> tuple[Floats, Ints]:
    """A row for each word that may be the answer, and for the end of each sentence."""
    kept = np.flatnonzero(may_answer | (passage.keys < 0))
    ends = passage.keys[kept] < 0
    rows = np.zeros((len(kept), len(WORDS)), np.float32)
    masked = np.where(ends, np.float32(-6.0), fits[kept])
    last = len(fits) - 1
    left, right = np.maximum(kept - 1, 0), np.minimum(kept + 1, last)
    rows[:, 0] = masked / 3
    rows[:, 1] = (masked - masked.max()) / 3
    capitals = passage.capitals[kept]
    rows[:, 2] = capitals > 0.9
    rows[:, 3] = capitals == 0.5
    figures = passage.figures[kept]
    rows[:, 4:8] = figures[:, 3:]
    rows[:, 8] = figures[:, 2]
    rows[:, 9] = figures[:, 0]
    rows[:, 10], rows[:, 11], rows[:, 12] = near.near2[kept], near.near5[kept], near.near12[kept]
    rows[:, 13], rows[:, 14] = near.mass[left], near.mass[right]
    wanted = question.focus[question.chosen]
    if wanted.any():
        direction = wanted @ question.vectors[question.chosen]
        direction /= np.linalg.norm(direction) + 1e-6
        rows[:, 15] = passage.vectors[kept] @ direction
        by_focus = (found.same * wanted[:, None]).max(0)
        rows[:, 16] = np.maximum(by_focus[left], by_focus[right])
    rows[:, 17] = found.recall[_VECTOR, _NEW][passage.sentence_of[kept]]
    rows[:, 18] = ends
    rows[:, _TYPES + question.type] = 1.0
    return rows, kept
