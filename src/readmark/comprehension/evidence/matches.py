"""How the words of a question meet the words of a passage, sentence by sentence."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from readmark.comprehension.evidence.readings import QuestionBatch, ReadPassage
from readmark.core.arrays import AnyFloats

LEVELS = ("same", "family", "vector", "threshold")
"""Equal keys, equal beginnings, the nearest vector, and the part of it above a threshold."""

WEIGHTS = ("all", "rare", "here", "names", "numbers", "plain", "focus", "new", "other")
"""What the content words of the question may weigh: ``here`` is rarity within the passage,
``new`` leaves out what the passage is about, ``other`` leaves out the noun that is asked for."""

_COSINE = 0.3
_FAMILY = 0.8
_NEAR_VECTOR = 0.95


class Matching(NamedTuple):
    """Matrices with one row per content word of a question, and one column per word or sentence.

    ``pairs`` has a row for every word of the questions: two in a row that are so in the passage.
    ``shares`` and ``recall`` have one block per question, ``unasked``, ``function``, ``characters``
    one row per question.
    """

    same: AnyFloats
    family: AnyFloats
    vector: AnyFloats
    pairs: AnyFloats
    in_same: AnyFloats
    in_family: AnyFloats
    in_vector: AnyFloats
    in_threshold: AnyFloats
    before: AnyFloats
    after: AnyFloats
    heard: AnyFloats
    spread: AnyFloats
    here: AnyFloats
    topic: AnyFloats
    weights: AnyFloats
    shares: AnyFloats
    recall: AnyFloats
    unasked: AnyFloats
    function: AnyFloats
    """The share of the question's function words that each sentence has."""
    characters: AnyFloats
    """The share of the question's runs of characters that each sentence has, rare ones first."""
    in_runs: AnyFloats


def match(passage: ReadPassage, asked: QuestionBatch) -> Matching:
    """Match every word of the questions with every word of a passage."""
    starts, count, chosen = passage.starts, len(passage.starts), asked.chosen
    equal = asked.keys[:, None] == passage.keys
    same = equal[chosen].astype(np.float32)
    family = (asked.families[chosen, None] == passage.families).astype(np.float32)
    family *= _FAMILY
    np.maximum(family, same, out=family)
    vector = asked.vectors[chosen] @ passage.vectors.T
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
    topic = (asked.keys[chosen, None] == passage.topic).any(1).astype(np.float32)
    weights = _weights(asked, here, topic)
    totals = np.add.reduceat(weights, asked.chosen_starts, axis=1)
    shares = asked.in_blocks(weights / np.repeat(np.maximum(totals, 1e-6), asked.sizes, axis=1))
    pairs = np.zeros(equal.shape, np.float32)
    pairs[:-1, :-1] = equal[:-1, :-1] & equal[1:, 1:]
    pairs[asked.starts[1:] - 1] = 0.0  # the last word of one question and the first of the next
    plain = np.logical_or.reduceat(equal[asked.unchosen], starts, axis=1)
    characters, in_runs = _characters(passage, asked)
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
        recall=np.matmul(shares[:, None], levels),
        unasked=1.0 - np.logical_or.reduceat(equal, asked.starts, axis=0),
        function=asked.plain @ plain,
        characters=characters,
        in_runs=np.maximum(in_runs, in_same),
    )


def _characters(passage: ReadPassage, asked: QuestionBatch) -> tuple[AnyFloats, AnyFloats]:
    """The runs of characters that sentences share with a question, and with each content word."""
    count = len(passage.starts)
    shared = np.zeros((len(asked.questions), count), np.float32)
    by_word = np.zeros((len(asked.chosen), count), np.float32)
    # Which runs of characters of the questions each sentence holds; the last row is empty.
    rows = [
        passage.run_rows.get(code, -1) for question in asked.questions for code in question.grams
    ]
    runs = passage.runs[rows]
    holding = runs.sum(1)
    rarity = np.where(
        holding > 0, np.log((count + 1) / np.maximum(holding, 1)), 0.5 * math.log(count + 1)
    )
    to = first = 0
    for index, question in enumerate(asked.questions):
        begin, to = to, to + len(question.grams)
        last = first + len(question.chosen)
        weight, own = rarity[begin:to], runs[begin:to]
        shared[index] = (weight @ own) / max(1e-6, float(weight.sum()))
        by_word[first:last] = question.spelling[question.chosen] @ own
        first = last
    return shared, by_word


def _weights(asked: QuestionBatch, here: AnyFloats, topic: AnyFloats) -> AnyFloats:
    chosen = asked.chosen
    rare, number = asked.figures[chosen, 0], asked.figures[chosen, 2]
    focus, capitals = asked.focus[chosen], asked.capitals[chosen]
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
