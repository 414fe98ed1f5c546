"""Equalising: a network whose channels are all about as large, so that 8 bits lose less.

Activations have one scale a tensor, which a few channels of many times the usual size take up.
Dividing each channel by a number and multiplying its row of the weights by it changes nothing in
float: "SmoothQuant: Accurate and Efficient Post-Training Quantization for Large Language Models",
Xiao and others, 2023.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Batch = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Ids, types and mask of windows side by side."""
Floats = NDArray[np.float32]

SHARE = 0.5
"""How much of a channel's size goes into the weights: at 1 they would be the uneven ones."""
UNEVEN = 4.0
"""How many times the median channel the largest is where equalising is worth its product."""
FLOOR = 1e-3
"""A channel that is never larger is left among the small ones."""


def equalised(source: Path, batches: Iterable[Batch]) -> Any:
    """The network of a file as an ONNX model, its channels scaled by what the windows showed."""
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(source)
    weights = {one.name: one for one in model.graph.initializer}
    readers: dict[str, list[Any]] = {}
    for node in model.graph.node:
        if node.op_type == "MatMul" and node.input[1] in weights:
            readers.setdefault(node.input[0], []).append(node)
    largest = _largest(model, list(readers), batches)
    uneven = {name: most for name, most in largest.items() if is_uneven(most)}
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
            for reader in readers[name]:
                rows = numpy_helper.to_array(weights[reader.input[1]]) * scale[:, None]
                # Its own, for weights may be shared with what is scaled in another way.
                own = f"{reader.name}/weight"
                model.graph.initializer.append(numpy_helper.from_array(rows, own))
                reader.input[0], reader.input[1] = scaled, own
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    _drop_unused(model)
    return model


def is_uneven(largest: Floats) -> bool:
    """Whether a few channels take up the range of all."""
    return bool(largest.max() > UNEVEN * max(float(np.median(largest)), FLOOR))


def scales(largest: Floats) -> Floats:
    """What each channel is divided by; their geometric mean is one."""
    raw = np.maximum(largest, FLOOR).astype(np.float64) ** SHARE
    return np.asarray(raw / np.exp(np.log(raw).mean()), dtype=np.float32)


def _largest(model: Any, names: list[str], batches: Iterable[Batch]) -> dict[str, Floats]:
    """The largest absolute value of each channel of tensors; none where there are no windows."""
    import onnx
    import onnxruntime

    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    for name in names:
        shown.graph.output.append(
            onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None)
        )
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        shown.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    wanted = {one.name for one in session.get_inputs()}
    found: dict[str, Floats] = {}
    for ids, types, mask in batches:
        given = {"input_ids": ids, "token_type_ids": types, "attention_mask": mask}
        given = {name: one for name, one in given.items() if name in wanted}
        for name, values in zip(names, session.run(names, given), strict=True):
            most = np.abs(values).reshape(-1, values.shape[-1]).max(axis=0)
            found[name] = np.maximum(found.get(name, most), most)
    return found


def _drop_unused(model: Any) -> None:
    used = {name for node in model.graph.node for name in node.input}
    kept = [one for one in model.graph.initializer if one.name in used]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
