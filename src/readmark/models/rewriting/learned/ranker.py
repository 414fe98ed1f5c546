"""The trained ranker of edits: several small networks as one, and the file that it is kept in."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from readmark.corpus.errors import DataError
from readmark.corpus.files import read_bytes
from readmark.models.evidence.lexicon import Floats
from readmark.models.evidence.network import Weights
from readmark.models.rewriting.learned.features import FEATURES
from readmark.models.rewriting.learned.network import forward

SCHEMA = 1
NAMES = ("hidden", "hidden_bias", "out", "straight")


@dataclass(frozen=True)
class Ranker:
    """Weights for standardised features; every network has a say of equal weight."""

    mean: Floats
    spread: Floats
    networks: Sequence[Weights]
    note: Mapping[str, Any]

    def scores(self, numbers: Floats) -> Floats:
        """A score a candidate; only differences mean something."""
        scores, _ = forward(self._joint, numbers)
        return scores

    def pull(self, best: Floats, rival: Floats) -> Floats:
        """How much each feature put one candidate before another, by slope times distance."""
        joint = self._joint
        _, hidden = forward(joint, np.stack([best, rival]))
        open_ = (hidden > 0).mean(axis=0)
        slope = joint["hidden"] @ (joint["out"].ravel() * open_) + joint["straight"].ravel()
        pulled: Floats = slope * (best - rival)
        return pulled

    @functools.cached_property
    def _joint(self) -> Weights:
        """All networks as one that takes raw features: the standardising is in the weights."""
        many = len(self.networks)
        hidden = np.hstack([one["hidden"] for one in self.networks]) / self.spread[:, None]
        bias = np.concatenate([one["hidden_bias"] for one in self.networks]) - self.mean @ hidden
        straight = sum(one["straight"] for one in self.networks) / many / self.spread[:, None]
        out = np.vstack([one["out"] for one in self.networks]) / many
        joint = {"hidden": hidden, "hidden_bias": bias, "out": out, "straight": straight}
        return {name: np.ascontiguousarray(one, np.float32) for name, one in joint.items()}


def to_json(ranker: Ranker) -> str:
    """The file of a ranker: features by name, numbers with four figures, a row a line."""
    scaling = {
        name: [_short(mean), _short(spread)]
        for name, mean, spread in zip(FEATURES, ranker.mean, ranker.spread, strict=True)
    }
    lines = [
        f'{{"readmark": {SCHEMA}, "model": "rewriter",',
        f'"note": {json.dumps(dict(ranker.note), ensure_ascii=False)},',
        f'"scaling": {json.dumps(scaling, ensure_ascii=False)},',
        '"networks": [',
    ]
    for at, one in enumerate(ranker.networks):
        parts = []
        for name in NAMES:
            matrix = np.atleast_2d(one[name])
            rows = ",\n".join(json.dumps([_short(n) for n in row]) for row in matrix)
            parts.append(f'"{name}": [\n{rows}]')
        lines.append("{" + ",\n".join(parts) + ("}," if at + 1 < len(ranker.networks) else "}"))
    return "\n".join([*lines, "]}"]) + "\n"


def _short(number: Any) -> float:
    return float(f"{float(number):.4g}")


def from_json(text: str, *, file: str) -> Ranker:
    """A ranker from its file; one for other features than these is refused."""
    try:
        said = _members("it", json.loads(text))
        if said.get("model") != "rewriter" or said.get("readmark") != SCHEMA:
            raise DataError("this is no rewriter model of schema 1", file=file)
        scales = _members("scaling", said["scaling"])
        if tuple(scales) != FEATURES:
            raise DataError("it was made for other features; train it again", file=file)
        scaling = _finite("scaling", list(scales.values()), (len(FEATURES), 2))
        if not (scaling[:, 1] > 0).all():
            raise ValueError("a feature has a spread of 0 or less")
        note = _members("note", said.get("note", {}))
        if not isinstance(said["networks"], list):
            raise ValueError("networks is no list")
        networks = [_network(_members("a network", one)) for one in said["networks"]]
        if not networks:
            raise DataError("the rewriter model has no network", file=file)
    except KeyError as error:
        raise DataError(f"the rewriter model lacks {error}", file=file) from None
    except (ValueError, TypeError, RecursionError) as error:
        raise DataError(f"the rewriter model cannot be read: {error}", file=file) from None
    return Ranker(scaling[:, 0], scaling[:, 1], networks, note)


def _members(name: str, said: Any) -> Mapping[str, Any]:
    if not isinstance(said, dict):
        raise ValueError(f"{name} has no members with names")
    return said


def _network(said: Mapping[str, Any]) -> Weights:
    bias = np.ravel(said["hidden_bias"])
    width, hidden = len(FEATURES), len(bias)
    return {
        "hidden": _finite("hidden", said["hidden"], (width, hidden)),
        "hidden_bias": _finite("hidden_bias", bias, (hidden,)),
        "out": _finite("out", said["out"], (hidden, 1)),
        "straight": _finite("straight", said["straight"], (width, 1)),
    }


def _finite(name: str, numbers: Any, shape: tuple[int, ...]) -> Floats:
    """Numbers of a shape; one that is none, or beyond what is calculated with, decides nothing."""
    with np.errstate(over="ignore"):
        found = np.asarray(numbers).astype(np.float32)
    if found.shape != shape:
        raise ValueError(f"{name} has the shape {found.shape}, expected {shape}")
    if not np.isfinite(found).all():
        raise ValueError(f"{name} has a number that is not finite")
    return found


def fingerprint(ranker: Ranker) -> str:
    """Which weights these are."""
    return hashlib.sha256(to_json(ranker).encode()).hexdigest()[:12]


@functools.lru_cache(maxsize=4)
def load_ranker(path: str | None = None) -> Ranker:
    """The ranker in a file, or the one that ships."""
    if path is not None:
        try:
            return from_json(read_bytes(path).decode("utf-8"), file=path)
        except UnicodeDecodeError as error:
            raise DataError(f"the model cannot be read ({error})", file=path) from None
    shipped = files("readmark.models.rewriting.learned") / "data" / "ranker.json"
    return from_json(shipped.read_text(encoding="utf-8"), file=str(shipped))
