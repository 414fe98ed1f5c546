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
from readmark.readability.hall.judgements import panel_of
from readmark.readability.hall.panel_files import TEST, collect_panel, is_rated, write_sheets
from readmark.readability.panels.collect import Collected
from readmark.readability.panels.findings import CODES
from readmark.readability.panels.rounds import PanelPlan
from readmark.statistics.agreement.value import Resampling
from readmark.works import ProjectWork
from readmark.works.people_files import named_work

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
    with tempfile.TemporaryDirectory(prefix="readmark-panel-") as temporary:
        folder = Path(temporary)
        plan = write_sheets(project, people, folder)
        collected = collect_panel(folder, resampling=_AGREEMENT)
        # In memory, since the folder is about to be removed.
        test = in_memory(collected.test.header, list(collected.test.records()), file=TEST)
    findings = tuple(
        replace(finding, file=finding.file.removeprefix(f"{temporary}/"))
        for finding in collected.findings
    )
    collected = replace(collected, findings=findings, test=test)
    figures = collected.agreement.judges
    finished = {person.person: len(person.finished) for person in people}
    times = _median_seconds(collected)
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
    return PanelResults(event, version, plan, collected, progress)


def _median_seconds(collected: Collected) -> dict[str, float]:
    """The median time of each judge on a passage."""
    seconds: dict[str, list[float]] = {}
    for record in collected.test.records():
        for rating in record.key.ratings if record.key is not None else ():
            if rating.seconds is not None:
                seconds.setdefault(rating.annotator, []).append(rating.seconds)
    for sitting in collected.novices:
        rows = (row for id in sitting for row in sitting.of(id))
        seconds.setdefault(sitting.candidate, []).extend(
            row.seconds for row in rows if row.seconds is not None
        )
    return {name: median(times) for name, times in seconds.items() if times}
