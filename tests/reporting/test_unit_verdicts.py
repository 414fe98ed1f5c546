"""What became of a unit, in one word."""

import pytest

from readmark.core.sitting import Row
from readmark.reporting.page.units import UnitVerdict, verdict

SAID = Row(id="q", answer="")
UNSAID = Row(id="q", answer="", evidence={"reason": "refused"}, repeat=1)
FAILED = Row(id="q", error="timed out", repeat=2)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ((), UnitVerdict.UNANSWERED),
        ((SAID,), UnitVerdict.ANSWERED),
        ((UNSAID,), UnitVerdict.UNANSWERED),
        ((SAID, UNSAID), UnitVerdict.ANSWERED),
        ((UNSAID, FAILED), UnitVerdict.ERROR),
    ],
)
def test_a_reply_in_which_nothing_was_said_is_no_answer(
    rows: tuple[Row, ...], found: UnitVerdict
) -> None:
    assert verdict(rows, None, None) == found
