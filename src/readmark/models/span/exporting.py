"""Export: a trained network as ONNX files that run without torch, float and 8-bit."""

from __future__ import annotations

import logging
import shutil
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from readmark.models.span import shape as shapes
from readmark.models.span import tokens
from readmark.models.span.equalising import Batch, equalised
from readmark.models.span.network import load_network, torch_parts
from readmark.models.span.onnx_scoring import FLOAT, SMALL

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
    for name in (tokens.FILE, shapes.FILE):
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
