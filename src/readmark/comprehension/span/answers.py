"""Reading: questions to answers, whatever computes the scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.span.tokens import SpanShape, Tokenizer, Tokens
from readmark.core.arrays import Floats32, Ints32
from readmark.core.records import Offsets

# The best span: start times end over all valid spans of all windows of a question.


@dataclass(frozen=True, slots=True)
class Scored:
    """One window's scores of its tokens of the passage, and of there being no answer."""

    first: int
    """The number of its first token in the passage."""
    starts: Floats32
    ends: Floats32
    none: float = 0.0


@dataclass(frozen=True, slots=True)
class Choice:
    """Tokens of the passage, first to last, and how likely they are the answer."""

    first: int
    last: int
    probability: float


def choose(windows: Sequence[Scored], *, longest: int, count: int = 1) -> list[Choice]:
    """The likeliest spans, best first; windows are weighed against each other by raw scores."""
    windows = [window for window in windows if len(window.starts)]
    if not windows:
        return []
    total = _log_sum([window.starts for window in windows]) + _log_sum(
        [window.ends for window in windows]
    )
    best: dict[tuple[int, int], float] = {}
    for window in windows:
        for score, first, last in _top(window, longest, count):
            place = window.first + first, window.first + last
            best[place] = max(best.get(place, -np.inf), score)
    ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))[:count]
    return [Choice(*place, float(np.exp(score - total))) for place, score in ranked]


def most_overlapping(choices: Sequence[Choice]) -> list[Choice]:
    """The span with the greatest expected F1 first, the others as they come.

    Each span is taken for the answer as often as it is likely, and F1 counted in tokens: minimum
    Bayes risk. A span between several likely ones can come before the likeliest.
    """
    if len(choices) < 2:
        return list(choices)
    first = np.array([choice.first for choice in choices])
    after = np.array([choice.last + 1 for choice in choices])
    shared = np.minimum(after[:, None], after) - np.maximum(first[:, None], first)
    sizes = after - first
    overlap = 2 * np.maximum(shared, 0) / (sizes[:, None] + sizes)
    best = int((overlap @ np.array([choice.probability for choice in choices])).argmax())
    return [choices[best], *choices[:best], *choices[best + 1 :]]


def none_score(windows: Sequence[Scored], best: Choice | None) -> float:
    """How much likelier no answer is than the best one, by the most doubtful window."""
    nothing = min((window.none for window in windows), default=0.0)
    if best is None:
        return nothing
    said = max(
        float(window.starts[best.first - window.first] + window.ends[best.last - window.first])
        for window in windows
        if window.first <= best.first and best.last < window.first + len(window.starts)
    )
    return nothing - said


def _top(window: Scored, longest: int, wanted: int) -> list[tuple[float, int, int]]:
    count = len(window.starts)
    reach = min(longest, count)
    # Row d holds the spans of d + 1 tokens, by where they begin.
    sums = np.full((reach, count), -np.inf, np.float32)
    for more in range(reach):
        sums[more, : count - more] = window.starts[: count - more] + window.ends[more:]
    flat = sums.ravel()
    # Each of the best starts has a span that is as good as the least of these or better.
    least = -np.inf if wanted > count else np.sort(sums.max(axis=0))[-wanted]
    places = np.flatnonzero(flat >= least)
    places = places[np.argsort(-flat[places], kind="stable")[:wanted]]
    return [
        (float(flat[at]), int(at % count), int(at % count + at // count))
        for at in places.tolist()
        if np.isfinite(flat[at])
    ]


def _log_sum(parts: Sequence[Floats32]) -> float:
    together = np.concatenate(parts).astype(np.float64)
    top = together.max()
    return float(top + np.log(np.exp(together - top).sum()))


# Windows: a question and as much of a passage as fits with it.


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
    question: Tokens, passage: Tokens, shape: SpanShape, tokenizer: Tokenizer
) -> Iterator[Window]:
    """The windows of a question and its passage, in the passage's order."""
    asked = question.ids[: shape.asked]
    start, mark = np.array([tokenizer.first], np.int32), np.array([tokenizer.between], np.int32)
    for first, count in stretches(len(passage.ids), shape.room(len(asked)), shape.stride):
        held = passage.ids[first : first + count]
        if shape.passage_first:
            ids, split, low = np.concatenate([start, held, mark, asked, mark]), count + 2, 1
        else:
            ids = np.concatenate([start, asked, mark, held, mark])
            split = low = len(asked) + 2
        types = (np.arange(len(ids)) >= split).astype(np.int32)
        yield Window(ids, types, low, first, count)


Scorer = Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], NDArray[np.float32]]
"""Ids, types and mask of a batch to its scores (windows, tokens, 2)."""
WEIGHED = 20
"""How many likely answers are weighed against each other for the greatest expected F1."""
_AMONG = 50
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
    asked: Sequence[tuple[str, str]],
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
        asked,
        cut=tokenizer.cut,
        windows=lambda question, passage: windows(question, passage, shape, tokenizer),
        score=lambda some: scorer(*side_by_side(some)),
        batch=batch,
        wanted=count,
        longest=longest or shape.answer,
        decide=decide,
    )


