"""Batches of packed windows, side by side, made on the device where the network is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from readmark.comprehension.span.lessons import PackedWindows

_SORTED_TOGETHER = 64  # batches: more would fill them better, and come in less of a random order
_WIDTHS = 16  # on a GPU a batch's width is a multiple of this, so that few shapes occur


def batches(lessons: PackedWindows, size: int, seed: int) -> Iterator[Any]:
    """The numbers of windows of about one length together, in an order that is drawn."""
    draw = np.random.default_rng(seed)
    order = draw.permutation(len(lessons))
    stretch = size * _SORTED_TOGETHER
    parts: list[Any] = []
    for start in range(0, len(order), stretch):
        by_size = order[start : start + stretch]
        by_size = by_size[np.argsort(lessons.sizes[by_size], kind="stable")]
        parts.extend(by_size[first : first + size] for first in range(0, len(by_size), size))
    for index in draw.permutation(len(parts)):
        yield parts[index]


def to_device(
    torch: Any, lessons: PackedWindows, device: str, teachings: Any | None = None
) -> dict[str, Any]:
    """The packed windows on the device, with what teachers predict for each token."""
    offsets = np.zeros(len(lessons), np.int64)
    np.cumsum(lessons.sizes[:-1], out=offsets[1:])
    data = {
        name: torch.from_numpy(getattr(lessons, name)).to(device)
        for name in ("ids", "sizes", "splits", "lows", "counts", "weights")
    }
    data["offsets"] = torch.from_numpy(offsets).to(device)
    answers = np.stack([lessons.starts, lessons.ends], 1)
    data["answers"] = torch.from_numpy(answers).to(device).long()
    data["host_sizes"] = lessons.sizes
    if teachings is not None:
        data["teachings"] = teachings
    return data


def batch(torch: Any, data: dict[str, Any], places: Any, device: str) -> dict[str, Any]:
    """Windows side by side: ids, types, masks, answers; ``free`` is the passage but its answer."""
    width = int(data["host_sizes"][places].max())
    if device.startswith("cuda"):
        width = -(-width // _WIDTHS) * _WIDTHS
    chosen = torch.from_numpy(np.ascontiguousarray(places)).to(device)
    steps = torch.arange(width, device=device)
    mask = steps < data["sizes"][chosen].unsqueeze(1)
    where = (data["offsets"][chosen].unsqueeze(1) + steps).clamp_(max=len(data["ids"]) - 1)
    ids = torch.where(mask, data["ids"][where], 0).long()
    lows = data["lows"][chosen].unsqueeze(1)
    is_open = (steps >= lows) & (steps < lows + data["counts"][chosen].unsqueeze(1))
    answers = data["answers"][chosen]
    free = is_open & ((steps < answers[:, :1]) | (steps > answers[:, 1:]))
    is_open[:, 0] = True  # the place of no answer
    windows = {
        "ids": ids,
        "types": (mask & (steps >= data["splits"][chosen].unsqueeze(1))).long(),
        "mask": mask.long(),
        "open": is_open,
        "free": free,
        "where": where,
        "answers": answers,
        "weights": data["weights"][chosen],
    }
    if "teachings" in data:
        windows["teachings"] = data["teachings"][where]
    return windows
