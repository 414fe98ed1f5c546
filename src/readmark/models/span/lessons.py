"""Lessons: windows with the places of their answers, packed for a network to learn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.values import Offsets
from readmark.models.span.shape import Shape
from readmark.models.span.tokens import Ints, Tokenizer
from readmark.models.span.windows import Window, windows

TOGETHER = 512


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question on a text and where its answers stand; none where it has no answer."""

    text: str
    question: str
    spans: tuple[Offsets, ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Packed:
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
    lessons: Iterable[Lesson],
    shape: Shape,
    tokenizer: Tokenizer,
    *,
    blank_share: float = 0.1,
    seed: int = 1,
) -> Packed:
    """The windows of lessons; of those without their answer only a share is kept."""
    draw = Random(seed)
    found: list[tuple[Window, int, int, float]] = []
    waiting: list[Lesson] = []
    for lesson in lessons:
        waiting.append(lesson)
        if len(waiting) == TOGETHER:
            _take(waiting, shape, tokenizer, blank_share, draw, found)
            waiting = []
    _take(waiting, shape, tokenizer, blank_share, draw, found)
    return _packed(found)


def joined(parts: Sequence[Packed]) -> Packed:
    """Several packs as one."""
    return Packed(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("ids", "sizes", "splits", "lows", "counts", "starts", "ends", "weights")
        )
    )


def _take(
    lessons: Sequence[Lesson],
    shape: Shape,
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


def _packed(found: Sequence[tuple[Window, int, int, float]]) -> Packed:
    def column(values: Iterable[int]) -> Ints:
        return np.fromiter(values, np.int32, len(found))

    return Packed(
        np.concatenate([one[0].ids for one in found]) if found else np.zeros(0, np.int32),
        column(len(one[0].ids) for one in found),
        column(one[0].split for one in found),
        column(one[0].low for one in found),
        column(one[0].count for one in found),
        column(one[1] for one in found),
        column(one[2] for one in found),
        np.fromiter((one[3] for one in found), np.float32, len(found)),
    )
