"""Numbers, p-values and ids as terminal, page and board write them."""

import pytest

from readmark.core import numbers


@pytest.mark.parametrize(
    ("value", "scale", "signed", "written"),
    [
        (53.1936, 100, False, "53.19"),
        (0.53194, 1, False, "0.532"),
        (-4.256, 100, False, "-4.26"),
        (25.1, 100, True, "+25.10"),
        (-0.001, 100, True, "+0.00"),
        (-0.0001, 1, False, "0.000"),
        (0.0, 1, True, "+0.000"),
        (3.25, 5, False, "3.25"),  # stars
        (None, 100, False, "–"),
    ],
)
def test_marks_have_the_decimals_of_their_scale(
    value: float | None, scale: float, signed: bool, written: str
) -> None:
    assert numbers.mark(value, scale, signed=signed) == written


def test_intervals_have_the_decimals_of_their_mark() -> None:
    assert numbers.interval(0.9871, 1.0, 1) == "0.987 to 1.000"
    assert numbers.interval(29.414, 92.857, 100) == "29.41 to 92.86"
    assert numbers.interval(-3, 4, 100, signed=True) == "-3.00 to +4.00"
    assert numbers.narrow_interval(0.9871, 1.0, 1) == "0.987–1.000"
    assert numbers.narrow_interval(98.71, 100, 100) == "98.71–100.00"
    assert numbers.narrow_interval(-0.5, 0.25, 1) == "-0.500 to 0.250"
    assert numbers.interval(None, 4, 100) == numbers.narrow_interval(1, None, 1) == "–"


def test_ratios() -> None:
    assert numbers.ratio(0.5194) == "0.52"
    assert numbers.ratio_interval(0.361, 0.66) == "0.36 to 0.66"
    assert numbers.ratio(None) == numbers.ratio_interval(None, 1.0) == "–"


@pytest.mark.parametrize(
    ("p", "alone", "in_words"),
    [
        (1.0, "1.0000", "= 1.0000"),
        (0.25314, "0.2531", "= 0.2531"),
        (0.0001, "0.0001", "= 0.0001"),
        (0.00001, "< 0.0001", "< 0.0001"),
        (0.0, "< 0.0001", "< 0.0001"),
    ],
)
def test_p_is_never_zero(p: float, alone: str, in_words: str) -> None:
    assert numbers.p_value(p) == alone
    assert numbers.p_words(p) == in_words


def test_ids_are_counted_and_the_first_named() -> None:
    ids = [f"q{number}" for number in range(1, 1235)]
    assert numbers.listed_ids(ids[:2]) == "2 (q1, q2)"
    assert numbers.listed_ids(ids) == "1,234 (q1, q2, q3, q4, q5, …)"
    assert numbers.listed_ids(ids[:5], 9) == "9 (q1, q2, q3, q4, q5, …)"
    assert numbers.first_ids(ids) == "q1, q2, q3, …"
    assert numbers.first_ids(["x" * 90]) == "x" * 80 + "…"


def test_counts_are_whole_and_means_have_a_decimal() -> None:
    assert numbers.count(1234) == "1,234"
    assert numbers.count(1234.0) == "1,234.0"
