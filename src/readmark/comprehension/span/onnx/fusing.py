"""Fusing: each attention becomes one node, which onnxruntime runs block by block."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.span.onnx.graphs import drop_unused, runner
from readmark.core.extras import require

OWN = "com.microsoft"
"""The domain of onnxruntime's own nodes."""
_HEADS = ("Transpose", "Reshape", "Add")
"""Up from a tensor of heads to the sum of a product and a bias."""
_SIDES = (_HEADS, ("Add", "Mul", *_HEADS), ("Transpose", "Add", "Mul", *_HEADS))
"""Heads as they are, rotated by their places (RoFormer), and these turned into keys."""
_TABLE = ("Reshape", "Concat", "Unsqueeze", "Slice", "Unsqueeze", "Unsqueeze", "Gather")
_CLOSE = 1e-3
"""How far scores may differ, as a share of the largest: sums are taken in another order."""


def fused(model: Any) -> Any:
    """A network that computes the same with fewer nodes; what is not recognised stays.

    Nodes are recognised by their kinds alone, so compare the scores (``has_same_scores``).

    Attention has no bias where a window has no padding: then onnxruntime computes it block by
    block and never writes the weights of all pairs of tokens. An Add before a norm becomes a Sum,
    since onnxruntime would make Add and norm one node, which is seven times as slow as the two.
    """
    require("onnx")
    import onnx

    model_copy = onnx.ModelProto()
    model_copy.CopyFrom(model)
    graph, shared = _Graph(model_copy), dict[str, Any]()
    replacements: dict[str, list[Any]] = {}
    for softmax in model_copy.graph.node:
        if softmax.op_type == "Softmax" and (attention := _attention(graph, softmax)):
            replacements[attention.last.output[0]] = _fused_nodes(attention, shared)
    for norm in model_copy.graph.node:
        if norm.op_type == "LayerNormalization":
            for total in graph.above(norm.input[0], "Add"):
                total.op_type = "Sum"
    nodes = [
        new for node in model_copy.graph.node for new in replacements.get(node.output[0], [node])
    ]
    del model_copy.graph.node[:]
    model_copy.graph.node.extend(nodes)
    model_copy.graph.initializer.extend(weight for weight in shared.values() if weight is not None)
    drop_unused(model_copy)
    model_copy.opset_import.append(onnx.helper.make_opsetid(OWN, 1))
    return model_copy


def has_same_scores(model: Any, other: Any) -> bool:
    """Whether two networks agree on two short windows, one of them padded."""
    ids = np.arange(32, dtype=np.int64).reshape(2, 16) % 8
    mask = np.ones_like(ids)
    mask[1, 9:] = 0
    try:
        [scores] = runner(model)(["scores"], (ids, 1 - mask, mask))
        [other_scores] = runner(other)(["scores"], (ids, 1 - mask, mask))
    except Exception:  # the library has an exception for every way to fail
        return False
    difference = np.abs(scores - other_scores)[mask == 1].max()
    return bool(difference < _CLOSE * max(1.0, np.abs(scores).max()))


class _Heads(NamedTuple):
    """States that attention splits into heads, and the table of their rotation, if any."""

    states: str
    number: int
    table: NDArray[Any] | None


