"""Paired comparison: p by full enumeration, signs, Holm, and marksheets in place of sittings."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from statistics import median, stdev
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import readmark
from made import Middle, asked, comprehension, passage, sat
from oracles.resampled import drawn_statistics, exact_p, mean, percentiles, randomised_p
from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.sitting import Sitting
from readmark.corpus.test import Test
from readmark.marking.metrics.bindings import Bindings
from readmark.marking.metrics.ratio import Ratio
from readmark.marking.settings import Settings
from readmark.marking.significance import Comparison, Paired, adjusted, compare_pair
from readmark.measures.randomisation import paired_p

FEW = Settings(draws=200, trials=500)

# Four passages of 3, 2, 2 and 1 questions; 1 for a right answer.
A = {"p1": [0, 0, 1], "p2": [1, 0], "p3": [0, 1], "p4": [1]}
B = {"p1": [1, 1, 1], "p2": [1, 1], "p3": [1, 0], "p4": [1]}
# B - A by passage: 2, 1, 0, 0 of 8 questions. Of the four ways to sign 2 and 1, the two that
# agree reach 3 either way: p = 1/2 exactly.


def ids(values: dict[str, list[int]]) -> list[tuple[str, str, int]]:
    return [
        (f"{group}.{at}", group, value)
        for group, found in values.items()
        for at, value in enumerate(found)
    ]


def test_of(values: dict[str, list[int]]) -> Test:
    return comprehension(
        *(
            passage(group, *(asked(f"{group}.{at}", "kettle") for at in range(len(found))))
            for group, found in values.items()
        )
    )


test_of.__test__ = False  # type: ignore[attr-defined]


def sitting_of(values: dict[str, list[int]], name: str) -> Sitting:
    return sat({id: "kettle" if right else "boat" for id, _, right in ids(values)}, candidate=name)


TEST = test_of(A)
FIRST, SECOND = sitting_of(A, "first"), sitting_of(B, "second")


def test_identical_sittings() -> None:
    one = readmark.compare(TEST, FIRST, replace(FIRST))[0]
    assert (one.p, one.difference, one.low, one.high) == (1, 0, 0, 0)
    assert (one.discordant, one.detectable) == (0, 0)
    assert not one.worse(0.999)


def test_by_hand() -> None:
    one = readmark.compare(TEST, FIRST, SECOND, metric="em")[0]
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
    there = readmark.compare(TEST, FIRST, SECOND, metric="em")[0]
    back = readmark.compare(TEST, SECOND, FIRST, metric="em")[0]
    assert there.difference == 37.5
    assert back.difference == -37.5
    assert back.p == there.p
    assert (there.low, there.high) == pytest.approx((-(back.high or 0), -(back.low or 0)))
    assert (there.a, there.b) == (back.b, back.a)


values = st.lists(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=3), max_size=6)


@settings(max_examples=40)
@given(values=values.filter(any))
def test_p_is_near_the_full_enumeration(values: list[list[tuple[int, int]]]) -> None:
    kept = {f"p{at}": found for at, found in enumerate(values) if found}
    a = {name: [one for one, _ in found] for name, found in kept.items()}
    b = {name: [other for _, other in found] for name, found in kept.items()}
    chosen = Settings(draws=20, trials=2000)
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
    found = readmark.compare(TEST, FIRST, SECOND, third, FIRST, metric="em")
    assert [(one.a, one.b) for one in found] == [
        ("first", "second"),
        ("first", "third"),
        ("first", "first (2)"),
    ]
    assert [one.difference for one in found] == [37.5, -50, 0]
    alone = [readmark.compare(TEST, FIRST, one, metric="em")[0] for one in (SECOND, third, FIRST)]
    assert [one.p for one in found] == [one.p for one in alone]
    assert [one.adjusted_p for one in found] == [one.adjusted_p for one in adjusted(alone)]


def test_the_default_is_f1_and_the_signature_says_how() -> None:
    one = readmark.compare(TEST, FIRST, SECOND, settings=Settings(seed=3, trials=77, draws=9))[0]
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
        readmark.compare(TEST, FIRST, SECOND, settings=Settings(interval=how))[0]
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
    one = readmark.compare(TEST, part, other, metric="em")[0]
    assert (one.units, one.clusters, one.discordant) == (3, 2, 2)
    assert (one.score_a, one.score_b) == (pytest.approx(200 / 3), pytest.approx(200 / 3))
    whole = readmark.compare(TEST, FIRST, part, metric="em")[0]
    assert (whole.units, whole.score_a, whole.score_b) == (
        3,
        pytest.approx(100 / 3),
        pytest.approx(200 / 3),
    )
    # to the bit what comparing on a test of these units alone would give
    cut = {"p1": [0, 0], "p2": [1]}
    alone = readmark.compare(test_of(cut), sitting_of(cut, "first"), part, metric="em")[0]
    assert whole == alone


def test_no_unit_in_common() -> None:
    left = sat({"p1.0": "x"}, candidate="left", covers=("p1.0",))
    right = sat({"p2.0": "x"}, candidate="right", covers=("p2.0",))
    with pytest.raises(DataError, match="left and right have no unit in common"):
        readmark.compare(TEST, left, right)


def test_a_comparison_takes_two() -> None:
    with pytest.raises(UsageError, match="two sittings or more"):
        readmark.compare(TEST, FIRST)


def test_errors_stop_a_comparison_unless_told() -> None:
    failed = sat({"p1.0": None, "p4.0": "kettle"}, candidate="failed")
    with pytest.raises(DataError, match=r"error rows: 1 \(p1.0\)"):
        readmark.compare(TEST, FIRST, failed)
    one = readmark.compare(TEST, FIRST, failed, metric="em", errors_as_wrong=True)[0]
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


def sheet(test: Test, sitting: Sitting, file: Path, *metrics: str) -> Path:
    readmark.mark(test, sitting, metrics=metrics, settings=FEW, marksheet=file)
    return file


def test_marksheets_in_place_of_sittings(tmp_path: Path) -> None:
    first = sheet(TEST, FIRST, tmp_path / "a.jsonl")
    second = sheet(TEST, SECOND, tmp_path / "b.jsonl.gz")
    for metric in ("em", "f1"):
        expected = readmark.compare(TEST, FIRST, SECOND, metric=metric)
        assert readmark.compare(TEST, first, second, metric=metric) == expected
        assert readmark.compare(TEST, FIRST, str(second), metric=metric) == expected
        assert readmark.compare(TEST, first, SECOND, metric=metric) == expected


def test_marksheets_of_parts_and_shuffled_tests(tmp_path: Path) -> None:
    part = sat({"p1.0": "kettle", "p3.1": "kettle"}, candidate="part", covers=("p3.1", "p1.0"))
    shuffled = comprehension(*reversed(list(TEST.records())))
    expected = readmark.compare(TEST, FIRST, part)
    assert expected[0].units == 2
    file = sheet(shuffled, part, tmp_path / "part.jsonl")
    assert readmark.compare(TEST, FIRST, file) == expected
    assert readmark.compare(shuffled, sheet(TEST, FIRST, tmp_path / "a.jsonl"), file) == expected


def test_marksheets_with_errors_stop_a_comparison_too(tmp_path: Path) -> None:
    failed = sat({"p1.0": None, "p4.0": "kettle"}, candidate="failed")
    file = sheet(TEST, failed, tmp_path / "failed.jsonl")
    with pytest.raises(DataError, match=r"failed.jsonl: error rows: 1 \(p1.0\)"):
        readmark.compare(TEST, FIRST, file)
    told = {"errors_as_wrong": True}
    assert readmark.compare(TEST, FIRST, file, **told) == readmark.compare(
        TEST, FIRST, failed, **told
    )


def test_marksheets_of_another_test_are_refused(tmp_path: Path) -> None:
    file = sheet(TEST, FIRST, tmp_path / "a.jsonl", "em", "f1(profile=squad)")
    records = list(TEST.records())
    key = comprehension(passage("p4", asked("p4.0", "boats")), *records[:3])
    paper = comprehension(passage("p4", asked("p4.0", "kettle"), text="Another."), *records[:3])
    profile = comprehension(*records, profile="smart")
    for other, metric, words in (
        (key, "em", "marksheet of another key"),
        (paper, "em", "marksheet of another paper"),
        (profile, "em", "was marked with profile 'squad', now 'smart'"),
        (TEST, "contains", "has no vectors of contains; it has em, f1(profile=squad)"),
        (TEST, "f1", "has no vectors of f1; it has"),
    ):
        with pytest.raises(DataError) as caught:
            readmark.compare(other, file, SECOND, metric=metric)
        assert words in str(caught.value)
        assert str(caught.value).startswith(str(file))
    # the header's profile may change where the metric names its own
    assert readmark.compare(profile, file, SECOND, metric="f1(profile=squad)")[0].difference == 37.5


def test_a_metric_that_is_no_function_of_sums() -> None:
    """Whole passages' rows are swapped, and p is what enumerating every swap gives."""
    rows_a, rows_b, groups = [], [], []
    for at, name in enumerate(A):
        rows_a += [[value + 0.1 * n] for n, value in enumerate(A[name])]
        rows_b += [[value + 0.1 * n] for n, value in enumerate(B[name])]
        groups += [at] * len(A[name])
    names = [f"q{at}" for at in range(8)]
    codes = np.array(groups)
    one, other = (
        Paired(name, names, codes, np.array(rows)) for name, rows in (("a", rows_a), ("b", rows_b))
    )
    chosen = Settings(trials=2000, draws=50, interval="bca")
    found = compare_pair("middle", Middle(), one, other, TEST.kind, chosen)
    assert found.difference == pytest.approx(
        median(v for (v,) in rows_b) - median(v for (v,) in rows_a)
    )
    ways = []
    for swaps in product((False, True), repeat=4):
        left = [b if swaps[g] else a for a, b, g in zip(rows_a, rows_b, groups, strict=True)]
        right = [a if swaps[g] else b for a, b, g in zip(rows_a, rows_b, groups, strict=True)]
        ways.append(abs(median(v for (v,) in right) - median(v for (v,) in left)))
    exact = sum(way >= abs(found.difference or 0) - 1e-12 for way in ways) / len(ways)
    assert found.p == pytest.approx(exact, abs=0.04)
    assert "interval:percentile" in found.signature


