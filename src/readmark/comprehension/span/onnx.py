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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.span.answers import Scorer
from readmark.comprehension.span.network import load_network, torch_parts
from readmark.comprehension.span.tokens import FILE, TOKENS_FILE
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require

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
    require("onnx")
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
    require("onnx")
    import onnx

    require("onnxruntime")
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
    providers = [CUDA] if device == "cuda" else []
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
        given: dict[str, Any] = {
            "input_ids": ids,
            "token_type_ids": types,
            "attention_mask": mask,
        }
        scores = session.run(None, {name: given[name] for name in given if name in wanted})[0]
        return np.asarray(scores, dtype=np.float32)

    return score


# Export: a trained network as ONNX files that run without torch, float and 8-bit.


OPSET = 17


def export(
    source: Path,
    folder: Path,
    batches: Sequence[Batch] = (),
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
    names = ["input_ids", "token_type_ids", "attention_mask"]
    with torch.inference_mode():
        torch.onnx.export(
            network,
            (ids, torch.zeros_like(ids), torch.ones_like(ids)),
            str(path),
            input_names=names,
            output_names=["scores"],
            dynamic_axes={name: {0: "windows", 1: "tokens"} for name in [*names, "scores"]},
            opset_version=OPSET,
            dynamo=False,
        )


def _quantised(source: Path, target: Path, batches: Sequence[Batch]) -> Path:
    """Weights as 8-bit numbers, a scale a column; activations are measured as they come.

    The heads stay in float: they are a thousandth of the weights, and their sums are the scores.
    """
    require("onnxruntime")
    from onnxruntime.quantization import QuantType, quantize_dynamic

    model = equalised(source, batches)
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
