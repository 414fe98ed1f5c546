"""What a readability panel of the hall has found so far.

The figures are those of ``panel collect``, ``panel power`` and ``panel mark`` on the files that
the project exports.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.numbers import decimal
from readmark.core.sitting import Sitting
from readmark.core.test import in_memory
from readmark.core.version import __version__
from readmark.marking import MarkSettings
from readmark.readability.hall.panel import TEST, collect_panel, is_rated, panel_of, write_sheets
from readmark.readability.panels.collect import Collected
from readmark.readability.panels.mark import panel_mark
from readmark.readability.panels.peer_tables import PeerTables
from readmark.readability.panels.power import ADVANTAGE, PanelPower, power
from readmark.readability.panels.raters import panel_raters
from readmark.readability.panels.ratings import CODES
from readmark.readability.panels.rounds import EXPERT, NOVICE, PanelPlan
from readmark.readability.panels.simulation import EXPERTS, Design, Simulation, observed_traits
from readmark.readability.panels.tables import PanelTables
from readmark.statistics.agreement.value import Resampling
from readmark.works import ProjectWork
from readmark.works.passages import named_work

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


# The power that a panel like this one has.


@dataclass(frozen=True)
class PanelForecast:
    """The power of panels like this one, and the command that computes the same."""

    power: PanelPower
    command: str

    def as_json(self) -> dict[str, Any]:
        """The document of ``panel power --json``, and the command."""
        return {"command": self.command, **self.power.as_json()}


def forecast_power(results: PanelResults) -> PanelForecast:
    """How often a rater 0.1 stars closer than the mean novice passes with judges like these.

    As many passages, experts and novices as have ratings now. Biases, noise and missing ratings
    are those observed; passages and a single expert vary as in ``panel power``, nobody drifts.
    """
    table = _ratings(results.collected)
    experts, novices = (table[panel] for panel in (EXPERT, NOVICE))
    rated = np.isfinite(experts).any(axis=1) & np.isfinite(novices).any(axis=1)
    if rated.sum() < 2 or novices.shape[1] < 2:
        raise UsageError(
            "the power takes two passages that experts and novices have rated, and two novices"
        )
    expert = observed_traits(experts[rated]) if experts.shape[1] > 1 else EXPERTS
    novice = observed_traits(novices[rated])
    design = Design(
        passages=int(rated.sum()),
        experts=int(experts.shape[1]),
        novices=int(novices.shape[1]),
        expert_traits=replace(
            expert, bias=_short(expert.bias), noise=_short(expert.noise), missing=0.0
        ),
        novice_traits=replace(
            novice,
            bias=_short(novice.bias),
            noise=_short(novice.noise),
            missing=_short(novice.missing),
        ),
    )
    by = Simulation(rater="advantage", advantage=ADVANTAGE, panels=SIMULATED_PANELS)
    return PanelForecast(power([design], by), _command(design))


def _short(value: float) -> float:
    return round(value, 2)


def _command(design: Design) -> str:
    expert, novice = design.expert_traits, design.novice_traits
    return (
        f"readmark panel power --passages {design.passages} --experts {design.experts} "
        f"--novices {design.novices} --panels {SIMULATED_PANELS} "
        f"--expert-traits bias={expert.bias:g},noise={expert.noise:g} "
        f"--novice-traits bias={novice.bias:g},noise={novice.noise:g},missing={novice.missing:g}"
    )


def _ratings(done: Collected) -> dict[str, np.ndarray[Any, np.dtype[np.float64]]]:
    """The ratings of each panel: a row for each passage, a column for each judge."""
    ids = [record.id for record in done.test.records()]
    ratings: dict[str, dict[str, dict[str, float]]] = {EXPERT: {}, NOVICE: {}}
    for record in done.test.records():
        for rating in record.key.ratings if record.key is not None else ():
            ratings[EXPERT].setdefault(rating.annotator, {})[record.id] = rating.rating
    for sitting in done.novices:
        ratings[NOVICE][sitting.candidate] = {
            id: float(row.answer)
            for id in sitting
            for row in sitting.of(id)
            if isinstance(row.answer, int | float)
        }
    return {
        panel: np.array(
            [[own.get(id, np.nan) for own in judges.values()] for id in ids], dtype=np.float64
        ).reshape(len(ids), len(judges))
        for panel, judges in ratings.items()
    }


# Machines compared with the people of the panel.


@dataclass(frozen=True)
class MachineComparison:
    """Machines against the novices by the experts' gold, and as one of the raters without it."""

    mark: PanelTables | None = None
    raters: PeerTables | None = None
    problems: tuple[str, ...] = ()
    """Why one of the two is missing, or what a machine could not rate."""
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The documents of ``panel mark --json``, with experts and without."""
        return {
            "mark": self.mark.as_json() if self.mark is not None else None,
            "raters": self.raters.as_json() if self.raters is not None else None,
            "problems": list(self.problems),
            "notes": list(self.notes),
        }

    @property
    def verdicts(self) -> list[tuple[str, str, Mapping[str, Any]]]:
        """The verdict on each machine as one of the raters: its name, what to say, the figures."""
        if self.raters is None:
            return []
        verdicts: list[tuple[str, str, Mapping[str, Any]]] = []
        for line in self.raters.machines:
            verdict = next(iter(line.verdicts.values()))
            places = [peer.place for peer in verdict.counted]
            figures = {
                "machine": decimal(verdict.shown(verdict.machine)),
                "raters": decimal(verdict.shown(verdict.raters)),
                "margin": f"{self.raters.margin:g}",
                "ahead": places.count(-1),
                "count": len(places),
            }
            verdicts.append((line.candidate, verdict.verdict.replace(" ", "_"), figures))
        return verdicts


def compare_machines(results: PanelResults, machines: Sequence[Sitting]) -> MachineComparison:
    """Compare machines, by their sittings of the passages, with the judges of a panel."""
    test, novices = results.collected.test, list(results.collected.novices)
    mark: PanelTables | None = None
    peers: PeerTables | None = None
    problems: list[str] = []
    if results.has_gold:
        try:
            mark = panel_mark(test, machines, novices)
        except ReadmarkError as error:
            problems.append(str(error))
    try:
        peers = panel_raters(test, machines, novices, settings=MarkSettings())
    except ReadmarkError as error:
        problems.append(str(error))
    notes = [note for made in (mark, peers) if made is not None for note in made.notes]
    return MachineComparison(mark, peers, tuple(problems), tuple(dict.fromkeys(notes)))
