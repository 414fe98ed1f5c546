"""Scores in 8 bits are the same sums on every processor."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from readmark.comprehension.span.onnx.scoring import load_scorer

WIDTH = 64
EMULATOR = shutil.which("qemu-x86_64")
AGAIN = """
import sys
from pathlib import Path
import numpy as np
from readmark.comprehension.span.onnx.scoring import load_scorer

ids = np.array([[0, 1]])
scores = load_scorer(Path(sys.argv[1]))(ids, np.zeros_like(ids), np.ones_like(ids))
print(*(f"{score:.3f}" for score in scores.ravel()))
"""


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """Products of the largest 8-bit numbers, whose sums of two are over the largest of 16 bits."""
    pytest.importorskip("onnx", reason="onnx is not installed")
    from onnx import TensorProto, helper, numpy_helper, save
    from onnxruntime.quantization import QuantType, quantize_dynamic

    table = np.stack([np.ones(WIDTH), np.arange(WIDTH) % 2]).astype(np.float32)
    weights = np.stack([np.ones(WIDTH), -np.ones(WIDTH)], axis=1).astype(np.float32)
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["rows"], name="rows"),
            helper.make_node("MatMul", ["rows", "weights"], ["scores"], name="scores"),
        ],
        "network",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["windows", "tokens"])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["windows", "tokens", 2])],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(weights, "weights"),
        ],
    )
    plain, small = tmp_path / "plain.onnx", tmp_path / "small.onnx"
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), plain)
    quantize_dynamic(
        plain,
        small,
        per_channel=True,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul"],
        extra_options={"MatMulConstBOnly": True},
    )
    return small


def test_sums_of_the_largest_products_are_exact(network: Path) -> None:
    ids = np.array([[0, 1]])
    scores = load_scorer(network)(ids, np.zeros_like(ids), np.ones_like(ids))
    assert scores.ravel() == pytest.approx([64, -64, 32, -32], rel=1e-3)


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the processors meant are of x86-64")
@pytest.mark.skipif(EMULATOR is None, reason="qemu-x86_64 is not installed (package qemu-user)")
@pytest.mark.parametrize("processor", ["Haswell", "Nehalem"])
def test_the_same_on_a_processor_without_8_bit_products(processor: str, network: Path) -> None:
    done = subprocess.run(
        [str(EMULATOR), "-cpu", processor, sys.executable, "-c", AGAIN, str(network)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        # numpy's BLAS asks the real processor, which may have what the emulated one lacks.
        env={**os.environ, "OPENBLAS_CORETYPE": processor},
    )
    assert done.returncode == 0, done.stderr
    assert [float(score) for score in done.stdout.split()] == pytest.approx(
        [64, -64, 32, -32], rel=1e-3
    )
