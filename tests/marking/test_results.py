"""The marks of a sitting in parts: what is where, and the document that they make together."""

from __future__ import annotations

import copy
import functools
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.marking.results import AFTER_TABLES, BEFORE_TABLES

GONE = {
    name.removeprefix("Marks."): instead
    for name, instead in readmark.REMOVED_NAMES.items()
    if name.startswith("Marks.")
}


@pytest.fixture(scope="module")
def marks() -> readmark.Marks:
    test = comprehension(
        passage("p", asked("a", "a kettle"), asked("b", "boats"), asked("c", "a coat"))
    )
    return readmark.mark(
        test, {"a": "kettle", "c": "a boat", "x": "?"}, metrics=["em"], fail_under="em=99", draws=10
    )


def test_the_parts_say_what_they_are_of(marks: readmark.Marks) -> None:
    coverage = marks.coverage
    assert (marks.units, marks.answered) == (coverage.units, coverage.answered) == (3, 2)
    assert list(coverage.unanswered) == ["b"]
    assert list(coverage.unknown) == ["x"]
    assert marks["em"] is marks.marks["em"] is marks.scores.marks["em"]
    assert marks.scores.main == "em"
    assert [line.partition(":")[0] for line in marks.scores.unmet] == ["condition not met"]
    assert marks.by is marks.slices.by
    assert list(marks.unit_vectors.ids) == ["a", "b", "c"]
    assert marks.unit_vectors.by_metric["em"].shape == (3, 2)


@pytest.mark.parametrize("name", GONE)
def test_an_attribute_that_is_in_a_part_now_names_the_part(
    name: str, marks: readmark.Marks
) -> None:
    with pytest.raises(AttributeError, match=rf"^readmark\.Marks\.{name} is gone: use marks\."):
        getattr(marks, name)
    path = GONE[name].removeprefix("use marks.").partition(",")[0]
    functools.reduce(getattr, path.split("."), marks)


def test_other_attributes_are_refused_as_ever(marks: readmark.Marks) -> None:
    with pytest.raises(AttributeError, match="no such attribute"):
        marks.answred  # noqa: B018
    assert not hasattr(marks, "__array__")
    assert copy.copy(marks).as_json() == marks.as_json()


def test_the_document_has_every_member_of_every_part_in_its_order(marks: readmark.Marks) -> None:
    document: dict[str, Any] = marks.as_json()
    for part in (marks.coverage, marks.scores, marks.slices):
        for name, value in part.as_json().items():
            assert document[name] == value
    order = [*BEFORE_TABLES, *marks.tables, *AFTER_TABLES]
    assert list(document) == [name for name in order if name in document]
    assert document["unmet"] == list(marks.scores.unmet)
