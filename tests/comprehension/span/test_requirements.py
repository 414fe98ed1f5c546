"""What a plan, an encoder and its windows are refused for, before anything is learnt."""

from types import SimpleNamespace
from typing import Any

import pytest

from readmark.comprehension.span.requirements import fit_shape, require_able, require_plan
from readmark.comprehension.span.settings import SpanPlan, SpanSettings
from readmark.comprehension.span.shape import SpanShape
from readmark.core.errors import DataError, UsageError


def network_with(**config: Any) -> Any:
    return SimpleNamespace(encoder=SimpleNamespace(config=SimpleNamespace(**config)))


@pytest.mark.parametrize(
    ("config", "length"),
    [
        ({"model_type": "bert", "max_position_embeddings": 64}, 64),
        ({"model_type": "bert", "max_position_embeddings": 512}, 200),
        ({"model_type": "roberta", "max_position_embeddings": 98, "pad_token_id": 1}, 96),
        ({"model_type": "xlnet"}, 200),
    ],
)
def test_windows_are_no_longer_than_the_encoder_reads(config: dict[str, Any], length: int) -> None:
    messages: list[str] = []
    shape = fit_shape(SpanShape(length=200), network_with(**config), messages.append)
    assert shape.length == length
    message = f"windows of {length} tokens instead of 200: the encoder reads no more"
    assert messages == ([] if length == 200 else [message])


def test_an_encoder_that_reads_next_to_nothing_is_refused() -> None:
    network = network_with(model_type="bert", max_position_embeddings=8)
    with pytest.raises(DataError, match="reads 8 tokens, expected 16 or more"):
        fit_shape(SpanShape(), network, print)


@pytest.mark.torch
@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ({"rate": float("nan")}, "the rate is nan, expected more than 0"),
        ({"rate": -1.0}, "the rate is -1, expected more than 0"),
        ({"rate": float("inf")}, "the rate is inf, expected more than 0"),
        ({"device": "toaster"}, "the device toaster cannot be used"),
        ({"patience": 2}, "patience needs marks"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(plan: dict[str, Any], message: str) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("transformers", reason="transformers is not installed")
    with pytest.raises(UsageError, match=message) as refusal:
        require_plan(SpanPlan(**plan), marked=False)
    assert "\n" not in str(refusal.value)


@pytest.mark.torch
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"layers": 3}, "the layers of a distilbert encoder cannot be stacked"),
        ({"dropout": 0.3}, "the dropout of a distilbert encoder cannot be set"),
        ({"masked": 0.1}, "a distilbert encoder cannot be taught masked words"),
    ],
)
def test_settings_that_an_encoder_cannot_have_are_refused(
    settings: dict[str, Any], message: str
) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    small = transformers.DistilBertConfig(vocab_size=9, dim=8, n_layers=1, n_heads=2, hidden_dim=8)
    small.hidden_dropout_prob = 0.3  # as it is when it was asked for
    with pytest.raises(UsageError, match=message):
        require_able(transformers.DistilBertModel(small), SpanSettings(**settings))
    tiny = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    bert = transformers.BertModel(transformers.BertConfig(vocab_size=9, **tiny))
    require_able(bert, SpanSettings(layers=2, dropout=0.1, masked=0.1))
