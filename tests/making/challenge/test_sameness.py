"""Which members of a class are one and the same."""

import pytest

from readmark.making.challenge.classes import spelt


@pytest.mark.parametrize(
    ("first", "second", "kind", "same"),
    [
        ("王明", "王明先生", "person", True),
        ("王明", "李明", "person", False),
        ("《河边》", "《河边的人》", "work", True),
        ("5人", "25人", "number", False),
        ("5人", "五人", "number", True),
        ("5", "5 members", "number", True),
        ("5 men", "5 boats", "number", False),
        ("1.5万", "15000", "number", True),
        ("1.5", "15", "number", False),
        ("5,000", "5000", "number", True),
        ("10:30", "1030", "time", False),
        ("1990年", "1990年5月", "time", False),
        ("春天", "今年春天", "time", True),
    ],
)
def test_same(first: str, second: str, kind: str, same: bool) -> None:
    assert spelt(first, kind).same(spelt(second, kind)) is same
    assert spelt(second, kind).same(spelt(first, kind)) is same
