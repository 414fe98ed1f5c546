"""Candidates against the first one, from their marksheets' vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.corpus.errors import DataError
from readmark.marking.significance import Comparison, Paired, adjusted, compare_pair
from readmark.reporting.html.sections import Candidate, Section


@dataclass(frozen=True, slots=True)
class Compared:
    """Each candidate against the first, by metric, and why some were not compared."""

    by_metric: Mapping[str, Sequence[Comparison]]
    refused: Sequence[tuple[str, str, str]] = ()
    """Metric, candidate and reason: ``rules``, ``units`` or ``absent``."""

    def of(self, metric: str, candidate: str) -> Comparison | None:
        """The comparison of a candidate."""
        return next((one for one in self.by_metric.get(metric, ()) if one.b == candidate), None)

    def obstacles(self) -> dict[tuple[str, str], list[str]]:
        """The metrics that could not be compared, by candidate and reason."""
        found: dict[tuple[str, str], list[str]] = {}
        for metric, candidate, reason in self.refused:
            found.setdefault((candidate, reason), []).append(metric)
        return found


def on_part(section: Section, one: Comparison) -> bool:
    """Whether two candidates share fewer units than one of them sat."""
    sat = {who.name: len(who.sheet.units) for who in section.candidates}
    return one.units + one.left_out < max(sat[one.a], sat[one.b])


def compare_all(section: Section) -> Compared:
    """Every metric that both marksheets have by the same rules; several are Holm-adjusted."""
    if len(section.candidates) < 2:
        return Compared({})
    first, *others = section.candidates
    found: dict[str, list[Comparison]] = {}
    refused: list[tuple[str, str, str]] = []
    for metric in section.metrics:
        compared = []
        for other in others:
            reason = _obstacle(metric, first, other)
            if reason is None:
                try:
                    compared.append(_pair(metric, first, other))
                except DataError:  # no unit in common
                    reason = "units"
            if reason is not None:
                refused.append((metric, other.name, reason))
        if compared:
            found[metric] = adjusted(compared)
    return Compared(found, refused)


def _obstacle(metric: str, first: Candidate, other: Candidate) -> str | None:
    """Why two candidates cannot be compared by a metric."""
    a, b = first.metrics.get(metric), other.metrics.get(metric)
    if a is None or b is None:
        return "absent"
    return None if a.rules == b.rules else "rules"


def _pair(metric: str, first: Candidate, other: Candidate) -> Comparison:
    sheet = first.sheet
    return compare_pair(
        metric,
        first.metrics[metric],
        _paired(metric, first),
        _paired(metric, other),
        sheet.kind,
        sheet.settings,
    )


def _paired(metric: str, one: Candidate) -> Paired:
    tally = one.tally
    return Paired(one.name, tally.ids, tally.groups, tally.vectors[metric].matrix())
