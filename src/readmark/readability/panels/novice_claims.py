"""What may be claimed of raters compared with novices, and what not, in plain words.

The test shows that a rater is better than a rating drawn from the panel. A novice is the same
person on every passage, so that only the comparison with whole judges reaches to persons.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from readmark.core import numbers
from readmark.core.display import counted
from readmark.readability.panels.novices import ALPHA, METRICS, WholeJudges
from readmark.readability.panels.rater_lines import LeftOut, RaterLine

JUDGES_NEEDED = math.ceil(1 / ALPHA) - 1
"""With fewer whole judges p cannot be 0.025, even if all of them are beaten."""


def claims(raters: Sequence[RaterLine], novices: Sequence[LeftOut]) -> list[str]:
    """A sentence for each rater, then how many of the novices pass the same test."""
    most = max((line.passages for line in raters), default=0)
    # Where a rater is above all whole judges, the novices that pass take nothing from it.
    above = bool(raters) and all(line.better and _is_above_judges(line) for line in raters)
    return [*(_claim(line, most) for line in raters), *_novices_claim(novices, warn=not above)]


def every_draw(line: RaterLine) -> list[str]:
    """The metrics by which every single draw was at least as good."""
    return [name for name, verdict in line.verdicts.items() if verdict.p == 1]


def compared_judges(line: RaterLine) -> list[WholeJudges]:
    """Whole judges by the metrics by which the rater is better than drawn ratings."""
    return [line.judges[name] for name in line.better if line.judges[name].judges]


def _claim(line: RaterLine, most: int) -> str:
    part = f" (on {line.passages:,} of {most:,} passages)" if line.passages < most else ""
    text = f"{line.candidate}{part}: {_draws_claim(line)}"
    if line.single and any(math.isfinite(verdict.p) for verdict in line.verdicts.values()):
        verb = "has" if line.single == 1 else "have"
        text += (
            f". But {line.single} of {line.passages} passages {verb} one novice alone, "
            "where nothing is drawn: the fewer the novices, the less p says"
        )
    return text


def _draws_claim(line: RaterLine) -> str:
    with_p = [name for name in METRICS if not math.isnan(line.verdicts[name].p)]
    if not with_p:
        return "nothing can be claimed, no metric has a p"
    behind = every_draw(line)
    every = f". Every draw was at least as good by {listed(behind)}" if behind else ""
    if not line.better:
        return (
            "not shown to be better than ratings drawn from the novices by any metric; "
            f"that does not show it to be worse, or as good{every}"
        )
    which = "all three metrics" if len(line.better) == len(METRICS) else listed(line.better)
    text = f"better than ratings of randomly drawn novices, by {which}"
    if len(line.better) < len(with_p):
        text += f"; not shown by {listed([name for name in with_p if name not in line.better])}"
    return f"{text}{every}. {_judges_claim(line)}"


def _is_above_judges(line: RaterLine) -> bool:
    judges = compared_judges(line)
    return bool(judges) and all(comparison.p <= ALPHA for comparison in judges)


def _judges_claim(line: RaterLine) -> str:
    """Whether the claim reaches from drawn ratings to novices as persons."""
    judges = compared_judges(line)
    if not judges:
        return "No whole judge could be compared"
    fewest = min(judges, key=lambda comparison: comparison.beaten / comparison.judges)
    if _is_above_judges(line):
        return (
            f"Better than novices as persons too: it beats at least {fewest.beaten} of "
            f"{fewest.judges} by each of these metrics"
        )
    which = "each of these metrics" if len(judges) > 1 else "this metric"
    bound = "at least " if len(judges) > 1 and fewest.beaten < fewest.judges else ""
    text = (
        "This does not show that it is better than a novice as a person: it beats "
        f"{bound}{fewest.beaten} of {fewest.judges} by {which}"
    )
    if fewest.smallest > ALPHA:
        return (
            f"{text}, and with {fewest.judges} novices p cannot be below "
            f"{numbers.p_value(fewest.smallest)} ({JUDGES_NEEDED} novices are needed for {ALPHA:g})"
        )
    return f"{text} (p {numbers.p_value(fewest.p)})"


def _novices_claim(novices: Sequence[LeftOut], *, warn: bool) -> list[str]:
    if not novices:
        return []
    by_any = sum(bool(out.passes) for out in novices)
    by_all = sum(len(out.passes) == len(METRICS) for out in novices)
    text = (
        f"of your {counted(len(novices), 'novice')}, {by_any} would pass the same test by at least "
        f"one metric and {by_all} by all three, each compared with the others"
    )
    # By chance no larger share passes by at least one of the metrics.
    if by_any > ALPHA * len(METRICS) * len(novices):
        text += (
            ": a consistent person passes it more often than 2.5% of the time, so passing shows a "
            "rater to be better than the novices mixed together"
        )
        if warn:
            text += ", not than each of them"
    return [text]


def listed(names: Sequence[str]) -> str:
    """Names with an "and" before the last."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
