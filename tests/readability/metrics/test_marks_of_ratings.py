"""Marks of ratings: all metrics together, beside people, and notes on what is odd in a test."""

from typing import Any

import msgspec
import numpy as np
import pytest

import readmark
from rated_tests import FEW, rated_test
from readmark.core.errors import DataError
from readmark.core.test import in_memory
from readmark.readability.kind import RatingKey


def test_marks_beside_a_panel() -> None:
    test = rated_test((3, 4, 5), (1, 1), (2, 3))
    novices: list[Any] = [{"p0": 2, "p1": 1, "p2": 3}, {"p0": 5, "p1": 2}, {"p0": 4}]
    marks = readmark.mark(test, {"p0": 4, "p1": 1, "p2": 2}, people=novices, settings=FEW)
    # (1 + 0.5 + 0) / 3: novices are 1, 0.5 and 0.5 away, the machine 0, 0 and 0.5
    assert marks["score_difference"].score == pytest.approx(0.5)
    assert marks["proportional_target"].score == pytest.approx(1 / 3 + 1 + 1 / 2)
    assert marks["pearson"].score == pytest.approx(np.corrcoef([4, 1, 2.5], [4, 1, 2])[0, 1])
    assert marks["spearman"].score == marks["kendall"].score == pytest.approx(1)
    assert any("1 of 3 targets (33%) have no width" in note for note in marks.notes)


def test_an_undefined_mark_is_null_with_its_reason_and_has_no_interval() -> None:
    test = rated_test((3, 4, 5), (1, 1), (2, 3), (5, 5))
    marks = readmark.mark(test, {"p0": 4, "p1": 1, "p2": 2}, settings=FEW)
    for name in ("pearson", "spearman", "kendall", "score_difference"):
        assert (marks[name].score, marks[name].low, marks[name].high) == (None, None, None)
    assert marks["proportional_target"].score is not None
    notes = "\n".join(marks.notes)
    assert "pearson: undefined: 1 passage is unanswered" in notes
    assert "score_difference does not count 4 (p0, p1, p2, p3): no novice rated them" in notes


def test_a_correlation_stands_beside_peoples_by_its_difference() -> None:
    test = rated_test((3, 4, 5), (1, 1), (2, 3), (5, 5), (2, 2))
    machine = {"p0": 4, "p1": 1, "p2": 2, "p3": 5, "p4": 3}
    people: list[Any] = [
        {"p0": 2, "p1": 1, "p2": 3, "p3": 4, "p4": 2},
        {"p0": 5, "p1": 2, "p2": 2, "p3": 3, "p4": 1},
    ]
    marks = readmark.mark(test, machine, people=people, settings=FEW)
    assert marks.people is not None
    correlation = marks.people.marks["pearson"]
    gold = [4, 1, 2.5, 5, 2]
    of_machine, *of_people = (
        np.corrcoef(gold, list(ratings.values()))[0, 1] for ratings in (machine, *people)
    )
    assert correlation.ratio is None
    assert correlation.difference == pytest.approx(of_machine - sum(of_people) / 2)
    assert correlation.low is not None
    assert correlation.low <= correlation.difference <= (correlation.high or 0)
    hits = marks.people.marks["proportional_target"]
    assert hits.difference is None
    assert hits.ratio is not None
    document = marks.as_json()["people"]["marks"]
    assert set(document["pearson"]) - set(document["proportional_target"]) == {"difference"}


def test_people_without_a_value_are_noted() -> None:
    test = rated_test((3, 4, 5), (1, 1), (2, 3))
    people: list[Any] = [
        {"p0": 2, "p1": 1, "p2": 3},
        {"p0": 5, "p1": 2, "p2": 2},
        {"p0": 3, "p1": 3, "p2": 3},
    ]
    notes = "\n".join(readmark.people(test, *people, settings=FEW).notes)
    assert "pearson is undefined for answers (3): people's is the mean of 2 of 3" in notes
    assert "score_difference is measured from these people and has no value of theirs" in notes
    marks = readmark.mark(test, people[0], people=people, settings=FEW)
    assert any("pearson is undefined for answers (3)" in note for note in marks.notes)


def test_faults_of_the_experts_are_noted() -> None:
    test = rated_test((3, 6), (1, 1), (2, 3))
    [first, *rest] = test.records()
    key = RatingKey(ratings=(*first.key.ratings, first.key.ratings[0]))
    faulty = in_memory(test.header, [msgspec.structs.replace(first, key=key), *rest])
    notes = "\n".join(readmark.mark(faulty, {"p0": 4, "p1": 1, "p2": 2}, settings=FEW).notes)
    assert "experts' ratings outside 1 to 5, taken as given: 1 (p0)" in notes
    assert "an expert rated twice, and both ratings count: 1 (p0)" in notes


@pytest.mark.parametrize("rating", [1e300, -1e9])
def test_a_number_that_is_no_rating_is_refused_in_one_line(rating: float) -> None:
    with pytest.raises(DataError, match=r"^p0: the rating .* is far off the scale from 1 to 5$"):
        readmark.mark(rated_test((3, 4), (1, 2)), {"p0": rating, "p1": 2}, settings=FEW)
    with pytest.raises(DataError, match=r"p0: the rating .* of e1 is far off the scale"):
        readmark.mark(rated_test((3, rating), (1, 2)), {"p0": 2, "p1": 2}, settings=FEW)
