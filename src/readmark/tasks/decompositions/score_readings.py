"""Scores at some moments, and how people write them in a line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from readmark.core.errors import UsageError

_TAIL = re.compile(
    r"^(?P<score>.*?)(?:\s+by\s+(?P<last>[^\W\d]\w*))?(?P<settled>\s+settled)?$", re.S
)
_TOTALS_ALONE = re.compile(r"\d+(?:\s*(?:-|–|:|比|\bto\b)\s*\d+)*")
_SIDE = re.compile(r"(?P<name>[^\d,;、][^,;、]*?)(?:\s+|(?<=[\u3400-\u9fff]))(?P<total>\d+)")
_SIDES = re.compile(r"(?:[^\d,;\s]\S*\s+(?:(?!\d+\s)\S+\s+)*\d+(?:\s+|$)){2,}")
"""Several sides without a comma between them; a name's own number does not end it (49ers)."""
_FORMS = "'Falcons 3, Jets 0', '6 to 3', '7 by touchdown', 'Jets 10 settled'"


@dataclass(frozen=True)
class ScoreReading:
    """A score at some moment: totals by side, or totals of which one does not know whose they are.

    ``last`` names what made it this score: a quantity, or a kind of quantities. A ``settled`` score
    is one at a break, when nothing can any more follow what came last.
    """

    scores: Mapping[str, int] = field(default_factory=dict)
    either: tuple[int, ...] = ()
    last: str | None = None
    settled: bool = False

    def totals_of(self, side: str) -> tuple[int, ...]:
        """The totals that a side may have here; none where the score does not state it."""
        return (self.scores[side],) if side in self.scores else self.either


def sides_of(readings: Sequence[ScoreReading], sides: Sequence[str] = ()) -> tuple[str, ...]:
    """The sides that are given, else those that the readings name, in their order."""
    named = dict.fromkeys(name for reading in readings for name in reading.scores)
    names = tuple(sides) or tuple(named)
    if strangers := [name for name in named if name not in names]:
        raise UsageError(f"{strangers[0]!r} is none of the sides {', '.join(names)}")
    for reading in readings:
        if any(total < 0 for total in (*reading.scores.values(), *reading.either)):
            raise UsageError("a total is not less than 0")
        if reading.either and (reading.scores or len(reading.either) != len(names)):
            totals = " to ".join(map(str, reading.either))
            raise UsageError(f"{totals} is a total a side, of {len(names)} sides, and nothing else")
    if not names:
        raise UsageError("no side is named")
    return names


def read_reading(text: str) -> ScoreReading:
    """A score as one writes it: totals with their sides, or totals alone.

    ``by WORD`` names what made it this score; ``settled`` says that nothing can follow that.
    """
    parts = _TAIL.match(unicodedata.normalize("NFKC", text).strip())
    score = parts["score"].strip() if parts else ""
    last, settled = (parts["last"], bool(parts["settled"])) if parts else (None, False)
    if _TOTALS_ALONE.fullmatch(score):
        totals = tuple(int(total) for total in re.findall(r"\d+", score))
        return ScoreReading(either=totals, last=last, settled=settled)
    if _SIDES.fullmatch(score):
        sides = re.findall(r".*?\s\d+(?=\s|$)", score)
    else:
        sides = re.split(r"[,;、]", score)
    scores: dict[str, int] = {}
    for side in sides:
        match = _SIDE.fullmatch(side.strip())
        if match is None or match["name"] in scores:
            raise UsageError(f"{text!r} is not a score; write it as {_FORMS}")
        scores[match["name"]] = int(match["total"])
    return ScoreReading(scores, last=last, settled=settled)
