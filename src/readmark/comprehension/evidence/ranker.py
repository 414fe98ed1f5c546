"""The trained ranker of sentences: several small networks, run as one."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from readmark.comprehension.evidence.features import (
    BatchFeatures,
    QuestionFeatures,
    batch_features,
)
from readmark.comprehension.evidence.match_features import MATCHES
from readmark.comprehension.evidence.pooling import Pooling
from readmark.comprehension.evidence.readings import ReadPassage, ReadQuestion
from readmark.comprehension.evidence.sentence_features import SENTENCES
from readmark.comprehension.evidence.word_features import WORDS
from readmark.core.arrays import AnyFloats

Weights = dict[str, AnyFloats]

POOL_SCALE = 0.25
"""What the activations of a question's words are multiplied by when they are summed."""

Scaling = Mapping[str, tuple[AnyFloats, AnyFloats]]
"""The mean and the spread of each feature, by block."""

_REASONS = (*SENTENCES, "words of the question", "likely answer")
_FITS, _NEAR5 = WORDS.index("fits"), WORDS.index("near5")


class Ranking(NamedTuple):
    """The sentences' probabilities, and what spoke most for the best one over the next."""

    probabilities: AnyFloats
    best: int
    reasons: tuple[str, ...]
    likely_word: int | None


@dataclass(frozen=True)
class SentenceRanker:
    """Weights for standardised features; every network has a say of equal weight."""

    fitting: Mapping[str, AnyFloats]
    scaling: Scaling
    networks: Sequence[Weights]
    note: Mapping[str, Any]
    pooling: Mapping[str, Pooling] = field(default_factory=dict)
    """How it is pooled with an encoder, by language."""

    def rank_all(self, passage: ReadPassage, questions: Sequence[ReadQuestion]) -> list[Ranking]:
        """Rank the sentences of a passage for several questions, faster than one by one."""
        features = batch_features(passage, questions, self.fitting[passage.language])
        inputs = self._inputs(features)
        joint = self._joint
        hidden = np.maximum(inputs @ joint["hidden"] + joint["hidden_bias"], 0.0)
        scores = hidden @ joint["out"]
        raised = np.exp(scores - scores.max(1, keepdims=True))
        probabilities = raised / raised.sum(1, keepdims=True)
        return [
            Ranking(
                probabilities=probabilities[index],
                best=best,
                reasons=self._reasons(inputs[index], hidden[index], scores[index], best),
                likely_word=_likely_word(features.of(index), best),
            )
            for index, best in enumerate(np.argmax(scores, axis=1).tolist())
        ]

    def _inputs(self, features: BatchFeatures) -> AnyFloats:
        """What the hidden layer takes of each sentence: its features, and two pools of units.

        The question's words add up; of the words that may be the answer the best one counts.
        """
        joint = self._joint
        questions, count, _ = features.sentences.shape
        rows = features.matches.reshape(-1, len(MATCHES)) @ joint["match"] + joint["match_bias"]
        matches = np.maximum(rows, 0.0).reshape(-1, count, rows.shape[1])
        summed = np.add.reduceat(matches, features.batch.content_starts, axis=0) * POOL_SCALE
        words = np.maximum(features.words @ joint["word"] + joint["word_bias"], 0.0)
        largest = np.maximum.reduceat(words, features.word_starts, axis=0)
        return np.concatenate(
            [features.sentences, summed, largest.reshape(questions, count, -1)], axis=2
        )

    def _reasons(
        self, inputs: AnyFloats, hidden: AnyFloats, scores: AnyFloats, best: int
    ) -> tuple[str, ...]:
        """The three inputs that put the best sentence before the next, by slope times distance."""
        if len(scores) < 2:
            return ()
        joint = self._joint
        order = np.argsort(-scores, kind="stable")
        rival = int(order[1] if order[0] == best else order[0])
        slope = joint["hidden"] @ (joint["out"] * ((hidden[best] > 0) + (hidden[rival] > 0)) / 2)
        pull = slope * (inputs[best] - inputs[rival])
        width, units = len(SENTENCES), joint["match"].shape[1]
        # Units have no names: each pool of them is one reason.
        by_reason = np.append(
            pull[:width], [pull[width : width + units].sum(), pull[width + units :].sum()]
        )
        top = np.argsort(-by_reason, kind="stable")[:3]
        return tuple(_REASONS[index] for index in top if by_reason[index] > 0)

    @functools.cached_property
    def _joint(self) -> Weights:
        return _as_one(self.networks, self.scaling)


def _likely_word(features: QuestionFeatures, best: int) -> int | None:
    """The place of the word in the best sentence that looks most like the answer."""
    starts = features.word_starts
    start = int(starts[best])
    after = int(starts[best + 1]) if best + 1 < len(starts) else len(features.words)
    rows = features.words[start : after - 1]  # the last row is the end of the sentence
    if not len(rows):
        return None
    return int(features.word_places[start + int(np.argmax(rows[:, _FITS] + rows[:, _NEAR5]))])


def _as_one(networks: Sequence[Weights], scaling: Scaling) -> Weights:
    """All networks as one that takes raw features: the standardising is in the weights."""
    count = len(networks)
    width, units = len(SENTENCES), networks[0]["match"].shape[1]
    hidden = networks[0]["hidden"].shape[1]
    joint_hidden = np.zeros((width + 2 * units * count, hidden * count), np.float32)
    joint_bias = np.zeros(hidden * count, np.float32)
    for index, weights in enumerate(networks):
        columns = slice(index * hidden, (index + 1) * hidden)
        joint_hidden[:width, columns], joint_bias[columns] = _unscaled(
            weights["hidden"][:width], weights["hidden_bias"], scaling["sentences"]
        )
        for pool in (0, 1):
            rows = weights["hidden"][width + pool * units : width + (pool + 1) * units]
            start = width + (pool * count + index) * units
            joint_hidden[start : start + units, columns] = rows
    joint: Weights = {"hidden": joint_hidden, "hidden_bias": joint_bias}
    joint["out"] = np.concatenate([network["out"].ravel() for network in networks]) / count
    for name, block in (("match", "matches"), ("word", "words")):
        layers = [
            _unscaled(network[name], network[f"{name}_bias"], scaling[block])
            for network in networks
        ]
        joint[name] = np.hstack([matrix for matrix, _ in layers])
        joint[f"{name}_bias"] = np.concatenate([bias for _, bias in layers])
    return {name: np.ascontiguousarray(array, np.float32) for name, array in joint.items()}


def _unscaled(
    matrix: AnyFloats, bias: AnyFloats, scaling: tuple[AnyFloats, AnyFloats]
) -> tuple[AnyFloats, AnyFloats]:
    """A layer for raw features from one for standardised ones."""
    mean, spread = scaling
    matrix = matrix / spread[:, None]
    return matrix, bias - mean @ matrix
