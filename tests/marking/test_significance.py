"""Paired comparison: p by full enumeration, signs, Holm, and what two sittings have in common."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from statistics import stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from made import sat
from oracles.resampled import drawn_statistics, exact_p, mean, percentiles, randomised_p
from paired import FEW, FIRST, SECOND, TEST, A, B, ids, sitting_of, test_of
from readmark.core.errors import DataError, UsageError
from readmark.marking.settings import MarkSettings
from readmark.marking.significance import Comparison, adjusted


def test_identical_sittings() -> None:
    one = readmark.compare(TEST, FIRST, replace(FIRST))[0]
    assert (one.p, one.difference, one.low, one.high) == (1, 0, 0, 0)
    assert (one.discordant, one.detectable) == (0, 0)
    assert not one.worse(0.999)


def test_by_hand() -> None:
    one = readmark.compare(TEST, FIRST, SECOND, metrics="em")[0]
    assert (one.metric, one.a, one.b) == ("em", "first", "second")
    assert (one.score_a, one.score_b, one.difference) == (50, 87.5, 37.5)
    assert (one.units, one.clusters) == (8, 4)
    assert one.discordant == 5  # two of p1, one of p2, and both of p3, which cancel out
    assert exact_p(A, B) == Fraction(1, 2)
    assert one.p == pytest.approx(0.5, abs=0.02)
    assert one.p == randomised_p(A, B)
    assert one.adjusted_p is None
    draws = drawn_statistics([A, B], lambda a, b: mean(b) - mean(a))
    low, high = percentiles(draws)
    assert (one.low, one.high) == pytest.approx((100 * low, 100 * high))
    assert one.detectable == pytest.approx(100 * 2.80 * stdev(draws))


def test_a_better_b_has_a_positive_difference() -> None:
    there = readmark.compare(TEST, FIRST, SECOND, metrics="em")[0]
    back = readmark.compare(TEST, SECOND, FIRST, metrics="em")[0]
    assert there.difference == 37.5
    assert back.difference == -37.5
    assert back.p == there.p
    assert (there.low, there.high) == pytest.approx((-(back.high or 0), -(back.low or 0)))
    assert (there.a, there.b) == (back.b, back.a)


values = st.lists(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=3), max_size=6)


@given(values=values.filter(any))
def test_p_is_near_the_full_enumeration(values: list[list[tuple[int, int]]]) -> None:
    kept = {f"p{at}": found for at, found in enumerate(values) if found}
    a = {name: [one for one, _ in found] for name, found in kept.items()}
    b = {name: [other for _, other in found] for name, found in kept.items()}
    chosen = MarkSettings(draws=20, trials=2000)
    one = readmark.compare(test_of(a), sitting_of(a, "a"), sitting_of(b, "b"), settings=chosen)[0]
    exact = float(exact_p(a, b))
    error = math.sqrt(exact * (1 - exact) / chosen.trials)
    assert one.p == pytest.approx(exact, abs=5 * error + 2 / chosen.trials)
    assert one.p is not None
    assert 1 / (chosen.trials + 1) <= one.p <= 1


def test_the_smallest_p_is_not_zero() -> None:
    a = {f"p{at}": [0] for at in range(40)}
    b = {f"p{at}": [1] for at in range(40)}
    one = readmark.compare(test_of(a), sitting_of(a, "a"), sitting_of(b, "b"), settings=FEW)[0]
    assert one.p == 1 / 501


def test_whole_passages_are_flipped() -> None:
    """Forty questions in two passages are two things to swap, not forty."""
    a = {"p1": [0] * 20, "p2": [0] * 20}
    b = {"p1": [1] * 20, "p2": [1] * 20}
    one = readmark.compare(test_of(a), sitting_of(a, "a"), sitting_of(b, "b"))[0]
    assert one.p == pytest.approx(0.5, abs=0.02)
    assert (one.units, one.clusters) == (40, 2)


def test_one_passage_can_prove_nothing() -> None:
    a, b = {"p": [0, 0, 0, 0]}, {"p": [1, 1, 1, 1]}
    one = readmark.compare(test_of(a), sitting_of(a, "a"), sitting_of(b, "b"))[0]
    assert (one.difference, one.p, one.low, one.high, one.detectable) == (100, 1, None, None, None)


def comparison(p: float | None, difference: float | None = -1.0) -> Comparison:
    return Comparison(
        metric="em",
        a="a",
        b="b",
        score_a=None,
        score_b=None,
        difference=difference,
        low=None,
        high=None,
        p=p,
        adjusted_p=None,
        units=1,
        clusters=1,
        discordant=0,
        detectable=None,
        signature="metric:em",
    )


@pytest.mark.parametrize(
    ("p", "difference", "alpha", "worse"),
    [
        (0.04, -1.0, 0.05, True),
        (0.05, -1.0, 0.05, False),  # p < alpha, not p <= alpha
        (0.06, -1.0, 0.05, False),
        (0.001, 1.0, 0.05, False),
        (0.001, 0.0, 0.05, False),
        (None, -1.0, 0.05, False),
        (0.001, None, 0.05, False),
    ],
)
def test_worse(p: float | None, difference: float | None, alpha: float, worse: bool) -> None:
    assert comparison(p, difference).worse(alpha) is worse


def test_holm_by_hand() -> None:
    # sorted: .01 x 3, .02 x 2, .04 x 1; none may fall below the one before it
    found = adjusted([comparison(0.04), comparison(0.01), comparison(0.02)])
    assert [one.adjusted_p for one in found] == pytest.approx([0.04, 0.03, 0.04])
    assert [one.p for one in found] == [0.04, 0.01, 0.02]
    assert [one.worse(0.035) for one in found] == [False, True, False]
    assert all(one.signature.endswith("|adjusted:holm") for one in found)
    undefined = adjusted([comparison(None), comparison(0.01), comparison(0.6)])
    assert [one.adjusted_p for one in undefined] == [None, 0.02, 0.6]
    alone = adjusted([comparison(0.04)])
    assert (alone[0].adjusted_p, alone[0].signature) == (None, "metric:em")
    assert alone[0].worse(0.05)


def test_several_are_each_against_the_first() -> None:
    third = sitting_of({name: [0] * len(found) for name, found in A.items()}, "third")
    found = readmark.compare(TEST, FIRST, SECOND, third, FIRST, metrics="em")
    assert [(one.a, one.b) for one in found] == [
        ("first", "second"),
        ("first", "third"),
        ("first", "first (2)"),
    ]
    assert [one.difference for one in found] == [37.5, -50, 0]
    alone = [readmark.compare(TEST, FIRST, one, metrics="em")[0] for one in (SECOND, third, FIRST)]
    assert [one.p for one in found] == [one.p for one in alone]
    assert [one.adjusted_p for one in found] == [one.adjusted_p for one in adjusted(alone)]


def test_the_default_is_f1_and_the_signature_says_how() -> None:
    one = readmark.compare(TEST, FIRST, SECOND, seed=3, trials=77, draws=9)[0]
    assert one.metric == "f1"
    parts = dict(part.split(":", 1) for part in one.signature.split("|"))
    for key, value in (
        ("profile", "squad"),
        ("clusters", "passage"),
        ("test", "paired-randomisation"),
        ("trials", "77"),
        ("interval", "percentile"),
        ("draws", "9"),
        ("seed", "3"),
    ):
        assert parts[key] == value


def test_a_comparison_does_not_claim_a_bca_interval() -> None:
    percentile, bca = (
        readmark.compare(TEST, FIRST, SECOND, settings=MarkSettings(interval=how))[0]
        for how in ("percentile", "bca")
    )
    assert percentile == bca
    assert "interval:percentile" in bca.signature


def test_partial_overlap() -> None:
    """Only units that both were to sit are compared; what was left out there is still wrong."""
    part = sat(
        {"p1.0": "kettle", "p2.0": "kettle"}, candidate="part", covers=("p1.0", "p1.1", "p2.0")
    )
    other = sat({"p1.1": "kettle", "p2.0": "kettle"}, candidate="other", limit=4)
    one = readmark.compare(TEST, part, other, metrics="em")[0]
    assert (one.units, one.clusters, one.discordant) == (3, 2, 2)
    assert (one.score_a, one.score_b) == (pytest.approx(200 / 3), pytest.approx(200 / 3))
    whole = readmark.compare(TEST, FIRST, part, metrics="em")[0]
    assert (whole.units, whole.score_a, whole.score_b) == (
        3,
        pytest.approx(100 / 3),
        pytest.approx(200 / 3),
    )
    # to the bit what comparing on a test of these units alone would give
    cut = {"p1": [0, 0], "p2": [1]}
    alone = readmark.compare(test_of(cut), sitting_of(cut, "first"), part, metrics="em")[0]
    assert whole == alone


def test_no_unit_in_common() -> None:
    left = sat({"p1.0": "x"}, candidate="left", covers=("p1.0",))
    right = sat({"p2.0": "x"}, candidate="right", covers=("p2.0",))
    with pytest.raises(DataError, match="left and right have no unit in common"):
        readmark.compare(TEST, left, right)


def test_a_comparison_takes_two() -> None:
    with pytest.raises(UsageError, match="at least two sittings"):
        readmark.compare(TEST, FIRST)


def test_errors_stop_a_comparison_unless_told() -> None:
    failed = sat({"p1.0": None, "p4.0": "kettle"}, candidate="failed")
    with pytest.raises(DataError, match=r"error rows: 1 \(p1.0\)"):
        readmark.compare(TEST, FIRST, failed)
    one = readmark.compare(TEST, FIRST, failed, metrics="em", errors_as_wrong=True)[0]
    assert one.score_b == 12.5


def test_answers_to_another_test_are_not_compared_in_silence(
    tmp_path: Path, readmark_cli: Callable[..., Any]
) -> None:
    """B's file is of another test: it scores 0, and that it is worse is all one would read."""
    readmark.save(TEST, tmp_path / "test.jsonl")
    (tmp_path / "a.json").write_text(json.dumps({id: "kettle" for id, _, _ in ids(A)}))
    (tmp_path / "b.json").write_text(json.dumps({"x1": "kettle", "x2": "kettle"}))
    done = readmark_cli("compare", "test.jsonl", "a.json", "b.json", cwd=tmp_path)
    assert "x1" in done.stderr
