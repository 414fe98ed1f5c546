"""Loading a question-answering model: from a folder, from what was fetched before, or fetched."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readmark.corpus.errors import DataError, UsageError
from readmark.models.hf.hub import hub_secrets, is_path, using_hub
from readmark.models.hf.pairs import Pairs

_OFFSET_POSITIONS = frozenset(
    ("roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "longformer", "mpnet", "ibert")
)
"""Encoders whose positions begin after that of padding, so that some are never used."""
_MOST = 512
_LEAST = 16
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model that is ready, its tokenizer, and what names both."""

    network: Any
    pairs: Pairs
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
) -> Loaded:
    """The model of a folder or of a hub's name; nothing is fetched unless that is allowed."""
    torch, transformers = _libraries()
    if not name:
        raise UsageError("which model? hf(model=FOLDER) or hf(model=OWNER/NAME)")
    folder = Path(name).is_dir()
    if folder and revision:
        raise UsageError(f"revision={revision} is for a name on the hub; {name} is a folder")
    if not folder and is_path(name):
        raise DataError(f"{name}: no such folder")
    if threads:
        torch.set_num_threads(threads)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    given: dict[str, Any] = {
        "local_files_only": folder or not download,
        "trust_remote_code": False,  # unless told so, the library asks on standard input
    }
    if revision:
        given["revision"] = revision
    try:
        with using_hub(allowed=download and not folder):
            config = transformers.AutoConfig.from_pretrained(name, **given)
            identity = _weights(Path(name)) if folder else _commit(name, revision)
            if not folder:
                given["revision"] = identity  # all of it from one commit, should it move on
            tool = transformers.AutoTokenizer.from_pretrained(name, use_fast=True, **given)
            network, told = transformers.AutoModelForQuestionAnswering.from_pretrained(
                name, config=config, dtype=torch.float32, output_loading_info=True, **given
            )
    except Exception as error:  # the libraries have one for every way to fail
        raise _unloadable(name, error, fetched=folder or download) from error
    missing = sorted(told.get("missing_keys") or ())
    if missing:
        raise DataError(f"{name} has no trained question-answering head ({missing[0]} is missing)")
    if not hasattr(network, "qa_outputs"):
        raise DataError(f"{name} is a {config.model_type}, which does not score starts and ends")
    place = _device(torch, device)
    return Loaded(
        network.to(place).eval(),
        Pairs(tool, name),
        _length(config, tool, length),
        place,
        identity,
    )


def _commit(name: str, revision: str) -> str:
    """The commit of a model of the hub, as its files are kept."""
    from huggingface_hub import try_to_load_from_cache

    kept = try_to_load_from_cache(name, "config.json", revision=revision or None)
    return Path(kept).parent.name if isinstance(kept, str) else revision


def _libraries() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError:
        raise UsageError("hf needs torch and transformers: pip install 'readmark[train]'") from None
    return torch, transformers


def _unloadable(name: str, error: Exception, *, fetched: bool) -> DataError:
    if not fetched and isinstance(error, OSError):
        return DataError(
            f"{name} is not on this machine: hf(model={name},download=true) fetches it"
        )
    return DataError(f"the model {name} cannot be loaded: {hub_secrets().describe(error, 300)}")


def _device(torch: Any, asked: str) -> str:
    if asked == "auto":
        if torch.cuda.is_available():
            return "cuda"
        return "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.zeros(1, device=asked)
    except (RuntimeError, AssertionError) as error:
        said = " ".join(str(error).split())[:200]
        raise UsageError(f"device={asked} cannot be used: {said}") from None
    return asked


def positions_of(config: Any) -> int | None:
    """How many tokens a network has positions for; None where there is no end of them."""
    positions = getattr(config, "max_position_embeddings", None)
    if not isinstance(positions, int) or positions <= 0:
        return None
    offset = config.model_type in _OFFSET_POSITIONS
    return positions - (int(config.pad_token_id or 0) + 1 if offset else 0)


def _length(config: Any, tool: Any, asked: int) -> int:
    """The longest window: what the positions allow, at most what was asked for."""
    bounds = [_MOST]
    positions = positions_of(config)
    if positions is not None:
        bounds.append(positions)
    if isinstance(tool.model_max_length, int) and tool.model_max_length < 10**6:
        bounds.append(tool.model_max_length)
    if asked > min(bounds[1:], default=asked):
        raise UsageError(f"length={asked} is more than the model's {min(bounds[1:])} tokens")
    found = asked or min(bounds)
    if found < _LEAST:
        raise UsageError(f"windows of {found} tokens hold nothing; at least {_LEAST} are needed")
    return found


def _weights(folder: Path) -> str:
    """A hash of the weights in a folder."""
    digest = hashlib.sha256()
    for pattern in _WEIGHTS:
        for path in sorted(folder.glob(pattern)):
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]
