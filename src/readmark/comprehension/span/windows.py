"""Windows: a question and as much of a passage as fits with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.span.shape import SpanShape
from readmark.comprehension.span.tokens import Tokenizer, Tokens
from readmark.core.arrays import Ints32


@dataclass(frozen=True, slots=True)
class Window:
    """One sequence for the network, and which of the passage's tokens it holds."""

    ids: Ints32
    types: Ints32
    """0 for the tokens of the first text, 1 for those of the second."""
    low: int
    """The place in the window of its first token of the passage."""
    first: int
    """The number of that token in the passage."""
    count: int
    none: int = 0
    """The place whose scores say that there is no answer."""

    @property
    def split(self) -> int:
        """Where the second text begins."""
        return int(np.count_nonzero(self.types == 0))


def windows(
    question: Tokens, passage: Tokens, shape: SpanShape, tokenizer: Tokenizer
) -> Iterator[Window]:
    """The windows of a question and its passage, in the passage's order."""
    question_ids = question.ids[: shape.longest_question]
    begin = np.array([tokenizer.first], np.int32)
    mark = np.array([tokenizer.between], np.int32)
    room = shape.room(len(question_ids))
    for first, count in stretches(len(passage.ids), room, shape.stride):
        passage_ids = passage.ids[first : first + count]
        if shape.passage_first:
            ids = np.concatenate([begin, passage_ids, mark, question_ids, mark])
            split, low = count + 2, 1
        else:
            ids = np.concatenate([begin, question_ids, mark, passage_ids, mark])
            split = low = len(question_ids) + 2
        types = (np.arange(len(ids)) >= split).astype(np.int32)
        yield Window(ids, types, low, first, count)


def stretches(passage: int, room: int, stride: int) -> Iterator[tuple[int, int]]:
    """First token and number of tokens of each window over a passage."""
    first = 0
    # Where little fits, windows share half of it at most.
    step = max(1, room - min(stride, room // 2))
    while True:
        yield first, min(room, passage - first)
        if first + room >= passage:
            return
        first += step


def as_batch(
    windows: Sequence[Window], pad: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Windows as one batch: ids, types and mask, filled up behind."""
    width = max(len(window.ids) for window in windows)
    ids = np.full((len(windows), width), pad, np.int64)
    types, mask = np.zeros_like(ids), np.zeros_like(ids)
    for row, window in enumerate(windows):
        size = len(window.ids)
        ids[row, :size], types[row, :size], mask[row, :size] = window.ids, window.types, 1
    return ids, types, mask