class _Graph:
    """What makes each tensor of a network and what reads it."""

    def __init__(self, model: Any) -> None:
        self._weights = {weight.name: weight for weight in model.graph.initializer}
        self._makers = {name: node for node in model.graph.node for name in node.output}
        self._readers: dict[str, list[Any]] = {}
        for node in model.graph.node:
            for name in node.input:
                self._readers.setdefault(name, []).append(node)

    def value(self, name: str) -> NDArray[Any] | None:
        """A constant or a weight; equal ones may be written down once."""
        require("onnx")
        from onnx import numpy_helper

        if same := self.above(name, "Identity"):
            return self.value(same[0].input[0])
        constant = self.above(name, "Constant")
        weight = constant[0].attribute[0].t if constant else self._weights.get(name)
        return None if weight is None else np.asarray(numpy_helper.to_array(weight))

    def above(self, name: str, *kinds: str) -> list[Any]:
        """Nodes of these kinds up from a tensor, each by its first input; none where one lacks."""
        nodes: list[Any] = []
        for kind in kinds:
            node = self._makers.get(name)
            if node is None or node.op_type != kind:
                return []
            nodes.append(node)
            name = node.input[0] if node.input else ""
        return nodes

    def below(self, name: str, *kinds: str) -> list[Any]:
        """Nodes of these kinds down from a tensor, each the only reader but of its shape."""
        nodes: list[Any] = []
        for kind in kinds:
            readers = [node for node in self._readers.get(name, []) if node.op_type != "Shape"]
            if [node.op_type for node in readers] != [kind]:
                return []
            nodes += readers
            name = readers[0].output[0]
        return nodes

    def heads(self, name: str) -> _Heads | None:
        """What a tensor of heads is made from; None where that is not recognised."""
        for kinds in _SIDES:
            if not (nodes := self.above(name, *kinds)):
                continue
            *turns, _, reshape, total = nodes
            shape = self.above(reshape.input[1], "Concat")
            size = self.value(shape[0].input[-1]) if shape else None
            biases = [bias for side in total.input if (bias := self.value(side)) is not None]
            table = self.above(turns[-1].input[1], *_TABLE) if turns else []
            if size is None or size.item() < 1 or not biases or bool(turns) != bool(table):
                return None
            rotation = self.value(table[-1].input[0]) if table else None
            return _Heads(reshape.input[0], biases[0].size // int(size.item()), rotation)
        return None


class _Attention(NamedTuple):
    """The parts of one attention, and the node whose output it ends in."""

    sides: list[_Heads]
    """Queries, keys and values."""
    scale: float
    bias: str
    last: Any


def _attention(graph: _Graph, softmax: Any) -> _Attention | None:
    """The attention around a softmax; None where it is another than BERT's or RoFormer's."""
    for kind, power in (("Mul", 1), ("Div", -1)):
        scores = graph.above(softmax.input[0], "Add", kind, "MatMul")
        result = graph.below(softmax.output[0], "MatMul", "Transpose", "Reshape")
        if not (scores and result):
            continue
        total, scaled, product = scores
        scale = graph.value(scaled.input[1])
        names = (*product.input, result[0].input[1])
        sides = [heads for name in names if (heads := graph.heads(name)) is not None]
        if scale is not None and scale.size == 1 and len(sides) == 3:
            return _Attention(sides, float(scale.item()) ** power, total.input[1], result[-1])
    return None


def _fused_nodes(attention: _Attention, shared: dict[str, Any]) -> list[Any]:
    """One attention as onnxruntime's nodes; what several need is shared by its name."""
    require("onnx")
    from onnx import TensorProto, helper, numpy_helper

    nodes, inputs = [], []

    def weight(name: str, values: NDArray[Any]) -> str:
        if name not in shared:
            shared[name] = numpy_helper.from_array(np.ascontiguousarray(values), name)
        return name

    for states, _, table in attention.sides:
        if table is None:
            inputs.append(states)
            continue
        sines, cosines = np.split(table, 2, axis=1)
        rotation = [
            states,
            weight("rotation/first", np.zeros(1, np.int64)),
            weight("rotation/cosines", cosines),
            weight("rotation/sines", sines),
        ]
        rotated = f"{states}/rotated"
        inputs.append(rotated)
        nodes.append(
            helper.make_node(
                "RotaryEmbedding", rotation, [rotated], rotated, domain=OWN, interleaved=1
            )
        )
    # Whether no token is padding: one node of the network, which all layers read.
    least, none = f"{attention.bias}/least", f"{attention.bias}/none"
    if none not in shared:
        shared[none] = None
        zero = weight("zero", np.zeros((), np.float32))
        nodes.append(helper.make_node("ReduceMin", [attention.bias], [least], least, keepdims=0))
        nodes.append(helper.make_node("Equal", [least, zero], [none], none))
    last, number = attention.last, attention.sides[0].number
    options: dict[str, Any] = {"num_heads": number, "scale": attention.scale, "domain": OWN}
    # By itself onnxruntime 1.20 repeats a bias for all heads wrongly.
    repeated = f"{last.output[0]}/bias"
    times = weight(f"heads/{number}", np.array([1, number, 1, 1]))
    repeat = helper.make_node("Expand", [attention.bias, times], [repeated], repeated)
    branches = {}
    for branch, before, more_inputs in (
        ("then_branch", [], []),
        ("else_branch", [repeat], ["", "", repeated]),
    ):
        name = f"{last.output[0]}/{branch}"
        node = helper.make_node(
            "MultiHeadAttention", [*inputs, *more_inputs], [name], name, **options
        )
        output = helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
        branches[branch] = helper.make_graph([*before, node], branch, [], [output])
    return [*nodes, helper.make_node("If", [none], [last.output[0]], last.name, **branches)]
