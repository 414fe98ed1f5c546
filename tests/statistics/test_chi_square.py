"""The chi-square distribution against the printed tables of its quantiles."""

import pytest

from readmark.statistics.distributions import chi_square_survival


@pytest.mark.parametrize(
    ("value", "freedom", "p"),
    [
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (5.991, 2, 0.05),
        (7.815, 3, 0.05),
        (9.488, 4, 0.05),
        (15.086, 5, 0.01),
        (18.307, 10, 0.05),
        (24.996, 15, 0.05),
    ],
)
def test_quantiles_of_the_tables(value: float, freedom: int, p: float) -> None:
    assert chi_square_survival(value, freedom) == pytest.approx(p, rel=2e-3)


def test_the_ends() -> None:
    assert chi_square_survival(0.0, 3) == 1.0
    assert chi_square_survival(5.0, 0) == 1.0
    assert chi_square_survival(2000.0, 4) < 1e-300
