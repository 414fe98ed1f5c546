"""The set of answered units behaves like any other set, whatever the ids, outside of memory."""

import sqlite3
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import ReadmarkError
from readmark.sitting.journal_state import AnsweredUnits, UnitRepeat

ids = st.sampled_from(["", " ", "0", "0 0", "a", "A", "a\x00b", "a\x00c", "码头", "é", "e\u0301"])
units = st.tuples(ids, st.sampled_from([0, 1, 2**70]))


@given(st.lists(st.tuples(st.booleans(), units), max_size=30), units)
def test_it_is_equal_to_a_set_with_the_same_history(
    steps: list[tuple[bool, UnitRepeat]], other: UnitRepeat
) -> None:
    answered, expected = AnsweredUnits(), set[UnitRepeat]()
    for is_added, unit in steps:
        (answered.add if is_added else answered.discard)(unit)
        (expected.add if is_added else expected.discard)(unit)
    assert len(answered) == len(expected)
    assert set(answered) == expected
    assert answered == expected
    assert (other in answered) == (other in expected)
    answered.close()


def test_it_is_empty_at_first_and_after_it_was_closed() -> None:
    answered = AnsweredUnits()
    assert (len(answered), list(answered), ("a", 0) in answered) == (0, [], False)
    answered.discard(("a", 0))
    answered.close()
    answered.add(("a", 0))
    assert ("a", 0) in answered
    answered.close()
    assert ("a", 0) not in answered
    answered.close()


def test_threads_may_share_it() -> None:
    answered = AnsweredUnits()
    for number in range(2000):
        answered.add((f"q{number}", number % 2))
    counts: list[int] = []

    def count() -> None:
        counts.append(sum((f"q{number}", 0) in answered for number in range(2000)))

    threads = [threading.Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [1000, 1000, 1000]
    answered.close()


def test_a_full_temporary_file_is_reported_in_one_line() -> None:
    answered = AnsweredUnits()
    answered.add(("a", 0))
    assert isinstance(answered._database, sqlite3.Connection)
    answered._database.execute("PRAGMA max_page_count = 4")
    many = {(f"q{number}", 0) for number in range(10_000)}
    with pytest.raises(ReadmarkError, match=r"^the list of answered units cannot .* \(.*full\)$"):
        answered |= many
    answered.close()
