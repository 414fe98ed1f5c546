"""Lessons made ahead: in turn, waited for or not, and left when nobody needs them."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from readmark.comprehension.span.lessons import Packed
from readmark.comprehension.span.optimisation import Ahead


def lessons(number: int) -> Packed:
    one = np.array([number], np.int32)
    return Packed(one, one, one, one, one, one, one, np.ones(1, np.float32))


def test_each_epoch_has_its_own() -> None:
    ahead = Ahead(lambda number, _: lessons(number), epochs=3)
    found = []
    for number in (2, 3):
        ahead.begin(number)
        made = ahead.take(wait=True)
        assert made is not None
        found.append(int(made.ids[0]))
    ahead.begin(4)
    assert ahead.take(wait=True) is None
    ahead.stop()
    assert found == [2, 3]


def test_what_is_not_ready_is_not_waited_for_and_is_left_in_the_end() -> None:
    begun, left = threading.Event(), threading.Event()

    def slow(number: int, is_stopped: Callable[[], bool]) -> Packed:
        begun.set()
        while not is_stopped():
            left.wait(0.01)
        left.set()
        return lessons(number)

    ahead = Ahead(slow, epochs=2)
    ahead.begin(2)
    assert begun.wait(30)
    assert ahead.take(wait=False) is None
    ahead.stop()
    assert left.is_set()
