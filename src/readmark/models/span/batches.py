"""Batches of packed windows, made where the network is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from readmark.models.span.lessons import Packed


def batches(lessons: Packed, size: int, seed: int) -> Iterator[Any]:
    """Windows of about one length together, in an order that is drawn."""
    draw = np.random.default_rng(seed)
    order = draw.permutation(len(lessons))
    wide = size * 64
    found: list[Any] = []
    for at in range(0, len(order), wide):
        some = order[at : at + wide]
        some = some[np.argsort(lessons.sizes[some], kind="stable")]
        found.extend(some[first : first + size] for first in range(0, len(some), size))
    for at in draw.permutation(len(found)):
        yield found[at]


def to_device(torch: Any, lessons: Packed, device: str, told: Any | None = None) -> dict[str, Any]:
    """The packed windows where batches are made of them, with what teachers tell of each token."""
    at = np.zeros(len(lessons), np.int64)
    np.cumsum(lessons.sizes[:-1], out=at[1:])
    data = {
        name: torch.from_numpy(getattr(lessons, name)).to(device)
        for name in ("ids", "sizes", "splits", "lows", "counts", "weights")
    }
    data["at"] = torch.from_numpy(at).to(device)
    data["answers"] = (
        torch.from_numpy(np.stack([lessons.starts, lessons.ends], 1)).to(device).long()
    )
    data["host_sizes"] = lessons.sizes
    if told is not None:
        data["told"] = told
    return data


def batch(torch: Any, data: dict[str, Any], places: Any, device: str) -> dict[str, Any]:
    """Windows side by side: ids, types, masks, answers; ``free`` is the passage but its answer."""
    width = int(data["host_sizes"][places].max())
    if device.startswith("cuda"):
        width = -(-width // 16) * 16
    chosen = torch.from_numpy(np.ascontiguousarray(places)).to(device)
    steps = torch.arange(width, device=device)
    mask = steps < data["sizes"][chosen].unsqueeze(1)
    where = (data["at"][chosen].unsqueeze(1) + steps).clamp_(max=len(data["ids"]) - 1)
    ids = torch.where(mask, data["ids"][where], 0).long()
    lows = data["lows"][chosen].unsqueeze(1)
    inside = (steps >= lows) & (steps < lows + data["counts"][chosen].unsqueeze(1))
    answers = data["answers"][chosen]
    free = inside & ((steps < answers[:, :1]) | (steps > answers[:, 1:]))
    inside[:, 0] = True
    made = {
        "ids": ids,
        "types": (mask & (steps >= data["splits"][chosen].unsqueeze(1))).long(),
        "mask": mask.long(),
        "open": inside,
        "free": free,
        "where": where,
        "answers": answers,
        "weights": data["weights"][chosen],
    }
    if "told" in data:
        made["told"] = data["told"][where]
    return made


def one_by_one(lessons: Packed, many: int) -> Iterator[tuple[Any, Any, Any]]:
    """Ids, types and masks of some windows, as many as wanted, from all over the lessons."""
    ends = np.cumsum(lessons.sizes, dtype=np.int64)
    for at in np.unique(np.linspace(0, len(lessons) - 1, min(many, len(lessons)), dtype=np.int64)):
        ids = lessons.ids[ends[at] - lessons.sizes[at] : ends[at]].astype(np.int64)[None]
        types = (np.arange(ids.shape[1]) >= lessons.splits[at]).astype(np.int64)[None]
        yield ids, types, np.ones_like(ids)
