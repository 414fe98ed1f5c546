"""ONNX: trained networks exported in float and in 8 bits, and run without torch.

Before 8 bits a network is equalised: its channels become about as large, so that less is lost.

Activations have one scale a tensor, which a few channels of many times the usual size take up.
Dividing each channel by a number and multiplying its row of the weights by it changes nothing in
float: "SmoothQuant: Accurate and Efficient Post-Training Quantization for Large Language Models",
Xiao and others, 2023.
"""

from __future__ import annotations

import logging
import shutil
import warnings
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.span.answers import Scorer
from readmark.comprehension.span.network import load_network, torch_parts
from readmark.comprehension.span.tokens import FILE, TOKENS_FILE
from readmark.core.arrays import Floats32
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require

TokenBatch = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Ids, types and mask of windows side by side."""
INPUTS = ("input_ids", "token_type_ids", "attention_mask")

SHARE = 0.5
"""How much of a channel's size goes into the weights: at 1 they would be the uneven ones."""
UNEVEN = 4.0
"""How many times the median channel the largest is where equalising is worth its product."""
FLOOR = 1e-3
"""A channel that is never larger is left among the small ones."""


def equalised(model: Any, batches: Iterable[TokenBatch]) -> Any:
    """An ONNX network with its channels scaled by what the windows showed."""
    require("onnx")
    from onnx import helper, numpy_helper

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


def is_uneven(largest: Floats32) -> bool:
    """Whether a few channels take up the range of all."""
    return bool(largest.max() > UNEVEN * max(float(np.median(largest)), FLOOR))


def scales(largest: Floats32) -> Floats32:
    """What each channel is divided by; their geometric mean is one."""
    raw = np.maximum(largest, FLOOR).astype(np.float64) ** SHARE
    return np.asarray(raw / np.exp(np.log(raw).mean()), dtype=np.float32)


def _largest(model: Any, names: list[str], batches: Iterable[TokenBatch]) -> dict[str, Floats32]:
    """The largest absolute value of each channel of tensors; none where there are no windows."""
    require("onnx")
    import onnx

    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    for name in names:
        shown.graph.output.append(
            onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None)
        )
    run = _runner(shown)
    found: dict[str, Floats32] = {}
    for batch in batches:
        for name, values in zip(names, run(names, batch), strict=True):
            most = np.abs(values).reshape(-1, values.shape[-1]).max(axis=0)
            found[name] = np.maximum(found.get(name, most), most)
    return found


def _runner(model: Any) -> Callable[[list[str], TokenBatch], list[Floats32]]:
    """A network in memory as a function from a batch to the tensors of some names."""
    require("onnxruntime")
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    wanted = {one.name for one in session.get_inputs()}

    def run(names: list[str], batch: TokenBatch) -> list[Floats32]:
        given = {name: part for name, part in zip(INPUTS, batch, strict=True) if name in wanted}
        return list(session.run(names, given))

    return run


def _drop_unused(model: Any) -> None:
    """Remove the nodes and weights that no output depends on."""
    used = {output.name for output in model.graph.output}
    kept = []
    for node in reversed(model.graph.node):
        if used.intersection(node.output):
            kept.append(node)
            used.update(node.input)
            used.update(
                name for part in node.attribute for inner in part.g.node for name in inner.input
            )
    weights = [weight for weight in model.graph.initializer if weight.name in used]
    del model.graph.node[:], model.graph.initializer[:]
    model.graph.node.extend(reversed(kept))
    model.graph.initializer.extend(weights)


# Fusing: each attention becomes one node, which onnxruntime runs block by block.


