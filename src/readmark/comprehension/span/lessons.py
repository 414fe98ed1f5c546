"""Lessons: windows with the places of their answers, packed for a network to learn from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.span.shape import SpanShape
from readmark.comprehension.span.tokens import Tokenizer
from readmark.comprehension.span.windows import Window, windows
from readmark.core.arrays import Ints32
from readmark.core.records import Offsets

TOKENIZED_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class SpanLesson:
    """A question on a text and where its answers occur; none where it has no answer."""

    text: str
    question: str
    spans: tuple[Offsets, ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class PackedWindows:
    """Windows one after the other; an answer at (0, 0) is none."""

    ids: Ints32
    """The tokens of all windows."""
    sizes: Ints32
    """How many of them each window has."""
    splits: Ints32
    """Where the second text begins in each window."""
    lows: Ints32
    counts: Ints32
    """Where the passage begins in each window, and how many tokens of it there are."""
    starts: Ints32
    ends: Ints32
    """The first and last token of each window's answer."""
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
    waiting = iter(lessons)
    answered: list[_AnsweredWindow] = []
    while part := list(islice(waiting, TOKENIZED_AT_ONCE)):
        answered += _answered_windows(part, shape, tokenizer, blank_share, draw)

    def column(values: Iterable[int]) -> Ints32:
        return np.fromiter(values, np.int32, len(answered))

    ids = [window.ids for window, _, _, _ in answered]
    return PackedWindows(
        ids=np.concatenate(ids) if ids else np.zeros(0, np.int32),
        sizes=column(map(len, ids)),
        splits=column(window.split for window, _, _, _ in answered),
        lows=column(window.low for window, _, _, _ in answered),
        counts=column(window.count for window, _, _, _ in answered),
        starts=column(start for _, start, _, _ in answered),
        ends=column(end for _, _, end, _ in answered),
        weights=np.fromiter((weight for _, _, _, weight in answered), np.float32, len(answered)),
    )


class _AnsweredWindow(NamedTuple):
    """A window, the first and last place of its answer in it, and its weight."""

    window: Window
    start: int
    end: int
    weight: float


def _answered_windows(
    lessons: Sequence[SpanLesson],
    shape: SpanShape,
    tokenizer: Tokenizer,
    blank_share: float,
    draw: Random,
) -> Iterator[_AnsweredWindow]:
    # Many questions share a text, which is cut once.
    places: dict[str, int] = {}
    for lesson in lessons:
        places.setdefault(lesson.text, len(places))
    texts = tokenizer.cut(list(places))
    questions = tokenizer.cut([lesson.question for lesson in lessons])
    for lesson, question in zip(lessons, questions, strict=True):
        passage = texts[places[lesson.text]]
        spans = [tokens for span in lesson.spans if (tokens := passage.covering(*span)) is not None]
        if lesson.spans and not spans:
            continue
        for window in windows(question, passage, shape, tokenizer):
            answers = [
                (first - window.first + window.low, last - window.first + window.low)
                for first, last in spans
                if window.first <= first and last < window.first + window.count
            ]
            if answers:
                yield _AnsweredWindow(window, *draw.choice(answers), lesson.weight)
            elif not lesson.spans or draw.random() < blank_share:
                yield _AnsweredWindow(window, 0, 0, lesson.weight)


def pack_apart(
    lessons: Sequence[SpanLesson],
    shape: SpanShape,
    tokenizer: Tokenizer,
    *,
    processes: int,
    blank_share: float = 0.1,
    seed: int = 1,
) -> PackedWindows:
    """The windows of lessons as ``pack`` gives them, cut by several processes."""
    if processes < 2 or len(lessons) < processes * TOKENIZED_AT_ONCE:
        return pack(lessons, shape, tokenizer, blank_share=blank_share, seed=seed)
    size = -(-len(lessons) // processes)
    with ProcessPoolExecutor(processes) as pool:
        waiting = [
            pool.submit(
                pack,
                lessons[first : first + size],
                shape,
                tokenizer,
                blank_share=blank_share,
                seed=seed + first,
            )
            for first in range(0, len(lessons), size)
        ]
        parts = [part.result() for part in waiting]
    names = [field.name for field in fields(PackedWindows)]
    return PackedWindows(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in names)
    )


def sample_windows(lessons: PackedWindows, count: int) -> Iterator[tuple[Any, Any, Any]]:
    """Ids, types and masks of some windows, one by one, from all over the lessons."""
    ends = np.cumsum(lessons.sizes, dtype=np.int64)
    count = min(count, len(lessons))
    for index in np.unique(np.linspace(0, len(lessons) - 1, count, dtype=np.int64)):
        start = ends[index] - lessons.sizes[index]
        ids = lessons.ids[start : ends[index]].astype(np.int64)[None]
        types = (np.arange(ids.shape[1]) >= lessons.splits[index]).astype(np.int64)[None]
        yield ids, types, np.ones_like(ids)
