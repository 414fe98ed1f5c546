"""Span F1, word F1 and unitizing alpha: worked by hand, and by definition."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import agreement as oracle
from readmark.statistics.agreement.spans import (
    boundary_f1,
    character_f1,
    exact_f1,
    overlap_f1,
    word_f1,
)
from readmark.statistics.agreement.unitizing import Continuum, unitizing_alpha
from readmark.statistics.agreement.value import Resampling

# A marks 0-3 and 5-9; B marks 0-3, 6-9 and 12-14.
A = [(0, 3), (5, 9)]
B = [(0, 3), (6, 9), (12, 14)]


def test_span_f1_by_hand() -> None:
    # One span of 2 and 3 is equal: 2*1/(2+3). Both of A's and two of B's overlap: 2*1*(2/3)/(5/3).
    # A has 3+4 characters, B 3+3+2, both have 3+3: 2*6/(7+8).
    assert exact_f1([(A, B)]).value == pytest.approx(0.4)
    assert overlap_f1([(A, B)]).value == pytest.approx(0.8)
    assert character_f1([(A, B)]).value == pytest.approx(0.8)
    assert (exact_f1([(A, B)]).n, character_f1([(A, B)]).n) == (5, 15)


def test_labels_must_be_equal_too() -> None:
    one, other = [(0, 3, "PERSON"), (5, 9, "TIME")], [(0, 3, "PERSON"), (5, 9, "NUM")]
    assert exact_f1([(one, other)]).value == pytest.approx(0.5)
    assert overlap_f1([(one, other)]).value == pytest.approx(0.5)
    assert character_f1([(one, other)]).value == pytest.approx(2 * 3 / 14)


def test_counts_are_added_up_over_texts() -> None:
    # 1 of 2 and 3 spans, then 2 of 2 and 2: 2*3/(4+5).
    assert exact_f1([(A, B), (A, A)]).value == pytest.approx(6 / 9)


def test_one_who_marked_nothing_disagrees() -> None:
    for measure in (exact_f1, overlap_f1, character_f1, word_f1):
        assert measure([(A, [])]).value == 0
        assert measure([([], A)]).value == 0


def test_an_empty_span_shares_no_character() -> None:
    assert overlap_f1([([(5, 5)], [(3, 8)])]).value == 0
    assert overlap_f1([([(3, 8)], [(5, 5)])]).value == 0


@pytest.mark.parametrize("measure", [exact_f1, overlap_f1, character_f1, word_f1, boundary_f1])
@pytest.mark.parametrize("pairs", [[], [([], [])]])
def test_nothing_at_all_is_undefined(measure: Any, pairs: Any) -> None:
    made = measure(pairs)
    assert made.value is None
    assert made.reason.startswith("neither")


def test_words_by_hand() -> None:
    # 美国人 口 against 美国 人口, "of" four characters: no word in common. Inner ends: 3, and 2.
    one, other = [(0, 3), (3, 4)], [(0, 2), (2, 4)]
    assert word_f1([(one, other)]).value == 0
    assert boundary_f1([(one, other)]).value == 0
    # 轩 芝 丝 很 好 against 轩芝丝 很 好: words 2 of 5 and 3; inner ends 1 2 3 4 and 3 4.
    split, joined = [(at, at + 1) for at in range(5)], [(0, 3), (3, 4), (4, 5)]
    assert word_f1([(split, joined)]).value == pytest.approx(4 / 8)
    assert boundary_f1([(split, joined)]).value == pytest.approx(4 / 6)
    # One word each: nothing to choose.
    assert boundary_f1([([(0, 2)], [(0, 2)])]).value is None
    assert word_f1([([(0, 2)], [(0, 2)])]).value == 1


# Two observers, a continuum of 300, "Content Analysis: An Introduction to Its Methodology".
# c: 225-295 and 370-400 against 220-300, 355-375 and 400-420; k: 180-240 and 300-350 by both.
# Differences: 5² + 5² = 50, 15² + 25² = 850, and 20² = 400 in a gap; both ways 2600.
# 2600 / (2 * 1 * 300²) = 0.0144 observed for c, 0 for k; expected 0.0532 and 0.0490.
C = [[(75, 145), (220, 250)], [(70, 150), (205, 225), (250, 270)]]
K = [[(30, 90), (150, 200)]] * 2


def _named(spans: list[tuple[int, int]], category: str) -> list[tuple[int, int, str]]:
    return [(start, end, category) for start, end in spans]


def test_unitizing_alpha_as_published() -> None:
    c = unitizing_alpha([Continuum(300, [_named(one, "c") for one in C])])
    k = unitizing_alpha([Continuum(300, [_named(one, "k") for one in K])])
    assert c.value == pytest.approx(0.7286, abs=1e-4)
    assert c.observed == pytest.approx(0.0144, abs=1e-4)
    assert c.expected == pytest.approx(0.0532, abs=1e-4)
    assert k.value == 1
    assert k.expected == pytest.approx(0.0490, abs=1e-4)
    both = [[*_named(c, "c"), *_named(k, "k")] for c, k in zip(C, K, strict=True)]
    made = unitizing_alpha([Continuum(300, both)])
    assert made.value == pytest.approx(0.859, abs=5e-4)
    assert made.n == 9


@pytest.mark.parametrize(
    ("continua", "reason"),
    [
        ([], "no text was marked by two"),
        ([Continuum(9, [[(0, 2, None)]])], "no text was marked by two"),
        ([Continuum(9, [[], []])], "no annotator marked any"),
        ([Continuum(9, [[(0, 4, None), (2, 6, None)], []])], "overlap"),
    ],
)
def test_unitizing_alpha_undefined(continua: list[Continuum], reason: str) -> None:
    made = unitizing_alpha(continua)
    assert made.value is None
    assert made.reason is not None
    assert reason in made.reason


def test_every_text_has_as_many_annotators() -> None:
    with pytest.raises(ValueError, match="as many"):
        unitizing_alpha([Continuum(9, [[], []]), Continuum(9, [[], [], []])])


def test_unitizing_intervals() -> None:
    texts = [
        Continuum(40, [[(at, at + 4, None)], [(at + at % 3, at + 4, None)]], at) for at in range(9)
    ]
    how = Resampling(draws=300)
    made = unitizing_alpha(texts, resampling=how)
    assert made.low is not None
    assert made.high is not None
    assert made.value is not None
    assert made.low < made.value < made.high
    assert made == unitizing_alpha(texts[::-1][::-1], resampling=how)


@st.composite
def units(draw: Any, length: int = 30) -> list[tuple[int, int]]:
    """Spans that do not overlap."""
    ends = sorted(draw(st.sets(st.integers(0, length), max_size=8)))
    return [span for span in zip(ends[::2], ends[1::2], strict=False) if span[0] < span[1]]


@given(st.lists(units(), min_size=2, max_size=3))
def test_unitizing_alpha_by_definition(raters: list[list[tuple[int, int]]]) -> None:
    expected = oracle.unitizing(30, raters)
    named = [[(start, end, None) for start, end in one] for one in raters]
    made = unitizing_alpha([Continuum(30, named)]).value
    assert made == (None if expected is None else pytest.approx(expected, abs=1e-9))
    turned = unitizing_alpha([Continuum(30, named[::-1])]).value
    assert made == (None if turned is None else pytest.approx(turned))
    if named[0]:
        assert unitizing_alpha([Continuum(30, [named[0]] * 2)]).value == 1


@given(units(), units())
def test_f1_is_symmetric_and_bounded(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    for measure in (exact_f1, overlap_f1, character_f1, word_f1, boundary_f1):
        made = measure([(a, b)])
        assert made.value == measure([(b, a)]).value
        assert made.value is None or 0 <= made.value <= 1
        same = measure([(a, a)]).value
        assert same in (None, 1.0)
        assert same == 1 or not a or measure is boundary_f1
    if a and b:
        exact, overlap = exact_f1([(a, b)]).value, overlap_f1([(a, b)]).value
        assert exact is not None
        assert overlap is not None
        assert exact <= overlap
        met = [any(s < y and x < e for x, y in b) for s, e in a]
        back = [any(s < y and x < e for x, y in a) for s, e in b]
        one, other = sum(met) / len(a), sum(back) / len(b)
        assert overlap == pytest.approx(2 * one * other / (one + other) if one + other else 0)
