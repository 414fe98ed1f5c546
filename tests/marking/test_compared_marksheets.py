"""Marksheets in place of sittings: the same comparison, and which are refused."""

from pathlib import Path

import pytest

import readmark
from made import asked, comprehension, passage, sat
from paired import FEW, FIRST, SECOND, TEST
from readmark.core.errors import DataError
from readmark.core.sitting import Sitting
from readmark.core.test import Test


def sheet(test: Test, sitting: Sitting, file: Path, *metrics: str) -> Path:
    readmark.mark(test, sitting, metrics=metrics, settings=FEW, marksheet=file)
    return file


def test_marksheets_in_place_of_sittings(tmp_path: Path) -> None:
    first = sheet(TEST, FIRST, tmp_path / "a.jsonl")
    second = sheet(TEST, SECOND, tmp_path / "b.jsonl.gz")
    for metric in ("em", "f1"):
        expected = readmark.compare(TEST, FIRST, SECOND, metrics=metric)
        assert readmark.compare(TEST, first, second, metrics=metric) == expected
        assert readmark.compare(TEST, FIRST, str(second), metrics=metric) == expected
        assert readmark.compare(TEST, first, SECOND, metrics=metric) == expected


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
            readmark.compare(other, file, SECOND, metrics=metric)
        assert words in str(caught.value)
        assert str(caught.value).startswith(str(file))
    # the header's profile may change where the metric names its own
    assert (
        readmark.compare(profile, file, SECOND, metrics="f1(profile=squad)")[0].difference == 37.5
    )


def test_people_have_no_sitting_to_compare(tmp_path: Path) -> None:
    file = tmp_path / "people.jsonl"
    readmark.people(TEST, FIRST, SECOND, marksheet=file, settings=FEW)
    with pytest.raises(DataError, match="a marksheet of people holds no sitting to compare"):
        readmark.compare(TEST, file, FIRST)
