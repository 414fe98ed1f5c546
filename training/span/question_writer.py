"""Writing a question: one encoder that sees its source whole and its own words as they come.

"Unified Language Model Pre-training for Natural Language Understanding and Generation", Dong and
others, 2019; SimBERT was trained this way, to write questions like the one it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from readmark.comprehension.span.network import torch_parts
from readmark.comprehension.span.unpadded import rotated
from training.span.questions import QUESTION, Source, questions_of, side_by_side

_SHUT = -1e4
_SMOOTH = 0.1
_ENOUGH = 0.995


def make_writer(encoder: Any, words: Any) -> Any:
    """An encoder with a head that predicts words; its forward gives the loss of known questions."""
    torch, _ = torch_parts()
    do = torch.nn.functional
    config = encoder.config
    heads = config.num_attention_heads
    narrow = encoder.get_input_embeddings().weight.shape[1]
    rotary = config.model_type == "roformer"

    class Writer(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.encoder = encoder
            self.words = words
            self.marks = torch.nn.Embedding(2, narrow)
            torch.nn.init.normal_(self.marks.weight, std=0.02)

        def known(self, ids: Any, types: Any, positions: Any, marks: Any | None) -> Any:
            held = self.encoder.embeddings
            summed = held.word_embeddings(ids) + held.token_type_embeddings(types)
            if not rotary:
                summed = summed + held.position_embeddings(positions)
            if marks is not None:
                summed = summed + self.marks(marks)
            found = do.dropout(held.LayerNorm(summed), self._dropout(), self.training)
            if hasattr(self.encoder, "embeddings_project"):
                found = self.encoder.embeddings_project(found)
            return found

        def _dropout(self) -> float:
            return float(config.hidden_dropout_prob)

        def _turn(self, positions: Any) -> Any:
            """Sine and cosine of positions, for each pair of a head's numbers."""
            angles = self.encoder.encoder.embed_positions.weight[positions]
            both = torch.stack(angles.chunk(2, -1)).repeat_interleave(2, -1)
            return both.unsqueeze(1) if positions.dim() == 1 else both.unsqueeze(2)

        def through(
            self, states: Any, seen: Any, positions: Any, past: Sequence[Any] = ()
        ) -> tuple[Any, Any]:
            """States through all layers, after the cached ones; keys and values to cache."""
            kept = []
            turn = self._turn(positions) if rotary else None
            for at, layer in enumerate(self.encoder.encoder.layer):
                own = layer.attention.self
                query, key, value = (
                    part(states).unflatten(-1, (heads, -1)).transpose(1, 2)
                    for part in (own.query, own.key, own.value)
                )
                if turn is not None:
                    query, key = rotated(query, turn), rotated(key, turn)
                if past:
                    key = torch.cat([past[at][0], key], 2)
                    value = torch.cat([past[at][1], value], 2)
                kept.append((key, value))
                mixed = do.scaled_dot_product_attention(query, key, value, attn_mask=seen)
                out = layer.attention.output
                told = do.dropout(
                    out.dense(mixed.transpose(1, 2).flatten(2)), self._dropout(), self.training
                )
                states = out.LayerNorm(states + told)
                told = layer.output.dense(do.gelu(layer.intermediate.dense(states)))
                told = do.dropout(told, self._dropout(), self.training)
                states = layer.output.LayerNorm(states + told)
            return states, kept

        def source(self, ids: Any, marks: Any, there: Any) -> Any:
            """Keys and values of a source."""
            positions = torch.arange(ids.shape[1], device=ids.device)
            states = self.known(ids, torch.zeros_like(ids), positions, marks)
            return self.through(states, _bias(there, states)[:, None, None], positions)[1]

        def scores(
            self, written: Any, types: Any, places: Any, seen: Any, past: Any
        ) -> tuple[Any, Any]:
            """Of every word, after the words written; with the keys and values of all."""
            states = self.known(written, types, places, None)
            states, kept = self.through(states, seen, places, past)
            return self.words.scores(states), kept

        def forward(self, some: Sequence[Source]) -> Any:
            device = self.marks.weight.device
            ids, marks, there, told, sizes = _tensors(torch, some, device)
            past = self.source(ids, marks, there)
            # The end of the source is the first word that a question is written after.
            written = torch.cat([torch.full_like(told[:, :1], _end(some)), told[:, :-1]], 1)
            steps = torch.arange(told.shape[1], device=device)
            types = (steps > 0).long().expand_as(written)
            places = there.sum(1, keepdim=True) + steps
            own = _bias((steps <= steps[:, None]).expand(len(ids), -1, -1), past[0][0])
            before = _bias(there, own)[:, None].expand(-1, len(steps), -1)
            seen = torch.cat([before, own], -1)[:, None]
            scores, _ = self.scores(written, types, places, seen, past)
            inside = steps < sizes[:, None]
            return do.cross_entropy(scores[inside].float(), told[inside], label_smoothing=_SMOOTH)

    return Writer()


def write(
    writer: Any, sources: Sequence[Source], *, warmth: float, drawn: Any, half: bool = False
) -> list[list[int]]:
    """A question's tokens for each source; ``warmth`` 0 takes the likeliest word each time."""
    torch, _ = torch_parts()
    writer.eval()
    device = writer.marks.weight.device
    end = _end(sources)
    kind = device.type
    with torch.inference_mode(), torch.autocast(kind, torch.bfloat16, enabled=half):
        ids, marks, there, _, _ = _tensors(torch, sources, device)
        past = writer.source(ids, marks, there)
        seen = _bias(there, past[0][0])
        word = torch.full((len(sources), 1), end, device=device)
        places = there.sum(1, keepdim=True)
        done = torch.zeros(len(sources), dtype=torch.bool, device=device)
        written = []
        for step in range(QUESTION):
            seen = torch.cat([seen, torch.zeros_like(seen[:, :1])], 1)
            types = torch.full_like(word, min(step, 1))
            scores, past = writer.scores(word, types, places + step, seen[:, None, None], past)
            scores = scores[:, -1].float()
            scores[:, :end] = _SHUT  # padding, unknown
            if warmth:
                noise = torch.empty_like(scores).exponential_(generator=drawn).log()
                scores = scores / warmth - noise
            word = scores.argmax(-1, keepdim=True)
            written.append(word)
            done |= word[:, 0] == end
            # The few that find no end are given up.
            if step % 4 == 3 and float(done.float().mean()) > _ENOUGH:
                break
        found = torch.cat(written, 1).tolist()
    return [_until(row, end) for row in found]


def _until(row: list[int], end: int) -> list[int]:
    return row[: row.index(end)] if end in row else []


def _end(sources: Sequence[Source]) -> int:
    return int(sources[0].question[-1])


def _bias(open_: Any, like: Any) -> Any:
    """What attention adds: nothing where a place may be seen."""
    return (1 - open_.to(like.dtype)) * _SHUT


def _tensors(torch: Any, sources: Sequence[Source], device: Any) -> tuple[Any, ...]:
    ids, marks, there = side_by_side(sources)
    told, sizes = questions_of(sources)
    return tuple(
        torch.from_numpy(one.astype(np.int64)).to(device)
        for one in (ids, marks, there, told, sizes)
    )
