"""Replies to questions: the likeliest answers as stretches of text, and the score of none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from readmark.comprehension.span.decoding import (
    Choice,
    ScoredWindow,
    choose,
    most_overlapping,
    none_score,
)
from readmark.comprehension.span.scoring import Scorer, score_windows, without_space
from readmark.comprehension.span.shape import SpanShape
from readmark.comprehension.span.tokens import Tokenizer, Tokens
from readmark.comprehension.span.windows import Window, as_batch, windows
from readmark.core.arrays import Floats32

WEIGHED = 20
"""How many likely answers are weighed against each other for the greatest expected F1."""
_RUNS = 50
"""How many runs of tokens an answer is put together from, at most."""


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """A stretch of the passage and how likely it is the answer."""

    start: int
    end: int
    probability: float


@dataclass(frozen=True, slots=True)
class SpanReply:
    """The likeliest answers, best first, and the score of there being none."""

    answers: tuple[AnswerSpan, ...]
    none: float


def read(
    pairs: Sequence[tuple[str, str]],
    shape: SpanShape,
    tokenizer: Tokenizer,
    scorer: Scorer,
    *,
    batch: int = 16,
    count: int = 1,
    longest: int | None = None,
    decide: str = "em",
) -> list[SpanReply]:
    """The replies of a span reader to pairs of passage and question."""
    return read_windows(
        pairs,
        cut=tokenizer.cut,
        windows=lambda question, passage: windows(question, passage, shape, tokenizer),
        score=lambda batched: scorer(*as_batch(batched)),
        batch=batch,
        count=count,
        longest=longest or shape.answer,
        decide=decide,
    )


def read_windows(
    pairs: Sequence[tuple[str, str]],
    *,
    cut: Callable[[Sequence[str]], list[Tokens]],
    windows: Callable[[Tokens, Tokens], Iterable[Window]],
    score: Callable[[Sequence[Window]], Floats32],
    batch: int,
    count: int,
    longest: int,
    decide: str,
) -> list[SpanReply]:
    """The replies to pairs of passage and question; windows of like length go together.

    ``decide`` is what the first answer is the best for: ``em`` the likeliest, ``f1`` the one
    with the greatest expected overlap.
    """
    questions = score_windows(pairs, cut=cut, windows=windows, score=score, batch=batch)
    return [
        reply_of(question.windows, question.passage, longest, count, decide)
        for question in questions
    ]


def reply_of(
    scored: Sequence[ScoredWindow], passage: Tokens, longest: int, count: int, decide: str
) -> SpanReply:
    """The likeliest answers by the scores of a question's windows.

    Runs of tokens that are one stretch of text, but for space around it, are one answer, as likely
    as all of them; the likeliest run comes first. What is nothing but space is none.
    """
    weighed = max(count, WEIGHED) if decide == "f1" else count
    if _has_a_stretch_each(passage):
        likely = [(choice, choice) for choice in choose(scored, longest=longest, count=weighed)]
    else:
        runs = choose(scored, longest=longest, count=_RUNS * weighed)
        likely = _by_stretch(runs, passage)[:weighed]
        if not likely and (passage.starts < passage.ends).any():
            # The likeliest runs are all space: those with words are further down.
            worded = [without_space(window, passage) for window in scored]
            likely = _by_stretch(choose(worded, longest=longest, count=weighed), passage)
    if not likely:
        return SpanReply((), 0.0)
    answers = [answer for answer, _ in likely]
    if decide == "f1":
        answers = most_overlapping(answers)[:count]
    spans = tuple(
        AnswerSpan(
            int(passage.starts[answer.first]), int(passage.ends[answer.last]), answer.probability
        )
        for answer in answers
    )
    return SpanReply(spans, none_score(scored, dict(likely)[answers[0]]))


def _has_a_stretch_each(passage: Tokens) -> bool:
    """Whether every token has a stretch of text of its own."""
    twice = (np.diff(passage.starts) == 0) & (np.diff(passage.ends) == 0)
    return not twice.any() and bool((passage.starts < passage.ends).all())


def _by_stretch(runs: Sequence[Choice], passage: Tokens) -> list[tuple[Choice, Choice]]:
    """Stretches, each as likely as all its runs of tokens, by and with their likeliest runs."""
    stretches: dict[tuple[int, int], tuple[Choice, Choice]] = {}
    for run in runs:
        tokens = slice(run.first, run.last + 1)
        words = np.flatnonzero(passage.starts[tokens] < passage.ends[tokens])
        if not len(words):
            continue
        first, last = run.first + int(words[0]), run.first + int(words[-1])
        place = int(passage.starts[first]), int(passage.ends[last])
        stretch, likeliest = stretches.get(place, (Choice(first, last, 0.0), run))
        total = stretch.probability + run.probability
        stretches[place] = replace(stretch, probability=total), likeliest
    return list(stretches.values())
