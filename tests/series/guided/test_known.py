"""Whose answers are known, and what may stand for which."""

import pytest

from readmark.series.guided.known_answers import KnownAnswers


@pytest.mark.parametrize(
    ("of", "at", "earlier", "answers"),
    [
        ((None, 0, 1), 1, 0, ("a",)),
        ((None, 0, 1), 2, 1, ("b",)),
        ((None, 0, 1), 2, 0, ("a",)),  # told at an earlier question
        ((None, 0, 1), 2, None, ("b",)),  # the one just before
        ((None, 0, 0), 2, 1, ()),
        ((None, 2, 0), 1, 0, ()),  # told too late
        ((), 2, 0, ("b",)),  # what the question leans on, whichever that is
        ((), 0, None, ()),
        ((), 7, 1, ()),
    ],
)
def test_answers(
    of: tuple[int | None, ...], at: int, earlier: int | None, answers: tuple[str, ...]
) -> None:
    assert KnownAnswers([(), ("a",), ("b",)], of).answers(at, earlier) == answers
