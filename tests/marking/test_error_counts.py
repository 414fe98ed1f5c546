"""Error classes counted: machines, people and panels, and that every answer has one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from made import asked, comprehension, passage, sat
from readmark.comprehension.error_classes import CLASSES
from readmark.core.marksheet import MarkedUnit, read_marksheet_header, read_marksheet_rows
from readmark.core.sitting import Row, Rows, Sitting, SittingHeader
from readmark.marking.settings import MarkSettings
from wrong_answers import FEW, MILL, mill


def test_counts_gap_and_what_boundary_puts_into_it() -> None:
    """EM 2/4; F1: Marlow for Ada Marlow 2/3, the wheel for the river (articles go) 0."""
    answers = {"who": "Marlow", "when": "1890", "what": "the wheel", "never": ""}
    test = mill()
    chosen = sat(answers, covers=tuple(answers))
    marks = readmark.mark(test, chosen, by=["level"], metrics=["em", "f1"], settings=FEW)
    errors = marks.classes
    assert errors is not None
    assert errors.machine is not None
    assert errors.people is errors.machine_on_same_sets is errors.method is None
    whole = errors.machine
    assert whole.units == 4
    assert {name: count for name, count in whole.counts.items() if count} == {
        "correct": 2,
        "boundary": 1,
        "right_sentence": 1,
    }
    assert whole.gap == pytest.approx(100 * (2 / 3) / 4, abs=1e-6)
    assert whole.boundary_gap == pytest.approx(whole.gap, abs=1e-6)
    levels = errors.machine.by["level"]
    assert [
        (one.units, one.counts["correct"], one.counts["boundary"]) for one in levels.values()
    ] == [
        (2, 1, 1),
        (2, 1, 0),
    ]
    assert levels["1"].gap == pytest.approx(100 / 3, abs=1e-6)
    assert errors.each == {
        "who": "boundary",
        "when": "correct",
        "what": "right_sentence",
        "never": "correct",
    }
    told = marks.as_json()["error_classes"]
    assert told["machine"]["by"]["level"]["2"]["counts"]["right_sentence"] == 1
    assert told["per_unit"]["who"] == "boundary"
    assert "per_unit" not in marks.as_json(units=False)["error_classes"]
    assert marks.as_json()["errors"] == []  # the contract's: ids of error rows


def test_the_gap_is_absent_where_em_and_f1_were_not_both_marked() -> None:
    marks = readmark.mark(mill(), sat({"who": "Marlow"}), metrics=["em"], settings=FEW)
    assert marks.classes is not None
    assert marks.classes.machine is not None
    assert marks.classes.machine.gap is None
    assert marks.classes.machine.boundary_gap == pytest.approx(100 * (2 / 3) / 6, abs=1e-6)


def test_error_rows_and_repeats() -> None:
    """Two repeats: an error and a right answer are half of each; a missing row is no answer."""
    test = comprehension(
        passage("p", asked("a", "kettle"), asked("b", "kettle"), asked("c", "kettle")),
        language="en",
    )
    answers: dict[str, Any] = {"a": (None, "kettle"), "b": ("a kettle", "a coat"), "c": None}
    marks = readmark.mark(test, sat(answers, repeats=2), settings=FEW)
    assert marks.classes is not None
    assert marks.classes.machine is not None
    counts = marks.classes.machine.counts
    assert {name: count for name, count in counts.items() if count} == {
        "correct": 1,
        "right_sentence": 0.5,
        "no_answer": 0.5,
        "error": 1,
    }
    assert marks.classes.each == {"a": None, "b": None, "c": None}


PEOPLE = comprehension(
    passage(
        "mill",
        asked("who", ("a", "Ada Marlow"), ("b", "Ada Marlow"), ("c", "Editor Ada Marlow")),
        asked("when", ("a", "1890"), ("b", "the mill"), ("c", "1890")),
        asked("alone", "The river"),
        text=MILL,
    ),
    language="en",
    profile="squad",
)


def test_people_by_leave_one_out() -> None:
    """who: a and b find each other, c misses the edge. when: b's against 1890 is of wrong type."""
    found = readmark.people(PEOPLE, settings=FEW)
    assert found.classes is not None
    assert found.classes.machine is None
    assert found.classes.people is not None
    counts = found.classes.people
    assert counts.units == 2
    assert {name: count for name, count in counts.counts.items() if count} == pytest.approx(
        {"correct": 4 / 3, "boundary": 1 / 3, "wrong_type": 1 / 3}, abs=1e-5
    )


def test_the_machine_compared_with_people_faces_the_same_sets() -> None:
    """1890 is right against {b, c}, {a, c}, {a, b}; Editor Ada Marlow only where c stays."""
    answers = {"who": "Editor Ada Marlow", "when": "1890", "alone": "The river"}
    errors = readmark.mark(PEOPLE, sat(answers), settings=FEW).classes
    assert errors is not None
    assert errors.machine is not None
    assert errors.machine_on_same_sets is not None
    assert errors.method == "leave-one-out"
    assert errors.machine.counts["correct"] == 3
    assert errors.machine_on_same_sets.units == 2
    assert errors.machine_on_same_sets.counts["correct"] == pytest.approx(2 / 3 + 1, abs=1e-5)
    assert errors.machine_on_same_sets.counts["boundary"] == pytest.approx(1 / 3, abs=1e-5)


