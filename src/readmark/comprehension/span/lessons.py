"""Lessons: windows with the places of their answers, packed for a network to learn from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.span.answers import Window, windows
from readmark.comprehension.span.tokens import Ints, SpanShape, Tokenizer
from readmark.core.records import Offsets

TOGETHER = 512


@dataclass(frozen=True, slots=True)
class SpanLesson:
    """A question on a text and where its answers stand; none where it has no answer."""

    text: str
    question: str
    spans: tuple[Offsets, ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class PackedWindows:
    """Windows one after the other; an answer at (0, 0) is none."""

    ids: Ints
    sizes: Ints
    splits: Ints
    lows: Ints
    counts: Ints
    starts: Ints
    ends: Ints
    weights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.sizes)


def pack(
    lessons: Iterable[SpanLesson],
    shape: SpanShape,
    tokenizer: Tokenizer,
    *,
    blank_share: float = 0.1,
    seed: int = 1,
) -> PackedWindows:
    """The windows of lessons; of those without their answer only a share is kept."""
    draw = Random(seed)
    found: list[tuple[Window, int, int, float]] = []
    waiting: list[SpanLesson] = []
    for lesson in lessons:
        waiting.append(lesson)
        if len(waiting) == TOGETHER:
            _take(waiting, shape, tokenizer, blank_share, draw, found)
            waiting = []
    _take(waiting, shape, tokenizer, blank_share, draw, found)
    return _packed(found)


def _take(
    lessons: Sequence[SpanLesson],
    shape: SpanShape,
    tokenizer: Tokenizer,
    blank_share: float,
    draw: Random,
    found: list[tuple[Window, int, int, float]],
) -> None:
    # Many questions share a text, which is cut once.
    places: dict[str, int] = {}
    for lesson in lessons:
        places.setdefault(lesson.text, len(places))
    texts = tokenizer.cut(list(places))
    questions = tokenizer.cut([lesson.question for lesson in lessons])
    for lesson, question in zip(lessons, questions, strict=True):
        passage = texts[places[lesson.text]]
        spans = [at for span in lesson.spans if (at := passage.covering(*span)) is not None]
        if lesson.spans and not spans:
            continue
        for window in windows(question, passage, shape, tokenizer):
            inside = [
                (first - window.first + window.low, last - window.first + window.low)
                for first, last in spans
                if window.first <= first and last < window.first + window.count
            ]
            if inside:
                found.append((window, *draw.choice(inside), lesson.weight))
            elif not lesson.spans or draw.random() < blank_share:
                found.append((window, 0, 0, lesson.weight))


def _packed(found: Sequence[tuple[Window, int, int, float]]) -> PackedWindows:
    def column(values: Iterable[int]) -> Ints:
        return np.fromiter(values, np.int32, len(found))

    return PackedWindows(
        np.concatenate([one[0].ids for one in found]) if found else np.zeros(0, np.int32),
        column(len(one[0].ids) for one in found),
        column(one[0].split for one in found),
        column(one[0].low for one in found),
        column(one[0].count for one in found),
        column(one[1] for one in found),
        column(one[2] for one in found),
        np.fromiter((one[3] for one in found), np.float32, len(found)),
    )


# Batches of packed windows, made where the network is.


def batches(lessons: PackedWindows, size: int, seed: int) -> Iterator[Any]:
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


def to_device(
    torch: Any, lessons: PackedWindows, device: str, told: Any | None = None
) -> dict[str, Any]:
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


def one_by_one(lessons: PackedWindows, many: int) -> Iterator[tuple[Any, Any, Any]]:
    """Ids, types and masks of some windows, as many as wanted, from all over the lessons."""
    ends = np.cumsum(lessons.sizes, dtype=np.int64)
    for at in np.unique(np.linspace(0, len(lessons) - 1, min(many, len(lessons)), dtype=np.int64)):
        ids = lessons.ids[ends[at] - lessons.sizes[at] : ends[at]].astype(np.int64)[None]
        types = (np.arange(ids.shape[1]) >= lessons.splits[at]).astype(np.int64)[None]
        yield ids, types, np.ones_like(ids)
