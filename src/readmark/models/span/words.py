"""The head that tells words: over an encoder's own embeddings, kept beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readmark.models.span.network import fill, torch_parts

FILE = "words.safetensors"


def make_words(encoder: Any, folder: str | Path = "") -> Any:
    """A head with what the encoder's folder has of one; new where it has none."""
    torch, _ = torch_parts()
    config = encoder.config
    words = encoder.get_input_embeddings()
    count, width = words.weight.shape

    class Words(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.dense = torch.nn.Linear(config.hidden_size, width)
            self.norm = torch.nn.LayerNorm(width, eps=config.layer_norm_eps)
            self.bias = torch.nn.Parameter(torch.zeros(count))
            torch.nn.init.normal_(self.dense.weight, std=0.02)
            torch.nn.init.zeros_(self.dense.bias)

        def scores(self, states: Any) -> Any:
            """A score for every word of the vocabulary."""
            do = torch.nn.functional
            told = self.norm(do.gelu(self.dense(states)))
            return do.linear(told, words.weight, self.bias.to(told.dtype))

    made = Words()
    path = Path(folder) / FILE
    if folder and path.is_file():
        fill(made, path)
    return made


def save_words(words: Any, folder: Path) -> None:
    """Write the head beside its encoder."""
    from safetensors.torch import save_file

    state = {name: one.contiguous().cpu() for name, one in words.state_dict().items()}
    save_file(state, folder / FILE)
