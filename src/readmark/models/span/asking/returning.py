"""The way back: a question is kept where a reader finds what it was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from readmark.models.span.batches import batch, batches, to_device
from readmark.models.span.lessons import Lesson, pack
from readmark.models.span.network import torch_parts
from readmark.models.span.shape import Shape
from readmark.models.span.tokens import Tokenizer

_AT_ONCE = 16_384


def found_again(
    reader: Any,
    lessons: Sequence[Lesson],
    shape: Shape,
    tokenizer: Tokenizer,
    *,
    least: float,
    size: int = 256,
    half: bool = False,
) -> Iterator[bool]:
    """For each lesson of one answer and one window whether the best span overlaps it enough.

    ``least`` is F1 in tokens.
    """
    torch, _ = torch_parts()
    reader.eval()
    device = str(next(reader.parameters()).device)
    for begun in range(0, len(lessons), _AT_ONCE):
        packed = pack(lessons[begun : begun + _AT_ONCE], shape, tokenizer, blank_share=0.0)
        if len(packed) != len(lessons[begun : begun + _AT_ONCE]):
            raise ValueError("a passage is longer than a window")
        data = to_device(torch, packed, device)
        kept = torch.zeros(len(packed), dtype=torch.bool)
        for places in batches(packed, size, 1):
            one = batch(torch, data, places, device)
            kind = device.split(":")[0]
            with torch.inference_mode(), torch.autocast(kind, torch.bfloat16, enabled=half):
                scores = reader(one["ids"], one["types"], one["mask"]).float()
            first, last = best_spans(torch, scores, one["open"], shape.answer)
            low, high = one["answers"].unbind(1)
            shared = (torch.minimum(last, high) - torch.maximum(first, low) + 1).clamp(min=0)
            overlap = 2 * shared / (last - first + high - low + 2)
            kept[torch.from_numpy(places)] = (overlap >= least).cpu()
        yield from kept.tolist()


def best_spans(torch: Any, scores: Any, open_: Any, longest: int) -> tuple[Any, Any]:
    """The first and last token of each window's likeliest span."""
    inside = open_.clone()
    inside[:, 0] = False
    shut = ~inside.unsqueeze(-1)
    starts, ends = scores.masked_fill(shut, -1e4).unbind(-1)
    width = starts.shape[1]
    sums = starts.unsqueeze(2) + ends.unsqueeze(1)
    steps = torch.arange(width, device=scores.device)
    reach = steps - steps.unsqueeze(1)
    sums = sums.masked_fill((reach < 0) | (reach >= longest), -1e9)
    best = sums.flatten(1).argmax(1)
    return best // width, best % width
