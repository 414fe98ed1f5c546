"""What a checkpoint goes on from: the same network, lessons and settings, or none of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.files import JSON_ERRORS
from readmark.models.span.lessons import Packed
from readmark.models.span.network import torch_parts


def settings_file(checkpoint: Path) -> Path:
    """Where the settings of a checkpoint are kept."""
    return checkpoint.with_name(checkpoint.name + ".json")


def settings_of(network: Any, lessons: Packed, **more: Any) -> dict[str, Any]:
    """What a training hangs on besides its plan."""
    weights = hashlib.sha256()
    for name, one in sorted(network.state_dict().items()):
        weights.update(name.encode())
        weights.update(one.detach().cpu().contiguous().numpy())
    learnt = hashlib.sha256()
    for name in ("ids", "sizes", "splits", "lows", "starts", "ends", "weights"):
        learnt.update(getattr(lessons, name).tobytes())
    found = {"encoder": weights.hexdigest()[:16], "lessons": learnt.hexdigest()[:16]}
    return {**found, **more}


def keep(checkpoint: Path, settings: Mapping[str, Any]) -> None:
    """Write the settings beside a checkpoint that is to come; one that is there must have them."""
    path = settings_file(checkpoint)
    plain = msgspec.json.decode(msgspec.json.encode(settings))
    if checkpoint.is_file():
        _require_whole(checkpoint)
        other = [name for name, value in plain.items() if _read(path).get(name, value) != value]
        if other:
            said = f"{checkpoint} was written with other settings ({', '.join(other)})"
            raise UsageError(f"{said}; remove it to begin anew")
    path.write_bytes(msgspec.json.encode(plain))


def drop(checkpoint: Path) -> None:
    """Remove a checkpoint and its settings."""
    checkpoint.unlink(missing_ok=True)
    settings_file(checkpoint).unlink(missing_ok=True)


def _read(path: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, *JSON_ERRORS):
        return {}


def _require_whole(checkpoint: Path) -> None:
    torch, _ = torch_parts()
    try:
        held = torch.load(checkpoint, map_location="cpu", weights_only=True)
    except Exception as error:  # the library has one for every way to be damaged
        raise DataError(f"{checkpoint} is damaged; remove it to begin anew") from error
    if not isinstance(held, dict) or "step" not in held:
        raise DataError(f"{checkpoint} is no checkpoint; remove it to begin anew")
