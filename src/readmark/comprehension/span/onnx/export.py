"""Export: a trained network as ONNX files that run without torch, float and 8-bit."""

from __future__ import annotations

import logging
import shutil
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from readmark.comprehension.span.network import load_network, torch_parts
from readmark.comprehension.span.onnx.equalising import equalised
from readmark.comprehension.span.onnx.fusing import fused, has_same_scores
from readmark.comprehension.span.onnx.graphs import INPUTS, TokenBatch
from readmark.comprehension.span.onnx.scoring import FLOAT, SMALL
from readmark.comprehension.span.shape import FILE
from readmark.comprehension.span.tokens import TOKENS_FILE
from readmark.core.extras import require

OPSET = 17  # the first with LayerNormalization as a node of its own


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
    with _no_library_warnings():
        _to_onnx(network, path)
        written = [path]
        if small:
            _write_small(path, folder / SMALL, batches)
            written.append(folder / SMALL)
    if small and not keep_float:
        path.unlink()
        written.remove(path)
    for name in (TOKENS_FILE, FILE):
        if (source / name).resolve() != (folder / name).resolve():
            shutil.copyfile(source / name, folder / name)
        written.append(folder / name)
    return written


@contextmanager
def _no_library_warnings() -> Iterator[None]:
    """Those on tracing and quantising are not for a user."""
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


def _write_small(source: Path, target: Path, batches: Sequence[TokenBatch]) -> None:
    """Write weights as 8-bit numbers, a scale a column; activations are measured as they come.

    The heads stay in float: they are a thousandth of the weights, and their sums are the scores.
    """
    require("onnx", "onnxruntime")
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    model = onnx.load(source)
    fused_model = fused(model)
    if has_same_scores(model, fused_model):
        model = fused_model
    model = equalised(model, batches)
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
