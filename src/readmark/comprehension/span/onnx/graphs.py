"""What changes of an ONNX network share: running it in memory, and dropping what is not used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats32
from readmark.core.extras import require

TokenBatch = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Ids, types and mask of windows side by side."""
INPUTS = ("input_ids", "token_type_ids", "attention_mask")


def runner(model: Any) -> Callable[[list[str], TokenBatch], list[Floats32]]:
    """A network in memory as a function from a batch to the tensors of some names."""
    require("onnxruntime")
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # none of its warnings is for a user
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    taken = {tensor.name for tensor in session.get_inputs()}

    def run(names: list[str], batch: TokenBatch) -> list[Floats32]:
        inputs = {name: part for name, part in zip(INPUTS, batch, strict=True) if name in taken}
        return list(session.run(names, inputs))

    return run


def drop_unused(model: Any) -> None:
    """Remove the nodes and weights that no output depends on."""
    used = {output.name for output in model.graph.output}
    nodes = []
    for node in reversed(model.graph.node):
        if used.intersection(node.output):
            nodes.append(node)
            used.update(node.input)
            used.update(  # what the branches of an If read
                name for part in node.attribute for inner in part.g.node for name in inner.input
            )
    weights = [weight for weight in model.graph.initializer if weight.name in used]
    del model.graph.node[:], model.graph.initializer[:]
    model.graph.node.extend(reversed(nodes))
    model.graph.initializer.extend(weights)
