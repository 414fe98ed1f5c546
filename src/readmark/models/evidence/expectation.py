"""Which words look like an answer to such a question: a bilinear form, one a language.

The question side is its type, its question words and the noun it asks for; the word's side is its
own vector and its neighbours', with what its spelling tells.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.models.evidence.lexicon import COLUMNS, Floats
from readmark.models.evidence.questions import TYPES
from readmark.models.evidence.readings import ReadPassage, ReadQuestion

ASKING = {
    "en": (
        *("who", "whom", "whose", "what", "which", "when", "where", "why", "how"),
        *("many", "much", "long", "name", "year", "kind", "type"),
    ),
    "zh": (
        *("谁", "什么", "哪", "何时", "哪里", "为什么", "如何", "怎么", "多少", "几"),
        *("哪些", "哪个", "名字", "年", "时候", "原因"),
    ),
}
"""Words whose presence in a question is a feature of its own; as many a language."""

WIDTH = 64
"""How many of the weightiest dimensions of a word's vector are looked at."""

_FLAGS = len(COLUMNS) + 3
# The part of a unit vector that these dimensions hold is shorter.
_SCALE = 1.2
QUESTION_SIDE = len(TYPES) + 16 + 2 * WIDTH + 1
WORD_SIDE = 3 * (WIDTH + _FLAGS)


def question_side(question: ReadQuestion) -> Floats:
    """The question as a vector."""
    side = np.zeros(QUESTION_SIDE, np.float32)
    side[question.type] = 1.0
    said = set(question.words) if question.language == "en" else " ".join(question.words)
    at = len(TYPES)
    for place, word in enumerate(ASKING[question.language]):
        side[at + place] = word in said
    at += 16
    content = 1.0 - question.figures[:, 1]
    side[at : at + WIDTH] = _unit((question.focus * content) @ question.vectors[:, :WIDTH])
    rarity = question.content * question.figures[:, 0]
    side[at + WIDTH : at + 2 * WIDTH] = 0.5 * _unit(rarity @ question.vectors[:, :WIDTH])
    side[-1] = 1.0
    return side


def word_side(passage: ReadPassage) -> Floats:
    """Every word of a passage as a vector: itself, the word before, the word after."""
    own = np.hstack([_SCALE * passage.vectors[:, :WIDTH], passage.flags])
    before, after = np.zeros_like(own), np.zeros_like(own)
    before[1:], after[:-1] = own[:-1], own[1:]
    return np.hstack([own, 0.7 * before, 0.7 * after])


def expectation(passage: ReadPassage, questions: Sequence[ReadQuestion], weights: Floats) -> Floats:
    """How well each word fits what each question asks for; ``word_side`` without its cost."""
    sides = np.stack([question_side(one) for one in questions])
    wanted = (sides @ weights).reshape(3 * len(questions), -1).T
    fits = passage.vectors[:, :WIDTH] @ (_SCALE * wanted[:WIDTH]) + passage.flags @ wanted[WIDTH:]
    own, before, after = fits.T.reshape(len(questions), 3, -1).swapaxes(0, 1)
    total: Floats = own.copy()
    total[:, 1:] += 0.7 * before[:, :-1]
    total[:, :-1] += 0.7 * after[:, 1:]
    return total


def _unit(vector: Floats) -> Floats:
    found: Floats = vector / (np.linalg.norm(vector) + 1e-6)
    return found
