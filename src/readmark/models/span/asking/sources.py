"""What a question is written from: a passage, cut to the part that matters, its answer marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from readmark.models.span.tokens import Ints, Tokenizer, Tokens

OPENING = 48
"""Tokens of a passage's beginning that are always there: they say what it is about."""
AROUND = 192
"""Tokens around and with the answer."""
QUESTION = 48
_TOGETHER = 512


@dataclass(frozen=True, slots=True)
class Source:
    """Tokens of a passage, and which of them are the answer."""

    ids: Ints
    marks: Ints
    question: Ints
    """The question's tokens where it is known, with the one that ends it."""


def sources(
    asked: Sequence[tuple[str, int, int, str]], tokenizer: Tokenizer
) -> Iterator[Source | None]:
    """For each text, start, end and question its source; None where no token is the answer's."""
    for begun in range(0, len(asked), _TOGETHER):
        some = asked[begun : begun + _TOGETHER]
        places: dict[str, int] = {}
        for text, *_ in some:
            places.setdefault(text, len(places))
        texts = tokenizer.cut(list(places))
        questions = tokenizer.cut([question for *_, question in some])
        for (text, start, end, _), question in zip(some, questions, strict=True):
            yield _source(texts[places[text]], start, end, question, tokenizer)


def _source(
    passage: Tokens, start: int, end: int, question: Tokens, tokenizer: Tokenizer
) -> Source | None:
    found = passage.covering(start, end)
    if found is None:
        return None
    first, last = found
    last = min(last, first + AROUND - 2)
    before = max(0, (AROUND - (last - first + 1)) // 2)
    low = max(0, min(first - before, len(passage.ids) - AROUND))
    high = min(len(passage.ids), low + AROUND)
    opening = min(OPENING, low)
    kept = np.concatenate([np.arange(opening), np.arange(low, high)])
    ids = np.concatenate([[tokenizer.first], passage.ids[kept]])
    marks = np.concatenate([[0], (kept >= first) & (kept <= last)])
    told = np.concatenate([question.ids[: QUESTION - 1], [tokenizer.between]])
    return Source(ids.astype(np.int32), marks.astype(np.int32), told.astype(np.int32))


def side_by_side(some: Sequence[Source]) -> tuple[Ints, Ints, Ints]:
    """Ids, marks and which are there, padded with zeros."""
    width = max(len(one.ids) for one in some)
    ids = np.zeros((len(some), width), np.int32)
    marks, there = np.zeros_like(ids), np.zeros_like(ids)
    for row, one in enumerate(some):
        ids[row, : len(one.ids)] = one.ids
        marks[row, : len(one.ids)] = one.marks
        there[row, : len(one.ids)] = 1
    return ids, marks, there


def questions_of(some: Sequence[Source]) -> tuple[Ints, Ints]:
    """The questions' tokens and how many each has, padded with zeros."""
    sizes = np.array([len(one.question) for one in some], np.int32)
    ids = np.zeros((len(some), int(sizes.max())), np.int32)
    for row, one in enumerate(some):
        ids[row, : sizes[row]] = one.question
    return ids, sizes
