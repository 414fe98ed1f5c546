"""Long names folded over several lines, at their seams."""

import pytest
from rich.cells import cell_len

from readmark.core.display import folded


@pytest.mark.parametrize(
    ("name", "width", "lines"),
    [
        ("lead", 10, ["lead"]),
        ("logistic_regression_baseline", 16, ["logistic_", "regression_", "baseline"]),
        ("match-lstm_with_ans-ptr", 12, ["match-lstm_", "with_ans-ptr"]),
        ("bow(nef=true,pr=auto)", 9, ["bow(nef=", "true,pr=", "auto)"]),
        ("logistic_baseline (2)", 20, ["logistic_baseline", "(2)"]),
        ("a ((b) (c)", 5, ["a", "((b)", "(c)"]),
        ("two words here", 9, ["two words", "here"]),
        ("incomprehensibilities", 8, ["incompre", "hensibil", "ities"]),
        ("老周的阅读机器", 6, ["老周的", "阅读机", "器"]),
        ("", 5, [""]),
    ],
)
def test_folded(name: str, width: int, lines: list[str]) -> None:
    assert folded(name, width).split("\n") == lines
    assert all(cell_len(line) <= width for line in lines)
