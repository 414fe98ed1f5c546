"""A network whose channels are made even gives the same scores, over a range better shared."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from readmark.comprehension.span.onnx.equalising import equalised, is_uneven, scales
from readmark.comprehension.span.onnx.graphs import TokenBatch

SIZES = (0.5, 1.0, 2.0, 64.0)
"""The four channels of a table of eight tokens: the last is the one that takes up the range."""


@pytest.mark.parametrize(
    ("largest", "expected"),
    [
        ([1, 1, 1, 1], [1, 1, 1, 1]),
        ([4, 4], [1, 1]),
        ([1, 16], [0.5, 2]),  # roots 1 and 4, of geometric mean 2
        ([0, 1], [10**-0.75, 10**0.75]),  # what is never seen counts as a thousandth
    ],
)
def test_channels_are_divided_by_the_root_of_their_size(
    largest: list[float], expected: list[float]
) -> None:
    assert scales(np.array(largest, np.float32)) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("largest", "expected"),
    [([1, 1, 1], False), ([1, 1, 4], False), ([1, 1, 4.1], True), ([0, 0, 1], True)],
)
def test_a_network_is_uneven_where_one_channel_is_four_times_the_median(
    largest: list[float], expected: bool
) -> None:
    assert is_uneven(np.array(largest, np.float32)) is expected


def network(path: Path, sizes: tuple[float, ...]) -> Path:
    """Two products of one table's rows, one of weights that are used twice."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    from onnx import TensorProto, helper, numpy_helper

    draw = np.random.default_rng(1)
    table = draw.uniform(-1, 1, (8, 4)) * sizes
    table[0] = sizes
    parts = {"table": table, "one": draw.normal(size=(4, 4)), "two": draw.normal(size=(4, 2))}
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"], name="rows"),
        helper.make_node("MatMul", ["rows", "one"], ["first"], name="first"),
        helper.make_node("MatMul", ["first", "one"], ["second"], name="second"),
        helper.make_node("Add", ["second", "rows"], ["sum"], name="sum"),
        helper.make_node("MatMul", ["sum", "two"], ["scores"], name="scores"),
    ]
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["windows", "tokens"])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["windows", "tokens", 2])],
        [numpy_helper.from_array(part.astype(np.float32), name) for name, part in parts.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path


def load(path: Path) -> Any:
    from onnx import load as load_model

    return load_model(path)


def batch() -> TokenBatch:
    ids = np.arange(8, dtype=np.int64)[None]
    return ids, np.zeros_like(ids), np.ones_like(ids)


def scores(model: Any) -> Any:
    onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return session.run(None, {"input_ids": batch()[0]})[0]


def products(model: Any) -> list[str]:
    return [node.name for node in model.graph.node if node.op_type == "Mul"]


def test_equalising_keeps_the_scores(tmp_path: Path) -> None:
    path = network(tmp_path / "n.onnx", SIZES)
    model = equalised(load(path), [batch()])
    assert "rows/equalised" in products(model)
    assert scores(model.SerializeToString()) == pytest.approx(scores(str(path)), rel=1e-4, abs=1e-3)


def test_even_channels_are_left_as_they_are(tmp_path: Path) -> None:
    model = equalised(load(network(tmp_path / "n.onnx", (1.0, 1.0, 1.0, 1.0))), [batch()])
    assert "rows/equalised" not in products(model)


def test_no_windows_leave_the_network_as_it_is(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")

    path = network(tmp_path / "n.onnx", SIZES)
    assert equalised(onnx.load(path), []) == onnx.load(path)


def test_the_range_is_shared_more_evenly(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

    model = equalised(load(network(tmp_path / "n.onnx", SIZES)), [batch()])
    model.graph.output.append(
        onnx.helper.make_tensor_value_info("rows/equalised", onnx.TensorProto.FLOAT, None)
    )
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    most = np.abs(session.run(["rows/equalised"], {"input_ids": batch()[0]})[0]).max(axis=(0, 1))
    assert most.max() / most.min() == pytest.approx((64 / 0.5) ** 0.5, rel=1e-4)
