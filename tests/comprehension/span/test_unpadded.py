"""Windows end to end against windows side by side: the same states, scores and gradients."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from readmark.comprehension.span.batches import batch, batches, to_device
from readmark.comprehension.span.lessons import PackedWindows
from readmark.comprehension.span.network import make_network
from readmark.comprehension.span.optimisation import teaching_loss
from readmark.comprehension.span.settings import SpanPlan
from readmark.comprehension.span.teachers import teacher_probabilities
from readmark.comprehension.span.unpadded import Unpadded, room_for, row, rows

pytestmark = [pytest.mark.torch, pytest.mark.slow]
torch: Any = None
transformers: Any = None


@pytest.fixture(scope="module", autouse=True)
def parts() -> None:
    """What takes seconds to import is imported when a test runs."""
    global torch, transformers
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")


@pytest.fixture(scope="module")
def lessons() -> PackedWindows:
    draw = np.random.default_rng(3)
    sizes = draw.integers(9, 60, 23).astype(np.int32)
    splits = np.full(23, 5, np.int32)
    counts = (sizes - 6).astype(np.int32)
    starts = (splits + draw.integers(0, 2, 23)).astype(np.int32)
    return PackedWindows(
        draw.integers(1, 50, int(sizes.sum())).astype(np.int32),
        sizes,
        splits,
        splits,
        counts,
        starts,
        (starts + 1).astype(np.int32),
        np.ones(23, np.float32),
    )


def encoder_of(kind: str) -> Any:
    """One of each kind; a head of ten is one that fused attention wants wider."""
    torch.manual_seed(1)
    plain = {"vocab_size": 50, "hidden_size": 30, "num_hidden_layers": 2, "intermediate_size": 44}
    plain |= {"num_attention_heads": 3, "max_position_embeddings": 512}
    electra = transformers.ElectraConfig(embedding_size=12, **plain)
    if kind == "electra":
        return transformers.ElectraModel(electra)
    if kind == "roformer":
        return transformers.RoFormerModel(transformers.RoFormerConfig(**plain))
    return transformers.BertModel(transformers.BertConfig(**plain), add_pooling_layer=False)


@pytest.mark.parametrize("kind", ["bert", "electra", "roformer"])
def test_states_and_gradients_are_those_of_padded_windows(
    kind: str, lessons: PackedWindows
) -> None:
    encoder = encoder_of(kind).eval()
    for weights in encoder.parameters():  # zero biases would hide a wrong place
        torch.nn.init.normal_(weights, std=0.3)
    data = to_device(torch, lessons, "cpu")
    room = room_for(lessons, 8)
    unpadded = Unpadded(torch, encoder, half=False)
    for places in rows(lessons, room, 5):
        laid = row(torch, data, places, room, "cpu")
        assert len(laid["ids"]) == room.tokens
        end_to_end = unpadded.states(laid["ids"], laid)[laid["grid"]]
        side = batch(torch, data, places, "cpu")
        padded = encoder(
            input_ids=side["ids"], token_type_ids=side["types"], attention_mask=side["mask"]
        ).last_hidden_state
        within = side["mask"].bool()
        torch.testing.assert_close(end_to_end[within], padded[within], atol=2e-4, rtol=2e-4)
        for name in ("open", "answers", "weights"):
            assert torch.equal(laid[name], side[name])
        assert torch.equal(laid["free"][laid["grid"]][within], side["free"][within])
        weigh = torch.randn(end_to_end.shape) * within.unsqueeze(-1)
        gradients = []
        for states in (end_to_end, padded):
            encoder.zero_grad()
            (states * weigh).sum().backward()
            gradients.append(
                {n: p.grad.clone() for n, p in encoder.named_parameters() if p.grad is not None}
            )
        for name, gradient in gradients[0].items():
            torch.testing.assert_close(
                gradient,
                gradients[1][name],
                atol=2e-2,
                rtol=2e-3,
            )


def test_every_window_is_in_one_row_and_fits(lessons: PackedWindows) -> None:
    room = room_for(lessons, 4)
    drawn = list(rows(lessons, room, 9))
    assert sorted(int(place) for places in drawn for place in places) == list(range(len(lessons)))
    assert all(int(lessons.sizes[places].sum()) <= room.tokens for places in drawn)
    assert all(len(places) <= room.windows for places in drawn)


def test_what_teachers_predict_follows_the_tokens(lessons: PackedWindows) -> None:
    teachings = torch.rand(len(lessons.ids), 2).half()
    data = to_device(torch, lessons, "cpu", teachings)
    room = room_for(lessons, 8)
    places = next(iter(rows(lessons, room, 5)))
    side = batch(torch, data, places, "cpu")
    within = side["mask"].bool()
    laid = row(torch, data, places, room, "cpu")
    assert torch.equal(laid["teachings"][within], side["teachings"][within])
    first = next(iter(batches(lessons, 1, 1)))
    begins = int(lessons.sizes[: first[0]].sum())
    of_window = batch(torch, data, first, "cpu")["teachings"][0]
    assert torch.equal(of_window, teachings[begins : begins + int(lessons.sizes[first[0]])])


def test_what_teachers_predict_past_a_windows_end_counts_nowhere(lessons: PackedWindows) -> None:
    teachings = torch.rand(len(lessons.ids), 2)
    data = to_device(torch, lessons, "cpu", teachings)
    room = room_for(lessons, 8)
    places = next(iter(rows(lessons, room, 5)))
    scores = torch.randn(len(lessons.ids), 2)
    begins = np.concatenate([[0], np.cumsum(lessons.sizes)])
    expected = []
    for place in places:
        tokens = slice(int(begins[place]), int(begins[place + 1]))
        low, count = int(lessons.lows[place]), int(lessons.counts[place])
        is_open = torch.zeros(int(lessons.sizes[place]), dtype=torch.bool)
        is_open[0] = True
        is_open[low : low + count] = True
        logs = scores[tokens][is_open].log_softmax(0)
        expected.append(-(teachings[tokens][is_open] * logs).sum(0))
    for windows in (row(torch, data, places, room, "cpu"), batch(torch, data, places, "cpu")):
        width = windows["open"].shape[1]
        where = torch.from_numpy(begins[places]).unsqueeze(1) + torch.arange(width)
        loss = teaching_loss(scores[where.clamp(max=len(scores) - 1)], windows)
        torch.testing.assert_close(loss, torch.stack(expected).mean())


@pytest.mark.parametrize("kind", ["bert", "electra", "roformer"])
def test_teachers_predict_the_same_end_to_end_as_side_by_side(
    kind: str, lessons: PackedWindows
) -> None:
    teachers = [make_network(encoder_of(kind), 30) for _ in range(2)]
    torch.manual_seed(5)
    torch.nn.init.normal_(teachers[1].heads.weight, std=1.0)
    side, laid = (
        teacher_probabilities(
            torch, lessons, teachers, SpanPlan(batch=4, unpadded=how), "cpu"
        ).float()
        for how in (False, True)
    )
    assert torch.allclose(side, laid, atol=2e-3)
    begins = np.concatenate([[0], np.cumsum(lessons.sizes)])
    for first, last in pairwise(begins.tolist()):
        assert torch.allclose(laid[first:last].sum(0), torch.ones(2), atol=0.02)