class Share(Ratio):
    """A ratio whose units may not count; a third number is what became of those."""

    width = 3
    uncounted = "nobody looked"

    def resolve(self, test: Test) -> "Share":
        return self

    def statistics(self, *_: Any) -> Sequence[float]:
        raise NotImplementedError

    def signature(self) -> dict[str, str]:
        return {"units": "mean"}


NOT_SEEN = (0.0, 0.0, 1.0)
SEEN = {1: (1.0, 1.0, 0.0), 0: (0.0, 1.0, 0.0), None: NOT_SEEN}


def seen(name: str, values: Sequence[int | None], groups: Sequence[int]) -> Paired:
    vectors = np.array([SEEN[one] for one in values])
    return Paired(name, [f"u{at}" for at in range(len(values))], np.array(groups), vectors)


def test_a_unit_without_a_value_counts_for_neither() -> None:
    """By hand: units 1, 2 and 6 have a value on both sides, of the passages 0, 1 and 3."""
    groups = [0, 0, 1, 1, 2, 2, 3]
    a = seen("a", [None, 1, 1, 1, None, 0, 0], groups)
    b = seen("b", [1, 0, 1, None, None, None, 0], groups)
    one = compare_pair("share", Share(), a, b, TEST.kind, FEW)
    assert (one.units, one.left_out, one.clusters, one.discordant) == (3, 4, 3, 1)
    assert one.score_a == pytest.approx(200 / 3)
    assert one.score_b == pytest.approx(100 / 3)
    assert one.difference == pytest.approx(-100 / 3)
    assert one.p == 1  # one passage differs, and it may as well be the other way round


