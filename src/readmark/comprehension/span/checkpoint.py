"""What a checkpoint resumes from: the same network, lessons and settings, or none of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from readmark.comprehension.span.lessons import PackedWindows
from readmark.comprehension.span.network import torch_parts
from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS

CHECKPOINT = "checkpoint.pt"


def settings_of(network: Any, lessons: PackedWindows, **more: Any) -> dict[str, Any]:
    """What a training depends on in addition to its plan."""
    weights = hashlib.sha256()
    for name, part in sorted(network.state_dict().items()):
        weights.update(name.encode())
        weights.update(part.detach().cpu().contiguous().numpy())
    windows = hashlib.sha256()
    for name in ("ids", "sizes", "splits", "lows", "starts", "ends", "weights"):
        windows.update(getattr(lessons, name).tobytes())
    return {"encoder": weights.hexdigest()[:16], "lessons": windows.hexdigest()[:16], **more}


def write_settings(checkpoint: Path, settings: Mapping[str, Any]) -> None:
    """Write a checkpoint's settings next to it; an existing checkpoint must have the same."""
    path = _settings_file(checkpoint)
    settings = msgspec.json.decode(msgspec.json.encode(settings))  # as they are read again
    if checkpoint.is_file():
        _require_readable(checkpoint)
        try:
            written = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        except (OSError, *JSON_ERRORS):
            written = {}
        different = [name for name, value in settings.items() if written.get(name, value) != value]
        if different:
            message = f"{checkpoint} was written with other settings ({', '.join(different)})"
            raise UsageError(f"{message}; remove it to start over")
    path.write_bytes(msgspec.json.encode(settings))


def drop_checkpoint(checkpoint: Path) -> None:
    """Remove a checkpoint and its settings."""
    checkpoint.unlink(missing_ok=True)
    _settings_file(checkpoint).unlink(missing_ok=True)


def _settings_file(checkpoint: Path) -> Path:
    return checkpoint.with_name(checkpoint.name + ".json")


def _require_readable(checkpoint: Path) -> None:
    torch, _ = torch_parts()
    try:
        state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    except Exception as error:  # the library has one for every way to be damaged
        raise DataError(f"{checkpoint} is damaged; remove it to start over") from error
    if not isinstance(state, dict) or "step" not in state:
        raise DataError(f"{checkpoint} is not a checkpoint; remove it to start over")
