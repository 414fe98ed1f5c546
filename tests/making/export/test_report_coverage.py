"""What an agreement report is known to tell of, worked by hand."""

from typing import Any

import pytest

from readmark.core.errors import DataError
from readmark.core.records import Passage, Question
from readmark.core.test import Header, Test, in_memory
from readmark.making.export.report_coverage import ReportCoverage, coverage_of


@pytest.fixture
def test() -> Test:
    """Two shown passages with three questions, and a hidden one with one."""

    def made(id: str, split: str, *asked: str) -> Passage:
        questions = tuple(Question(id=question_id, text="谁？") for question_id in asked)
        return Passage(id=id, text=f"{id}段。", split=split, questions=questions)

    return in_memory(
        Header(), [made("a", "dev", "1", "2"), made("b", "dev", "3"), made("c", "test", "4")]
    )


def compared(units: int = 1, unit: str = "question", **others: Any) -> dict[str, Any]:
    return {"unit": unit, "units": units, **others}


@pytest.mark.parametrize(
    ("comparison", "covers", "why"),
    [
        (compared(disagreed=["1"]), "unknown", ""),
        (compared(disagreed=["1", "4"]), "hidden", "it names 4"),
        (compared(partial={"4": ["甲"]}), "hidden", "it names 4"),
        (compared(unit="passage", disagreed=["c"]), "hidden", "it names c"),
        # As many as are shown may be those; one more cannot.
        (compared(3), "unknown", ""),
        (compared(4), "hidden", "it is of 4 questions, published: 3"),
        (compared(3, partial={"1": ["甲"]}), "hidden", "it is of 4 questions, published: 3"),
        (compared(2, "passage"), "unknown", ""),
        (compared(3, "passage"), "hidden", "it is of 3 passages, published: 2"),
        (compared(5, "unit"), "unknown", ""),
        (compared(6, "unit"), "hidden", "it is of 6 units, published: 5"),
        # All that it is of is listed.
        (compared(2, ids=["1", "3"]), "published", ""),
        (compared(2, ids=["1", "4"]), "hidden", "it names 4"),
    ],
)
def test_hidden_splits(test: Test, comparison: dict[str, Any], covers: str, why: str) -> None:
    coverage = coverage_of(test, [comparison], "a.json", ("test",))
    assert (coverage.covers, coverage.why) == (covers, why)
    # One comparison that reaches into them is enough, whatever the others are of.
    both = coverage_of(
        test, [compared(disagreed=["2"], ids=["2"]), comparison], "a.json", ("test",)
    )
    assert both.covers == covers
    assert coverage_of(test, [comparison], "a.json", ()).covers == "published"


def test_labels_that_look_like_ids_are_no_ids(test: Test) -> None:
    comparison = compared(disagreed=["1"], labels=["4"], pairs=[{"confusion": {"4": {"4": 1}}}])
    assert coverage_of(test, [comparison], "a.json", ("test",)) == ReportCoverage(
        "unknown", 1, 0, 0
    )


def test_other_tests(test: Test) -> None:
    comparison = compared(9, disagreed=["x", "y", "1"])
    assert coverage_of(test, [comparison], "a.json", ()) == ReportCoverage("published", 3, 0, 2)
    with pytest.raises(DataError, match=r"a\.json: is of another test: nothing .* \(x, y\) is in"):
        coverage_of(test, [compared(disagreed=["x"]), compared(partial={"y": []})], "a.json", ())
    # Without any disagreement nothing is named, so nothing can be told.
    assert coverage_of(test, [compared()], "a.json", ()).units == 0
