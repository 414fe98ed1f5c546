"""The calibration error of a sitting's scores, worked by hand."""

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Test

# Score and whether the answer is right; two passages.
ROWS = {"a": [(0.9, 1), (0.9, 0), (0.25, 0)], "b": [(0.9, 1), (0.25, 1), (1.0, 1)]}


def the_test() -> Test:
    return comprehension(
        *(
            passage(name, *(asked(f"{name}{at}", "kettle") for at in range(len(rows))))
            for name, rows in ROWS.items()
        )
    )


def scored(scores: dict[str, float | None] | None = None) -> Sitting:
    rows = {}
    for name, several in ROWS.items():
        for at, (score, right) in enumerate(several):
            id = f"{name}{at}"
            own = score if scores is None else scores.get(id)
            rows[id] = Row(id=id, answer="kettle" if right else "boat", score=own)
    return Sitting(SittingHeader(candidate="sure"), rows)


def test_the_error_by_hand() -> None:
    # (0.8, 0.9]: three of mean 0.9, two right; (0.2, 0.3]: two of 0.25, one right; 1.0 is right
    by_hand = (3 * abs(0.9 - 2 / 3) + 2 * abs(0.25 - 1 / 2) + 1 * 0) / 6
    marks = readmark.mark(the_test(), scored(), metrics=["em", "f1"])
    found = marks.calibration
    assert found is not None
    assert found.reason is None
    assert (found.units, found.scored, found.bins) == (6, 6, 10)
    for name in ("em", "f1"):
        error = found.errors[name]
        assert error.error == pytest.approx(by_hand, abs=1e-8)
        # Two passages are drawn: both (by_hand), or one of them twice (b's error is between).
        only_a = (2 * abs(0.9 - 1 / 2) + 0.25) / 3
        assert error.low == pytest.approx(by_hand, abs=1e-8)
        assert error.high == pytest.approx(only_a, abs=1e-8)
    document = marks.as_json()["calibration"]
    assert document["errors"]["em"]["error"] == pytest.approx(by_hand, abs=1e-8)
    assert f"calibration error of the scores: em {by_hand:.3f} (" in marks.as_text(full=True)
    assert "calibration" not in marks.as_text()


def test_units_without_a_score_do_not_count() -> None:
    marks = readmark.mark(the_test(), scored({"a0": 0.9, "b0": 0.7}), metrics=["em"])
    found = marks.calibration
    assert found is not None
    assert (found.units, found.scored) == (6, 2)
    assert found.errors["em"].error == pytest.approx((0.1 + 0.3) / 2)


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ({}, "no scores"),
        ({"a0": 0.5}, "no scores"),
        ({"a0": 0.5, "a1": 7.0}, "they are not all between 0 and 1"),
        ({"a0": 0.5, "a1": -0.1}, "they are not all between 0 and 1"),
    ],
)
def test_why_there_is_none(scores: dict[str, float | None], reason: str) -> None:
    marks = readmark.mark(the_test(), scored(scores), metrics=["em"])
    assert marks.calibration is not None
    assert marks.calibration.reason == reason
    assert f"calibration error of the scores: none ({reason})" in marks.as_text(full=True)
    assert marks.as_json()["calibration"]["errors"] == {}


def test_one_passage_has_no_interval() -> None:
    test = comprehension(passage("a", asked("a0", "kettle"), asked("a1", "kettle")))
    rows = {id: Row(id=id, answer="kettle", score=0.4) for id in ("a0", "a1")}
    marks = readmark.mark(test, Sitting(SittingHeader(candidate="sure"), rows), metrics=["em"])
    assert marks.calibration is not None
    error = marks.calibration.errors["em"]
    assert (error.low, error.high) == (None, None)
    assert error.error == pytest.approx(0.6)
    assert error.words() == "0.600"
