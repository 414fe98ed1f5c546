"""The network: a BERT-like encoder with two linear heads, in torch."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path
from typing import Any

from readmark.comprehension.hub import hub_secrets
from readmark.comprehension.span.tokens import TOKENS_FILE
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require

HEADS = "heads.safetensors"


def torch_parts() -> tuple[Any, Any]:
    """torch and transformers; whatever else training needs at its end is asked for now."""
    require("torch", "transformers", "safetensors", "onnx")
    import torch
    import transformers

    return torch, transformers


def make_network(encoder: Any, hidden: int) -> Any:
    """An encoder with heads; its forward gives (windows, tokens, 2) scores."""
    torch, _ = torch_parts()

    class SpanNetwork(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.encoder = encoder
            self.heads = torch.nn.Linear(hidden, 2)
            torch.nn.init.normal_(self.heads.weight, std=0.02)
            torch.nn.init.zeros_(self.heads.bias)

        def states(self, input_ids: Any, token_type_ids: Any, attention_mask: Any) -> Any:
            inputs = {"input_ids": input_ids, "attention_mask": attention_mask}
            if getattr(encoder.config, "type_vocab_size", 0) > 1:
                inputs["token_type_ids"] = token_type_ids
            return self.encoder(**inputs).last_hidden_state

        def forward(self, input_ids: Any, token_type_ids: Any, attention_mask: Any) -> Any:
            return self.heads(self.states(input_ids, token_type_ids, attention_mask))

    return SpanNetwork()


def deepen(encoder: Any, layers: int) -> None:
    """Stack an encoder's layers on themselves: "Efficient Training of BERT by Progressively
    Stacking", Gong and others, 2019."""
    torch, _ = torch_parts()
    present = list(encoder.encoder.layer)
    if layers < len(present):
        raise UsageError(f"the encoder has {len(present)} layers, which cannot become {layers}")
    copies = [copy.deepcopy(present[index % len(present)]) for index in range(len(present), layers)]
    encoder.encoder.layer = torch.nn.ModuleList([*present, *copies])
    encoder.config.num_hidden_layers = layers


def load_network(name: str, *, dropout: float | None = None, attention: str = "sdpa") -> Any:
    """The network of a folder or of a hub's name; heads are new where there are none."""
    torch, transformers = torch_parts()
    try:
        config = transformers.AutoConfig.from_pretrained(name, trust_remote_code=False)
        if dropout is not None:
            config.hidden_dropout_prob = dropout
            config.attention_probs_dropout_prob = dropout
        options: dict[str, Any] = {
            "config": config,
            "attn_implementation": attention,
            "trust_remote_code": False,
        }
        if config.model_type in ("bert", "mpnet", "roberta"):
            options["add_pooling_layer"] = False
        if config.model_type in ("mpnet", "roformer"):
            options["attn_implementation"] = "eager"
        encoder = transformers.AutoModel.from_pretrained(name, dtype=torch.float32, **options)
    except Exception as error:  # the libraries have one for every way to be damaged
        reason = hub_secrets().describe(error, 300)
        raise DataError(f"the encoder {name} cannot be loaded: {reason}") from error
    network = make_network(encoder, config.hidden_size)
    heads = Path(name) / HEADS
    if heads.is_file():
        load_weights(network.heads, heads)
    return network


def load_weights(part: Any, path: Path) -> None:
    """Load the weights of a part of a network; a damaged file is one line."""
    require("safetensors")
    from safetensors.torch import load_file

    try:
        part.load_state_dict(load_file(path))
    except Exception as error:  # the libraries have one for every way to be damaged
        reason = " ".join(str(error).split())[:200]
        raise DataError(f"{path} is damaged: {reason}") from error


def save_weights(part: Any, path: Path) -> None:
    """Write the weights of a part of a network."""
    require("safetensors")
    from safetensors.torch import save_file

    state = part.state_dict()
    save_file({name: weights.contiguous().cpu() for name, weights in state.items()}, path)


def save_network(network: Any, folder: Path) -> None:
    """Write encoder and heads next to the tokenizer, so that training can continue from there."""
    folder.mkdir(parents=True, exist_ok=True)
    network.encoder.save_pretrained(folder)
    save_weights(network.heads, folder / HEADS)


def copy_tokenizer(source: str, folder: Path) -> None:
    """The tokenizer of a folder or a hub's name, written as one file."""
    target = folder / TOKENS_FILE
    path = Path(source) / TOKENS_FILE
    if path.is_file():
        if path.resolve() != target.resolve():
            shutil.copyfile(path, target)
        return
    _, transformers = torch_parts()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            source, use_fast=True, trust_remote_code=False
        )
    except (OSError, ValueError) as error:
        reason = hub_secrets().describe(error, 300)
        raise DataError(
            f"{source} is not a folder with a tokenizer, and not found on the hub: {reason}"
        ) from error
    if not getattr(tokenizer, "is_fast", False):
        raise DataError(f"the tokenizer of {source} gives no offsets")
    tokenizer.backend_tokenizer.save(str(target))


def torch_scorer(network: Any) -> Any:
    """Scores by the network itself, where it is."""
    torch, _ = torch_parts()
    network.eval()
    device = next(network.parameters()).device

    def score(ids: Any, types: Any, mask: Any) -> Any:
        with torch.inference_mode():
            inputs = [torch.from_numpy(array).to(device) for array in (ids, types, mask)]
            return network(*inputs).float().cpu().numpy()

    return score