def test_a_panel_is_counted_by_its_members() -> None:
    """Ben sat two of three: counts are means over the two people, of 3 and 2 units."""
    panel = [
        sat({"who": "Editor Ada Marlow", "when": "1890", "what": ""}, candidate="ann"),
        sat({"who": "Ada Marlow", "when": "1890"}, candidate="ben", covers=("who", "when")),
    ]
    test = comprehension(
        passage(
            "mill",
            asked("who", "Ada Marlow"),
            asked("when", "1890"),
            asked("what", "The river"),
            text=MILL,
        ),
        language="en",
        profile="squad",
    )
    errors = readmark.mark(test, sat({"who": "Ada Marlow"}), people=panel, settings=FEW).classes
    assert errors is not None
    assert errors.people is not None
    assert errors.machine_on_same_sets is None
    assert errors.method == "panel"
    assert errors.people.units == 2.5
    assert {name: count for name, count in errors.people.counts.items() if count} == {
        "correct": 1.5,
        "boundary": 0.5,
        "no_answer": 0.5,
    }


def test_the_marksheet_holds_the_vectors(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    marks = readmark.mark(mill(), sat({"who": "Marlow"}), settings=FEW, marksheet=file)
    header = read_marksheet_header(str(file))
    assert header.classes is not None
    assert marks.classes is not None
    assert header.classes.names == CLASSES
    assert header.classes.signature == marks.classes.signature
    units = [row for row in read_marksheet_rows(str(file)) if isinstance(row, MarkedUnit)]
    assert units[0].classes is not None
    assert units[0].classes.own is not None
    assert units[0].classes.own[:2] == (0.0, 1.0)
    assert units[0].classes.own[-1] == pytest.approx(2 / 3, abs=1e-6)


def test_classes_can_be_left_out(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    answers = sat({"who": "Marlow"})
    marks = readmark.mark(mill(), answers, settings=FEW, marksheet=file, classes=False)
    assert marks.classes is None
    assert "error_classes" not in marks.as_json()
    assert read_marksheet_header(str(file)).classes is None


words = st.sampled_from(
    ["", "Ada Marlow", "Marlow", "the mill", "1890", "five years", "a badger", "The river drives"]
)
said = st.one_of(words, st.none(), st.text(max_size=12))


@given(
    answers=st.dictionaries(
        st.sampled_from(["who", "when", "what", "never", "own", "marked"]),
        st.tuples(said, said),
        max_size=6,
    ),
    repeats=st.sampled_from([1, 2]),
)
def test_classes_sum_to_units_and_correct_is_em(
    answers: dict[str, tuple[str | None, str | None]], repeats: int
) -> None:
    rows: Rows = {}
    for id, several in answers.items():
        rows[id] = tuple(
            Row(id=id, repeat=at, error="late")
            if one is None
            else Row(id=id, repeat=at, answer=one)
            for at, one in enumerate(several[:repeats])
        )
    sitting = Sitting(SittingHeader(candidate="reader", repeats=repeats), rows)
    marks = readmark.mark(
        mill(), sitting, metrics=["em"], by=["level"], settings=MarkSettings(draws=2)
    )
    errors = marks.classes
    assert errors is not None
    assert errors.machine is not None
    whole = errors.machine
    assert sum(whole.counts.values()) == pytest.approx(whole.units, abs=1e-4)
    assert whole.units == marks.units == 6
    score = marks["em"].score
    assert score is not None
    assert whole.counts["correct"] == pytest.approx(score * 6 / 100, abs=1e-4)
    for name in CLASSES:
        parts = [one.counts[name] for one in errors.machine.by["level"].values()]
        assert sum(parts) == pytest.approx(whole.counts[name], abs=1e-4)


def test_people_who_sat_different_numbers_of_units_count_alike_in_the_gap_and_its_part() -> None:
    """One sat one question and lost 2/3 of F1 to a boundary; the other sat three, all right."""
    test = mill()
    one = sat({"who": "Marlow"}, covers=("who",))
    three = {"when": "1890", "what": "the river", "never": ""}
    marks = readmark.mark(
        test,
        sat(three | {"who": "Ada Marlow"}),
        people=[one, sat(three, covers=tuple(three))],
        metrics=["em", "f1"],
        settings=FEW,
    )
    assert marks.classes is not None
    people = marks.classes.people
    assert people is not None
    assert people.gap == pytest.approx(100 * (2 / 3) / 2, abs=1e-4)
    assert people.boundary_gap == pytest.approx(people.gap, abs=1e-4)
