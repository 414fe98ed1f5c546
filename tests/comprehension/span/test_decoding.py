"""The best span over windows, beside every span tried in turn."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.comprehension.span.decoding import (
    Choice,
    ScoredWindow,
    choose,
    most_overlapping,
    none_score,
)


def window(first: int, starts: list[float], ends: list[float], none: float = 0.0) -> ScoredWindow:
    return ScoredWindow(first, np.array(starts, np.float32), np.array(ends, np.float32), none)


@given(st.data())
def test_the_best_spans_are_those_of_trying_every_span(data: st.DataObject) -> None:
    windows, first = [], 0
    for size in data.draw(st.lists(st.integers(1, 8), min_size=1, max_size=3)):
        scores = st.lists(st.integers(-40, 40), min_size=size, max_size=size)
        starts, ends = ([score / 8 for score in data.draw(scores)] for _ in range(2))
        windows.append(window(first, starts, ends))
        first += size
    longest = data.draw(st.integers(1, 5))
    expected = [
        float(each.starts[start] + each.ends[end])
        for each in windows
        for start in range(len(each.starts))
        for end in range(start, min(start + longest, len(each.starts)))
    ]
    count = data.draw(st.integers(1, 20))
    scores_of_spans = []
    for span in choose(windows, longest=longest, count=count):
        holding = next(
            each for each in windows if each.first <= span.first < each.first + len(each.starts)
        )
        assert 0 <= span.last - span.first < longest
        start, end = span.first - holding.first, span.last - holding.first
        scores_of_spans.append(holding.starts[start] + holding.ends[end])
    assert scores_of_spans == sorted(expected, reverse=True)[:count]


def test_probability_is_the_product_over_all_windows() -> None:
    windows = [window(0, [1, 0], [0, 2]), window(2, [0], [0])]
    (best,) = choose(windows, longest=2)
    assert (best.first, best.last) == (0, 1)
    starts, ends = math.e + 1 + 1, 1 + math.e**2 + 1
    assert best.probability == pytest.approx(math.e / starts * math.e**2 / ends)


def test_an_end_never_stands_before_its_start() -> None:
    (best,) = choose([window(0, [0, 9], [9, 0])], longest=4)
    assert best.first <= best.last


def test_several_come_best_first_and_only_once() -> None:
    scored = window(0, [3, 1, 0], [0, 3, 1])
    choices = choose([scored, scored], longest=3, count=4)
    places = [(choice.first, choice.last) for choice in choices]
    assert places[0] == (0, 1)
    assert len(set(places)) == len(places) == 4
    likely = [choice.probability for choice in choices]
    assert likely == sorted(likely, reverse=True)


def test_without_windows_nothing_is_chosen() -> None:
    assert choose([], longest=4) == []
    assert none_score([], None) == 0.0


def test_no_answer_is_weighed_by_the_most_doubtful_window() -> None:
    windows = [window(0, [2], [1], none=5.0), window(1, [0], [0], none=4.0)]
    (best,) = choose(windows, longest=1)
    assert none_score(windows, best) == 4.0 - 3.0


def test_the_span_between_two_likely_ones_overlaps_most() -> None:
    # Expected F1: (0, 0) .4 + .2 * 2/3 + .4 * 0; (0, 1) .2 + .8 * 2/3; (1, 1) as the first.
    likely = [Choice(0, 0, 0.4), Choice(1, 1, 0.4), Choice(0, 1, 0.2)]
    assert most_overlapping(likely) == [likely[2], likely[0], likely[1]]


def test_the_likeliest_stays_first_where_nothing_overlaps() -> None:
    likely = [Choice(0, 0, 0.5), Choice(4, 4, 0.3), Choice(8, 9, 0.2)]
    assert most_overlapping(likely) == likely
    assert most_overlapping([]) == []


@given(
    st.lists(
        st.tuples(st.integers(0, 12), st.integers(0, 5), st.integers(1, 99)),
        min_size=1,
        max_size=8,
        unique_by=lambda drawn: drawn[:2],
    )
)
def test_no_span_is_expected_to_overlap_more(drawn: list[tuple[int, int, int]]) -> None:
    likely = [Choice(first, first + more, weight / 99) for first, more, weight in drawn]

    def expected(choice: Choice) -> float:
        tokens = set(range(choice.first, choice.last + 1))
        total = 0.0
        for answer in likely:
            of_answer = set(range(answer.first, answer.last + 1))
            shared = len(tokens & of_answer)
            total += answer.probability * 2 * shared / (len(tokens) + len(of_answer))
        return total

    ordered = most_overlapping(likely)
    assert sorted(ordered, key=likely.index) == likely
    assert expected(ordered[0]) == pytest.approx(max(map(expected, likely)))
