"""Scores read from a line of text, and combinations told in one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from readmark.corpus.errors import UsageError
from readmark.reasoning.decompositions.readings import Reading
from readmark.reasoning.decompositions.scheme import Scheme

_TAIL = re.compile(
    r"^(?P<score>.*?)(?:\s+by\s+(?P<last>[^\W\d]\w*))?(?P<settled>\s+settled)?$", re.S
)
_EITHER = re.compile(r"\d+(?:\s*(?:-|–|:|\bto\b)\s*\d+)*")
_SIDE = re.compile(r"(?P<name>[^\d,;][^,;]*?)\s+(?P<total>\d+)")

FORMS = "'Falcons 3, Jets 0', '6 to 3', '7 by touchdown', 'Jets 10 settled'"


def read_reading(text: str) -> Reading:
    """A score as one writes it: totals with their sides, or totals alone.

    ``by WORD`` names what made it this score; ``settled`` says that nothing can follow that.
    """
    parts = _TAIL.match(text.strip())
    score = parts["score"].strip() if parts else ""
    last, settled = (parts["last"], bool(parts["settled"])) if parts else (None, False)
    if _EITHER.fullmatch(score):
        totals = tuple(int(one) for one in re.findall(r"\d+", score))
        return Reading(either=totals, last=last, settled=settled)
    scores: dict[str, int] = {}
    for one in re.split(r"[,;]", score):
        found = _SIDE.fullmatch(one.strip())
        if found is None or found["name"] in scores:
            raise UsageError(f"{text!r} is no score; write it as {FORMS}")
        scores[found["name"]] = int(found["total"])
    return Reading(scores, last=last, settled=settled)


def told(scheme: Scheme, counts: Mapping[str, int]) -> str:
    """``1 touchdown, 2 field goals``; nothing is ``none``."""
    words = [scheme.quantities[name].told(count) for name, count in counts.items() if count]
    return ", ".join(words) or "none"
