"""Marks: what counts when answers, repeats or keys are missing, or are astray."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert

import readmark
from made import asked, comprehension, passage, sat, shared_out
from readmark.core.errors import DataError
from readmark.core.records import Passage
from readmark.core.sitting import Row, Rows, Sitting, SittingHeader
from readmark.marking.settings import MarkSettings

FEW = MarkSettings(draws=200)
THREE = comprehension(
    passage("p1", asked("a", "kettle"), asked("b", "coat")), passage("p2", asked("c", "boats"))
)


def test_unanswered_units_count_as_wrong_and_are_named() -> None:
    found = readmark.mark(THREE, sat({"c": "boats"}))
    assert found["em"].score == pytest.approx(100 / 3)
    assert list(found.coverage.unanswered) == ["a", "b"]
    assert (found.units, found.answered, list(found.coverage.errors)) == (3, 1, [])
    assert found.per_unit()["a"] == {"em": 0, "f1": 0}


def test_empty_text_is_an_answer() -> None:
    found = readmark.mark(THREE, sat({"a": "", "b": "coat", "c": " "}))
    assert list(found.coverage.unanswered) == []
    assert (found.answered, found["em"].score) == (3, pytest.approx(100 / 3))


def test_errors_are_counted_apart() -> None:
    found = readmark.mark(THREE, sat({"a": None, "b": "coat"}))
    assert (list(found.coverage.errors), list(found.coverage.unanswered), found.answered) == (
        ["a"],
        ["c"],
        1,
    )
    assert found["em"].score == pytest.approx(100 / 3)
    document = found.as_json()
    assert (document["errors"], document["unanswered"], document["answered"]) == (["a"], ["c"], 1)


def test_repeats_are_averaged() -> None:
    answers = {"a": ("kettle", "pot", "kettle", "kettle"), "b": ("coat", None), "c": "boats"}
    found = readmark.mark(THREE, sat(answers))
    # an error on one of two repeats is wrong there, and the unit is listed
    assert found.per_unit() == {
        "a": {"em": 0.75, "f1": 0.75},
        "b": {"em": 0.5, "f1": 0.5},
        "c": {"em": 1, "f1": 1},
    }
    assert found["em"].score == 75
    assert list(found.coverage.errors) == ["b"]


def test_the_last_row_of_an_id_and_repeat_wins(tmp_path: Path) -> None:
    """A journal that was resumed: the error was tried again, the second repeat came later."""
    rows: list[dict[str, Any]] = [
        {"readmark": 1, "file": "sitting", "candidate": "journal"},
        {"id": "a", "error": "timed out", "attempt": 1},
        {"id": "b", "text": "coat"},
        {"id": "a", "text": "kettle", "attempt": 2},
        {"id": "b", "text": "boat", "repeat": 1},
        {"id": "b", "text": "hat"},
        {"id": "b", "text": "coat", "repeat": 1},
    ]
    file = tmp_path / "journal.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = readmark.mark(THREE, file)
    assert list(found.coverage.errors) == []
    assert [found.per_unit()[id]["em"] for id in "abc"] == [1, 0.5, 0]


def test_what_is_missing_of_repeats_is_named() -> None:
    whole = ("kettle", "kettle", "kettle")
    answers = {"a": whole, "b": ("coat", "coat"), "c": ("boats", None)}
    found = readmark.mark(THREE, sat(answers, repeats=3), metrics="em")
    # b lacks its third; c has an error in its second and lacks its third
    assert (list(found.coverage.errors), list(found.coverage.unanswered), found.answered) == (
        ["c"],
        ["b"],
        1,
    )
    assert (found.coverage.missing, found.coverage.not_sat) == ({2: ["b", "c"]}, [])
    assert found.scores.repeats["em"].scores == pytest.approx([100, 200 / 3, 100 / 3])
    assert found.notes == [
        "<memory>: answers are missing and count as wrong: 2 (b in repeat 3, c in repeat 3)"
    ]


def test_a_repeat_that_was_not_sat_has_no_mark() -> None:
    answers = {"a": ("kettle", "pot"), "b": ("coat", "coat"), "c": ("boat", "boat")}
    found = readmark.mark(THREE, sat(answers, repeats=3), metrics="em")
    assert found.coverage.not_sat == [2]
    assert found.scores.repeats["em"].scores == [
        pytest.approx(200 / 3),
        pytest.approx(100 / 3),
        None,
    ]
    # of 66.7 and 33.3 alone: their distance over the root of two
    assert found.scores.repeats["em"].deviation == pytest.approx(100 / 3 / 2**0.5)
    assert found["em"].score == pytest.approx(100 * 3 / 9)
    assert list(found.coverage.unanswered) == ["a", "b", "c"]
    assert (found.answered, found.coverage.missing) == (0, {})


def test_rows_of_repeats_that_the_header_does_not_tell_of() -> None:
    answers = {"a": ("kettle", "pot", "kettle"), "b": ("coat", "coat", None), "c": ("boat", "boat")}
    found = readmark.mark(THREE, sat(answers, repeats=2), metrics="em")
    assert found.per_unit()["a"]["em"] == 0.5
    assert (list(found.coverage.errors), found.coverage.unanswered, found.answered) == ([], [], 3)
    [said] = found.notes
    assert said.endswith("rows of repeats beyond the 2 of its header were left out: 2 (a, b)")


def test_repeats_of_thirds_stay_on_the_grid() -> None:
    found = readmark.mark(THREE, sat({"a": ("kettle", "pot", "pot")}))
    value = found.per_unit()["a"]["em"]
    assert value == pytest.approx(1 / 3, abs=2**-31)
    assert (value or 0) * 2**30 == round((value or 0) * 2**30)


@pytest.mark.parametrize(
    ("header", "ids", "words"),
    [
        ({"limit": 2}, ["a", "b"], "the first 2 units"),
        ({"limit": 99}, ["a", "b", "c"], "the first 99 units"),
        ({"covers": ("c", "a")}, ["a", "c"], "2 chosen units"),
        ({"without": "passage"}, ["a", "b", "c"], "without the passage"),
        ({"limit": 1, "without": "question"}, ["a"], "the first 1 unit, without the question"),
        ({}, ["a", "b", "c"], None),
    ],
)
def test_marks_cover_what_was_to_be_sat(
    header: dict[str, Any], ids: list[str], words: str | None
) -> None:
    found = readmark.mark(THREE, sat({"a": "kettle"}, **header))
    assert list(found.unit_vectors.ids) == ids
    assert list(found.coverage.unanswered) == [id for id in ids if id != "a"]
    assert found["em"].score == pytest.approx(100 / len(ids))
    assert found.coverage.covers == found.as_json()["covers"] == words


def test_answers_outside_the_coverage_are_no_strangers() -> None:
    found = readmark.mark(THREE, sat({"a": "kettle", "c": "boats", "zz": "x"}, limit=1))
    assert found["em"].score == 100
    assert list(found.coverage.unknown) == ["zz"]


@pytest.mark.parametrize("header", [{"covers": ("zz",)}, {"covers": ()}, {"limit": 0}])
def test_covering_nothing_is_an_error(header: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="no unit is covered"):
        readmark.mark(THREE, sat({"a": "kettle"}, **header))


def test_units_without_a_key_are_left_out_and_counted() -> None:
    test = comprehension(
        passage("p1", asked("a", "kettle"), asked("b", key=False), asked("c")), passage("p2")
    )
    found = readmark.mark(test, sat({"a": "kettle", "b": "x", "c": "y"}))
    assert (found.units, found.coverage.unkeyed, found["em"].score) == (1, 2, 100)
    assert list(found.coverage.unknown) == list(found.coverage.unanswered) == []
    assert any("2 units have no key" in note for note in found.notes)
    assert list(found.per_unit()) == ["a"]


def test_a_test_without_any_key_is_an_error() -> None:
    with pytest.raises(DataError, match="no unit has a key"):
        readmark.mark(THREE.paper(), sat({"a": "kettle"}))


def test_unknown_ids() -> None:
    sitting = sat({"a": "kettle", "zz": "x", "yy": "y"})
    found = readmark.mark(THREE, sitting)
    assert list(found.coverage.unknown) == ["zz", "yy"]
    assert found.as_json()["unknown"] == 2
    assert any("2 (zz, yy)" in note for note in found.notes)
    with pytest.raises(DataError, match=r"does not have: 2 \(zz, yy\)"):
        readmark.mark(THREE, sitting, strict=True)
    assert readmark.mark(THREE, sat({"a": "kettle"}), strict=True).units == 3


def test_a_sitting_of_another_paper_is_refused() -> None:
    bound = sat({"a": "kettle"}, paper=THREE.facts.paper)
    assert readmark.mark(THREE, bound).units == 3
    for people in ([], [bound]):
        with pytest.raises(DataError, match="another paper"):
            readmark.mark(
                shared_out([("p1", 1), ("p2", 0)])[0],
                bound if not people else sat({}),
                people=people,
            )


def test_offsets_that_point_elsewhere_are_noted_and_the_text_trusted() -> None:
    moved = {
        "text": "The made passage has boats.",
        "id": "p1",
        "questions": [
            {
                "id": "a",
                "text": "What has it?",
                "key": {"answers": [{"text": "boats", "start": 3}]},
            }
        ],
    }
    found = readmark.mark(comprehension(convert(moved, Passage)), sat({"a": "boats"}))
    assert found["em"].score == 100
    assert any("offsets of 1 (a)" in note for note in found.notes)


def test_answers_whose_offsets_are_astray_are_named_and_their_text_trusted() -> None:
    asks = [asked(id, "kettle") for id in ("q1", "q2")]
    test = comprehension(passage("p", *asks, text="a kettle"))
    rows: Rows = {
        "q1": Row(id="q1", answer="kettle", start=2, end=8),
        "q2": Row(id="q2", answer="kettle", start=90, end=96),
    }
    found = readmark.mark(test, Sitting(SittingHeader(candidate="reader"), rows), settings=FEW)
    assert found["em"].score == 100
    assert [note for note in found.notes if "offsets of 1 (q2)" in note]
