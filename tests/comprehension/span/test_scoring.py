"""Shares of sentences and the spans in them, by the scores of a question's windows."""

from __future__ import annotations

import numpy as np
import pytest

from readmark.comprehension.span.decoding import ScoredWindow
from readmark.comprehension.span.scoring import ScoredQuestion
from readmark.comprehension.span.tokens import Tokens


def tokens(*places: tuple[int, int]) -> Tokens:
    spans = np.array(places, dtype=np.int32)
    return Tokens(np.arange(len(places), dtype=np.int32), spans[:, 0], spans[:, 1])


def scored(starts: list[float], ends: list[float], first: int = 0) -> ScoredWindow:
    return ScoredWindow(first, np.array(starts, np.float32), np.array(ends, np.float32), none=1.0)


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
