"""Attention as one node of onnxruntime: the scores of torch, with and without padding."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from readmark.comprehension.span.network import make_network
from readmark.comprehension.span.onnx import export as exports
from readmark.comprehension.span.onnx.fusing import fused, has_same_scores
from readmark.comprehension.span.onnx.scoring import load_scorer

pytestmark = [pytest.mark.torch, pytest.mark.slow]
torch: Any = None
transformers: Any = None
onnx: Any = None
WHOLE, PADDED = 23, 17
"""Tokens of two windows; not the sixteen that the export itself compares."""


@pytest.fixture(scope="module", autouse=True)
def parts() -> None:
    """What takes seconds to import is imported when a test runs."""
    global torch, transformers, onnx
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")


def network_of(kind: str) -> Any:
    """Two layers with weights so large that tokens attend to few others."""
    torch.manual_seed(1)
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=50,
        hidden_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    encoder = transformers.AutoModel.from_config(config, attn_implementation="eager")
    network = make_network(encoder, 48).eval()
    with torch.no_grad():
        for weights in network.parameters():
            weights += 0.3 * torch.randn_like(weights)
    return network


def exported(network: Any, folder: Path) -> Any:
    with exports._no_library_warnings():
        exports._to_onnx(network, folder / "plain.onnx")
    return onnx.load(folder / "plain.onnx")


def kinds_of(model: Any) -> Counter[str]:
    return Counter(node.op_type for node in model.graph.node)


@pytest.mark.parametrize(
    ("kind", "attentions", "rotations"),
    [
        ("Bert", 2, 0),
        ("Electra", 2, 0),
        ("Roberta", 2, 0),
        ("RoFormer", 2, 4),
        ("MPNet", 0, 0),  # it adds a learnt bias to every pair
    ],
)
def test_a_fused_network_has_the_scores_of_torch(
    kind: str, attentions: int, rotations: int, tmp_path: Path
) -> None:
    network = network_of(kind)
    model = fused(exported(network, tmp_path))
    kinds = kinds_of(model)
    assert (kinds["If"], kinds["Softmax"]) == (attentions, 2 - attentions)
    assert (kinds["RotaryEmbedding"], kinds["Sum"]) == (rotations, 5)
    onnx.save(model, tmp_path / "fused.onnx")
    score = load_scorer(tmp_path / "fused.onnx")
    ids = np.random.default_rng(1).integers(5, 50, (2, WHOLE))
    types = (np.arange(WHOLE) > 6).astype(np.int64)[None].repeat(2, axis=0)
    for least in (WHOLE, PADDED):
        mask = np.ones_like(ids)
        mask[1, least:] = 0
        with torch.inference_mode():
            expected = network(*(torch.from_numpy(part) for part in (ids, types, mask))).numpy()
        scores = score(ids, types, mask)
        assert scores[mask == 1] == pytest.approx(expected[mask == 1], abs=1e-4)
        assert np.ptp(expected[mask == 1]) > 0.5


def attentions(model: Any) -> list[Any]:
    return [
        node
        for choice in model.graph.node
        if choice.op_type == "If"
        for branch in choice.attribute
        for node in branch.g.node
        if node.op_type == "MultiHeadAttention"
    ]


def test_a_network_that_computes_something_else_is_recognised(tmp_path: Path) -> None:
    plain = exported(network_of("RoFormer"), tmp_path)
    model = fused(plain)
    assert has_same_scores(plain, model)
    for node in attentions(model):
        (scale,) = (part for part in node.attribute if part.name == "scale")
        scale.f *= 2
    assert not has_same_scores(plain, model)
    for node in attentions(model):
        node.op_type = "NoSuchAttention"
    assert not has_same_scores(plain, model)


def test_8_bits_are_fused_where_the_scores_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = exported(network_of("Bert"), tmp_path)
    source, small = tmp_path / "plain.onnx", tmp_path / "small.onnx"
    with exports._no_library_warnings():
        exports._write_small(source, small, [])
        assert kinds_of(onnx.load(small))["If"] == 2
        other = fused(exported(network_of("Electra"), tmp_path))
        onnx.save(model, source)
        monkeypatch.setattr(exports, "fused", lambda _: other)
        exports._write_small(source, small, [])
        kinds = kinds_of(onnx.load(small))
    assert (kinds["If"], kinds["Softmax"]) == (0, 2)
