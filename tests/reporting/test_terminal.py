"""Numbers with their nouns."""

import pytest

from readmark.reporting.terminal import counted, plural


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("question", "questions"),
        ("query", "queries"),
        ("series", "series"),
        ("document", "documents"),
    ],
)
def test_a_noun_is_counted_in_the_right_number(noun: str, several: str) -> None:
    assert plural(noun) == several
    assert counted(1, noun) == f"1 {noun}"
    assert counted(1200, noun) == f"1,200 {several}"
