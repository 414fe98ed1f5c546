"""Results that a command prints as a table have a row each in a data frame, with plain cells."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pytest

import readmark
from readmark.core.display import Result
from readmark.making.agreement.agree import agree
from readmark.making.agreement.annotators import open_annotators
from readmark.making.get.command import PublicTests
from readmark.making.get.public_tests import public_tests
from readmark.making.splits.leakage import leakage
from readmark.readability.measure import measure
from readmark.readability.rate import rate
from readmark.series.tables.strategy_tables import strategy_tables
from readmark.statistics.agreement.value import Resampling

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "examples"
BUNDLE = ROOT / "src" / "readmark" / "bundle"
RATED = str(BUNDLE / "readability.en.jsonl")
SERIES = str(BUNDLE / "series.en.jsonl")


def agreement() -> Result:
    annotators = open_annotators([str(EXAMPLES / "reading.jsonl")])
    return agree(annotators, ("answers",), resampling=Resampling(draws=20))


RESULTS: dict[str, tuple[Callable[[], Result], set[str]]] = {
    "ratings": (lambda: rate([RATED], rater="formula"), {"passage", "rating", "reason"}),
    "formulas": (lambda: measure([RATED]), {"passage", "language", "flesch_kincaid"}),
    "rewriting": (
        lambda: strategy_tables(readmark.load(SERIES), metrics=["jaccard"]),
        {"table", "metric", "strategy", "score"},
    ),
    "leakage": (lambda: leakage([readmark.load(EXAMPLES / "reading.jsonl")]), set()),
    "agreement": (agreement, {"what", "a", "b", "measure", "value", "low", "high"}),
    "public tests": (lambda: PublicTests(public_tests()), {"name", "title", "licence"}),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_table_is_a_data_frame(name: str) -> None:
    make, columns = RESULTS[name]
    result = make()
    frame: Any = result.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert columns <= set(frame.columns)
    assert len(frame) == len(result.table_rows())
    if columns:
        assert len(frame) > 1
