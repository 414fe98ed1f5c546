"""Numbers as the page writes them."""

import pytest

from readmark.reporting.page import words as numbers
from readmark.reporting.page.words import Both


@pytest.mark.parametrize(
    ("value", "scale", "signed", "written"),
    [
        (53.1936, 100, False, "53.2"),
        (0.53194, 1, False, "0.532"),
        (-4.25, 100, False, "−4.2"),
        (25.1, 100, True, "+25.1"),
        (-0.01, 100, True, "+0.0"),
        (0.0, 1, True, "+0.000"),
        (None, 100, False, "–"),
    ],
)
def test_marks(value: float | None, scale: float, signed: bool, written: str) -> None:
    assert numbers.mark(value, scale, signed=signed) == written


def test_intervals() -> None:
    assert numbers.interval(29.41, 92.86, 100) == "29.4–92.9"
    assert numbers.interval(-3.0, 4.0, 100) == Both("−3.0 to 4.0", "−3.0 至 4.0")
    assert numbers.interval(None, 4.0, 100) == "–"
    assert numbers.spoken_interval(4.61, 5.22, 100) == Both("4.6 to 5.2", "4.6 至 5.2")
    assert numbers.spoken_interval(0.172, 0.276, 1) == Both("0.172 to 0.276", "0.172 至 0.276")
    assert numbers.spoken_interval(None, 1.0, 1) is None


@pytest.mark.parametrize(
    ("p", "table", "sentence"),
    [
        (1.0, "1.0000", "= 1.00"),
        (0.2531, "0.2531", "= 0.25"),
        (0.0655, "0.0655", "= 0.066"),
        (0.0004, "0.0004", "< 0.001"),
        (0.00001, "< 0.0001", "< 0.001"),
        (0.09949, "0.0995", "= 0.099"),
    ],
)
def test_p_values(p: float, table: str, sentence: str) -> None:
    assert numbers.p_value(p) == table
    assert numbers.p_words(p) == sentence
