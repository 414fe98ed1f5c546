"""Scores without torch: an exported network run by onnxruntime."""

from __future__ import annotations

from base64 import b64decode
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.errors import DataError
from readmark.models.span.reading import Scorer

FLOAT = "model.onnx"
SMALL = "model.int8.onnx"
FILES = {"int8": (SMALL, FLOAT), "float": (FLOAT,)}
"""What each precision is read from, first choice first."""

_PRODUCT = (
    "CAk6XAoYCgFhCgFiEgFjIg1NYXRNdWxJbnRlZ2VyEgFnWhMKAWESDgoMCAISCAoCCAQKAghAWhMKAWISDgoMCAMS"
    "CAoCCEAKAggQYhMKAWMSDgoMCAYSCAoCCAQKAggQQgQKABAR"
)
"""An ONNX network of one node: the product of two 8-bit matrices (MatMulInteger)."""


@cache
def has_exact_products() -> bool:
    """Whether this processor sums 8-bit products without overflow, by trying the largest.

    Without instructions for them (VNNI) onnxruntime's usual way cuts sums of two off at 16 bits,
    and scores are wrong: it has an exact way, which is slower everywhere.
    """
    import onnxruntime

    product = onnxruntime.InferenceSession(b64decode(_PRODUCT), providers=["CPUExecutionProvider"])
    given = {"a": np.full((4, 64), 255, np.uint8), "b": np.full((64, 16), 127, np.int8)}
    return bool((product.run(None, given)[0] == 64 * 255 * 127).all())


def network_file(folder: Path, precision: str) -> Path:
    """The exported network of a folder."""
    for name in FILES[precision]:
        if (folder / name).is_file():
            return folder / name
    raise DataError(f"{folder} has no {' or '.join(FILES[precision])}")


def load_scorer(path: Path, *, threads: int = 1) -> Scorer:
    """The network as a scorer; a file that is none is told in one line."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # A failure is told by what it raises.
    if not has_exact_products():
        options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # the library has an exception for every way to fail
        said = " ".join(str(error).split())[:200]
        raise DataError(f"{path} cannot be run: {said}") from error
    wanted = {one.name for one in session.get_inputs()}

    def score(
        ids: NDArray[np.int64], types: NDArray[np.int64], mask: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        given: dict[str, Any] = {
            "input_ids": ids,
            "token_type_ids": types,
            "attention_mask": mask,
        }
        scores = session.run(None, {name: given[name] for name in given if name in wanted})[0]
        return np.asarray(scores, dtype=np.float32)

    return score
