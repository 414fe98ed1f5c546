"""What the runner notices: counts with the first ids, and offsets while the passage is at hand."""

import pytest

from readmark.core.numbers import listed_ids
from readmark.core.sitting import Row
from readmark.sitting.requests import Passages, UnitCount


@pytest.mark.parametrize(
    ("ids", "count", "said"),
    [
        (["a"], None, "1 (a)"),
        (["a", "b", "c", "d", "e"], None, "5 (a, b, c, d, e)"),
        (["a", "b", "c", "d", "e", "f"], None, "6 (a, b, c, d, e, …)"),
        (["a" * 1000, "b"], None, "2 (" + "a" * 80 + "…, b)"),
        (["a", "b", "c", "d", "e"], 900, "900 (a, b, c, d, e, …)"),
    ],
)
def test_counts_name_the_first(ids: list[str], count: int | None, said: str) -> None:
    assert listed_ids(ids, count) == said


def test_a_note_does_not_grow() -> None:
    noted = UnitCount()
    for at in range(1000):
        noted.add(f"q{at}")
    assert str(noted) == "1,000 (q0, q1, q2, q3, q4, …)"
    assert len(noted._first) == 5


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
def test_offsets_are_looked_at(row: Row, astray: int) -> None:
    passages = Passages()
    passages.ask("some boats", ("q",))
    passages.look(row)
    assert passages.astray.count == astray
    passages.look(row)  # once a unit
    assert passages.astray.count == astray


def test_a_record_without_a_text_has_no_offsets() -> None:
    passages = Passages()
    passages.ask(None, ("q",))
    passages.look(Row(id="q", answer="x", start=7))
    assert passages.astray.count == 0


def test_what_is_never_answered_does_not_pile_up() -> None:
    passages = Passages(most=100)
    for at in range(50):
        passages.ask("x" * 30, (f"a{at}", f"b{at}"))
        assert passages._held <= 100
    assert list(passages._texts) == ["b48", "a49", "b49"]
    for id in ("a0", "b49"):
        passages.look(Row(id=id, answer="y", start=0))
    assert str(passages.astray) == "1 (b49)"
    passages.ask("x" * 500, ("long",))
    assert (passages._held, passages._texts) == (0, {})
