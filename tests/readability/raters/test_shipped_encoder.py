"""The encoder that ships: long texts are read whole, and a cut model gives the same numbers."""

from importlib.resources import files

import numpy as np
import pytest

from readmark.core.errors import DataError
from readmark.readability.raters.model import EmbeddingWeights
from readmark.readability.raters.sentence_vectors.onnx_file import cut_model
from readmark.readability.raters.sentence_vectors.shipped import (
    LAYER_OUTPUT,
    SIZE,
    shipped_encoder,
)


def test_long_texts_are_read_whole() -> None:
    encoder = shipped_encoder()
    text = "A girl lived by the sea with her aunt. " * 80  # over 700 pieces: two stretches
    once, again = encoder.embed(text), encoder.embed(text)
    assert once.shape == (SIZE,)
    assert (once == again).all()
    assert not np.allclose(once, encoder.embed(text[: len(text) // 2] + "Derivatives are taxed."))


def test_a_cut_model_gives_the_same_tensors_without_the_later_layers() -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    onnx = pytest.importorskip("onnx")
    folder = files("readmark") / "comprehension" / "span" / "weights" / "en"
    data = (folder / "model.int8.onnx").read_bytes()
    ids = np.array([[101, 2040, 2003, 2002, 102, 2002, 2003, 1037, 2158, 1012, 102]])
    inputs = {
        "input_ids": ids,
        "token_type_ids": np.zeros_like(ids),
        "attention_mask": np.ones_like(ids),
    }
    name = LAYER_OUTPUT.format(3)
    whole = onnx.load_from_string(data)
    nodes = len(whole.graph.node)
    whole.graph.output.append(
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None)
    )
    cut = cut_model(data, [name])
    full, short = (
        onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        for model in (whole.SerializeToString(), cut)
    )
    assert [output.name for output in short.get_outputs()] == [name]
    assert (full.run([name], inputs)[0] == short.run([name], inputs)[0]).all()
    assert len(onnx.load_from_string(cut).graph.node) < nodes / 2


def test_another_encoder_than_the_rater_was_made_for_is_an_error() -> None:
    weights = EmbeddingWeights((0.0,) * SIZE, 0.0, "000000000000")
    with pytest.raises(DataError, match="made for the encoder 000000000000"):
        weights.gain("It is so.")
