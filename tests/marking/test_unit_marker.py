"""Marking unit by unit: blocks, repeats, people, and what counts as no answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from made import asked, comprehension, passage, sat
from readmark.core.errors import DataError
from readmark.core.records import Answer, Unit
from readmark.core.sitting import FAILED, Row, Rows, Sitting, SittingHeader, keep
from readmark.core.test import Header, Test, in_memory
from readmark.hooks import Case
from readmark.marking.metrics import build_metrics
from readmark.marking.unit_marker import BLOCK, UnitMarker, tally_sitting
from readmark.marking.unit_marks import UnitMarks
from readmark.marking.unit_replies import UnitReplies
from readmark.series.metrics.exact import Exact
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

TEST = comprehension(
    passage("p1", asked("a", ("ann", "kettle"), ("ben", "pot")), asked("b", "coat")),
    passage("p2", asked("c", "boats")),
)


def marked_units(sitting: Sitting | None, **options: Any) -> list[UnitMarks]:
    marker = UnitMarker.of_test(TEST, sitting, build_metrics(["em"], TEST), **options)
    return list(marker.mark(TEST.units()))


def replies_to(id: str, sitting: Sitting) -> UnitReplies:
    unit = next(unit for unit in TEST.units() if unit.id == id)
    return UnitReplies.of(unit, TEST.kind.references(unit), sitting, [], TEST.kind)


@dataclass(frozen=True)
class CountingMetric(Exact):
    """One that marks many at once and remembers how many."""

    sizes: list[int] = field(default_factory=list)

    def resolve(self, test: Test) -> CountingMetric:
        return self

    def statistics(
        self, unit: Unit, references: Any, answer: Any | None, people: Sequence[Any] = ()
    ) -> Sequence[float]:
        raise AssertionError("one by one")

    def statistics_of_many(self, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
        self.sizes.append(len(cases))
        return [(float(case.answer is not None), 1.0) for case in cases]


def test_units_are_marked_in_blocks_and_in_order() -> None:
    count = BLOCK + 3
    key = SeriesQuestionKey(rewrites=(Answer(text="gold"),))
    questions = tuple(SeriesQuestion(id=f"q{index}", text="it?", key=key) for index in range(count))
    without_key = SeriesQuestion(id="none", text="it?")
    record = Series(id="s", target="t", questions=(without_key, *questions))
    test = in_memory(Header(kind="series", name="made", language="en"), [record])
    metric = CountingMetric()
    sitting = sat({f"q{index}": "x" for index in range(0, count, 2)})
    tally = tally_sitting(test, sitting, {"c": metric})
    assert metric.sizes == [BLOCK - 1, 4]
    assert tally.ids == [f"q{index}" for index in range(count)]
    assert tally.coverage.unkeyed == 1
    answered = tally.vectors["c"].matrix()[:, 0].tolist()
    assert answered == [float(index % 2 == 0) for index in range(count)]


@pytest.mark.parametrize(
    ("answers", "repeats", "expected", "missing"),
    [
        ({}, 1, [None], []),
        ({"a": "kettle"}, 1, ["kettle"], []),
        ({"a": None}, 1, [None], []),
        ({"a": ("kettle", None, "pot")}, 3, ["kettle", None, "pot"], []),
        ({"a": ("kettle", "pot")}, 3, ["kettle", "pot", None], [2]),
        # A header that declares no repeats: the rows say how many there are.
        ({"a": ("kettle", "pot")}, 1, ["kettle", "pot"], []),
    ],
)
def test_one_answer_for_each_repeat(
    answers: dict[str, Any], repeats: int, expected: list[str | None], missing: list[int]
) -> None:
    replies = replies_to("a", sat(answers, repeats=repeats))
    texts = [None if answer is None else answer.text for answer in replies.answers]
    assert texts == expected
    assert list(replies.missing) == missing


def test_rows_of_repeats_that_the_header_does_not_declare_are_left_out() -> None:
    replies = replies_to("a", sat({"a": ("kettle", "pot", "pan")}, repeats=2))
    assert [row.text for row in replies.rows] == ["kettle", "pot"]
    assert replies.has_extra_repeats


def test_an_error_is_known_from_an_unanswered_repeat() -> None:
    replies = replies_to("a", sat({"a": ("kettle", None)}, repeats=3))
    answers = replies.answers_or_failures()
    assert answers[0].text == "kettle"
    assert answers[1:] == [FAILED, None]


def test_repeats_are_averaged_and_kept() -> None:
    unit = marked_units(sat({"a": ("kettle", "pan")}, repeats=2))[0]
    assert unit.vectors["em"] == (0.5, 1.0)
    assert unit.repeated == {"em": [(1.0, 1.0), (0.0, 1.0)]}


def test_what_was_not_asked_for_is_not_made() -> None:
    unit = marked_units(sat({"a": "kettle"}))[0]
    assert (unit.left_out, unit.panel, unit.repeated, unit.classes) == (None, None, None, None)
    assert unit.annotators == ()


def test_one_person_is_left_out_where_several_answered() -> None:
    two_people, one_person, _ = marked_units(sat({"a": "pot", "b": "coat"}), leave_one_out=True)
    assert two_people.left_out is not None
    # Against ben's pot and against ann's kettle; neither person has the other's word.
    assert two_people.left_out["em"].machine == (0.5, 1.0)
    assert two_people.left_out["em"].people == (0.0, 1.0)
    assert tuple(two_people.annotators) == ("ann", "ben")
    assert one_person.left_out is None


def test_members_of_a_panel_are_marked_on_the_units_that_they_were_to_sit() -> None:
    panel = [sat({"a": "kettle"}, candidate="ann", limit=1), sat({"b": "hat"}, candidate="ben")]
    units = marked_units(None, panel=panel)
    assert [unit.panel for unit in units] == [
        {"em": [(1.0, 1.0), (0.0, 1.0)]},
        {"em": [None, (0.0, 1.0)]},
        {"em": [None, (0.0, 1.0)]},
    ]


def test_answers_to_other_splits_and_to_no_unit_are_counted_apart() -> None:
    whole = comprehension(
        passage("p1", asked("a", "kettle"), split="dev"),
        passage("p2", asked("b", "coat"), split="test"),
    )
    rows: Rows = {}
    for id in ("a", "b", "z"):
        keep(rows, Row(id=id, answer="kettle"))
    sitting = Sitting(SittingHeader(candidate="reader"), rows)
    test = whole.split("dev")
    coverage = tally_sitting(test, sitting, build_metrics(["em"], test)).coverage
    assert (coverage.unknown, coverage.elsewhere) == (("z",), 1)


def test_a_sitting_without_an_id_of_the_test_is_refused() -> None:
    with pytest.raises(DataError):
        UnitMarker.of_test(TEST, sat({"x": "kettle"}), build_metrics(["em"], TEST))
