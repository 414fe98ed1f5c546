"""What a readability panel has found so far: everything is computed by ``readmark panel``.

The figures are those of ``panel collect``, ``panel power`` and ``panel mark`` on the files that
the project exports.
"""

from __future__ import annotations

import tempfile
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import numpy as np
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.numbers import decimal
from readmark.core.sitting import Sitting
from readmark.core.test import Test, in_memory
from readmark.core.version import __version__
from readmark.formats.registry import open_sitting
from readmark.marking.settings import MarkSettings
from readmark.readability.hall.panel import TEST, collect_panel, is_rated, panel_of, write_sheets
from readmark.readability.panels.collect import Collected
from readmark.readability.panels.mark import panel_mark
from readmark.readability.panels.peer_tables import PeerTables
from readmark.readability.panels.power import ADVANTAGE, PanelPower, power
from readmark.readability.panels.raters import panel_raters
from readmark.readability.panels.rounds import EXPERT, NOVICE, PanelPlan, read_plan
from readmark.readability.panels.simulation import EXPERTS, Design, Simulation, observed_traits
from readmark.readability.panels.tables import PanelTables
from readmark.server.log import last_event, work_of_project
from readmark.server.projects import newest_version
from readmark.server.tables import Assignment, Membership
from readmark.sitting import CANDIDATES, sit
from readmark.statistics.agreement.value import Resampling
from readmark.works import ProjectWork
from readmark.works.passages import named_work

PANELS_MADE_UP = 200
"""Panels that are simulated for the power, with 999 draws each: about a second for 50 passages."""
_AGREEMENT = Resampling()

T = TypeVar("T")


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


@dataclass(frozen=True)
class PanelResults:
    """A panel up to an event: the plan, what was collected, and how far everybody is."""

    event: int
    version: int
    plan: PanelPlan
    collected: Collected
    progress: tuple[JudgeProgress, ...]
    key: Hashable = ()
    """What no other state of any panel has."""

    @property
    def has_gold(self) -> bool:
        """Whether there are experts' ratings, of the hall or in the key of the uploaded test."""
        return is_rated(self.collected.test)

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are, by code."""
        return dict(Counter(finding.code for finding in self.collected.findings))

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


# Every result is computed once for an event: people look at a page again and again.

_CACHE: OrderedDict[Hashable, Any] = OrderedDict()
_CACHED = 64
_LOCK = threading.Lock()


def _once(key: Hashable, make: Callable[[], T]) -> T:
    with _LOCK:
        if key in _CACHE:
            found: T = _CACHE[key]
            return found
    made = make()
    with _LOCK:
        _CACHE[key] = made
        while len(_CACHE) > _CACHED:
            _CACHE.popitem(last=False)
    return made


def panel_results(session: Session, project_id: str) -> PanelResults | None:
    """The panel so far; None as long as nobody has begun."""
    event, version = last_event(session, project_id), newest_version(session, project_id).version
    # Withdrawing and new roles leave no event.
    withdrawn = session.execute(
        select(func.count(Assignment.withdrawn), func.max(Assignment.withdrawn)).where(
            Assignment.project_id == project_id
        )
    ).one()
    roles = session.execute(
        select(Membership.person_id, Membership.role).where(Membership.project_id == project_id)
    )
    key = (project_id, event, version, tuple(withdrawn), frozenset(map(tuple, roles)))
    return _once(key, lambda: _results(work_of_project(session, project_id), event, version, key))


def _results(project: ProjectWork, event: int, version: int, key: Hashable) -> PanelResults | None:
    people = named_work(project)
    if not people:
        return None
    with tempfile.TemporaryDirectory(prefix="readmark-panel-") as name:
        folder = Path(name)
        write_sheets(project, people, folder)
        plan, done = read_plan(folder), collect_panel(folder, resampling=_AGREEMENT)
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
    return PanelResults(event, version, plan, done, progress, key)


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


def panel_forecast(results: PanelResults) -> PanelForecast:
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
    who = observed_traits(experts[rated]) if experts.shape[1] > 1 else EXPERTS
    others = observed_traits(novices[rated])
    design = Design(
        passages=int(rated.sum()),
        experts=int(experts.shape[1]),
        novices=int(novices.shape[1]),
        expert_traits=replace(who, bias=_short(who.bias), noise=_short(who.noise), missing=0.0),
        novice_traits=replace(
            others,
            bias=_short(others.bias),
            noise=_short(others.noise),
            missing=_short(others.missing),
        ),
    )
    by = Simulation(rater="advantage", advantage=ADVANTAGE, panels=PANELS_MADE_UP)
    made = _once(("power", design, by), lambda: power([design], by))
    return PanelForecast(made, _command(design))


def _short(value: float) -> float:
    return round(value, 2)


def _command(design: Design) -> str:
    who, others = design.expert_traits, design.novice_traits
    return (
        f"readmark panel power --passages {design.passages} --experts {design.experts} "
        f"--novices {design.novices} --panels {PANELS_MADE_UP} "
        f"--expert-traits bias={who.bias:g},noise={who.noise:g} "
        f"--novice-traits bias={others.bias:g},noise={others.noise:g},missing={others.missing:g}"
    )


def _ratings(done: Collected) -> dict[str, np.ndarray[Any, np.dtype[np.float64]]]:
    """The ratings of each panel: a row for each passage, a column for each judge."""
    ids = [record.id for record in done.test.records()]
    given: dict[str, dict[str, dict[str, float]]] = {EXPERT: {}, NOVICE: {}}
    for record in done.test.records():
        for rating in record.key.ratings if record.key is not None else ():
            given[EXPERT].setdefault(rating.annotator, {})[record.id] = rating.rating
    for sitting in done.novices:
        given[NOVICE][sitting.candidate] = {
            id: float(row.answer)
            for id in sitting
            for row in sitting.of(id)
            if isinstance(row.answer, int | float)
        }
    return {
        panel: np.array(
            [[own.get(id, np.nan) for own in judges.values()] for id in ids], dtype=np.float64
        ).reshape(len(ids), len(judges))
        for panel, judges in given.items()
    }


# Machines compared with the people of the panel.


@dataclass(frozen=True)
class MachineComparison:
    """Machines against the novices by the experts' gold, and as one of the raters without it."""

    mark: PanelTables | None = None
    raters: PeerTables | None = None
    problems: tuple[str, ...] = ()
    """Why one of the two is missing, or what a machine could not rate."""
    notes: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """The documents of ``panel mark --json``, with experts and without."""
        return {
            "mark": self.mark.as_json() if self.mark is not None else None,
            "raters": self.raters.as_json() if self.raters is not None else None,
            "problems": list(self.problems),
            "notes": list(self.notes),
        }


