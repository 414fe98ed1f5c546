"""Reading: questions to answers, whatever computes the scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from readmark.models.span.decoding import Choice, Scored, choose, most_overlapping, none_score
from readmark.models.span.shape import Shape
from readmark.models.span.tokens import Tokenizer, Tokens
from readmark.models.span.windows import Window, windows

Scorer = Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], NDArray[np.float32]]
"""Ids, types and mask of a batch to its scores (windows, tokens, 2)."""
WEIGHED = 20
"""How many likely answers are weighed against each other for the greatest expected F1."""
_AMONG = 50
"""How many runs of tokens an answer is put together from, at most."""


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of the passage and how likely it is the answer."""

    start: int
    end: int
    probability: float


@dataclass(frozen=True, slots=True)
class Reply:
    """The likeliest answers, best first, and the score of there being none."""

    found: tuple[Found, ...]
    none: float


def read(
    asked: Sequence[tuple[str, str]],
    shape: Shape,
    tokenizer: Tokenizer,
    scorer: Scorer,
    *,
    batch: int = 16,
    many: int = 1,
    longest: int | None = None,
    decide: str = "em",
) -> list[Reply]:
    """The replies to pairs of passage and question; windows of like length go together.

    ``decide`` is what the first answer is the best for: ``em`` the likeliest, ``f1`` the one
    with the greatest expected overlap.
    """
    places: dict[str, int] = {}
    for text, _ in asked:
        places.setdefault(text, len(places))
    passages = tokenizer.cut(list(places))
    questions = tokenizer.cut([question for _, question in asked])
    work: list[tuple[int, Window]] = []
    for at, ((text, _), question) in enumerate(zip(asked, questions, strict=True)):
        passage = passages[places[text]]
        if len(passage.ids):
            work.extend((at, one) for one in windows(question, passage, shape, tokenizer))
    scored: list[list[Scored]] = [[] for _ in asked]
    for number, one in _scores(work, scorer, batch):
        scored[number].append(one)
    limit = longest or shape.answer
    return [
        reply_of(scored[at], passages[places[text]], limit, many, decide)
        for at, (text, _) in enumerate(asked)
    ]


def _scores(
    work: Sequence[tuple[int, Window]], scorer: Scorer, batch: int
) -> Iterator[tuple[int, Scored]]:
    order = sorted(range(len(work)), key=lambda at: len(work[at][1].ids))
    for first in range(0, len(order), batch):
        some = [work[at] for at in order[first : first + batch]]
        ids, types, mask = side_by_side([one for _, one in some])
        scores = scorer(ids, types, mask)
        for row, (number, one) in enumerate(some):
            own = scores[row, one.low : one.low + one.count]
            none = float(scores[row, 0].sum())
            yield number, Scored(one.first, own[:, 0], own[:, 1], none)


def side_by_side(
    some: Sequence[Window],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Windows as one batch, padded with zeros."""
    width = max(len(one.ids) for one in some)
    ids = np.zeros((len(some), width), np.int64)
    types, mask = np.zeros_like(ids), np.zeros_like(ids)
    for row, one in enumerate(some):
        size = len(one.ids)
        ids[row, :size] = one.ids
        mask[row, :size] = 1
        types[row, one.split : size] = 1
    return ids, types, mask


def reply_of(
    scored: Sequence[Scored], passage: Tokens, longest: int, many: int, decide: str
) -> Reply:
    """The likeliest answers by the scores of a question's windows.

    Runs of tokens that are one stretch of text, but for space around it, are one answer, as likely
    as all of them; the likeliest run comes first. What is nothing but space is none.
    """
    wanted = max(many, WEIGHED) if decide == "f1" else many
    if _is_plain(passage):
        likely = [(one, one) for one in choose(scored, longest=longest, many=wanted)]
    else:
        likely = _together(choose(scored, longest=longest, many=_AMONG * wanted), passage)[:wanted]
        if not likely and (passage.starts < passage.ends).any():
            worded = [_worded(one, passage) for one in scored]
            likely = _together(choose(worded, longest=longest, many=wanted), passage)
    if not likely:
        return Reply((), 0.0)
    chosen = [one for one, _ in likely]
    if decide == "f1":
        chosen = most_overlapping(chosen)[:many]
    found = tuple(
        Found(int(passage.starts[one.first]), int(passage.ends[one.last]), one.probability)
        for one in chosen
    )
    return Reply(found, none_score(scored, dict(likely)[chosen[0]]))


def _is_plain(passage: Tokens) -> bool:
    """Whether every token has a stretch of text of its own."""
    twice = (np.diff(passage.starts) == 0) & (np.diff(passage.ends) == 0)
    return not twice.any() and bool((passage.starts < passage.ends).all())


def _together(choices: Sequence[Choice], passage: Tokens) -> list[tuple[Choice, Choice]]:
    """Stretches, each as likely as all its runs of tokens, by and with their likeliest runs."""
    runs: dict[tuple[int, int], tuple[Choice, Choice]] = {}
    for one in choices:
        held = slice(one.first, one.last + 1)
        words = np.flatnonzero(passage.starts[held] < passage.ends[held])
        if not len(words):
            continue
        first, last = one.first + int(words[0]), one.first + int(words[-1])
        place = int(passage.starts[first]), int(passage.ends[last])
        so_far, run = runs.get(place, (Choice(first, last, 0.0), one))
        runs[place] = replace(so_far, probability=so_far.probability + one.probability), run
    return list(runs.values())


def _worded(one: Scored, passage: Tokens) -> Scored:
    """A window in which no answer begins or ends with space."""
    held = slice(one.first, one.first + len(one.starts))
    space = passage.starts[held] >= passage.ends[held]
    starts, ends = (np.where(space, np.float32(-np.inf), side) for side in (one.starts, one.ends))
    return Scored(one.first, starts, ends, one.none)
