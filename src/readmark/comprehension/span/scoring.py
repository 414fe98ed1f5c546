"""The scores of a question's windows, whatever network computes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.span.decoding import ScoredWindow, choose
from readmark.comprehension.span.tokens import Tokens
from readmark.comprehension.span.windows import Window
from readmark.core.arrays import Floats32
from readmark.core.records import Offsets

Scorer = Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], NDArray[np.float32]]
"""Ids, types and mask of a batch to its scores (windows, tokens, 2)."""


class ScoredQuestion(NamedTuple):
    """The tokens of a question's passage, and the scores of its windows."""

    passage: Tokens
    windows: list[ScoredWindow]

    def shares(self, sentences: Sequence[Offsets]) -> NDArray[np.float64]:
        """How likely the answer begins in each sentence; all zero where no token is in one.

        Start scores alone decide: with the ends, what they agree on would count twice. A token
        that two windows have counts once, with its better score.
        """
        scores = np.full(len(self.passage.ids), -np.inf)
        for window in self._windows_without_space():
            of_window = scores[window.first : window.first + len(window.starts)]
            np.maximum(of_window, window.starts, out=of_window)
        mass = np.exp(scores - scores.max(initial=-1e9))
        sums = np.concatenate([[0.0], np.cumsum(mass)])
        shares = np.diff(sums[np.searchsorted(self.passage.starts, sentences)], axis=1)[:, 0]
        return np.asarray(shares / (shares.sum() or 1.0))

    def span_in(self, sentence: Offsets, longest: int) -> Offsets | None:
        """The likeliest span that begins in a sentence."""
        low, high = np.searchsorted(self.passage.starts, sentence)
        inside = []
        for window in self._windows_without_space():
            places = window.first + np.arange(len(window.starts))
            starts = np.where((low <= places) & (places < high), window.starts, -np.inf)
            if np.isfinite(starts).any():
                inside.append(replace(window, starts=starts.astype(np.float32)))
        for choice in choose(inside, longest=longest):
            return int(self.passage.starts[choice.first]), int(self.passage.ends[choice.last])
        return None

    def _windows_without_space(self) -> list[ScoredWindow]:
        return [without_space(window, self.passage) for window in self.windows]


def without_space(window: ScoredWindow, passage: Tokens) -> ScoredWindow:
    """A window in which no answer begins or ends with a token that is nothing but space."""
    tokens = slice(window.first, window.first + len(window.starts))
    is_space = passage.starts[tokens] >= passage.ends[tokens]
    impossible = np.float32(-np.inf)
    return replace(
        window,
        starts=np.where(is_space, impossible, window.starts),
        ends=np.where(is_space, impossible, window.ends),
    )


def score_windows(
    pairs: Sequence[tuple[str, str]],
    *,
    cut: Callable[[Sequence[str]], list[Tokens]],
    windows: Callable[[Tokens, Tokens], Iterable[Window]],
    score: Callable[[Sequence[Window]], Floats32],
    batch: int,
) -> list[ScoredQuestion]:
    """The scores of pairs of passage and question; windows of like length go together.

    A batch that memory has no room for is halved.
    """
    texts = list(dict.fromkeys(text for text, _ in pairs))
    passages = dict(zip(texts, cut(texts), strict=True))
    questions = cut([question for _, question in pairs])
    waiting = [
        (number, window)
        for number, ((text, _), question) in enumerate(zip(pairs, questions, strict=True))
        if len(passages[text].ids)
        for window in windows(question, passages[text])
    ]
    waiting.sort(key=lambda item: len(item[1].ids))
    scored: list[list[ScoredWindow]] = [[] for _ in pairs]
    done = 0
    while window_batch := waiting[done : done + batch]:
        try:
            scores = score([window for _, window in window_batch])
        except Exception as error:
            if len(window_batch) == 1 or not _is_out_of_memory(error):
                raise
            batch = len(window_batch) // 2
            continue
        done += len(window_batch)
        for row, (number, window) in enumerate(window_batch):
            of_passage = scores[row, window.low : window.low + window.count]
            none = float(scores[row, window.none].sum())
            scored[number].append(
                ScoredWindow(window.first, of_passage[:, 0], of_passage[:, 1], none)
            )
    return [
        ScoredQuestion(passages[text], scored[number]) for number, (text, _) in enumerate(pairs)
    ]


def _is_out_of_memory(error: Exception) -> bool:
    """Whether torch or onnxruntime could not allocate what a batch takes."""
    text = str(error).lower()
    return "out of memory" in text or "failed to allocate memory" in text
