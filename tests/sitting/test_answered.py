"""What a journal already answers: a set like any other, whatever the ids, beside the memory."""

import sqlite3
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import ReadmarkError
from readmark.sitting.journal import Answered, UnitRepeat

ids = st.sampled_from(["", " ", "0", "0 0", "a", "A", "a\x00b", "a\x00c", "码头", "é", "e\u0301"])
asks = st.tuples(ids, st.sampled_from([0, 1, 2**70]))


@given(st.lists(st.tuples(st.booleans(), asks), max_size=30), asks)
def test_it_is_the_set_that_it_would_be(
    steps: list[tuple[bool, UnitRepeat]], other: UnitRepeat
) -> None:
    found, wanted = Answered(), set[UnitRepeat]()
    for taken, asked in steps:
        (found.add if taken else found.discard)(asked)
        (wanted.add if taken else wanted.discard)(asked)
    assert len(found) == len(wanted)
    assert set(found) == wanted
    assert found == wanted
    assert (other in found) == (other in wanted)
    found.close()


def test_nothing_is_in_it_before_and_after() -> None:
    answered = Answered()
    assert (len(answered), list(answered), ("a", 0) in answered) == (0, [], False)
    answered.discard(("a", 0))
    answered.close()
    answered.add(("a", 0))
    assert ("a", 0) in answered
    answered.close()
    assert ("a", 0) not in answered
    answered.close()


def test_other_threads_may_ask() -> None:
    answered = Answered()
    for at in range(2000):
        answered.add((f"q{at}", at % 2))
    found: list[int] = []

    def ask() -> None:
        found.append(sum((f"q{at}", 0) in answered for at in range(2000)))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1000, 1000, 1000]
    answered.close()


def test_a_temporary_file_that_cannot_be_written_is_told_in_one_line() -> None:
    answered = Answered()
    answered.add(("a", 0))
    assert isinstance(answered._base, sqlite3.Connection)
    answered._base.execute("PRAGMA max_page_count = 4")
    many = {(f"q{at}", 0) for at in range(10_000)}
    with pytest.raises(ReadmarkError, match=r"^what was answered cannot be .* \(.*full\)$"):
        answered |= many
    answered.close()
