"""Agreement of judges who rate or rank: published figures, hand-worked ones, another library's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from installed import Lazy
from readmark.statistics.agreement.judges import correlation, intraclass, kendall_w, mean_pairwise

stats = Lazy("scipy.stats")

SHROUT_FLEISS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]
"""Table 2 of "Intraclass Correlations: Uses in Assessing Rater Reliability"."""


def test_intraclass_is_that_of_the_article() -> None:
    single, mean = intraclass(SHROUT_FLEISS)
    assert single.value == pytest.approx(0.29, abs=0.005)
    assert mean.value == pytest.approx(0.62, abs=0.005)
    assert single.n == 6


def test_intraclass_leaves_out_rows_with_gaps_and_says_when_nothing_differs() -> None:
    single, _ = intraclass([*SHROUT_FLEISS, [1, None, 1, 1]])
    assert single == intraclass(SHROUT_FLEISS)[0]
    for panel in ([[3, 3], [3, 3]], [[1], [2]], [[1, None], [2, 2]], []):
        assert intraclass(panel)[0].value is None
        assert intraclass(panel)[0].reason


def test_equal_judges_have_intraclass_one_and_a_constant_bias_lowers_it() -> None:
    assert intraclass([[1, 1], [3, 3], [5, 5]])[0].value == pytest.approx(1)
    # Between 8 (2·Σ(2,0,2)²/2), judge 1.5 (3·0.5²·2), error 0: 8 / (8 + 2·1.5/3) = 8/9
    assert intraclass([[1, 2], [3, 4], [5, 6]])[0].value == pytest.approx(8 / 9)


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ([[1, 2, 3], [1, 2, 3], [1, 2, 3]], 1.0),
        ([[1, 2, 3], [3, 2, 1]], 0.0),
        # Sums 4, 6, 8 about 6: 12·8 / (9·24) = 4/9
        ([[1, 2, 3], [1, 3, 2], [2, 1, 3]], 4 / 9),
        ([[1, 1, 2], [1, 1, 2]], 1.0),
    ],
)
def test_w_worked_by_hand(ranks: list[list[float]], expected: float) -> None:
    assert kendall_w(ranks).value == pytest.approx(expected)


@given(
    st.integers(3, 6).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(1, 4), min_size=n, max_size=n).filter(lambda r: len(set(r)) > 1),
            min_size=2,
            max_size=5,
        )
    )
)
def test_w_is_friedmans_chi_square_by_another_library(ranks: list[list[int]]) -> None:
    found = kendall_w(ranks).value
    assert found is not None
    assert 0 <= found <= 1 + 1e-9
    things = list(zip(*ranks, strict=True))
    chi = stats.friedmanchisquare(*things).statistic
    assert found == pytest.approx(chi / (len(ranks) * (len(things) - 1)))


def test_w_undefined_says_why() -> None:
    assert kendall_w([[1, 2]]).reason == "two judges are needed"
    assert kendall_w([[1], [1]]).reason == "two things are needed"
    assert kendall_w([[2, 2], [1, 1]]).reason == "every judge put everything level"


def test_correlation_over_what_both_rated() -> None:
    assert correlation([1, 2, None, 4], [2, 4, 9, 8]).value == pytest.approx(1)
    assert correlation([1, 2, 3], [1, 3, 2]).value == pytest.approx(0.5)
    assert correlation([1, 2, 3], [3, 3, 3]).reason == "one of them is constant"
    assert correlation([1, None], [None, 1]).value is None


def test_the_mean_over_pairs_leaves_out_pairs_that_have_none() -> None:
    found = mean_pairwise([[1, 2, 3], [1, 3, 2], [3, 2, 1]])
    assert found.value == pytest.approx((0.5 - 1 - 0.5) / 3)
    assert mean_pairwise([[1, 2, 3], [1, 2, 3], [3, 3, 3]]).n == 1
    assert mean_pairwise([[1, 2]]).reason == "two judges are needed"


def test_a_negative_denominator_is_no_lack_of_difference() -> None:
    # Rows that judges order against each other: MSR 0, MSC 0, MSE 2, so MSR + (MSC - MSE) / n < 0.
    single, mean = intraclass([[1, 3], [3, 1], [2, 2]])
    assert mean.value is None
    assert mean.reason == "its denominator is negative: judges disagree more than passages differ"
    assert single.value == pytest.approx(-3)


def test_w_of_many_things_with_ties() -> None:
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 50, (4, 500)).tolist()
    ranks = [
        [sorted(row).index(value) + (row.count(value) + 1) / 2 for value in row] for row in rows
    ]
    sums = [sum(column) for column in zip(*ranks, strict=True)]
    apart = 12 * sum((total - 4 * 501 / 2) ** 2 for total in sums)
    ties = sum(row.count(value) ** 3 - row.count(value) for row in rows for value in set(row))
    assert kendall_w(rows).value == pytest.approx(apart / (16 * (500**3 - 500) - 4 * ties))
