"""Masked words: what may be hidden, what is learnt from it, and layers that are stacked."""

from __future__ import annotations

from typing import Any

import pytest

from readmark.comprehension.span.masking import make_masker, make_words
from readmark.comprehension.span.network import deepen, make_network
from readmark.core.errors import UsageError

pytestmark = [pytest.mark.torch, pytest.mark.slow]
torch: Any = None
transformers: Any = None


@pytest.fixture(scope="module", autouse=True)
def parts() -> None:
    """What takes seconds to import is imported when a test runs."""
    global torch, transformers
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")


MASK = 3


@pytest.fixture
def network() -> Any:
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=40,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=24,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    return make_network(transformers.BertModel(config, add_pooling_layer=False), 16)


def test_only_what_is_free_is_hidden_and_most_of_it_by_the_mask(network: Any) -> None:
    masker = make_masker(make_words(network.encoder), share=0.3, mask=MASK)
    ids = torch.randint(10, 40, (30, 60))
    free = torch.zeros_like(ids, dtype=torch.bool)
    free[:, 20:50] = True
    hidden, chosen = masker.hide(ids, free)
    assert not chosen[~free].any()
    assert torch.equal(hidden[~chosen], ids[~chosen])
    assert 0.2 < chosen[free].float().mean() < 0.4
    assert 0.7 < (hidden[chosen] == MASK).float().mean() < 0.9


def test_hidden_words_are_learnt(network: Any) -> None:
    masker = make_masker(make_words(network.encoder), share=0.3, mask=MASK)
    ids = torch.arange(8, 38).repeat(4, 1)
    free = torch.ones_like(ids, dtype=torch.bool)
    parameters = [*network.parameters(), *masker.parameters()]  # the embeddings are in both
    steps = torch.optim.AdamW({id(part): part for part in parameters}.values(), lr=1e-2)
    losses = []
    for _ in range(60):
        hidden, chosen = masker.hide(ids, free)
        states = network.states(hidden, torch.zeros_like(ids), torch.ones_like(ids))
        loss = masker(states, ids, chosen)
        steps.zero_grad()
        loss.backward()
        steps.step()
        losses.append(float(loss.detach()))
    assert sum(losses[-5:]) < sum(losses[:5]) / 2


def test_stacked_layers_begin_as_copies_and_part_ways(network: Any) -> None:
    encoder = network.encoder
    deepen(encoder, 5)
    layers = encoder.encoder.layer
    assert len(layers) == encoder.config.num_hidden_layers == 5
    weights = [layer.output.dense.weight for layer in layers]
    assert torch.equal(weights[0], weights[2])
    assert torch.equal(weights[1], weights[3])
    assert weights[0] is not weights[2]
    with pytest.raises(UsageError, match="cannot become 3"):
        deepen(encoder, 3)
