"""A question-answering model of transformers, loaded from a folder or from the hub."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readmark.comprehension.hf.pairs import PairTokenizer
from readmark.comprehension.hub import hub_secrets, is_path, positions_of, using_hub
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require
from readmark.core.parsed_names import ParsedName

_USUAL_LENGTH = 512
"""Tokens of a window, unless a longer one is asked for: what most models were trained with."""
_SHORTEST = 16
_UNLIMITED = 10**6  # transformers says so by a huge number where a tokenizer names no limit
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model that is ready, its tokenizer, and what names both."""

    network: Any
    pairs: PairTokenizer
    length: int
    """The most tokens of a window."""
    device: str
    identity: str
    """The commit of a model of the hub, the hash of the weights of a folder's."""


def load(
    name: str,
    *,
    revision: str = "",
    download: bool = False,
    device: str = "auto",
    length: int = 0,
    threads: int = 0,
) -> LoadedModel:
    """The model of a folder or of a hub's name; nothing is fetched unless that is allowed."""
    torch, transformers = _libraries()
    if not name:
        raise UsageError("which model? hf(model=FOLDER) or hf(model=OWNER/NAME)")
    is_folder = Path(name).is_dir()
    if is_folder and revision:
        raise UsageError(f"revision={revision} is for a name on the hub; {name} is a folder")
    if not is_folder and is_path(name):
        raise DataError(f"{name}: no such folder")
    if threads:
        torch.set_num_threads(threads)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    options: dict[str, Any] = {
        "local_files_only": is_folder or not download,
        "trust_remote_code": False,  # by default, the library asks on standard input
    }
    if revision:
        options["revision"] = revision
    try:
        with using_hub(allowed=download and not is_folder):
            config = transformers.AutoConfig.from_pretrained(name, **options)
            identity = _hash_of_weights(Path(name)) if is_folder else _commit(name, revision)
            if not is_folder:
                options["revision"] = identity  # all of it from one commit, should it move on
            tokenizer = transformers.AutoTokenizer.from_pretrained(name, use_fast=True, **options)
            network, report = transformers.AutoModelForQuestionAnswering.from_pretrained(
                name, config=config, dtype=torch.float32, output_loading_info=True, **options
            )
    except Exception as error:  # the libraries have one for every way to fail
        if isinstance(error, OSError) and not (is_folder or download):
            fetching = ParsedName("hf", {"model": name, "download": True})
            raise DataError(f"{name} is not on this machine: {fetching} fetches it") from error
        reason = hub_secrets().describe(error, 300)
        raise DataError(f"the model {name} cannot be loaded: {reason}") from error
    missing = sorted(report.get("missing_keys") or ())
    if missing:
        raise DataError(f"{name} has no trained question-answering head ({missing[0]} is missing)")
    if not hasattr(network, "qa_outputs"):
        raise DataError(f"{name} is a {config.model_type}, which does not score starts and ends")
    device = _usable_device(torch, device)
    return LoadedModel(
        network.to(device).eval(),
        PairTokenizer(tokenizer, name),
        _window_length(config, tokenizer, length),
        device,
        identity,
    )


def _libraries() -> tuple[Any, Any]:
    """torch and transformers, parts of which have no types."""
    require("torch", "transformers")
    import torch
    import transformers

    return torch, transformers


def _commit(name: str, revision: str) -> str:
    """The commit of a model of the hub, as its files are kept."""
    require("huggingface_hub")
    from huggingface_hub import try_to_load_from_cache

    path = try_to_load_from_cache(name, "config.json", revision=revision or None)
    return Path(path).parent.name if isinstance(path, str) else revision


def _hash_of_weights(folder: Path) -> str:
    digest = hashlib.sha256()
    for pattern in _WEIGHTS:
        for path in sorted(folder.glob(pattern)):
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]


def _usable_device(torch: Any, device: str) -> str:
    """The device, which is tried; the best one there is for ``auto``."""
    if device == "auto":
        if torch.cuda.is_available():
            return "cuda"
        return "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UsageError(f"device={device} cannot be used: {reason}") from None
    return device


def _window_length(config: Any, tokenizer: Any, length: int) -> int:
    """The longest window: what the positions allow, at most the length that is asked for."""
    limits = []
    positions = positions_of(config)
    if positions is not None:
        limits.append(positions)
    most = tokenizer.model_max_length
    if isinstance(most, int) and most < _UNLIMITED:
        limits.append(most)
    if length > min(limits, default=length):
        raise UsageError(f"length={length} is more than the model's {min(limits)} tokens")
    length = length or min([_USUAL_LENGTH, *limits])
    if length < _SHORTEST:
        raise UsageError(
            f"windows of {length} tokens hold nothing; at least {_SHORTEST} are needed"
        )
    return length
