"""The trained ranker: several small networks as one, and the file that it is kept in."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from readmark.comprehension.evidence.features import (
    MATCHES,
    QUESTION_SIDE,
    SENTENCES,
    WORD_SIDE,
    WORDS,
    FeaturesOfAll,
    QuestionFeatures,
    features_of_all,
)
from readmark.comprehension.evidence.readings import ReadPassage, ReadQuestion
from readmark.core.errors import DataError
from readmark.core.files import require_file
from readmark.stats.networks import Floats, Weights

SCHEMA = 1
POOL_SCALE = 0.25
"""What the activations of a question's words are multiplied by when they are summed."""
BLOCKS = {"sentences": SENTENCES, "matches": MATCHES, "words": WORDS}
"""The features that weights are for, by block; a file made for others is refused."""

Scaling = Mapping[str, tuple[Floats, Floats]]
"""The mean and the spread of each feature, by block."""


class Ranking(NamedTuple):
    """The sentences' probabilities, and what spoke most for the best one over the next."""

    probabilities: Floats
    best: int
    reasons: tuple[str, ...]
    likely_word: int | None


@dataclass(frozen=True)
class SentenceRanker:
    """Weights for standardised features; every network has a say of equal weight."""

    fitting: Mapping[str, Floats]
    scaling: Scaling
    networks: Sequence[Weights]
    note: Mapping[str, Any]

    def rank_all(self, passage: ReadPassage, questions: Sequence[ReadQuestion]) -> list[Ranking]:
        """Rank the sentences of a passage for several questions, faster than one by one."""
        data = features_of_all(passage, questions, self.fitting[passage.language])
        inputs = self._inputs(data)
        joint = self._joint
        hidden = np.maximum(inputs @ joint["hidden"] + joint["hidden_bias"], 0.0)
        scores = hidden @ joint["out"]
        raised = np.exp(scores - scores.max(1, keepdims=True))
        probabilities = raised / raised.sum(1, keepdims=True)
        best = np.argmax(scores, axis=1).tolist()
        return [
            Ranking(
                probabilities=probabilities[index],
                best=one,
                reasons=self._reasons(inputs[index], hidden[index], scores[index], one),
                likely_word=_likeliest(data.of(index), one),
            )
            for index, one in enumerate(best)
        ]

    def _inputs(self, data: FeaturesOfAll) -> Floats:
        joint = self._joint
        many, count, _ = data.sentences.shape
        rows = data.matches.reshape(-1, len(MATCHES)) @ joint["match"] + joint["match_bias"]
        met = np.maximum(rows, 0.0).reshape(-1, count, rows.shape[1])
        matched = np.add.reduceat(met, data.asked.chosen_starts, axis=0) * POOL_SCALE
        worded = np.maximum(data.words @ joint["word"] + joint["word_bias"], 0.0)
        largest = np.maximum.reduceat(worded, data.word_starts, axis=0)
        return np.concatenate([data.sentences, matched, largest.reshape(many, count, -1)], axis=2)

    def _reasons(
        self, inputs: Floats, hidden: Floats, scores: Floats, best: int
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
        named = np.append(
            pull[:width], [pull[width : width + units].sum(), pull[width + units :].sum()]
        )
        top = np.argsort(-named, kind="stable")[:3]
        return tuple(_REASONS[at] for at in top if named[at] > 0)

    @functools.cached_property
    def _joint(self) -> Weights:
        return _joined(self.networks, self.scaling)


_REASONS = (*SENTENCES, "words of the question", "likely answer")


def _likeliest(data: QuestionFeatures, best: int) -> int | None:
    """The place of the word in the best sentence that looks most like the answer."""
    start = int(data.word_starts[best])
    ends = data.word_starts[best + 1] if best + 1 < len(data.word_starts) else len(data.words)
    rows = data.words[start : int(ends) - 1]
    if not len(rows):
        return None
    return int(data.word_places[start + int(np.argmax(rows[:, 0] + rows[:, 11]))])


def _joined(networks: Sequence[Weights], scaling: Scaling) -> Weights:
    """All networks as one that takes raw features: the standardising is in the weights."""
    units = networks[0]["match"].shape[1]
    width, hidden = len(SENTENCES), networks[0]["hidden"].shape[1]
    many = len(networks)
    whole = np.zeros((width + 2 * units * many, hidden * many), np.float32)
    bias = np.zeros(hidden * many, np.float32)
    for index, weights in enumerate(networks):
        to = slice(index * hidden, (index + 1) * hidden)
        own, own_bias = _unscaled(
            weights["hidden"][:width], weights["hidden_bias"], scaling["sentences"]
        )
        whole[:width, to], bias[to] = own, own_bias
        for pool in (0, 1):
            rows = weights["hidden"][width + pool * units : width + (pool + 1) * units]
            start = width + (pool * many + index) * units
            whole[start : start + units, to] = rows
    parts: Weights = {"hidden": whole, "hidden_bias": bias}
    parts["out"] = np.concatenate([network["out"].ravel() for network in networks]) / many
    for name, block in (("match", "matches"), ("word", "words")):
        pairs = [
            _unscaled(network[name], network[f"{name}_bias"], scaling[block])
            for network in networks
        ]
        parts[name] = np.hstack([matrix for matrix, _ in pairs])
        parts[f"{name}_bias"] = np.concatenate([offset for _, offset in pairs])
    return {name: np.ascontiguousarray(one, np.float32) for name, one in parts.items()}


def _unscaled(
    matrix: Floats, bias: Floats, scaling: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    mean, spread = scaling
    scaled = matrix / spread[:, None]
    return scaled, bias - mean @ scaled


def to_json(ranker: SentenceRanker) -> str:
    """The file of a ranker: features by name, numbers with four figures, one row per line."""
    said: dict[str, Any] = {"readmark": SCHEMA, "model": "evidence", "note": dict(ranker.note)}
    said["scaling"] = {
        block: {
            name: [_short(mean), _short(spread)]
            for name, mean, spread in zip(names, *ranker.scaling[block], strict=True)
        }
        for block, names in BLOCKS.items()
    }
    said["fitting"] = {name: _rows(matrix) for name, matrix in ranker.fitting.items()}
    said["networks"] = [
        {name: _rows(matrix) for name, matrix in network.items()} for network in ranker.networks
    ]
    return _one_row_per_line(said)


def _rows(matrix: Floats) -> list[Any]:
    if matrix.ndim == 1:
        return [_short(one) for one in matrix]
    return [[_short(one) for one in row] for row in matrix]


def _short(number: Any) -> float:
    return float(f"{float(number):.4g}")


def _one_row_per_line(said: Any, depth: int = 0) -> str:
    pad = " " * (depth + 1)
    if isinstance(said, dict) and said and depth < 4:
        inside = [
            f"{pad}{json.dumps(k)}: {_one_row_per_line(v, depth + 1)}" for k, v in said.items()
        ]
        return "{\n" + ",\n".join(inside) + "\n" + " " * depth + "}"
    if isinstance(said, list) and said and isinstance(said[0], (list, dict)):
        inside = [pad + _one_row_per_line(one, depth + 1) for one in said]
        return "[\n" + ",\n".join(inside) + "\n" + " " * depth + "]"
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str, *, file: str) -> SentenceRanker:
    """A ranker from its file; one for other features than these is refused."""
    try:
        said = json.loads(text)
        if said.get("model") != "evidence" or said.get("readmark") != SCHEMA:
            raise DataError("this is no evidence model of schema 1", file=file)
        scaling = {
            block: _scaling(said["scaling"][block], names) for block, names in BLOCKS.items()
        }
        fitting = {name: _matrix(rows) for name, rows in said["fitting"].items()}
        networks = [{name: _matrix(rows) for name, rows in one.items()} for one in said["networks"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(f"the evidence model cannot be read: {error}", file=file) from None
    for name, matrix in fitting.items():
        if matrix.shape != (QUESTION_SIDE, WORD_SIDE):
            raise DataError(f"fitting {name} has the shape {matrix.shape}", file=file)
    return SentenceRanker(fitting, scaling, networks, said.get("note", {}))


def _scaling(said: Mapping[str, Any], names: Sequence[str]) -> tuple[Floats, Floats]:
    if tuple(said) != tuple(names):
        raise ValueError("it was made for other features; train it again")
    table = np.array(list(said.values()), np.float32)
    return table[:, 0], table[:, 1]


def _matrix(rows: Any) -> Floats:
    return np.array(rows, np.float32)


@functools.lru_cache(maxsize=4)
def load_ranker(path: str | None = None) -> SentenceRanker:
    """The ranker in a file, or the one that ships."""
    if path is not None:
        try:
            require_file(path)
            return from_json(Path(path).read_text(encoding="utf-8"), file=path)
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"the model cannot be read ({error})", file=path) from None
    shipped = files("readmark.comprehension.evidence") / "data" / "ranker.json"
    return from_json(shipped.read_text(encoding="utf-8"), file=str(shipped))