OWN = "com.microsoft"
"""The domain of onnxruntime's own nodes."""
_HEADS = ("Transpose", "Reshape", "Add")
"""Up from a tensor of heads to the sum of a product and a bias."""
_SIDES = (_HEADS, ("Add", "Mul", *_HEADS), ("Transpose", "Add", "Mul", *_HEADS))
"""Heads as they are, rotated by their places (RoFormer), and these turned into keys."""
_TABLE = ("Reshape", "Concat", "Unsqueeze", "Slice", "Unsqueeze", "Unsqueeze", "Gather")
_CLOSE = 1e-3


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
        found = [graph.heads(name) for name in (*product.input, result[0].input[1])]
        sides = [side for side in found if side is not None]
        if scale is not None and scale.size == 1 and len(sides) == 3:
            return _Attention(sides, float(scale.item()) ** power, total.input[1], result[-1])
    return None


def fused(model: Any) -> Any:
    """A network that computes the same with fewer nodes; what is not recognised stays.

    Nodes are recognised by their kinds alone, so compare the scores (``has_same_scores``).

    Attention has no bias where a window has no padding: then onnxruntime computes it block by
    block and never writes the weights of all pairs of tokens. An Add before a norm becomes a Sum,
    since onnxruntime would make Add and norm one node, which is seven times as slow as the two.
    """
    require("onnx")
    import onnx

    made = onnx.ModelProto()
    made.CopyFrom(model)
    graph, shared = _Graph(made), dict[str, Any]()
    places: dict[str, list[Any]] = {}
    for softmax in made.graph.node:
        if softmax.op_type == "Softmax" and (found := _attention(graph, softmax)):
            places[found.last.output[0]] = _fused_nodes(found, shared)
    for norm in made.graph.node:
        if norm.op_type == "LayerNormalization":
            for total in graph.above(norm.input[0], "Add"):
                total.op_type = "Sum"
    nodes = [new for node in made.graph.node for new in places.get(node.output[0], [node])]
    del made.graph.node[:]
    made.graph.node.extend(nodes)
    made.graph.initializer.extend(one for one in shared.values() if one is not None)
    _drop_unused(made)
    made.opset_import.append(onnx.helper.make_opsetid(OWN, 1))
    return made


def _fused_nodes(found: _Attention, shared: dict[str, Any]) -> list[Any]:
    """One attention as onnxruntime's nodes; what several need is shared by its name."""
    require("onnx")
    from onnx import TensorProto, helper, numpy_helper

    nodes, inputs = [], []

    def weight(name: str, values: NDArray[Any]) -> str:
        if name not in shared:
            shared[name] = numpy_helper.from_array(np.ascontiguousarray(values), name)
        return name

    for states, _, table in found.sides:
        inputs.append(states)
        if table is not None:
            sines, cosines = np.split(table, 2, axis=1)
            given = [
                states,
                weight("rotation/first", np.zeros(1, np.int64)),
                weight("rotation/cosines", cosines),
                weight("rotation/sines", sines),
            ]
            inputs[-1] = name = f"{states}/rotated"
            nodes.append(
                helper.make_node("RotaryEmbedding", given, [name], name, domain=OWN, interleaved=1)
            )
    least, none = f"{found.bias}/least", f"{found.bias}/none"
    if none not in shared:
        shared[none] = None
        zero = weight("zero", np.zeros((), np.float32))
        nodes.append(helper.make_node("ReduceMin", [found.bias], [least], least, keepdims=0))
        nodes.append(helper.make_node("Equal", [least, zero], [none], none))
    last, number = found.last, found.sides[0].number
    options: dict[str, Any] = {"num_heads": number, "scale": found.scale, "domain": OWN}
    # By itself onnxruntime 1.20 repeats a bias for all heads wrongly.
    repeated = f"{last.output[0]}/bias"
    times = weight(f"heads/{number}", np.array([1, number, 1, 1]))
    repeat = helper.make_node("Expand", [found.bias, times], [repeated], repeated)
    branches = {}
    for kind, first, more in (
        ("then_branch", [], []),
        ("else_branch", [repeat], ["", "", repeated]),
    ):
        name = f"{last.output[0]}/{kind}"
        node = helper.make_node("MultiHeadAttention", [*inputs, *more], [name], name, **options)
        output = helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
        branches[kind] = helper.make_graph([*first, node], kind, [], [output])
    return [*nodes, helper.make_node("If", [none], [last.output[0]], last.name, **branches)]


