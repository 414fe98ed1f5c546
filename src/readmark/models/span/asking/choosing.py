"""What to ask for: stretches of a passage that a person might have asked about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from readmark.models.span.asking.sources import QUESTION
from readmark.models.span.batches import batch, batches, to_device
from readmark.models.span.lessons import Lesson, Packed, pack
from readmark.models.span.network import torch_parts
from readmark.models.span.shape import Shape
from readmark.models.span.tokens import Tokenizer

LONGEST = 100
"""Tokens of the longest stretch that is asked for."""
_WIDTH = 96
_AT_ONCE = 512


def make_chooser(network: Any) -> Any:
    """Scores of where an answer begins, and, given that, of where it ends.

    Apart, a start of one answer would go with the end of another.
    """
    torch, _ = torch_parts()
    hidden = network.encoder.config.hidden_size

    class Chooser(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.network = network
            self.begun = torch.nn.Linear(hidden, _WIDTH)
            self.over = torch.nn.Linear(hidden, _WIDTH)
            self.length = torch.nn.Parameter(torch.zeros(LONGEST))

        def states(self, one: dict[str, Any]) -> Any:
            return self.network.states(one["ids"], one["types"], one["mask"])

        def starts(self, states: Any, one: dict[str, Any]) -> Any:
            """A score for every token; what is no passage is never one."""
            inside = one["open"].clone()
            inside[:, 0] = False
            return self.network.heads(states)[..., 0].float().masked_fill(~inside, -1e4)

        def ends(self, states: Any, one: dict[str, Any], starts: Any) -> Any:
            """For (windows, some) starts a score for each length: (windows, some, LONGEST)."""
            rows = torch.arange(len(states), device=states.device).view(-1, 1)
            steps = torch.arange(LONGEST, device=states.device)
            places = starts.unsqueeze(-1) + steps
            past = places >= states.shape[1]
            places = places.clamp(max=states.shape[1] - 1)
            begun = self.begun(states[rows, starts])
            over = self.over(states)[rows.unsqueeze(-1), places]
            fit = (over * begun.unsqueeze(-2)).sum(-1) / _WIDTH**0.5
            alone = self.network.heads(states)[..., 1][rows.unsqueeze(-1), places]
            shut = past | ~one["open"][rows.unsqueeze(-1), places]
            return (fit + alone + self.length).float().masked_fill(shut, -1e4)

        def forward(self, one: dict[str, Any]) -> Any:
            """The loss of what people asked for."""
            states = self.states(one)
            first, last = one["answers"].unbind(1)
            starts = self.starts(states, one)
            ends = self.ends(states, one, first.unsqueeze(1)).squeeze(1)
            cross = torch.nn.functional.cross_entropy
            return cross(starts, first) + cross(ends, (last - first).clamp(max=LONGEST - 1))

    return Chooser()


def asked_for(lessons: Sequence[Lesson], shape: Shape, tokenizer: Tokenizer, seed: int) -> Packed:
    """Windows of passages alone, with what was asked for in them."""
    bare = [Lesson(one.text, "", one.spans) for one in lessons if one.spans]
    return pack(bare, shape, tokenizer, blank_share=0.0, seed=seed)


def choose_answers(
    chooser: Any,
    texts: Sequence[str],
    shape: Shape,
    tokenizer: Tokenizer,
    *,
    many: int,
    seed: int,
    half: bool = False,
) -> Iterator[tuple[int, int, int]]:
    """Up to ``many`` stretches of each text, drawn: its number, and where they begin and end."""
    torch, _ = torch_parts()
    device = str(next(chooser.parameters()).device)
    drawn = torch.Generator(device).manual_seed(seed)
    chooser.eval()
    for begun in range(0, len(texts), _AT_ONCE):
        some = texts[begun : begun + _AT_ONCE]
        cut = tokenizer.cut(some)
        # A passage must fit a window beside any question.
        fit = [at for at, one in enumerate(cut) if len(one.ids) <= shape.room(QUESTION)]
        bare = [Lesson(some[at], "", ()) for at in fit]
        packed = pack(bare, shape, tokenizer, blank_share=1.0)
        data = to_device(torch, packed, device)
        for places in batches(packed, _AT_ONCE, seed):
            one = batch(torch, data, places, device)
            kind = device.split(":")[0]
            with torch.inference_mode(), torch.autocast(kind, torch.bfloat16, enabled=half):
                states = chooser.states(one)
                starts = chooser.starts(states, one)
                noise = torch.empty_like(starts).exponential_(generator=drawn).log()
                first = (starts - noise).topk(min(many, starts.shape[1]), 1).indices
                ends = chooser.ends(states, one, first)
                noise = torch.empty_like(ends).exponential_(generator=drawn).log()
                last = first + (ends - noise).argmax(-1)
            low = one["answers"].new_tensor(packed.lows[places]).unsqueeze(1)
            for place, firsts, lasts in zip(
                places, (first - low).tolist(), (last - low).tolist(), strict=True
            ):
                tokens = cut[fit[place]]
                for start, end in sorted(set(zip(firsts, lasts, strict=True))):
                    if 0 <= start <= end < len(tokens.ids):
                        yield begun + fit[place], int(tokens.starts[start]), int(tokens.ends[end])