def test_units_that_count_for_nobody_change_nothing() -> None:
    groups = [0, 0, 1, 1, 2]
    a, b = [1, None, 0, 0, 1], [0, None, 1, 1, 1]
    one = compare_pair("share", Share(), seen("a", a, groups), seen("b", b, groups), TEST.kind, FEW)
    assert (one.units, one.left_out, one.discordant) == (4, 1, 3)
    bare = [[0.0 if v is None else float(v), float(v is not None)] for v in a]
    other = [[0.0 if v is None else float(v), float(v is not None)] for v in b]
    sums = [
        np.array([[sum(c) for c in zip(*rows, strict=True)] for rows in _by(groups, side)])
        for side in (bare, other)
    ]
    assert one.p == paired_p(*sums, Share().aggregate, seed=FEW.seed, trials=FEW.trials)


def test_without_a_unit_that_both_have_a_value_on() -> None:
    a, b = seen("a", [1, None], [0, 1]), seen("b", [None, 1], [0, 1])
    one = compare_pair("share", Share(), a, b, TEST.kind, FEW)
    assert (one.units, one.left_out, one.clusters, one.discordant) == (0, 2, 0, 0)
    assert (one.score_a, one.score_b, one.difference, one.p) == (None, None, None, None)
    assert not one.worse(0.05)


def test_what_a_unit_of_zeros_adds_to_is_still_counted() -> None:
    """F over all answers: who says nothing where nothing is wanted leaves the other's error."""
    groups, f = np.array([0, 1]), Bindings()
    a = Paired("a", ["u", "v"], groups, np.array([[1.0, 1, 1, 0], [0, 0, 0, 0]]))
    b = Paired("b", ["u", "v"], groups, np.array([[1.0, 1, 1, 0], [0, 2, 0, 0]]))
    one = compare_pair("answers", f, a, b, TEST.kind, FEW)
    assert (one.units, one.left_out, one.score_a, one.score_b) == (2, 0, 100, 50)


def _by(groups: Sequence[int], rows: Sequence[Sequence[float]]) -> list[list[Sequence[float]]]:
    known = sorted(set(groups))
    return [[row for row, at in zip(rows, groups, strict=True) if at == one] for one in known]


def test_people_have_no_sitting_to_compare(tmp_path: Path) -> None:
    file = tmp_path / "people.jsonl"
    readmark.people(TEST, FIRST, SECOND, marksheet=file, settings=FEW)
    with pytest.raises(DataError, match="a marksheet of people holds no sitting to compare"):
        readmark.compare(TEST, file, FIRST)
