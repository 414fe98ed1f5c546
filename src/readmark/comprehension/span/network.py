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
            given = {"input_ids": input_ids, "attention_mask": attention_mask}
            if getattr(encoder.config, "type_vocab_size", 0) > 1:
                given["token_type_ids"] = token_type_ids
            return self.encoder(**given).last_hidden_state

        def forward(self, input_ids: Any, token_type_ids: Any, attention_mask: Any) -> Any:
            return self.heads(self.states(input_ids, token_type_ids, attention_mask))

    return SpanNetwork()


def deepen(encoder: Any, layers: int) -> None:
    """Stack an encoder's layers on themselves: "Efficient Training of BERT by Progressively
    Stacking", Gong and others, 2019."""
    torch, _ = torch_parts()
    own = list(encoder.encoder.layer)
    if layers < len(own):
        raise UsageError(f"the encoder has {len(own)} layers, which cannot become {layers}")
    copies = [copy.deepcopy(own[index % len(own)]) for index in range(len(own), layers)]
    encoder.encoder.layer = torch.nn.ModuleList([*own, *copies])
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
        why = hub_secrets().describe(error, 300)
        raise DataError(f"the encoder {name} cannot be loaded: {why}") from error
    network = make_network(encoder, config.hidden_size)
    heads = Path(name) / HEADS
    if heads.is_file():
        fill(network.heads, heads)
    return network


def fill(part: Any, path: Path) -> None:
    """Load the weights of a part of a network; a damaged file is one line."""
    require("safetensors")
    from safetensors.torch import load_file

    try:
        part.load_state_dict(load_file(path))
    except Exception as error:  # the libraries have one for every way to be damaged
        said = " ".join(str(error).split())[:200]
        raise DataError(f"{path} is damaged: {said}") from error


def save_network(network: Any, folder: Path) -> None:
    """Write encoder and heads next to the tokenizer, so that training can continue from there."""
    require("safetensors")
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    network.encoder.save_pretrained(folder)
    state = {name: one.contiguous().cpu() for name, one in network.heads.state_dict().items()}
    save_file(state, folder / HEADS)


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
        made = transformers.AutoTokenizer.from_pretrained(
            source, use_fast=True, trust_remote_code=False
        )
    except (OSError, ValueError) as error:
        why = hub_secrets().describe(error, 300)
        raise DataError(
            f"{source} is no folder with a tokenizer, nor found on the hub: {why}"
        ) from error
    if not getattr(made, "is_fast", False):
        raise DataError(f"the tokenizer of {source} gives no offsets")
    made.backend_tokenizer.save(str(target))


def load_teacher(name: str, folder: Path) -> Any:
    """A trained network that reads another's ids, where both cut texts alike."""
    torch, _ = torch_parts()
    network = load_network(name)
    table = _same_tokens(folder / TOKENS_FILE, Path(name) / TOKENS_FILE)
    if table is None:
        return network

    class Translated(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.network = network
            self.register_buffer("table", torch.tensor(table))

        def forward(self, input_ids: Any, token_type_ids: Any, attention_mask: Any) -> Any:
            return self.network(self.table[input_ids], token_type_ids, attention_mask)

    return Translated()


_ALIKE = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}


def _same_tokens(one: Path, other: Path) -> list[int] | None:
    """For each id of a tokenizer the other's; None where they are one."""
    if one.read_bytes() == other.read_bytes():
        return None
    require("tokenizers")
    from tokenizers import Tokenizer

    vocabulary, others = (Tokenizer.from_file(str(path)).get_vocab() for path in (one, other))
    if vocabulary == others:
        return None
    table = [0] * (max(vocabulary.values()) + 1)
    for word, at in vocabulary.items():
        found = others.get(_ALIKE.get(word, word), others.get(word))
        if found is None and not word.startswith("[unused"):
            raise UsageError(f"a teacher must know every token; {other} has no {word!r}")
        table[at] = found or 0
    return table


def torch_scorer(network: Any) -> Any:
    """Scores by the network itself, where it is."""
    torch, _ = torch_parts()
    network.eval()
    device = next(network.parameters()).device

    def score(ids: Any, types: Any, mask: Any) -> Any:
        with torch.inference_mode():
            given = [torch.from_numpy(one).to(device) for one in (ids, types, mask)]
            return network(*given).float().cpu().numpy()

    return score


# Masked words as a second lesson: the encoder predicts hidden tokens of the passage as well.


_STARTS = 0.5
"""Of the tokens that are hidden how many begin a run; runs have up to three tokens."""


def make_masker(words: Any, *, share: float, mask: int) -> Any:
    """The hiding of tokens, and what a head that predicts words makes of it."""
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
            scores = self.words.scores(states[chosen]).float()
            return torch.nn.functional.cross_entropy(scores, ids[chosen])

    return Masker()


# The head that predicts words: over an encoder's own embeddings, kept next to it.


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
            ready = self.norm(do.gelu(self.dense(states)))
            return do.linear(ready, words.weight, self.bias.to(ready.dtype))

    made = Words()
    path = Path(folder) / FILE
    if folder and path.is_file():
        fill(made, path)
    return made


def save_words(words: Any, folder: Path) -> None:
    """Write the head next to its encoder."""
    require("safetensors")
    from safetensors.torch import save_file

    state = {name: one.contiguous().cpu() for name, one in words.state_dict().items()}
    save_file(state, folder / FILE)
