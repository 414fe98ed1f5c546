"""Equalising: before 8 bits a network's channels are made about as large, so that less is lost.

Activations have one scale a tensor, which a few channels of many times the usual size take up.
Dividing each channel by a number and multiplying its row of the weights by it changes nothing in
float: "SmoothQuant: Accurate and Efficient Post-Training Quantization for Large Language Models",
Xiao and others, 2023.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from readmark.comprehension.span.onnx.graphs import TokenBatch, drop_unused, runner
from readmark.core.arrays import Floats32
from readmark.core.extras import require

SHARE = 0.5
"""How much of a channel's size goes into the weights: at 1 they would be the uneven ones."""
UNEVEN = 4.0
"""How many times the median channel the largest is where equalising is worth its product."""
FLOOR = 1e-3
"""A channel that is never larger is left among the small ones."""


def equalised(model: Any, batches: Iterable[TokenBatch]) -> Any:
    """An ONNX network with its channels scaled by how large windows make them."""
    require("onnx")
    from onnx import helper, numpy_helper

    weights = {weight.name: weight for weight in model.graph.initializer}
    # The products with weights, by the tensor that they read.
    products: dict[str, list[Any]] = {}
    for node in model.graph.node:
        if node.op_type == "MatMul" and node.input[1] in weights:
            products.setdefault(node.input[0], []).append(node)
    largest = _largest(model, list(products), batches)
    uneven = {name: channels for name, channels in largest.items() if is_uneven(channels)}
    nodes = []
    for node in model.graph.node:
        nodes.append(node)
        for name in node.output:
            if name not in uneven:
                continue
            scale = scales(uneven[name])
            divisor, scaled = f"{name}/divisor", f"{name}/equalised"
            model.graph.initializer.append(numpy_helper.from_array(1 / scale, divisor))
            nodes.append(helper.make_node("Mul", [name, divisor], [scaled], name=scaled))
            for product in products[name]:
                rows = numpy_helper.to_array(weights[product.input[1]]) * scale[:, None]
                # A copy, for weights may be shared with what is scaled in another way.
                copy = f"{product.name}/weight"
                model.graph.initializer.append(numpy_helper.from_array(rows, copy))
                product.input[0], product.input[1] = scaled, copy
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    drop_unused(model)
    return model


def _largest(model: Any, names: list[str], batches: Iterable[TokenBatch]) -> dict[str, Floats32]:
    """The largest absolute value of each channel of tensors; none where there are no windows."""
    require("onnx")
    import onnx

    with_outputs = onnx.ModelProto()
    with_outputs.CopyFrom(model)
    for name in names:
        with_outputs.graph.output.append(
            onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None)
        )
    run = runner(with_outputs)
    largest: dict[str, Floats32] = {}
    for batch in batches:
        for name, values in zip(names, run(names, batch), strict=True):
            of_batch = np.abs(values).reshape(-1, values.shape[-1]).max(axis=0)
            largest[name] = np.maximum(largest.get(name, of_batch), of_batch)
    return largest


def is_uneven(largest: Floats32) -> bool:
    """Whether a few channels take up the range of all."""
    return bool(largest.max() > UNEVEN * max(float(np.median(largest)), FLOOR))


def scales(largest: Floats32) -> Floats32:
    """What each channel is divided by; their geometric mean is one."""
    raw = np.maximum(largest, FLOOR).astype(np.float64) ** SHARE
    return np.asarray(raw / np.exp(np.log(raw).mean()), dtype=np.float32)
