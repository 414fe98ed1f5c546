"""The parts that metrics name: a metric's ``plot`` is one of these."""

from __future__ import annotations

from collections.abc import Callable

from readmark.reporting.html.layout import Part
from readmark.reporting.html.parts.derivations import derivations
from readmark.reporting.html.parts.panel import panel
from readmark.reporting.html.sections import Section

PLOTS: dict[str, Callable[[Section], Part | None]] = {
    "panel": panel,
    "derivations": derivations,
}


def named_parts(section: Section) -> list[Part]:
    """Every part that a metric of the section names, once."""
    names = dict.fromkeys(
        getattr(rules.metric, "plot", None)
        for candidate in section.candidates
        for rules in candidate.metrics.values()
    )
    made = [PLOTS[name](section) for name in names if name in PLOTS]
    return [one for one in made if one is not None]
