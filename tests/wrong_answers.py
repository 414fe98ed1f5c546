"""A passage on a mill, with questions whose answers go wrong in every way."""

from __future__ import annotations

from typing import Any

from made import asked, comprehension, passage
from readmark.core.test import Test
from readmark.marking.settings import MarkSettings

FEW = MarkSettings(draws=20)
MILL = (
    "Editor Ada Marlow opened the mill in 1890. Ben Hale ran it for five years. "
    "The river drives the wheel, and the wheel turns the stone."
)


def mill(**header: Any) -> Test:
    """English: spans, an unanswerable question, a publisher's key, marked sentences."""
    return comprehension(
        passage(
            "mill",
            asked("who", "Ada Marlow", level=1),
            asked("when", "1890", level=1),
            asked("what", "The river", level=2),
            asked("never", unanswerable=True, level=2),
            asked("own", published=["water power"], level=2),
            asked("marked", published=["water power"], sentences=((75, 133),), level=2),
            text=MILL,
        ),
        **{"language": "en", "profile": "squad2", **header},
    )
