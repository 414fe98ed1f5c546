"""How the words of questions meet the words of a passage, word by word and by sentence."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from readmark.comprehension.evidence.question_batch import QuestionBatch
from readmark.comprehension.evidence.readings import (
    FUNCTION_WORD,
    NUMBER,
    RARITY,
    ReadPassage,
)
from readmark.core.arrays import AnyFloats

LEVELS = ("same", "family", "vector", "threshold")
"""Equal keys, equal beginnings, the nearest vector, and the part of it above a threshold."""

WEIGHTS = ("all", "rare", "here", "names", "numbers", "plain", "focus", "new", "other")
"""What the content words of the question may weigh: ``here`` is rarity within the passage,
``new`` leaves out what the passage is about, ``other`` leaves out the noun that is asked for."""

# The trained weights were fitted to features with these values.
_FAMILY = 0.8  # what an equal beginning counts for
_NEAR_VECTOR = 0.95  # what equal vectors of different words count for
_THRESHOLD = 0.3  # of vectors: what is nearer than this may mean something


class Matching(NamedTuple):
    """How the words of the questions match a passage.

    Members have one row per content word of the questions, unless their own text says otherwise.
    """

    same: AnyFloats
    """By word of the passage, as are ``family`` and ``vector``."""
    family: AnyFloats
    vector: AnyFloats
    pairs: AnyFloats
    """A row for every word of the questions: whether it and the next are neighbours there too."""
    in_same: AnyFloats
    """By sentence, as is all that follows: the best match of the word in it."""
    in_family: AnyFloats
    in_vector: AnyFloats
    in_threshold: AnyFloats
    before: AnyFloats
    """``in_family`` of the sentence before."""
    after: AnyFloats
    earlier: AnyFloats
    """The best ``in_family`` of all sentences before."""
    spread: AnyFloats
    """In how many sentences the word is."""
    here: AnyFloats
    """How rare the word is within the passage."""
    topic: AnyFloats
    """Whether the passage is about it."""
    weights: AnyFloats
    """One row per kind of weight, one column per content word."""
    shares: AnyFloats
    """A block per question with such rows, scaled to sum up to 1."""
    recall: AnyFloats
    """A block per question: level by weight by sentence."""
    unasked: AnyFloats
    """One row per question: which words of the passage do not occur in it."""
    function: AnyFloats
    """One row per question: the share of its function words that each sentence has."""
    characters: AnyFloats
    """One row per question: the share of its runs of characters, of which rare ones weigh more."""
    in_runs: AnyFloats
    """The share of the word's runs of characters that each sentence has."""


def match(passage: ReadPassage, batch: QuestionBatch) -> Matching:
    """Match every word of the questions with every word of a passage."""
    starts, count, content = passage.starts, len(passage.starts), batch.content
    equal = batch.keys[:, None] == passage.keys
    same = equal[content].astype(np.float32)
    family = (batch.families[content, None] == passage.families).astype(np.float32)
    family *= _FAMILY
    np.maximum(family, same, out=family)
    vector = batch.vectors[content] @ passage.vectors.T
    vector *= _NEAR_VECTOR * (1.0 - passage.figures[:, FUNCTION_WORD])
    np.maximum(vector, same, out=vector)
    levels = np.empty((len(LEVELS), len(content), count), np.float32)
    in_same, in_family, in_vector, in_threshold = levels
    np.maximum.reduceat(same, starts, axis=1, out=in_same)
    np.maximum.reduceat(family, starts, axis=1, out=in_family)
    np.maximum.reduceat(vector, starts, axis=1, out=in_vector)
    np.maximum((in_vector - _THRESHOLD) / (1 - _THRESHOLD), 0.0, out=in_threshold)
    before, after = np.zeros_like(in_family), np.zeros_like(in_family)
    before[:, 1:], after[:, :-1] = in_family[:, :-1], in_family[:, 1:]
    spread = in_same.sum(1)
    here = np.maximum(np.log((count + 1) / (spread + 0.5)), 0.0).astype(np.float32)
    topic = (batch.keys[content, None] == passage.topic).any(1).astype(np.float32)
    weights = _weights(batch, here, topic)
    totals = np.add.reduceat(weights, batch.content_starts, axis=1)
    scale = np.repeat(np.maximum(totals, 1e-6), batch.content_counts, axis=1)
    shares = batch.in_blocks(weights / scale)
    pairs = np.zeros(equal.shape, np.float32)
    pairs[:-1, :-1] = equal[:-1, :-1] & equal[1:, 1:]
    pairs[batch.starts[1:] - 1] = 0.0  # the last word of one question and the first of the next
    others = np.logical_or.reduceat(equal[batch.others], starts, axis=1)
    characters, in_runs = _shared_runs(passage, batch)
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
        earlier=np.maximum.accumulate(before, axis=1),
        spread=spread,
        here=here,
        topic=topic,
        weights=weights,
        shares=shares,
        recall=np.matmul(shares[:, None], levels),
        unasked=1.0 - np.logical_or.reduceat(equal, batch.starts, axis=0),
        function=batch.other_shares @ others,
        characters=characters,
        in_runs=np.maximum(in_runs, in_same),
    )