def read_windows(
    asked: Sequence[tuple[str, str]],
    *,
    cut: Callable[[Sequence[str]], list[Tokens]],
    windows: Callable[[Tokens, Tokens], Iterable[Window]],
    score: Callable[[Sequence[Window]], Floats32],
    batch: int,
    wanted: int,
    longest: int,
    decide: str,
) -> list[SpanReply]:
    """The replies to pairs of passage and question; windows of like length go together.

    ``decide`` is what the first answer is the best for: ``em`` the likeliest, ``f1`` the one
    with the greatest expected overlap. A batch that memory has no room for is halved.
    """
    scored = score_windows(asked, cut=cut, windows=windows, score=score, batch=batch)
    return [reply_of(one.windows, one.passage, longest, wanted, decide) for one in scored]


class ScoredQuestion(NamedTuple):
    """The tokens of a question's passage, and the scores of its windows."""

    passage: Tokens
    windows: list[Scored]

    def shares(self, sentences: Sequence[Offsets]) -> NDArray[np.float64]:
        """How likely the answer begins in each sentence; all zero where no token is in one.

        Start scores alone decide: with the ends, what they agree on would count twice. A token
        that two windows have counts once, with its better score.
        """
        scores = np.full(len(self.passage.ids), -np.inf)
        for window in self._worded():
            there = scores[window.first : window.first + len(window.starts)]
            np.maximum(there, window.starts, out=there)
        mass = np.exp(scores - scores.max(initial=-1e9))
        sums = np.concatenate([[0.0], np.cumsum(mass)])
        shares = np.diff(sums[np.searchsorted(self.passage.starts, sentences)], axis=1)[:, 0]
        return np.asarray(shares / (shares.sum() or 1.0))

    def span_in(self, sentence: Offsets, longest: int) -> Offsets | None:
        """The likeliest span that begins in a sentence."""
        low, high = np.searchsorted(self.passage.starts, sentence)
        inside = []
        for window in self._worded():
            places = window.first + np.arange(len(window.starts))
            starts = np.where((low <= places) & (places < high), window.starts, -np.inf)
            if np.isfinite(starts).any():
                inside.append(replace(window, starts=starts.astype(np.float32)))
        for choice in choose(inside, longest=longest):
            return int(self.passage.starts[choice.first]), int(self.passage.ends[choice.last])
        return None

    def _worded(self) -> list[Scored]:
        return [_worded(window, self.passage) for window in self.windows]


