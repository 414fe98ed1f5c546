"""Replies: stretches of text from runs of tokens, where tokens have none of their own."""

from __future__ import annotations

import numpy as np
import pytest

from readmark.comprehension.span.answers import (
    Scored,
    ScoredQuestion,
    SpanReply,
    choose,
    reply_of,
)
from readmark.comprehension.span.tokens import Tokens


def tokens(*places: tuple[int, int]) -> Tokens:
    spans = np.array(places, dtype=np.int32)
    return Tokens(np.arange(len(places), dtype=np.int32), spans[:, 0], spans[:, 1])


def scored(starts: list[float], ends: list[float], first: int = 0) -> Scored:
    return Scored(first, np.array(starts, np.float32), np.array(ends, np.float32), none=1.0)


def stretches(reply: SpanReply) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in reply.answers]


def test_tokens_of_one_letter_are_one_stretch_with_all_its_probability() -> None:
    # Three tokens of one letter, then a word.
    passage = tokens((0, 1), (0, 1), (0, 1), (1, 4))
    windows = [scored([2, 1, 0, 1], [0, 1, 2, 1])]
    apart = choose(windows, longest=4, count=99)
    reply = reply_of(windows, passage, 4, 3, "em")
    assert stretches(reply) == [(0, 1), (0, 4), (1, 4)]
    of_letter = [one.probability for one in apart if one.last < 3]
    assert len(of_letter) == 6
    assert reply.answers[0].probability == pytest.approx(sum(of_letter))
    assert sum(one.probability for one in reply.answers) == pytest.approx(
        sum(one.probability for one in apart)
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
    space = [(at, at) for at in range(1, 200)]
    passage = tokens((0, 1), *space)
    low, high = [-20.0], [5.0] * 199
    assert stretches(reply_of([scored(low + high, low + high)], passage, 3, 1, decide)) == [(0, 1)]
    nothing = tokens(*space)
    assert reply_of([scored(high, high)], nothing, 3, 1, decide) == SpanReply((), 0.0)
    assert reply_of([], passage, 3, 1, decide) == SpanReply((), 0.0)


def test_plain_tokens_are_as_they_were() -> None:
    passage = tokens((0, 3), (4, 6), (6, 9))
    windows = [scored([1, 2, 0], [0, 1, 2]), scored([2.5, 0], [1, 2], first=1)]
    reply = reply_of(windows, passage, 2, 3, "em")
    wanted = choose(windows, longest=2, count=3)
    assert [one.probability for one in reply.answers] == [one.probability for one in wanted]
    assert stretches(reply)[0] == (4, 9)
    assert reply.none == pytest.approx(1.0 - 4.5)


def raised(*shares: float) -> list[float]:
    """Scores whose exponentials are these."""
    return [float(np.log(share)) for share in shares]


def test_shares_of_sentences_are_sums_of_what_begins_there() -> None:
    # Two sentences of two tokens: starts 1 + 2 against 3 + 6, whatever the ends.
    passage = tokens((0, 3), (4, 6), (8, 9), (9, 12))
    windows = [scored(raised(1, 2, 3, 6), raised(9, 1, 1, 1))]
    shares = ScoredQuestion(passage, windows).shares([(0, 7), (8, 12)])
    assert shares == pytest.approx([3 / 12, 9 / 12])


def test_a_token_of_two_windows_counts_once_with_its_better_score() -> None:
    # Token 1 has 2 and 5: 1 + 5 in the first sentence, 4 in the second.
    passage = tokens((0, 3), (4, 6), (8, 9))
    windows = [scored(raised(1, 2), [0, 0]), scored(raised(5, 4), [0, 0], first=1)]
    question = ScoredQuestion(passage, windows)
    assert question.shares([(0, 7), (8, 9)]) == pytest.approx([0.6, 0.4])
    # What is in no sentence, as a title may be, has no share; nor has a sentence without tokens.
    assert question.shares([(4, 7), (7, 8), (8, 9)]) == pytest.approx([5 / 9, 0, 4 / 9])
    assert question.shares([(20, 30)]) == pytest.approx([0])


def test_where_nothing_was_scored_no_sentence_has_a_share() -> None:
    nothing = Tokens(*(np.zeros(0, np.int32) for _ in range(3)))
    question = ScoredQuestion(nothing, [])
    assert question.shares([(0, 3), (4, 6)]) == pytest.approx([0, 0])
    assert question.span_in((0, 3), 5) is None


def test_the_likeliest_span_that_begins_in_a_sentence() -> None:
    passage = tokens((0, 3), (4, 6), (8, 9), (9, 12))
    question = ScoredQuestion(passage, [scored([5, 0, 1, 2], [0, 9, 3, 2])])
    assert question.span_in((0, 7), 4) == (0, 6)
    assert question.span_in((8, 12), 4) == (8, 9)  # 1 + 3 against 1 + 2 and 2 + 2, first of two
    assert question.span_in((8, 12), 1) == (8, 9)
    assert question.span_in((6, 8), 4) is None
