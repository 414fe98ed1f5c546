"""Numbers in digits and Chinese numerals."""

import pytest

from readmark.text.chinese_numbers import number_of, with_percent_signs


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("三十", 30),
        ("十五", 15),
        ("一九九八", 1998),
        ("二〇〇五", 2005),
        ("两百零五", 205),
        ("三千万", 30_000_000),
        ("1.5亿", 150_000_000),
        ("一亿两千万", 120_000_000),
        ("1亿2千万", 120_000_000),
        ("三亿零五十万六千", 300_506_000),
        ("一万两千亿", 1_200_000_000_000),
        ("一万亿", 10**12),
        ("亿亿", 10**16),
        ("一万万", 10**8),
        ("一亿五", 150_000_000),
        ("1万5", 15_000),
        ("200万", 2_000_000),
        ("2.5百万", 2_500_000),
        ("3千5百", 3500),
        ("万", 10_000),
        ("一百五", 150),
        ("一百零五", 105),
        ("一万二", 12_000),
        ("-5", -5),
        ("-十五", -15),
        ("-", None),
        ("3.5", 3.5),
        ("三月", None),
        ("3.5.1", None),
    ],
)
def test_number_of(text: str, number: float | None) -> None:
    assert number_of(text) == number


def test_percent_signs() -> None:
    assert with_percent_signs("上涨了百分之三十五。") == "上涨了35%。"
