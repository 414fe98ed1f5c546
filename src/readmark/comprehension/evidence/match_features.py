"""Features of each content word of a question in each sentence: how it is met, here and around."""

from __future__ import annotations

import numpy as np

from readmark.comprehension.evidence.matches import Matching, NearbyMatches, best_elsewhere
from readmark.comprehension.evidence.question_batch import QuestionBatch
from readmark.comprehension.evidence.readings import NUMBER, RARITY, ReadPassage
from readmark.core.arrays import AnyFloats

# Trained models name their features: neither names nor order may change.
MATCHES = (
    "same",
    "family",
    "vector",
    "threshold",
    "before",
    "after",
    "heard",
    "phrase",
    "near",
    "only",
    "same, rare",
    "vector, rare",
    "same, here",
    "heard, pronoun",
    "lead",
    "characters",
    "spread",
    "rarity",
    "here",
    "name",
    "number",
    "focus",
    "topic",
    "place",
    "share",
)


def match_rows(
    passage: ReadPassage, batch: QuestionBatch, matching: Matching, near: NearbyMatches
) -> AnyFloats:
    """An array (content words, sentences, features)."""
    count = len(passage.starts)
    content = batch.content
    rarity, here, spread = batch.figures[content, RARITY], matching.here, matching.spread
    same, vector, earlier = matching.in_same, matching.in_vector, matching.earlier
    # A word is in a phrase with the next one, or with the one before.
    phrase = matching.pairs[content]
    phrase[content > 0, 1:] += matching.pairs[content[content > 0] - 1, :-1]
    near5 = np.repeat(near.near5, batch.content_counts, axis=0)
    question_lengths = np.diff(batch.starts, append=len(batch.keys))
    features = {
        "same": same,
        "family": matching.in_family,
        "vector": vector,
        "threshold": matching.in_threshold,
        "before": matching.before,
        "after": matching.after,
        "heard": earlier,
        "phrase": np.maximum.reduceat(phrase, passage.starts, axis=1),
        "near": np.maximum.reduceat(matching.family * near5, passage.starts, axis=1),
        "only": same * (spread == 1)[:, None],
        "same, rare": same * rarity[:, None],
        "vector, rare": matching.in_threshold * rarity[:, None],
        "same, here": same * here[:, None],
        "heard, pronoun": earlier * passage.shape[:, 0],
        "lead": vector - best_elsewhere(vector),
        "characters": matching.in_runs,
    }
    features_of_words = {
        "spread": spread / count,
        "rarity": rarity,
        "here": here,
        "name": batch.names[content],
        "number": batch.figures[content, NUMBER],
        "focus": batch.focus[content],
        "topic": matching.topic,
        "place": (content - batch.per_content_word(batch.starts))
        / batch.per_content_word(np.maximum(1.0, question_lengths - 1.0)),
        "share": batch.per_content_word(1 / batch.content_counts),
    }
    rows = np.empty((len(MATCHES), len(content), count), np.float32)
    for name, values in features.items():
        rows[MATCHES.index(name)] = values
    for name, values in features_of_words.items():
        rows[MATCHES.index(name)] = values[:, None]
    return rows.transpose(1, 2, 0)
