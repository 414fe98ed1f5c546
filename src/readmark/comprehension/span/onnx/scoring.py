"""Scores without torch: an exported network, run by onnxruntime."""

from __future__ import annotations

from base64 import b64decode
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.span.onnx.graphs import INPUTS
from readmark.comprehension.span.scoring import Scorer
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require

FLOAT = "model.onnx"
SMALL = "model.int8.onnx"
FILES = {"int8": (SMALL, FLOAT), "float": (FLOAT,)}
"""What each precision is read from, first choice first."""

CUDA = "CUDAExecutionProvider"

_PRODUCT = (
    "CAk6XAoYCgFhCgFiEgFjIg1NYXRNdWxJbnRlZ2VyEgFnWhMKAWESDgoMCAISCAoCCAQKAghAWhMKAWISDgoMCAMS"
    "CAoCCEAKAggQYhMKAWMSDgoMCAYSCAoCCAQKAggQQgQKABAR"
)
"""An ONNX network of one node: the product of two 8-bit matrices (MatMulInteger)."""


def network_file(folder: Path, precision: str) -> Path:
    """The exported network of a folder."""
    for name in FILES[precision]:
        if (folder / name).is_file():
            return folder / name
    raise DataError(f"{folder} has no {' or '.join(FILES[precision])}")


def has_gpu(path: Path) -> bool:
    """Whether a network runs on a GPU here: onnxruntime-gpu is installed and finds one.

    Networks of 8 bits stay on the CPU, where their sums are exact.
    """
    require("onnxruntime")
    import onnxruntime

    if path.name != FLOAT or CUDA not in onnxruntime.get_available_providers():
        return False
    try:
        load_scorer(path, device="cuda")
    except (DataError, UsageError):
        return False
    return True


def load_scorer(path: Path, *, threads: int = 1, device: str = "cpu") -> Scorer:
    """The network as a scorer; a file that is none is reported in one line."""
    require("onnxruntime")
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # A failure is recognised by its exception.
    if not has_exact_products():
        options.add_session_config_entry("session.x64quantprecision", "1")
    # By default a GPU rounds to 10 bits before it multiplies: answers would differ from a CPU's.
    providers = [(CUDA, {"use_tf32": "0"})] if device == "cuda" else []
    try:
        session = onnxruntime.InferenceSession(
            str(path), options, providers=[*providers, "CPUExecutionProvider"]
        )
    except Exception as error:  # the library has an exception for every way to fail
        reason = " ".join(str(error).split())[:200]
        raise DataError(f"{path} cannot be run: {reason}") from error
    if providers and CUDA not in session.get_providers():  # it falls back without a word
        raise UsageError("device=cuda cannot be used: onnxruntime finds no GPU or no CUDA library")
    taken = {tensor.name for tensor in session.get_inputs()}

    def score(
        ids: NDArray[np.int64], types: NDArray[np.int64], mask: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        batch = zip(INPUTS, (ids, types, mask), strict=True)
        scores = session.run(None, {name: part for name, part in batch if name in taken})[0]
        return np.asarray(scores, dtype=np.float32)

    return score


@cache
def has_exact_products() -> bool:
    """Whether this processor sums 8-bit products without overflow, by trying the largest.

    Without instructions for them (VNNI) onnxruntime's usual way cuts sums of two off at 16 bits,
    and scores are wrong: it has an exact way, which is slower everywhere.
    """
    require("onnxruntime")
    import onnxruntime

    product = onnxruntime.InferenceSession(b64decode(_PRODUCT), providers=["CPUExecutionProvider"])
    matrices = {"a": np.full((4, 64), 255, np.uint8), "b": np.full((64, 16), 127, np.int8)}
    return bool((product.run(None, matrices)[0] == 64 * 255 * 127).all())
