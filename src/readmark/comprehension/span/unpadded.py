"""Windows laid end to end, as a GPU reads them fastest: no padding, one shape for every step.

The weights are those of a BERT, an ELECTRA or a RoFormer; only the way through them is written
anew, since transformers' own leaves most of a large GPU idle on small encoders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from readmark.comprehension.span.lessons import PackedWindows
from readmark.core.extras import require

KINDS = ("bert", "electra", "roformer")
WIDEST = 512
"""No window has more tokens: what a BERT has places for."""
_ALIGN = 8
"""A head's width is made a multiple of this, which fused attention wants."""


@dataclass(frozen=True, slots=True)
class Room:
    """How many tokens and windows every step has room for."""

    tokens: int
    windows: int


def is_unpadded(encoder: Any, device: str, wanted: bool | None) -> bool:
    """Whether an encoder's windows are laid end to end; by default on a GPU."""
    able = encoder.config.model_type in KINDS
    return able and (device.startswith("cuda") if wanted is None else wanted)


def room_for(lessons: PackedWindows, batch: int) -> Room:
    """Room for about as many windows as a batch has."""
    tokens = max(WIDEST, int(batch * lessons.sizes.mean()))
    return Room(-(-tokens // 256) * 256, 2 * batch)  # twice: where windows are short, more fit


def rows(lessons: PackedWindows, room: Room, seed: int) -> Iterator[Any]:
    """Windows in an order that is drawn, as many at a time as there is room for."""
    order = np.random.default_rng(seed).permutation(len(lessons))
    first = tokens = 0
    for index, place in enumerate(order):
        size = int(lessons.sizes[place])
        if tokens + size > room.tokens or index - first == room.windows:
            yield order[first:index]
            first, tokens = index, 0
        tokens += size
    if first < len(order):
        yield order[first:]


def row(torch: Any, data: dict[str, Any], places: Any, room: Room, device: str) -> dict[str, Any]:
    """Windows end to end, as ``to_device`` has them; the room left has windows of nothing.

    ``edges`` is where each window begins, ``grid`` where its tokens are in the row: by it, scores
    of the row are put side by side, as ``open``, ``answers`` and ``weights`` are.
    """
    sizes = data["host_sizes"][places].astype(np.int64)
    total = int(sizes.sum())
    starts = np.concatenate([[0], np.cumsum(sizes)])
    filler = np.arange(total + WIDEST, room.tokens + WIDEST, WIDEST)
    edges = np.full(room.windows + room.tokens // WIDEST + 2, room.tokens, np.int32)
    edges[: len(starts)] = starts
    edges[len(starts) : len(starts) + len(filler)] = np.minimum(filler, room.tokens)
    chosen, begins, lengths = (
        torch.from_numpy(array).to(device, non_blocking=True)
        for array in (np.ascontiguousarray(places), starts[:-1].copy(), sizes)
    )
    window_of = torch.repeat_interleave(
        torch.arange(len(sizes), device=device), lengths, output_size=total
    )
    positions = torch.arange(total, device=device) - begins[window_of]
    where = data["offsets"][chosen][window_of] + positions
    lows, counts, answers = data["lows"][chosen], data["counts"][chosen], data["answers"][chosen]
    in_passage = (positions >= lows[window_of]) & (positions < (lows + counts)[window_of])
    in_answer = (positions >= answers[window_of, 0]) & (positions <= answers[window_of, 1])
    steps = torch.arange(int(sizes.max()), device=device)
    grid = (begins.unsqueeze(1) + steps).clamp_(max=room.tokens - 1)
    low = lows.unsqueeze(1)
    is_open = (steps >= low) & (steps < low + counts.unsqueeze(1))
    is_open[:, 0] = True  # the place of no answer
    rest = (0, room.tokens - total)
    fill = torch.nn.functional.pad
    windows = {
        "ids": fill(data["ids"][where].long(), rest),
        "types": fill((positions >= data["splits"][chosen][window_of]).long(), rest),
        "positions": fill(positions, rest),
        "free": fill(in_passage & ~in_answer, rest),
        "edges": torch.from_numpy(edges).to(device, non_blocking=True),
        "where": where,
        "sizes": lengths,
        "grid": grid,
        "open": is_open,
        "answers": answers,
        "weights": data["weights"][chosen],
    }
    if "teachings" in data:
        windows["teachings"] = fill(data["teachings"][where], (0, 0, *rest))[grid]
    return windows


class Unpadded:
    """The way through an encoder for windows that lie end to end."""

    def __init__(self, torch: Any, encoder: Any, *, half: bool) -> None:
        self._torch = torch
        self._encoder = encoder
        config = encoder.config
        self._options = {
            "heads": config.num_attention_heads,
            "eps": config.layer_norm_eps,
            "dtype": torch.bfloat16 if half else torch.float32,
        }
        self._dropout = config.hidden_dropout_prob
        self._layer: Callable[..., Any] = _layer
        if next(encoder.parameters()).is_cuda:
            self._layer = torch.compile(_layer, dynamic=False)

    def states(self, ids: Any, windows: dict[str, Any]) -> Any:
        """A vector for every token of a row."""
        torch, encoder = self._torch, self._encoder
        dropout = self._dropout if encoder.training else 0.0
        embeddings = encoder.embeddings
        states = embeddings.word_embeddings(ids)
        states = states + embeddings.token_type_embeddings(windows["types"])
        turn = None
        if encoder.config.model_type == "roformer":
            turn = self._turn(encoder.encoder.embed_positions.weight[windows["positions"]])
        else:
            states = states + embeddings.position_embeddings(windows["positions"])
        states = torch.nn.functional.dropout(embeddings.LayerNorm(states), dropout, True)
        if hasattr(encoder, "embeddings_project"):
            states = encoder.embeddings_project(states)
        states = states.to(self._options["dtype"])
        for layer in encoder.encoder.layer:
            states = self._layer(
                states, _weights(layer), windows["edges"], turn, dropout=dropout, **self._options
            )
        return states

    def _turn(self, angles: Any) -> Any:
        """Sine and cosine of each token's position, for each pair of a head's numbers."""
        torch, dtype = self._torch, self._options["dtype"]
        sines_cosines = torch.stack(angles.chunk(2, -1)).repeat_interleave(2, -1)
        spare = -sines_cosines.shape[-1] % _ALIGN
        return torch.nn.functional.pad(sines_cosines, (0, spare)).unsqueeze(2).to(dtype)


def _weights(layer: Any) -> list[Any]:
    attention, output = layer.attention.self, layer.attention.output
    parts = [attention.query, attention.key, attention.value, output.dense, output.LayerNorm]
    parts += [layer.intermediate.dense, layer.output.dense, layer.output.LayerNorm]
    return [weights for part in parts for weights in (part.weight, part.bias)]


def _layer(
    states: Any,
    weights: list[Any],
    edges: Any,
    turn: Any,
    *,
    dropout: float,
    heads: int,
    eps: float,
    dtype: Any,
) -> Any:
    """One layer: attention within each window, then two dense ones."""
    require("torch")
    import torch

    functional = torch.nn.functional
    # Names that end in 0 are biases.
    query, query0, key, key0, value, value0, mix, mix0, norm, norm0 = weights[:10]
    wide, wide0, back, back0, last, last0 = weights[10:]
    width = query.shape[0] // heads
    spare = -width % _ALIGN
    # What fused attention divides by is the width it sees, not the head's own.
    scale = ((width + spare) / width) ** 0.5

    def spread(array: Any, factor: float = 1.0) -> Any:
        by_head = (array * factor).reshape(heads, width, -1)
        return functional.pad(by_head, (0, 0, 0, spare)).reshape(heads * (width + spare), -1)

    # One product for all three, which is faster than three.
    joint = torch.cat([spread(query, scale), spread(key), spread(value)]).to(dtype)
    joint0 = torch.cat([spread(query0, scale), spread(key0), spread(value0)]).squeeze(1).to(dtype)
    by_head = functional.linear(states, joint, joint0).view(len(states), 3, heads, width + spare)
    queries, keys, values = by_head.unbind(1)
    if turn is not None:
        queries, keys = rotated(queries, turn), rotated(keys, turn)
    attended = attend(queries, keys, values, edges)
    mix = functional.pad(mix.reshape(-1, heads, width), (0, spare)).reshape(len(mix), -1)
    update = functional.linear(attended.reshape(len(states), -1), mix.to(dtype), mix0.to(dtype))
    update = states.float() + functional.dropout(update, dropout, True).float()
    states = functional.layer_norm(update, norm.shape, norm, norm0, eps).to(dtype)
    update = functional.gelu(functional.linear(states, wide.to(dtype), wide0.to(dtype)))
    update = functional.linear(update, back.to(dtype), back0.to(dtype))
    update = states.float() + functional.dropout(update, dropout, True).float()
    return functional.layer_norm(update, last.shape, last, last0, eps).to(dtype)


def rotated(heads: Any, turn: Any) -> Any:
    """Queries or keys turned by their positions, two numbers of a head at a time (RoFormer)."""
    require("torch")
    import torch

    sine, cosine = turn
    quarter_turn = torch.stack([-heads[..., 1::2], heads[..., ::2]], -1).reshape(heads.shape)
    return heads * cosine + quarter_turn * sine


def attend(query: Any, key: Any, value: Any, edges: Any) -> Any:
    """Each window's tokens to one another: (tokens, heads, width) in and out."""
    require("torch")
    import torch

    if query.is_cuda:
        from torch.nn.attention.varlen import varlen_attn

        return varlen_attn(query, key, value, edges, edges, WIDEST, WIDEST)
    windows = [
        torch.nn.functional.scaled_dot_product_attention(
            *(side[first:last].transpose(0, 1) for side in (query, key, value))
        ).transpose(0, 1)
        for first, last in pairwise(edges.tolist())
        if last > first
    ]
    return torch.cat(windows)
