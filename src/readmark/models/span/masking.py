"""Masked words as a second lesson: the encoder tells hidden tokens of the passage as well."""

from __future__ import annotations

from typing import Any

from readmark.models.span.network import torch_parts

_STARTS = 0.5
"""Of the tokens that are hidden how many begin a run; runs have up to three tokens."""


def make_masker(words: Any, *, share: float, mask: int) -> Any:
    """The hiding of tokens, and what a head that tells words makes of it."""
    torch, _ = torch_parts()
    count = len(words.bias)

    class Masker(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.words = words

        def hide(self, ids: Any, free: Any) -> tuple[Any, Any]:
            """Ids with some of those that are free hidden, and which."""
            chosen = torch.rand(ids.shape, device=ids.device) < share * _STARTS
            for _ in range(2):
                after = torch.roll(chosen, 1, -1) & (torch.rand(ids.shape, device=ids.device) < 0.6)
                chosen = chosen | after
            chosen &= free
            way = torch.rand(ids.shape, device=ids.device)
            other = torch.randint(0, count, ids.shape, device=ids.device)
            hidden = torch.where(way < 0.8, mask, torch.where(way < 0.9, other, ids))
            return torch.where(chosen, hidden, ids), chosen

        def forward(self, states: Any, ids: Any, chosen: Any) -> Any:
            """The loss on the tokens that were hidden."""
            told = self.words.scores(states[chosen]).float()
            return torch.nn.functional.cross_entropy(told, ids[chosen])

    return Masker()
