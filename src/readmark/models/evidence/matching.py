"""How the words of a question meet the words of a passage, sentence by sentence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from readmark.models.evidence.lexicon import Floats
from readmark.models.evidence.readings import ReadPassage, ReadQuestion

LEVELS = ("same", "family", "vector", "threshold")
"""Equal keys, equal beginnings, the nearest vector, and the part of it above a threshold."""

WEIGHTS = ("all", "rare", "here", "names", "numbers", "plain", "focus", "new", "other")
"""What the content words of the question may weigh: ``here`` is rarity within the passage,
``new`` leaves out what the passage is about, ``other`` leaves out the noun that is asked for."""

_COSINE = 0.3
_FAMILY = 0.8
_NEAR_VECTOR = 0.95


class Matching(NamedTuple):
    """Matrices with a row a content word of the question, and a column a word or a sentence.

    ``pairs`` has a row for every word of the question: two in a row that stand so in the passage.
    """

    same: Floats
    family: Floats
    vector: Floats
    pairs: Floats
    in_same: Floats
    in_family: Floats
    in_vector: Floats
    in_threshold: Floats
    before: Floats
    after: Floats
    heard: Floats
    spread: Floats
    here: Floats
    topic: Floats
    weights: Floats
    shares: Floats
    recall: Floats
    unasked: Floats
    function: Floats
    """The share of the question's function words that each sentence has."""
    runs: Floats
    in_runs: Floats


def match(passage: ReadPassage, question: ReadQuestion) -> Matching:
    """Match every word of a question with every word of a passage."""
    starts, count, chosen = passage.starts, len(passage.starts), question.chosen
    equal = question.keys[:, None] == passage.keys
    same = equal[chosen].astype(np.float32)
    family = (question.families[chosen, None] == passage.families).astype(np.float32)
    family *= _FAMILY
    np.maximum(family, same, out=family)
    vector = question.vectors[chosen] @ passage.vectors.T
    vector *= _NEAR_VECTOR * (1.0 - passage.figures[:, 1])
    np.maximum(vector, same, out=vector)
    levels = np.empty((len(LEVELS), len(chosen), count), np.float32)
    in_same, in_family, in_vector, in_threshold = levels
    np.maximum.reduceat(same, starts, axis=1, out=in_same)
    np.maximum.reduceat(family, starts, axis=1, out=in_family)
    np.maximum.reduceat(vector, starts, axis=1, out=in_vector)
    np.maximum((in_vector - _COSINE) / (1 - _COSINE), 0.0, out=in_threshold)
    before, after = np.zeros_like(in_family), np.zeros_like(in_family)
    before[:, 1:], after[:, :-1] = in_family[:, :-1], in_family[:, 1:]
    spread = in_same.sum(1)
    here = np.maximum(np.log((count + 1) / (spread + 0.5)), 0.0).astype(np.float32)
    topic = (question.keys[chosen, None] == passage.topic).any(1).astype(np.float32)
    weights = _weights(question, here, topic)
    shares = weights / np.maximum(weights.sum(1, keepdims=True), 1e-6)
    # Which runs of characters of the question each sentence holds; the last row is empty.
    runs = passage.runs[[passage.run_rows.get(code, -1) for code in question.grams]]
    pairs = np.zeros(equal.shape, np.float32)
    pairs[:-1, :-1] = equal[:-1, :-1] & equal[1:, 1:]
    plain = np.logical_or.reduceat(equal[question.unchosen], starts, axis=1)
    return Matching(
        same=same,
        family=family,
        vector=vector,
        pairs=pairs,
        in_same=in_same,
        in_family=in_family,
        in_vector=in_vector,
        in_threshold=in_threshold,
        before=before,
        after=after,
        heard=np.maximum.accumulate(before, axis=1),
        spread=spread,
        here=here,
        topic=topic,
        weights=weights,
        shares=shares,
        recall=shares @ levels,
        unasked=1.0 - equal.any(0),
        function=plain.sum(0) / max(1, len(plain)),
        runs=runs,
        in_runs=np.maximum(question.spelling[chosen] @ runs, in_same),
    )


def _weights(question: ReadQuestion, here: Floats, topic: Floats) -> Floats:
    chosen = question.chosen
    rare, number = question.figures[chosen, 0], question.figures[chosen, 2]
    focus, capitals = question.focus[chosen], question.capitals[chosen]
    rare_here = rare * here
    known = 0.3 * rare + rare_here
    weights = np.empty((len(WEIGHTS), len(chosen)), np.float32)
    weights[0] = 1.0
    weights[1] = rare
    weights[2] = rare_here
    weights[3] = capitals
    weights[4] = number
    weights[5] = rare_here * ((capitals == 0) & (number == 0))
    weights[6] = focus
    weights[7] = known * (1.0 - 0.9 * topic)
    weights[8] = known * (1.0 - 0.9 * focus)
    return weights
