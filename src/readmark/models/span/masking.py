"""Masked words as a second lesson: the encoder tells hidden tokens of the passage as well."""

from __future__ import annotations

from typing import Any

_STARTS = 0.5
"""Of the tokens that are hidden how many begin a run; runs have up to three tokens."""


def make_masker(torch: Any, network: Any, *, share: float, mask: int) -> Any:
    """A head over the encoder's own embeddings, and the hiding of tokens."""
    config = network.encoder.config
    words = network.encoder.get_input_embeddings()
    count, width = words.weight.shape

    class Masker(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.dense = torch.nn.Linear(config.hidden_size, width)
            self.norm = torch.nn.LayerNorm(width)
            self.bias = torch.nn.Parameter(torch.zeros(count))
            torch.nn.init.normal_(self.dense.weight, std=0.02)
            torch.nn.init.zeros_(self.dense.bias)

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
            functional = torch.nn.functional
            told = self.norm(functional.gelu(self.dense(states[chosen])))
            scores = functional.linear(told, words.weight, self.bias.to(told.dtype)).float()
            return functional.cross_entropy(scores, ids[chosen])

    return Masker()
