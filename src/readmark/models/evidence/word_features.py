"""Features of the words that may be the answer: fit, spelling, and nearness to matched words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from readmark.models.evidence.asked import Asked
from readmark.models.evidence.lexicon import Floats, Ints
from readmark.models.evidence.matching import LEVELS, WEIGHTS, Matching
from readmark.models.evidence.questions import TYPES
from readmark.models.evidence.readings import ReadPassage

WORDS = (
    *("fits", "behind", "capital", "begins", "quantity", "time", "cause", "place", "number"),
    *("rarity", "near2", "near5", "near12", "left", "right", "focus", "by_focus", "recall", "end"),
    *(f"{name}?" for name in TYPES),
)
_NEW = WEIGHTS.index("new")
_VECTOR = LEVELS.index("vector")
_TYPES = len(WORDS) - len(TYPES)


class Nearness(NamedTuple):
    """What each question's words weigh at each word of the passage, and around it."""

    mass: Floats
    near2: Floats
    near5: Floats
    near12: Floats


def nearness(passage: ReadPassage, asked: Asked, found: Matching) -> Nearness:
    """The mass of matched words within 2, 5 and 12 words, inside the sentence."""
    new = found.weights[_NEW]
    totals = np.maximum(1e-6, np.add.reduceat(new, asked.chosen_starts))
    mass = np.maximum.reduceat(found.vector * new[:, None], asked.chosen_starts, axis=0)
    mass /= totals[:, None]
    many, length = mass.shape
    so_far = np.zeros((many, length + 1), np.float32)
    np.cumsum(mass, axis=1, out=so_far[:, 1:])
    places = np.arange(length)
    around = [
        so_far[:, np.minimum(places + wide + 1, passage.high)]
        - so_far[:, np.maximum(places - wide, passage.low)]
        for wide in (2, 5, 12)
    ]
    return Nearness(mass, *around)


def answerable(passage: ReadPassage, found: Matching) -> NDArray[np.bool_]:
    """The words that may be the answer: words with content that a question does not have."""
    mask: NDArray[np.bool_] = (
        (found.unasked > 0) & (passage.figures[:, 1] == 0) & (passage.keys >= 0)
    )
    return mask


def word_rows(
    passage: ReadPassage,
    asked: Asked,
    found: Matching,
    near: Nearness,
    fits: Floats,
    may_answer: NDArray[np.bool_],
) -> tuple[Floats, Ints, Ints]:
    """A row for each word that may be the answer, and for the end of each sentence.

    Rows stand question by question; which one's and which word's each is comes with them.
    """
    of, kept = np.nonzero(may_answer | (passage.keys < 0))
    ends = passage.keys[kept] < 0
    rows = np.zeros((len(kept), len(WORDS)), np.float32)
    masked = np.where(ends, np.float32(-6.0), fits[of, kept])
    begins = np.searchsorted(of, np.arange(len(asked.questions)))
    last = fits.shape[1] - 1
    left, right = np.maximum(kept - 1, 0), np.minimum(kept + 1, last)
    rows[:, 0] = masked / 3
    rows[:, 1] = (masked - np.maximum.reduceat(masked, begins)[of]) / 3
    capitals = passage.capitals[kept]
    rows[:, 2] = capitals > 0.9
    rows[:, 3] = capitals == 0.5
    figures = passage.figures[kept]
    rows[:, 4:8] = figures[:, 3:]
    rows[:, 8] = figures[:, 2]
    rows[:, 9] = figures[:, 0]
    rows[:, 10] = near.near2[of, kept]
    rows[:, 11] = near.near5[of, kept]
    rows[:, 12] = near.near12[of, kept]
    rows[:, 13], rows[:, 14] = near.mass[of, left], near.mass[of, right]
    wanted = asked.focus[asked.chosen]
    if wanted.any():
        direction = asked.in_blocks(wanted[None])[:, 0] @ asked.vectors[asked.chosen]
        direction /= np.linalg.norm(direction, axis=1, keepdims=True) + 1e-6
        rows[:, 15] = (direction @ passage.vectors.T)[of, kept]
        by_focus = np.maximum.reduceat(found.same * wanted[:, None], asked.chosen_starts, axis=0)
        rows[:, 16] = np.maximum(by_focus[of, left], by_focus[of, right])
    rows[:, 17] = found.recall[:, _VECTOR, _NEW][of, passage.sentence_of[kept]]
    rows[:, 18] = ends
    rows[np.arange(len(kept)), _TYPES + asked.types[of]] = 1.0
    return rows, of, kept
