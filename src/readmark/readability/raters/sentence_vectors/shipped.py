"""The encoder that ships: the first layers of the English span reader.

Its middle layers tell how hard a text is, and its file is cut after the last layer that is used.
"""

from __future__ import annotations

import functools
import hashlib
from importlib.resources import files

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.extras import require
from readmark.readability.raters.sentence_vectors.encoder import stretches
from readmark.readability.raters.sentence_vectors.onnx_file import cut_model

WIDTH = 384
POOLED = (4, 6, 8)
"""The layers that are used, of twelve."""
SIZE = WIDTH * len(POOLED)
LAYER_OUTPUT = "/encoder/encoder/layer.{}/output/LayerNorm/LayerNormalization_output_0"
"""The tensor of a layer, counted from 0."""
LONGEST = 382
"""Pieces that are read at once; with the two at the edges, 384."""


class ShippedEncoder:
    """The cut model and its tokenizer; long texts are read in equal stretches."""

    def __init__(self) -> None:
        require("onnxruntime", "tokenizers")
        import onnxruntime
        from tokenizers import Tokenizer

        folder = files("readmark") / "comprehension" / "span" / "weights" / "en"
        data = (folder / "model.int8.onnx").read_bytes()
        self.digest = hashlib.sha256(data).hexdigest()[:12]
        self._outputs = [LAYER_OUTPUT.format(layer - 1) for layer in POOLED]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # none of its warnings is for a user
        self._session = onnxruntime.InferenceSession(
            cut_model(data, self._outputs), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_str((folder / "tokenizer.json").read_text("utf-8"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        first, last, unknown = map(self._tokenizer.token_to_id, ("[CLS]", "[SEP]", "[UNK]"))
        self._first, self._last, self._unknown = first or 0, last or 0, unknown or 0

    def embed(self, text: str) -> Floats:
        """The means of the pooled layers over all pieces, one after the other."""
        pieces = self._tokenizer.encode(text, add_special_tokens=False).ids or [self._unknown]
        total = np.zeros(SIZE)
        for stretch in stretches(pieces, LONGEST):
            ids = np.array([[self._first, *stretch, self._last]], np.int64)
            inputs = {
                "input_ids": ids,
                "token_type_ids": np.zeros_like(ids),
                "attention_mask": np.ones_like(ids),
            }
            layers = self._session.run(self._outputs, inputs)
            means = [layer[0].mean(axis=0, dtype=np.float64) for layer in layers]
            total += np.concatenate(means) * len(stretch)
        return total / len(pieces)


@functools.cache
def shipped_encoder() -> ShippedEncoder:
    """The encoder that ships, loaded once."""
    return ShippedEncoder()
