"""The network that ranks sentences: two pools of small units and one hidden layer over them.

Each content word of the question gives ``units`` activations a sentence, which are summed; each
word that may be the answer gives as many, of which the largest counts; these stand beside the
sentence's own features. The loss is listwise: minus the log of the gold sentences' probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from readmark.comprehension.evidence.features import Features
from readmark.stats.networks import Floats, Ints, Weights

POOL_SCALE = 0.25


@dataclass(frozen=True, slots=True)
class Batch:
    """The features of several questions one after another, with where each part begins."""

    sentences: Floats
    matches: Floats
    words: Floats
    match_counts: Ints
    word_starts: Ints
    question_starts: Ints
    sizes: Ints


def batch(items: Sequence[Features]) -> Batch:
    """Questions side by side; the match rows of a sentence stand together."""
    sizes = np.array([len(item.sentences) for item in items])
    counts = np.array([len(item.matches) for item in items])
    lengths = np.array([len(item.words) for item in items])
    before = np.repeat(np.concatenate([[0], np.cumsum(lengths)[:-1]]), sizes)
    matches = [item.matches.transpose(1, 0, 2).reshape(-1, item.matches.shape[2]) for item in items]
    return Batch(
        sentences=np.concatenate([item.sentences for item in items]).astype(np.float32),
        matches=np.concatenate(matches).astype(np.float32),
        words=np.concatenate([item.words for item in items]).astype(np.float32),
        match_counts=np.repeat(counts, sizes),
        word_starts=np.concatenate([item.word_starts for item in items]) + before,
        question_starts=np.concatenate([[0], np.cumsum(sizes)[:-1]]),
        sizes=sizes,
    )


@dataclass
class Network:
    """Weights on standardised features, and what a forward pass leaves for the backward one."""

    weights: Weights
    seen: dict[str, Any] = field(default_factory=dict)

    def forward(self, data: Batch, keep: Floats | None = None) -> Floats:
        """A score a sentence; ``keep`` masks inputs of the hidden layer (dropout)."""
        w = self.weights
        starts = np.concatenate([[0], np.cumsum(data.match_counts)[:-1]])
        matched = np.maximum(data.matches @ w["match"] + w["match_bias"], 0.0)
        summed = np.add.reduceat(matched, starts, axis=0) * POOL_SCALE
        worded = np.maximum(data.words @ w["word"] + w["word_bias"], 0.0)
        largest = np.maximum.reduceat(worded, data.word_starts, axis=0)
        inputs = np.hstack([data.sentences, summed, largest])
        if keep is not None:
            inputs *= keep
        hidden = np.maximum(inputs @ w["hidden"] + w["hidden_bias"], 0.0)
        self.seen = {
            "matched": matched,
            "worded": worded,
            "largest": largest,
            "inputs": inputs,
            "hidden": hidden,
            "keep": keep,
        }
        scores: Floats = (hidden @ w["out"]).ravel()
        return scores

    def backward(self, data: Batch, error: Floats) -> Weights:
        """The gradient of the weights for the error at each score."""
        w, seen = self.weights, self.seen
        hidden, inputs = seen["hidden"], seen["inputs"]
        at_hidden = (error[:, None] * w["out"].T) * (hidden > 0)
        at_inputs = at_hidden @ w["hidden"].T
        if seen["keep"] is not None:
            at_inputs *= seen["keep"]
        width, units = data.sentences.shape[1], w["match"].shape[1]
        at_summed = at_inputs[:, width : width + units] * POOL_SCALE
        at_matched = np.repeat(at_summed, data.match_counts, axis=0) * (seen["matched"] > 0)
        lengths = np.diff(np.append(data.word_starts, len(data.words)))
        worded = seen["worded"]
        won = (worded > 0) & (worded == np.repeat(seen["largest"], lengths, axis=0))
        at_worded = np.repeat(at_inputs[:, width + units :], lengths, axis=0) * won
        return {
            "out": hidden.T @ error[:, None],
            "hidden": inputs.T @ at_hidden,
            "hidden_bias": at_hidden.sum(0),
            "match": data.matches.T @ at_matched,
            "match_bias": at_matched.sum(0),
            "word": data.words.T @ at_worded,
            "word_bias": at_worded.sum(0),
        }


def initial(widths: tuple[int, int, int], units: int, hidden: int, seed: int) -> Weights:
    """Random weights for features of these widths."""
    draw = np.random.Generator(np.random.PCG64(seed))
    sentences, matches, words = widths

    def normal(rows: int, columns: int) -> Floats:
        drawn: Floats = (draw.standard_normal((rows, columns)) / np.sqrt(rows)).astype(np.float32)
        return drawn

    return {
        "match": normal(matches, units),
        "match_bias": np.zeros(units, np.float32),
        "word": normal(words, units),
        "word_bias": np.zeros(units, np.float32),
        "hidden": normal(sentences + 2 * units, hidden),
        "hidden_bias": np.zeros(hidden, np.float32),
        "out": normal(hidden, 1),
    }
