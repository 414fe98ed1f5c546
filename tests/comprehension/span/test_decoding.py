"""The best span over windows, beside every span tried in turn."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.comprehension.span.answers import Choice, Scored, choose, most_overlapping, none_score

SCORES = st.lists(st.integers(-40, 40), min_size=1, max_size=9)


def window(first: int, starts: list[float], ends: list[float], none: float = 0.0) -> Scored:
    return Scored(first, np.array(starts, np.float32), np.array(ends, np.float32), none)


@given(st.data())
def test_as_good_as_trying_every_span(data: st.DataObject) -> None:
    windows, first = [], 0
    for size in data.draw(st.lists(st.integers(1, 8), min_size=1, max_size=3)):
        scores = st.lists(st.integers(-40, 40), min_size=size, max_size=size)
        starts = [one / 8 for one in data.draw(scores)]
        windows.append(window(first, starts, [one / 8 for one in data.draw(scores)]))
        first += size
    longest = data.draw(st.integers(1, 5))
    tried = [
        float(one.starts[at] + one.ends[to])
        for one in windows
        for at in range(len(one.starts))
        for to in range(at, min(at + longest, len(one.starts)))
    ]
    count = data.draw(st.integers(1, 20))
    found = []
    for span in choose(windows, longest=longest, count=count):
        own = next(one for one in windows if one.first <= span.first < one.first + len(one.starts))
        assert 0 <= span.last - span.first < longest
        found.append(own.starts[span.first - own.first] + own.ends[span.last - own.first])
    assert found == sorted(tried, reverse=True)[:count]


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
    one = window(0, [3, 1, 0], [0, 3, 1])
    found = choose([one, one], longest=3, count=4)
    places = [(choice.first, choice.last) for choice in found]
    assert places[0] == (0, 1)
    assert len(set(places)) == len(places) == 4
    likely = [choice.probability for choice in found]
    assert likely == sorted(likely, reverse=True)


def test_nothing_to_choose_from() -> None:
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
        unique_by=lambda one: one[:2],
    )
)
def test_no_span_is_expected_to_overlap_more(drawn: list[tuple[int, int, int]]) -> None:
    likely = [Choice(first, first + more, weight / 99) for first, more, weight in drawn]

    def expected(one: Choice) -> float:
        own = set(range(one.first, one.last + 1))
        total = 0.0
        for other in likely:
            tokens = set(range(other.first, other.last + 1))
            total += other.probability * 2 * len(own & tokens) / (len(own) + len(tokens))
        return total

    found = most_overlapping(likely)
    assert sorted(found, key=likely.index) == likely
    assert expected(found[0]) == pytest.approx(max(map(expected, likely)))