def has_same_scores(model: Any, other: Any) -> bool:
    """Whether two networks agree on two short windows, one of them padded."""
    ids = np.arange(32, dtype=np.int64).reshape(2, 16) % 8
    mask = np.ones_like(ids)
    mask[1, 9:] = 0
    try:
        one, two = (_runner(each)(["scores"], (ids, 1 - mask, mask))[0] for each in (model, other))
    except Exception:  # the library has an exception for every way to fail
        return False
    return bool(np.abs(one - two)[mask == 1].max() < _CLOSE * max(1.0, np.abs(one).max()))


# Scores without torch: an exported network run by onnxruntime.


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
    require("onnxruntime")
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


CUDA = "CUDAExecutionProvider"


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
        said = " ".join(str(error).split())[:200]
        raise DataError(f"{path} cannot be run: {said}") from error
    if providers and CUDA not in session.get_providers():  # it falls back without a word
        raise UsageError("device=cuda cannot be used: onnxruntime finds no GPU or no CUDA library")
    wanted = {one.name for one in session.get_inputs()}

    def score(
        ids: NDArray[np.int64], types: NDArray[np.int64], mask: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        batch = zip(INPUTS, (ids, types, mask), strict=True)
        scores = session.run(None, {name: part for name, part in batch if name in wanted})[0]
        return np.asarray(scores, dtype=np.float32)

    return score


# Export: a trained network as ONNX files that run without torch, float and 8-bit.


OPSET = 17


def export(
    source: Path,
    folder: Path,
    batches: Sequence[TokenBatch] = (),
    *,
    small: bool = True,
    keep_float: bool = True,
) -> list[Path]:
    """Write what ``span(model=FOLDER)`` needs; the files that were written.

    Batches of the windows that were learnt from, a hundred windows or so, make the 8-bit network
    answer more nearly as the float one does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    network = load_network(str(source), attention="eager").eval()
    path = folder / FLOAT
    with _still():
        _to_onnx(network, path)
        written = [path]
        if small:
            written.append(_quantised(path, folder / SMALL, batches))
    if small and not keep_float:
        path.unlink()
        written.remove(path)
    for name in (TOKENS_FILE, FILE):
        if (source / name).resolve() != (folder / name).resolve():
            shutil.copyfile(source / name, folder / name)
        written.append(folder / name)
    return written


@contextmanager
def _still() -> Iterator[None]:
    """Keep the libraries' warnings back: of traces and of quantising, none is for a user."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _to_onnx(network: Any, path: Path) -> None:
    torch, _ = torch_parts()
    ids = torch.ones((2, 16), dtype=torch.long)
    with torch.inference_mode():
        torch.onnx.export(
            network,
            (ids, torch.zeros_like(ids), torch.ones_like(ids)),
            str(path),
            input_names=list(INPUTS),
            output_names=["scores"],
            dynamic_axes={name: {0: "windows", 1: "tokens"} for name in [*INPUTS, "scores"]},
            opset_version=OPSET,
            dynamo=False,
        )


def _quantised(source: Path, target: Path, batches: Sequence[TokenBatch]) -> Path:
    """Weights as 8-bit numbers, a scale a column; activations are measured as they come.

    The heads stay in float: they are a thousandth of the weights, and their sums are the scores.
    """
    require("onnx", "onnxruntime")
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    model = onnx.load(source)
    quick = fused(model)
    model = equalised(quick if has_same_scores(model, quick) else model, batches)
    products = [node.name for node in model.graph.node if node.op_type == "MatMul"]
    quantize_dynamic(
        model,
        target,
        per_channel=True,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul", "Gemm", "Gather"],
        nodes_to_exclude=products[-1:],
        extra_options={"MatMulConstBOnly": True},
    )
    return target