def _weights(batch: QuestionBatch, here: AnyFloats, topic: AnyFloats) -> AnyFloats:
    content = batch.content
    rare, number = batch.figures[content, RARITY], batch.figures[content, NUMBER]
    focus, names = batch.focus[content], batch.names[content]
    rare_here = rare * here
    rarity = 0.3 * rare + rare_here
    weights = np.empty((len(WEIGHTS), len(content)), np.float32)
    weights[WEIGHTS.index("all")] = 1.0
    weights[WEIGHTS.index("rare")] = rare
    weights[WEIGHTS.index("here")] = rare_here
    weights[WEIGHTS.index("names")] = names
    weights[WEIGHTS.index("numbers")] = number
    weights[WEIGHTS.index("plain")] = rare_here * ((names == 0) & (number == 0))
    weights[WEIGHTS.index("focus")] = focus
    weights[WEIGHTS.index("new")] = rarity * (1.0 - 0.9 * topic)
    weights[WEIGHTS.index("other")] = rarity * (1.0 - 0.9 * focus)
    return weights


def _shared_runs(passage: ReadPassage, batch: QuestionBatch) -> tuple[AnyFloats, AnyFloats]:
    """The share of runs that sentences have: of each question's, and of each content word's."""
    count = len(passage.starts)
    of_questions = np.zeros((len(batch.questions), count), np.float32)
    of_words = np.zeros((len(batch.content), count), np.float32)
    rows = [
        passage.run_rows.get(code, -1)  # the last row is empty
        for question in batch.questions
        for code in question.runs
    ]
    in_sentences = passage.run_sentences[rows]
    spread = in_sentences.sum(1)
    rarity = np.where(
        spread > 0, np.log((count + 1) / np.maximum(spread, 1)), 0.5 * math.log(count + 1)
    )
    first_run = first_word = 0
    for index, question in enumerate(batch.questions):
        runs = slice(first_run, first_run + len(question.runs))
        words = slice(first_word, first_word + len(question.content))
        weights = rarity[runs]
        of_questions[index] = (weights @ in_sentences[runs]) / max(1e-6, float(weights.sum()))
        of_words[words] = question.run_shares[question.content] @ in_sentences[runs]
        first_run, first_word = runs.stop, words.stop
    return of_questions, of_words


class NearbyMatches(NamedTuple):
    """What each question's words weigh at each word of the passage, and around it."""

    mass: AnyFloats
    near2: AnyFloats
    near5: AnyFloats
    near12: AnyFloats


def nearby_matches(passage: ReadPassage, batch: QuestionBatch, matching: Matching) -> NearbyMatches:
    """The mass of matched words within 2, 5 and 12 words, inside the sentence."""
    weights = matching.weights[WEIGHTS.index("new")]
    totals = np.maximum(1e-6, np.add.reduceat(weights, batch.content_starts))
    mass = np.maximum.reduceat(matching.vector * weights[:, None], batch.content_starts, axis=0)
    mass /= totals[:, None]
    questions, length = mass.shape
    so_far = np.zeros((questions, length + 1), np.float32)
    np.cumsum(mass, axis=1, out=so_far[:, 1:])
    places = np.arange(length)
    around = [
        so_far[:, np.minimum(places + reach + 1, passage.high)]
        - so_far[:, np.maximum(places - reach, passage.low)]
        for reach in (2, 5, 12)
    ]
    return NearbyMatches(mass, *around)


def best_elsewhere(rows: AnyFloats) -> AnyFloats:
    """For each sentence, by the last axis, the best figure of any other one; 0 without another."""
    if rows.shape[-1] == 1:
        return np.zeros_like(rows)
    # After this the two largest come last, in order.
    partitioned = np.partition(rows, -2, axis=-1)
    second, first = partitioned[..., -2:-1], partitioned[..., -1:]
    return np.where(rows >= first, second, first)
