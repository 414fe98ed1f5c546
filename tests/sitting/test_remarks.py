"""What the runner notices: counts with the first ids, and offsets that miss their answers."""

import pytest

from readmark.core.sitting import Row
from readmark.sitting.remarks import OffsetCheck, UnitCount


def test_a_count_keeps_the_first_ids_alone() -> None:
    units = UnitCount()
    for number in reversed(range(1000)):
        units.add(f"q{number}")
    assert str(units) == "1,000 (q0, q1, q2, q3, q4, …)"
    assert len(units._first) == 5


@pytest.mark.parametrize(
    ("row", "astray"),
    [
        (Row(id="q", answer="boats", start=5, end=10), 0),
        (Row(id="q", answer="boats", start=5), 0),
        (Row(id="q", answer="boats"), 0),
        (Row(id="q", answer="boats", start=4, end=9), 1),
        (Row(id="q", answer="boats", start=-6, end=-1), 1),
        (Row(id="q", answer="boats", start=5, end=10**30), 1),
        (Row(id="q", answer="seen", start=11, end=15), 1),
        (Row(id="q", start=90, end=95, error="timed out"), 0),
        (Row(id="other", answer="boats", start=4, end=9), 0),
    ],
)
def test_offsets_are_checked_once_a_unit(row: Row, astray: int) -> None:
    offsets = OffsetCheck()
    offsets.expect("some boats", ("q",))
    offsets.check(row)
    assert offsets.astray.count == astray
    offsets.check(row)
    assert offsets.astray.count == astray


def test_a_record_without_a_text_has_no_offsets() -> None:
    offsets = OffsetCheck()
    offsets.expect(None, ("q",))
    offsets.check(Row(id="q", answer="x", start=7))
    assert offsets.astray.count == 0


def test_passages_of_units_that_are_never_answered_do_not_pile_up() -> None:
    offsets = OffsetCheck(most=100)
    for number in range(50):
        offsets.expect("x" * 30, (f"a{number}", f"b{number}"))
        assert offsets._size <= 100
    assert list(offsets._passages) == ["b48", "a49", "b49"]
    for id in ("a0", "b49"):
        offsets.check(Row(id=id, answer="y", start=0))
    assert str(offsets.astray) == "1 (b49)"
    offsets.expect("x" * 500, ("long",))
    assert (offsets._size, offsets._passages) == (0, {})


def test_repeats_of_a_unit_are_counted_and_named_once() -> None:
    units = UnitCount()
    for id in ("q1", "q1", "q2", "q1"):
        units.add(id)
    assert str(units) == "4 (q1, q2)"


def test_a_unit_that_goes_out_again_takes_its_room_once() -> None:
    offsets = OffsetCheck(most=100)
    for _ in range(20):
        offsets.expect("some boats", ("q",))
    assert offsets._size == len("some boats")
    offsets.check(Row(id="q", answer="boats", start=0))
    assert offsets.astray.count == 1
    assert offsets._size == 0