def score_windows(
    asked: Sequence[tuple[str, str]],
    *,
    cut: Callable[[Sequence[str]], list[Tokens]],
    windows: Callable[[Tokens, Tokens], Iterable[Window]],
    score: Callable[[Sequence[Window]], Floats32],
    batch: int,
) -> list[ScoredQuestion]:
    """The scores of pairs of passage and question; windows of like length go together."""
    texts = list(dict.fromkeys(text for text, _ in asked))
    passages = dict(zip(texts, cut(texts), strict=True))
    questions = cut([question for _, question in asked])
    work = [
        (number, window)
        for number, ((text, _), question) in enumerate(zip(asked, questions, strict=True))
        if len(passages[text].ids)
        for window in windows(question, passages[text])
    ]
    work.sort(key=lambda item: len(item[1].ids))
    scored: list[list[Scored]] = [[] for _ in asked]
    first = 0
    while batched := work[first : first + batch]:
        try:
            scores = score([window for _, window in batched])
        except Exception as error:
            if len(batched) == 1 or not _is_out_of_memory(error):
                raise
            batch = len(batched) // 2
            continue
        first += len(batched)
        for row, (number, window) in enumerate(batched):
            window_scores = scores[row, window.low : window.low + window.count]
            none = float(scores[row, window.none].sum())
            scored[number].append(
                Scored(window.first, window_scores[:, 0], window_scores[:, 1], none)
            )
    return [
        ScoredQuestion(passages[text], scored[number]) for number, (text, _) in enumerate(asked)
    ]


def _is_out_of_memory(error: Exception) -> bool:
    """Whether torch or onnxruntime could not allocate what a batch takes."""
    text = str(error).lower()
    return "out of memory" in text or "failed to allocate memory" in text


def side_by_side(
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


def reply_of(
    scored: Sequence[Scored], passage: Tokens, longest: int, count: int, decide: str
) -> SpanReply:
    """The likeliest answers by the scores of a question's windows.

    Runs of tokens that are one stretch of text, but for space around it, are one answer, as likely
    as all of them; the likeliest run comes first. What is nothing but space is none.
    """
    wanted = max(count, WEIGHED) if decide == "f1" else count
    if _is_plain(passage):
        likely = [(choice, choice) for choice in choose(scored, longest=longest, count=wanted)]
    else:
        choices = choose(scored, longest=longest, count=_AMONG * wanted)
        likely = _by_stretch(choices, passage)[:wanted]
        if not likely and (passage.starts < passage.ends).any():
            worded = [_worded(one, passage) for one in scored]
            likely = _by_stretch(choose(worded, longest=longest, count=wanted), passage)
    if not likely:
        return SpanReply((), 0.0)
    chosen = [choice for choice, _ in likely]
    if decide == "f1":
        chosen = most_overlapping(chosen)[:count]
    answer_spans = tuple(
        AnswerSpan(
            int(passage.starts[choice.first]), int(passage.ends[choice.last]), choice.probability
        )
        for choice in chosen
    )
    return SpanReply(answer_spans, none_score(scored, dict(likely)[chosen[0]]))


def _is_plain(passage: Tokens) -> bool:
    """Whether every token has a stretch of text of its own."""
    twice = (np.diff(passage.starts) == 0) & (np.diff(passage.ends) == 0)
    return not twice.any() and bool((passage.starts < passage.ends).all())


def _by_stretch(choices: Sequence[Choice], passage: Tokens) -> list[tuple[Choice, Choice]]:
    """Stretches, each as likely as all its runs of tokens, by and with their likeliest runs."""
    runs: dict[tuple[int, int], tuple[Choice, Choice]] = {}
    for choice in choices:
        held = slice(choice.first, choice.last + 1)
        words = np.flatnonzero(passage.starts[held] < passage.ends[held])
        if not len(words):
            continue
        first, last = choice.first + int(words[0]), choice.first + int(words[-1])
        place = int(passage.starts[first]), int(passage.ends[last])
        so_far, run = runs.get(place, (Choice(first, last, 0.0), choice))
        runs[place] = replace(so_far, probability=so_far.probability + choice.probability), run
    return list(runs.values())


def _worded(one: Scored, passage: Tokens) -> Scored:
    """A window in which no answer begins or ends with space."""
    held = slice(one.first, one.first + len(one.starts))
    space = passage.starts[held] >= passage.ends[held]
    starts, ends = (np.where(space, np.float32(-np.inf), side) for side in (one.starts, one.ends))
    return Scored(one.first, starts, ends, one.none)