def own_raters(language: str) -> list[str]:
    """Readmark's raters for a language; those that need a service or a file are not among them."""
    names: list[str] = []
    for name in CANDIDATES:
        entry = CANDIDATES.entry(name)
        if entry.kinds == ("readability",):
            names += [name, *entry.variants] if language == "en" else [name]
    return names if language == "en" else [name for name in names if name != "features"]


def compare_machines(
    results: PanelResults, raters: Sequence[str] = (), uploads: Sequence[Path] = ()
) -> MachineComparison:
    """Compare raters of Readmark, and machines whose sittings were uploaded, with the judges."""
    if not uploads:
        key = ("machines", results.key, tuple(raters))
        return _once(key, lambda: _compared(results, raters))
    return _compared(results, raters, uploads)


def _compared(
    results: PanelResults, raters: Sequence[str], uploads: Sequence[Path] = ()
) -> MachineComparison:
    test = results.collected.test
    unknown = [name for name in raters if name not in own_raters(results.plan.language)]
    if unknown:
        raise UsageError(f"no rater {unknown[0]!r}; choose {', '.join(own_raters('en'))}")
    machines: list[Sitting] = []
    problems: list[str] = []
    for rater in raters:
        try:
            machines.append(_once((results.plan.paper, rater), partial(_sat, test, rater)))
        except ReadmarkError as error:
            problems.append(f"{rater}: {error}")
    for path in uploads:
        try:
            machines.append(replace(open_sitting(path, test.kind), file=path.name))
        except ReadmarkError as error:
            problems.append(str(error).replace(f"{path.parent}/", ""))
    if not machines:
        if problems:
            return MachineComparison(problems=tuple(problems))
        raise UsageError("choose a rater, or upload a sitting")
    mark: PanelTables | None = None
    peers: PeerTables | None = None
    novices = list(results.collected.novices)
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


def _sat(test: Test, rater: str) -> Sitting:
    """A rater's sitting of the passages; it never sees the key."""
    return replace(sit(test, rater), file=f"{rater}.jsonl")


def comparison_words(comparison: MachineComparison) -> list[tuple[str, str, Mapping[str, Any]]]:
    """The verdict on each machine: its name, what to say, and the figures in it."""
    if comparison.raters is None:
        return []
    found: list[tuple[str, str, Mapping[str, Any]]] = []
    for line in comparison.raters.machines:
        verdict = next(iter(line.verdicts.values()))
        places = [peer.place for peer in verdict.counted]
        figures = {
            "machine": decimal(verdict.shown(verdict.machine)),
            "raters": decimal(verdict.shown(verdict.raters)),
            "margin": f"{comparison.raters.margin:g}",
            "ahead": places.count(-1),
            "count": len(places),
        }
        found.append((line.candidate, verdict.verdict.replace(" ", "_"), figures))
    return found
