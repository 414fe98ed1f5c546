"""Masked words as a second lesson: the encoder predicts hidden tokens of the passage as well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readmark.comprehension.span.network import load_weights, save_weights, torch_parts

WORDS_FILE = "words.safetensors"

_STARTS = 0.5
"""Of the tokens that are hidden how many begin a run; runs have up to three tokens."""
_GOES_ON = 0.6
"""How often the token after a hidden one is hidden too."""
_MASKED, _MASKED_OR_OTHER = 0.8, 0.9
"""BERT's shares: eight of ten hidden tokens become the mask, one another token, one stays."""


def make_masker(words: Any, *, share: float, mask: int) -> Any:
    """The hiding of tokens, and what a head that predicts words makes of it."""
    torch, _ = torch_parts()
    vocabulary = len(words.bias)

    class Masker(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.words = words

        def hide(self, ids: Any, free: Any) -> tuple[Any, Any]:
            """Ids with some of those that are free hidden, and which."""
            chosen = torch.rand(ids.shape, device=ids.device) < share * _STARTS
            for _ in range(2):
                goes_on = torch.rand(ids.shape, device=ids.device) < _GOES_ON
                chosen = chosen | (torch.roll(chosen, 1, -1) & goes_on)
            chosen &= free
            draw = torch.rand(ids.shape, device=ids.device)
            other = torch.randint(0, vocabulary, ids.shape, device=ids.device)
            hidden = torch.where(
                draw < _MASKED, mask, torch.where(draw < _MASKED_OR_OTHER, other, ids)
            )
            return torch.where(chosen, hidden, ids), chosen

        def forward(self, states: Any, ids: Any, chosen: Any) -> Any:
            """The loss on the tokens that were hidden."""
            scores = self.words.scores(states[chosen]).float()
            return torch.nn.functional.cross_entropy(scores, ids[chosen])

    return Masker()


def make_words(encoder: Any, folder: str | Path = "") -> Any:
    """The head that predicts words, over the encoder's own embeddings.

    Its weights are those in the encoder's folder; new where there are none.
    """
    torch, _ = torch_parts()
    config = encoder.config
    embeddings = encoder.get_input_embeddings()
    vocabulary, width = embeddings.weight.shape

    class Words(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.dense = torch.nn.Linear(config.hidden_size, width)
            self.norm = torch.nn.LayerNorm(width, eps=config.layer_norm_eps)
            self.bias = torch.nn.Parameter(torch.zeros(vocabulary))
            torch.nn.init.normal_(self.dense.weight, std=0.02)
            torch.nn.init.zeros_(self.dense.bias)

        def scores(self, states: Any) -> Any:
            """A score for every word of the vocabulary."""
            functional = torch.nn.functional
            ready = self.norm(functional.gelu(self.dense(states)))
            return functional.linear(ready, embeddings.weight, self.bias.to(ready.dtype))

    words = Words()
    path = Path(folder) / WORDS_FILE
    if folder and path.is_file():
        load_weights(words, path)
    return words


def save_words(words: Any, folder: Path) -> None:
    """Write the head next to its encoder."""
    save_weights(words, folder / WORDS_FILE)
