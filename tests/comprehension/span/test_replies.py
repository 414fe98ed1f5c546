"""Replies: stretches of text from runs of tokens, where tokens have none of their own."""

from __future__ import annotations

import numpy as np
import pytest

from readmark.comprehension.span.decoding import ScoredWindow, choose
from readmark.comprehension.span.replies import SpanReply, reply_of
from readmark.comprehension.span.tokens import Tokens


def tokens(*places: tuple[int, int]) -> Tokens:
    spans = np.array(places, dtype=np.int32)
    return Tokens(np.arange(len(places), dtype=np.int32), spans[:, 0], spans[:, 1])


def scored(starts: list[float], ends: list[float], first: int = 0) -> ScoredWindow:
    return ScoredWindow(first, np.array(starts, np.float32), np.array(ends, np.float32), none=1.0)


def stretches(reply: SpanReply) -> list[tuple[int, int]]:
    return [(answer.start, answer.end) for answer in reply.answers]


def test_tokens_of_one_letter_are_one_stretch_with_all_its_probability() -> None:
    # Three tokens of one letter, then a word.
    passage = tokens((0, 1), (0, 1), (0, 1), (1, 4))
    windows = [scored([2, 1, 0, 1], [0, 1, 2, 1])]
    runs = choose(windows, longest=4, count=99)
    reply = reply_of(windows, passage, 4, 3, "em")
    assert stretches(reply) == [(0, 1), (0, 4), (1, 4)]
    of_letter = [run.probability for run in runs if run.last < 3]
    assert len(of_letter) == 6
    assert reply.answers[0].probability == pytest.approx(sum(of_letter))
    assert sum(answer.probability for answer in reply.answers) == pytest.approx(
        sum(run.probability for run in runs)
    )
    assert reply.none == pytest.approx(1.0 - 4.0)


def test_space_is_trimmed_and_is_no_answer() -> None:
    # A word, a space of two tokens, a word, a space.
    passage = tokens((0, 3), (5, 5), (5, 5), (5, 8), (9, 9))
    windows = [scored([0, 9, 0, 1, 0], [0, 9, 0, 0, 8])]
    reply = reply_of(windows, passage, 5, 2, "em")
    # The best run is the space alone; the next begins and ends with one.
    assert stretches(reply)[0] == (5, 8)
    assert reply.none == pytest.approx(1.0 - 17.0)
    assert len(set(stretches(reply))) == 2


@pytest.mark.parametrize("decide", ["em", "f1"])
def test_there_is_an_answer_wherever_there_is_a_word(decide: str) -> None:
    space = [(place, place) for place in range(1, 200)]
    passage = tokens((0, 1), *space)
    low, high = [-20.0], [5.0] * 199
    assert stretches(reply_of([scored(low + high, low + high)], passage, 3, 1, decide)) == [(0, 1)]
    nothing = tokens(*space)
    assert reply_of([scored(high, high)], nothing, 3, 1, decide) == SpanReply((), 0.0)
    assert reply_of([], passage, 3, 1, decide) == SpanReply((), 0.0)


def test_tokens_of_a_stretch_each_are_answers_as_they_are_chosen() -> None:
    passage = tokens((0, 3), (4, 6), (6, 9))
    windows = [scored([1, 2, 0], [0, 1, 2]), scored([2.5, 0], [1, 2], first=1)]
    reply = reply_of(windows, passage, 2, 3, "em")
    runs = choose(windows, longest=2, count=3)
    assert [answer.probability for answer in reply.answers] == [run.probability for run in runs]
    assert stretches(reply)[0] == (4, 9)
    assert reply.none == pytest.approx(1.0 - 4.5)
