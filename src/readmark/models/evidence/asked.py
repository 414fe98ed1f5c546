"""Several questions on one passage side by side: each step is taken once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.models.evidence.lexicon import Floats, Ints
from readmark.models.evidence.readings import ReadQuestion


@dataclass(frozen=True, slots=True)
class Asked:
    """The words of the questions, one question after another; a row of a block is a question.

    ``chosen`` and ``unchosen`` are places among all words, ``starts`` where each question begins
    among them and ``chosen_starts`` where it does among the chosen ones, of which each has one.
    """

    questions: Sequence[ReadQuestion]
    keys: Ints
    families: Ints
    figures: Floats
    capitals: Floats
    vectors: Floats
    focus: Floats
    chosen: Ints
    unchosen: Ints
    starts: Ints
    chosen_starts: Ints
    sizes: Ints
    """How many chosen words each question has."""
    types: Ints
    plain: Floats
    """A row a question: the share of each of its unchosen words."""

    def per_chosen(self, of_questions: Floats | Ints) -> Floats:
        """What is said of each question, for each of its chosen words."""
        said: Floats = np.repeat(of_questions, self.sizes)
        return said

    def in_blocks(self, rows: Floats) -> Floats:
        """Figures of the chosen words, a row each, as a block a question, zero at the others'."""
        kinds, words = rows.shape
        blocks = np.zeros((len(self.questions), kinds, words), np.float32)
        for at, (start, size) in enumerate(
            zip(self.chosen_starts.tolist(), self.sizes.tolist(), strict=True)
        ):
            blocks[at, :, start : start + size] = rows[:, start : start + size]
        return blocks


def asked(questions: Sequence[ReadQuestion]) -> Asked:
    """Put questions side by side."""
    lengths = np.array([len(one.words) for one in questions])
    starts = np.cumsum(lengths) - lengths
    sizes = np.array([len(one.chosen) for one in questions])
    others = [len(one.unchosen) for one in questions]
    plain = np.zeros((len(questions), sum(others)), np.float32)
    at = 0
    for row, many in enumerate(others):
        plain[row, at : at + many] = 1.0 / max(1, many)
        at += many
    return Asked(
        questions=questions,
        keys=np.concatenate([one.keys for one in questions]),
        families=np.concatenate([one.families for one in questions]),
        figures=np.concatenate([one.figures for one in questions]),
        capitals=np.concatenate([one.capitals for one in questions]),
        vectors=np.concatenate([one.vectors for one in questions]),
        focus=np.concatenate([one.focus for one in questions]),
        chosen=np.concatenate(
            [one.chosen + start for one, start in zip(questions, starts, strict=True)]
        ),
        unchosen=np.concatenate(
            [one.unchosen + start for one, start in zip(questions, starts, strict=True)]
        ),
        starts=starts,
        chosen_starts=np.cumsum(sizes) - sizes,
        sizes=sizes,
        types=np.array([one.type for one in questions]),
        plain=plain,
    )
