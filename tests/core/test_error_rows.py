"""Error rows: what went wrong with one unit, in one line, while the others are answered."""

from made import asked, comprehension, passage
from readmark.core.error_rows import error_line, failure, one_by_one
from readmark.core.kinds import kind_named
from readmark.core.records import Unit
from readmark.core.sitting import Row


def test_one_by_one_goes_on_after_an_exception() -> None:
    record = next(iter(comprehension(passage("p", asked("a"), asked("b"), asked("c"))).records()))
    units = list(kind_named("comprehension").units(record))

    def reply(unit: Unit) -> Row:
        if unit.id == "b":
            raise KeyError("b")
        return Row(id=unit.id, answer="x")

    rows = list(one_by_one(units, reply))
    assert [row.error for row in rows] == [None, "KeyError: 'b'", None]


def test_an_error_is_one_line_of_limited_length() -> None:
    assert failure("q", ValueError("a\n  b\u2028c")) == Row(id="q", error="ValueError: a b c")
    assert error_line(ValueError("x" * 900)) == "ValueError: " + "x" * 488
    assert error_line(OSError("\udcff")) == "OSError: ?"
