"""What a readability panel of the hall has found so far.

The figures are those of ``panel collect``, ``panel power`` and ``panel mark`` on the files that
the project exports.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from readmark.core.test import in_memory
from readmark.core.version import __version__
from readmark.readability.hall.panel import TEST, collect_panel, is_rated, panel_of, write_sheets
from readmark.readability.panels.collect import Collected
from readmark.readability.panels.findings import CODES
from readmark.readability.panels.rounds import PanelPlan
from readmark.statistics.agreement.value import Resampling
from readmark.works import ProjectWork
from readmark.works.people_files import named_work

SIMULATED_PANELS = 200
"""Panels that are simulated for the power, with 999 draws each: about a second for 50 passages."""
_AGREEMENT = Resampling()


@dataclass(frozen=True)
class JudgeProgress:
    """How far a judge is, in rounds handed in and passages rated."""

    name: str
    panel: str
    handed_in: int
    rounds: int
    rated: int
    passages: int
    seconds: float | None = None
    """The median time on a passage."""


@dataclass(frozen=True, eq=False)
class PanelResults:
    """A panel up to an event: the plan, what was collected, and how far everybody is.

    Equal to nothing but itself, so that the hall can keep what it computes from it.
    """

    event: int
    version: int
    """Of the project's configuration."""
    plan: PanelPlan
    collected: Collected
    progress: tuple[JudgeProgress, ...]

    @property
    def has_gold(self) -> bool:
        """Whether there are experts' ratings, of the hall or in the key of the uploaded test."""
        return is_rated(self.collected.test)

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are, by code, in the order in which people read them."""
        counts = Counter(finding.code for finding in self.collected.findings)
        return {code: counts[code] for code in CODES if code in counts}

    @property
    def signature(self) -> str:
        """One line that says what decided the figures."""
        parts = {
            "panel": "collect",
            "interval": "percentile",
            "draws": _AGREEMENT.draws,
            "confidence": _AGREEMENT.level,
            "seed": _AGREEMENT.seed,
            "event": self.event,
            "configuration": self.version,
            "readmark": __version__,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def as_json(self) -> dict[str, Any]:
        """The document of ``panel collect --json``, and how far everybody is."""
        judges = {
            judge.name: {
                "panel": judge.panel,
                "handed_in": judge.handed_in,
                "rounds": judge.rounds,
                "rated": judge.rated,
                "passages": judge.passages,
                "seconds": judge.seconds,
            }
            for judge in self.progress
        }
        return {"signature": self.signature, "judges": judges, **self.collected.as_json()}


def collect_project(project: ProjectWork, *, event: int, version: int) -> PanelResults | None:
    """The panel of a project up to an event; None as long as nobody has begun."""
    people = named_work(project)
    if not people:
        return None
    with tempfile.TemporaryDirectory(prefix="readmark-panel-") as name:
        folder = Path(name)
        plan = write_sheets(project, people, folder)
        done = collect_panel(folder, resampling=_AGREEMENT)
        # Held in memory: the folder is about to be removed.
        test = in_memory(done.test.header, list(done.test.records()), file=TEST)
    findings = tuple(
        replace(finding, file=finding.file.removeprefix(f"{name}/")) for finding in done.findings
    )
    done = replace(done, findings=findings, test=test)
    figures = done.agreement.judges
    finished = {person.person: len(person.finished) for person in people}
    times = _times(done)
    progress = tuple(
        JudgeProgress(
            name=judge.name,
            panel=judge.panel,
            handed_in=finished[judge.name],
            rounds=len(judge.rounds),
            rated=figures[judge.name].rated if judge.name in figures else 0,
            passages=len(plan.passages),
            seconds=times.get(judge.name),
        )
        for judge in plan.judges
    )
    progress += tuple(
        JudgeProgress(person.person, panel_of(person), 0, len(plan.rounds), 0, len(plan.passages))
        for person in project.people
        if person.person not in finished
    )
    return PanelResults(event, version, plan, done, progress)


def _times(done: Collected) -> dict[str, float]:
    """The median time of each judge on a passage."""
    seconds: dict[str, list[float]] = {}
    for record in done.test.records():
        for rating in record.key.ratings if record.key is not None else ():
            if rating.seconds is not None:
                seconds.setdefault(rating.annotator, []).append(rating.seconds)
    for sitting in done.novices:
        own = [row.seconds for id in sitting for row in sitting.of(id) if row.seconds is not None]
        seconds.setdefault(sitting.candidate, []).extend(own)
    return {name: median(own) for name, own in seconds.items() if own}
