"""Numbers as the page writes them: those of a terminal, with a true minus."""

import pytest

from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Bilingual


@pytest.mark.parametrize(
    ("value", "scale", "signed", "written"),
    [
        (53.1936, 100, False, "53.19"),
        (0.53194, 1, False, "0.532"),
        (-4.256, 100, False, "−4.26"),
        (25.1, 100, True, "+25.10"),
        (-0.001, 100, True, "+0.00"),
        (0.0, 1, True, "+0.000"),
        (None, 100, False, "–"),
    ],
)
def test_marks(value: float | None, scale: float, signed: bool, written: str) -> None:
    assert numbers.mark(value, scale, signed=signed) == written


def test_intervals() -> None:
    assert numbers.interval(29.41, 92.86, 100) == "29.41–92.86"
    assert numbers.interval(-3.0, 4.0, 100) == Bilingual("−3.00 to 4.00", "−3.00 至 4.00")
    assert numbers.interval(None, 4.0, 100) == "–"
    assert numbers.spoken_interval(4.61, 5.22, 100) == Bilingual("4.61 to 5.22", "4.61 至 5.22")
    assert numbers.spoken_interval(0.172, 0.276, 1) == Bilingual("0.172 to 0.276", "0.172 至 0.276")
    assert numbers.spoken_interval(None, 1.0, 1) is None
