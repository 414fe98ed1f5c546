"""Windows: a question and as much of a passage as fits beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from readmark.models.span.shape import Shape
from readmark.models.span.tokens import Ints, Tokenizer, Tokens


@dataclass(frozen=True, slots=True)
class Window:
    """One sequence for the network, and which of the passage's tokens it holds."""

    ids: Ints
    split: int
    """Where the second text begins."""
    low: int
    """The place in the window of its first token of the passage."""
    first: int
    """The number of that token in the passage."""
    count: int


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


def windows(
    question: Tokens, passage: Tokens, shape: Shape, tokenizer: Tokenizer
) -> Iterator[Window]:
    """The windows of a question and its passage, in the passage's order."""
    asked = question.ids[: shape.asked]
    start, mark = np.array([tokenizer.first], np.int32), np.array([tokenizer.between], np.int32)
    for first, count in stretches(len(passage.ids), shape.room(len(asked)), shape.stride):
        held = passage.ids[first : first + count]
        if shape.passage_first:
            ids = np.concatenate([start, held, mark, asked, mark])
            yield Window(ids, count + 2, 1, first, count)
        else:
            ids = np.concatenate([start, asked, mark, held, mark])
            yield Window(ids, len(asked) + 2, len(asked) + 2, first, count)
