"""What may be claimed of raters compared with novices, and what not, in plain words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from readmark.core.counts import counted
from readmark.readability.panels.novices import ALPHA, METRICS
from readmark.readability.panels.tables import LeftOut, RaterLine

JUDGES_NEEDED = math.ceil(1 / ALPHA) - 1
"""So many whole judges must be beaten, all of them, before p can be 0.025."""


def claims(raters: Sequence[RaterLine], novices: Sequence[LeftOut]) -> list[str]:
    """A line a rater, then what the panel itself says of the test."""
    most = max((line.passages for line in raters), default=0)
    # Where a rater is above all whole judges, the panel's own passing takes nothing from it.
    above = bool(raters) and all(line.better and _above_judges(line) for line in raters)
    said = [_claim(line, most) for line in raters]
    return [*said, *_of_the_panel(novices, warn=not above)]


def every_draw(line: RaterLine) -> list[str]:
    """The metrics by which every single draw was at least as good."""
    return [name for name, verdict in line.verdicts.items() if verdict.p == 1]


def _claim(line: RaterLine, most: int) -> str:
    part = f" (on {line.passages:,} of {most:,} passages)" if line.passages < most else ""
    text = f"{line.candidate}{part}: {_may_claim(line)}"
    if line.single and any(math.isfinite(verdict.p) for verdict in line.verdicts.values()):
        told = f"{line.single} of {line.passages} passages have"
        text += (
            f". But {told if line.single > 1 else told.replace('have', 'has')} one novice alone, "
            "where nothing is drawn: the fewer the novices, the less p says"
        )
    return text


def _may_claim(line: RaterLine) -> str:
    defined = [name for name in METRICS if not math.isnan(line.verdicts[name].p)]
    if not defined:
        return "nothing can be claimed, no metric has a p"
    better = line.better
    if not better:
        text = (
            "not shown to be better than ratings drawn from the novices by any metric; "
            "that does not show it to be worse, or as good"
        )
        return f"{text}{_behind(line)}"
    which = "all three metrics" if len(better) == len(METRICS) else listed(better)
    text = f"better than ratings of randomly drawn novices, by {which}"
    if len(better) < len(defined):
        text += f"; not shown by {listed([name for name in defined if name not in better])}"
    return f"{text}{_behind(line)}. {_judges(line)}"


def _behind(line: RaterLine) -> str:
    found = every_draw(line)
    return f". Every draw was at least as good by {listed(found)}" if found else ""


def _above_judges(line: RaterLine) -> bool:
    told = [line.judges[name] for name in line.better if line.judges[name].judges]
    return bool(told) and all(judges.p <= ALPHA for judges in told)


def _judges(line: RaterLine) -> str:
    """Whether the claim reaches from drawn ratings to novices as people."""
    told = [line.judges[name] for name in line.better if line.judges[name].judges]
    if not told:
        return "No whole judge could be compared"
    least = min(told, key=lambda judges: judges.beaten / judges.judges)
    if _above_judges(line):
        return (
            f"Better than novices as persons too: it beats at least {least.beaten} of "
            f"{least.judges} by each of these metrics"
        )
    which = "each of these metrics" if len(told) > 1 else "this metric"
    bound = "at least " if len(told) > 1 and least.beaten < least.judges else ""
    beaten = (
        "This does not show that it is better than a novice as a person: it beats "
        f"{bound}{least.beaten} of {least.judges} by {which}"
    )
    if least.smallest > ALPHA:
        return (
            f"{beaten}, and with {least.judges} novices p cannot be below {least.smallest:.3g} "
            f"({JUDGES_NEEDED} novices are needed for {ALPHA:g})"
        )
    return f"{beaten} (p {least.p:.3g})"


def _of_the_panel(novices: Sequence[LeftOut], *, warn: bool) -> list[str]:
    if not novices:
        return []
    some = sum(bool(out.passes) for out in novices)
    every = sum(len(out.passes) == len(METRICS) for out in novices)
    text = (
        f"of your {counted(len(novices), 'novice')}, {some} would pass the same test by at least "
        f"one metric and {every} by all three, each compared with the others"
    )
    if some > ALPHA * len(METRICS) * len(novices):
        text += (
            ": a consistent person passes it more often than 2.5% of the time, so passing shows a "
            "rater to be better than the novices mixed together"
        )
        if warn:
            text += ", not than each of them"
    return [text]


def listed(names: Sequence[str]) -> str:
    """Names with an "and" before the last."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
